package coders

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// OpenCode reads the export of an opencode session: {info, messages:[{info,
// parts}]}. An answer may hold several steps, each a message of its own; a tool
// part is a call and its result in one. A message with a compaction part, and
// the finished summary after it, hide what came before.
type OpenCode struct{}

func (OpenCode) Info() codec.Info {
	return codec.Info{Format: model.FormatOpenCode, Title: "opencode session",
		How: "an object with info and messages that each have info and parts"}
}

func isOpenCode(v jspan.Value) bool {
	m := codec.MembersOf(v, "info", "messages")
	first := m[1].Index(0)
	return m[0].Kind == jspan.Object && first.Get("info", "role").Kind == jspan.String && first.Get("parts").Kind == jspan.Array
}

func (OpenCode) Recognise(s *codec.Sniff) (int, string) {
	switch {
	case s.JSONLines && s.Share(isOpenCode) >= .5:
		return 90, "an opencode session a line, as its database holds them"
	case s.JSONLines:
		return 0, ""
	case isOpenCode(s.Whole):
		return 92, "info and messages with info and parts, as opencode exports them"
	case s.Whole.Kind == jspan.Array && isOpenCode(s.Whole.Index(0)):
		return 90, "an array of opencode sessions"
	}
	return 0, ""
}

func (OpenCode) Read(ctx context.Context, b *codec.Builder) error {
	return b.EachValue(ctx, func(v jspan.Value) { readOpenCode(b, v) })
}

func readOpenCode(b *codec.Builder, v jspan.Value) {
	if !isOpenCode(v) {
		b.NoteAt(v, "unknown-record", "not a session; it is kept in place")
		return
	}
	info := v.Get("info")
	r := &openCodeReader{Chat: b.NewChat(), first: map[string]int{}}
	r.Conv.ID, r.Conv.Dir = info.Get("id").TextN(200), info.Get("directory").TextN(1000)
	if p := info.Get("parentID").TextN(200); p != "" { // a session that another one called
		r.Conv.Agents[0].Parent = p
	}
	list := b.Array(v.Get("messages"), model.Piece{})
	main, back, part := r, info.Get("revert", "messageID").TextN(200), info.Get("revert", "partID").Exists()
	for i, e := range v.Get("messages").Items {
		b.Doc.Items++
		first := back != "" && r == main && e.Get("info", "id").TextN(200) == back
		if first && !part {
			r = main.takenBack()
		}
		r.message(e, b.Elem(list, i))
		if first && part { // of that message only what follows a part
			r = main.takenBack()
		}
	}
	r = main
	if t := info.Get("title").TextN(200); t != "" {
		r.Conv.Title = codec.Title(codec.Preview(t))
	}
	r.Finish()
}

type openCodeReader struct {
	*codec.Chat
	tail  string         // of a compaction that waits for its summary: id of the first kept message
	auto  bool           // it came by itself
	waits bool           // there is one
	first map[string]int // id of a message → where it was stored
}

// takenBack reads messages that a person took back: the next prompt deletes them.
func (r *openCodeReader) takenBack() *openCodeReader {
	th := &model.Thread{ID: "revert", AgentID: "main", Kind: model.ThreadBranch}
	r.Conv.Threads = append(r.Conv.Threads, th)
	return &openCodeReader{Chat: r.Sibling(th), first: map[string]int{}}
}

// unsent reports whether an answer ended in an error and is not sent again: one that a
// person stopped is, if it says anything.
func (r *openCodeReader) unsent(info, parts jspan.Value) bool {
	if info.Get("error").Kind != jspan.Object {
		return false
	}
	for _, e := range parts.Items {
		if k := e.Get("type").TextN(20); k != "step-start" && k != "reasoning" {
			return info.Get("error", "name").TextN(40) != "MessageAbortedError"
		}
	}
	return true
}

// isOpenCodeSummary reports whether an answer is a summary that opencode goes on from: it came
// to its end, and without an error. Others are answers like any.
func isOpenCodeSummary(info jspan.Value) bool {
	return info.Get("summary").Bool() && info.Get("finish").TextN(40) != "" && info.Get("error").Kind != jspan.Object
}

func (r *openCodeReader) message(v jspan.Value, p model.Piece) {
	info, parts := v.Get("info"), v.Get("parts")
	m := model.Message{ID: info.Get("id").TextN(200), ParentID: info.Get("parentID").TextN(200),
		Time:   codec.Millis(info.Get("time", "created")),
		Pieces: []model.Piece{p}}
	m.Role, m.Kind = codec.RoleOf(info.Get("role"))
	r.first[m.ID] = len(r.Th.Messages)
	switch {
	case m.Kind == model.KindUser:
		r.user(m, v, parts)
	case m.Kind == model.KindAssistant && r.unsent(info, parts): // also a compaction that failed
		m.Kind = model.KindOther
		r.Store(m)
	case m.Kind == model.KindAssistant && isOpenCodeSummary(info):
		r.summary(m, parts)
	case m.Kind == model.KindAssistant:
		r.answer(m, info, parts, p)
	default:
		r.B.NoteAt(v, "unknown-role", "a message of a role that is not known; it is kept")
		r.Add(m, v)
	}
}

