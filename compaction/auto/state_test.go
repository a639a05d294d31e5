package auto

import (
	"bytes"
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// The window and the verbs open what an agent saved, and show the same.
func TestD15TheSavedFormIsAFormatOfTranscripts(t *testing.T) {
	client := says("the service is deployed")
	r := shareRig(t, client, nil)
	r.Append(full()...)
	r.BeforeCall(t.Context())
	r.Append(full()[1:]...)
	client.reply = says("and runs").reply
	r.BeforeCall(t.Context())
	r.Append(append(chat("U T:9", 40), ChatMessage{Role: "tool", ToolCallID: "9", Content: "ok"})...)
	r.BeforeCall(t.Context())
	r.ReportUsage(ReportedUsage{Used: 1234, Max: 3000})
	r.Append(chat("A", 30)...)
	saved, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "state.json")
	if err := os.WriteFile(path, saved, 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := transcript.Open(t.Context(), path, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	conv := d.Conversations[0]
	th := conv.Main()
	if d.Format != model.FormatAgentState || conv.Agents[0].ID != "agent-123" || conv.Window != 3000 || len(th.History) != len(r.History()) {
		t.Fatalf("%s, %+v, window %d, %d messages", d.Format, conv.Agents, conv.Window, len(th.History))
	}
	live := th.Live(len(th.History))
	want := r.Messages()
	if len(live) != len(want) {
		t.Fatalf("%d live messages, want %d", len(live), len(want))
	}
	for i, k := range live {
		parts, err := d.Parts(&th.Messages[k])
		if err != nil {
			t.Fatal(err)
		}
		text := ""
		for _, p := range parts {
			if p.Kind == model.PartText || p.Kind == model.PartResult {
				text += p.Text
			}
		}
		if text != want[i].Content {
			t.Errorf("message %d is %.60q, want %.60q", i, text, want[i].Content)
		}
		if isSummary := th.Messages[k].Kind == model.KindSummary; isSummary != r.mem.runtime[i].summary {
			t.Errorf("message %d: a summary: %v", i, isSummary)
		}
	}
	records := r.Records()
	if len(th.Found) != len(records) {
		t.Fatalf("%d compactions found, want %d", len(th.Found), len(records))
	}
	for i, f := range th.Found {
		if want := []int{45, 89}[i]; f.At != want || records[i].History.To != want-10 { // before the calls; ten stayed
			t.Errorf("compaction %d is found at %d, want %d; it took up to %d", i, f.At, want, records[i].History.To)
		}
	}

	// And what is loaded goes on where it was left.
	other := shareRig(t, client, nil)
	if err := other.Load(saved); err != nil {
		t.Fatal(err)
	}
	if got, want := layout(other.mem.runtime), layout(r.mem.runtime); got != want || other.mem.usage(&other.cfg) != r.mem.usage(&r.cfg) {
		t.Errorf("%s %+v, want %s %+v", got, other.mem.usage(&other.cfg), want, r.mem.usage(&r.cfg))
	}
	for i, h := range other.mem.runtime {
		if h.hist != r.mem.runtime[i].hist {
			t.Errorf("message %d is %d of the history, want %d", i, h.hist, r.mem.runtime[i].hist)
		}
	}
}

// A saved history says of each moment what was sent then: after its many compactions, of
// which only the last is in the runtime list, each call is read as it was made.
func TestD15WhatWasSentIsReadAgain(t *testing.T) {
	cfg := MessageCountConfig("")
	cfg.Strategy, cfg.MaxCount, cfg.KeepRecent, cfg.Batch = model.Extract, 20, 7, 9
	r := newRig(t, cfg, nil)
	r.Append(chat("S", 60)...)
	sent := map[int]string{}
	spell := func(texts []string) string {
		for i, t := range texts {
			_, t, _ = strings.Cut(t, "[Conversation summary - earlier context]\n") // the record has it without its heading
			texts[i] = cmp.Or(t, texts[i])
		}
		return strings.Join(texts, "|")
	}
	for n := range 60 {
		r.Append(chat("U", 40+n)...)
		var list []string
		for _, m := range r.BeforeCall(t.Context()).Messages {
			list = append(list, m.Content)
		}
		sent[len(r.History())] = spell(list)
		r.Append(chat("A", 400)...)
	}
	saved, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	d, err := transcript.Read(t.Context(), "state.json", bytes.NewReader(saved), int64(len(saved)), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	th := d.Conversations[0].Main()
	if len(th.Found) < 8 || len(th.Found) != len(r.Records()) {
		t.Errorf("%d compactions were read of %d", len(th.Found), len(r.Records()))
	}
	for n, want := range sent {
		var list []string
		for _, i := range th.Live(n) {
			parts, err := d.Parts(&th.Messages[i])
			if err != nil || len(parts) != 1 {
				t.Fatalf("message %d has %d parts: %v", i, len(parts), err)
			}
			list = append(list, parts[0].Text)
		}
		if got := spell(list); got != want {
			t.Errorf("before message %d were sent\n%s\nread\n%s", n, want, got)
		}
	}
}

func TestD15WhatIsNotKnownIsKept(t *testing.T) {
	in := `{"agentId":"a","messages":[{"role":"user","content":[{"type":"text","text":"hi"},{"type":"image_url","image_url":{"url":"x"}}],"cache":true},{"role":"assistant","content":"ok"}],` +
		`"runtimeMessages":[{"role":"system","content":"[对话摘要 - 早期上下文]\n用户问好"},{"role":"assistant","content":"ok"}],` +
		`"compressions":[{"timestamp":"2026-01-01T00:00:00Z","summary":"用户问好","compressedRange":{"start":0,"end":0},"compressedMessages":[{"role":"user","content":"hi"}],"originalCount":2,"newCount":2,"by":"x"}],` +
		`"tokenUsage":{"usedTokens":7,"maxTokens":9},"updatedAt":"long ago","profile":{"b":1,"a":[2]}}`
	r := shareRig(t, nil, nil)
	if err := r.Load([]byte(in)); err != nil {
		t.Fatal(err)
	}
	if out, err := r.MarshalJSON(); err != nil || string(out) != in {
		t.Errorf("%v\n%s\nwant\n%s", err, out, in)
	}
	if o, err := r.Originals(r.Records()[0]); err != nil || len(o) != 1 || o[0].Content != "hi" {
		t.Errorf("%+v, %v", o, err)
	}
	var pretty bytes.Buffer
	if err := json.Indent(&pretty, []byte(in), "", "  "); err != nil {
		t.Fatal(err)
	}
	if err := r.Load(pretty.Bytes()); err != nil {
		t.Fatal(err)
	}
	if out, err := r.MarshalJSON(); err != nil || string(out) != in {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestD15WhatCannotBeReadIsNotOverwritten(t *testing.T) {
	r := shareRig(t, nil, nil)
	r.Append(chat("S U", 20)...)
	for _, in := range []string{`{`, `[]`, `{"agentId":"a"}`, `{"messages":5}`, `{"messages":[{"role":1}]}`, `"x"`,
		`{"messages":[],"compressions":[{"historyRange":{"start":0,"end":9}}]}`} {
		if err := r.Load([]byte(in)); err == nil {
			t.Errorf("%s was loaded", in)
		}
		if out, err := r.MarshalJSON(); err == nil {
			t.Errorf("%s is overwritten by %s", in, out)
		}
		if layout(r.mem.runtime) != "SU" {
			t.Errorf("%s changed the list", in)
		}
	}
	for _, in := range []string{"", " null "} {
		if err := r.Load([]byte(in)); err != nil || len(r.Messages()) != 0 {
			t.Errorf("%q: %v", in, err)
		}
		if _, err := r.MarshalJSON(); err != nil {
			t.Error(err)
		}
	}
}

// A real session goes through an agent's memory and keeps its groups.
func TestRealSessionsAsAgentsHoldThem(t *testing.T) {
	runs := 0
	for _, path := range realdata.Files(t) {
		if runs == 12 {
			break
		}
		list := realChat(t, path)
		if len(list) < 60 {
			continue
		}
		runs++
		t.Run(filepath.Base(path), func(t *testing.T) {
			cfg := DefaultConfig()
			cfg.SummaryModel, cfg.Window, cfg.Threshold = "m", 40_000, 0.8
			client := says("Conversation summary: work goes on.")
			r := newRig(t, cfg, client)
			had := faults(list)
			for i, m := range list {
				r.Append(m)
				if m.Role != "user" && m.Role != "tool" || i+1 < len(list) && list[i+1].Role == "tool" {
					continue
				}
				res := r.BeforeCall(t.Context())
				if u := r.mem.usage(&r.cfg); !res.Refused && u.Used > u.Max {
					t.Fatalf("message %d: %d tokens are sent, the limit is %d", i, u.Used, u.Max)
				}
				for f, n := range faults(res.Messages) {
					if n > had[f] && !strings.HasPrefix(f, "open-call") {
						t.Fatalf("message %d: %s", i, f)
					}
				}
			}
			if got := r.History(); !reflect.DeepEqual(got, list) {
				t.Error("the full history changed")
			}
			m := r.Metrics()
			t.Logf("%d messages: %d compactions (%d → %d tokens), %d truncations, %d refused", len(list), m.Applied, m.TokensBefore, m.TokensAfter, m.Truncations, m.Rejected)
		})
	}
	if runs == 0 {
		t.Skip("no transcript is long enough")
	}
}

// realChat is a transcript as an agent would hold it; nil when it can't be
// read.
func realChat(t *testing.T, path string) []ChatMessage {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil || info.IsDir() || info.Size() > 4<<20 {
		return nil
	}
	d, err := transcript.Open(t.Context(), path, transcript.Options{})
	if err != nil || len(d.Conversations) == 0 {
		return nil
	}
	th := d.Conversations[0].Main()
	roles := map[model.Kind]string{model.KindSystem: "system", model.KindUser: "user", model.KindAssistant: "assistant", model.KindResult: "tool"}
	var out []ChatMessage
	for _, i := range th.History {
		m := &th.Messages[i]
		role := roles[m.Kind]
		if role == "" {
			continue
		}
		parts, err := d.Parts(m)
		if err != nil {
			return nil
		}
		c := ChatMessage{Role: role, ToolCallID: m.Answers}
		for _, p := range parts {
			switch p.Kind {
			case model.PartText, model.PartResult:
				c.Content += p.Text
			case model.PartReasoning:
				c.Reasoning += p.Text
			case model.PartCall:
				c.ToolCalls = append(c.ToolCalls, ChatCall{p.CallID, p.Name, p.Text})
			}
		}
		out = append(out, c)
	}
	return out
}
