package mapped

import (
	"fmt"
	"strconv"
	"strings"

	"palimpsest/model/transcript/jspan"
)

// A place is a way from a value to others: names with dots between them, [n] for an
// element, [name] for the element whose number the member of that name beside the list
// has, [*] for all elements, {*} for the values of all members, <json> for what a
// string holds as JSON. A dot alone is the value itself; a name with a dot is written
// ["in quotes"]. Several places with | between them are tried in order.
type (
	place  []step
	places []place
)

type step struct {
	kind  stepKind
	name  string // of an element: of the member that has its number
	index int
}

type stepKind uint8

const (
	member stepKind = iota
	element
	everyElement
	everyMember
	unpacked
)

// unpacker reads the JSON in a string.
type unpacker func(v jspan.Value) (jspan.Value, bool)

// parsed is the unpacker for values that nothing points into.
func parsed(v jspan.Value) (jspan.Value, bool) {
	if v.Kind != jspan.String {
		return v, v.Kind == jspan.Object || v.Kind == jspan.Array
	}
	in, err := jspan.Parse([]byte(v.Text()), 0)
	return in, err == nil
}

// UnmarshalText reads places as a file of rules spells them.
func (p *places) UnmarshalText(b []byte) error {
	for s := range strings.SplitSeq(string(b), "|") {
		one, err := parsePlace(s)
		if err != nil {
			return err
		}
		*p = append(*p, one)
	}
	return nil
}

func parsePlace(all string) (place, error) {
	p := place{}
	s := strings.TrimPrefix(all, ".")
	for s != "" {
		var one step
		switch {
		case strings.HasPrefix(s, "[*]"):
			one.kind, s = everyElement, s[3:]
		case strings.HasPrefix(s, "{*}"):
			one.kind, s = everyMember, s[3:]
		case strings.HasPrefix(s, "<json>"):
			one.kind, s = unpacked, s[6:]
		case strings.HasPrefix(s, `["`):
			name, rest, ok := strings.Cut(s[2:], `"]`)
			if !ok {
				return nil, fmt.Errorf("%s: a bracket is open", all)
			}
			one.name, s = name, rest
		case s[0] == '[':
			in, rest, _ := strings.Cut(s[1:], "]")
			one.kind, s = element, rest
			var err error
			if one.index, err = strconv.Atoi(in); err != nil {
				one.name = in
			}
			if in == "" {
				return nil, fmt.Errorf("%s: [] is no element", all)
			}
		default:
			end := strings.IndexAny(s, ".[{<")
			if end < 0 {
				end = len(s)
			}
			if end == 0 {
				return nil, fmt.Errorf("%s: a name is empty", all)
			}
			one.name, s = s[:end], s[end:]
		}
		p = append(p, one)
		s = strings.TrimPrefix(s, ".")
	}
	return p, nil
}

// each gives f every value that a place leads to, until f returns false. list is the
// array that a last [*] goes through, and i the place in it.
func (p place) each(v jspan.Value, open unpacker, f func(v, list jspan.Value, i int) bool) bool {
	around := v // what v is a member of
	for k, s := range p {
		rest := p[k+1:]
		switch s.kind {
		case member:
			around, v = v, v.Get(s.name)
		case element:
			if s.name != "" {
				s.index, _ = strconv.Atoi(string(around.Get(s.name).Raw()))
			}
			v = v.Index(s.index)
		case unpacked:
			in, ok := open(v)
			if !ok {
				return true
			}
			v = in
		case everyElement:
			return eachElement(v, rest, open, f)
		case everyMember:
			more := true
			for _, in := range v.Each {
				if more = rest.each(in, open, f); !more {
					break
				}
			}
			return more
		}
		if !v.Exists() {
			return true
		}
	}
	return f(v, jspan.Value{}, -1)
}

// eachElement goes through a list; what is none counts as its only element.
func eachElement(list jspan.Value, rest place, open unpacker, f func(v, list jspan.Value, i int) bool) bool {
	if list.Kind != jspan.Array {
		return list.Kind == jspan.Null || rest.each(list, open, f)
	}
	more := true
	for i, in := range list.Items {
		more = rest.each(in, open, func(v, inner jspan.Value, k int) bool {
			if k >= 0 || len(rest) > 0 {
				return f(v, inner, k)
			}
			return f(v, list, i)
		})
		if !more {
			break
		}
	}
	return more
}

// all gives f every value that the first place which leads anywhere leads to; null is
// nowhere. No place is the value itself.
func (p places) all(v jspan.Value, open unpacker, f func(v, list jspan.Value, i int)) {
	if len(p) == 0 {
		f(v, jspan.Value{}, -1)
		return
	}
	for _, one := range p {
		found := false
		one.each(v, open, func(v, list jspan.Value, i int) bool {
			if v.Kind != jspan.Null {
				found = true
				f(v, list, i)
			}
			return true
		})
		if found {
			return
		}
	}
}

// elements reports whether what the places lead to are the elements of an array.
func (p places) elements() bool { return len(p) == 1 && len(p[0]) == 1 && p[0][0].kind == everyElement }

// one is the first value there is that is not null; Missing without a place.
func (p places) one(v jspan.Value) (found jspan.Value) {
	for _, one := range p {
		one.each(v, parsed, func(v, _ jspan.Value, _ int) bool {
			if v.Kind != jspan.Null {
				found = v
			}
			return !found.Exists()
		})
		if found.Exists() {
			break
		}
	}
	return found
}

// text is the first of the places that holds an id, a name or another short text.
func (p places) text(v jspan.Value) string {
	found := p.one(v)
	if found.Kind == jspan.Number {
		return string(found.Raw())
	}
	return found.TextN(1000)
}

// said is all text in a value: a string, the texts of a list, the text of an object.
// What has none is shown as it is spelled.
func said(v jspan.Value) string {
	switch v.Kind {
	case jspan.Missing, jspan.Null:
		return ""
	case jspan.String:
		return v.Text()
	case jspan.Array:
		var list []string
		for _, e := range v.Items {
			if s := said(e); s != "" && !isMedia(e) {
				list = append(list, s)
			}
		}
		return strings.Join(list, "\n")
	case jspan.Object:
		for _, k := range []string{"text", "value", "content", "node", "children"} {
			if in := v.Get(k); in.Exists() && in.Kind != jspan.Null {
				return said(in)
			}
		}
	}
	return v.RawText()
}

// isMedia recognises a picture, a sound or a file among the values of a result.
func isMedia(v jspan.Value) bool {
	switch v.Get("type").TextN(20) {
	case "image", "image_url", "input_image", "audio", "input_audio", "video", "file", "media":
		return v.Get("text").Kind != jspan.String
	}
	return false
}
