package transcript

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"palimpsest/internal/vectors"
	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
	"palimpsest/model/transcript/internal/edit"
)

// twoAgents is the second scenario of the specification, as a document.
const twoAgents = `{
"conversationId": "c1",
"title": "",
"messageCount": 2,
"historyContext": [
{"message": {"role": "user", "content": [{"text": "帮我查北京天气"}]}},
{"message": {"role": "assistant", "content": [{"text": "北京今天晴天，温度25°C"}]}}
],
"agents": [
{
"agentId": "A",
"stateDescription": "输入: 帮我查北京天气 | 输出: 北京今天晴天，温度25°C",
"activeContext": [
{"message": {"role": "user", "content": [{"text": "帮我查北京天气"}]}},
{"function_call": {"call_id": "call_1", "name": "call_agent", "arguments": "{\"agent\":\"B\",\"message\":\"查询北京天气\"}"}},
{"function_call": {"call_id": "call_2", "name": "clock", "arguments": ""}},
{"function_call_output": {"call_id": "call_2", "output": "10:00"}},
{"function_call_output": {"call_id": "call_1", "output": "晴，25°C"}},
{"message": {"role": "assistant", "content": [{"text": "北京今天晴天，温度25°C"}]}}
]},
{
"agentId": "B",
"calledBy": "A",
"activeContext": [
{"type":"message","role":"user","content":[{"type":"input_text","text":"查询北京天气"}]},
{"type":"reasoning","summary":[{"type":"summary_text","text":"look"}],"n":58.0},
{"type":"message","role":"assistant","content":[{"type":"output_text","text":"晴，25°C"}]},
{"strange": {"x": "\ud800"}}
]},
{
"agentId": "C",
"activeContext": []
}
]
}
`

