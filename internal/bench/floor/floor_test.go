package floor

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/valyala/fastjson"
)

func history(n int) (tokens []int32, kinds []Kind, sums []int64) {
	sums = []int64{0}
	for i := range n {
		k := Assistant
		switch {
		case i == 0:
			k = System
		case i%20 == 1:
			k = User
		case i%2 == 1:
			k = Result
		}
		kinds, tokens = append(kinds, k), append(tokens, int32(40+i*7919%460))
		sums = append(sums, sums[i]+int64(tokens[i]))
	}
	return
}

func TestDecideKeepsTheBudget(t *testing.T) {
	tokens, kinds, sums := history(10_000)
	fates := make([]Fate, len(tokens))
	for _, budget := range []int64{0, 100, 50_000, sums[len(tokens)] / 2, 1 << 40} {
		left := Decide(fates, tokens, kinds, budget, 5)
		sum := int64(0)
		for i, f := range fates {
			switch f {
			case Kept:
				sum += int64(tokens[i])
			case Shrunk:
				sum += note
			}
		}
		if sum != left || left > budget && left > int64(tokens[0]) {
			t.Errorf("budget %d: %d left, the fates say %d", budget, left, sum)
		}
	}
}

func TestTailIsTheShortestThatIsLongEnough(t *testing.T) {
	_, _, sums := history(1000)
	for _, keep := range []int64{1, 500, 77_777, sums[1000]} {
		at := Tail(sums, keep)
		if sums[1000]-sums[at] < keep || sums[1000]-sums[at+1] >= keep {
			t.Errorf("a tail of %d begins at %d", keep, at)
		}
	}
}

func TestReplayStaysBelowTheTrigger(t *testing.T) {
	_, kinds, sums := history(20_000)
	n, input := Replay(sums, kinds, 160_000, 20_000, 4_000)
	if n < 20 || input > 160_000*20_000/2 {
		t.Errorf("%d compactions, %d tokens", n, input)
	}
	if n, _ := Replay(sums, kinds, 1<<40, 20_000, 4_000); n != 0 {
		t.Errorf("%d compactions without need", n)
	}
}

// The baseline has to do its task, or the ratio means nothing.
func TestRowOf(t *testing.T) {
	for line, want := range map[string]Row{
		`{"type":"assistant","uuid":"u2","parentUuid":"u1","timestamp":"t","message":{"role":"assistant","content":[{"type":"text","text":"a\nb"},` +
			`{"type":"tool_use","id":"c","name":"Bash","input":{"command":"ls"}}]}}`: {kind: "assistant", role: "assistant", id: "u2", parent: "u1", time: "t",
			text: "a\nb", calls: []call{{"c", "Bash", `{"command":"ls"}`}}},
		`{"type":"user","uuid":"u3","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c","content":[{"type":"text","text":"out"}]}]}}`: {
			kind: "user", role: "user", id: "u3", text: "out", answers: "c"},
		`{"type":"response_item","payload":{"type":"function_call","call_id":"c","name":"exec","arguments":"{}"}}`: {kind: "response_item",
			calls: []call{{"c", "exec", "{}"}}},
	} {
		var p fastjson.Parser
		v, err := p.Parse(line)
		if err != nil {
			t.Fatal(err)
		}
		if got := RowOf(v); got.Weight() != want.Weight() || got.text != want.text || got.answers != want.answers || len(got.calls) != len(want.calls) {
			t.Errorf("%s\n gives %+v\nwant %+v", line, got, want)
		}
	}
}

// With the checks the rows are the same, and what is no text or no JSON is refused.
func TestRows(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	write := func(s string) {
		if err := os.WriteFile(path, []byte(s), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(`{"type":"user","uuid":"u1"}` + "\n" + `{"type":"user","uuid":"u22"}`)
	for _, checked := range []bool{false, true} {
		if w, err := Rows(path, checked); err != nil || w != 13 {
			t.Errorf("checked %v: %d, %v", checked, w, err)
		}
	}
	for _, bad := range []string{`{"a":01}`, "{\"a\":\"\xff\"}"} {
		write(bad)
		if _, err := Rows(path, true); err == nil {
			t.Errorf("%q is taken", bad)
		}
	}
}

// On more cores the rows are the same, however long their lines are, and all texts are counted.
func TestRowsBeside(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.jsonl")
	var b bytes.Buffer
	for i := range 3000 {
		n := i % 500
		if i%1000 == 7 {
			n = 600_000
		}
		fmt.Fprintf(&b, `{"type":"user","uuid":"u%d","message":{"role":"user","content":"%s"}}`+"\n", i, strings.Repeat("x", n))
	}
	for _, end := range []string{"", `{"type":"user","uuid":"last"}`} {
		if err := os.WriteFile(path, append(b.Bytes(), end...), 0o600); err != nil {
			t.Fatal(err)
		}
		want, err := Rows(path, true)
		if err != nil {
			t.Fatal(err)
		}
		var texts atomic.Int64
		for _, workers := range []int{1, 3} {
			got, err := RowsBeside(path, workers, nil)
			if err != nil || got != want {
				t.Errorf("%d workers: %d, not %d, %v", workers, got, want, err)
			}
			texts.Store(0)
			got, err = RowsBeside(path, workers, func(text string) int { texts.Add(int64(len(text))); return 1 })
			if err != nil || got <= want || texts.Load() < 3*600_000 {
				t.Errorf("%d workers: %d with a count, %d without, %d bytes of text, %v", workers, got, want, texts.Load(), err)
			}
		}
	}
	if err := os.WriteFile(path, append(b.Bytes(), `{"a":01}`...), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := RowsBeside(path, 2, nil); err == nil {
		t.Error("what is no JSON is taken")
	}
}

func TestReplayClearingStaysInItsLimits(t *testing.T) {
	tokens, kinds, sums := history(20_000)
	c := Clearing{Trigger: 120_000, Limit: 200_000, Tail: 20_000, Gain: 2000, Keep: 5, Above: 200}
	cleared, left, input := ReplayClearing(tokens, sums, kinds, c)
	if cleared < 100 || left < 100 || input > 200_000*10_000 || input < 120_000*9_000 {
		t.Errorf("%d clearings, %d times left out, %d tokens", cleared, left, input)
	}
	c.Trigger, c.Limit = 1<<40, 1<<40
	all := int64(0)
	for i, k := range kinds {
		if k == Assistant {
			all += sums[i]
		}
	}
	if cleared, left, input := ReplayClearing(tokens, sums, kinds, c); cleared+left > 0 || input != all {
		t.Errorf("%d clearings, %d times left out, %d tokens without need, not %d", cleared, left, input, all)
	}
}

func TestTextsAreCountedAndLookedThrough(t *testing.T) {
	texts, seen := []string{"a\nb\n", "", "c"}, []string{}
	n := Texts(texts, func(s string) int { return len(s) }, func(s string) { seen = append(seen, s) })
	if n != 5 || !slices.Equal(seen, texts) {
		t.Errorf("%d of %q", n, seen)
	}
}
