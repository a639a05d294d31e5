// Package evals reads and writes the logs of evaluations: Inspect, tau-bench,
// ATIF, Who&When.
package evals