// threadText writes a thread in one line a message.
func threadText(t tb, d *model.Document, th *model.Thread) string {
	t.Helper()
	var b strings.Builder
	for _, i := range th.Live(len(th.History)) {
		m := &th.Messages[i]
		fmt.Fprintf(&b, "%s %s", m.Kind, strings.ReplaceAll(messageText(t, d, m), "\n", "/"))
		for _, c := range m.Calls {
			fmt.Fprintf(&b, " %s=%s", c.ID, c.Name)
		}
		if m.Answers != "" {
			fmt.Fprintf(&b, " ←%s %s", m.Answers, m.Name)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// What a program records beside the lists is read, of whatever is there; an object of one
// agent is a document, too, and has no history that agents share.
func TestRecordedStatistics(t *testing.T) {
	at := time.Date(2025, 1, 3, 0, 0, 5, 0, time.UTC)
	const agent = `{"agentId": "A", "activeContext": [{"message": {"role": "user", "content": [{"text": "帮我查北京天气"}]}}],
		"stateDescription": "输入: 帮我查北京天气 | 调用工具: call_agent", "interactionCount": 1, "lastInteractionType": "called",
		"lastInteractionAt": "2025-01-03T00:00:05Z"}`
	want := model.AgentStats{Agent: "A", State: "输入: 帮我查北京天气 | 调用工具: call_agent", Interactions: 1, LastType: "called", LastAt: at}
	for name, text := range map[string]string{"alone": agent, "in a list": `{"agents": [` + agent + `]}`,
		"with a history": `{"messageCount": 7, "lastMessageType": "user", "lastMessageAt": 1735862405000, "lastMessageContent": "和上海呢？",
			"historyContext": null, "agents": [` + agent + `]}`} {
		c := mustRead(t, text).Conversations[0]
		if len(c.Agents) != 1 || c.Agents[0].Stats == nil || *c.Agents[0].Stats != want || !c.KeepsContexts() {
			t.Errorf("%s: %+v", name, c.Agents)
		}
		th := c.Threads[len(c.Threads)-1]
		if th.AgentID != "A" || th.Kind != model.ThreadMain || len(th.Messages) != 1 {
			t.Errorf("%s: %+v", name, th)
		}
		if name != "with a history" {
			if c.Shared != nil || len(c.Threads) != 1 {
				t.Errorf("%s: shares %+v, %d threads", name, c.Shared, len(c.Threads))
			}
		} else if s := c.Shared; s == nil || *s != (model.HistoryStats{Messages: 7, LastContent: "和上海呢？", LastType: "user", LastAt: at}) ||
			len(c.Threads) != 2 || c.Main().Kind != model.ThreadShared {
			t.Errorf("%s: shares %+v, %d threads", name, c.Shared, len(c.Threads))
		}
	}
}

func TestHistoryItems(t *testing.T) {
	d := mustRead(t, twoAgents)
	if d.Format != model.FormatHistoryItems || d.Items != 12 || len(d.Conversations) != 1 || len(d.Notes) != 0 {
		t.Fatalf("%s, %d items, notes %+v", d.Format, d.Items, d.Notes)
	}
	checkDocument(t, d)
	c := d.Conversations[0]
	if c.ID != "c1" || c.Title != "帮我查北京天气" || len(c.Agents) != 3 || c.Agents[0].ID != "A" || c.Agents[1].Parent != "A" || c.Agents[2].Stats != nil {
		t.Errorf("%q %q %+v", c.ID, c.Title, c.Agents)
	}
	want := []string{
		"user 帮我查北京天气\nassistant 北京今天晴天，温度25°C\n",
		"user 帮我查北京天气\nassistant  call_1=call_agent call_2=clock\ntool result 10:00 ←call_2 clock\ntool result 晴，25°C ←call_1 call_agent\nassistant 北京今天晴天，温度25°C\n",
		"user 查询北京天气\nassistant 晴，25°C\n",
		"",
	}
	for i, th := range c.Threads {
		if got := threadText(t, d, th); got != want[i] {
			t.Errorf("thread %d:\n%swant\n%s", i, got, want[i])
		}
	}
	if th := c.Threads[2]; th.Kind != model.ThreadSubagent || th.AgentID != "B" || len(th.Messages) != 3 || th.Messages[2].Kind != model.KindOther {
		t.Errorf("thread of B: %+v", th)
	}
	call, err := d.Parts(&c.Threads[1].Messages[1])
	if err != nil || call[0].Text != `{"agent":"B","message":"查询北京天气"}` {
		t.Errorf("%+v, %v", call, err)
	}
}

// A compaction takes exactly its items out of the list of its agent, and the
// summary is in their place in the form of its neighbour.
func TestHistoryItemsRewrite(t *testing.T) {
	d := mustRead(t, twoAgents)
	for thread, c := range map[int]struct {
		drop []int32
		with string
	}{
		0: {[]int32{0}, `{"message": {"role": "user", "content": [{"text": ` + string(edit.Quote(d, testSummary)) + `}]}}`},
		1: {[]int32{0, 1, 2, 3}, `{"message": {"role": "user", "content": [{"text": ` + string(edit.Quote(d, testSummary)) + `}]}}`},
		2: {[]int32{0, 1}, `{"type": "message", "role": "user", "content": [{"type": "input_text", "text": ` + string(edit.Quote(d, testSummary)) + `}]}`},
	} {
		th := d.Conversations[0].Threads[thread]
		first := th.Messages[c.drop[0]].Pieces[0]
		pieces := th.Messages[c.drop[len(c.drop)-1]].Pieces
		last := pieces[len(pieces)-1]
		want := twoAgents[:first.Off] + c.with + twoAgents[last.End():]
		r, err := Rewrite(d, &edit.Change{Thread: thread, Drop: c.drop, Summaries: []edit.Summary{{Text: testSummary, Before: c.drop[0]}}})
		if err != nil {
			t.Fatal(err)
		}
		got := string(written(t, r.Edits))
		if got != want {
			t.Errorf("thread %d:\n%s\nwant\n%s", thread, got, want)
		}
		back := mustRead(t, got)
		checkDocument(t, back)
		th = back.Conversations[0].Threads[thread]
		if m := th.Messages[th.Live(len(th.History))[0]]; m.Kind != model.KindSummary || len(th.Found) != 1 {
			t.Errorf("thread %d: a %s begins it, %d compactions found", thread, m.Kind, len(th.Found))
		}
	}
	// An old output gives way to its note.
	r, err := Rewrite(d, &edit.Change{Thread: 1, Clear: []int32{2}, Note: func(int32) string { return "gone" }})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(written(t, r.Edits)); got != strings.Replace(twoAgents, `"10:00"`, `"gone"`, 1) {
		t.Errorf("%s", got)
	}
	// Everything of a list may go; the list stays.
	all := d.Conversations[0].Threads[0].History
	if r, err = Rewrite(d, &edit.Change{Drop: all}); err != nil {
		t.Fatal(err)
	}
	back := mustRead(t, string(written(t, r.Edits)))
	if c := back.Conversations[0]; len(c.Threads) != 4 || len(c.Threads[0].Messages) != 0 || len(c.Threads[1].Messages) != 5 {
		t.Error("a list that is empty now is not there any more, or another one changed")
	}
}

// The vectors' own final states open, and hold the items that they list.
func TestB10VectorDocuments(t *testing.T) {
	type final struct {
		Final json.RawMessage `json:"expect_final"`
	}
	for _, c := range vectors.Cases[final](t, "b_events") {
		d := mustRead(t, string(c.Final))
		var f struct {
			Conversation struct{ HistoryContext []any }
			Agents       map[string]struct{ ActiveContext []any }
		}
		if err := json.Unmarshal(c.Final, &f); err != nil {
			t.Fatal(err)
		}
		items := len(f.Conversation.HistoryContext)
		for _, a := range f.Agents {
			items += len(a.ActiveContext)
		}
		if d.Format != model.FormatHistoryItems || d.Items != items || len(d.Conversations[0].Threads) != 1+len(f.Agents) {
			t.Fatalf("%s with %d items of %d", d.Format, d.Items, items)
		}
		checkDocument(t, d)
		checkRewrites(t, d, 2)
	}
}

func TestHistoryItemsRecognised(t *testing.T) {
	for text, want := range map[string]model.Format{
		`[{"message":{"role":"user","content":[{"text":"x"}]}}]`:                                                  model.FormatHistoryItems,
		`[{"function_call":{"call_id":"1","name":"f","arguments":"{}"}}]`:                                         model.FormatHistoryItems,
		`[{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]}]`:                         model.FormatResponses, // flat items are those of a provider request
		`[{"type":"function_call_output","call_id":"1","output":"x"},{"type":"new","x":1}]`:                       model.FormatResponses,
		`{"agents":[{"id":"A","activeContext":[{"message":{"role":"user","content":[{"text":"x"}]}}]}]}`:          model.FormatHistoryItems,
		`[{"type":"user","uuid":"u","sessionId":"s","message":{"role":"user","content":[{"text":"x"}]}}]`:         "",
		`{"messages":[{"role":"user","content":"x"}],"historyContext":null}`:                                      model.FormatOpenAI,
		`[{"type":"message","role":"assistant","content":[{"type":"text","text":"x"}],"stop_reason":"end_turn"}]`: model.FormatAnthropic,
		`[{"role":"user","content":"x"}]`:                                                                         model.FormatOpenAI,
		`{"historyContext":[]}`:                                                                                   "",
		`{"historyContext":"[]"}`:                                                                                 "",
		`{"agents":[{"activeContext":{}}]}`:                                                                       "",
	} {
		d, err := readBytes("test", []byte(text))
		if err != nil {
			if want != "" {
				t.Errorf("%s: %v", text, err)
			}
			continue
		}
		if want == "" && d.Format == model.FormatHistoryItems || want != "" && d.Format != want {
			t.Errorf("%s is taken for %s, want %q", text, d.Format, want)
		}
	}
}

// Damage is reported and costs nothing beside it.
func TestHistoryItemsDamage(t *testing.T) {
	d := mustRead(t, `{"historyContext": [null, 5, "x", {}, {"message": 1}, {"message": {}}, {"function_call": {}}, {"function_call_output": {"call_id": "q"}},
		{"message": {"role": "narrator", "content": [{"text": "then"}]}}, {"message": {"role": "user", "content": "plain"}}], "agents": 5}`)
	checkDocument(t, d)
	codes := map[string]int{}
	for _, n := range d.Notes {
		codes[n.Code]++
	}
	if codes["orphan-result"] != 1 || codes["unknown-role"] == 0 || len(d.Damaged()) != 0 {
		t.Errorf("%+v", d.Notes)
	}
	if got := threadText(t, d, d.Conversations[0].Main()); !strings.Contains(got, "user plain\n") {
		t.Errorf("%s", got)
	}
	if _, err := readBytes("cut", []byte(twoAgents[:len(twoAgents)/2])); err == nil {
		t.Error("half a document was opened")
	}
}

// Random documents in both forms, spelled in many ways: untouched they come out
// byte for byte, and a compaction is what it promises.
func TestHistoryItemsProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawSpelling(t)
		d := mustRead(t, s.spell(false, ordered{{"conversationId", "c"}, {"historyContext", genItems(t)}, {"agents", []any{
			ordered{{"agentId", "A"}, {"activeContext", genItems(t)}}}}}))
		if d.Format != model.FormatHistoryItems {
			t.Fatalf("recognised as %s", d.Format)
		}
		checkDocument(t, d)
		checkDropNothing(t, d)
		th := d.Conversations[0].Main()
		live := th.Live(len(th.History))
		if len(live) == 0 {
			return
		}
		starts := append([]int{0}, legalCuts(th, live, 0)...)
		from := starts[rapid.IntRange(0, len(starts)-2).Draw(t, "from")]
		ends := legalCuts(th, live, from)
		checkRewrite(t, d, 0, live, from, ends[rapid.IntRange(0, len(ends)-1).Draw(t, "to")])
	})
}

