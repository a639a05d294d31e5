package mapped

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"maps"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// A format that is data reads what its rules name. What else is in a source is looked for in
// the texts that were read of it: where more than a tenth is in none, a sentence names the
// members that hold it.
const (
	mostCovered = 32 << 20 // bytes of a source that is looked through
	probe       = 20       // bytes by which a text is known again
)

// around are members besides [codec.Aside] that are about a conversation, or define its tools.
var around = map[string]bool{"tools": true, "functions": true, "title": true, "customTitle": true, "description": true,
	"parameters": true, "input_schema": true, "displayName": true}

// leaf is a text of a source.
type leaf struct {
	name  string // of its member
	bytes int
	read  bool
}

// leaves are the texts of a source, each once, by a piece of it that is spelled in the same
// way wherever it is. None are kept of a source that is not looked through.
type leaves struct {
	at     map[[probe]byte]*leaf
	logged []string             // members that are no part of a history
	begins [1 << beginBits]bool // how pieces begin: nearly all places of a text are passed by
}

const beginBits = 18

// begin is a hash of the first eight bytes of a piece.
func begin(piece string) uint64 {
	return binary.LittleEndian.Uint64([]byte(piece[:8])) * 0x9E3779B97F4A7C15 >> (64 - beginBits)
}

// take notes the texts of a value that is going to be read. What a member of this name holds is
// in it.
func (l *leaves) take(name string, v jspan.Value) {
	switch {
	case l == nil:
	case v.Kind == jspan.String:
		if codec.IsWords(v) {
			l.text(name, v)
		}
	case v.Kind == jspan.Array:
		for _, e := range v.Items {
			l.take(name, e)
		}
	case v.Kind == jspan.Object:
		for key, val := range v.Each {
			// what was sent may be kept in metadata
			if k := string(key); k == "metadata" || !codec.Aside[k] && !around[k] && !slices.Contains(l.logged, k) {
				l.take(k, val)
			}
		}
	}
}

func (l *leaves) text(name string, v jspan.Value) {
	if head := strings.TrimSpace(v.TextN(20)); head != "" && (head[0] == '{' || head[0] == '[') {
		packed := []byte(v.Text())
		if in, err := jspan.Parse(packed, 0); err == nil && jspan.Space(packed, in.End) == len(packed) {
			l.take(name, in)
			return
		}
	}
	raw := v.Raw()[1 : v.Len()-1]
	if key, ok := probeOf(raw); ok && l.at[key] == nil {
		l.at[key] = &leaf{name: name, bytes: len(raw)}
		l.begins[begin(string(key[:]))] = true
	}
}

// probeOf is a run of plain bytes from the middle of a text as JSON spells it, else from its
// beginning: no quote, line end or escape, which some spell otherwise. Many texts begin alike.
func probeOf(raw []byte) (key [probe]byte, ok bool) {
	middle := raw[len(raw)/2:]
	if at := bytes.IndexFunc(middle, func(r rune) bool { return r == ' ' || r >= 0x80 }); at >= 0 { // no escape is around it
		if key, ok = plainRun(middle[at:]); ok {
			return key, true
		}
	}
	return plainRun(raw)
}

func plainRun(raw []byte) (key [probe]byte, ok bool) {
	from := 0
	for i := 0; i < len(raw); i++ {
		switch {
		case raw[i] == '\\' && i+1 < len(raw) && raw[i+1] == 'u':
			i += 5
		case raw[i] == '\\':
			i++
		case raw[i] >= ' ':
			if i-from+1 == probe {
				copy(key[:], raw[from:])
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
	if l == nil {
		return
	}
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

// say notes on a document what of it is in no message.
func (l *leaves) say(d *model.Document) {
	if l == nil {
		return
	}
	if share, names := l.missing(); share > codec.MostUnread {
		codec.Say(d, model.Note{Code: "not-read", Reason: fmt.Sprintf(
			"%.0f %% of the text is in members that are not read, and are kept: %s", 100*share,
			strings.Join(names[:min(len(names), 6)], ", "))})
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
	if gone < codec.FewWords {
		return 0, nil
	}
	return float64(gone) / float64(all), slices.SortedFunc(maps.Keys(by), func(a, b string) int {
		return cmp.Or(by[b]-by[a], strings.Compare(a, b))
	})
}
