package generic

import (
	"fmt"
	"strconv"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// FieldMap says where a conversation lies in JSON that no format claims.
//
// Messages is a path from the document, the others are paths from a message.
// A path is a list of steps: .name goes to a member, [n] to an element counted
// from 0, [*] to every element. $ at its beginning is the document, and may be
// left out. JSON Lines count as the array of their lines. So
//
//	$.log             an array in the member log
//	$                 the document is the array, or each line a message
//	$[*].turns        many conversations, one in each element or line
//	content[0].text   of a message: a text within its content
//
// A path with [*] in Messages gives one conversation for each place it leads
// to; the other paths lead to one place and have none.
type FieldMap struct {
	Messages string // the array of messages
	Role     string // who speaks
	Text     string // what is said: a string, or a list of typed parts
	Name     string // optional: the speaker's name
	ID       string // optional: the message's id
	Time     string // optional: when it was said
	Calls    string // optional: the tool calls of a message, a list or one
	Answers  string // optional: of what a tool said, the id of its call
	Model    string // optional: the model that answered
	Input    string // optional: the input tokens that were reported
	Output   string // optional: the output tokens
	By       string // optional: of a row of a table, which conversation it belongs to

	// Me is the word that the user has, where it is a name: no path but the word itself.
	Me string

	// In data whose elements are turns, an element has no role and no text, but what
	// the user said and the answer, and perhaps what the system said before both.
	User, Answer, System string
}

// field is a part of a map: how it is called, and where it is kept.
type field struct {
	name string
	of   func(*FieldMap) *string
	at   func(*fieldPaths) *path
}

var fields = []field{
	{"messages", func(m *FieldMap) *string { return &m.Messages }, func(p *fieldPaths) *path { return &p.messages }},
	{"role", func(m *FieldMap) *string { return &m.Role }, func(p *fieldPaths) *path { return &p.role }},
	{"text", func(m *FieldMap) *string { return &m.Text }, func(p *fieldPaths) *path { return &p.text }},
	{"name", func(m *FieldMap) *string { return &m.Name }, func(p *fieldPaths) *path { return &p.name }},
	{"id", func(m *FieldMap) *string { return &m.ID }, func(p *fieldPaths) *path { return &p.id }},
	{"time", func(m *FieldMap) *string { return &m.Time }, func(p *fieldPaths) *path { return &p.time }},
	{"calls", func(m *FieldMap) *string { return &m.Calls }, func(p *fieldPaths) *path { return &p.calls }},
	{"answers", func(m *FieldMap) *string { return &m.Answers }, func(p *fieldPaths) *path { return &p.answers }},
	{"model", func(m *FieldMap) *string { return &m.Model }, func(p *fieldPaths) *path { return &p.model }},
	{"input", func(m *FieldMap) *string { return &m.Input }, func(p *fieldPaths) *path { return &p.input }},
	{"output", func(m *FieldMap) *string { return &m.Output }, func(p *fieldPaths) *path { return &p.output }},
	{"by", func(m *FieldMap) *string { return &m.By }, func(p *fieldPaths) *path { return &p.by }},
	{"me", func(m *FieldMap) *string { return &m.Me }, nil},
	{"user", func(m *FieldMap) *string { return &m.User }, func(p *fieldPaths) *path { return &p.user }},
	{"answer", func(m *FieldMap) *string { return &m.Answer }, func(p *fieldPaths) *path { return &p.answer }},
	{"system", func(m *FieldMap) *string { return &m.System }, func(p *fieldPaths) *path { return &p.system }},
}

// Turns reports whether the elements of a map are turns.
func (m *FieldMap) Turns() bool { return m.User != "" || m.Answer != "" }

// ParseMap reads a field map as a person writes it: parts like role=who with
// commas between them. messages, role and text must be there.
func ParseMap(s string) (*FieldMap, error) {
	m := &FieldMap{}
	for _, part := range strings.Split(s, ",") {
		key, path, ok := strings.Cut(part, "=")
		var to *string
		var names []string
		for _, f := range fields {
			if names = append(names, f.name+"="); f.name == strings.TrimSpace(key) {
				to = f.of(m)
			}
		}
		switch path = strings.TrimSpace(path); {
		case !ok || to == nil:
			return nil, mapProblem(fmt.Sprintf("%q is not one of %s.", part, strings.Join(names, ", ")))
		case *to != "":
			return nil, mapProblem(fmt.Sprintf("%s is given twice.", strings.TrimSpace(key)))
		case path == "":
			return nil, mapProblem(fmt.Sprintf("%s has no path.", strings.TrimSpace(key)))
		}
		*to = path
	}
	_, err := m.paths()
	return m, err
}

// String spells the map as [ParseMap] reads it.
func (m *FieldMap) String() string {
	s := "messages=" + m.Messages
	for _, f := range fields[1:] {
		if to := *f.of(m); to != "" || f.name == "role" && !m.Turns() || f.name == "text" && !m.Turns() {
			s += "," + f.name + "=" + to
		}
	}
	return s
}

func mapProblem(why string) error {
	return &model.Problem{Code: "bad-map", What: "The field map can't be used.", Why: why,
		Next: "Write it like messages=$.log,role=who,text=body."}
}

// fieldPaths is a field map taken apart.
type fieldPaths struct {
	messages, role, text, name, id, time, calls, answers, model, input, output, by, user, answer, system path
}

func (m *FieldMap) paths() (p fieldPaths, err error) {
	for _, f := range fields {
		if f.at == nil { // a word
			continue
		}
		text, to, list := *f.of(m), f.at(&p), f.name == "messages"
		if text == "" {
			if list || !m.Turns() && (f.name == "role" || f.name == "text") {
				return p, mapProblem(f.name + "= is missing.")
			}
			continue
		}
		if *to, err = ParsePath(text); err != nil {
			return p, mapProblem(fmt.Sprintf("%s=%s: %v.", f.name, text, err))
		}
		for _, s := range *to {
			if s.every && !list {
				return p, mapProblem(fmt.Sprintf("%s=%s: [*] leads to more than one place.", f.name, text))
			}
		}
		if len(*to) == 0 && !list {
			return p, mapProblem(fmt.Sprintf("%s=%s leads nowhere.", f.name, text))
		}
	}
	return p, nil
}

// path is a way through JSON.
type path []pathStep

type pathStep struct {
	name  string // of a member; "" for elements
	index int
	every bool
}

// ParsePath reads a path as [FieldMap] describes it.
func ParsePath(s string) (path, error) {
	var p path
	s, rooted := strings.CutPrefix(s, "$")
	for first := !rooted; s != ""; first = false {
		switch {
		case s[0] == '[':
			in, rest, ok := strings.Cut(s[1:], "]")
			if !ok {
				return nil, fmt.Errorf("a bracket is open")
			}
			step := pathStep{every: in == "*"}
			if !step.every {
				n, err := strconv.Atoi(in)
				if err != nil || n < 0 {
					return nil, fmt.Errorf("[%s] is no element", in)
				}
				step.index = n
			}
			p, s = append(p, step), rest
		case s[0] == '.' || first:
			s = strings.TrimPrefix(s, ".")
			end := strings.IndexAny(s, ".[")
			if end < 0 {
				end = len(s)
			}
			if end == 0 {
				return nil, fmt.Errorf("a name is empty")
			}
			p, s = append(p, pathStep{name: s[:end]}), s[end:]
		default:
			return nil, fmt.Errorf("%q follows without a dot", s)
		}
	}
	return p, nil
}

// in goes the path from a value; it must have no [*].
func (p path) in(v jspan.Value) jspan.Value {
	for _, s := range p {
		if s.name != "" {
			v = v.Get(s.name)
		} else {
			v = v.Index(s.index)
		}
	}
	return v
}

// each calls f for every place that the path leads to.
func (p path) each(v jspan.Value, f func(jspan.Value)) {
	for i, s := range p {
		if s.every {
			for _, e := range v.Items {
				p[i+1:].each(e, f)
			}
			return
		}
		v = path{s}.in(v)
	}
	if v.Exists() {
		f(v)
	}
}
