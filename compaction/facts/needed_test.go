package facts_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/model"

	"pgregory.net/rapid"
)

// Small histories with the number worked out by hand.
func TestNeededLaterByHand(t *testing.T) {
	for _, c := range []struct {
		name       string
		lines      []string
		firings    []facts.Change
		needs, met int
	}{
		// The agent uses a.go, which only message 0 held, and that went: one need, not met.
		{"used after it went", []string{"u: see a.go", "a: fine", "a: open a.go"}, []facts.Change{fire(2, 1)}, 1, 0},
		// The same, but the summary names it: met.
		{"named by the summary", []string{"u: see a.go", "a: fine", "a: open a.go"}, []facts.Change{fire(2, 1, "Files: a.go")}, 1, 1},
		// data.go is in the summary; a.go is not: not met.
		{"part of another name", []string{"u: see a.go", "a: fine", "a: open a.go"}, []facts.Change{fire(2, 1, "Files: data.go, x/a.go")}, 1, 0},
		// Nothing that went held b.go, which the agent invents: no need.
		{"never taken away", []string{"u: see a.go", "a: fine", "a: open b.go"}, []facts.Change{fire(2, 1)}, 0, 0},
		// A tool's result names a.go first (2), then the agent uses it (3): brought back, no need.
		{"brought back by a tool", []string{"u: see a.go", "a: fine", "t: a.go b.go", "a: open a.go"}, []facts.Change{fire(2, 1)}, 0, 0},
		// A person names it again: brought back as well.
		{"brought back by a person", []string{"u: see a.go", "a: fine", "u: a.go!", "a: open a.go"}, []facts.Change{fire(2, 1)}, 0, 0},
		// A tool's occurrence is no use: nobody needs it.
		{"only a tool names it", []string{"u: see a.go", "a: fine", "t: a.go"}, []facts.Change{fire(2, 1)}, 0, 0},
		// Two uses after one firing: one need per fact and firing.
		{"used twice", []string{"u: see a.go", "a: fine", "a: open a.go", "a: again a.go"}, []facts.Change{fire(2, 1)}, 1, 0},
		// Reasoning and a call are uses: a.go by the one, b.go by the other.
		{"reasoning and call", []string{"u: a.go b.go", "a: fine", "r: so a.go", `c: {"file":"b.go"}`}, []facts.Change{fire(2, 1)}, 2, 0},
		// a.go went with message 0 and is in message 1, which is kept: a need, met.
		{"kept elsewhere", []string{"u: see a.go", "t: a.go", "a: open a.go"}, []facts.Change{fire(2, 1)}, 1, 1},
		// After the second firing message 2, in which the agent had used a.go, is kept: needed after the
		// first (not met) and after the second (met).
		{"two firings", []string{"u: see a.go", "a: fine", "a: open a.go", "a: hm", "a: a.go!"}, []facts.Change{fire(2, 1),
			{At: 4, Removed: []model.Range{{From: 1, To: 2}}, Kept: []model.Range{{From: 2, To: 4}}}}, 2, 1},
		// The second firing takes the use away too: not met after either.
		{"two firings, all gone", []string{"u: see a.go", "a: fine", "a: open a.go", "a: hm", "a: a.go!"}, []facts.Change{fire(2, 1), fire(4, 3)}, 2, 0},
		// Taken away by the first firing, first used after the second: the need belongs to the second,
		// whose summary has it.
		{"taken away earlier", []string{"u: see a.go", "a: fine", "a: hm", "a: a.go!"}, []facts.Change{fire(1, 1),
			{At: 3, Removed: []model.Range{{From: 1, To: 2}}, Kept: []model.Range{{From: 2, To: 3}}, Remaining: []string{"a.go"}}}, 1, 1},
		// The message written at the firing's own position comes after it.
		{"at the firing", []string{"u: see a.go", "a: open a.go"}, []facts.Change{fire(1, 1)}, 1, 0},
		// Uses before the first firing need nothing.
		{"before the firing", []string{"u: see a.go", "a: open a.go", "a: done"}, []facts.Change{fire(2, 2)}, 0, 0},
		// A former summary that is merged held b.go, and the new one does not: taken away, not met.
		{"lost from a former summary", []string{"u: see a.go", "t: b.go", "a: hm", "a: open b.go"}, []facts.Change{
			{At: 3, Removed: []model.Range{{From: 2, To: 3}}, Away: []string{"b.go"}, Remaining: []string{"all well"}}}, 1, 0},
		// A command that the agent runs again word for word, and the path in it: two needs; a person's
		// message that quotes the command without marks keeps it and the path: both met.
		{"a phrase in a kept message", []string{`c: {"command":"cat lib/a.go"}`, "u: cat lib/a.go is enough", "a: hm", `c: {"command":"cat lib/a.go"}`},
			[]facts.Change{fire(3, 1)}, 2, 2},
		// Nothing fires: nothing is needed.
		{"no firing", []string{"u: see a.go", "a: open a.go"}, nil, 0, 0},
	} {
		n := index(t, c.lines...).NeededLater(c.firings)
		if n.Needs != c.needs || n.Met != c.met {
			t.Errorf("%s: %d needs, %d met; want %d and %d", c.name, n.Needs, n.Met, c.needs, c.met)
		}
		if len(n.Misses) != c.needs-c.met {
			t.Errorf("%s: misses %v", c.name, n.Misses)
		}
	}
}

