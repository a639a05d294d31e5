package session

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
)

// Producers change what they write from version to version. These files are
// spelled as public ones of other versions are than the set of real files has.

// list spells an array with n elements, each made for its number.
func list(n int, sep string, of func(i int) string) string {
	elems := make([]string, n)
	for i := range elems {
		elems[i] = of(i)
	}
	return strings.Join(elems, sep)
}

// said is a text of some length as JSON.
func said(n int) string { return `"` + words(n) + `"` }

func TestFilesOfOtherVersions(t *testing.T) {
	for _, f := range []struct {
		name   string
		format model.Format
		text   string
	}{
		{"ATIF without numbers", "atif", `{"schema_version": "ATIF-v1.7", "session_id": "s", "agent": {"model_name": "m"}, "steps": [` +
			list(20, ", ", func(i int) string {
				return fmt.Sprintf(`{"source": "agent", "message": %s, "tool_calls": [{"tool_call_id": "c%d", "function_name": "f", "arguments": {}}],
				 "observation": {"results": [{"source_call_id": "c%d", "content": %s}]}}`, said(i), i, i, said(-i))
			}) + `]}`},
		{"ATIF with observations that name no source", "atif", `{"schema_version":"ATIF-v1.6","agent":{"name":"a"},"steps":[` +
			list(20, ",", func(i int) string {
				return fmt.Sprintf(`{"step_id":%d,"source":"agent","message":[{"type":"text","text":%s}],"tool_calls":[{"tool_call_id":"c%d","function_name":"f","arguments":{}}],
				"observation":{"results":[{"source_call_id":"c%d","content":%s},{"source_call_id":null,"content":%s},{"source_call_id":"c%d","content":null}]}}`,
					i+1, said(i), i, i, said(-i), said(i), i)
			}) + `]}`},
		{"claude.ai with results in elements of their own", "claude-ai-export", `{"uuid":"c","chat_messages":[` +
			list(20, ",", func(i int) string {
				return fmt.Sprintf(`{"uuid":"a%d","sender":"assistant","content":[{"type":"text","text":%s},{"type":"tool_use","id":"t%d","name":"w","input":{}}]},
				{"uuid":"r%d","sender":"human","content":[{"type":"tool_result","tool_use_id":"t%d","content":[{"type":"text","text":%s}]}]},
				{"uuid":"o%d","sender":"human","content":[{"type":"tool_result","tool_use_id":"none%d","content":%s}]},
				{"uuid":"m%d","sender":"human","content":[{"type":"text","text":%s},{"type":"tool_result","tool_use_id":"none","content":"x"}]}`,
					i, said(i), i, i, i, said(-i), i, i, said(i), i, said(i))
			}) + `]}`},
		{"claude.ai as a tree with such results", "claude-ai-export", `{"uuid":"c","current_leaf_message_uuid":"r19","chat_messages":[` +
			list(20, ",", func(i int) string {
				return fmt.Sprintf(`{"uuid":"a%d","parent_message_uuid":"r%d","text":"","sender":"assistant","content":[{"type":"text","text":%s},{"type":"tool_use","id":"t%d","name":"w","input":{}}]},
				{"uuid":"r%d","parent_message_uuid":"a%d","text":"","sender":"human","content":[{"type":"tool_result","tool_use_id":"t%d","content":%s}]}`,
					i, i-1, said(i), i, i, i, i, said(-i))
			}) + `]}`},
		{"chat with what is no number", model.FormatOpenAI, `{"model": "m", "logprob": NaN, "messages": [` +
			list(40, ", ", func(i int) string {
				return fmt.Sprintf(`{"role": "%s", "content": %s, "score": -Infinity, "weight": Infinity}`, []string{"user", "assistant"}[i%2], said(i))
			}) + `]}`},
		{"Inspect with a score that is no number", model.FormatInspect, `{"version": 2, "eval": {"task": "t"}, "results": {"scores": [{"metrics": {"accuracy": {"value": NaN}}}]}, "samples": [{"id": 1, "epoch": 1, "messages": [` +
			list(40, ", ", func(i int) string {
				return fmt.Sprintf(`{"role": "%s", "content": %s}`, []string{"user", "assistant"}[i%2], said(i))
			}) + `], "scores": {"s": {"value": NaN}}}]}`},
		{"Claude Code without parents, behind a compaction that kept a segment", model.FormatClaudeCode,
			list(12, "\n", func(i int) string {
				return fmt.Sprintf(`{"type":"user","uuid":"u%d","sessionId":"s","message":{"role":"user","content":%s}}
{"type":"assistant","uuid":"a%d","sessionId":"s","message":{"id":"m%d","role":"assistant","content":[{"type":"text","text":%s}]}}`, i, said(i), i, i, said(-i))
			}) + `
{"type":"system","subtype":"compact_boundary","uuid":"b","sessionId":"s","logicalParentUuid":"a11","compactMetadata":{"trigger":"auto","preTokens":9000,"preservedSegment":{"headUuid":"u11","anchorUuid":"k","tailUuid":"a11"},"preservedMessages":{"anchorUuid":"k","uuids":["a10","u11","a11"]}}}
{"type":"user","uuid":"k","sessionId":"s","isCompactSummary":true,"message":{"role":"user","content":"This session is being continued."}}
` + list(12, "\n", func(i int) string {
				return fmt.Sprintf(`{"type":"user","uuid":"v%d","sessionId":"s","message":{"role":"user","content":%s}}
{"type":"assistant","uuid":"w%d","sessionId":"s","message":{"id":"n%d","role":"assistant","content":[{"type":"text","text":%s}]}}`, i, said(i), i, i, said(-i))
			}) + "\n"},
		{"Claude Code with a branch before the line", model.FormatClaudeCode,
			`{"type":"user","uuid":"x","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"Another beginning."}}
{"type":"assistant","uuid":"y","parentUuid":"x","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"text","text":"Left alone."}]}}
{"type":"user","uuid":"a-1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"Begin."}}
` + list(20, "\n", func(i int) string {
				return fmt.Sprintf(`{"type":"assistant","uuid":"c%d","parentUuid":"a%d","sessionId":"s","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{}}]}}
{"type":"user","uuid":"a%d","parentUuid":"c%d","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%s}]}}`, i, i-1, i, i, i, i, i, said(i))
			}) + "\n"},
	} {
		t.Run(f.name, func(t *testing.T) {
			d, err := read(f.name, []byte(f.text))
			if err != nil {
				t.Fatal(err)
			}
			if d.Format != f.format {
				t.Fatalf("taken for %s: %s", d.Format, d.Why)
			}
			if p := prove(t, d, 2, append(compaction.Presets(), dropping(), onlyTheLast())); p.applied < 3 || p.reloaded != p.applied || p.restored != p.applied {
				t.Errorf("%d applied, %d reloaded, %d restored; refused %v", p.applied, p.reloaded, p.restored, p.refused)
			}
		})
	}
}

