package transcript

import (
	"context"
	"strings"
	"testing"

	"palimpsest/model"
)

func TestClineFiles(t *testing.T) {
	for _, s := range samples(t, "cline") {
		if strings.HasSuffix(s.File, "cline_session.json") { // metadata, no messages
			if _, err := Open(context.Background(), s.Path, Options{}); err == nil {
				t.Error("a session's metadata opened as a transcript")
			}
			continue
		}
		d := checkRealFile(t, s, model.FormatCline)
		th := d.Conversations[0].Main()
		if s.Made {
			continue
		}
		if th.Messages[0].Kind != model.KindSystem || len(th.Found) != 1 {
			t.Fatalf("%s: %s first, found %+v", s.File, th.Messages[0].Kind, th.Found)
		}
		switch {
		case strings.HasSuffix(s.File, "agentic_compaction.json"):
			if th.Messages[1].Kind != model.KindSummary || *th.Found[0].Before != 21919 {
				t.Errorf("%s: %v, found %+v", s.File, th.Messages[1].Kind, th.Found)
			}
		case strings.HasSuffix(s.File, "basic_compaction.json"):
			if th.Found[0].Cause != "manual" || !th.Messages[1].Typed() {
				t.Errorf("%s: found %+v", s.File, th.Found)
			}
		}
	}
}

// No history of Roo is at hand: this follows the fields its ApiMessage has.
const rooCondensed = `[{"role":"user","content":[{"type":"text","text":"<task>t</task>"}],"ts":1783376868634},` +
	`{"role":"assistant","content":[{"type":"tool_use","id":"a","name":"f","input":{}}],"ts":1783376868635,"condenseParent":"c1"},` +
	`{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"1"},{"type":"text","text":"<environment_details>"}],"ts":1783376868636,"condenseParent":"c1"},` +
	`{"role":"user","content":"S1","ts":1783376868637,"isSummary":true,"condenseId":"c1"},` +
	`{"role":"assistant","content":"a","ts":1783376868638,"truncationParent":"t1"},` +
	`{"role":"user","content":"[truncated]","ts":1783376868639,"isTruncationMarker":true,"truncationId":"t1"},` +
	`{"type":"reasoning","encrypted_content":"xx","ts":1783376868640},` +
	`{"role":"assistant","content":"b","ts":1783376868641,"reasoning_content":"hm","condenseParent":"missing"},` +
	`{"role":"user","content":"u","ts":1783376868642}]`

func TestRooHides(t *testing.T) {
	d := mustRead(t, rooCondensed)
	if d.Format != model.FormatCline {
		t.Fatalf("%s: %s", d.Format, d.Why)
	}
	checkDocument(t, d)
	th := d.Conversations[0].Main()
	live := th.Live(len(th.History))
	var got []string
	for _, i := range live {
		got = append(got, th.Messages[i].Preview)
	}
	if s := strings.Join(got, ", "); s != "<task>t</task>, S1, [truncated], b, u" {
		t.Errorf("live: %s", s)
	}
	if len(th.Found) != 2 || th.Found[0].Summary != 4 || th.Found[1].Summary != -1 {
		t.Errorf("found %+v", th.Found)
	}
	parts, err := d.Parts(&th.Messages[live[3]])
	if err != nil || len(parts) != 3 || parts[0].Kind != model.PartReasoning || parts[1].Kind != model.PartOpaque {
		t.Errorf("the answer has the parts %+v, %v", parts, err)
	}
	checkRewrites(t, d, 10)
	for _, x := range []struct {
		from, to int
		gone     []string
		stay     []string
	}{
		{1, 2, []string{`"c1"`, "tool_use"}, []string{`"t1"`, "truncated"}}, // the summary: what it hid would come back
		{2, 3, []string{`"t1"`}, []string{`"c1"`}},
		{3, 4, []string{"encrypted_content"}, []string{`"c1"`, `"t1"`}}, // the answer, with its reasoning
	} {
		out := string(written(t, mustRewrite(t, d, live, x.from, x.to).Edits))
		for _, s := range x.gone {
			if strings.Contains(out, s) {
				t.Errorf("live %d:%d: %s is still there:\n%s", x.from, x.to, s, out)
			}
		}
		for _, s := range x.stay {
			if !strings.Contains(out, s) {
				t.Errorf("live %d:%d: %s is gone:\n%s", x.from, x.to, s, out)
			}
		}
	}
}

