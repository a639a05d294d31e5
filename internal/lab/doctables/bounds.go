package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/recorded"
)

// What limits the ledger beside a recorded summary: a list that knows what is used
// later, written in the same form, and the chances of a forest that has learned from
// these very sessions.

// knowing is the score that knows what an agent uses after a cut, up to the next one:
// what nothing brings back first.
func knowing(s *session.Session) facts.Score {
	var cuts []int
	for _, f := range s.Found() {
		if !f.Clearing {
			cuts = append(cuts, f.At)
		}
	}
	return facts.Score{Chances: true, Of: func(x *facts.Index, c facts.Change) func(facts.ID) float64 {
		firings := []facts.Change{c}
		if i := slices.IndexFunc(cuts, func(at int) bool { return at > c.At }); i >= 0 {
			firings = append(firings, facts.Change{At: cuts[i]})
		}
		used := map[facts.ID]float64{}
		for _, u := range x.UsedAfter(firings, 0) {
			if used[u.ID] = .5; u.Strict() {
				used[u.ID] = 1
			}
		}
		return func(id facts.ID) float64 { return used[id] }
	}}
}

// wordForWord takes from rows what a text holds only because the rule reads groups of
// paths: what a search for the string would not find.
func wordForWord(s *session.Session, f *recorded.File) {
	x := s.Insight.KnownFacts()
	for i := range f.Pages {
		p := &f.Pages[i]
		for c := range p.Columns {
			text := p.Columns[c].Text
			read, plain := x.FactsIn(text), x.FactsIn(strings.ReplaceAll(text, "/{", "/ "))
			for k := range p.Rows {
				r := &p.Rows[k]
				_, inText := slices.BinarySearch(read, r.ID)
				if _, found := slices.BinarySearch(plain, r.ID); inText && !found {
					r.Holds[c] = false
				}
			}
		}
		if p.State != recorded.NothingAt {
			p.Count()
		}
	}
}

// bounds is the table of what limits the ledger; seen is the study with the forests that
// a project had no part in.
func bounds(ctx context.Context, root string, seen recorded.Result) (string, error) {
	var b strings.Builder
	b.WriteString("\n| what chooses the facts | held ÷ (held + brought back): ledger, equal tokens | summary + 500 | + 1,000 |\n" +
		"|---|---|---|---|\n")
	row := func(name string, r *recorded.Result) {
		fmt.Fprintf(&b, "| %s |", name)
		for _, c := range []recorded.Column{recorded.Ledger, recorded.Plus500, recorded.Plus1000} {
			fmt.Fprintf(&b, " %.3f |", r.Columns[c].Mean)
		}
		b.WriteString("\n")
	}
	row("a forest that the project had no part in (above)", &seen)
	for _, way := range []struct {
		name  string
		score func(*session.Session) facts.Score
		read  func(*session.Session, *recorded.File)
	}{{"the same, word for word alone: groups of paths are not read", nil, wordForWord},
		{"the forest in use, which learned from most of these sessions", func(*session.Session) facts.Score { return inUse }, nil},
		{"knowing what is used later, the same written form", knowing, nil}} {
		r, err := keptBy(ctx, root, way.score, way.read)
		if err != nil {
			return "", err
		}
		row(way.name, &r)
	}
	return b.String(), nil
}
