package facts_test

import (
	"math"
	"strings"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/model"
)

// A history of one block a message, with the evidence worked out by hand.
func TestEvidenceByHand(t *testing.T) {
	x := index(t, "u: see lib/x1.go", "t: lib/x1.go", "a: open lib/x1.go", "t: lib/x1.go again", "t: well", "a: lib/x1.go once more")
	id, ok := x.ID(facts.Fact{Kind: facts.Path, Text: "lib/x1.go"})
	if !ok {
		t.Fatal("the path is no fact")
	}
	for at, want := range map[int]facts.Evidence{
		5: {math.Log1p(4), math.Log1p(2), math.Log1p(2), math.Log1p(3), math.Log1p(9), 1.0 / 9},
		2: {math.Log1p(2), math.Log1p(1), math.Log1p(1), math.Log1p(3000), math.Log1p(9), 1.0 / 9}, // never used yet
	} {
		if got := x.Evidence(id, at); got != want {
			t.Errorf("before message %d: %v, by hand %v", at, got, want)
		}
	}
}

// The rule prefers facts the agent used often and lately to facts a tool printed once.
func TestTheRuleOrders(t *testing.T) {
	lines := []string{"u: fix lib/used.go", "t: lib/told.go"}
	for range 5 {
		lines = append(lines, "a: lib/used.go", "t: fine")
	}
	x := index(t, append(lines, "a: hm")...)
	used, _ := x.ID(facts.Fact{Kind: facts.Path, Text: "lib/used.go"})
	told, _ := x.ID(facts.Fact{Kind: facts.Path, Text: "lib/told.go"})
	if u, o := x.Evidence(used, len(lines)).Chance(), x.Evidence(told, len(lines)).Chance(); !(0 < o && o < u && u < 1) {
		t.Errorf("used %v, told once %v", u, o)
	}
}

// A ledger lists strings by kind; what was said stands in the note before it.
func TestLedgerReads(t *testing.T) {
	x := index(t, "u: Never touch the file lib/old.go again.", "a: I'll use lib/tree.go for walk_tree.",
		"t: lib/tree.go: walk_tree() close_tree()", "t: no_file_at_all", "t: error: cannot find close_tree", "a: done")
	r := facts.LedgerRequest{At: 6, Removed: []model.Range{{From: 0, To: 5}}, Budget: 2000}
	text := x.Lister(count).Ledger(r)
	for _, want := range []string{"Paths: lib/old.go lib/tree.go\n", "Names: walk_tree close_tree no_file_at_all"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	for _, said := range []string{"Never touch", "I'll use", "cannot find"} {
		if strings.Contains(text, said) {
			t.Errorf("%q is in\n%s", said, text)
		}
	}
	r.Chinese = true
	if zh := x.Lister(count).Ledger(r); !strings.HasPrefix(zh, "[事实清单") || !strings.Contains(zh, "路径：") {
		t.Errorf("in Chinese\n%s", zh)
	}
	if at := facts.LedgerStart("story\n\n" + text); at != len("story\n\n") {
		t.Errorf("the ledger starts at %d", at)
	}
	if facts.LedgerStart("see "+text) >= 0 || facts.LedgerStart("") >= 0 {
		t.Error("a quotation of the title passes for a ledger")
	}
	r.Budget, r.Chinese = 60, false
	if text := x.Lister(count).Ledger(r); count(text) > 60 || text == "" {
		t.Errorf("%d tokens\n%s", count(text), text)
	}
}

// Escapes of terminals are not listed.
func TestLedgerListsNoControls(t *testing.T) {
	x := index(t, "t: error: \x1b[31mred", "a: hm")
	if l := x.Lister(count).Ledger(facts.LedgerRequest{At: 2, Removed: []model.Range{{From: 0, To: 1}}, Budget: 500}); strings.Contains(l, "\x1b") {
		t.Errorf("%q", l)
	}
}
