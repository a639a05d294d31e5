package body

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"strings"

	"palimpsest/model"
)

// Indented puts JSON on lines of its own; what is none, or too large to be worth
// it, stays as it is.
func Indented(s string) string {
	if len(s) > 1<<20 {
		return s
	}
	var b bytes.Buffer
	if json.Indent(&b, []byte(s), "", "  ") != nil {
		return s
	}
	return b.String()
}

// looksJSON reports whether a text is an object or a list of JSON.
func looksJSON(s string) bool {
	t := strings.TrimSpace(s)
	if len(t) < 2 || len(t) > treeLimit {
		return false
	}
	ends := t[:1] + t[len(t)-1:]
	return (ends == "{}" || ends == "[]") && json.Valid([]byte(t))
}

// treeOf makes a tree of JSON. Keys and numbers are spelled as they are there;
// strings of several lines are shown as their lines, without escapes.
func treeOf(s string) (Block, bool) {
	if !looksJSON(s) {
		return Block{}, false
	}
	t := tree{dec: json.NewDecoder(strings.NewReader(s))}
	t.dec.UseNumber()
	tok, err := t.dec.Token()
	if err == nil {
		if tok == json.Delim('{') {
			err = t.members(0)
		} else {
			err = t.items(0)
		}
	}
	if err != nil || t.line == 0 {
		return Block{}, false
	}
	return Block{Kind: Tree, Text: strings.TrimSuffix(t.w.text.String(), "\n"), Spans: t.w.spans, Ends: t.ends}, true
}

type tree struct {
	dec  *json.Decoder
	w    writer
	ends []int32
	line int32
}

const treeIndent = "  "

func (t *tree) begin(depth int, key string, st Style) {
	t.w.put(strings.Repeat(treeIndent, depth), Style{}, "")
	if key != "" {
		t.w.put(key, st, "")
		t.w.put(": ", Style{Ink: InkFaint}, "")
	}
}

// end ends a line; it returns the line's number.
func (t *tree) end() int32 {
	t.w.put("\n", Style{}, "")
	t.ends = append(t.ends, 0)
	t.line++
	return t.line - 1
}

func (t *tree) members(depth int) error {
	for t.dec.More() {
		key, err := t.dec.Token()
		if err != nil {
			return err
		}
		k, ok := key.(string)
		if !ok {
			return errors.New("a key that is no string")
		}
		if k == "" || strings.ContainsAny(k, " :\n\"{}[],") {
			k = quoted(k)
		}
		if err := t.value(depth, k, Style{Ink: InkFunction}); err != nil {
			return err
		}
	}
	return t.closing()
}

func (t *tree) items(depth int) error {
	for i := 0; t.dec.More(); i++ {
		if err := t.value(depth, strconv.Itoa(i), Style{Ink: InkFaint}); err != nil {
			return err
		}
	}
	return t.closing()
}

func (t *tree) closing() error {
	if _, err := t.dec.Token(); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

func (t *tree) value(depth int, key string, st Style) error {
	tok, err := t.dec.Token()
	if err != nil {
		return err
	}
	t.begin(depth, key, st)
	switch v := tok.(type) {
	case json.Delim:
		if !t.dec.More() {
			t.w.put(map[json.Delim]string{'{': "{}", '[': "[]"}[v], Style{Ink: InkFaint}, "")
			t.end()
			return t.closing()
		}
		t.w.put(v.String(), Style{Ink: InkFaint}, "")
		at := t.end()
		if v == '{' {
			err = t.members(depth + 1)
		} else {
			err = t.items(depth + 1)
		}
		t.ends[at] = t.line - 1
		return err
	case string:
		if !strings.Contains(strings.TrimSuffix(v, "\n"), "\n") {
			t.w.put(quoted(v), Style{Ink: InkString}, "")
			t.end()
			return nil
		}
		t.w.put("|", Style{Ink: InkFaint}, "")
		at := t.end()
		for _, l := range strings.Split(strings.TrimSuffix(v, "\n"), "\n") {
			t.w.put(strings.Repeat(treeIndent, depth+1), Style{}, "")
			t.w.put(l, Style{Ink: InkString}, "")
			t.end()
		}
		t.ends[at] = t.line - 1
		return nil
	case json.Number:
		t.w.put(v.String(), Style{Ink: InkNumber}, "")
	case bool:
		t.w.put(map[bool]string{true: "true", false: "false"}[v], Style{Ink: InkKeyword}, "")
	default:
		t.w.put("null", Style{Ink: InkKeyword}, "")
	}
	t.end()
	return nil
}

// quoted spells a string as JSON.
func quoted(s string) string {
	b, _ := model.PlainJSON(s) // never fails for a string
	return string(b)
}