func TestClineShapes(t *testing.T) {
	checkOutlines(t, model.FormatCline, []outlineCase{
		{"tools called in the text",
			`[{"role":"user","content":[{"type":"text","text":"<task>\nt\n</task>"},{"type":"text","text":"<environment_details>e"}],"ts":1783376868634},{"role":"assistant","content":[{"type":"text","text":"<read_file>"}],"ts":1783376868635},{"role":"user","content":[{"type":"text","text":"[read_file for 'x'] Result:"},{"type":"text","text":"out"}],"ts":1783376868636},{"role":"user","content":[{"type":"text","text":"[ask_followup_question] Result:"},{"type":"text","text":"<answer>\nyes</answer>"}],"ts":1783376868637}]`,
			"user typed | text <task>\nt\n</task> | text <environment_details>e\nassistant | text <read_file>\nuser observed | text [read_file for 'x'] Result: | text out\nuser typed | text [ask_followup_question] Result: | text <answer>\nyes</answer>\n"},
	})
	checkSpelling(t, []spellingCase{
		{"Roo", 0, 1, nil, `[{"role":"user","content":"a","ts":1783376868634},{"role":"assistant","content":[{"type":"text","text":"b"}],"ts":1783376868635}]`,
			`[{"role":"user","content":"S é","ts":1783376868000},{"role":"assistant","content":[{"type":"text","text":"b"}],"ts":1783376868635}]`},
		{"the SDK", 1, 2, nil, `{"agent":"lead","sessionId":"s","messages":[{"id":"m","role":"user","content":[{"type":"text","text":"a"}],"ts":1783376868634},{"id":"n","role":"assistant","content":[{"type":"text","text":"b"}],"ts":1783376868635}],"system_prompt":"P"}`,
			`{"agent":"lead","sessionId":"s","messages":[{"id":"` + testUID + `","role":"user","content":[{"type":"text","text":"S é"}],"ts":1783376868000},{"id":"n","role":"assistant","content":[{"type":"text","text":"b"}],"ts":1783376868635}],"system_prompt":"P"}`},
	})
}

func TestClineProperties(t *testing.T) {
	propTalks(t, model.FormatCline, false, genTalk, func(s spelling, talk []saying) any {
		var list []any
		add := func(role string, content any) {
			list = append(list, s.message(role, member{"content", content}, member{"ts", 1783376868634 + len(list)}))
		}
		for _, m := range talk {
			text := ordered{{"type", "text"}, {"text", m.text}}
			switch m.role {
			case "user":
				add("user", []any{text, ordered{{"type", "text"}, {"text", "<environment_details>x"}}})
			case "assistant":
				blocks := []any{text}
				for _, id := range m.calls {
					blocks = append(blocks, ordered{{"type", "tool_use"}, {"id", id}, {"name", "run"}, {"input", ordered{}}})
				}
				add("assistant", blocks)
			case "result":
				add("user", []any{ordered{{"type", "tool_result"}, {"tool_use_id", m.answers}, {"content", m.text}}})
			}
		}
		return list
	})
}

func FuzzReadCline(f *testing.F) {
	fuzzRead(f, model.FormatCline, []string{
		rooCondensed,
		`{"version":1,"agent":"lead","sessionId":"s","messages":[{"id":"m","role":"user","ts":1783376868634,"content":[{"type":"text","text":"t"}],"metadata":{"kind":"compaction_summary","tokensBefore":-1}},{"type":"reasoning"}],"system_prompt":"P"}`,
		`[{"role":"user","content":"a","ts":1,"isSummary":true,"condenseId":"x","condenseParent":"x"},{"role":"user","content":"b","condenseParent":"x"}]`,
	})
}
