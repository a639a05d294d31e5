package agents

import (
	"context"
	"errors"
	"fmt"
	"pgregory.net/rapid"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

func newConversation(t testing.TB, opt Options) *Conversation {
	t.Helper()
	c, err := Open(context.Background(), "c", opt)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// code is the stable key of a problem.
func code(err error) string {
	var p *model.Problem
	if errors.As(err, &p) {
		return p.Code
	}
	return fmt.Sprint(err)
}

func list(x Context) string { return historyitem.FormatList(x.Items) }

func contextOf(t testing.TB, c *Conversation, agent string) Context {
	t.Helper()
	x, ok := c.Agents().Context(agent)
	if !ok {
		t.Fatalf("there is no agent %q", agent)
	}
	return x
}

// tick is a clock that goes on by a second with every look at it.
func tick() func() time.Time {
	var mu sync.Mutex
	at := time.Date(2025, 1, 3, 10, 0, 0, 123456789, time.UTC)
	return func() time.Time {
		mu.Lock()
		defer mu.Unlock()
		at = at.Add(time.Second)
		return at
	}
}

const (
	question = "帮我查北京天气"
	answer   = "北京今天晴天，温度25°C"
	askItem  = `{"message": {"role": "user", "content": [{"text": "帮我查北京天气"}]}}`
	sayItem  = `{"message": {"role": "assistant", "content": [{"text": "北京今天晴天，温度25°C"}]}}`
)

func TestB2CountsMessagesOnly(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{Now: tick()})
	h := c.History()
	must(t, h.AppendUserMessage(ctx, question))
	must(t, h.AppendFunctionCall(ctx, "1", "weather", `{"city":"北京"}`))
	must(t, h.AppendFunctionCallOutput(ctx, "1", "晴"))
	want := model.HistoryStats{Messages: 1, LastContent: question, LastType: "user", LastAt: time.Date(2025, 1, 3, 10, 0, 1, 123456000, time.UTC)}
	if got := h.Stats(); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	must(t, h.AppendAssistantMessage(ctx, answer))
	if got := h.Stats(); got.Messages != 2 || got.LastType != "assistant" || !got.LastAt.Equal(want.LastAt.Add(3*time.Second)) {
		t.Errorf("%+v", got)
	}
}

// One history is shared; what agents do in their contexts does not enter it.
func TestB3HistoryIsShared(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{})
	must(t, c.History().AppendUserMessage(ctx, question))
	for _, agent := range []string{"A", "B"} {
		must(t, c.Agents().Called(ctx, agent, question))
		must(t, c.Agents().Responded(ctx, agent, agent))
	}
	if got := list(c.History().Context()); got != "["+askItem+"]" {
		t.Errorf("%s", got)
	}
	if !slices.Equal(c.Agents().Names(), []string{"A", "B"}) {
		t.Error(c.Agents().Names())
	}
}

func TestB5Statistics(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{Now: tick()})
	a := c.Agents()
	must(t, a.Called(ctx, "A", question))
	must(t, a.CalledTool(ctx, "A", "1", "weather", "{}"))
	must(t, a.ToolReturned(ctx, "A", "1", "晴"))
	s, _ := a.Stats("A")
	want := model.AgentStats{Agent: "A", State: "输入: 帮我查北京天气 | 调用工具: weather", Interactions: 1, LastType: "called",
		LastAt: time.Date(2025, 1, 3, 10, 0, 1, 123456000, time.UTC)}
	if s != want {
		t.Errorf("%+v, want %+v", s, want)
	}
	must(t, a.Responded(ctx, "A", answer))
	if s, _ = a.Stats("A"); s.Interactions != 2 || s.LastType != "responded" || !s.LastAt.Equal(want.LastAt.Add(3*time.Second)) {
		t.Errorf("%+v", s)
	}
}

