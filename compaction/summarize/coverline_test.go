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

// Adjacent summaries are put on one line that counts everything
// once; what is no such line stays where it was.
func TestCoversAreJoined(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var lines []formerLine
		var others []string
		want := cover{first: 2, last: 1}
		for range rapid.IntRange(2, 9).Draw(t, "summaries") {
			c := drawCover(t, want.last+1)
			want.last = c.last
			want.calls, want.failed = want.calls+c.calls, want.failed+c.failed
			other := rapid.SampledFrom([]string{"User: go on", "Messages to the team", "Messages 3–1.", "- read a.go → ok"}).Draw(t, "line")
			others = append(others, other)
			lines = append(lines, formerLine{english.overviewLine(c), 0}, formerLine{other, 0})
		}
		for i := range lines { // newest first, as nested summaries come
			if j := rapid.IntRange(0, i).Draw(t, "swap") / 2 * 2; i%2 == 0 {
				lines[i], lines[j] = lines[j], lines[i]
			}
		}
		var rest []string
		joined := 0
		for _, l := range joinCovers(lines, english) {
			c, ok := readCover(l.text)
			if !ok {
				rest = append(rest, l.text)
				continue
			}
			joined++
			if c.first != want.first || c.last != want.last || c.calls != want.calls || c.failed != want.failed {
				t.Fatalf("joined to %+v, want %+v", c, want)
			}
		}
		if joined != 1 || !slices.Equal(rest, others) {
			t.Fatalf("%d lines of covers, and %q of %q", joined, rest, others)
		}
	})
}

func TestCoversApartStayApart(t *testing.T) {
	in := []formerLine{{"消息 2–8：第 1 轮，3 次调用。", 0}, {"用户：继续", 1}, {"消息 20–29：2 个错误。", 0}, {"消息 5–6：9 次调用。", 0}}
	want := []formerLine{{"消息 2–8：第 1 轮，3 次调用。", 0}, {"消息 20–29：2 个错误。", 0}, {"用户：继续", 1}}
	if got := joinCovers(in, chinese); !slices.Equal(got, want) {
		t.Errorf("%v", got)
	}
}
