package tally

import (
	"bytes"
	"errors"
	"slices"
)

// object is what the walk keeps of a JSON object: the strings of members that tell calls and
// results, as they are in the text.
type object struct {
	kind, role, id, callID, useID, toolCallID, callerID, approval, name []byte
	function                                                            bool // it names a function
	// in is the member of the object around it that holds it, or its list; "": none.
	in string
}

func (o *object) is(kind string) bool   { return string(o.kind) == kind }
func (o *object) ends(kind string) bool { return bytes.HasSuffix(o.kind, []byte(kind)) }

// told are the members that are kept.
var told = []string{"type", "role", "id", "call_id", "tool_use_id", "tool_call_id", "toolCallId", "approval_request_id", "name"}

// set keeps a member that is a string.
func (o *object) set(key, value []byte) {
	if i := slices.Index(told, string(key)); i >= 0 {
		*[]*[]byte{&o.kind, &o.role, &o.id, &o.callID, &o.useID, &o.toolCallID, &o.callerID, &o.approval, &o.name}[i] = value
	}
}

// scanner walks JSON text. Of strings it decodes those that [object] keeps, and no other.
type scanner struct {
	buf   []byte
	at    int
	depth int
	end   func(*object) // called for each object, inner ones first
	said  func([]byte)  // called for each string that is a value
}

const deepest = 5000 // objects and arrays in each other

var errCut = errors.New("the JSON is broken")

func (s *scanner) space() byte {
	for s.at < len(s.buf) {
		if c := s.buf[s.at]; c != ' ' && c != '\t' && c != '\n' && c != '\r' {
			return c
		}
		s.at++
	}
	return 0
}

// value walks one value; of a string it returns the text as it is spelled, with its quotes.
func (s *scanner) value(in string) (text []byte, err error) {
	switch s.space() {
	case '"':
		if text, err = s.text(); err == nil {
			s.said(text)
		}
		return text, err
	case '{':
		return nil, s.object(in)
	case '[':
		return nil, s.list(in)
	case 0:
		return nil, errCut
	}
	n := bytes.IndexAny(s.buf[s.at:], ",]} \t\n\r") // after a number or a word
	if n < 0 {
		n = len(s.buf) - s.at
	}
	s.at += n
	return nil, nil
}

func (s *scanner) text() ([]byte, error) {
	from := s.at
	for s.at++; s.at < len(s.buf); s.at++ {
		switch s.buf[s.at] {
		case '\\':
			s.at++
		case '"':
			s.at++
			return s.buf[from:s.at], nil
		}
	}
	return nil, errCut
}

// open enters an object or array, and reports whether something is in it.
func (s *scanner) open(closing byte) (bool, error) {
	if s.depth++; s.depth > deepest {
		return false, errCut
	}
	s.at++
	if s.space() != closing {
		return true, nil
	}
	s.at++
	s.depth--
	return false, nil
}

// next goes past a comma, or past the end.
func (s *scanner) next(closing byte) (more bool, err error) {
	switch s.space() {
	case ',':
		s.at++
		return true, nil
	case closing:
		s.at++
		s.depth--
		return false, nil
	}
	return false, errCut
}

func (s *scanner) list(in string) error {
	more, err := s.open(']')
	for more && err == nil {
		if _, err = s.value(in); err == nil {
			more, err = s.next(']')
		}
	}
	return err
}

func (s *scanner) object(in string) error {
	o := object{in: in}
	more, err := s.open('}')
	for more && err == nil {
		if s.space() != '"' {
			return errCut
		}
		var key, value []byte
		if key, err = s.text(); err != nil {
			return err
		}
		if s.space() != ':' {
			return errCut
		}
		s.at++
		key = key[1 : len(key)-1]
		if value, err = s.value(string(key)); err != nil {
			return err
		}
		o.function = o.function || string(key) == "function"
		if n := len(value); n > 2 && n < 500 {
			o.set(key, value[1:n-1])
		}
		more, err = s.next('}')
	}
	if err == nil {
		s.end(&o)
	}
	return err
}
