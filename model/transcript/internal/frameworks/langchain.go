package frameworks

import (
	"context"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// LangChain reads the messages of LangChain and LangGraph in their three
// spellings: the constructor form {lc, type, id, kwargs}, {type, data}, and the
// flat {type, content, …}; in an array, a state, a checkpoint or a run.
type LangChain struct{ codec.InPlace }

func (LangChain) Info() codec.Info {
	return codec.Info{Format: model.FormatLangChain, Title: "LangChain messages",
		How: "messages of type human, ai or tool with content or data, or constructors named HumanMessage, AIMessage …"}
}

// lcForm is how a message is spelled.
type lcForm uint8

const (
	lcNone lcForm = iota
	lcConstructor
	lcData
	lcFlat
)

// lcTypes gives the role of a type, and of a class without "Message".
var lcTypes = map[string]model.Role{"human": model.RoleUser, "ai": model.RoleAssistant, "system": model.RoleSystem,
	"tool": model.RoleTool, "function": model.RoleTool, "chat": model.RoleOther, "remove": model.RoleOther,
	"developer": model.RoleDeveloper}

// lcMessage takes a message apart: its spelling, the object that holds its
// members, and its type.
func lcMessage(v jspan.Value) (form lcForm, body jspan.Value, kind string) {
	var lc, typ, id, kwargs, data, content jspan.Value
	for key, val := range v.Each {
		switch string(key) {
		case "lc":
			lc = val
		case "type":
			typ = val
		case "id":
			id = val
		case "kwargs":
			kwargs = val
		case "data":
			data = val
		case "content":
			content = val
		}
	}
	kind = lcKind(typ.TextN(40))
	switch {
	case lc.Exists() && typ.TextN(12) == "constructor" && kwargs.Kind == jspan.Object:
		for _, e := range id.Items {
			kind = lcKind(e.TextN(60))
		}
		if _, ok := lcTypes[kind]; ok {
			return lcConstructor, kwargs, kind
		}
		return lcNone, v, ""
	case data.Kind == jspan.Object && data.Has("content"):
		form, body = lcData, data
	case content.Exists():
		form, body = lcFlat, v
	}
	if _, ok := lcTypes[kind]; !ok {
		return lcNone, v, ""
	}
	return form, body, kind
}

// lcKind is the type that a type or class name means.
func lcKind(name string) string {
	if class, ok := strings.CutSuffix(strings.TrimSuffix(name, "Chunk"), "Message"); ok {
		return strings.ToLower(class)
	}
	return name
}

func isLCMessage(v jspan.Value) bool {
	form, _, _ := lcMessage(v)
	return form != lcNone
}

// isSureLCMessage recognises a message that nobody else spells so.
func isSureLCMessage(v jspan.Value) bool {
	form, _, kind := lcMessage(v)
	return form == lcConstructor || form != lcNone && (kind == "human" || kind == "ai")
}

// isLCList recognises a list of messages, one of which at least is a person's or
// a model's: "system" and "tool" alone are types elsewhere too.
func isLCList(v jspan.Value) bool {
	if v.Kind != jspan.Array {
		return false
	}
	seen, good, sure := 0, 0, false
	for i, e := range v.Items {
		seen++
		if isLCMessage(e) {
			good++
			sure = sure || isSureLCMessage(e)
		}
		if i >= 19 {
			break
		}
	}
	return sure && good*2 >= seen
}

// lcPlaces are where a list of messages may lie in what holds it. Of a run the
// outputs come first: they hold its whole list, the inputs only its beginning.
var (
	lcOuter  = []string{"messages", "values", "channel_values", "checkpoint", "state", "outputs", "output", "inputs", "input"}
	lcPlaces = [][]string{nil, {"messages"}, {"messages"}, {"channel_values", "messages"}, {"messages"}, {"messages"}, {"messages"},
		{"messages"}, {"messages"}} // from there
)

// lcList finds the list of messages in a value.
func lcList(v jspan.Value) jspan.Value {
	if isLCList(v) {
		return v
	}
	for i, outer := range codec.MembersOf(v, lcOuter...) {
		list := outer.Get(lcPlaces[i]...)
		if isLCList(list) {
			return list
		}
		if inner := list.Index(0); isLCList(inner) { // a batch of one
			return inner
		}
	}
	return jspan.Value{}
}

func (LangChain) Recognise(s *codec.Sniff) (int, string) {
	if s.JSONLines {
		if s.Share(func(v jspan.Value) bool { return lcList(v).Exists() }) >= 0.5 {
			return 85, "LangChain messages, one conversation a line"
		}
		if s.Any(isSureLCMessage) && s.Share(isLCMessage) >= 0.5 {
			return 82, "LangChain messages, one a line"
		}
		return 0, ""
	}
	switch {
	case lcList(s.Whole).Exists():
		return 85, "a list of LangChain messages"
	case s.Whole.Kind == jspan.Array && lcList(s.Whole.Index(0)).Exists():
		return 83, "an array of states with LangChain messages"
	case isSureLCMessage(s.Whole):
		return 60, "a single LangChain message"
	}
	return 0, ""
}

func (f LangChain) Read(ctx context.Context, b *codec.Builder) error {
	if b.Whole.Exists() {
		if list := lcList(b.Whole); list.Exists() {
			f.conversation(b, b.Whole, list)
			return ctx.Err()
		}
		if isLCMessage(b.Whole) { // what is left of a file of one message a line
			f.element(b.NewChat(), b.Whole, b.Record(b.Whole))
			return nil
		}
		for _, e := range b.Whole.Items {
			f.state(b, e)
			if ctx.Err() != nil {
				break
			}
		}
		return ctx.Err()
	}
	var bare *codec.Chat
	return b.Lines(ctx, func(v jspan.Value) error {
		if !isLCMessage(v) {
			f.state(b, v)
			return nil
		}
		if bare == nil {
			bare = b.NewChat()
		}
		f.element(bare, v, b.Record(v))
		return nil
	})
}

// state reads one of several values that each hold a conversation.
func (f LangChain) state(b *codec.Builder, v jspan.Value) {
	if list := lcList(v); list.Exists() {
		f.conversation(b, v, list)
		return
	}
	b.NoteAt(v, "unknown-record", "neither a message nor a state with messages; it is kept in place")
}

func (f LangChain) conversation(b *codec.Builder, outer, list jspan.Value) {
	c := b.NewChat()
	if outer.Kind == jspan.Object {
		for _, k := range []string{"thread_id", "run_id", "id"} {
			if id := outer.Get(k); id.Kind == jspan.String && c.Conv.ID == "" {
				c.Conv.ID = id.TextN(200)
			}
		}
	}
	at := b.Array(list, model.Piece{})
	for i, e := range list.Items {
		if isLCMessage(e) {
			f.element(c, e, b.Elem(at, i))
		} else {
			b.NoteAt(e, "unknown-record", "not a message; it is kept in place")
		}
	}
	c.Finish()
}

// element adds one message.
func (LangChain) element(c *codec.Chat, v jspan.Value, p model.Piece) {
	c.B.Doc.Items++
	_, body, kind := lcMessage(v)
	x := lcMembers(body)
	m := model.Message{ID: x.id.TextN(200), Name: c.B.Intern(x.name.TextN(200)), Pieces: []model.Piece{p}}
	m.Role, m.Kind = lcTypes[kind], model.KindOther
	head := codec.ContentHead(x.content)
	switch m.Role {
	case model.RoleUser:
		codec.SetUser(&m, head)
		if x.extra.Get("lc_source").TextN(20) == "summarization" {
			m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
		}
	case model.RoleAssistant:
		m.Kind = model.KindAssistant
		m.Calls = lcCalls(c.B, x)
		m.Usage = lcUsage(x)
		m.Model = c.B.Intern(codec.FirstOf(x.response.Get("model_name").TextN(200), x.response.Get("model").TextN(200)))
	case model.RoleSystem, model.RoleDeveloper:
		m.Kind = model.KindSystem
		codec.MarkSummary(&m, head)
	case model.RoleTool:
		m.Kind, m.Answers, m.Error = model.KindResult, x.answers.TextN(200), x.status.TextN(8) == "error"
	case model.RoleOther:
		if kind == "chat" {
			m.Role, m.Kind = codec.RoleOf(x.role)
		}
		if m.Kind == model.KindUser {
			m.Origin = model.OriginTyped
		}
		if m.Kind == model.KindOther { // a removal, or a role of the program's own
			m.Preview = codec.Preview(codec.FirstOf(head, kind))
			c.Store(m)
			return
		}
	}
	if head == "" && len(m.Calls) > 0 {
		head = m.Calls[0].Name + " " + codec.SpelledHead(x.calls.Index(0).Get("args"))
	}
	m.Preview = codec.Preview(head)
	c.Add(m, v)
}
