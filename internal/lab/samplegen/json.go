package main

import (
	"bytes"
	"encoding/json"
)

// encode is compact JSON as the tools write it that the samples imitate: the
// fields in order, <, > and & as they are, no newline at the end.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		// Only strings, numbers, slices and structs of them come here.
		panic("samplegen: " + err.Error())
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

// object is a JSON object that keeps the order of its fields.
type object []field

type field struct {
	key   string
	value any
}

// MarshalJSON writes the fields in order.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, f := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		b.Write(encode(f.key))
		b.WriteByte(':')
		b.Write(encode(f.value))
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// indented is JSON with a member a line, and a newline at the end.
func indented(v any, indent string) []byte {
	var out bytes.Buffer
	_ = json.Indent(&out, encode(v), "", indent) // what encode writes is valid
	out.WriteByte('\n')
	return out.Bytes()
}
