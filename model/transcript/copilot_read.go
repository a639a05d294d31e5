package transcript

import (
	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// copilotReader builds the thread of the session or of one sub-agent.
type copilotReader struct {
	*chat
	top    *copilotReader
	last   int32 // the last message; meaningless in an empty thread
	answer int32 // the last answer

	turn  []model.Piece    // turns that were begun and have no answer yet
	ahead []model.Piece    // hooks that ran before what they belong to
	hooks map[string]int32 // invocation of a hook → the message it went to; -1: still ahead

	model   string
	agents  map[string]*copilotReader // id of the call that started it → a sub-agent
	names   map[string]string         // id of a call → name of the agent it starts
	unknown tally
}

// settle gives what is still ahead to the last message.
func (r *copilotReader) settle() {
	if len(r.th.Messages) == 0 {
		return
	}
	for _, p := range append(r.turn, r.ahead...) {
		r.duplicate(r.last, p)
	}
	for id, at := range r.hooks {
		if at < 0 {
			r.hooks[id] = r.last
		}
	}
	r.turn, r.ahead = nil, nil
}

// put adds a message, with what ran ahead of it.
func (r *copilotReader) put(m model.Message, v jspan.Value) {
	at := r.add(m, v)
	r.last = at
	if m.Kind == model.KindAssistant {
		r.answer = at
		for _, p := range r.turn {
			r.duplicate(at, p)
		}
		r.turn = nil
	}
	for _, p := range r.ahead {
		r.duplicate(at, p)
	}
	r.ahead = nil
	for id, to := range r.hooks {
		if to < 0 {
			r.hooks[id] = at
		}
	}
}

// beside lets an event go where a message goes; with no message yet it is loose.
func (r *copilotReader) beside(at int32, p model.Piece) {
	if int(at) < len(r.th.Messages) {
		r.duplicate(at, p)
	}
}

func (r *copilotReader) event(v jspan.Value, p model.Piece) {
	data := v.Get("data")
	if id := data.Get("parentToolCallId").TextN(200); id != "" && r == r.top {
		r.agent(id).event(v, p)
		return
	}
	m := model.Message{ID: v.Get("id").TextN(200), Time: millis(v.Get("timestamp")), Pieces: []model.Piece{p}}
	switch kind := v.Get("type").TextN(60); kind {
	case "session.start", "session.resume":
		r.start(data)
	case "session.model_change":
		r.model = data.Get("newModel").TextN(200)
	case "session.title_changed":
		r.conv.Title = title(preview(data.Get("title").TextN(previewScan)))
	case "system.message":
		r.b.doc.Items++
		r.system(data, m, v)
	case "user.message":
		r.b.doc.Items++
		r.settleTurns()
		r.user(data, m, v)
	case "assistant.message":
		r.b.doc.Items++
		r.assistant(data, m, v)
	case "tool.execution_complete":
		r.result(data, m, v)
	case "tool.execution_start", "tool.execution_progress", "tool.execution_partial_result":
		if at, ok := r.caller(data.Get("toolCallId").TextN(200)); ok {
			r.duplicate(at, p)
		}
	case "assistant.turn_start":
		r.turn = append(r.turn, p)
	case "assistant.turn_end":
		r.settleTurns()
		r.beside(r.answer, p)
	case "abort":
		r.settleTurns()
	case "hook.start":
		r.hook(data, p)
	case "hook.end":
		r.hookEnd(data, p)
	case "session.compaction_complete":
		r.compaction(data, m)
	case "subagent.started":
		r.names[data.Get("toolCallId").TextN(200)] = firstOf(data.Get("agentDisplayName").TextN(200), data.Get("agentName").TextN(200))
	case "subagent.completed", "subagent.failed", "subagent.selected", "skill.invoked", "assistant.intent", "assistant.usage", "assistant.reasoning":
	default:
		if family := kind[:min(len(kind), 8)]; family != "session." {
			r.top.unknown.add(r.b, kind)
		}
	}
}

// settleTurns gives turns that got no answer to the message before them.
func (r *copilotReader) settleTurns() {
	for _, p := range r.turn {
		r.beside(r.last, p)
	}
	r.turn = nil
}

func (r *copilotReader) start(data jspan.Value) {
	if r.conv.ID == "" {
		r.conv.ID = data.Get("sessionId").TextN(200)
		r.conv.Dir = data.Get("context", "cwd").TextN(1000)
	}
	if m := data.Get("selectedModel").TextN(200); m != "" {
		r.model = m
	}
}

// system takes the system prompt. Each turn and each resume tells it again:
// the same text is a copy of it.
func (r *copilotReader) system(data jspan.Value, m model.Message, v jspan.Value) {
	content := data.Get("content")
	for i := range r.th.Messages {
		first := &r.th.Messages[i]
		if first.Kind != model.KindSystem {
			continue
		}
		was, err := parseAt(r.b.doc, first.Pieces[0].Span)
		if err == nil && string(was.Get("data", "content").Raw()) == string(content.Raw()) {
			r.duplicate(int32(i), m.Pieces[0])
			return
		}
	}
	m.Role, m.Kind = roleOf(data.Get("role"))
	if m.Kind != model.KindSystem {
		m.Role, m.Kind = model.RoleSystem, model.KindSystem
	}
	m.Preview = preview(content.TextN(previewScan))
	r.put(m, v)
}

func (r *copilotReader) user(data jspan.Value, m model.Message, v jspan.Value) {
	head := data.Get("content").TextN(previewScan)
	m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginTyped
	source := data.Get("source").TextN(40)
	switch {
	case isSummaryText(head):
		m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
	case isInjectedText(head), source != "" && source != "user":
		m.Origin = model.OriginInjected
	}
	m.Preview = preview(head)
	r.put(m, v)
}

func (r *copilotReader) assistant(data jspan.Value, m model.Message, v jspan.Value) {
	m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
	m.Model = r.b.intern(firstOf(data.Get("model").TextN(200), r.model))
	head := data.Get("content").TextN(previewScan)
	data.Get("toolRequests").Items(func(_ int, e jspan.Value) bool {
		c := model.Call{ID: e.Get("toolCallId").TextN(200), Name: r.b.intern(e.Get("name").TextN(200))}
		m.Calls = append(m.Calls, c)
		if head == "" {
			head = c.Name + " " + spelledHead(e.Get("arguments"))
		}
		return true
	})
	m.Preview = preview(head)
	r.put(m, v)
}

func (r *copilotReader) result(data jspan.Value, m model.Message, v jspan.Value) {
	m.Role, m.Kind, m.Answers = model.RoleTool, model.KindResult, data.Get("toolCallId").TextN(200)
	m.Error = data.Get("success").Kind == jspan.False
	m.Preview = preview(copilotOutput(data).TextN(previewScan))
	r.put(m, v)
}

// caller is the message that made a call.
func (r *copilotReader) caller(id string) (int32, bool) {
	for k := len(r.calls) - 1; k >= 0; k-- {
		if r.calls[k].id == id {
			return r.calls[k].msg, true
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
		r.beside(r.last, p)
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
		r.beside(at, p)
	}
}

// compaction leaves the system prompt and a summary.
func (r *copilotReader) compaction(data jspan.Value, m model.Message) {
	if data.Get("success").Kind == jspan.False {
		return
	}
	r.settle()
	f := model.Found{Summary: -1, Time: m.Time}
	count := func(k string) *int {
		if n := data.Get(k); n.Kind == jspan.Number {
			t := tokens(n)
			return &t
		}
		return nil
	}
	f.Before, f.After = count("preCompactionTokens"), count("postCompactionTokens")
	text := data.Get("summaryContent")
	if text.Kind != jspan.String { // it says that there was one, not what it left
		f.At = len(r.th.History)
		r.th.Found = append(r.th.Found, f)
		return
	}
	r.summarises()
	if text.Len() <= 2 { // its summary was dropped
		m.Role, m.Kind = model.RoleUser, model.KindBoundary
		r.store(m)
		r.compacted(r.live, f)
		return
	}
	m.Role, m.Kind, m.Preview = model.RoleUser, model.KindSummary, preview(text.TextN(previewScan))
	m.Pieces = []model.Piece{r.b.textElem(text)}
	at := r.store(m)
	f.Summary = int(at)
	r.compacted(append(r.live, at), f)
}

// agent is the reader of the sub-agent that a call started.
func (r *copilotReader) agent(call string) *copilotReader {
	if a, ok := r.agents[call]; ok {
		return a
	}
	name := r.names[call]
	th := &model.Thread{ID: call, AgentID: call, Kind: model.ThreadSubagent}
	r.conv.Threads = append(r.conv.Threads, th)
	r.conv.Agents = append(r.conv.Agents, model.Agent{ID: call, Name: name, Parent: r.th.AgentID})
	a := &copilotReader{chat: r.sibling(th), top: r, hooks: map[string]int32{}, model: r.model}
	r.agents[call] = a
	return a
}
