package cli

import (
	"fmt"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
)

// behaviourInfo is what an agent read and ran from a place in the history on.
type behaviourInfo struct {
	From   int         `json:"from"`
	To     int         `json:"to"`
	Read   int         `json:"read"`
	Reread []againInfo `json:"read_again"`
	Run    int         `json:"run"`
	Rerun  []againInfo `json:"run_again"`
}

// againInfo is one thing that was done before that place and again after it.
type againInfo struct {
	Text   string `json:"text"`
	Before int    `json:"before"`
	After  int    `json:"after"`
	Times  int    `json:"times"`
}

func behaviourValue(b facts.Behaviour) *behaviourInfo {
	return &behaviourInfo{From: b.At, To: b.To, Read: b.Read, Reread: againValues(b.Reread), Run: b.Run, Rerun: againValues(b.Rerun)}
}

func againValues(list []facts.Again) []againInfo {
	out := make([]againInfo, len(list))
	for i, g := range list {
		out[i] = againInfo{Text: g.Text, Before: g.Before, After: g.After, Times: g.Times}
	}
	return out
}

// mostAgain bounds what is printed of things done again after one compaction.
const mostAgain = 8

// printAfterCuts prints what the agent did again after the compactions that the
// file holds.
func printAfterCuts(a *app, list []session.CutBehaviour) {
	if len(list) == 0 {
		return
	}
	rows := []string{"after the recorded compaction\tfiles read\tread before it too\tcommands run\trun before it too"}
	done := []string{"done again after it\tlast before\tfirst after\ttimes"}
	line := func(where string, b facts.Behaviour) {
		rows = append(rows, row(where, thousands(b.Read), thousands(len(b.Reread)), thousands(b.Run), thousands(len(b.Rerun))))
	}
	for i, b := range list {
		if i == mostFirings {
			rows = append(rows, fmt.Sprintf("… and %d more (--json lists all)", len(list)-i))
			break
		}
		line(fmt.Sprintf("before message %s, %s", thousands(b.After.At+1), plural(b.After.Messages, "message")), b.After)
		if b.Before.Messages > 0 {
			line(fmt.Sprintf("  to compare: the %s before it", plural(b.Before.Messages, "message")), b.Before)
		}
		done = append(done, againRows("read", b.After.Reread)...)
		done = append(done, againRows("ran", b.After.Rerun)...)
	}
	table(a.out, rows...)
	if len(done) > 1 {
		table(a.out, done...)
	}
}

func againRows(verb string, list []facts.Again) []string {
	var rows []string
	for _, g := range list {
		rows = append(rows, row(verb+" "+clean(g.Text, 100),
			"message "+thousands(g.Before+1), "message "+thousands(g.After+1), thousands(g.Times)))
	}
	return cut(rows, mostAgain)
}
