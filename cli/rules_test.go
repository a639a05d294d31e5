package cli

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/model/figure"
)

// inspect shows of each preset how far its trigger is, which fires first, and
// what it would do if that is now.
func TestInspectTellsWhichRuleFiresNext(t *testing.T) {
	b := newBench(t)
	lines := bytes.SplitAfter(b.read(filepath.Join("..", "assets", "samples", "crew-of-four.jsonl")), []byte("\n"))
	file := b.write("crew.jsonl", bytes.Join(lines[:213], nil)) // before it has 40 messages
	rules := map[string]ruleInfo{}
	first := ""
	for _, r := range value[inspection](b.run("inspect", file, "--json").ends(exitDone)).ThreadList[0].Next {
		if rules[r.Preset] = r; r.First {
			first += r.Preset
		}
	}
	if r := rules["message-count"]; r.InMsgs == nil || *r.InMsgs != 4 || r.Estimated || r.Clauses[0].Measure != 36 || r.Decision != "not-triggered" || r.Range != nil {
		t.Errorf("message-count: %+v", r)
	}
	if r := rules["sliding-fixed"]; r.InMsgs == nil || *r.InMsgs != 0 || r.Decision != "apply" || r.Range == nil || r.Range.To != 28 || r.Passes != 4 {
		t.Errorf("sliding-fixed: %+v", r)
	}
	if r := rules["token-share"]; r.InMsgs == nil || *r.InMsgs < 100 || !r.Estimated || r.Clauses[0].Share != .8 {
		t.Errorf("token-share: %+v", r)
	}
	if first != "sliding-fixed" {
		t.Errorf("%q fires first", first)
	}
	text := b.run("inspect", file).ends(exitDone).out
	for _, want := range []string{"36 of 40 messages", "in 4 messages", "of 160,000 tokens (17 % of 80 %)", "in ~", "16 steps, fires above 5", "now: messages 1–28, 4 passes"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	// What has no fixed part is at least that large.
	text = b.run("inspect", filepath.Join("..", "assets", "samples", "mixed-languages.json")).ends(exitDone).out
	if !strings.Contains(text, "≥ ~30,816 of 160,000 tokens (≥ 15 % of 80 %)") {
		t.Errorf("a bound is not marked:\n%s", text)
	}
	for _, c := range []struct {
		measure, limit int64
		bound          figure.Bound
		want           string
	}{
		{1138, 160_000, figure.AtLeast, ""}, {1138, 160_000, figure.None, "<1 % of 80 %"}, {0, 160_000, figure.None, "0 % of 80 %"},
		{5000, 160_000, figure.AtLeast, "≥ 2 % of 80 %"}, {700_000, 160_000, figure.AtLeast, "≥ 3.5 × the model limit"},
	} {
		if got := shareOfWindow(.8, c.measure, c.limit, c.bound); got != c.want {
			t.Errorf("%d of %d, %d: %q, want %q", c.measure, c.limit, c.bound, got, c.want)
		}
	}
	text = b.run("inspect", filepath.Join("..", "assets", "samples", "lab-notebook.jsonl")).ends(exitDone).out
	if !strings.Contains(text, "200,000  assumed") {
		t.Errorf("an assumed limit is not told:\n%s", text)
	}
}
