package auto

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction"
	"palimpsest/model"
)

// The rows of spec C and D that the vectors do not hold. C7–C9 and C11 are
// tested where the words are made, C14 and D29 say how the first authors
// planned their work, and D27 lists tests, which are here.

func TestC1DefaultValues(t *testing.T) {
	c := DefaultConfig()
	got := []int{c.MaxCount, c.Batch, c.HardCount, c.SummaryMaxChars, c.KeepRecent}
	if want := []int{40, 30, 50, 1500, 10}; !slices.Equal(got, want) || SummaryTemperature != 0.3 {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestC2MessagesKeepWhatTheyHold(t *testing.T) {
	for _, in := range []string{
		`{"role":"user","content":"<b> & 你好"}`,
		`{"role":"assistant","content":"x","reasoning_content":"hm"}`,
		`{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"run","arguments":"{\"a\": 1}"}}]}`,
		`{"role":"tool","content":"ok","tool_call_id":"c1"}`,
	} {
		var m ChatMessage
		if err := json.Unmarshal([]byte(in), &m); err != nil {
			t.Fatal(err)
		}
		fresh, err := m.fresh()
		if err != nil || string(fresh) != in {
			t.Errorf("%s is written as %s, %v", in, fresh, err)
		}
	}
	in := `{"role":"user","name":"ann","content":[{"type":"text","text":"look"},{"type":"image_url","image_url":{"url":"data:x"}}],"x":1}`
	var m ChatMessage
	if err := json.Unmarshal([]byte(in), &m); err != nil {
		t.Fatal(err)
	}
	if out, _ := m.MarshalJSON(); m.Content != "look" || string(out) != in || m.tokens(byFour) < 1000 {
		t.Errorf("%q, %s, %d tokens", m.Content, out, m.tokens(byFour))
	}
	m.Content = "changed"
	if out, _ := m.MarshalJSON(); string(out) != `{"role":"user","content":"changed"}` {
		t.Errorf("a changed message is written as %s", out)
	}
	if json.Unmarshal([]byte(`{"role":"user","content":5}`), &m) == nil {
		t.Error("a number is no content")
	}
}

func TestC5AndC6TheSummaryStandsInThePlaceOfTheRange(t *testing.T) {
	r := newRig(t, MessageCountConfig("m"), says("对话摘要：好。"))
	list := chatter(39, 300)
	list[1].Content = strings.Repeat("请部署服务。", 300)
	for i := range list[2:] {
		list[i+2].Content = strings.Repeat("中文", 50)
	}
	r.Append(list...)
	res := r.BeforeCall(t.Context())
	want := slices.Concat(list[:1], []ChatMessage{{Role: "system", Content: "[对话摘要 - 早期上下文]\n对话摘要：好。"}}, list[30:])
	if !reflect.DeepEqual(res.Messages, want) {
		t.Errorf("%s", layout(r.mem.runtime))
	}
	english := newRig(t, MessageCountConfig("m"), says("fine"))
	english.Append(chatter(44, 300)...)
	if m := english.BeforeCall(t.Context()).Messages[1]; m.Content != "[Conversation summary - earlier context]\nConversation summary: fine" {
		t.Errorf("%q", m.Content)
	}
}

func TestC10TheSummaryIsAskedForPlainly(t *testing.T) {
	client := says("fine")
	r := newRig(t, MessageCountConfig("agents-own"), client)
	r.Append(chatter(44, 300)...)
	r.BeforeCall(t.Context())
	q := client.requests()[0]
	if q.Model != "agents-own" || q.Temperature != 0.3 || q.MaxChars != 1500 || !strings.Contains(q.System, "data only") {
		t.Errorf("%+v", q)
	}
}

func TestC12AFailureCutsAtFiftyAndNoGroup(t *testing.T) {
	r := newRig(t, MessageCountConfig("m"), fails(errors.New("down")))
	r.Append(chat("S"+strings.Repeat(" U T:1+2+3 R:3 R:1 R:2", 12), 60)...) // 61
	res := r.BeforeCall(t.Context())
	if len(res.Messages) > 50 || len(res.Messages) < 40 || len(orphans(res.Messages)) > 0 || res.Messages[0].Role != "system" || res.Err == nil || res.Refused {
		t.Errorf("%d messages, %v", len(res.Messages), res.Err)
	}
	if len(r.History()) != 61 {
		t.Errorf("the full history holds %d", len(r.History()))
	}
}

// Cutting is the fallback of a summary that could not be made: a hard size
// below the trigger cuts nothing before one was tried.
func TestC3C12BelowTheTriggerNothingIsCut(t *testing.T) {
	for _, compat := range []CountCompat{{}, {Cut: true, Text: true, Bytes: true, Trim: true}} {
		cfg := MessageCountConfig("m")
		cfg.MaxCount, cfg.Batch, cfg.KeepRecent, cfg.HardCount, cfg.CountCompat = 20, 10, 4, 12, compat
		client := fails(errors.New("down"))
		r := newRig(t, cfg, client)
		r.Append(chatter(18, 60)...) // 19
		if res := r.BeforeCall(t.Context()); len(res.Messages) != 19 || res.Truncated > 0 || len(client.requests()) > 0 {
			t.Errorf("%d messages, %d cut", len(res.Messages), res.Truncated)
		}
		r.Append(chat("U", 60)...)
		if res := r.BeforeCall(t.Context()); len(client.requests()) != 1 || res.Truncated == 0 || len(res.Messages) > cfg.HardCount+1 {
			t.Errorf("asked %d times, %d messages, %d cut", len(client.requests()), len(res.Messages), res.Truncated)
		}
	}
}

func messagesIn(log []slog.Record) []string {
	var out []string
	for _, l := range log {
		out = append(out, l.Level.String()+" "+l.Message)
	}
	return out
}

func TestC13TheLogSpeaksChinese(t *testing.T) {
	cfg := MessageCountConfig("m")
	cfg.SummaryLanguage = "zh"
	r := newRig(t, cfg, says("对话摘要：好"))
	r.Append(chatter(41, 100)...)
	r.BeforeCall(t.Context())
	want := []string{"INFO history 达到 42 条，触发压缩（窗口: 30 条）", "DEBUG 摘要生成成功（6字符）", "INFO history 压缩完成: 42 条 → 13 条"}
	if got := messagesIn(r.log.take()); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The tests that the first authors name.
func TestC15NamedTests(t *testing.T) {
	t.Run("below the threshold nothing changes", func(t *testing.T) {
		client := says("s")
		r := newRig(t, MessageCountConfig("m"), client)
		r.Append(chatter(37, 100)...) // 38
		if res := r.BeforeCall(t.Context()); len(res.Messages) != 38 || res.Compressed || len(client.requests()) > 0 {
			t.Errorf("%+v", res)
		}
	})
	t.Run("triggers at 40, the last ten stay", func(t *testing.T) {
		r := newRig(t, MessageCountConfig("m"), says("对话摘要：好"))
		list := chat(strings.Repeat("U A ", 20), 100)
		r.Append(list...)
		res := r.BeforeCall(t.Context())
		if !strings.Contains(res.Messages[0].Content, "对话摘要") || !reflect.DeepEqual(res.Messages[1:], list[30:]) {
			t.Errorf("%s", layout(r.mem.runtime))
		}
	})
	t.Run("no cut between call and result", func(t *testing.T) {
		if got := lineOf(chat("U A T:1 R:1 U", 10)).CutBefore(3); got > 2 {
			t.Errorf("cut at %d", got)
		}
		if got := lineOf(chat("U A U A U", 10)).CutBefore(3); got != 3 {
			t.Errorf("cut at %d", got)
		}
	})
}

func shareRig(t *testing.T, client SummaryClient, change func(*Config)) *rig {
	t.Helper()
	cfg := TokenShareConfig("gpt-4o-mini")
	cfg.Window = 3000
	if change != nil {
		change(&cfg)
	}
	return newRig(t, cfg, client)
}

// full is a history of 45 messages that fills 2,700 of 3,000 tokens.
func full() []ChatMessage { return chatter(44, 224) }

func TestD1AndD11CompactsBeforeTheCall(t *testing.T) {
	r := shareRig(t, says("so far so good"), nil)
	r.Append(full()...)
	r.ReportUsage(ReportedUsage{Used: 2700})
	res := r.BeforeCall(t.Context())
	if got := layout(r.mem.runtime); !res.OK || !res.Compressed || got != "S#UAUAUAUAUA" && got != "S#AUAUAUAUAU" || res.OriginalCount != 45 || res.NewCount != 12 {
		t.Fatalf("%s %+v", got, res)
	}
	if r.mem.usage(&r.cfg).Used >= 2700 || r.mem.usage(&r.cfg).Used < 500 || r.mem.meter.reported != nil {
		t.Errorf("usage after it: %+v", r.mem.usage(&r.cfg)) // an estimate, neither stale nor 0 (F55)
	}
}

func TestD2AndD14TheResultHoldsBothForms(t *testing.T) {
	r := shareRig(t, says("fine"), nil)
	r.Append(full()...)
	res := r.BeforeCall(t.Context())
	if !res.OK || res.Summary != "Conversation summary: fine" || res.Record == nil || res.Record.Summary != res.Summary || res.Before.Used <= res.After.Used || res.Err != nil {
		t.Errorf("%+v", res)
	}
}

func TestD3D12D13TheFullHistoryStays(t *testing.T) {
	r := shareRig(t, says("fine"), nil)
	list := full()
	r.Append(list...)
	r.BeforeCall(t.Context())
	if !reflect.DeepEqual(r.History(), list) {
		t.Error("the full history changed")
	}
	rec := r.Records()
	if len(rec) != 1 || rec[0].Range != (model.Range{From: 1, To: 35}) || rec[0].History != rec[0].Range || rec[0].OriginalCount != 45 || rec[0].NewCount != 12 {
		t.Fatalf("D13: %+v", rec)
	}
	if o, err := r.Originals(rec[0]); err != nil || !reflect.DeepEqual(o, list[1:35]) {
		t.Errorf("D13: %d originals, %v", len(o), err)
	}
	// The next one covers the summary, and in the history what that stood for.
	r.Append(full()[1:]...)
	res := r.BeforeCall(t.Context())
	if res.Record == nil || res.Record.Range.From != 1 || res.Record.History != (model.Range{From: 1, To: 79}) {
		t.Errorf("D13: %+v", res.Record)
	}
}

func TestD4AndD22TheHardLimitHoldsWhenCompactingFails(t *testing.T) {
	r := shareRig(t, fails(errors.New("down")), nil)
	r.Append(full()...)
	r.ReportUsage(ReportedUsage{Used: 3100})
	res := r.BeforeCall(t.Context())
	if res.Err == nil || res.Compressed || res.Truncated != 34 || res.Refused || layout(r.mem.runtime) != "S#UAUAUAUAUA" {
		t.Errorf("%+v", res)
	}
	const notice = "Messages 2–35 (turns 1–17) were left out without a summary (34 messages); the full history keeps them."
	if got := r.mem.runtime[1].summaryText(); got != notice {
		t.Errorf("the notice says %q", got)
	}
	if len(r.History()) != 45 {
		t.Error("what was truncated left the full history")
	}
}

func TestD5DefaultsAndTheirFile(t *testing.T) {
	b, err := json.Marshal(TokenShareConfig(""))
	if err != nil {
		t.Fatal(err)
	}
	var file map[string]any
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	for k, want := range map[string]any{"enabled": true, "threshold": 0.8, "keepRecentCount": 10.0, "summaryMaxTokens": 1000.0, "summaryModel": "", "summaryTimeout": 30000.0} {
		if file[k] != want {
			t.Errorf("%s is %v, want %v", k, file[k], want)
		}
	}
	c := DefaultConfig()
	if err := json.Unmarshal([]byte(`{"enabled":false,"threshold":0.5,"summaryModel":null,"keepRecentCount":4}`), &c); err != nil || c.Enabled || c.Threshold != 0.5 || c.KeepRecent != 4 || c.SummaryMaxTokens != 1000 {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestD6WithoutAModelItIsInactiveAndSaysSoOnce(t *testing.T) {
	client := says("s")
	r := shareRig(t, client, func(c *Config) { c.SummaryModel = "" })
	r.Append(full()...)
	for range 3 {
		if res := r.BeforeCall(t.Context()); res.Compressed || res.Decision.Why != NoModel {
			t.Fatalf("%+v", res)
		}
	}
	got := slices.DeleteFunc(messagesIn(r.log.take()), func(s string) bool { return strings.HasPrefix(s, "DEBUG") })
	if !slices.Equal(got, []string{"WARN " + inactive.english}) || len(client.requests()) > 0 {
		t.Errorf("%q", got)
	}
	if err := r.Update(func(c *Config) { c.UseAgentModel, c.AgentName = true, "own" }); err != nil {
		t.Fatal(err)
	}
	if res := r.BeforeCall(t.Context()); !res.Compressed || client.requests()[0].Model != "own" {
		t.Errorf("K8: %+v", res)
	}
}

func TestD7UpdateChangesSomeValuesOrNone(t *testing.T) {
	r := shareRig(t, says("s"), nil)
	was := r.Config()
	for _, change := range []func(*Config){
		func(c *Config) { c.Threshold = -1 },
		func(c *Config) { c.Threshold = 2 },
		func(c *Config) { c.KeepRecent = -1 },
		func(c *Config) { c.SummaryTimeout = 0 },
		func(c *Config) { c.OnFailure = "hope" },
		func(c *Config) { c.SummaryLanguage = "tlh" },
		func(c *Config) { c.Reserve = c.Window },
	} {
		if err := r.Update(change); err == nil || r.Config() != was {
			t.Errorf("%v, %+v", err, r.Config())
		}
	}
	if err := r.Update(func(c *Config) { c.Enabled, c.KeepRecent = false, 4 }); err != nil {
		t.Fatal(err)
	}
	want := was
	want.Enabled, want.KeepRecent = false, 4
	if r.Config() != want {
		t.Errorf("%+v", r.Config())
	}
	r.Append(full()...)
	if d := r.Decision(); d.Why != Disabled {
		t.Errorf("%+v", d)
	}
}

// hanging is a model that answers only when it is let go, whatever its context
// says.
type hanging struct {
	asked chan context.Context
	free  chan string
}

func newHanging() *hanging {
	return &hanging{make(chan context.Context, 8), make(chan string)}
}

func (h *hanging) Summarise(ctx context.Context, _ SummaryRequest) (string, error) {
	h.asked <- ctx
	return <-h.free, nil
}

func TestD10ASummariserThatHangsIsGivenUpOn(t *testing.T) {
	h := newHanging()
	r := shareRig(t, h, func(c *Config) { c.BackOff, c.BreakAfter = 0, 0 })
	r.Append(full()...)
	done := make(chan Result)
	go func() { done <- r.BeforeCall(context.Background()) }()
	<-h.asked
	r.clock.move(30 * time.Second)
	res := <-done
	if !errors.Is(res.Err, ErrTimeout) || res.Compressed || len(res.Messages) != 45 || r.Metrics().SummaryTime != 30*time.Second {
		t.Fatalf("%+v", res)
	}
	// While it has not returned nobody else is asked: nothing piles up.
	if res = r.BeforeCall(t.Context()); !errors.Is(res.Err, compaction.ErrStillAsked) || len(h.asked) != 0 {
		t.Fatalf("%v", res.Err)
	}
	h.free <- "too late"
	r.asker <- struct{}{} // it has returned
	<-r.asker
	go func() { done <- r.BeforeCall(context.Background()) }()
	<-h.asked
	h.free <- "in time"
	if res = <-done; !res.Compressed {
		t.Errorf("%+v", res)
	}
}

func TestD16AFailureChangesNothing(t *testing.T) {
	for name, client := range map[string]*scripted{
		"error": fails(errors.New("HTTP 503")), "blank": says(" \n"), "only the words asked for": says("Conversation summary:"),
		"panic": {reply: func(context.Context, SummaryRequest) (string, error) { panic("boom") }},
	} {
		r := shareRig(t, client, nil)
		list := full()
		r.Append(list...)
		res := r.BeforeCall(t.Context())
		if res.Err == nil || res.OK || res.Compressed || !reflect.DeepEqual(res.Messages, list) {
			t.Errorf("%s: %+v", name, res)
		}
	}
}

func TestD16ASummaryAsLongAsItsInputIsRefused(t *testing.T) {
	r := shareRig(t, says(strings.Repeat("long. ", 5000)), func(c *Config) { c.SummaryMaxTokens = 0 })
	r.Append(full()...)
	if res := r.BeforeCall(t.Context()); !errors.Is(res.Err, ErrNotSmaller) || res.Compressed || len(res.Messages) != 45 || r.decider.back.misses != 1 {
		t.Errorf("%+v", res)
	}
}

func TestD17ShrinksShortensThenRefuses(t *testing.T) {
	big := func(role string, n int) ChatMessage {
		m := ChatMessage{Role: role, Content: strings.Repeat("日志 line. ", n)}
		if role == "tool" {
			m.ToolCallID = "1"
		}
		return m
	}
	off := func(c *Config) { c.Enabled = false }
	t.Run("fewer recent messages", func(t *testing.T) {
		r := shareRig(t, nil, off)
		r.Append(chatter(20, 20)...)
		for range 6 {
			r.Append(big("user", 200)) // 800 tokens each
		}
		res := r.BeforeCall(t.Context())
		if res.Refused || res.Truncated == 0 || res.Shortened != 0 || r.mem.usage(&r.cfg).Used > 3000 || layout(r.mem.runtime)[0] != 'S' {
			t.Errorf("%s %+v", layout(r.mem.runtime), r.mem.usage(&r.cfg))
		}
	})
	t.Run("a large tool result", func(t *testing.T) {
		r := shareRig(t, nil, off)
		list := append(chat("S U A U T:1", 40), big("tool", 5000))
		r.Append(list...)
		res := r.BeforeCall(t.Context())
		got := res.Messages[len(res.Messages)-1].Content
		if res.Refused || res.Truncated != 0 || res.Shortened != 1 || !strings.HasPrefix(got, "日志 line.") || !strings.HasSuffix(got, "line. ") || !strings.Contains(got, "characters cut") {
			t.Errorf("%s %+v: %.200s", layout(r.mem.runtime), r.mem.usage(&r.cfg), got)
		}
		if u := r.mem.usage(&r.cfg); u.Used > 3000 || u.Used < 2700 {
			t.Errorf("%d tokens of 3000", u.Used)
		}
		if r.History()[5].Content != list[5].Content {
			t.Error("the full history lost the result")
		}
	})
	t.Run("one message too large for everything", func(t *testing.T) {
		r := shareRig(t, nil, off)
		list := append(chat("S U A", 40), big("user", 5000))
		r.Append(list...)
		res := r.BeforeCall(t.Context())
		var over *OverLimitError
		if !res.Refused || !errors.As(res.Err, &over) || over.Max != 3000 || !reflect.DeepEqual(res.Messages, list) {
			t.Errorf("%+v", res)
		}
		said := slices.ContainsFunc(r.log.take(), func(x slog.Record) bool { return x.Message == rejected.english })
		if m := r.Metrics(); m.Rejected != 1 || !said {
			t.Errorf("%+v, and the log says so: %v", m, said)
		}
	})
	t.Run("equality is no excess", func(t *testing.T) {
		r := shareRig(t, nil, off)
		r.Append(full()...)
		r.ReportUsage(ReportedUsage{Used: 3000})
		if res := r.BeforeCall(t.Context()); res.Truncated != 0 || res.Refused {
			t.Errorf("F64: %+v", res)
		}
	})
	t.Run("the last group stays", func(t *testing.T) {
		r := shareRig(t, nil, func(c *Config) { off(c); c.KeepRecent = 2 })
		r.Append(chat("S U A U T:1+2+3 R:1 R:2 R:3", 100)...)
		r.ReportUsage(ReportedUsage{Used: 3001})
		if res := r.BeforeCall(t.Context()); layout(r.mem.runtime) == "S" {
			t.Errorf("nothing but the prompt is sent: %+v", res)
		}
	})
	t.Run("no system prompt, or several", func(t *testing.T) {
		for spelled, want := range map[string]string{"U A ": "#UAUAUAUAUA", "S S S U A ": "SSS#UAUAUAUAUA"} {
			head := strings.TrimSuffix(spelled, "U A ")
			r := shareRig(t, nil, off)
			r.Append(chat(head+strings.Repeat("U A ", 20), 80)...)
			r.ReportUsage(ReportedUsage{Used: 3001})
			if r.BeforeCall(t.Context()); layout(r.mem.runtime) != want {
				t.Errorf("F57: %s, want %s", layout(r.mem.runtime), want)
			}
		}
	})
}

type talkative struct{ error }

func (talkative) LogValue() slog.Value { return slog.StringValue("HTTP 503") }

func TestD18TheLogHoldsNoContent(t *testing.T) {
	secret := "sk-12345"
	for name, c := range map[string]struct {
		client SummaryClient
		want   string
	}{
		"error":        {fails(errors.New("cannot summarise " + secret)), "*errors.errorString"},
		"its own word": {fails(talkative{errors.New(secret)}), "HTTP 503"},
		"panic":        {&scripted{reply: func(context.Context, SummaryRequest) (string, error) { panic(secret) }}, "panic (string)"},
	} {
		r := shareRig(t, c.client, nil)
		r.Append(full()...)
		if res := r.BeforeCall(t.Context()); res.Err == nil || !strings.Contains(res.Err.Error(), secret) {
			t.Errorf("%s: the caller is told %v", name, res.Err)
		}
		for _, l := range r.log.take() {
			f := fieldsOf(l)
			if strings.Contains(fmt.Sprint(l.Message, f), secret) {
				t.Errorf("%s: the log holds it: %s %v", name, l.Message, f)
			}
			if said := fmt.Sprint(f["reason"], f["error"]); l.Level >= slog.LevelWarn && !strings.Contains(said, c.want) {
				t.Errorf("%s: the log says %s, want %s", name, said, c.want)
			}
		}
	}
}

func TestD19AndD20LevelsAndFields(t *testing.T) {
	r := shareRig(t, says("fine"), nil)
	r.Append(full()...)
	r.ReportUsage(ReportedUsage{Used: 2700})
	r.BeforeCall(t.Context())
	checkLogs(t, "done", r.log.take(), []map[string]any{
		{"level": "debug", "message": "checked whether to compact", "agentId": "agent-123", "why": "ok", "usedTokens": 2700, "usagePercent": "90.0%", "messageCount": 45},
		{"level": "info", "message": "automatic compaction triggered", "agentId": "agent-123", "usedTokens": 2700, "usagePercent": "90.0%", "messageCount": 45, "threshold": "80%"},
		{"level": "debug", "message": "range to compact chosen", "agentId": "agent-123", "from": 1, "to": 35, "keptCount": 0, "takenCount": 34, "takenTokens": 2040, "byHand": false},
		{"level": "debug", "message": "summary made", "agentId": "agent-123", "summaryTokens": 7, "takenTokens": 2040, "took": "0s", "instead": ""},
		{"level": "info", "message": "automatic compaction done", "agentId": "agent-123", "beforeCount": 45, "afterCount": 12, "compressed": true, "summaryLength": 26},
	})
}

func TestD21ByHandGoesFirst(t *testing.T) {
	h := newHanging()
	r := shareRig(t, h, nil)
	r.Append(full()...)
	automatic := make(chan Result)
	go func() { automatic <- r.BeforeCall(context.Background()) }()
	first := <-h.asked
	manual := make(chan Result)
	go func() { manual <- r.CompactNow(context.Background()) }()
	<-first.Done() // the automatic one is called off
	res := <-automatic
	if res.Compressed || !errors.Is(res.Err, ErrCancelled) {
		t.Errorf("%+v", res)
	}
	h.free <- "late" // this model can't be called off; the question by hand waits for it
	<-h.asked
	h.free <- "fine"
	if res = <-manual; !res.Compressed || res.Summary != "Conversation summary: fine" {
		t.Errorf("%+v", res)
	}
}

func TestD21ByHandNeedsNoTrigger(t *testing.T) {
	client := says("fine")
	r := shareRig(t, client, func(c *Config) { c.Enabled = false })
	r.Append(chatter(20, 100)...)
	if res := r.CompactNow(t.Context()); !res.Compressed || layout(r.mem.runtime) != "S#UAUAUAUAUA" {
		t.Errorf("%+v", res)
	}
	if res := r.CompactNow(t.Context()); !errors.Is(res.Err, ErrNothing) || len(client.requests()) != 1 {
		t.Errorf("again: %+v", res)
	}
	client.reply = fails(errors.New("down")).reply
	for range 5 { // nor does it wait after failures
		r.Append(chat("U A U A", 100)...)
		r.CompactNow(t.Context())
	}
	if n := len(client.requests()); n != 6 {
		t.Errorf("asked %d times", n)
	}
}

func TestD23SecretsStayOut(t *testing.T) {
	client := says("the key is sk-999, it works")
	cfg := TokenShareConfig("m")
	cfg.Window = 3000
	a, err := New(cfg, Options{Client: client, Clock: newClock(), Count: byFour,
		Redact: func(s string) string { return strings.NewReplacer("sk-123", "[key]", "sk-999", "[key]").Replace(s) }})
	if err != nil {
		t.Fatal(err)
	}
	list := full()
	list[2].Content += " sk-123"
	list[3].ToolCalls = []ChatCall{{"1", "run", `{"key":"sk-123"}`}}
	list[4] = ChatMessage{Role: "tool", ToolCallID: "1", Content: "sk-123 ok"}
	a.Append(list...)
	res := a.BeforeCall(t.Context())
	if q := client.requests()[0].Prompt; strings.Contains(q, "sk-123") || !strings.Contains(q, "[key]") {
		t.Error("the prompt holds a secret")
	}
	if res.Summary != "Conversation summary: the key is [key], it works" {
		t.Errorf("%q", res.Summary)
	}
}

func TestD24TheSameQuestionIsPaidForOnce(t *testing.T) {
	client := says("fine")
	r := shareRig(t, client, nil)
	r.Append(full()...)
	saved, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	r.BeforeCall(t.Context())
	if err := r.Load(saved); err != nil {
		t.Fatal(err)
	}
	if res := r.BeforeCall(t.Context()); !res.Cached || !res.Compressed || len(client.requests()) != 1 {
		t.Errorf("X11: %+v", res)
	}
	if m := r.Metrics(); m.Asked != 1 || m.Cached != 1 {
		t.Errorf("%+v", m)
	}
}

func TestD24ASummaryIsMadeBesideTheWork(t *testing.T) {
	h := newHanging()
	r := shareRig(t, h, func(c *Config) { c.BackgroundMargin = 0.1 })
	r.Append(full()...)
	r.ReportUsage(ReportedUsage{Used: 2250}) // 75 %
	if res := r.BeforeCall(t.Context()); res.Compressed || len(res.Messages) != 45 {
		t.Fatalf("K14: the call waited: %+v", res)
	}
	<-h.asked
	r.Append(chat("U A", 50)...) // and the agent goes on
	h.free <- "so far"
	if err := r.Wait(t.Context()); err != nil {
		t.Fatal(err)
	}
	if got := layout(r.mem.runtime); got != "S#UAUAUAUAUAUA" {
		t.Errorf("F62: %s", got)
	}
	if len(r.Records()) != 1 {
		t.Errorf("%d records", len(r.Records()))
	}
}

func TestF62AChangedBeginningCallsTheSummaryOff(t *testing.T) {
	h := newHanging()
	r := shareRig(t, h, nil)
	r.Append(full()...)
	done := make(chan Result)
	go func() { done <- r.BeforeCall(context.Background()) }()
	<-h.asked
	r.Forget()
	r.Append(chat("S U", 10)...)
	h.free <- "of another talk"
	if res := <-done; !errors.Is(res.Err, ErrChanged) || layout(r.mem.runtime) != "SU" || r.decider.back.misses != 0 {
		t.Errorf("%+v", res)
	}
}

func TestD25Metrics(t *testing.T) {
	client := &scripted{}
	client.reply = func(context.Context, SummaryRequest) (string, error) { return "", errors.New("down") }
	r := shareRig(t, client, func(c *Config) { c.BackOff, c.BreakAfter = 0, 0 })
	client.reply = func(context.Context, SummaryRequest) (string, error) {
		r.clock.move(4 * time.Second)
		if len(client.asked) == 1 {
			return "", errors.New("down")
		}
		return "fine", nil
	}
	r.Append(full()...)
	r.BeforeCall(t.Context())
	r.BeforeCall(t.Context())
	m := r.Metrics()
	want := Metrics{Triggers: 2, Asked: 2, Succeeded: 1, Failed: 1, Applied: 1, SummaryTime: 8 * time.Second,
		MessagesBefore: 45, MessagesAfter: 12, TokensBefore: m.TokensBefore, TokensAfter: m.TokensAfter}
	if m != want || m.SuccessRate() != 0.5 || m.SummaryTime/time.Duration(max(1, m.Asked)) != 4*time.Second || m.TokensAfter >= m.TokensBefore {
		t.Errorf("%+v", m)
	}
}

func TestD26DecisionTellsWithoutActing(t *testing.T) {
	client := says("s")
	r := shareRig(t, client, nil)
	r.Append(full()...)
	d := r.Decision()
	if !d.Acts || !d.ByShare || d.Usage.Fitted || d.Usage.Percent() != "90.0%" || len(client.requests()) > 0 || r.Metrics() != (Metrics{}) {
		t.Errorf("%+v", d)
	}
	client.reply = fails(errors.New("down")).reply
	r.BeforeCall(t.Context())
	if d = r.Decision(); d.Why != Waits || d.WaitMessages != 5 || d.WaitTime != 10*time.Minute {
		t.Errorf("%+v", d)
	}
}

func TestK10OneSummaryAtATime(t *testing.T) {
	h := newHanging()
	r := shareRig(t, h, nil)
	r.Append(full()...)
	const callers = 8
	done := make(chan Result, callers)
	for range callers {
		go func() { done <- r.BeforeCall(context.Background()) }()
	}
	<-h.asked
	h.free <- "fine"
	for range callers {
		if res := <-done; len(res.Messages) != 12 {
			t.Errorf("%d messages, %+v", len(res.Messages), res.Decision)
		}
	}
	if m := r.Metrics(); m.Asked != 1 || m.Applied != 1 || len(h.asked) != 0 {
		t.Errorf("%+v", m)
	}
}

func TestK20EitherTriggerFires(t *testing.T) {
	cfg := DefaultConfig()
	cfg.SummaryModel, cfg.Window = "m", 100_000
	few, many := chatter(20, 18_000), chatter(60, 40)
	r := newRig(t, cfg, says("s"))
	r.Append(few...)
	if d := r.Decision(); !d.ByShare || d.ByCount || !d.Acts || d.take.To != 11 {
		t.Errorf("by share: %+v", d)
	}
	r = newRig(t, cfg, says("s"))
	r.Append(many...)
	if d := r.Decision(); d.ByShare || !d.ByCount || !d.Acts || d.take.To != 31 {
		t.Errorf("by count: %+v", d)
	}
}

func TestK22TheSummaryMayComeFromTheUser(t *testing.T) {
	r := shareRig(t, says("fine"), func(c *Config) { c.SummaryFromUser = true })
	r.Append(full()...)
	r.BeforeCall(t.Context())
	saved, err := r.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Load(saved); err != nil {
		t.Fatal(err)
	}
	if h := r.mem.runtime[1]; h.msg.Role != "user" || !h.summary {
		t.Errorf("%+v", h)
	}
}

func TestWindowUnknownSaysSo(t *testing.T) {
	r := newRig(t, TokenShareConfig("m"), says("s"))
	r.Append(full()...)
	if d := r.Decision(); d.Acts || d.Why != WindowUnknown || d.Usage.Percent() != "?" {
		t.Errorf("%+v", d)
	}
	r.ReportUsage(ReportedUsage{Used: 2700, Max: 3000})
	if d := r.Decision(); !d.Acts {
		t.Errorf("%+v", d)
	}
	if err := r.Update(func(c *Config) { c.AgentName = "gpt-4o" }); err != nil {
		t.Fatal(err)
	}
	r.Forget()
	if u := r.Decision().Usage; u.Max != 128_000 {
		t.Errorf("%+v", u)
	}
}

func TestF56ANewMessageCountsAtOnce(t *testing.T) {
	r := shareRig(t, says("s"), nil)
	r.Append(chatter(20, 100)...)
	r.BeforeCall(t.Context())
	r.ReportUsage(ReportedUsage{Used: 1000})
	before := r.Decision().Usage.Used
	r.Append(ChatMessage{Role: "tool", ToolCallID: "1", Content: strings.Repeat("x", 8000)})
	if d := r.Decision(); before != 1000 || d.Usage.Used < 3000 || d.Usage.Used > 3010 || !d.ByShare {
		t.Errorf("%d, then %+v", before, d)
	}
}

func TestF59AListThatStaysTooLargeIsLeftAlone(t *testing.T) {
	client := says("fine")
	r := shareRig(t, client, nil)
	r.Append(chatter(20, 40)...)
	for range 10 { // the recent messages alone are above the trigger
		r.Append(ChatMessage{Role: "user", Content: strings.Repeat("x", 980)})
	}
	for i := range 40 {
		r.BeforeCall(t.Context())
		if i%2 == 1 {
			r.Append(ChatMessage{Role: "user", Content: strings.Repeat("x", 980)})
		}
	}
	if n := len(client.requests()); n > 4 {
		t.Errorf("asked %d times", n)
	}
}

func TestCancellationAtAnyMoment(t *testing.T) {
	r := shareRig(t, says("fine"), nil)
	r.Append(full()...)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if res := r.BeforeCall(ctx); len(res.Messages) < 12 || r.flight != nil {
		t.Errorf("%+v", res)
	}
	h := newHanging()
	r = shareRig(t, h, nil)
	r.Append(full()...)
	ctx, cancel = context.WithCancel(t.Context())
	done := make(chan Result)
	go func() { done <- r.BeforeCall(ctx) }()
	<-h.asked
	cancel()
	if res := <-done; !errors.Is(res.Err, ErrCancelled) || len(res.Messages) != 45 || r.decider.back.misses != 0 {
		t.Errorf("%+v", res)
	}
	h.free <- ""
}

func TestCollaboratorsThatPanicStopNobody(t *testing.T) {
	cfg := TokenShareConfig("m")
	cfg.Window = 3000
	a, err := New(cfg, Options{Client: says("s"), Clock: newClock(), Count: byFour, Redact: func(string) string { panic("no") }})
	if err != nil {
		t.Fatal(err)
	}
	a.Append(full()...)
	if res := a.BeforeCall(t.Context()); res.Err == nil || len(res.Messages) != 45 {
		t.Errorf("%+v", res)
	}
	if _, err := New(cfg, Options{}); err == nil {
		t.Error("there is no clock")
	}
}

// The tests that the first authors of token-share compaction name.
func TestD27NamedTests(t *testing.T) {
	t.Run("should compact", func(t *testing.T) {
		r := shareRig(t, says("fine"), nil)
		r.Append(full()...)
		if d := r.Decision(); !d.Acts || !d.ByShare {
			t.Errorf("%+v", d)
		}
	})
	t.Run("should not", func(t *testing.T) {
		r := shareRig(t, says("fine"), nil)
		r.Append(chatter(4, 40)...)
		if d := r.Decision(); d.Acts || d.Why != Below {
			t.Errorf("%+v", d)
		}
	})
	t.Run("too few messages", func(t *testing.T) {
		client := says("fine")
		r := shareRig(t, client, nil)
		r.Append(chatter(6, 40)...)
		r.ReportUsage(ReportedUsage{Used: 2900, Max: 3000})
		if res := r.BeforeCall(t.Context()); res.Compressed || res.Decision.Why != TooFew || len(client.requests()) > 0 || !res.OK {
			t.Errorf("%+v", res)
		}
	})
	t.Run("a failure does not block the call", func(t *testing.T) {
		r := shareRig(t, fails(errors.New("down")), nil)
		r.Append(full()...)
		if res := r.BeforeCall(t.Context()); res.Compressed || res.Refused || len(res.Messages) != len(full()) || res.Err == nil {
			t.Errorf("%+v", res)
		}
	})
	t.Run("full flow, by hand and by itself", func(t *testing.T) {
		client := says("fine")
		r := shareRig(t, client, nil)
		r.Append(full()...)
		by := []Result{r.BeforeCall(t.Context())}
		r.Append(full()[1:]...)
		by = append(by, r.CompactNow(t.Context()))
		r.Append(full()[1:]...)
		by = append(by, r.BeforeCall(t.Context()))
		for i, res := range by {
			if !res.Compressed || res.NewCount != 12 || layout(r.mem.runtime)[:2] != "S#" {
				t.Errorf("compaction %d: %+v", i, res)
			}
		}
		if len(r.Records()) != 3 || len(r.History()) != 3*len(full())-2 {
			t.Errorf("%d records, %d messages", len(r.Records()), len(r.History()))
		}
	})
	t.Run("nothing to do asks nobody", func(t *testing.T) {
		client := says("fine")
		r := shareRig(t, client, nil)
		r.Append(chatter(4, 40)...)
		for range 100 {
			r.BeforeCall(t.Context())
		}
		if m := r.Metrics(); len(client.requests()) > 0 || m.Triggers > 0 {
			t.Errorf("%+v", m)
		}
	})
}

// A provider reports the size of the list that was sent: what was appended since comes on top.
func TestAReportIsOfTheListThatWasSent(t *testing.T) {
	r := shareRig(t, nil, func(c *Config) { c.Window = 100_000 })
	r.Append(chatter(10, 224)...)
	r.BeforeCall(t.Context())
	r.Append(chat("U A U", 224)...) // 60 tokens each
	r.ReportUsage(ReportedUsage{Used: 5000})
	if u := r.Decision().Usage; u.Used != 5000+3*60 {
		t.Errorf("%+v", u)
	}
}