// What looks like a format and has its words elsewhere is not read as empty
// messages of that format: it is a guess that a person confirms.
func TestWordsInAnotherMember(t *testing.T) {
	d, err := read("archive.json", []byte(`{"schema_version":1,"messages":[`+list(8, ",", func(i int) string {
		return fmt.Sprintf(`{"message_id":"m%d","role":"%s","text":%s,"tool_calls":[],"tool_results":[]}`, i, []string{"user", "assistant"}[i%2], said(i))
	})+`]}`))
	if err != nil {
		t.Fatal(err)
	}
	parts, err := d.Parts(&d.Conversations[0].Threads[0].Messages[3])
	if err != nil || d.Format != model.FormatGeneric || !d.Unconfirmed || len(parts) == 0 || parts[0].Text != words(3) {
		t.Errorf("%s (%s), unconfirmed %v, parts %+v, %v", d.Format, d.Why, d.Unconfirmed, parts, err)
	}
}

// What is no transcript at all is refused with what it is.
func TestNoTranscript(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "0 bytes",
		" \n\t\r\n":              "white space",
		"\xef\xbb\xbf\n":         "white space",
		"\xff\xfe{\x00}\x00":     "not a conversation",
		"SQLite format 3\x00abc": "SQLite",
		"\x1f\x8b\x08\x00":       "could not be unpacked",
	} {
		_, err := read("file", []byte(text))
		var p *model.Problem
		if !errors.As(err, &p) || !strings.Contains(p.What+p.Why, want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

// An export of which too little is left to know it by, or its conversation, is
// stopped with that sentence, and nothing is written.
func TestTooLittleIsLeft(t *testing.T) {
	run := func(last string) string {
		return `{"task_id":1,"traj":[` + list(20, ",", func(i int) string { return fmt.Sprintf(`{"role":"user","content":%s}`, said(i)) }) + last + `]}`
	}
	for name, c := range map[string]struct {
		source string
		format model.Format
		why    string
	}{
		"format": {`{"messages":[` + list(20, ",", func(i int) string { return fmt.Sprintf(`{"role":"user","content":%s}`, said(i)) }) +
			`,{"note":"no role, no content"}]}`, model.FormatOpenAI, "recognised as openai-chat"},
		"last conversation":  {"[" + run("") + "," + run(`,{"note":"no role, no content"}`) + "]", model.FormatTauBench, "the conversation"},
		"first conversation": {"[" + run(`,{"note":"no role, no content"}`) + "," + run("") + "]", model.FormatTauBench, "the conversation"},
	} {
		t.Run(name, func(t *testing.T) {
			d, err := read("log.json", []byte(c.source))
			if err != nil || d.Format != c.format {
				t.Fatal(d, err)
			}
			ref := Ref{}
			if name == "last conversation" {
				ref.Conversation = 1
			}
			s, err := NewFile(d, Options{}).Session(t.Context(), ref, nil)
			if err != nil {
				t.Fatal(err)
			}
			if rec, err := s.Records.Compact(t.Context(), onlyTheLast().Policy, compaction.Options{Manual: true}, nil); err != nil || rec.Outcome != model.Applied {
				t.Fatalf("%+v, %v", rec, err)
			}
			out := filepath.Join(t.TempDir(), "out")
			_, err = s.Overlay().ExportFile(t.Context(), Output{Path: out})
			var p *model.Problem
			if !errors.As(err, &p) || p.Code != "unknown-export" || !strings.Contains(p.Why, c.why) {
				t.Errorf("%v", err)
			}
			if _, err := os.Stat(out); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("something was written: %v", err)
			}
		})
	}
}
