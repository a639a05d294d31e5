package histories

import (
	"context"
	"slices"
	"time"

	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/internal/openai"
	"palimpsest/model/transcript/jspan"
)

// HistoryItems reads lists of Codex history items, wrapped or flat (package
// historyitem): a document with the shared history of a conversation and the
// active context of each of its agents, or one bare list.
//
// Every list is a thread: the shared history is the main one, an agent's context
// is a thread of that agent. A document without a shared history has the agents'
// threads only; that of one agent is the object of the agent. All of a list is live;
// a summary in it replaces items that are gone. The numbers beside the lists count
// the whole conversation, which a compaction does not make shorter, so they stay.
type HistoryItems struct{ codec.InPlace }

func (HistoryItems) Info() codec.Info {
	return codec.Info{Format: model.FormatHistoryItems, Title: "Codex history items",
		How: "an object with historyContext and agents with an activeContext; one agent with its activeContext; " +
			"or an array of items (message, function_call, function_call_output)"}
}

func (HistoryItems) Recognise(s *codec.Sniff) (int, string) {
	switch v := s.Whole; {
	case v.Kind == jspan.Object && hasContexts(v):
		return 95, "an object with historyContext or activeContext lists"
	case v.Kind == jspan.Array:
		wrapped, flat := itemsIn(v)
		if wrapped > 0 {
			return 90, "an array of wrapped history items"
		}
		if flat > 0 {
			return 60, "an array of flat history items"
		}
	}
	return 0, ""
}

// hasContexts reports whether a document has a list of items.
func hasContexts(v jspan.Value) bool {
	has := historyOf(v).Kind == jspan.Array
	eachAgent(v, func(_ string, a jspan.Value) { has = has || a.Get("activeContext").Kind == jspan.Array })
	return has
}

// historyOf is the list that all agents share.
func historyOf(v jspan.Value) jspan.Value {
	if h := v.Get("historyContext"); h.Exists() {
		return h
	}
	return v.Get("conversation", "historyContext")
}

// eachAgent calls f for the agents of a document: the elements of an array, the
// members of an object, which are called like the agents, or the document itself.
func eachAgent(v jspan.Value, f func(id string, a jspan.Value)) {
	byID := func(_ int, a jspan.Value) bool {
		f(codec.FirstOf(a.Get("agentId").TextN(200), a.Get("id").TextN(200), a.Get("name").TextN(200)), a)
		return true
	}
	if v.Has("activeContext") {
		byID(0, v)
	}
	agents := v.Get("agents")
	agents.Items(byID)
	for key, a := range agents.Each {
		name, err := jspan.Parse(slices.Concat([]byte{'"'}, key, []byte{'"'}), 0)
		if err == nil {
			f(name.TextN(200), a)
		}
	}
}

// itemsIn counts the history items among the first elements of an array, by
// their form; both are 0 when others are the majority. Messages in the flat form
// are spelled like those of other formats, so they count beside an item or a
// content block that only this form has.
func itemsIn(v jspan.Value) (wrapped, flat int) {
	seen, sure := 0, false
	for _, e := range v.Items {
		seen++
		switch {
		case isWrapped(e):
			wrapped++
		case openai.IsBareItem(e):
			flat++
			switch e.Get("content").Index(0).Get("type").TextN(16) {
			case "input_text", "output_text":
				sure = true
			}
			sure = sure || e.Get("type").TextN(8) != "message"
		}
		if seen >= codec.SniffLines {
			break
		}
	}
	if !sure {
		flat = 0
	}
	if (wrapped+flat)*2 < seen {
		return 0, 0
	}
	return wrapped, flat
}

// isWrapped recognises a wrapped item that no other tool's record looks like.
func isWrapped(v jspan.Value) bool {
	for _, foreign := range []string{"uuid", "type", "role", "index", "messages"} {
		if v.Has(foreign) {
			return false
		}
	}
	switch kind, body := historyitem.Unwrap(v); kind {
	case historyitem.Message:
		return body.Get("role").Kind == jspan.String && body.Get("content").Kind == jspan.Array
	case historyitem.Call, historyitem.Output:
		return body.Has("call_id")
	}
	return false
}