// user reads a person's message; what the program added to it is synthetic.
func (r *openCodeReader) user(m model.Message, v, parts jspan.Value) {
	head, typed := "", false
	for _, e := range parts.Items {
		switch e.Get("type").TextN(20) {
		case "compaction":
			r.waits, r.auto, r.tail = true, e.Get("auto").Bool(), e.Get("tail_start_id").TextN(200)
			m.Kind = model.KindBoundary
		case "text":
			synthetic := e.Get("synthetic").Bool() || e.Get("ignored").Bool()
			if head == "" || !synthetic && !typed {
				head = e.Get("text").TextN(codec.PreviewScan)
			}
			typed = typed || !synthetic
		case "file", "agent", "subtask":
			typed = true
		}
	}
	m.Preview = codec.Preview(head)
	if m.Kind == model.KindBoundary {
		r.Store(m)
		return
	}
	m.Origin = model.OriginInjected
	switch {
	case codec.IsSummaryText(head):
		m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
	case typed && !model.Injected(head):
		m.Origin = model.OriginTyped
	}
	r.Add(m, v)
}

// summary reads the answer that a compaction got. Its text replaces
// the messages before it.
func (r *openCodeReader) summary(m model.Message, parts jspan.Value) {
	var text jspan.Value
	for _, e := range parts.Items {
		if text.Kind != jspan.String && e.Get("type").TextN(20) == "text" {
			text = e.Get("text")
		}
	}
	f := model.Found{Summary: -1, Time: m.Time, Cause: map[bool]string{false: "manual", true: "auto"}[r.auto]}
	m.Kind = model.KindBoundary
	var base []int32
	if text.Kind == jspan.String && text.Len() > 2 {
		m.Kind, m.Preview, m.Pieces = model.KindSummary, codec.Preview(text.TextN(codec.PreviewScan)), []model.Piece{r.B.TextElem(text)}
	}
	at := r.Store(m)
	if m.Kind == model.KindSummary {
		f.Summary = int(at)
		base = append(base, at)
	}
	for i, ok := r.first[r.tail]; ok && r.tail != "" && i < int(at); i++ { // also of what a former one replaced
		if k := r.Th.Messages[i].Kind; k != model.KindOther && k != model.KindBoundary {
			base = append(base, int32(i))
		}
	}
	if !r.waits { // a summary that nothing asked for replaces nothing
		base = append(r.Live[:len(r.Live):len(r.Live)], base...)
	}
	r.AddCompaction(base, f)
	r.waits, r.tail = false, ""
}

// answer cuts an answer into its steps.
func (r *openCodeReader) answer(m model.Message, info, list jspan.Value, p model.Piece) {
	m.Model = r.B.Intern(info.Get("modelID").TextN(200))
	n := list.Count()
	if n == 0 {
		return // cut off before anything was said
	}
	at := r.B.Array(list, p)
	var step []jspan.Value
	from := 0
	end := func(to int, usage jspan.Value) {
		if len(step) > 0 {
			m := m
			m.Usage = openCodeUsage(usage)
			r.step(m, step, at, from)
		}
		step, from = nil, to
	}
	for i, e := range list.Items {
		if e.Get("type").TextN(12) == "step-start" {
			end(i, stepEnd(step).Get("tokens"))
		}
		step = append(step, e)
	}
	last := stepEnd(step).Get("tokens")
	if from == 0 {
		last = info.Get("tokens") // the only step
	}
	end(n, last)
}

// stepEnd is the part that ends a step, if it is there.
func stepEnd(step []jspan.Value) jspan.Value {
	for i := len(step) - 1; i >= 0; i-- {
		if step[i].Get("type").TextN(12) == "step-finish" {
			return step[i]
		}
	}
	return jspan.Value{}
}

// step adds the message of one step and the results of its tools. A tool part
// is a piece of both: a call and its result stay or go together.
func (r *openCodeReader) step(m model.Message, step []jspan.Value, list int32, from int) {
	head := ""
	m.Pieces = nil
	var results []model.Message
	for k, e := range step {
		p := r.B.Elem(list, from+k)
		m.Pieces = append(m.Pieces, p)
		switch e.Get("type").TextN(20) {
		case "text":
			if head == "" {
				head = e.Get("text").TextN(codec.PreviewScan)
			}
		case "tool":
			call := model.Call{ID: e.Get("callID").TextN(200), Name: r.B.Intern(e.Get("tool").TextN(200))}
			m.Calls = append(m.Calls, call)
			out, failed := openCodeOutput(e)
			if out.Exists() {
				results = append(results, model.Message{Role: model.RoleTool, Kind: model.KindResult, Answers: call.ID, Name: call.Name,
					Error: failed, Time: m.Time, Preview: codec.Preview(out.TextN(codec.PreviewScan)), Pieces: []model.Piece{p}})
			}
		}
	}
	if head == "" && len(m.Calls) > 0 {
		head = m.Calls[0].Name
	}
	m.Preview = codec.Preview(head)
	r.Add(m, step[0])
	for _, res := range results {
		r.Add(res, step[0])
	}
}

// openCodeOutput is the output of a tool; missing while it runs. A status other than 0 is a failure.
func openCodeOutput(e jspan.Value) (out jspan.Value, failed bool) {
	state := e.Get("state")
	if state.Get("status").TextN(12) == "error" {
		return state.Get("error"), true
	}
	return state.Get("output"), state.Get("metadata", "exit").Int() != 0
}

func openCodeUsage(v jspan.Value) *model.Usage {
	u := &model.Usage{CacheRead: codec.Tokens(v.Get("cache", "read")), CacheWrite: codec.Tokens(v.Get("cache", "write")),
		Output: codec.Tokens(v.Get("output")), Reasoning: codec.Tokens(v.Get("reasoning"))}
	if u.Input = codec.Tokens(v.Get("input")) + u.CacheRead + u.CacheWrite; u.Input == 0 {
		return nil
	}
	return u
}
