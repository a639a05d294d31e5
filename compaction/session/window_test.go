package session

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// resumed is a Claude Code session of n calls by a model, each with its usage. When
// it is missing a parent, its first record follows one that is not in the file;
// compacted, it was compacted by itself behind the last call.
func resumed(modelName, parent string, n, first, step int, compacted int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"parentUuid":%s,"type":"user","uuid":"u%d","sessionId":"s","isSidechain":false,"message":{"role":"user","content":"%s"}}`+"\n",
			parent, i, strings.Repeat("alpha beta ", 500))
		fmt.Fprintf(&b, `{"parentUuid":"u%d","type":"assistant","uuid":"a%d","sessionId":"s","isSidechain":false,"message":{"id":"m%d","model":%q,`+
			`"role":"assistant","content":[{"type":"text","text":"yes"}],"usage":{"input_tokens":%d,"output_tokens":5}}}`+"\n",
			i, i, i, modelName, first+i*step)
		parent = fmt.Sprintf(`"a%d"`, i)
	}
	if compacted > 0 {
		fmt.Fprintf(&b, `{"parentUuid":null,"logicalParentUuid":%s,"type":"system","subtype":"compact_boundary","uuid":"B","sessionId":"s",`+
			`"isSidechain":false,"compactMetadata":{"trigger":"auto","preTokens":%d}}`+"\n", parent, compacted)
		b.WriteString(`{"parentUuid":"B","type":"user","uuid":"S","sessionId":"s","isSidechain":false,"isCompactSummary":true,` +
			`"message":{"role":"user","content":"This session is being continued."}}` + "\n")
	}
	return b.String()
}

func sessionOf(t *testing.T, source string) *Session {
	t.Helper()
	d, err := transcript.Read(context.Background(), "x.jsonl", strings.NewReader(source), int64(len(source)), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewFile(d, Options{}).Session(context.Background(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// What a session is planned with follows the evidence, in order.
func TestContextWindowFollowsTheEvidence(t *testing.T) {
	for name, c := range map[string]struct {
		model            string
		first, compacted int
		want             int
		from             WindowSource
		suggested        int
	}{
		"table":                      {"claude-sonnet-4-20250514", 40_000, 0, 200_000, WindowOfTable, 0},
		"a call above the table":     {"claude-sonnet-4-20250514", 286_513, 0, 1_000_000, WindowOfCalls, 0},
		"by the vendor's page":       {"claude-opus-4-6", 40_000, 0, 1_000_000, WindowOfTable, 0},
		"a plan gives less":          {"claude-opus-4-6", 40_000, 167_600, 1_000_000, WindowOfTable, 200_000},
		"not in the table":           {"claude-opus-4-9", 40_000, 0, 200_000, WindowAssumed, 0},
		"more than is assumed":       {"a-model", 230_000, 0, 262_144, WindowOfCalls, 0},
		"it compacted":               {"claude-opus-4-9", 40_000, 167_600, 200_000, WindowOfFound, 0},
		"it compacted at the table":  {"claude-sonnet-4-20250514", 40_000, 167_600, 200_000, WindowOfTable, 0},
		"it compacted below a table": {"claude-opus-4-7", 40_000, 167_600, 1_000_000, WindowOfTable, 200_000},
	} {
		t.Run(name, func(t *testing.T) {
			s := sessionOf(t, resumed(c.model, "null", 8, c.first, 1200, c.compacted))
			w := s.Window()
			if w.Tokens != c.want || w.From != c.from || w.Suggested != c.suggested || s.Policy().Window != c.want {
				t.Errorf("%+v, planned with %d", w, s.Policy().Window)
			}
			if u := w.Under(model.Policy{Window: 123_456}); u.Tokens != 123_456 || u.From != WindowSet {
				t.Errorf("set by hand: %+v", u)
			}
		})
	}
}

// A session that was resumed in another file: what was before it is not called system
// prompt and tools, and the change is of what can be compacted.
func TestEarlierHistoryIsNoFixedPart(t *testing.T) {
	whole := sessionOf(t, resumed("claude-sonnet-4-20250514", "null", 8, 41_200, 1200, 0))
	if f := whole.Calibration(); f.Split != SplitNone || f.Fixed < 39_000 || f.Fixed > 41_000 || f.UnseenAt(0) > 500 {
		t.Errorf("a whole history: %+v", f)
	}
	s := sessionOf(t, resumed("claude-sonnet-4-20250514", `"elsewhere"`, 8, 329_000, 1200, 0))
	f := s.Calibration()
	if f.Split != SplitUsual || f.Fixed != usualFixed[model.FormatClaudeCode] || f.UnseenAt(0) < 287_000 || f.UnseenAt(0) > 289_000 {
		t.Fatalf("%+v", f)
	}
	p := s.Policy()
	p.Tail = model.Amount{N: 2, Unit: model.Messages}
	pl := s.Plan(p, compaction.Options{Manual: true})
	can := pl.Line.Compactable()
	if pl.Outcome != compaction.WouldApply || can > 12_000 || pl.Before.Tokens-pl.After.Tokens < can/2 {
		t.Errorf("%s: %d of %d, context %+v", pl.Outcome, pl.After.Tokens, can, pl.Before)
	}
	if pl.Before.Tokens < 330_000 || pl.Before.Tokens > 345_000 {
		t.Errorf("the context is %d", pl.Before.Tokens)
	}
	unknown := sessionOf(t, strings.ReplaceAll(resumed("x", "null", 1, 200, 0, 0), "input_tokens\":200", "input_tokens\":0"))
	if c := unknown.CrossCheck(0); c.At != -1 || c.Loud() || c.String() != "" {
		t.Errorf("nothing is reported, and %+v", c)
	}
}

// A fixed part that was set by hand far from what the file reports is said to be the
// cause.
func TestCrossCheckOfAFixedPartSetByHand(t *testing.T) {
	s := sessionOf(t, resumed("claude-sonnet-4-20250514", "null", 8, 41_200, 1200, 0))
	if c := s.CrossCheck(s.Policy().Fixed); c.Loud() {
		t.Errorf("fitted, and %s", c)
	}
	c := s.CrossCheck(90_000)
	if !c.Loud() || c.Cause.Code != CauseFixedSet || !strings.Contains(c.String(), "set by hand") {
		t.Errorf("%+v: %s", c, c)
	}
}