// A tool call is one item and the state's phase; the arguments stay as the model
// wrote them, which need not be JSON.
func TestB6ToolCall(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{})
	must(t, c.Agents().Called(ctx, "A", question))
	for _, args := range []string{`{"city": "北京"}`, "", "{broken"} {
		must(t, c.Agents().CalledTool(ctx, "A", "c", "weather", args))
		x := contextOf(t, c, "A")
		name, got := x.Items[len(x.Items)-1].Call()
		if name != "weather" || got != args {
			t.Errorf("%s", x.Items[len(x.Items)-1].Raw())
		}
	}
	if got := c.Agents().State("A", summarize.Auto); got != "输入: 帮我查北京天气 | 调用工具: weather" {
		t.Errorf("%q", got)
	}
}

// An output answers the call of its id, whatever the order; the state is still
// about the tool.
func TestB7ToolReturned(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{})
	must(t, c.Agents().Called(ctx, "A", question))
	for _, id := range []string{"1", "2"} {
		must(t, c.Agents().CalledTool(ctx, "A", id, "f"+id, "{}"))
	}
	state := c.Agents().State("A", summarize.Auto)
	for _, id := range []string{"2", "1"} {
		must(t, c.Agents().ToolReturned(ctx, "A", id, "r"+id))
	}
	x := contextOf(t, c, "A")
	if len(x.Orphans()) > 0 || x.Items[3].CallID() != "2" || x.Items[4].Text() != "r1" || c.Agents().State("A", summarize.Auto) != state {
		t.Errorf("%s", list(x))
	}
}

func TestB8StateTexts(t *testing.T) {
	ctx := t.Context()
	for _, lang := range []summarize.Lang{summarize.Auto, summarize.English, summarize.Chinese} {
		c := newConversation(t, Options{Language: lang})
		a := c.Agents()
		must(t, a.Called(ctx, "A", "What is the weather in Beijing?"))
		must(t, a.CalledTool(ctx, "A", "1", "weather", "{}"))
		en, zh := "Input: What is the weather in Beijing? | Calling tool: weather", "输入: What is the weather in Beijing? | 调用工具: weather"
		own := en // an English conversation
		if lang == summarize.Chinese {
			own = zh
		}
		if got := a.State("A", summarize.Auto); got != own {
			t.Errorf("%q: %q", lang, got)
		}
		if got := a.State("A", summarize.English); got != en {
			t.Errorf("%q", got)
		}
		if got := a.State("A", summarize.Chinese); got != zh {
			t.Errorf("%q", got)
		}
		must(t, a.Responded(ctx, "A", "Sunny."))
		if got := a.State("A", summarize.English); got != "Input: What is the weather in Beijing? | Output: Sunny." {
			t.Errorf("%q", got)
		}
	}
}

// New items are spelled in the form that was asked for; a list may hold both.
func TestB10Forms(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{Form: historyitem.Flat})
	must(t, c.History().AppendUserMessage(ctx, "a"))
	wrapped := historyitem.Wrapped.Message("assistant", "b")
	must(t, c.History().AppendItems(ctx, []historyitem.Item{wrapped}))
	unknown, err := historyitem.Parse(`{"type":"reasoning", "x":58.0}`)
	must(t, err)
	must(t, c.History().AppendItems(ctx, []historyitem.Item{unknown}))
	want := `[{"type":"message","role":"user","content":[{"type":"input_text","text":"a"}]}, ` + wrapped.Raw() + `, {"type":"reasoning", "x":58.0}]`
	if got := list(c.History().Context()); got != want {
		t.Errorf("%s", got)
	}
	if s := c.History().Stats(); s.Messages != 2 || s.LastContent != "b" {
		t.Errorf("%+v", s)
	}
}

