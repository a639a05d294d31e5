package anthropic

import (
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
)

// ccKept is what records refer to by numbers.
type ccKept struct {
	uuids  codec.IDTable
	firsts []int32           // by number of a uuid: its first record
	texts  []string          // that are no uuids of records
	slabs  [][]model.Message // of which records have parts
	bounds []*ccBoundary
}

// ccText is a text that the reader keeps: the number of a uuid from 1 on, or of another
// text from -1 down; 0 is none.
type ccText int32

// byUUID is the first record of a uuid.
func (k *ccKept) byUUID(uuid string) (int32, bool) {
	if n := k.uuids.Find(uuid); n >= 0 {
		return k.firsts[n], true
	}
	return -1, false
}

// keep keeps a text.
func (k *ccKept) keep(s string) ccText {
	if s == "" {
		return 0
	}
	k.texts = append(k.texts, s)
	return ccText(-len(k.texts))
}

// text is a text that is kept.
func (k *ccKept) text(t ccText) string {
	switch {
	case t > 0:
		return k.uuids.IDs[t-1]
	case t < 0:
		return k.texts[-t-1]
	}
	return ""
}

// add gives a record one more message, as long as no other record gets one.
func (k *ccKept) add(rec *ccRecord, m model.Message) {
	n := len(k.slabs)
	if n == 0 || len(k.slabs[n-1]) == cap(k.slabs[n-1]) {
		had := k.messages(rec)
		k.slabs = append(k.slabs, append(make([]model.Message, 0, max(64, 2*len(had))), had...))
		rec.slab, rec.first, n = int32(n), 0, n+1
	}
	if rec.messages == 0 {
		rec.slab, rec.first = int32(n-1), int32(len(k.slabs[n-1]))
	}
	k.slabs[n-1] = append(k.slabs[n-1], m)
	rec.messages++
}

// messages are those of a record.
func (k *ccKept) messages(rec *ccRecord) []model.Message {
	if rec.messages == 0 {
		return nil
	}
	return k.slabs[rec.slab][rec.first:][:rec.messages:rec.messages]
}

// boundOf is the compaction that a record marks, nil if it marks none.
func (k *ccKept) boundOf(rec *ccRecord) *ccBoundary {
	if rec.bound == 0 {
		return nil
	}
	return k.bounds[rec.bound-1]
}

// mark lets a record mark a compaction.
func (k *ccKept) mark(rec *ccRecord, b *ccBoundary) {
	k.bounds = append(k.bounds, b)
	rec.bound = int32(len(k.bounds))
}

// answers reports whether a record holds a tool result.
func (k *ccKept) answers(rec *ccRecord) bool {
	return rec.messages > 0 && k.messages(rec)[0].Kind == model.KindResult
}

// addCalls adds the ids of the calls that a record makes.
func (k *ccKept) addCalls(rec *ccRecord, ids map[string]bool) {
	for _, m := range k.messages(rec) {
		for _, c := range m.Calls {
			if c.ID != "" {
				ids[c.ID] = true
			}
		}
	}
}

// isMark reports whether a record only marks a compaction.
func (k *ccKept) isMark(rec *ccRecord) bool {
	return !slices.ContainsFunc(k.messages(rec), func(m model.Message) bool { return m.Kind != model.KindBoundary })
}
