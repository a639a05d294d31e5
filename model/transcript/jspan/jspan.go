// Package jspan reads JSON without letting go of the bytes: every value knows
// where it is in its buffer, so that an edit can replace exactly those
// bytes and leave all others alone.
//
// Decoding into Go values and encoding again would change nearly every line of
// a real transcript (key order, escapes, number spelling), which is why none of
// the encoders fit. [Parse] validates once, with bounded nesting and without
// recursion; the accessors then skip through the validated bytes without
// allocating. A [Parser], for values that are looked into much and one after the
// other, remembers where members are, so that none is skipped twice.
package jspan

import (
	"bytes"
	"errors"
	"fmt"
)

// MaxDepth bounds nesting. Deeper values are refused: no transcript needs it,
// and hostile ones must not cost stack or time.
const MaxDepth = 512

// Kind is the kind of a JSON value.
type Kind uint8

const (
	Missing Kind = iota // the zero Value: nothing there
	Null
	False
	True
	Number
	String
	Array
	Object
)

var kindNames = [...]string{"missing", "null", "false", "true", "number", "string", "array", "object"}

func (k Kind) String() string { return kindNames[k] }

// Value is one JSON value inside a buffer. The zero Value is Missing and safe
// to ask anything.
type Value struct {
	Buf      []byte
	Off, End int
	Kind     Kind
	node     int32   // in the parser's index
	index    *Parser // nil: there is none, members are found by skipping
}

// Exists reports whether the value is there at all (null is).
func (v Value) Exists() bool { return v.Kind != Missing }

// Raw is the value as spelled.
func (v Value) Raw() []byte { return v.Buf[v.Off:v.End] }

// Len is the number of bytes of the spelling.
func (v Value) Len() int { return v.End - v.Off }

// ErrDepth says that a value nests deeper than MaxDepth.
var ErrDepth = fmt.Errorf("nested deeper than %d levels", MaxDepth)

// ErrCut says that the text ends inside a value.
var ErrCut = errors.New("ends in the middle of a value")

// SyntaxError says where a text stops being JSON.
type SyntaxError struct {
	Off  int
	What string
}

func (e *SyntaxError) Error() string { return fmt.Sprintf("%s at byte %d", e.What, e.Off) }

func space(b []byte, i int) int {
	for i < len(b) {
		switch b[i] {
		case ' ', '\t', '\n', '\r':
			i++
		default:
			return i
		}
	}
	return i
}

// Space skips white space from i.
func Space(b []byte, i int) int { return space(b, i) }

// Parse validates the value that starts at or after i (white space is skipped)
// and returns it; its End is the first byte behind it. Errors are ErrCut,
// ErrDepth or *SyntaxError.
//
// Strings may hold invalid UTF-8 and lone surrogate escapes: real transcripts
// do, and the bytes are kept. Raw control characters inside strings are
// tolerated for the same reason, and so are the numbers NaN, Infinity and
// -Infinity, which Python's encoder writes (a score that could not be worked out).
func Parse(b []byte, i int) (Value, error) {
	return noIndex.parse(b, i) // an index costs memory, and a value may be as long as its file
}

// noIndex has no room, so that nothing is ever written to it.
var noIndex = &Parser{full: true}

// parse is [Parse], which fills the index as long as it is not full.
func (p *Parser) parse(b []byte, i int) (Value, error) {
	i = space(b, i)
	if i >= len(b) {
		return Value{}, ErrCut
	}
	start := i
	var stack [MaxDepth]byte // '{' or '[' of the open containers
	depth := 0
	wantValue := true
	for {
		i = space(b, i)
		if i >= len(b) {
			return Value{}, ErrCut
		}
		if wantValue {
			switch c := b[i]; c {
			case '{', '[':
				if depth == MaxDepth {
					return Value{}, ErrDepth
				}
				p.open(i, c, depth)
				stack[depth] = c
				depth++
				i = space(b, i+1)
				if i >= len(b) {
					return Value{}, ErrCut
				}
				if b[i] == c+2 { // '}' is '{'+2, ']' is '['+2
					depth--
					i++
					p.close(i, depth)
					wantValue = false
					break
				}
				var err error
				if i, err = p.key(b, i, c); err != nil {
					return Value{}, err
				}
				continue
			default:
				from := i
				var err error
				if i, err = scalar(b, i); err != nil {
					return Value{}, err
				}
				p.leaf(from, i, kindOf(c))
				wantValue = false
			}
		}
		if depth == 0 {
			return p.root(b, start, i), nil
		}
		i = space(b, i)
		if i >= len(b) {
			return Value{}, ErrCut
		}
		open := stack[depth-1]
		switch {
		case b[i] == ',':
			var err error
			if i, err = p.key(b, space(b, i+1), open); err != nil {
				return Value{}, err
			}
			wantValue = true
		case b[i] == open+2:
			depth--
			i++
			p.close(i, depth)
			if depth == 0 {
				return p.root(b, start, i), nil
			}
		default:
			return Value{}, &SyntaxError{i, "expected ',' or the end of a list"}
		}
	}
}

