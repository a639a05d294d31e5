package gui

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/agents"
	"palimpsest/compaction/auto"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/journal"
	"palimpsest/compaction/steps"
	"palimpsest/compaction/summarize/remote/trial"
	"palimpsest/gui/desk"
	"palimpsest/gui/study"
	"palimpsest/model"
)

// The four history systems in the window, each with data of its own kind. Every row of
// docs/requirements.md that has a ● under W is looked at here.

// row checks what rows of docs/requirements.md promise of the window.
func (s *stage) row(rows string, ok bool, format string, args ...any) {
	s.t.Helper()
	if !ok {
		s.t.Errorf("%s: "+format, append([]any{rows}, args...)...)
	}
}

// preset gives the history looked at the parameters of a preset.
func (s *stage) preset(id string, change func(*model.Policy)) {
	s.t.Helper()
	p, ok := compaction.PresetByID(id)
	if !ok {
		s.t.Fatalf("no preset %s", id)
	}
	s.Desk.Planning.UsePreset(p.Policy)
	if change != nil {
		s.Desk.Planning.Set(change)
	}
	s.settle()
}

// listed are the records of the history looked at.
func (s *stage) listed() []model.Record {
	return slices.DeleteFunc(slices.Clone(s.Desk.RecordList.Records()), func(r model.Record) bool { return r.Path != s.Desk.Current().Path })
}

