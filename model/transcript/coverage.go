package transcript

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/mapped"
	"palimpsest/model/transcript/jspan"
)

// A format that is data reads what its rules name. What else is in a source is looked for in
// the texts that were read of it: where more than a tenth is in none, a sentence names the
// members that hold it.
const (
	mostCovered = 32 << 20 // bytes of a source that is looked through
	probe       = 20       // bytes by which a text is known again
)

// around are members besides [aside] that are about a conversation, or define its tools.
var around = map[string]bool{"tools": true, "functions": true, "title": true, "customTitle": true, "description": true,
	"parameters": true, "input_schema": true, "displayName": true}

// cover notes what of a source that was read by rules is in no message.
func cover(d *model.Document) {
	f, ok := d.Codec.(mapped.Format)
	if !ok || d.Size > mostCovered {
		return
	}
	text := make([]byte, d.Size)
	if _, err := io.ReadFull(io.NewSectionReader(d.Source, 0, d.Size), text); err != nil {
		return
	}
	l := &leaves{at: map[[probe]byte]*leaf{}, logged: f.Logged}
	for at := jspan.Space(text, 0); at < len(text); at = jspan.Space(text, at) {
		v, err := jspan.Parse(text, at)
		if err != nil {
			line := bytes.IndexByte(text[at:], '\n')
			if line < 0 {
				break
			}
			at += line + 1
			continue
		}
		l.walk("", v)
		at = v.End
	}
	for m := range d.Messages {
		parts, err := d.Parts(m)
		if err != nil {
			return
		}
		for _, p := range parts {
			l.read(p.Text)
		}
	}
	if share, names := l.missing(); share > mostUnread {
		codec.Say(d, model.Note{Code: "not-read", Reason: fmt.Sprintf(
			"%.0f %% of the text is in members that are not read, and are kept: %s", 100*share,
			strings.Join(names[:min(len(names), 6)], ", "))})
	}
}

// leaf is a text of a source.
type leaf struct {
	name  string // of its member
	bytes int
	read  bool
}

// leaves are the texts of a source, each once, by a piece of it that is spelled in the same
// way wherever it is.
type leaves struct {
	at     map[[probe]byte]*leaf
	logged []string      // members that are no part of a history
	begins [1 << 16]bool // how pieces begin: most places of a text are passed by
}

func begin(text string) uint16 { return uint16(text[0])<<8 ^ uint16(text[1])<<4 ^ uint16(text[2]) }

func (l *leaves) walk(name string, v jspan.Value) {
	switch v.Kind {
	case jspan.String:
		if isWords(v) {
			l.text(name, v.Text())
		}
	case jspan.Array:
		for _, e := range v.Items {
			l.walk(name, e)
		}
	case jspan.Object:
		for key, val := range v.Each {
			// what was sent may be kept in metadata
			if k := string(key); k == "metadata" || !aside[k] && !around[k] && !slices.Contains(l.logged, k) {
				l.walk(k, val)
			}
		}
	}
}

func (l *leaves) text(name, text string) {
	if trimmed := strings.TrimSpace(text); len(trimmed) > 1 && (trimmed[0] == '{' || trimmed[0] == '[') {
		if in, err := jspan.Parse([]byte(trimmed), 0); err == nil {
			l.walk(name, in)
			return
		}
	}
	if key, ok := keyOf(text); ok && l.at[key] == nil {
		l.at[key] = &leaf{name: name, bytes: len(text)}
		l.begins[begin(string(key[:]))] = true
	}
}

// keyOf is a run of plain bytes from the middle of a text, else from its beginning: no quote,
// line end or backslash, which some spell otherwise. Many texts begin alike.
func keyOf(text string) (key [probe]byte, ok bool) {
	if key, ok = plainRun(text[len(text)/2:]); ok {
		return key, true
	}
	return plainRun(text)
}

func plainRun(text string) (key [probe]byte, ok bool) {
	from := 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && text[i] >= ' ' && text[i] != '"' && text[i] != '\\' {
			if i-from+1 == probe {
				copy(key[:], text[from:])
				return key, true
			}
			continue
		}
		from = i + 1
	}
	return key, false
}

// read marks the texts that are in one that was read.
func (l *leaves) read(text string) {
	var key [probe]byte
	for i := 0; i+probe <= len(text); i++ {
		if l.begins[begin(text[i:])] {
			copy(key[:], text[i:])
			if one := l.at[key]; one != nil {
				one.read = true
			}
		}
	}
}

// missing is how much of the texts was not read, and the names of their members.
func (l *leaves) missing() (share float64, names []string) {
	by, all, gone := map[string]int{}, 0, 0
	for _, one := range l.at {
		if all += one.bytes; !one.read {
			gone += one.bytes
			by[one.name] += one.bytes
		}
	}
	if gone < fewWords {
		return 0, nil
	}
	return float64(gone) / float64(all), slices.SortedFunc(maps.Keys(by), func(a, b string) int {
		return cmp.Or(by[b]-by[a], strings.Compare(a, b))
	})
}
