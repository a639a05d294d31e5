package transcript

import (
	"context"
	"fmt"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// generic reads conversations that no format claims, by a field map that a
// person gives or that is guessed. Who speaks is told by the common words for
// it; another word is the name of an agent.
//
// The value in [formats] is empty; that of a document has its map.
type generic struct {
	inPlace
	fields  *FieldMap
	at      fieldPaths
	guessed bool
}

func newGeneric(m *FieldMap) (generic, error) {
	at, err := m.paths()
	return generic{fields: m, at: at}, err
}

func (generic) info() Info {
	return Info{model.FormatGeneric, "Generic JSON",
		"a field map (--map messages=$.log,role=who,text=body), or, where nothing else fits, a guess: a list of objects with something like a role and a text"}
}

// recognise claims nothing: a guess is made only when every format declined.
func (generic) recognise(*sniff) (int, string) { return 0, "" }

// Rereading gives the options with which a copy of a document is to be read, so
// that it is read in the same way: none where its content says what it is.
func Rereading(d *model.Document) Options {
	if g, ok := d.Codec.(generic); ok {
		return Options{Map: g.fields}
	}
	return Options{}
}

// MapOf spells the field map that a document was read by; "" if none was used.
func MapOf(d *model.Document) string {
	if g, ok := d.Codec.(generic); ok {
		return g.fields.String()
	}
	return ""
}

func (f generic) read(ctx context.Context, b *builder) error {
	if f.fields == nil {
		return mapProblem("None was given, and none could be guessed.")
	}
	if f.guessed {
		b.note("guessed", "no known format; read by a guess: "+f.fields.String())
	}
	var bare *chat
	take := func(list jspan.Value) {
		if list.Kind != jspan.Array {
			b.noteAt(list, "unknown-record", "not a list of messages; it is kept where it stands")
			return
		}
		c := b.newChat()
		at := b.array(list, model.Piece{})
		list.Items(func(i int, e jspan.Value) bool {
			f.element(c, e, b.elem(at, i))
			return true
		})
		c.finish()
	}
	if b.whole.Kind == jspan.Object { // also the only line that there is
		switch p := f.at.messages; {
		case len(p) == 0:
			f.element(b.newChat(), b.whole, b.record(b.whole))
		case p[0].every:
			p[1:].each(b.whole, take)
		default:
			p.each(b.whole, take)
		}
		return ctx.Err()
	}
	if b.whole.Exists() {
		f.at.messages.each(b.whole, take)
		return ctx.Err()
	}
	return b.lines(ctx, func(v jspan.Value) error {
		switch p := f.at.messages; {
		case len(p) == 0:
			if bare == nil {
				bare = b.newChat()
			}
			f.element(bare, v, b.record(v))
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

// element adds one message. What a tool said is the result of the call it names;
// where it names none it is an observation.
func (f generic) element(c *chat, v jspan.Value, p model.Piece) {
	role, text := f.at.role.in(v), f.at.text.in(v)
	calls := f.calls(c.b, v)
	if v.Kind != jspan.Object || role.Kind != jspan.String || !text.Exists() && len(calls) == 0 {
		c.b.noteAt(v, "unknown-record", "without a role and a text by the field map; it is kept where it stands")
		return
	}
	c.b.doc.Items++
	who := role.TextN(200)
	head := contentHead(text)
	m := model.Message{Preview: preview(head), Pieces: []model.Piece{p}}
	if m.Preview == "" && len(calls) > 0 {
		m.Preview = f.callHead(v)
	}
	if len(f.at.name) > 0 {
		m.Name = c.b.intern(f.at.name.in(v).TextN(200))
	}
	if len(f.at.id) > 0 {
		m.ID = idText(f.at.id.in(v))
	}
	if len(f.at.time) > 0 {
		m.Time = millis(f.at.time.in(v))
	}
	switch r := genericRoles[strings.ToLower(who)]; r {
	case model.RoleUser:
		m.Role, m.Kind, m.Origin = r, model.KindUser, model.OriginTyped
		if isInjectedText(head) {
			m.Origin = model.OriginInjected
		}
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
			m.Name = c.b.intern(who)
		}
	}
	if m.Kind == model.KindAssistant {
		m.Calls = calls
	}
	if isSummaryText(head) && m.Kind != model.KindAssistant && m.Kind != model.KindResult {
		m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
	}
	c.add(m, v)
}

// Parts implements [model.Codec].
func (f generic) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	v, err := parseAt(d, m.Pieces[0].Span)
	if err != nil {
		return nil, err
	}
	var p parts
	switch text := f.at.text.in(v); text.Kind {
	case jspan.String:
		p.text(m, text.Text())
	case jspan.Array:
		text.Items(func(_ int, e jspan.Value) bool {
			p.openAIPart(m, e, true)
			return true
		})
	case jspan.Null:
	default:
		if text.Exists() {
			p.text(m, rawText(text))
		}
	}
	if m.Kind == model.KindResult && p.result == 0 {
		p.text(m, "")
	}
	if len(m.Calls) > 0 {
		f.eachCall(v, func(e jspan.Value) { p.call(m, callName(e), mappedArguments(e)) })
	}
	return p.done(), nil
}

// summary spells an object with the role and the text at the ends of their
// paths, and nothing else.
func (f generic) summary(d *model.Document, th *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	who, err := f.userWord(d, th)
	if err != nil {
		return nil, err
	}
	var root spelledTree
	root.put(f.at.role, quote(d, who))
	root.put(f.at.text, quote(d, s.Text))
	o := spellLike(d, v)
	for _, k := range root.kids {
		o.raw(k.name, k.spell(d))
	}
	return o.done(), nil
}

// userWord is how this conversation calls its user.
func (f generic) userWord(d *model.Document, th *model.Thread) (string, error) {
	for i := range th.Messages {
		if m := &th.Messages[i]; m.Typed() {
			v, err := parseAt(d, m.Pieces[0].Span)
			return f.at.role.in(v).Text(), err
		}
	}
	return "user", nil
}

// resultContent is what the tool said.
func (f generic) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	p := m.Pieces[0]
	v, err := parseAt(d, p.Span)
	if err != nil {
		return nil, err
	}
	text := f.at.text.in(v)
	if !text.Exists() {
		return nil, fmt.Errorf("the result has no text")
	}
	return []model.Span{within(p.Span, text)}, nil
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
	o := newObject(d)
	for _, k := range t.kids {
		o.raw(k.name, k.spell(d))
	}
	return o.done()
}
