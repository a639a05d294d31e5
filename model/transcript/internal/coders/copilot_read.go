package coders

import (
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// copilotReader builds the thread of the session or of one sub-agent.
type copilotReader struct {
	*codec.Chat
	top    *copilotReader
	last   int32 // the last message; meaningless in an empty thread
	answer int32 // the last answer

	turn  []model.Piece    // turns that were begun and have no answer yet
	ahead []model.Piece    // hooks that ran before what they belong to
	hooks map[string]int32 // invocation of a hook → the message it went to; -1: still ahead

	model   string
	agents  map[string]*copilotReader // id of the call that started it → a sub-agent
	names   map[string]string         // id of a call → name of the agent it starts
	unknown codec.Tally
}

// flushAhead gives what is still ahead to the last message.
func (r *copilotReader) flushAhead() {
	if len(r.Th.Messages) == 0 {
		return
	}
	for _, p := range append(r.turn, r.ahead...) {
		r.Duplicate(r.last, p)
	}
	for id, at := range r.hooks {
		if at < 0 {
			r.hooks[id] = r.last
		}
	}
	r.turn, r.ahead = nil, nil
}

// addWithAhead adds a message, with what ran ahead of it.
func (r *copilotReader) addWithAhead(m model.Message, v jspan.Value) {
	at := r.Add(m, v)
	r.last = at
	if m.Kind == model.KindAssistant {
		r.answer = at
		for _, p := range r.turn {
			r.Duplicate(at, p)
		}
		r.turn = nil
	}
	for _, p := range r.ahead {
		r.Duplicate(at, p)
	}
	r.ahead = nil
	for id, to := range r.hooks {
		if to < 0 {
			r.hooks[id] = at
		}
	}
}

// duplicate lets an event go where a message goes; with no message yet it is loose.
func (r *copilotReader) duplicate(at int32, p model.Piece) {
	if int(at) < len(r.Th.Messages) {
		r.Duplicate(at, p)
	}
}

func (r *copilotReader) event(v jspan.Value, p model.Piece) {
	data := v.Get("data")
	if id := data.Get("parentToolCallId").TextN(200); id != "" && r == r.top {
		r.agent(id).event(v, p)
		return
	}
	m := model.Message{ID: v.Get("id").TextN(200), Time: codec.Millis(v.Get("timestamp")), Pieces: []model.Piece{p}}
	switch kind := v.Get("type").TextN(60); kind {
	case "system.message":
		r.B.Doc.Items++
		r.system(data, m, v)
	case "user.message":
		r.B.Doc.Items++
		r.flushTurns()
		r.user(data, m, v)
	case "assistant.message":
		r.B.Doc.Items++
		r.assistant(data, m, v)
	case "tool.execution_complete":
		r.result(data, m, v)
	case "tool.execution_start", "tool.execution_progress", "tool.execution_partial_result":
		if at, ok := r.caller(copilotCall(data)); ok {
			r.Duplicate(at, p)
		}
	case "assistant.turn_start":
		r.turn = append(r.turn, p)
	case "assistant.turn_end":
		r.flushTurns()
		r.duplicate(r.answer, p)
	case "abort":
		r.flushTurns()
	case "hook.start":
		r.hook(data, p)
	case "hook.end":
		r.hookEnd(data, p)
	case "subagent.started":
		r.names[copilotCall(data)] = codec.FirstOf(data.Get("agentDisplayName").TextN(200),
			data.Get("agentName").TextN(200))
	case "subagent.completed", "subagent.failed", "subagent.selected", "skill.invoked", "assistant.intent", "assistant.usage",
		"assistant.reasoning", "permission.requested", "permission.completed":
	default:
		if strings.HasPrefix(kind, "session.") {
			r.session(kind, data, m)
		} else {
			r.top.unknown.Add(r.B, kind)
		}
	}
}

// session reads an event of the session itself.
func (r *copilotReader) session(kind string, data jspan.Value, m model.Message) {
	switch kind {
	case "session.start", "session.resume":
		r.start(data)
	case "session.model_change":
		r.model = data.Get("newModel").TextN(200)
	case "session.title_changed":
		r.Conv.Title = codec.Title(codec.Preview(data.Get("title").TextN(codec.PreviewScan)))
	case "session.compaction_complete":
		r.compaction(data, m)
	case "session.truncation":
		r.B.Note("live-unproven", "its tool cut the oldest messages out of its requests; which is not in the file, so all stay")
	case "session.context_cleared":
		r.flushAhead()
		r.HidePast()
		r.AddCompaction(r.Live, model.Found{Summary: -1, Time: m.Time, Cause: "clear"})
	}
}

// flushTurns gives turns that got no answer to the message before them.
func (r *copilotReader) flushTurns() {
	for _, p := range r.turn {
		r.duplicate(r.last, p)
	}
	r.turn = nil
}

func (r *copilotReader) start(data jspan.Value) {
	if r.Conv.ID == "" {
		r.Conv.ID = data.Get("sessionId").TextN(200)
		r.Conv.Dir = data.Get("context", "cwd").TextN(1000)
	}
	if m := data.Get("selectedModel").TextN(200); m != "" {
		r.model = m
	}
}

// system takes the system prompt. Each turn and each resume repeats it:
// the same text is a copy of it.
func (r *copilotReader) system(data jspan.Value, m model.Message, v jspan.Value) {
	content := data.Get("content")
	for i := range r.Th.Messages {
		first := &r.Th.Messages[i]
		if first.Kind != model.KindSystem {
			continue
		}
		was, err := edit.ParseAt(r.B.Doc, first.Pieces[0].Span)
		if err == nil && string(was.Get("data", "content").Raw()) == string(content.Raw()) {
			r.Duplicate(int32(i), m.Pieces[0])
			return
		}
	}
	m.Role, m.Kind = codec.RoleOf(data.Get("role"))
	if m.Kind != model.KindSystem {
		m.Role, m.Kind = model.RoleSystem, model.KindSystem
	}
	m.Preview = codec.Preview(content.TextN(codec.PreviewScan))
	r.addWithAhead(m, v)
}

func (r *copilotReader) user(data jspan.Value, m model.Message, v jspan.Value) {
	head := data.Get("content").TextN(codec.PreviewScan)
	codec.SetUser(&m, head)
	if source := data.Get("source").TextN(40); source != "" && source != "user" && m.Kind == model.KindUser {
		m.Origin = model.OriginInjected
	}
	m.Preview = codec.Preview(head)
	r.addWithAhead(m, v)
}

func (r *copilotReader) assistant(data jspan.Value, m model.Message, v jspan.Value) {
	m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
	m.Model = r.B.Intern(codec.FirstOf(data.Get("model").TextN(200), r.model))
	if n := codec.Tokens(data.Get("outputTokens")); n > 0 { // of the input nothing is said
		m.Usage = &model.Usage{Output: n}
	}
	head := data.Get("content").TextN(codec.PreviewScan)
	for _, e := range data.Get("toolRequests").Items {
		c := model.Call{ID: copilotCall(e), Name: r.B.Intern(e.Get("name").TextN(200))}
		m.Calls = append(m.Calls, c)
		if head == "" {
			head = c.Name + " " + codec.SpelledHead(e.Get("arguments"))
		}
	}
	m.Preview = codec.Preview(head)
	r.addWithAhead(m, v)
}

// copilotCall is the id of a call. A line end in it comes of a record that was split there.
func copilotCall(v jspan.Value) string {
	return strings.ReplaceAll(v.Get("toolCallId").TextN(200), "\n", "")
}

func (r *copilotReader) result(data jspan.Value, m model.Message, v jspan.Value) {
	m.Role, m.Kind, m.Answers = model.RoleTool, model.KindResult, copilotCall(data)
	m.Error = data.Get("success").Kind == jspan.False
	m.Preview = codec.Preview(copilotOutput(data).TextN(codec.PreviewScan))
	r.addWithAhead(m, v)
}

// caller is the message that made a call.
func (r *copilotReader) caller(id string) (int32, bool) {
	for k := len(r.Calls) - 1; k >= 0; k-- {
		if r.Calls[k].ID == id {
			return r.Calls[k].Msg, true
		}
	}
	return 0, false
}

// hook keeps a hook for the message it runs ahead of: a tool's result, a
// prompt. Hooks at an end belong to what was there last.
func (r *copilotReader) hook(data jspan.Value, p model.Piece) {
	id := data.Get("hookInvocationId").TextN(200)
	switch data.Get("hookType").TextN(40) {
	case "preToolUse", "postToolUse", "userPromptSubmitted":
		r.ahead = append(r.ahead, p)
		r.hooks[id] = -1
	default:
		r.duplicate(r.last, p)
		r.hooks[id] = r.last
	}
}

func (r *copilotReader) hookEnd(data jspan.Value, p model.Piece) {
	at, ok := r.hooks[data.Get("hookInvocationId").TextN(200)]
	switch {
	case !ok:
	case at < 0:
		r.ahead = append(r.ahead, p)
	default:
		r.duplicate(at, p)
	}
}

// compaction leaves the system prompt and a summary.
func (r *copilotReader) compaction(data jspan.Value, m model.Message) {
	if data.Get("success").Kind == jspan.False {
		return
	}
	r.flushAhead()
	f := model.Found{Summary: -1, Time: m.Time}
	count := func(k string) *int {
		if n := data.Get(k); n.Kind == jspan.Number {
			t := codec.Tokens(n)
			return &t
		}
		return nil
	}
	f.Before, f.After = count("preCompactionTokens"), count("postCompactionTokens")
	text := data.Get("summaryContent")
	if text.Kind != jspan.String { // it says that there was one, not what it left
		f.At = len(r.Th.History)
		r.Th.Found = append(r.Th.Found, f)
		return
	}
	r.HidePast()
	if text.Len() <= 2 { // its summary was dropped
		m.Role, m.Kind = model.RoleUser, model.KindBoundary
		r.Store(m)
		r.AddCompaction(r.Live, f)
		return
	}
	m.Role, m.Kind, m.Preview = model.RoleUser, model.KindSummary, codec.Preview(text.TextN(codec.PreviewScan))
	m.Pieces = []model.Piece{r.B.TextElem(text)}
	at := r.Store(m)
	f.Summary = int(at)
	r.AddCompaction(append(r.Live, at), f)
}

// agent is the reader of the sub-agent that a call started.
func (r *copilotReader) agent(call string) *copilotReader {
	if a, ok := r.agents[call]; ok {
		return a
	}
	name := r.names[call]
	th := &model.Thread{ID: call, AgentID: call, Kind: model.ThreadSubagent}
	r.Conv.Threads = append(r.Conv.Threads, th)
	r.Conv.Agents = append(r.Conv.Agents, model.Agent{ID: call, Name: name, Parent: r.Th.AgentID})
	a := &copilotReader{Chat: r.Sibling(th), top: r, hooks: map[string]int32{}, model: r.model}
	r.agents[call] = a
	return a
}
