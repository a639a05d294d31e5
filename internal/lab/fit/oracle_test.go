package main

import (
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/model"
)

// Two needs of which only the short one fits, and one that the kept message meets.
func TestOracleByHand(t *testing.T) {
	said := []string{"a.go and some/very/long/path/of/many/parts/name.go", "c.go", "a.go c.go", "some/very/long/path/of/many/parts/name.go"}
	authors := []facts.Author{facts.User, facts.Tool, facts.Agent, facts.Agent}
	x, err := facts.Build(t.Context(), len(said), func(i int) (facts.Message, error) {
		return facts.Message{Author: authors[i], Parts: []model.Part{{Kind: model.PartText, Text: said[i]}}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	firings := []facts.Change{{At: 2, Removed: []model.Range{{From: 0, To: 2}}, Kept: []model.Range{{From: 1, To: 2}}}}
	if got := oracle(x, firings, count("a.go")+1, count); got != (facts.Recall{Needs: 3, Met: 2}) {
		t.Errorf("%+v", got)
	}
	firings[0].Remaining = []string{"a.go some/very/long/path/of/many/parts/name.go"}
	if got := oracle(x, firings, 0, count); got != (facts.Recall{Needs: 3, Met: 1}) {
		t.Errorf("without room: %+v", got)
	}
}