func TestAMissNamesItsPlace(t *testing.T) {
	x := index(t, "u: a.go", "a: hm", "t: a.go", "a: hm", "a: hm", "a: use a.go")
	n := x.NeededLater([]facts.Change{fire(4, 4)})
	want := facts.Miss{Fact: facts.Fact{Kind: facts.Path, Text: "a.go"}, Firing: 0, Use: 5, Last: 2}
	if want.ID, _ = x.ID(want.Fact); len(n.Misses) != 1 || n.Misses[0] != want {
		t.Errorf("misses %+v, want %+v", n.Misses, want)
	}
	if n.Kinds[facts.Path] != (facts.Recall{Needs: 1}) || n.Firings[0] != (facts.Recall{Needs: 1}) {
		t.Errorf("by kind %v, by firing %v", n.Kinds, n.Firings)
	}
}

// words returns the file names of a line.
func words(line string) []string {
	var out []string
	for _, w := range strings.Fields(line) {
		if strings.HasSuffix(w, ".go") {
			out = append(out, w)
		}
	}
	return out
}

func within(i int, runs []model.Range) bool {
	return slices.ContainsFunc(runs, func(r model.Range) bool { return r.From <= i && i < r.To })
}

// slowNeeds is the definition, word for word, over every message and fact.
func slowNeeds(lines []string, firings []facts.Change) (needs, met int) {
	for i, line := range lines {
		last := -1
		for k := range firings {
			if firings[k].At <= i {
				last = k
			}
		}
		if last < 0 || !strings.ContainsAny(line[:1], "arc") {
			continue
		}
		used := words(line)
		slices.Sort(used)
		for _, f := range slices.Compact(used) {
			taken, back, stands := false, false, false
			for j, other := range lines {
				if !slices.Contains(words(other), f) {
					continue
				}
				for k := 0; k <= last; k++ {
					taken = taken || within(j, firings[k].Removed)
				}
				back = back || firings[last].At <= j && j < i
				stands = stands || within(j, firings[last].Kept)
			}
			for k := 0; k <= last; k++ {
				for _, text := range firings[k].Away {
					taken = taken || slices.Contains(words(text), f)
				}
			}
			for _, text := range firings[last].Remaining {
				stands = stands || slices.Contains(words(text), f)
			}
			if taken && !back {
				needs++
				if stands {
					met++
				}
			}
		}
	}
	return needs, met
}

// On random histories with random firings the index and the definition agree.
func TestNeededLaterIsItsDefinition(t *testing.T) {
	line := rapid.Custom(func(t *rapid.T) string {
		who := rapid.SampledFrom([]string{"u", "a", "t", "r"}).Draw(t, "who")
		names := rapid.SliceOfN(rapid.SampledFrom([]string{"a.go", "b.go", "c.go", "lib/a.go", "data.go", "well"}), 0, 3).Draw(t, "names")
		return who + ": so " + strings.Join(names, " ")
	})
	rapid.Check(t, func(rt *rapid.T) {
		lines := rapid.SliceOfN(line, 1, 24).Draw(rt, "lines")
		var firings []facts.Change
		at := 0
		for range rapid.IntRange(0, 4).Draw(rt, "firings") {
			at = rapid.IntRange(at, len(lines)).Draw(rt, "at")
			c := facts.Change{At: at}
			from := 0
			for from < at {
				to := rapid.IntRange(from+1, at).Draw(rt, "to")
				r := model.Range{From: from, To: to}
				switch rapid.IntRange(0, 2).Draw(rt, "fate") {
				case 0:
					c.Removed = append(c.Removed, r)
				case 1:
					c.Kept = append(c.Kept, r)
				}
				from = to
			}
			if rapid.Bool().Draw(rt, "text") {
				c.Remaining = []string{line.Draw(rt, "summary")}
			}
			if rapid.Bool().Draw(rt, "former") {
				c.Away = []string{line.Draw(rt, "former summary")}
			}
			firings = append(firings, c)
		}
		// A fact of a text exists for the index only if the history holds it: so it does here.
		lines = append([]string{"t: a.go b.go c.go lib/a.go data.go"}, lines...)
		for k := range firings {
			firings[k].At++
			for i := range firings[k].Removed {
				firings[k].Removed[i].From++
				firings[k].Removed[i].To++
			}
			for i := range firings[k].Kept {
				firings[k].Kept[i].From++
				firings[k].Kept[i].To++
			}
		}
		needs, met := slowNeeds(lines, firings)
		got := index(t, lines...).NeededLater(firings)
		if got.Needs != needs || got.Met != met {
			rt.Fatalf("%d needs, %d met; by definition %d and %d\n%s\n%+v", got.Needs, got.Met, needs, met, strings.Join(lines, "\n"), firings)
		}
		sum := facts.Recall{}
		for _, f := range got.Firings {
			sum.Needs, sum.Met = sum.Needs+f.Needs, sum.Met+f.Met
		}
		if sum != got.Recall {
			rt.Fatal("the firings do not add up: " + fmt.Sprint(sum, got.Recall))
		}
	})
}