// genItems draws a list of items.
func genItems(t *rapid.T) []any {
	out := []any{}
	put := func(it historyitem.Item) { out = append(out, json.RawMessage(it.Raw())) }
	for n := range rapid.IntRange(1, 8).Draw(t, "rounds") {
		f := rapid.SampledFrom([]historyitem.Form{historyitem.Wrapped, historyitem.Flat}).Draw(t, "form")
		put(f.Message("user", fmt.Sprintf("Question %d, 漢字 \"?\"", n)))
		if rapid.IntRange(0, 4).Draw(t, "strange") == 0 {
			out = append(out, json.RawMessage(`{"type":"strange","n":58.0}`))
		}
		var ids []string
		for k := range rapid.IntRange(0, 2).Draw(t, "calls") {
			id := fmt.Sprintf("call_%d_%d", n, k)
			ids = append(ids, id)
			put(f.Call(id, "f", `{"x": 1}`))
		}
		for _, id := range rapid.Permutation(ids).Draw(t, "order") {
			put(f.Output(id, "out of "+id))
		}
		if rapid.Bool().Draw(t, "answered") {
			put(f.Message("assistant", fmt.Sprint("Answer ", n)))
		}
	}
	return out
}

func FuzzReadHistoryItems(f *testing.F) {
	fuzzRead(f, model.FormatHistoryItems, []string{twoAgents,
		`[{"message":{"role":"user","content":[{"text":"x"}]}}, {"function_call":{}}, {"function_call_output":{"output":[{"text":"y"}]}}]`,
		`[{"type":"message","role":"user","content":[{"type":"input_text","text":"x"}]},{"type":"web_search_call","id":"w"},null]`,
		`{"conversation":{"historyContext":[{"message":{"type":1,"content":"[Conversation summary - earlier context]\nS"}}]},"agents":{"\u0041":{"activeContext":[{}]}}}`})
}
