package source

import (
	"bytes"
	"encoding/json"
	"errors"
	"strconv"
	"strings"

	"palimpsest/model"
)

// literal reads values as Python prints them: {'role': 'user', 'content': None}. Frames of
// data and quick dumps of an agent's state hold such.
type literal struct {
	text  string
	at    int
	depth int
}

var errNoLiteral = errors.New("it is no value as Python prints one")

// pythonText reads a file that is such a value.
func pythonText(s *state) (*Text, error) {
	head := bytes.TrimLeft(s.head, "\xef\xbb\xbf \t\r\n")
	rest := bytes.TrimLeft(head, "[{( \t\r\n")
	if len(head) == 0 || !bytes.ContainsRune([]byte("{["), rune(head[0])) || len(rest) == 0 || rest[0] != '\'' {
		return nil, nil
	}
	text, err := s.whole()
	if err != nil {
		return nil, err
	}
	out, err := unpython(strings.TrimPrefix(string(text), "\ufeff"))
	if err != nil {
		return nil, nil // what it is the readers will say
	}
	return &Text{Bytes: []byte(out), Packed: &model.Packed{Kind: "Python value",
		Why: "A value as Python prints it is read, and not written."}}, nil
}

// unpython spells a value as JSON.
func unpython(text string) (string, error) {
	l := literal{text: text}
	v, err := l.value()
	if l.space(); err == nil && l.at != len(text) {
		err = errNoLiteral
	}
	if err != nil {
		return "", err
	}
	b, err := json.Marshal(v)
	return string(b), err
}

func (l *literal) space() {
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n", l.text[l.at]) >= 0 {
		l.at++
	}
}

func (l *literal) next() byte {
	if l.space(); l.at < len(l.text) {
		return l.text[l.at]
	}
	return 0
}

func (l *literal) value() (any, error) {
	switch c := l.next(); {
	case c == '{':
		return l.dict()
	case c == '[' || c == '(':
		return l.list(map[byte]byte{'[': ']', '(': ')'}[c])
	case c == '\'' || c == '"':
		return l.str()
	}
	start := l.at
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n,:[]{}()'\"", l.text[l.at]) < 0 {
		l.at++
	}
	word := l.text[start:l.at]
	switch word {
	case "None", "null", "nan", "NaN":
		return nil, nil
	case "True", "true":
		return true, nil
	case "False", "false":
		return false, nil
	case "":
		return nil, errNoLiteral
	}
	if _, err := strconv.ParseFloat(word, 64); err == nil && json.Valid([]byte(word)) {
		return json.Number(word), nil
	}
	if l.next() == '(' { // array([1, 2]), datetime.datetime(2024, 5, 1): what it is made of
		return l.list(')')
	}
	return word, nil
}

// most nested values are no history.
const mostNested = 200

func (l *literal) list(end byte) (any, error) {
	if l.depth++; l.depth > mostNested {
		return nil, errNoLiteral
	}
	defer func() { l.depth-- }()
	out := []any{}
	for l.at++; l.next() != end; {
		v, err := l.value()
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		switch c := l.next(); {
		case c == '=': // a named argument
			l.at++
			out = out[:len(out)-1]
		case c == ',':
			l.at++
		case c != end:
			return nil, errNoLiteral
		}
	}
	l.at++
	return out, nil
}

func (l *literal) dict() (any, error) {
	if l.depth++; l.depth > mostNested {
		return nil, errNoLiteral
	}
	defer func() { l.depth-- }()
	out := object{}
	for l.at++; l.next() != '}'; {
		key, err := l.value()
		if err != nil || l.next() != ':' {
			return nil, errNoLiteral
		}
		l.at++
		v, err := l.value()
		if err != nil {
			return nil, err
		}
		name := word(key)
		if name == "" {
			name = spelled(key)
		}
		out[name] = v
		switch l.next() {
		case ',':
			l.at++
		case '}':
		default:
			return nil, errNoLiteral
		}
	}
	l.at++
	return out, nil
}

// str reads a string, and those that follow it at once.
func (l *literal) str() (any, error) {
	var b strings.Builder
	for c := l.next(); c == '\'' || c == '"'; c = l.next() {
		if err := l.one(&b, c); err != nil {
			return nil, err
		}
	}
	return b.String(), nil
}

func (l *literal) one(b *strings.Builder, quote byte) error {
	for l.at++; l.at < len(l.text); l.at++ {
		c := l.text[l.at]
		if c == quote {
			l.at++
			return nil
		}
		if c != '\\' {
			b.WriteByte(c)
			continue
		}
		if l.at+1 < len(l.text) && l.text[l.at+1] == '\n' {
			l.at++
			continue
		}
		r, many, tail, err := strconv.UnquoteChar(l.text[l.at:], quote)
		if err != nil { // an escape that Python keeps as it is
			b.WriteByte(c)
			continue
		}
		if many || r > 0x7f {
			b.WriteRune(r)
		} else {
			b.WriteByte(byte(r))
		}
		l.at = len(l.text) - len(tail) - 1
	}
	return errNoLiteral
}