// The order of the flow, and once per task although the answer comes thrice.
func TestB11ExecuteTask(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{})
	var seen []string
	err := c.Execute(ctx, Task{ID: "t1", Agent: "A", Input: question}, func(ctx context.Context, respond func(Response) error) error {
		if got := list(c.History().Context()) + list(contextOf(t, c, "A")); got != "["+askItem+"]["+askItem+"]" {
			t.Errorf("when the agent runs: %s", got)
		}
		for _, r := range []Response{{Event: "thinking"}, {Final: answer}, {Final: answer}, {Final: "另一个"}} {
			if err := respond(r); err != nil {
				return err
			}
		}
		return nil
	}, func(r Response) {
		seen = append(seen, r.Final)
		if r.Final != "" && len(c.History().Context().Items) != 2 {
			t.Error("the observer heard of an answer that was not written")
		}
	})
	must(t, err)
	if !slices.Equal(seen, []string{"", answer, answer, "另一个"}) {
		t.Errorf("the observer saw %q", seen)
	}
	for _, got := range []string{list(c.History().Context()), list(contextOf(t, c, "A"))} {
		if got != "["+askItem+", "+sayItem+"]" {
			t.Errorf("%s", got)
		}
	}
	if left := c.Unfinished(); len(left) > 0 {
		t.Errorf("unfinished: %+v", left)
	}
}

// Scenario 1, literally.
func TestB12OneAgent(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{})
	must(t, c.Begin(ctx, Task{ID: "t", Agent: "A", Input: question}))
	check := func(items string, count int, state string) {
		t.Helper()
		if got := list(c.History().Context()); got != items {
			t.Errorf("historyContext %s", got)
		}
		if got := list(contextOf(t, c, "A")); got != items {
			t.Errorf("activeContext %s", got)
		}
		if got := c.History().Stats().Messages; got != count {
			t.Errorf("messageCount %d", got)
		}
		if got := c.Agents().State("A", summarize.Auto); got != state {
			t.Errorf("stateDescription %q", got)
		}
	}
	check(`[{"message": {"role": "user", "content": [{"text": "帮我查北京天气"}]}}]`, 1, "输入: 帮我查北京天气")
	if ok, err := c.Finish(ctx, "t", answer); !ok || err != nil {
		t.Fatal(ok, err)
	}
	check(`[{"message": {"role": "user", "content": [{"text": "帮我查北京天气"}]}}, {"message": {"role": "assistant", "content": [{"text": "北京今天晴天，温度25°C"}]}}]`,
		2, "输入: 帮我查北京天气 | 输出: 北京今天晴天，温度25°C")
}

// Scenario 2: user → A → B.
func TestB13AgentCallsAgent(t *testing.T) {
	ctx := t.Context()
	c := newConversation(t, Options{})
	state := func(agent, want string) {
		t.Helper()
		if got := c.Agents().State(agent, summarize.Auto); got != want {
			t.Errorf("%s is %q, want %q", agent, got, want)
		}
	}
	must(t, c.Begin(ctx, Task{ID: "t1", Agent: "A", Input: question}))
	state("A", "输入: 帮我查北京天气")
	must(t, c.Begin(ctx, Task{ID: "t2", Agent: "B", Input: "查询北京天气", Caller: "A", CallID: "call_1"}))
	state("A", "输入: 帮我查北京天气 | 调用工具: call_agent")
	state("B", "输入: 查询北京天气")
	for range 2 { // the second time says nothing new
		if _, err := c.Finish(ctx, "t2", "晴，25°C"); err != nil {
			t.Fatal(err)
		}
	}
	state("B", "输入: 查询北京天气 | 输出: 晴，25°C")
	if _, err := c.Finish(ctx, "t1", answer); err != nil {
		t.Fatal(err)
	}
	state("A", "输入: 帮我查北京天气 | 输出: 北京今天晴天，温度25°C")

	if got := list(contextOf(t, c, "A")); got != `[`+askItem+
		`, {"function_call": {"call_id": "call_1", "name": "call_agent", "arguments": "{\"agent\":\"B\",\"message\":\"查询北京天气\"}"}}`+
		`, {"function_call_output": {"call_id": "call_1", "output": "晴，25°C"}}, `+sayItem+`]` {
		t.Errorf("A: %s", got)
	}
	if got := list(contextOf(t, c, "B")); got != `[{"message": {"role": "user", "content": [{"text": "查询北京天气"}]}}, {"message": {"role": "assistant", "content": [{"text": "晴，25°C"}]}}]` {
		t.Errorf("B: %s", got)
	}
	if s, _ := c.Agents().Stats("B"); s.Caller != "A" {
		t.Errorf("B was called by %q", s.Caller)
	}
}