func (f HistoryItems) Read(ctx context.Context, b *codec.Builder) error {
	b.Doc.Codec = f
	c := &model.Conversation{}
	if b.Whole.Kind == jspan.Array {
		c.Agents = []model.Agent{{ID: "main", Name: "main"}}
		f.thread(b, c, &model.Thread{ID: "main", AgentID: "main"}, b.Whole)
	} else {
		c.ID = codec.FirstOf(b.Whole.Get("conversationId").TextN(200), b.Whole.Get("conversation", "id").TextN(200))
		c.Title = codec.Title(codec.Preview(b.Whole.Get("title").TextN(codec.PreviewScan)))
		if shared := historyOf(b.Whole); shared.Exists() {
			c.Shared = sharedStats(b.Whole)
			f.thread(b, c, &model.Thread{ID: "history", Kind: model.ThreadShared}, shared)
		}
		eachAgent(b.Whole, func(id string, a jspan.Value) {
			x := model.Agent{ID: id, Name: id, Parent: a.Get("calledBy").TextN(200), Stats: agentStats(id, a)}
			kind := model.ThreadMain
			if x.Parent != "" {
				kind = model.ThreadSubagent
			}
			c.Agents = append(c.Agents, x)
			f.thread(b, c, &model.Thread{ID: id, AgentID: id, Kind: kind}, a.Get("activeContext"))
		})
	}
	b.Doc.Conversations = []*model.Conversation{c}
	return ctx.Err()
}

// sharedStats is what a document records of its shared history.
func sharedStats(v jspan.Value) *model.HistoryStats {
	if c := v.Get("conversation"); c.Has("historyContext") {
		v = c
	}
	return &model.HistoryStats{Messages: int(v.Get("messageCount").Int()),
		LastContent: v.Get("lastMessageContent").TextN(codec.PreviewScan),
		LastType:    v.Get("lastMessageType").TextN(200), LastAt: moment(v.Get("lastMessageAt"))}
}

// agentStats is what a document records of an agent; nil: nothing.
func agentStats(id string, v jspan.Value) *model.AgentStats {
	s := model.AgentStats{Agent: id, Caller: v.Get("calledBy").TextN(200), State: v.Get("stateDescription").TextN(codec.PreviewScan),
		Interactions: int(v.Get("interactionCount").Int()), LastType: v.Get("lastInteractionType").TextN(200),
		LastAt: moment(v.Get("lastInteractionAt"))}
	if s == (model.AgentStats{Agent: id, Caller: s.Caller}) {
		return nil
	}
	return &s
}

// moment is a time as exact as it is spelled; the zero time: it is not known.
func moment(v jspan.Value) (t time.Time) {
	if v.Kind == jspan.String && t.UnmarshalText(v.Bytes()) == nil {
		return t
	}
	if ms := codec.Millis(v); ms > 0 {
		return time.UnixMilli(ms).UTC()
	}
	return time.Time{}
}

// thread reads one list. An empty one is a thread, too: threads are in the
// order of their lists, whatever a compaction takes out of them.
func (HistoryItems) thread(b *codec.Builder, c *model.Conversation, th *model.Thread, list jspan.Value) {
	r := openai.NewCodexReader(b)
	r.Th, r.Conv = th, c
	if list.Kind == jspan.Array {
		array := b.Array(list, model.Piece{})
		for i, v := range list.Items {
			b.Doc.Items++
			r.Item(flatItem(v), b.Elem(array, i), 0)
		}
	}
	if c.Title == "" {
		for _, i := range th.History {
			if m := &th.Messages[i]; m.Typed() {
				c.Title = codec.Title(m.Preview)
				break
			}
		}
	}
	c.Threads = append(c.Threads, th)
}

// flatItem is a wrapped item in the flat form, for what reads Codex' items; all
// others are given as they are.
func flatItem(v jspan.Value) jspan.Value {
	kind, body := historyitem.Unwrap(v)
	if body.Off == v.Off || kind == historyitem.Other {
		return v
	}
	name := map[historyitem.Kind]string{historyitem.Message: "message", historyitem.Call: "function_call",
		historyitem.Output: "function_call_output"}[kind]
	text := append([]byte(`{"type":"`), name...)
	text = append(text, '"')
	if body.Count() > 0 {
		text = append(text, ',')
	}
	flat, err := jspan.Parse(append(text, body.Raw()[1:]...), 0)
	if err != nil {
		return v // nested as deep as may be
	}
	return flat
}

// Parts implements [model.Codec].
func (HistoryItems) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	return codec.ReadItems(d, m, func(v jspan.Value, out []model.Part) []model.Part { return codec.ItemParts(flatItem(v), out) })
}

// Summary spells a user message, as Codex does, in the form of its neighbour.
func (HistoryItems) Summary(d *model.Document, th *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	if like.Has("type") || like.Has("role") {
		return openai.Codex{}.Summary(d, th, s, like)
	}
	block := edit.NewObject(d).Str("text", s.Text).Done()
	message := edit.NewObject(d).Str("role", "user").Raw("content", edit.List(block)).Done()
	return edit.NewObject(d).Raw("message", message).Done(), nil
}

// ResultContent is the output of the call.
func (HistoryItems) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpan(d, m.Pieces[:1], func(v jspan.Value) jspan.Value {
		_, body := historyitem.Unwrap(v)
		return body.Get("output")
	})
}
