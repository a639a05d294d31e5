// Package recount counts the messages, calls and results of a history without any of
// our readers: it walks through the JSON of a file and counts the objects that pass a
// test. Tests compare what the readers count with it.
package recount

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
)

// Rule says which objects of a file are counted: those with one of the values in a
// member. "type=tool_use" is such a test, "role=user|assistant" another, "text" is any
// object that has the member, and several with a comma between them must all hold; of
// several with a semicolon between them one must. An empty one counts nothing.
type Rule struct {
	Messages, Calls, Results string
	Unfold                   bool   // texts that are JSON are walked through, too
	Beside                   string // what is in objects that pass this is none of the history
	Once                     string // objects with the same value in this member count once

	seen map[string]bool
}

// Counts are what a rule found.
type Counts struct {
	Messages, Calls, Results int
}

// count walks through the values of a text: one, or one a line. Lines that are no JSON
// are passed over.
func count(text []byte, r Rule) (n Counts) {
	r.seen = map[string]bool{}
	var whole any
	if json.Unmarshal(text, &whole) == nil {
		r.walk(whole, &n)
		return n
	}
	for line := range bytes.Lines(text) {
		d := json.NewDecoder(bytes.NewReader(line))
		for {
			var v any
			if err := d.Decode(&v); err == io.EOF || err != nil {
				break
			}
			r.walk(v, &n)
		}
	}
	return n
}

func (r Rule) walk(v any, n *Counts) {
	switch v := v.(type) {
	case string:
		var in any
		if r.Unfold && strings.HasPrefix(v, "[") && json.Unmarshal([]byte(v), &in) == nil {
			r.walk(in, n)
		}
	case []any:
		for _, e := range v {
			r.walk(e, n)
		}
	case map[string]any:
		if passes(r.Beside, v) {
			return
		}
		for _, c := range []struct {
			test string
			to   *int
		}{{r.Messages, &n.Messages}, {r.Calls, &n.Calls}, {r.Results, &n.Results}} {
			if !passes(c.test, v) {
				continue
			}
			if id, _ := v[r.Once].(string); r.Once == "" || id == "" || !r.seen[c.test+" "+id] {
				r.seen[c.test+" "+id] = true
				*c.to++
			}
		}
		for _, e := range v {
			r.walk(e, n)
		}
	}
}

func passes(test string, v map[string]any) bool {
	if test == "" {
		return false
	}
	if first, rest, several := strings.Cut(test, ";"); several {
		return passes(first, v) || passes(rest, v)
	}
	for one := range strings.SplitSeq(test, ",") {
		name, values, valued := strings.Cut(one, "=")
		is, there := v[name]
		if !there || is == nil {
			return false
		}
		if !valued {
			continue
		}
		word, _ := is.(string)
		fits := false
		for want := range strings.SplitSeq(values, "|") {
			fits = fits || word == want
		}
		if !fits {
			return false
		}
	}
	return true
}
