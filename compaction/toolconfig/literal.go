package toolconfig

import (
	"strconv"
	"strings"
	"unicode"
)

// call finds NAME( in a piece of Python or TypeScript and returns its arguments:
// those without a name under "0", "1" …, the members of an object without its
// braces. False: there is no such call.
func call(source, name string) (map[string]any, bool) {
	for at := 0; ; {
		i := strings.Index(source[at:], name+"(")
		if i < 0 {
			return nil, false
		}
		at += i
		if at == 0 || !isWord(rune(source[at-1])) {
			r := &literals{text: source[at+len(name)+1:]}
			args := r.members(')')
			if inner, ok := args["0"].(map[string]any); ok && len(args) == 1 {
				args = inner
			}
			return args, true
		}
		at += len(name)
	}
}

func isWord(r rune) bool { return r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r) }

// literals reads values as Python and JavaScript spell them. What it does not
// know it skips, so that a configuration in the midst of a program can be read.
type literals struct {
	text string
	at   int
}

func (r *literals) space() {
	for r.at < len(r.text) {
		rest := r.text[r.at:]
		switch {
		case strings.HasPrefix(rest, "#"), strings.HasPrefix(rest, "//"):
			if i := strings.IndexByte(rest, '\n'); i >= 0 {
				r.at += i
			} else {
				r.at = len(r.text)
			}
		case unicode.IsSpace(rune(rest[0])):
			r.at++
		default:
			return
		}
	}
}

func (r *literals) peek() byte {
	r.space()
	if r.at >= len(r.text) {
		return 0
	}
	return r.text[r.at]
}

// members reads NAME=value, name: value or value, up to the closing sign.
func (r *literals) members(end byte) map[string]any {
	out, n := map[string]any{}, 0
	for {
		switch r.peek() {
		case 0:
			return out
		case end:
			r.at++
			return out
		case ',':
			r.at++
			continue
		}
		key := strconv.Itoa(n)
		start := r.at
		v := r.value()
		if c := r.peek(); (c == '=' || c == ':') && r.at > start {
			name, isText := v.(string)
			if w, isName := v.(word); isName {
				name, isText = string(w), true
			}
			if isText {
				r.at++
				r.peek()
				key, v = name, r.value()
			}
		}
		out[key] = v
		n++
		for c := r.peek(); c != 0 && c != ',' && c != end; c = r.peek() {
			before := r.at
			r.value() // an operator or a call that is not a plain value
			if r.at == before {
				r.at++
			}
		}
	}
}

// word is a name that is not a value: a variable.
type word string

// value reads one value: a number, text, switch, list, object, call or name.
func (r *literals) value() any {
	switch c := r.peek(); {
	case c == '"' || c == '\'' || c == '`':
		return r.quoted(c)
	case c == '(':
		r.at++
		return list(r.members(')'))
	case c == '[':
		r.at++
		return list(r.members(']'))
	case c == '{':
		r.at++
		return r.members('}')
	case unicode.IsDigit(rune(c)) || c == '-' || c == '.':
		return r.number()
	case isWord(rune(c)):
		return r.named()
	}
	return nil
}

// number reads a number; nil: it is none.
func (r *literals) number() any {
	start := r.at
	for r.at++; r.at < len(r.text) && (isWord(rune(r.text[r.at])) || r.text[r.at] == '.'); r.at++ {
	}
	f, err := strconv.ParseFloat(strings.ReplaceAll(r.text[start:r.at], "_", ""), 64)
	if err != nil {
		return nil
	}
	return f
}

// named reads a switch, the arguments of a call, or a name.
func (r *literals) named() any {
	start := r.at
	for r.at < len(r.text) && (isWord(rune(r.text[r.at])) || r.text[r.at] == '.') {
		r.at++
	}
	name := r.text[start:r.at]
	if r.peek() == '(' {
		r.at++
		return r.members(')')
	}
	switch name {
	case "True", "true":
		return true
	case "False", "false":
		return false
	case "None", "null", "undefined":
		return nil
	}
	return word(name)
}

func (r *literals) quoted(q byte) string {
	var b strings.Builder
	for r.at++; r.at < len(r.text) && r.text[r.at] != q; r.at++ {
		if r.text[r.at] == '\\' && r.at+1 < len(r.text) {
			r.at++
		}
		b.WriteByte(r.text[r.at])
	}
	r.at++
	return b.String()
}

// list is the members without a name, in order.
func list(m map[string]any) []any {
	out := []any{}
	for i := 0; ; i++ {
		v, ok := m[strconv.Itoa(i)]
		if !ok {
			return out
		}
		out = append(out, v)
	}
}
