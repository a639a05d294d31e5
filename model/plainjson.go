package model

import (
	"bytes"
	"encoding/json"
)

// PlainJSON is a value as JSON in one line, without escaping what only web pages need
// escaped.
func PlainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
