package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"palimpsest/compaction/facts"
)

// brief are the sessions too short for the fit, and long enough that a third of
// them holds a tail and a ledger.
var brief = band{3000, leastTokens}

// Shares of a short session's window, as in the measure: a window of 40,000 with
// trigger 80 %, tail 8,000 and a ledger of 1,000.
const (
	windowShare = 3 // the window is the session's tokens over this
	budgetShare = 40
)

// shortNeeds is how many needs make a short session count.
const shortNeeds = 5

// judged is what a short session comes to.
type judged struct {
	*session
	window, budget     int
	tail, mixed, inUse facts.Recall
	oracle             facts.Recall
}

// judge measures a session with a window in proportion to its length.
func judge(s *session) judged {
	j := judged{session: s, window: s.total / windowShare}
	j.budget = j.window / budgetShare
	set := setting{trigger: j.window * 8 / 10, tail: j.window / 5}
	of := func(text func(int, facts.Change) string) facts.Recall {
		return s.index.NeededLater(s.replay(set, j.budget, text)).Recall
	}
	j.tail = of(nothing)
	j.mixed = of(s.ledger(j.budget, facts.ByWeight))
	j.inUse = of(s.ledger(j.budget, facts.Likely))
	j.oracle = s.index.Oracle(s.replay(set, j.budget, nothing), j.budget, count)
	return j
}

// shortSessions prints the table of short sessions.
func shortSessions(ctx context.Context, data string) error {
	sessions, err := load(ctx, data, facts.Standard, brief)
	if err != nil {
		return err
	}
	sessions = slices.DeleteFunc(sessions, func(s *session) bool { return s.maker == "malformed" }) // damaged copies of others
	fmt.Print(shortTable(sessions))
	return nil
}

// shortTable has a row for each session, named by its file.
func shortTable(sessions []*session) string {
	var b strings.Builder
	b.WriteString("| sessions of | sessions | tokens | needs | tail alone | pilot's score | ledger in use | oracle " +
		"|\n|---|---|---|---|---|---|---|---|\n")
	var mean [4]spread
	var all pooled
	few := 0
	slices.SortStableFunc(sessions, func(a, b *session) int { return cmp.Compare(fileOf(a), fileOf(b)) })
	for len(sessions) > 0 {
		name := fileOf(sessions[0])
		var file pooled
		for len(sessions) > 0 && fileOf(sessions[0]) == name {
			j := judge(sessions[0])
			sessions = sessions[1:]
			if j.tail.Needs < shortNeeds {
				few++
				continue
			}
			file.add(&j)
			all.add(&j)
			for k, r := range j.recalls() {
				mean[k].add(r.Share())
			}
		}
		if file.n > 0 {
			fmt.Fprintf(&b, "| %s | %d | %s | %v |\n", name, file.n, file.length(), file)
		}
	}
	fmt.Fprintf(&b, "| **all, pooled** | %d | %s | %v |\n", all.n, all.length(), all)
	fmt.Fprintf(&b, "| **mean over sessions** | | | | %.3f | %.3f | %.3f | %.3f |\n", mean[0].mean(), mean[1].mean(),
		mean[2].mean(), mean[3].mean())
	fmt.Fprintf(&b, "\n%d more sessions of %d to %d tokens have fewer than %d needs.\n", few, brief.over, brief.most, shortNeeds)
	return b.String()
}

// fileOf is the name of a session's file: those of one file are #1, #2 …
func fileOf(s *session) string {
	name, _, _ := strings.Cut(s.name, "#")
	return name
}

func (j *judged) recalls() [4]facts.Recall {
	return [4]facts.Recall{j.tail, j.mixed, j.inUse, j.oracle}
}

// pooled is several sessions taken together.
type pooled struct {
	n, least, most int // how many; tokens of the shortest and the longest
	of             [4]facts.Recall
}

func (p *pooled) add(j *judged) {
	if p.n == 0 || j.total < p.least {
		p.least = j.total
	}
	p.n++
	p.most = max(p.most, j.total)
	for k, r := range j.recalls() {
		p.of[k].Needs += r.Needs
		p.of[k].Met += r.Met
	}
}

func (p pooled) length() string {
	if p.least == p.most {
		return fmt.Sprint(p.least)
	}
	return fmt.Sprintf("%d–%d", p.least, p.most)
}

func (p pooled) String() string {
	return fmt.Sprintf("%d | %.3f | %.3f | %.3f | %.3f", p.of[0].Needs, p.of[0].Share(), p.of[1].Share(), p.of[2].Share(), p.of[3].Share())
}