// B14 and K17: a call between agents and its output stand in both contexts, and
// no moment is seen at which one of them lacks it.
func TestB14BothContextsAtOnce(t *testing.T) {
	ctx := t.Context()
	j := &watchedJournal{}
	c := newConversation(t, Options{Journal: j})
	must(t, c.Begin(ctx, Task{ID: "1", Agent: "A", Input: "x"}))
	must(t, c.Begin(ctx, Task{ID: "2", Agent: "B", Input: "y", Caller: "A"}))
	if _, err := c.Finish(ctx, "2", "z"); err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, w := range j.writes {
		text := ""
		for _, e := range w {
			text += e.Agent + ":" + string(e.Kind) + " "
		}
		got = append(got, text)
	}
	want := []string{":called A:called ", "A:tool-called B:called ", "B:responded A:tool-returned "}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	call := contextOf(t, c, "A").Items[1]
	if call.CallID() != "2" {
		t.Errorf("a call without an id of its own got %q", call.CallID())
	}
}

// watchedJournal keeps what was written at once, and fails when told to.
type watchedJournal struct {
	memoryJournal
	writes [][]model.Event
	stats  []model.ConversationStats
	made   []model.Compacted
	fail   error
}

func (j *watchedJournal) Append(ctx context.Context, id string, after int64, e model.Entry) ([]model.Event, error) {
	if j.fail != nil {
		return nil, j.fail
	}
	j.writes, j.stats = append(j.writes, e.Events), append(j.stats, e.Stats)
	j.made = append(j.made, e.Compacted...)
	return j.memoryJournal.Append(ctx, id, after, e)
}

// Several rounds and several agents at random: contexts hold the agent's events
// in order, the shared history the person's, and a conversation that is opened
// again is the one that was left.
func TestB15RandomRounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ctx := context.Background()
		j := &memoryJournal{}
		opt := Options{Journal: j, Compat: Compat{StateAppend: rapid.Bool().Draw(t, "append")}, Form: rapid.SampledFrom([]historyitem.Form{historyitem.Wrapped, historyitem.Flat}).Draw(t, "form")}
		c, err := Open(ctx, "c", opt)
		if err != nil {
			t.Fatal(err)
		}
		want := map[string][]string{}
		agents := []string{"A", "B", "C"}
		text := rapid.StringN(0, 120, -1)
		for range rapid.IntRange(0, 40).Draw(t, "events") {
			agent, s := rapid.SampledFrom(agents).Draw(t, "agent"), text.Draw(t, "text")
			switch rapid.IntRange(0, 5).Draw(t, "op") {
			case 0:
				err, want[""] = c.History().AppendUserMessage(ctx, s), append(want[""], s)
			case 1:
				err, want[agent] = c.Agents().Called(ctx, agent, s), append(want[agent], s)
			case 2:
				err, want[agent] = c.Agents().Responded(ctx, agent, s), append(want[agent], s)
			case 3:
				err, want[agent] = c.Agents().ToolReturned(ctx, agent, "1", s), append(want[agent], s)
			case 4:
				err, want[agent] = c.Agents().CalledTool(ctx, agent, "1", s, "{}"), append(want[agent], "")
			case 5:
				x, ok := c.Agents().Context(agent)
				if !ok || len(pendingCalls(x.Items)) > 0 {
					continue
				}
				kept := slices.DeleteFunc(slices.Clone(x.Items), func(it historyitem.Item) bool { return it.Kind() != historyitem.Message })
				err = c.Agents().Replace(ctx, x, kept)
			}
			if err != nil {
				t.Fatal(err)
			}
		}
		for agent, texts := range want {
			items, err := c.originals(ctx, agent)
			if err != nil || len(items) != len(texts) {
				t.Fatalf("%q: %d originals of %d, %v", agent, len(items), len(texts), err)
			}
			for i, it := range items {
				if got, w := it.Text(), strings.ToValidUTF8(texts[i], "\uFFFD"); got != w {
					t.Fatalf("%q item %d: %q, want %q", agent, i, got, w)
				}
			}
		}
		again, err := Open(ctx, "c", opt)
		if err != nil {
			t.Fatal(err)
		}
		if a, b := string(c.Document().Bytes()), string(again.Document().Bytes()); a != b {
			t.Fatalf("opened again it is\n%s\nwas\n%s", b, a)
		}
		for _, agent := range agents {
			if _, ok := want[agent]; !ok {
				continue
			}
			x, _ := again.Agents().Context(agent)
			if opt.Compat.StateAppend {
				continue
			}
			if n := len([]rune(again.Agents().State(agent, summarize.Chinese))); n > 2*(DigestRunes+3)+len("调用工具: ")+len(" | 输入: ") {
				t.Fatalf("a state of %d code points, with %d items", n, len(x.Items))
			}
		}
	})
}

