package model

import (
	"slices"
	"strings"
)

// Problem is an error for a person: what happened, why, and what to do next,
// one short English sentence each. Code is a stable key under which a screen
// finds its own words; the sentences are what a terminal prints.
type Problem struct {
	Code string
	What string
	Why  string
	Next string
	Err  error // the cause, for details; may be nil
}

func (p *Problem) Error() string {
	said := slices.DeleteFunc([]string{p.What, p.Why, p.Next}, func(s string) bool { return s == "" })
	return strings.Join(said, " ")
}

func (p *Problem) Unwrap() error { return p.Err }
