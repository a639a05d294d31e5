package facts_test

import (
	"math"
	"strings"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/model"
)

func evidenceOf(t *testing.T, x *facts.Index, c facts.Change, f facts.Fact) facts.Evidence {
	t.Helper()
	want, ok := x.ID(f)
	if !ok {
		t.Fatalf("%v is not in the history", f)
	}
	var found *facts.Evidence
	x.Taken(c, func(id facts.ID, e facts.Evidence) {
		if id == want {
			found = &e
		}
	})
	if found == nil {
		t.Fatalf("%v is not taken", f)
	}
	return *found
}

// A history of one block a message, with the evidence worked out by hand.
func TestEvidenceByHand(t *testing.T) {
	lines := []string{"u: see lib/parse_tree.go", "a: open lib/parse_tree.go", "t: one_thing two_thing"}
	for range 40 {
		lines = append(lines, "t: well")
	}
	lines = append(lines, "a: lib/parse_tree.go again", "u: now two_thing", "a: on it", "t: tree_walker()")
	x := index(t, lines...)
	// Everything up to the last message goes; tree_walker stays.
	c := fire(len(lines), len(lines)-1)
	e := evidenceOf(t, x, c, facts.Fact{Kind: facts.Path, Text: "lib/parse_tree.go"})
	for f, want := range map[facts.Feature]float64{
		facts.Times: math.Log1p(3), facts.Used: math.Log1p(2), facts.Asked: math.Log1p(1),
		facts.Returns: math.Log1p(1), // the use after 42 blocks, not the one after 1
		facts.Age:     math.Log1p(4), facts.AgeOfUse: math.Log1p(4),
		facts.FromPerson: 1, facts.FromAgent: 0, facts.LastRequest: 0, facts.OfPath: 1, facts.OfNumber: 0,
		facts.Length: math.Log1p(17),
		facts.Parts:  1.0 / 3, // tree of lib, parse, tree; go is too short
		facts.Near:   0,       // no message that holds it holds anything that stays
	} {
		if math.Abs(e[f]-want) > 1e-9 {
			t.Errorf("%v: %v, by hand %v", f, e[f], want)
		}
	}
	e = evidenceOf(t, x, c, facts.Fact{Kind: facts.Identifier, Text: "two_thing"})
	if e[facts.LastRequest] != 1 || e[facts.Asked] == 0 || e[facts.Used] != 0 || e[facts.FromPerson] != 0 {
		t.Errorf("asked for last: %v", e)
	}
	if got := evidenceOf(t, x, c, facts.Fact{Kind: facts.Identifier, Text: "one_thing"}); got[facts.LastRequest] != 0 || got[facts.Age] != math.Log1p(float64(len(lines)-2)) {
		t.Errorf("told once by a tool: %v", got)
	}
}

// What shares a message with what stays is nearer than what does not.
func TestNearIsWhatTheTailIsAbout(t *testing.T) {
	x := index(t, "t: old_name with far_name", "t: new_name with near_name", "t: other_name", "a: new_name")
	c := fire(4, 3)
	near := evidenceOf(t, x, c, facts.Fact{Kind: facts.Identifier, Text: "near_name"})
	far := evidenceOf(t, x, c, facts.Fact{Kind: facts.Identifier, Text: "far_name"})
	if near[facts.Near] <= far[facts.Near] || far[facts.Near] != 0 {
		t.Errorf("near %v, far %v", near[facts.Near], far[facts.Near])
	}
}

// The fitted score prefers what the agent used often and lately to what a tool
// told once.
func TestLikelyOrders(t *testing.T) {
	lines := []string{"u: fix lib/used.go", "t: lib/told.go"}
	for range 5 {
		lines = append(lines, "a: lib/used.go", "t: fine")
	}
	x := index(t, append(lines, "a: hm")...)
	c := fire(len(lines)+1, len(lines))
	chance := facts.Likely.Of(x, c)
	used, _ := x.ID(facts.Fact{Kind: facts.Path, Text: "lib/used.go"})
	told, _ := x.ID(facts.Fact{Kind: facts.Path, Text: "lib/told.go"})
	if u, o := chance(used), chance(told); !(0 < o && o < u && u < 1) {
		t.Errorf("used %v, told once %v", u, o)
	}
}

// A ledger keeps a little room for what a person said and what was settled, and
// puts names next to the path that they were seen with when there is room.
func TestLedgerReads(t *testing.T) {
	x := index(t, "u: Never touch the file lib/old.go again.", "a: I'll use lib/tree.go for walk_tree.",
		"t: lib/tree.go: walk_tree() close_tree()", "t: no_file_at_all", "t: error: cannot find close_tree", "a: done")
	r := facts.LedgerRequest{At: 6, Removed: []model.Range{{From: 0, To: 5}}, Budget: 2000}
	text := x.Lister(count).Ledger(r).Text
	for _, want := range []string{"Instructions:\n- Never touch the file lib/old.go again", "Decisions:\n- I'll use lib/tree.go for walk_tree",
		"\n- lib/tree.go: walk_tree\n", "Errors:\n- error: cannot find close_tree", "Names: close_tree no_file_at_all"} { // close_tree was seen without the file too
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	r.Chinese = true
	if zh := x.Lister(count).Ledger(r).Text; !strings.HasPrefix(zh, "[事实清单") || !strings.Contains(zh, "指令：\n- Never") {
		t.Errorf("in Chinese\n%s", zh)
	}
	if at := facts.LedgerStart("story\n\n" + text); at != len("story\n\n") {
		t.Errorf("the ledger starts at %d", at)
	}
	if facts.LedgerStart("see "+text) >= 0 || facts.LedgerStart("") >= 0 {
		t.Error("a quotation of the title passes for a ledger")
	}
	r.Budget, r.Chinese = 60, false
	if text := x.Lister(count).Ledger(r).Text; count(text) > 60 || text == "" {
		t.Errorf("%d tokens\n%s", count(text), text)
	}
}

// Escapes of terminals are not listed.
func TestLedgerListsNoControls(t *testing.T) {
	x := index(t, "t: error: \x1b[31mred", "a: hm")
	if l := x.Lister(count).Ledger(facts.LedgerRequest{At: 2, Removed: []model.Range{{From: 0, To: 1}}, Budget: 500}).Text; strings.Contains(l, "\x1b") {
		t.Errorf("%q", l)
	}
}

// Two needs of which only the short one fits, and one that the tail meets.
func TestOracleByHand(t *testing.T) {
	x := index(t, "u: a.go and some/very/long/path/of/many/parts/name.go", "t: c.go", "a: a.go c.go", "a: some/very/long/path/of/many/parts/name.go")
	firings := []facts.Change{fire(2, 1)}
	firings[0].Removed = []model.Range{{From: 0, To: 2}}
	if got := x.Oracle(firings, count("a.go")+1, count); got != (facts.Recall{Needs: 3, Met: 2}) {
		t.Errorf("%+v", got)
	}
	firings[0].Remaining = []string{"a.go some/very/long/path/of/many/parts/name.go"}
	if got := x.Oracle(firings, 0, count); got != (facts.Recall{Needs: 3, Met: 1}) {
		t.Errorf("without room: %+v", got)
	}
}