// Who called an agent first stays its caller, also where that was a person.
func TestTheFirstCallerStays(t *testing.T) {
	c := newConversation(t, Options{})
	must(t, c.Begin(t.Context(), Task{ID: "1", Agent: "B", Input: "Look."}))
	must(t, c.Begin(t.Context(), Task{ID: "2", Agent: "B", Caller: "A", Input: "Look again."}))
	must(t, c.Begin(t.Context(), Task{ID: "3", Agent: "C", Caller: "A", Input: "Look there."}))
	for agent, want := range map[string]string{"B": "", "C": "A"} {
		if s, ok := c.Agents().Stats(agent); !ok || s.Caller != want {
			t.Errorf("%s was called by %q first, want %q", agent, s.Caller, want)
		}
	}
}

// A context that has more than the agent ever got is another conversation's.
func TestAContextOfAnotherConversationReplacesNothing(t *testing.T) {
	long, short := newConversation(t, Options{}), newConversation(t, Options{})
	must(t, long.Agents().Called(t.Context(), "A", "1"))
	must(t, long.Agents().Called(t.Context(), "A", "2"))
	must(t, short.Agents().Called(t.Context(), "A", "1"))
	made := []historyitem.Item{historyitem.Wrapped.Message("user", "S")}
	if err := short.Agents().Replace(t.Context(), contextOf(t, long, "A"), made); code(err) != "context-changed" {
		t.Error(err)
	}
	if got := contextOf(t, short, "A").Items; len(got) != 1 || got[0].Text() != "1" {
		t.Errorf("the context is %v", got)
	}
}

// entries is a journal that keeps what it is given.
type entries struct {
	memoryJournal
	got []model.Entry
}

func (j *entries) Append(ctx context.Context, id string, after int64, e model.Entry) ([]model.Event, error) {
	j.got = append(j.got, e)
	return j.memoryJournal.Append(ctx, id, after, e)
}

// A compaction that came to nothing is written although no event comes with it.
func TestANoteIsWrittenWithoutEvents(t *testing.T) {
	j := &entries{}
	c := newConversation(t, Options{Journal: j})
	must(t, c.Agents().Called(t.Context(), "A", "1"))
	must(t, c.Note(t.Context(), model.Compacted{Reason: "timeout"}))
	must(t, c.Note(t.Context()))
	if len(j.got) != 2 || len(j.got[1].Events) != 0 || len(j.got[1].Compacted) != 1 || j.got[1].Compacted[0].Reason != "timeout" {
		t.Errorf("written was %+v", j.got)
	}
}
