package summarize

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

func drawCover(t *rapid.T, first int) cover {
	c := cover{first: first, last: first + rapid.IntRange(0, 40).Draw(t, "messages")}
	c.calls = rapid.IntRange(0, 5000).Draw(t, "calls")
	c.failed = rapid.IntRange(0, 300).Draw(t, "failed")
	if rapid.Bool().Draw(t, "turns") {
		a := rapid.IntRange(1, 900).Draw(t, "turn")
		c.turns = [2]int{a, a + rapid.IntRange(0, 9).Draw(t, "more turns")}
	}
	if rapid.Bool().Draw(t, "steps") {
		a := rapid.IntRange(1, 900).Draw(t, "step")
		c.steps = [2]int{a, a + rapid.IntRange(0, 9).Draw(t, "more steps")}
	}
	return c
}

func TestCoverIsReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		w := rapid.SampledFrom([]*words{english, chinese}).Draw(t, "language")
		c := drawCover(t, rapid.IntRange(1, 1<<20).Draw(t, "first"))
		if got, ok := readCover(w.overviewLine(c)); !ok || got != c {
			t.Fatalf("%q is read as %+v, %v; it was %+v", w.overviewLine(c), got, ok, c)
		}
	})
}

// Adjacent summaries are put on one line that counts everything once.
func TestCoversAreJoined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var covers []cover
		want := cover{first: 2, last: 1}
		for range rapid.IntRange(2, 9).Draw(t, "summaries") {
			c := drawCover(t, want.last+1)
			want.last = c.last
			want.calls, want.failed = want.calls+c.calls, want.failed+c.failed
			covers = append(covers, c)
		}
		for i := range covers { // newest first, as nested summaries come
			j := rapid.IntRange(0, i).Draw(t, "swap")
			covers[i], covers[j] = covers[j], covers[i]
		}
		joined := joinCovers(covers)
		if c := joined[0]; len(joined) != 1 || c.first != want.first || c.last != want.last || c.calls != want.calls || c.failed != want.failed {
			t.Fatalf("joined to %+v, want %+v", joined, want)
		}
	})
}

func TestCoversApartStayApart(t *testing.T) {
	in := []cover{{first: 20, last: 29, failed: 2}, {first: 2, last: 8, turns: [2]int{1, 1}, calls: 3}, {first: 5, last: 6, calls: 9}}
	want := []cover{in[1], in[0]}
	if got := joinCovers(in); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}
