package cli

import (
	"fmt"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/model/figure"
)

// recallInfo is what the agent needed after the firings of a replay.
type recallInfo struct {
	Extractor string         `json:"extractor"`
	Needs     int            `json:"needs"`
	Met       int            `json:"met"`
	Recall    *float64       `json:"recall"` // null without a need
	Oracle    int            `json:"oracle"`
	Kinds     []recallOfKind `json:"kinds"`
	Misses    []missInfo     `json:"misses"`
}

// recallOfKind is the recall of the facts of one kind.
type recallOfKind struct {
	Kind  string `json:"kind"`
	Needs int    `json:"needs"`
	Met   int    `json:"met"`
}

// missInfo is a need that was not met.
type missInfo struct {
	Kind   string `json:"kind"`
	Text   string `json:"text"`
	Firing int    `json:"firing"`
	Use    int    `json:"use"`
	Last   int    `json:"last"`
}

func recallValue(r *session.Recall) *recallInfo {
	if r == nil {
		return nil
	}
	v := &recallInfo{Extractor: facts.Extractor, Needs: r.Needs.Needs, Met: r.Met, Oracle: r.Oracle.Met,
		Kinds: []recallOfKind{}, Misses: make([]missInfo, len(r.Misses))}
	if v.Needs > 0 {
		share := r.Share()
		v.Recall = &share
	}
	for k, of := range r.Kinds {
		if of.Needs > 0 {
			v.Kinds = append(v.Kinds, recallOfKind{facts.Kind(k).String(), of.Needs, of.Met})
		}
	}
	for i, m := range r.Misses {
		v.Misses[i] = missInfo{m.Kind.String(), m.Text, m.Firing, m.Use, m.Last}
	}
	return v
}

// recallText is the rows that sum recall up.
func recallText(r *session.Recall) []string {
	if r.Needs.Needs == 0 {
		return []string{"needed later\tnothing that went was needed"}
	}
	return []string{fmt.Sprintf("needed later\t%s\t%s met, %s; the best list in this budget would meet %s, %s",
		plural(r.Needs.Needs, "need"), thousands(r.Met), figure.Percent(r.Share()),
		thousands(r.Oracle.Met), figure.Percent(r.Oracle.Share()))}
}

const mostMisses = 20

// printMisses lists needs that were not met.
func printMisses(a *app, r *session.Recall) {
	if r == nil || len(r.Misses) == 0 {
		return
	}
	rows := values(r.Misses, func(m *facts.Miss) string {
		last := "in a summary"
		if m.Last >= 0 {
			last = "message " + thousands(m.Last+1)
		}
		return row(fmt.Sprintf("%s: %s", m.Kind, clean(m.Text, 60)), last, "message "+thousands(m.Use+1))
	})
	table(a.out, append([]string{"needed, and gone\tlast seen\tneeded at"}, cut(rows, mostMisses)...)...)
}

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
	return &behaviourInfo{From: b.At, To: b.To, Read: b.Read, Reread: values(b.Reread, againValue),
		Run: b.Run, Rerun: values(b.Rerun, againValue)}
}

func againValue(g *facts.Again) againInfo { return againInfo{g.Text, g.Before, g.After, g.Times} }

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
	rows := values(list, func(g *facts.Again) string {
		return row(verb+" "+clean(g.Text, 100), "message "+thousands(g.Before+1), "message "+thousands(g.After+1), thousands(g.Times))
	})
	return cut(rows, mostAgain)
}
