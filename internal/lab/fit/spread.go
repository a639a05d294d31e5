package main

import (
	"fmt"
	"math"
)

var budgets = []int{500, 1000, 2000}

// leastNeeds is how many needs make a session count in a mean.
const leastNeeds = 20

// spread is a mean over sessions.
type spread struct {
	n              int
	sum, sq, least float64
}

func (s *spread) add(v float64) {
	if s.n == 0 || v < s.least {
		s.least = v
	}
	s.n++
	s.sum += v
	s.sq += v * v
}

func (s spread) mean() float64 { return s.sum / float64(max(1, s.n)) }

func (s spread) String() string {
	deviation := math.Sqrt(math.Max(0, s.sq/float64(max(1, s.n))-s.mean()*s.mean()))
	return fmt.Sprintf("%.3f ± %.3f, least %.3f", s.mean(), deviation, s.least)
}
