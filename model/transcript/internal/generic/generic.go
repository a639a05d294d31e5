package generic

import (
	"bytes"
	"context"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Format reads conversations that no format claims, by a field map that a
// person gives or that is guessed. Who speaks follows from the common words for
// it; another word is the name of an agent.
//
// The value in the registry is empty; that of a document has its map.
type Format struct {
	codec.InPlace
	Fields  *FieldMap
	at      fieldPaths
	Guessed bool
}

// New returns the format that reads by a field map, which a person gave.
func New(m *FieldMap) (Format, error) {
	at, err := m.paths()
	return Format{Fields: m, at: at}, err
}

func (Format) Info() codec.Info {
	return codec.Info{Format: model.FormatGeneric, Title: "Generic JSON",
		How: "a field map (--map messages=$.log,role=who,text=body), " +
			"or, where nothing else fits, a guess: a list of objects with something like a role and a text"}
}

// ReadOnly implements [codec.ReadOnly]: rows of several conversations are not written.
func (f Format) ReadOnly() string {
	if f.Fields == nil || f.Fields.By == "" {
		return ""
	}
	return "A table with the rows of several conversations is read, and not written."
}

// Recognise claims nothing: a guess is made only when every format declined.
func (Format) Recognise(*codec.Sniff) (int, string) { return 0, "" }

// Map is the field map that a document of this format was read by.
func (f Format) Map() *FieldMap { return f.Fields }

// MapOf is the field map that a document was read by; nil if none was used.
func MapOf(d *model.Document) *FieldMap {
	if g, ok := d.Codec.(interface{ Map() *FieldMap }); ok {
		return g.Map()
	}
	return nil
}

func (f Format) Read(ctx context.Context, b *codec.Builder) error {
	if f.Fields == nil {
		return mapProblem("None was given, and none could be guessed.")
	}
	if f.Guessed {
		b.Note("guessed", "no known format; read by a guess: "+f.Fields.String())
	}
	tables := map[string]*codec.Chat{} // by what their rows have in common
	row := func(v jspan.Value, p model.Piece) {
		key := ""
		if len(f.at.by) > 0 {
			key = edit.IDText(f.at.by.in(v))
		}
		c := tables[key]
		if c == nil {
			c = b.NewChat()
			c.Conv.ID = key
			tables[key] = c
		}
		f.element(c, v, p)
	}
	take := func(list jspan.Value) {
		if list.Kind != jspan.Array {
			b.NoteAt(list, "unknown-record", "not a list of messages; it is kept in place")
			return
		}
		at := b.Array(list, model.Piece{})
		if len(f.at.by) > 0 {
			for i, e := range list.Items {
				row(e, b.Elem(at, i))
			}
			return
		}
		c := b.NewChat()
		for i, e := range list.Items {
			f.element(c, e, b.Elem(at, i))
		}
		c.Finish()
	}
	if b.Whole.Kind == jspan.Object { // also the only line that there is
		switch p := f.at.messages; {
		case len(p) == 0:
			f.element(b.NewChat(), b.Whole, b.Record(b.Whole))
		case p[0].every:
			p[1:].each(b.Whole, take)
		default:
			p.each(b.Whole, take)
		}
		return ctx.Err()
	}
	if b.Whole.Exists() {
		f.at.messages.each(b.Whole, take)
		return ctx.Err()
	}
	return b.Lines(ctx, func(v jspan.Value) error {
		switch p := f.at.messages; {
		case len(p) == 0:
			row(v, b.Record(v))
		case p[0].every:
			p[1:].each(v, take)
		default:
			return mapProblem("The source is JSON Lines, an array of lines: messages= must begin with $[*], or be $.")
		}
		return nil
	})
}

// genericRoles are the common words for who speaks.
var genericRoles = map[string]model.Role{
	"user": model.RoleUser, "human": model.RoleUser, "customer": model.RoleUser, "client": model.RoleUser, "person": model.RoleUser,
	"prompter": model.RoleUser, "me": model.RoleUser, "question": model.RoleUser,
	"assistant": model.RoleAssistant, "ai": model.RoleAssistant, "bot": model.RoleAssistant, "gpt": model.RoleAssistant,
	"model": model.RoleAssistant, "agent": model.RoleAssistant, "chatgpt": model.RoleAssistant, "answer": model.RoleAssistant,
	"system": model.RoleSystem, "developer": model.RoleDeveloper,
	"tool": model.RoleTool, "function": model.RoleTool, "observation": model.RoleTool, "environment": model.RoleTool,
}

// RoleOf is what a common word for who speaks means; RoleOther for any other word.
func RoleOf(word string) model.Role {
	word = strings.ToLower(word)
	for _, tail := range roleTails {
		word = strings.TrimSuffix(word, tail)
	}
	return genericRoles[word]
}

// roleTails are what some put behind a word for who speaks: user_message, AssistantMessage.
var roleTails = []string{"message", "text", "result", "_", "-", "."}

// wordOf is the word for who speaks; of a mark such as is_user it is what that means.
func wordOf(name string, v jspan.Value) string {
	if v.Kind != jspan.True && v.Kind != jspan.False {
		return v.TextN(200)
	}
	if v.Bool() == !strings.Contains(strings.ToLower(name), "bot") {
		return "user"
	}
	return "assistant"
}

func (f Format) who(v jspan.Value) string {
	return wordOf(f.at.role[len(f.at.role)-1].name, f.at.role.in(v))
}

// element adds one message. What a tool said is the result of the call it names;
// where it names none it is an observation.
func (f Format) element(c *codec.Chat, v jspan.Value, p model.Piece) {
	role, text := f.at.role.in(v), f.at.text.in(v)
	calls := f.calls(c.B, v)
	if v.Kind != jspan.Object || !speaks(role) || !text.Exists() && len(calls) == 0 {
		c.B.NoteAt(v, "unknown-record", "without a role and a text by the field map; it is kept in place")
		return
	}
	c.B.Doc.Items++
	who := f.who(v)
	head := codec.ContentHead(text)
	m := model.Message{Preview: codec.Preview(head), Pieces: []model.Piece{p}}
	if m.Preview == "" && len(calls) > 0 {
		m.Preview = f.callHead(v)
	}
	f.about(c.B, &m, v)
	r := RoleOf(who)
	if who == f.Fields.Me && who != "" {
		r = model.RoleUser
		if m.Name == "" {
			m.Name = c.B.Intern(who)
		}
	}
	switch r {
	case model.RoleUser:
		codec.SetUser(&m, head)
	case model.RoleSystem, model.RoleDeveloper:
		m.Role, m.Kind = r, model.KindSystem
	case model.RoleTool:
		if m.Answers = f.answers(v); m.Answers != "" {
			m.Role, m.Kind = r, model.KindResult
			break
		}
		m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginObservation
	case model.RoleAssistant:
		m.Role, m.Kind = r, model.KindAssistant
	default:
		m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
		if m.Name == "" {
			m.Name = c.B.Intern(who)
		}
	}
	if m.Kind == model.KindAssistant {
		m.Calls = calls
	}
	codec.MarkSummary(&m, head)
	c.Add(m, v)
}

// about reads what else is known of a message.
func (f Format) about(b *codec.Builder, m *model.Message, v jspan.Value) {
	if len(f.at.name) > 0 {
		m.Name = b.Intern(f.at.name.in(v).TextN(200))
	}
	if len(f.at.id) > 0 {
		m.ID = edit.IDText(f.at.id.in(v))
	}
	if len(f.at.model) > 0 {
		m.Model = b.Intern(f.at.model.in(v).TextN(200))
	}
	if use := (model.Usage{Input: f.at.tokens(f.at.input, v), Output: f.at.tokens(f.at.output, v)}); use != (model.Usage{}) {
		m.Usage = &use
	}
	if len(f.at.time) > 0 {
		m.Time = codec.Millis(f.at.time.in(v))
	}
}

func (fieldPaths) tokens(p path, v jspan.Value) int {
	if len(p) == 0 {
		return 0
	}
	return codec.Tokens(p.in(v))
}

// Parts implements [model.Codec].
func (f Format) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	v, err := edit.ParseAt(d, m.Pieces[0].Span)
	if err != nil {
		return nil, err
	}
	var p codec.Parts
	switch text := f.at.text.in(v); text.Kind {
	case jspan.String:
		p.Text(m, text.Text())
	case jspan.Array:
		for _, e := range text.Items {
			if in := e.Get("text"); in.Kind == jspan.String && !strings.Contains(e.Get("type").TextN(40), "ing") { // reasoning, thinking
				p.Text(m, in.Text())
				continue
			}
			p.OpenAIPart(m, e, true)
		}
	case jspan.Null:
	default:
		if text.Exists() {
			p.Text(m, text.RawText())
		}
	}
	p.EnsureResult(m)
	if len(m.Calls) > 0 {
		f.eachCall(v, func(e jspan.Value) { p.Call(m, callName(e), mappedArguments(e)) })
	}
	return p.Done(), nil
}