func kindOf(c byte) Kind {
	switch c {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't':
		return True
	case 'f':
		return False
	case 'n':
		return Null
	}
	return Number
}

// key reads the key and the colon in front of the next value of a container,
// which open begins, and returns where that value is. Arrays have no keys.
func (p *Parser) key(b []byte, i int, open byte) (int, error) {
	if open != '{' {
		return i, nil
	}
	if i >= len(b) {
		return i, ErrCut
	}
	if b[i] != '"' {
		return i, &SyntaxError{i, "expected a key"}
	}
	from := i
	i, err := str(b, i)
	if err != nil {
		return i, err
	}
	p.leaf(from, i, String)
	i = space(b, i)
	if i >= len(b) {
		return i, ErrCut
	}
	if b[i] != ':' {
		return i, &SyntaxError{i, "expected ':'"}
	}
	return i + 1, nil
}

func scalar(b []byte, i int) (int, error) {
	switch b[i] {
	case '"':
		return str(b, i)
	case 't':
		return word(b, i, "true")
	case 'f':
		return word(b, i, "false")
	case 'n':
		return word(b, i, "null")
	case 'N':
		return word(b, i, "NaN")
	case 'I':
		return word(b, i, "Infinity")
	}
	return number(b, i)
}

func word(b []byte, i int, w string) (int, error) {
	if len(b)-i < len(w) {
		if string(b[i:]) == w[:len(b)-i] {
			return i, ErrCut
		}
		return i, &SyntaxError{i, "not a JSON value"}
	}
	if string(b[i:i+len(w)]) != w {
		return i, &SyntaxError{i, "not a JSON value"}
	}
	return i + len(w), nil
}

func digits(b []byte, i int) int {
	for i < len(b) && b[i] >= '0' && b[i] <= '9' {
		i++
	}
	return i
}

func number(b []byte, i int) (int, error) {
	start := i
	if b[i] == '-' {
		i++
		if i < len(b) && b[i] == 'I' {
			return word(b, i, "Infinity")
		}
	}
	j := digits(b, i)
	if j == i || (b[i] == '0' && j > i+1) {
		if j == len(b) && j == i && i > start {
			return i, ErrCut
		}
		return start, &SyntaxError{start, "not a JSON value"}
	}
	i = j
	if i < len(b) && b[i] == '.' {
		if j = digits(b, i+1); j == i+1 {
			return i, &SyntaxError{i, "number without digits after the point"}
		}
		i = j
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		k := i + 1
		if k < len(b) && (b[k] == '+' || b[k] == '-') {
			k++
		}
		if j = digits(b, k); j == k {
			return i, &SyntaxError{i, "number without exponent"}
		}
		i = j
	}
	return i, nil
}

// str validates the string at b[i] == '"' and returns the offset behind it.
func str(b []byte, i int) (int, error) {
	i++
	q := -1 // the next quote, escaped or not; looked for once, or a long text would cost its length an escape
	for {
		if q < i {
			n := bytes.IndexByte(b[i:], '"')
			if n < 0 {
				return len(b), ErrCut
			}
			q = i + n
		}
		e := bytes.IndexByte(b[i:q], '\\')
		if e < 0 {
			return q + 1, nil
		}
		// step over escapes one by one up to the quote that closes
		i += e
		for b[i] == '\\' {
			if i+1 >= len(b) {
				return len(b), ErrCut
			}
			switch c := b[i+1]; {
			case meant[c] != 0:
				i += 2
			case c == 'u':
				if i+6 > len(b) {
					return len(b), ErrCut
				}
				for _, c := range b[i+2 : i+6] {
					if !isHex(c) {
						return i, &SyntaxError{i, "bad \\u escape"}
					}
				}
				i += 6
			default:
				return i, &SyntaxError{i, "unknown escape"}
			}
			if i >= len(b) {
				return i, ErrCut
			}
		}
	}
}

func isHex(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'f' || c >= 'A' && c <= 'F'
}