func systemFile(t *testing.T, name string, text []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, text, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// tasks are steps of a run as its first authors spell them: numbered by the caller, one that
// failed, one without a phase, one with a value above the limit of a field.
func tasks(n int) (list []steps.Input) {
	for i := range n {
		a := fmt.Sprintf("**任务状态:** 进行中 **完成度评估:** %d%%", i*3)
		x := fmt.Sprintf("**执行目标:** 第%d项 **执行结果:** 完成 src/f%d.go", i, i)
		c := "**质量评分:** 8/10 **是否通过:** 是"
		in := steps.Input{Number: 3 + i, Analysis: &a, Execution: &x, Supervision: &c}
		switch i {
		case 2:
			a, x, c = "异常", "执行异常", "exit status 1"
		case 4:
			in.Supervision = nil
		case 5:
			x = "**执行目标:** " + strings.Repeat("长", 300) + " **执行结果:** 完成"
		}
		list = append(list, in)
	}
	return list
}

// stepsOf is what steps.History makes of the steps.
func stepsOf(t *testing.T, list []steps.Input, set steps.Settings) *steps.History {
	t.Helper()
	h, err := steps.New(set, steps.Env{Clock: func() time.Time { return time.UnixMilli(1_735_898_400_000) }})
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range list {
		if err := h.AppendStep(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func stepFile(t *testing.T, list []steps.Input) string {
	var b bytes.Buffer
	for _, in := range list {
		line, err := json.Marshal(map[string]any{"stepNumber": in.Number, "analysisResult": in.Analysis, "executionResult": in.Execution,
			"supervisionResult": in.Supervision, "timestamp": 1_735_898_400_000 + 1000*in.Number})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return systemFile(t, "steps.jsonl", b.Bytes())
}

func TestAStepHistoryInTheWindow(t *testing.T) {
	list := tasks(30)
	s := newStage(t, stepFile(t, list))
	th := s.Desk.Session().Thread()
	s.row("A1", s.Desk.Current().Format == model.FormatSteps && len(th.History) == 89 && th.Messages[0].Time == 1_735_898_403_000,
		"%s with %d messages", s.Desk.Current().Format, len(th.History))
	sheet := study.NewPromptSheet(s.Desk, s.Commands)
	sheet.Show()
	s.settle()
	same := func(rows, preset string, change func(*model.Policy), set steps.Settings) *steps.History {
		t.Helper()
		s.preset(preset, change)
		h := stepsOf(t, list, set)
		s.row(rows, sheet.Shown != nil && sheet.Shown.Text == h.Text(), "the sheet has\n%s\nwant\n%s", sheet.Text, h.Text())
		return h
	}
	h := same("A3 A8 A10 A12 A13 A15 A16 A17 A18 A19 A20 A21 X1", "sliding-fixed", nil, steps.FixedSettings(5, 3, 5000))
	s.row("A20", strings.Contains(sheet.Text, strings.Repeat("长", 200)+"...") && !strings.Contains(sheet.Text, strings.Repeat("长", 201)), "%s", sheet.Text)
	s.row("X1", strings.Contains(sheet.Text, "exit status 1"), "the step that failed lost its text")
	p := s.Desk.Planning.Params()
	s.row("A4", p.Triggers[0].At == model.Amount{N: 5, Unit: model.Steps} && p.Batch == model.Amount{N: 3, Unit: model.Steps} && p.LayerBudget.N == 5000,
		"%+v", p)
	sheet.Part.Choose(1)
	s.settle()
	s.row("A14", sheet.Text == h.Summaries() && sheet.Text != "", "the summaries alone are\n%s", sheet.Text)
	sheet.Part.Choose(0)
	s.settle()
	same("A5", "sliding-fixed", func(p *model.Policy) {
		p.Triggers[0].At.N, p.Batch.N, p.Tail.N = 8, 3, 6
	}, steps.FixedSettings(8, 3, 5000))
	small := same("A22 X8 X13", "sliding-fixed", func(p *model.Policy) { p.LayerBudget.N = 600 }, steps.FixedSettings(5, 3, 600))
	s.row("X13", len(small.Layer()) < len(h.Layer()), "%d summaries", len(small.Layer()))
	adaptive := steps.DefaultSettings()
	same("A9", "sliding-adaptive", nil, adaptive)
	for strategy, of := range map[model.Strategy]model.Strategy{model.StructuredJSON: model.StructuredJSON, model.StructuredTable: model.StructuredTable} {
		set := steps.FixedSettings(5, 3, 5000)
		set.Strategy = of
		same("A6 X2", "sliding-fixed", func(p *model.Policy) { p.Strategy = strategy }, set)
	}
	sheet.Close()

	s.Desk.SetFilter(desk.Filter{Text: "exit status 1"})
	s.settle()
	n, _, _ := s.Desk.Hits()
	s.row("X4", n >= 1 && strings.Contains(shown(s.Win.Content()), "exit status 1"), "%d messages are found", n)
	s.Desk.SetFilter(desk.Filter{})

	long := tasks(100)
	for i := range long {
		x := *long[i].Execution + strings.Repeat(" 编辑文件并运行测试。", 60)
		long[i].Execution = &x
	}
	s.Desk.Add(stepFile(t, long))
	s.settle()
	s.preset("sliding-adaptive", nil)
	plan := s.Desk.Planning.Plan()
	saved := fmt.Sprintf("−%d %%", 100-(100*plan.After.Tokens+plan.Before.Tokens/2)/plan.Before.Tokens)
	s.row("A27", 2*plan.After.Tokens < plan.Before.Tokens && strings.Contains(shown(s.Win.Content()), saved), "%v becomes %v, and the window has no %s",
		plan.Before, plan.After, saved)

	// The snapshot of a run opens with its layers, and a run in the database as it goes on.
	snapshot, err := h.Snapshot()
	if err != nil {
		t.Fatal(err)
	}
	path := systemFile(t, "run.json", snapshot)
	s.Desk.Add(path)
	s.settle()
	e := s.Desk.Current()
	s.row("A2 X3", e.Path == path && e.Format == model.FormatStepHistory && len(e.Session.Thread().Messages) > len(h.Steps()) &&
		strings.Contains(shown(s.Win.Content()), "步骤"), "%s, %+v", e.Path, e.Session)
	env := steps.Env{Clock: func() time.Time { return time.Unix(1e9, 0) }, Journal: journal.Recorded(s.Desk.Store())}
	run, err := steps.Open(t.Context(), "builder", steps.FixedSettings(5, 3, 5000), env)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range list {
		if err := run.AppendStep(t.Context(), in); err != nil {
			t.Fatal(err)
		}
	}
	s.Desk.Add(session.ConversationName("builder"))
	s.Desk.RecordList.LoadRecords()
	s.settle()
	stored := s.listed()
	s.row("X3", s.Desk.Current().Format == model.FormatStepHistory && len(stored) == len(run.Layer()),
		"%s, %d records of %d summaries", s.Desk.Current().Format, len(stored), len(run.Layer()))
}

// talkOf records in the window's database what docs/embedding.md shows: a person asks A,
// which calls a tool and then B; both answer.
func talkOf(t *testing.T, j model.Journal) *agents.Conversation {
	t.Helper()
	at := time.Date(2025, 1, 3, 10, 0, 0, 0, time.UTC)
	c, err := agents.Open(t.Context(), "weather", agents.Options{Journal: j, Now: func() time.Time { at = at.Add(time.Second); return at }})
	if err != nil {
		t.Fatal(err)
	}
	err = c.Execute(t.Context(), agents.Task{ID: "1", Agent: "A", Input: "帮我查北京天气"}, func(ctx context.Context, respond func(agents.Response) error) error {
		asked := agents.Task{ID: "1.1", Agent: "B", Caller: "A", Input: "查北京"}
		err := errors.Join(c.Agents().CalledTool(ctx, "A", "t1", "clock", `{"zone":"CST"}`), c.Agents().ToolReturned(ctx, "A", "t1", "10:00"),
			c.Begin(ctx, asked))
		if _, end := c.Finish(ctx, asked.ID, "晴，25°C"); err != nil || end != nil {
			return errors.Join(err, end)
		}
		return respond(agents.Response{Final: "北京今天晴天，温度25°C"})
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestAgentContextsInTheWindow(t *testing.T) {
	s := newStage(t)
	c := talkOf(t, s.Desk.Store())
	s.Desk.LoadRecents()
	s.settle()
	s.Commands.Run("sessions")
	s.settle()
	s.sees("帮我查北京天气", "conversation:weather")
	s.tapAt("帮我查北京天气", 0)
	s.press("Enter")
	s.settle()
	e := s.Desk.Current()
	if e.Path != session.ConversationName("weather") || e.Session == nil {
		t.Fatalf("%+v", e)
	}
	doc := e.File.Doc
	spelled, err := doc.Bytes(model.Span{Len: doc.Size})
	s.row("B9 B10 N2", err == nil && bytes.Equal(spelled, c.Document().Bytes()), "%s\n%v", spelled, err)
	s.row("B3 B12", len(e.Session.Thread().History) == 2 && e.Messages == 2 && strings.Contains(shown(s.Win.Content()), "北京今天晴天，温度25°C"),
		"the shared history has %d messages", len(e.Session.Thread().History))
	s.Commands.Run("agents")
	s.settle()
	a := s.Desk.Agents()
	if a == nil || len(a.List) != 2 {
		t.Fatalf("%+v", a)
	}
	text := shown(s.top())
	s.row("B2", strings.Contains(text, "2 messages") && strings.Contains(text, "assistant · 2025-01-03"), "%s", text)
	s.row("B4 B5 B8", strings.Contains(text, "输入: 帮我查北京天气\n") && strings.Contains(text, "输出: 北京今天晴天，温度25°C\n") && strings.Contains(text, "2 interactions") &&
		strings.Contains(text, "responded · 2025-01-03"), "%s", text)
	s.row("B13", strings.Contains(text, "输入: 查北京 | 输出: 晴，25°C") && !strings.Contains(text, "not found") && strings.Contains(text, "a person"),
		"%s", text)
	var told []string
	for _, ev := range a.Events() {
		told = append(told, fmt.Sprintf("%d→%d %v #%d %s", ev.Caller, ev.Agent, ev.Back, ev.Num, ev.Text))
	}
	want := []string{"-1→0 false #1 帮我查北京天气", "0→1 false #4 查北京", "0→1 true #5 晴，25°C", "-1→0 true #6 北京今天晴天，温度25°C"}
	_, _, ofA := s.Desk.AgentParams(0)
	_, _, ofB := s.Desk.AgentParams(1)
	s.row("X6", !ofA && ofB, "A inherits its parameters %v, B %v", ofA, ofB)
	s.row("B13 B14", slices.Equal(told, want), "%s", strings.Join(told, "\n"))
	s.agents.Choose(0)
	s.agents.OpenAgent()
	s.settle()
	th := s.Desk.Session().Thread()
	s.row("B1 B6 B7", len(th.History) == 6 && th.Messages[1].Calls[0].Name == "clock" && th.Messages[2].Kind == model.KindResult &&
		th.Messages[3].Calls[0].Name == agents.CallAgentTool && th.Messages[1].Time == time.Date(2025, 1, 3, 10, 0, 3, 0, time.UTC).UnixMilli(),
		"A's context is %+v", th.Messages)
	s.sees("6 messages, 0 lines skipped") // of A's context, while the shared history has 2

	// A context is compacted, and what the compaction left is put back.
	for i := range 40 {
		err := errors.Join(c.Agents().Called(t.Context(), "A", fmt.Sprint("第", i, "天呢？", strings.Repeat("请说明。", 40))),
			c.Agents().Responded(t.Context(), "A", strings.Repeat("晴。", 40)))
		if err != nil {
			t.Fatal(err)
		}
	}
	s.Desk.Reload()
	s.settle()
	s.Desk.SelectThread(s.Desk.Current(), session.Ref{Thread: 1})
	s.settle()
	s.preset("message-count", nil)
	s.Commands.Run("compact")
	s.settle()
	s.Desk.WriteBack()
	s.settle()
	if err := c.Refresh(t.Context()); err != nil {
		t.Fatal(err)
	}
	x, _ := c.Agents().Context("A")
	all, err := c.Agents().Originals(t.Context(), "A")
	s.row("F25", len(x.Items) < 40 && len(all) == 86 && err == nil && len(x.Orphans()) == 0, "%d items of %d, %v", len(x.Items), len(all), err)

	s.Desk.Add(systemFile(t, "agent.json", []byte(`{"agentId": "solo", "activeContext": [{"message": {"role": "user", "content": [{"text": "查北京"}]}}],
		"stateDescription": "输入: 查北京", "interactionCount": 1, "lastInteractionType": "called", "lastInteractionAt": "2025-01-03T10:00:00Z"}`)))
	s.settle()
	s.Commands.Run("agents")
	s.settle()
	s.sees("solo", "输入: 查北京", "1 interaction", "called · 2025-01-03 10:00")
}

// talk is a history as a compactor by the number of messages keeps it: n messages, calls with
// their results and reasoning among them.
func talk(t *testing.T, n int) string {
	var list []map[string]any
	for i := 0; len(list) < n; i++ {
		list = append(list, map[string]any{"role": "user", "content": fmt.Sprint("Look at src/f", i, ".go. ", strings.Repeat("Please. ", 30))})
		if i%4 == 1 {
			id := fmt.Sprint("call_", i)
			call := map[string]any{"id": id, "type": "function", "function": map[string]any{"name": "read", "arguments": `{"path":"src"}`}}
			list = append(list, map[string]any{"role": "assistant", "content": nil, "reasoning_content": "I read it.", "tool_calls": []any{call}},
				map[string]any{"role": "tool", "tool_call_id": id, "content": strings.Repeat("package main\n", 30)})
		}
		list = append(list, map[string]any{"role": "assistant", "content": fmt.Sprint("It is ", i, ". ", strings.Repeat("Fine. ", 30))})
	}
	text, err := json.Marshal(list[:n])
	if err != nil {
		t.Fatal(err)
	}
	return systemFile(t, fmt.Sprint("log", n, ".json"), text)
}

func TestMessageCountInTheWindow(t *testing.T) {
	srv, err := trial.Listen("")
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	s := newStage(t, talk(t, 39))
	s.preset("message-count", nil)
	p := s.Desk.Planning.Params()
	s.row("C1", p.Triggers[0].At == model.Amount{N: 40, Unit: model.Messages} && p.Batch == model.Amount{N: 30, Unit: model.Messages}, "%+v", p)
	fires := func() bool {
		return slices.ContainsFunc(s.Desk.Planning.Plan().Clauses, func(c compaction.ClauseState) bool { return c.Fires })
	}
	s.row("C3", !fires(), "39 messages fire")
	s.Desk.Add(talk(t, 40))
	s.settle()
	s.preset("message-count", nil)
	th := s.Desk.Session().Thread()
	thought := slices.ContainsFunc(th.Messages, func(m model.Message) bool {
		parts, _ := s.Desk.Session().File().Doc.Parts(&m)
		return slices.ContainsFunc(parts, func(p model.Part) bool { return strings.Contains(p.Text, "I read it.") })
	})
	s.row("N3", thought, "no message has its reasoning")
	s.row("C2", slices.ContainsFunc(th.Messages, func(m model.Message) bool { return m.Kind == model.KindResult && m.Answers != "" }) &&
		slices.ContainsFunc(th.Messages, func(m model.Message) bool { return len(m.Calls) == 1 && m.Calls[0].Name == "read" }), "%d messages", len(th.Messages))
	plan := s.Desk.Planning.Plan()
	s.row("C3", fires() && plan.Outcome == compaction.WouldApply && plan.Removed.Messages <= 30, "%+v", plan.Why)
	s.Desk.TogglePin(4)
	s.settle()
	s.row("X5", len(s.Desk.Planning.Params().Pins) == 1, "%+v", s.Desk.Planning.Params().Pins)
	s.Desk.TogglePin(4)
	s.use(srv, "good")
	s.Desk.Planning.Set(func(p *model.Policy) { p.Strategy = model.ModelText })
	s.settle()
	s.askAndSend()
	asked := srv.Requests()
	s.row("C7 C8 C9 C10", len(asked) == 1 && asked[0].Tools == 0 && asked[0].Temperature == .3 && strings.Contains(asked[0].User, "Look at src/f0.go") &&
		asked[0].System != "" && len(asked[0].User) < 60_000, "%+v", asked)
	s.Commands.Run("applyDraft")
	s.settle()
	items := s.Desk.Session().Items()
	records := s.Desk.RecordList.Records()
	answered := map[string]bool{}
	for _, it := range items {
		if it.Msg < 0 {
			continue
		}
		for _, c := range th.Messages[it.Msg].Calls {
			answered[c.ID] = true
		}
		if id := th.Messages[it.Msg].Answers; id != "" {
			s.row("C4", answered[id], "the result of %s is left without its call", id)
		}
	}
	s.row("C5 C6", len(records) == 1 && records[0].Outcome == model.Applied && len(items) == 11 && items[0].Msg < 0,
		"%d items, %d records", len(items), len(records))
	before := len(items)
	s.use(srv, "empty-text")
	s.Desk.Add(talk(t, 60))
	s.settle()
	s.preset("message-count", func(p *model.Policy) { p.Strategy = model.ModelText })
	s.askAndSend()
	s.row("C11 C12", len(s.Desk.Session().Items()) == 60 && before < 20 && len(s.Desk.Notices()) > 0, "%d items, %+v", len(s.Desk.Session().Items()), s.Desk.Notices())
}

// deployer is an agent whose history was compacted by the share of its context window, as
// docs/embedding.md shows, and kept in a database.
func deployer(t *testing.T, j model.Journal) *auto.Compactor {
	t.Helper()
	cfg := auto.TokenShareConfig("")
	cfg.Strategy, cfg.Window = model.Extract, 4400 // its last compaction is some messages ago: there is more to compact
	a, err := auto.Open(t.Context(), cfg, auto.Options{Agent: "deployer", Clock: still{}, Journal: j})
	if err != nil {
		t.Fatal(err)
	}
	a.Append(auto.ChatMessage{Role: "system", Content: "You deploy."})
	for i := range 60 {
		a.Append(auto.ChatMessage{Role: "user", Content: fmt.Sprint("Question ", i, " ", secret, " ", strings.Repeat("about it ", 60))},
			auto.ChatMessage{Role: "assistant", Content: fmt.Sprint("answer ", i)})
		if r := a.BeforeCall(t.Context()); r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	return a
}

// secret is in its questions, and nothing that is asked may have it.
const secret = "sk-ant-api03-q8Zr1vT5xW2yK7mN4pL9sD3fG6hJ0aB"

// still is a clock that stands.
type still struct{}

func (still) Now() time.Time { return time.Unix(1e9, 0) }
func (still) WithTimeout(ctx context.Context, _ time.Duration) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}

func TestTokenShareInTheWindow(t *testing.T) {
	srv, err := trial.Listen("")
	if err != nil {
		t.Fatal(err)
	}
	defer srv.Close()
	s := newStage(t)
	a := deployer(t, journal.Recorded(s.Desk.Store()))
	made := a.Records()
	if len(made) < 2 {
		t.Fatalf("%d compactions", len(made))
	}
	s.Desk.Add(session.ConversationName("deployer"))
	s.Desk.RecordList.LoadRecords()
	s.settle()
	e := s.Desk.Current()
	s.row("D3 D12", e.Format == model.FormatAgentState && len(e.Session.Thread().History) == 121, "%s, %d messages", e.Format, len(e.Session.Thread().History))
	sent := a.BeforeCall(t.Context()).Messages
	s.row("D11", len(e.Session.Items()) == len(sent) && len(sent) < 121, "%d live, the agent sends %d", len(e.Session.Items()), len(sent))
	list := s.listed()
	s.row("D13 D25", len(list) == len(made) && list[0].Cause == model.CauseAutomatic && list[0].Path == e.Path, "%d records of %d", len(list), len(made))
	s.Desk.RecordView.SelectRecord(list[0].ID)
	s.settle()
	s.Commands.Run("records")
	s.settle()
	s.sees(list[0].ID)

	saved, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	s.Desk.Add(systemFile(t, "deployer.json", saved))
	s.settle()
	s.row("D15", s.Desk.Current().Format == model.FormatAgentState && len(s.Desk.Session().Thread().History) == 121, "%s", s.Desk.Current().Format)
	s.preset("token-share", func(p *model.Policy) { p.Window = 8000 })
	p := s.Desk.Planning.Params()
	s.row("D5 D8", p.Triggers[0].Share == .8 && p.Tail == model.Amount{N: 10, Unit: model.Messages}, "%+v", p)
	fired := len(s.Desk.Timeline().Firings)
	s.Desk.Planning.Set(func(p *model.Policy) { p.Triggers = []model.Clause{{Share: .4}} })
	s.settle()
	s.row("D7 D26", len(s.Desk.Timeline().Firings) > fired && fired > 0, "%d, then %d firings", fired, len(s.Desk.Timeline().Firings))
	for _, window := range []int{700, 1500} { // ten messages are more than that: fewer stay, and every call fits
		s.preset("token-share", func(p *model.Policy) {
			p.Window, p.Triggers, p.Budget.N = window, []model.Clause{compaction.ShareClause(1)}, window/10
		})
		limited, tl := 0, s.Desk.Timeline()
		for _, f := range tl.Firings {
			if f.AtLimit && f.LeftOut == 0 {
				limited++
			}
		}
		s.row("D4 D17", limited > 0 && tl.Totals.Over == 0, "in %d: %d compactions at the limit, %d calls are larger", window, limited, tl.Totals.Over)
	}
	s.preset("token-share", func(p *model.Policy) { p.Window = 8000 })
	before := len(s.Desk.Session().Items())
	s.Desk.Planning.Set(func(p *model.Policy) { p.Strategy = model.ModelText })
	s.Commands.Run("workbench")
	s.settle()
	s.Commands.Run("compact")
	s.settle()
	s.row("D6", strings.Contains(shown(s.top()), "None, work offline") && len(s.Desk.Session().Items()) == before, "without a model: %s", shown(s.top()))
	s.press("Escape")
	s.settle()
	s.use(srv, "empty-text")
	s.askAndSend()
	s.row("D16", len(s.Desk.Session().Items()) == before && len(s.Desk.Session().Stack()) == 0 && len(s.Desk.Notices()) > 0,
		"%d live, %+v", len(s.Desk.Session().Items()), s.Desk.Notices())
	s.use(srv, "good")
	s.askAndSend()
	asked := srv.Requests()
	if len(asked) == 0 {
		t.Fatal("no question reached the model")
	}
	last := asked[len(asked)-1]
	s.row("D10 D23", len(asked) == 2 && last.Tools == 0 && strings.Contains(last.User, "about it") && !strings.Contains(last.User, secret), "%+v", last)
	s.Desk.Enquire(session.Asking{})
	s.settle()
	s.Desk.Send()
	s.settle()
	s.row("D24 X11 N5", len(srv.Requests()) == 2 && len(s.Desk.DraftSet.Drafts()) > 0, "%d questions", len(srv.Requests()))
	s.Desk.Planning.Set(func(p *model.Policy) { p.Strategy = model.Extract })
	s.settle()
	s.Commands.Run("compact")
	s.settle()
	after := s.Desk.Session().Items()
	s.row("D9 D21 D14", len(after) < before && len(after) > 10, "%d, then %d live", before, len(after))
	s.Commands.Run("undo")
	s.settle()
	s.row("D12 X9", len(s.Desk.Session().Items()) == before, "%d live after undo", len(s.Desk.Session().Items()))
}
