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
}

// ParseMap reads a field map as a person writes it: parts like role=who with
// commas between them. messages, role and text must be there.
func ParseMap(s string) (*FieldMap, error) {
	m := &FieldMap{}
	fields := map[string]*string{"messages": &m.Messages, "role": &m.Role, "text": &m.Text, "name": &m.Name, "id": &m.ID, "time": &m.Time,
		"calls": &m.Calls, "answers": &m.Answers}
	for _, part := range strings.Split(s, ",") {
		key, path, ok := strings.Cut(part, "=")
		to := fields[strings.TrimSpace(key)]
		switch path = strings.TrimSpace(path); {
		case !ok || to == nil:
			return nil, mapProblem(fmt.Sprintf("%q is not one of messages=, role=, text=, name=, id=, time=, calls= and answers=.", part))
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
	s := "messages=" + m.Messages + ",role=" + m.Role + ",text=" + m.Text
	for _, f := range [][2]string{{"name", m.Name}, {"id", m.ID}, {"time", m.Time}, {"calls", m.Calls}, {"answers", m.Answers}} {
		if f[1] != "" {
			s += "," + f[0] + "=" + f[1]
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
	messages, role, text, name, id, time, calls, answers path
}

func (m *FieldMap) paths() (p fieldPaths, err error) {
	for _, f := range []struct {
		name, text string
		to         *path
		must, star bool
	}{{"messages", m.Messages, &p.messages, true, true}, {"role", m.Role, &p.role, true, false}, {"text", m.Text, &p.text, true, false},
		{"name", m.Name, &p.name, false, false}, {"id", m.ID, &p.id, false, false}, {"time", m.Time, &p.time, false, false},
		{"calls", m.Calls, &p.calls, false, false}, {"answers", m.Answers, &p.answers, false, false}} {
		if f.text == "" {
			if f.must {
				return p, mapProblem(f.name + "= is missing.")
			}
			continue
		}
		if *f.to, err = ParsePath(f.text); err != nil {
			return p, mapProblem(fmt.Sprintf("%s=%s: %v.", f.name, f.text, err))
		}
		for _, s := range *f.to {
			if s.every && !f.star {
				return p, mapProblem(fmt.Sprintf("%s=%s: [*] leads to more than one place.", f.name, f.text))
			}
		}
		if len(*f.to) == 0 && !f.star {
			return p, mapProblem(fmt.Sprintf("%s=%s leads nowhere.", f.name, f.text))
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
