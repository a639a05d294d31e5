package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"palimpsest/compaction/facts"
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

// over averages the recall of text makers over sessions.
func over(sessions []*session, budget int, text func(i int, s *session) func(int, facts.Change) string) (all spread) {
	for i, s := range sessions {
		if r := s.recall(budget, text(i, s)); r.Needs >= leastNeeds {
			all.add(r.Share())
		}
	}
	return all
}

// by makes ledgers with a score of its own for each session.
func by(budget int, score func(i int) facts.Score) func(int, *session) func(int, facts.Change) string {
	return func(i int, s *session) func(int, facts.Change) string { return s.ledger(budget, score(i)) }
}

func always(s facts.Score) func(int) facts.Score { return func(int) facts.Score { return s } }

// unseen returns for each session the score of weights that were fitted to the
// sessions that apart allows.
func unseen(sessions []*session, examples [][]example, apart func(a, b *session) bool) func(int) facts.Score {
	made := map[string]facts.Score{}
	return func(i int) facts.Score {
		var others [][]example
		key := ""
		for j := range sessions {
			if apart(sessions[i], sessions[j]) {
				others = append(others, examples[j])
				key += fmt.Sprint(j, " ")
			}
		}
		score, ok := made[key]
		if !ok {
			w := fit(others, 0)
			score = w.Score()
			made[key] = score
		}
		return score
	}
}

func otherSession(a, b *session) bool { return a.name != b.name }
func otherMaker(a, b *session) bool   { return a.maker != b.maker }

func report(sessions, crude []*session, examples [][]example, w facts.Weights) string {
	var b strings.Builder
	byChoice, left := chosen(sessions, examples)
	bySession, byMaker := unseen(sessions, examples, otherSession), unseen(sessions, examples, otherMaker)
	fmt.Fprintf(&b, "Extractor %s, fitted to %d sessions of %d tokens or more. Window 40,000, trigger 80 %%, tail 8,000; "+
		"sessions with %d needs or more count.\n"+
		"Mean recall over sessions ± standard deviation, and the least of them.\n", facts.Standard.Name(), len(sessions),
		leastTokens, leastNeeds)
	for _, set := range []struct {
		name string
		list []*session
	}{{"facts of the standard extractor", sessions}, {"facts of the pilot's crude patterns", crude}} {
		fmt.Fprintf(&b, "\n**%s**\n\n| | 500 tokens | 1,000 tokens | 2,000 tokens |\n|---|---|---|---|\n", set.name)
		var ledger, oracle [3]spread
		line := func(name string, text func(budget int) func(int, *session) func(int, facts.Change) string, into *[3]spread) {
			b.WriteString("| " + name)
			for k, budget := range budgets {
				r := over(set.list, budget, text(budget))
				if into != nil {
					into[k] = r
				}
				fmt.Fprintf(&b, " | %v", r)
			}
			b.WriteString(" |\n")
		}
		line("tail alone", func(int) func(int, *session) func(int, facts.Change) string {
			return func(int, *session) func(int, facts.Change) string { return nothing }
		}, nil)
		for _, s := range []struct {
			name  string
			score func(int) facts.Score
		}{{"most recent", always(facts.ByRecency)}, {"most frequent", always(facts.ByFrequency)},
			{"pilot's mixed score", always(facts.ByWeight)},
			{"fitted, producer unseen", byMaker}, {"fitted, features chosen with the session unseen", byChoice}} {
			line(s.name, func(budget int) func(int, *session) func(int, facts.Change) string { return by(budget, s.score) }, nil)
		}
		line("**fitted, session unseen**", func(budget int) func(int, *session) func(int,
			facts.Change) string {
			return by(budget, bySession)
		}, &ledger)
		line("fitted, session seen", func(budget int) func(int, *session) func(int, facts.Change) string {
			return by(budget, always(w.Score()))
		}, nil)
		b.WriteString("| oracle")
		for k, budget := range budgets {
			for _, s := range set.list {
				if r := s.oracle(budget); r.Needs >= leastNeeds {
					oracle[k].add(r.Share())
				}
			}
			fmt.Fprintf(&b, " | %v", oracle[k])
		}
		b.WriteString(" |\n")
		b.WriteString("| session unseen, share of the oracle")
		for k := range budgets {
			fmt.Fprintf(&b, " | %.3f", ledger[k].mean()/oracle[k].mean())
		}
		b.WriteString(" |\n")
	}
	fmt.Fprintf(&b, "\nOf %d features, %d to %d were left in where they were chosen with the session unseen.\n", features,
		slices.Min(left), slices.Max(left))
	sessionTable(&b, sessions, bySession)
	weightTable(&b, sessions, examples, w)
	return b.String()
}

// sessionTable has a row for each session.
func sessionTable(b *strings.Builder, sessions []*session, score func(int) facts.Score) {
	b.WriteString("\n**sessions, 1,000 tokens**\n\n| session | tokens | firings | needs | tail alone | mixed | fitted, unseen | " +
		"oracle |\n|---|---|---|---|---|---|---|---|\n")
	for i, s := range sessions {
		tail := s.index.NeededLater(s.replay(measured, 1000, nothing))
		fmt.Fprintf(b, "| %s | %d | %d | %d | %.3f | %.3f | %.3f | %.3f |\n", s.name, s.total, len(tail.Firings), tail.Needs, tail.Share(),
			s.recall(1000, s.ledger(1000, facts.ByWeight)).Share(), s.recall(1000, s.ledger(1000, score(i))).Share(),
			s.oracle(1000).Share())
	}
}

// withoutEach returns for each session, for every feature, the score of weights that
// were fitted to the other sessions without that feature.
func withoutEach(sessions []*session, examples [][]example) [][features]facts.Score {
	out := make([][features]facts.Score, len(sessions))
	each(len(sessions), func(i int) {
		p := newProblem(othersOf(sessions, examples, i))
		b := p.least(vector{features: -4}, 0)
		for f, start := range p.lacking(&b) {
			less := p.least(start, 1<<f)
			out[i][f] = p.weights(&less).Score()
		}
	})
	return out
}

// weightTable has each feature's weight, alone and by what is lost without
// it.
func weightTable(b *strings.Builder, sessions []*session, examples [][]example, w facts.Weights) {
	p := newProblem(examples)
	without := withoutEach(sessions, examples)
	all := over(sessions, 1000, by(1000, unseen(sessions, examples, otherSession))).mean()
	fmt.Fprintf(b, "\n**features**\n\nWeight of the feature as it is and per standard deviation; recall at 1,000 tokens "+
		"(session unseen) without it, beside %.3f with all.\n\n"+
		"| feature | weight | per deviation | without it |\n|---|---|---|---|\n", all)
	for f := range facts.Features {
		r := over(sessions, 1000, by(1000, func(i int) facts.Score { return without[i][f] }))
		fmt.Fprintf(b, "| %s | %+.3f | %+.3f | %.3f |\n", f, w.Features[f], w.Features[f]*p.spread[f], r.mean())
	}
	fmt.Fprintf(b, "| base | %+.3f | | |\n", w.Base)
}
