// Package study is the screens that compare parameters: the sweep, two settings beside each other,
// and the log of decisions.
package study
