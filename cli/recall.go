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

func recallValue(r *session.Needed) *recallInfo {
	if r == nil {
		return nil
	}
	v := &recallInfo{Extractor: facts.Extractor, Needs: r.Needs.Needs, Met: r.Met,
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
func recallText(r *session.Needed) []string {
	if r.Needs.Needs == 0 {
		return []string{"needed later\tnothing that went was needed"}
	}
	return []string{fmt.Sprintf("needed later\t%s\t%s met, %s",
		plural(r.Needs.Needs, "need"), thousands(r.Met), figure.Percent(r.Share()))}
}

const mostMisses = 20

// printMisses lists needs that were not met.
func printMisses(a *app, r *session.Needed) {
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
