package main

import (
	"math"

	"palimpsest/compaction/facts"
)

// The trainer: gradient boosting on the log loss with tables that ask the same
// questions of every fact. Each table is grown a question at a time: that which takes
// most off the loss, over all entries so far. It is deterministic.
const (
	tables   = 450
	rate     = 0.12 // of each table's entries that is added
	turns    = 4    // a question is sought in one of so many of the rows, by turns
	ridge    = 20.0 // λ on entries, in units of weight
	features = int(facts.Features)
	bins     = 256
	tooFew   = 5 // needs below which a session says nothing
)

// learner is the data of one fit.
type learner struct {
	rows   []facts.Steps
	wanted []float32
	weight []float32
	sum    []float64 // z so far
	entry  []uint8
	g, h   []float32
	turn   int
}

// mostLearned is about how many facts of a session are learned from that were not used.
const mostLearned = 2500

// learn fits a forest to sessions. shownWeight is what a use that something else had
// brought back counts, of a need.
func learn(sessions []*extracted, shownWeight float32) *facts.Forest {
	l := &learner{}
	inProject := map[string]int{}
	for _, s := range sessions {
		inProject[s.Project]++
	}
	total := 0.0
	for _, s := range sessions {
		n := s.needs()
		if n < tooFew {
			continue
		}
		of := float32(1 / math.Sqrt(float64(n)) / math.Pow(float64(inProject[s.Project]), 0.4))
		some, k := max(1, len(s.Examples)/mostLearned), 0
		for i := range s.Examples {
			e := &s.Examples[i]
			wanted, weight := float32(0), e.Weight*of
			if e.Needed == unused {
				if k++; k%some != 0 {
					continue
				}
				weight *= float32(some)
			}
			switch e.Needed {
			case needed:
				wanted = 1
			case shown:
				wanted, weight = 1, weight*shownWeight
			}
			l.rows, l.wanted, l.weight = append(l.rows, e.Steps), append(l.wanted, wanted), append(l.weight, weight)
			total += float64(weight)
		}
	}
	scale := float32(float64(len(l.rows)) / total / 4) // weights are about those of rows
	positive, all := 0.0, 0.0
	for i := range l.weight {
		l.weight[i] *= scale
		all += float64(l.weight[i])
		positive += float64(l.weight[i] * l.wanted[i])
	}
	base := math.Log(positive / (all - positive))
	n := len(l.rows)
	l.sum, l.entry, l.g, l.h = make([]float64, n), make([]uint8, n), make([]float32, n), make([]float32, n)
	for i := range l.sum {
		l.sum[i] = base
	}
	var out []facts.Table
	for range tables {
		out = append(out, l.table())
	}
	return facts.NewForest(base, out)
}

// table grows one table and adds it to the sums.
func (l *learner) table() (t facts.Table) {
	for i := range l.rows {
		chance := 1 / (1 + math.Exp(-l.sum[i]))
		l.g[i] = l.weight[i] * (l.wanted[i] - float32(chance))
		l.h[i] = l.weight[i] * float32(chance*(1-chance))
		l.entry[i] = 0
	}
	l.turn++
	for q := range facts.Questions {
		f, above := l.question(1 << q)
		t.Features[q], t.Above[q] = facts.Feature(f), above
		for i := range l.rows {
			if l.rows[i][f] > above {
				l.entry[i] |= 1 << q
			}
		}
	}
	var g, h [1 << facts.Questions]float64
	for i, e := range l.entry {
		g[e] += float64(l.g[i])
		h[e] += float64(l.h[i])
	}
	for k := range t.Entries {
		t.Entries[k] = rate * g[k] / (h[k] + ridge)
	}
	for i, e := range l.entry {
		l.sum[i] += t.Entries[e]
	}
	return t
}

// question finds the question that takes most off the loss, given the entries so far.
func (l *learner) question(entries int) (feature int, above uint8) {
	size := features * bins * entries
	hist := make([]float32, 2*size) // by feature, entry, step: g, h
	for i := l.turn % turns; i < len(l.rows); i += turns {
		g, h, at := l.g[i], l.h[i], int(l.entry[i])*bins
		for f, v := range l.rows[i] {
			k := 2 * (f*bins*entries + at + int(v))
			hist[k] += g
			hist[k+1] += h
		}
	}
	best := math.Inf(-1)
	for f := range features {
		var gain [bins]float64
		seen := false
		for e := range entries {
			from := 2 * (f*bins*entries + e*bins)
			var g, h float64
			for v := range bins {
				g, h = g+float64(hist[from+2*v]), h+float64(hist[from+2*v+1])
			}
			lg, lh := 0.0, 0.0
			for v := range bins - 1 {
				lg, lh = lg+float64(hist[from+2*v]), lh+float64(hist[from+2*v+1])
				gain[v] += lg*lg/(lh+ridge) + (g-lg)*(g-lg)/(h-lh+ridge)
			}
			seen = true
		}
		for v := range bins - 1 {
			if seen && gain[v] > best+1e-9 {
				best, feature, above = gain[v], f, uint8(v)
			}
		}
	}
	return feature, above
}
