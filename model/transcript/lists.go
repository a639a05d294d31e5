package transcript

import (
	"context"
	"io"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/generic"
	"palimpsest/model/transcript/jspan"
)

// List is a list of objects in JSON, which may be the messages of a conversation:
// a person who writes a [FieldMap] chooses one of them.
type List struct {
	Path   string   // as FieldMap.Messages has it
	Len    int      // elements; of JSON Lines those that were looked at
	Fields []string // paths from an element to its texts, numbers and lists, in the order in which they appear
}

// maxLists bounds how many lists of one source are returned.
const maxLists = 100

// Survey is what is known of a source before anybody says how to read it.
type Survey struct {
	Guesses []model.Guess     // the formats it may be in, the likeliest first
	Map     *generic.FieldMap // the field map that is guessed; nil: nothing looks like messages
	Lists   []List            // its lists of objects, those with the most elements first
}

// Look surveys a source of size bytes without reading its messages. Errors are
// those of [Read].
func Look(ctx context.Context, path string, src io.ReaderAt, size int64) (*Survey, error) {
	b := &codec.Builder{Doc: &model.Document{Path: path, Size: size, Source: src}}
	if err := unpack(ctx, b.Doc, ""); err != nil {
		return nil, err
	}
	s, err := sniff(b, ctx)
	if err != nil {
		return nil, err
	}
	var f listFinder
	switch {
	case s.JSONLines:
		f.add("$", s.Lines, len(s.Lines))
		for _, l := range s.Lines {
			f.look("$[*]", l, generic.GuessDepth)
		}
	default:
		f.look("$", s.Whole, generic.GuessDepth)
	}
	slices.SortStableFunc(f.lists, func(a, b List) int { return b.Len - a.Len })
	out := &Survey{Guesses: guesses(s), Lists: f.lists[:min(len(f.lists), maxLists)]}
	out.propose(generic.Guess(s))
	return out, nil
}

// propose makes the map that is offered: of the list that is guessed, with all that its
// names tell; else of the first list that has a role and a text, or turns.
func (s *Survey) propose(guess *generic.FieldMap) {
	for _, l := range s.Lists {
		m := LikelyMap(l)
		if guess != nil && l.Path == guess.Messages {
			m.Role, m.Text, m.Calls, m.By, m.Me = guess.Role, guess.Text, guess.Calls, guess.By, guess.Me
			s.Map = &m
			return
		}
		if s.Map == nil && (m.Turns() || m.Role != "" && m.Text != "") {
			s.Map = &m
		}
	}
	if guess != nil {
		s.Map = guess
	}
}

// listFinder collects lists of the same path as one.
type listFinder struct{ lists []List }

func (f *listFinder) look(at string, v jspan.Value, depth int) {
	if v.Kind == jspan.Array {
		first, n := generic.FirstElements(v)
		f.add(at, first, n)
		if depth > 0 && n > 0 && first[0].Kind == jspan.Object {
			for key, val := range first[0].Each {
				if name := string(key); val.Kind == jspan.Array && generic.PlainName(name) {
					f.look(at+"[*]."+name, val, depth-1)
				}
			}
		}
		return
	}
	if depth == 0 || v.Kind != jspan.Object {
		return
	}
	for key, val := range v.Each {
		if name := string(key); generic.PlainName(name) {
			f.look(at+"."+name, val, depth-1)
		}
	}
}

func (f *listFinder) add(at string, elems []jspan.Value, n int) {
	var fields []string
	for _, e := range elems {
		fields = fieldsOf(fields, "", e, 2)
	}
	if len(fields) == 0 {
		return
	}
	i := slices.IndexFunc(f.lists, func(l List) bool { return l.Path == at })
	if i < 0 {
		f.lists = append(f.lists, List{Path: at, Len: n, Fields: fields})
		return
	}
	f.lists[i].Len += n
	for _, name := range fields {
		if !slices.Contains(f.lists[i].Fields, name) {
			f.lists[i].Fields = append(f.lists[i].Fields, name)
		}
	}
}

// fieldsOf adds the paths to what an object holds, down to a depth.
func fieldsOf(list []string, at string, v jspan.Value, depth int) []string {
	if v.Kind != jspan.Object {
		return list
	}
	for key, val := range v.Each {
		name := string(key)
		if !generic.PlainName(name) {
			continue
		}
		switch path := at + name; {
		case val.Kind == jspan.Object && depth > 1:
			list = fieldsOf(list, path+".", val, depth-1)
		case val.Kind != jspan.Object && !slices.Contains(list, path):
			list = append(list, path)
		}
	}
	return list
}

// LikelyMap is a map of a list by the names of its fields: those usual for a role, a text
// and calls, or for the two sides of a turn, and for what else may be there; "" where no
// name fits.
func LikelyMap(l List) generic.FieldMap {
	pick := func(names []string, not ...string) string {
		for _, name := range names {
			if !slices.Contains(not, name) && slices.Contains(l.Fields, name) {
				return name
			}
		}
		for _, name := range names { // within an object
			for _, field := range l.Fields {
				if strings.HasSuffix(field, "."+name) && !slices.Contains(not, field) {
					return field
				}
			}
		}
		return ""
	}
	other := func(part string, not ...string) string {
		names := slices.DeleteFunc(slices.Clone(generic.OtherNames[part]), func(n string) bool { return !slices.Contains(l.Fields, n) })
		return pick(names, not...)
	}
	m := generic.FieldMap{Messages: l.Path, Role: pick(generic.RoleNames), ID: other("id"), Time: other("time"), Model: other("model"),
		Input: other("input"), Output: other("output")}
	m.Text, m.Calls = pick(generic.TextNames, m.Role), pick(generic.CallNames)
	side := func(names []string) string {
		for _, name := range names { // an object with its text
			for _, text := range generic.TextNames {
				if !slices.Contains(l.Fields, name) && slices.Contains(l.Fields, name+"."+text) {
					return name + "." + text
				}
			}
		}
		return pick(names)
	}
	user, answer := side(generic.UserNames), side(generic.ReplyNames)
	if user != "" && answer != "" && (m.Role == "" || m.Text == "") {
		m.Role, m.Text, m.Calls, m.User, m.Answer = "", "", "", user, answer
		m.System = pick(generic.SystemNames, user, answer)
		if l.Path == "$" && m.Time == "" && m.ID == "" { // rows of examples do not follow each other
			m.Messages = "$[*]"
		}
		return m
	}
	m.Name = other("name", m.Role, m.Text)
	if m.Calls != "" {
		m.Answers = other("answers")
	}
	return m
}
