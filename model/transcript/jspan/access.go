package jspan

import (
	"bytes"
	"strconv"
)

// skipString returns the offset behind the string at b[i] == '"'. The buffer
// has been validated.
func skipString(b []byte, i int) int {
	i++
	for {
		i += bytes.IndexByte(b[i:], '"')
		n := 0
		for b[i-1-n] == '\\' {
			n++
		}
		i++
		if n%2 == 0 {
			return i
		}
	}
}

// skip returns the offset behind the value at i of a validated buffer.
func skip(b []byte, i int) int {
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		depth := 0
		for {
			switch b[i] {
			case '"':
				i = skipString(b, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
	}
	for i < len(b) {
		switch b[i] {
		case ',', '}', ']', ' ', '\t', '\n', '\r':
			return i
		}
		i++
	}
	return i
}

func at(b []byte, i int) Value {
	return Value{Buf: b, Off: i, End: skip(b, i), Kind: kindOf(b[i])}
}

// Each calls f for every member of an object in order, until f returns false.
// key is the raw key without its quotes: keys are compared as spelled, which is
// exact for every key a transcript format defines. Other kinds have no members.
func (v Value) Each(f func(key []byte, val Value) bool) {
	if v.Kind != Object {
		return
	}
	if v.index != nil {
		v.index.each(v, f)
		return
	}
	b := v.Buf
	i := space(b, v.Off+1)
	for b[i] != '}' {
		k := i
		i = skipString(b, i)
		name := b[k+1 : i-1]
		i = space(b, i)
		i = space(b, i+1) // the colon
		val := at(b, i)
		if !f(name, val) {
			return
		}
		i = space(b, val.End)
		if b[i] == ',' {
			i = space(b, i+1)
		}
	}
}

// Members sets the members of an object that into names, in one walk.
func (v Value) Members(into map[string]*Value) {
	for key, val := range v.Each {
		if at := into[string(key)]; at != nil {
			*at = val
		}
	}
}

// Items calls f for every element of an array in order, until f returns false.
func (v Value) Items(f func(i int, val Value) bool) {
	if v.Kind != Array {
		return
	}
	if v.index != nil {
		v.index.items(v, f)
		return
	}
	b := v.Buf
	i := space(b, v.Off+1)
	for n := 0; b[i] != ']'; n++ {
		val := at(b, i)
		if !f(n, val) {
			return
		}
		i = space(b, val.End)
		if b[i] == ',' {
			i = space(b, i+1)
		}
	}
}

// Get follows keys into nested objects; the first member of a name counts, and
// anything absent is Missing.
func (v Value) Get(keys ...string) Value {
	for _, k := range keys {
		switch {
		case v.Kind != Object:
			return Value{}
		case v.index != nil:
			v = v.index.member(v.Buf, v.node, k)
		default:
			v = v.skipTo(k)
		}
	}
	return v
}

// skipTo is the first member of that name of an object without an index.
func (v Value) skipTo(name string) Value {
	var found Value
	v.Each(func(key []byte, val Value) bool {
		if string(key) == name {
			found = val
			return false
		}
		return true
	})
	return found
}

// Has reports whether an object has a member of that name.
func (v Value) Has(key string) bool { return v.Get(key).Exists() }

// Count is the number of elements of an array or members of an object.
func (v Value) Count() int {
	n := 0
	v.Items(func(int, Value) bool { n++; return true })
	v.Each(func([]byte, Value) bool { n++; return true })
	return n
}

// Index is element i of an array, or Missing.
func (v Value) Index(i int) Value {
	var found Value
	v.Items(func(n int, val Value) bool {
		if n == i {
			found = val
		}
		return n < i
	})
	return found
}

// Bool is true for the JSON value true only.
func (v Value) Bool() bool { return v.Kind == True }

// Int is the number as an integer; a number in a string counts too, anything
// else is 0.
func (v Value) Int() int64 {
	digits := v.numeral()
	if n, ok := natural(digits); ok {
		return n
	}
	s := string(digits)
	if s == "" {
		return 0 // before strconv makes an error of it
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f != f || f > 1<<62 || f < -(1<<62) {
		return 0
	}
	return int64(f)
}

// natural reads digits without copying them, where they can't overflow.
func natural(s []byte) (n int64, ok bool) {
	if len(s) == 0 || len(s) > 18 {
		return 0, false
	}
	for _, c := range s {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = 10*n + int64(c-'0')
	}
	return n, true
}

// Float is the number; a number in a string counts too, anything else is 0, and
// so is what is no finite number.
func (v Value) Float() float64 {
	s := string(v.numeral())
	if s == "" {
		return 0
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || f-f != 0 {
		return 0
	}
	return f
}

func (v Value) numeral() []byte {
	switch v.Kind {
	case Number:
		return v.Raw()
	case String:
		if v.Len() <= 40 {
			return v.Buf[v.Off+1 : v.End-1]
		}
	}
	return nil
}