// Summary spells an object with the role and the text at the ends of their
// paths, and nothing else.
func (f Format) Summary(d *model.Document, th *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	who, err := f.userWord(d, th)
	if err != nil {
		return nil, err
	}
	var root spelledTree
	root.put(f.at.role, who)
	root.put(f.at.text, edit.Quote(d, s.Text))
	o := edit.SpellLike(d, like)
	for _, k := range root.kids {
		o.Raw(k.name, k.spell(d))
	}
	return o.Done(), nil
}

// userWord is how this conversation spells who its user is.
func (f Format) userWord(d *model.Document, th *model.Thread) ([]byte, error) {
	for i := range th.Messages {
		if m := &th.Messages[i]; m.Typed() {
			v, err := edit.ParseAt(d, m.Pieces[0].Span)
			if err != nil {
				return nil, err
			}
			return bytes.Clone(f.at.role.in(v).Raw()), nil
		}
	}
	return edit.Quote(d, "user"), nil
}

// ResultContent is what the tool said.
func (f Format) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpan(d, m.Pieces[:1], f.at.text.in)
}

// spelledTree is a value that is put together from the ends of paths.
type spelledTree struct {
	name string // "": an element
	val  []byte
	kids []*spelledTree
}

// put sets the value at the end of a path. Elements before a numbered one are
// empty objects.
func (t *spelledTree) put(p path, val []byte) {
	if len(p) == 0 {
		t.val = val
		return
	}
	if p[0].name == "" {
		for len(t.kids) <= p[0].index {
			t.kids = append(t.kids, &spelledTree{})
		}
		t.kids[p[0].index].put(p[1:], val)
		return
	}
	for _, k := range t.kids {
		if k.name == p[0].name {
			k.put(p[1:], val)
			return
		}
	}
	k := &spelledTree{name: p[0].name}
	t.kids = append(t.kids, k)
	k.put(p[1:], val)
}

func (t *spelledTree) spell(d *model.Document) []byte {
	if t.val != nil {
		return t.val
	}
	if len(t.kids) > 0 && t.kids[0].name == "" {
		b := []byte{'['}
		for i, k := range t.kids {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, k.spell(d)...)
		}
		return append(b, ']')
	}
	o := edit.NewObject(d)
	for _, k := range t.kids {
		o.Raw(k.name, k.spell(d))
	}
	return o.Done()
}
