package codec

import (
	"fmt"
	"slices"

	"palimpsest/model/transcript/internal/edit"
)

// Tally counts records of kinds a format does not know. They are kept where
// they are; one note a kind says how many there are.
type Tally struct {
	count map[string]int
	kinds []string // in the order in which they came
	first []place
}

type place struct {
	line int
	base int64
}

// tallyKinds bounds the kinds that are counted, so that a hostile file
// can't make a note of every line.
const tallyKinds = 50

// Add counts the current record.
func (t *Tally) Add(b *Builder, kind string) {
	if t.count == nil {
		t.count = map[string]int{}
	}
	if len(t.kinds) == tallyKinds && !slices.Contains(t.kinds, kind) {
		kind = "…"
	}
	if t.count[kind] == 0 {
		t.kinds = append(t.kinds, kind)
		t.first = append(t.first, place{b.Line, b.Base})
	}
	t.count[kind]++
}

// Report notes each kind once, at its first record.
func (t *Tally) Report(b *Builder) {
	for i, kind := range t.kinds {
		b.Line, b.Base = t.first[i].line, t.first[i].base
		b.Note("unknown-record", fmt.Sprintf("%d of a kind that is not known, %s; kept as they are",
			t.count[kind], edit.Quote(b.Doc, kind)))
	}
}
