// Package evals reads and writes the logs of evaluations: Inspect, tau-bench
// and tau2, ATIF, Who&When.
package evals
