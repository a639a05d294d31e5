package transcript

import (
	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// links is what points where in a document whose records name the record they
// follow: one reading of all records, made when a rewrite needs it.
type links struct {
	d      *model.Document
	recs   []linkedRecord
	byID   map[string]int
	at     map[int64]int     // offset of a record → its index
	stands map[string]string // id of a record → id of the summary that stands in its place
}

type linkedRecord struct {
	line       int
	id, parent string
	gone       bool
	refs       []reference
}

// reference is a field that names another record.
type reference struct {
	field string
	span  model.Span
	to    string
}

// recordIDs reads the id of a record, and gives ref each value that names
// another record. A field called parent, whatever its name in the file, leads
// to the record before.
type recordIDs func(v jspan.Value, ref func(field string, parent bool, at jspan.Value)) (id string)

// readLinks reads every record. gone tells from the edits which ones go.
func readLinks(d *model.Document, e *Edits, ids recordIDs) (*links, error) {
	l := &links{d: d, byID: map[string]int{}, at: map[int64]int{}, stands: map[string]string{}}
	for _, s := range d.Segments {
		if s.Kind != model.SegmentRecord {
			continue
		}
		v, err := parseAt(d, s.Span)
		if err != nil {
			return nil, err
		}
		_, gone := e.Gone[s.Span]
		r := linkedRecord{line: int(s.Line), gone: gone}
		r.id = ids(v, func(field string, parent bool, at jspan.Value) {
			to := idText(at)
			if to == "" {
				return
			}
			if parent {
				r.parent = to
			}
			r.refs = append(r.refs, reference{field, within(s.Span, at), to})
		})
		if have, ok := l.byID[r.id]; r.id != "" && (!ok || l.recs[have].gone && !gone) {
			l.byID[r.id] = len(l.recs)
		}
		l.at[s.Off] = len(l.recs)
		l.recs = append(l.recs, r)
	}
	return l, nil
}

// idText is an id as text, a number as it is spelled.
func idText(v jspan.Value) string {
	if v.Kind == jspan.Number {
		return string(v.Raw())
	}
	return v.Text()
}

// stand puts a summary in the place of the record at off and returns the id it
// follows; "" if it is the first.
func (l *links) stand(off int64, summary string) (parent string) {
	i, ok := l.at[off]
	if !ok {
		return ""
	}
	r := &l.recs[i]
	if former, ok := l.stands[r.id]; ok {
		parent = former // two summaries in one place follow each other
	} else {
		parent = l.survivor(r.parent)
	}
	if r.id != "" {
		l.stands[r.id] = summary
	}
	return parent
}

// survivor is the nearest kept record on the way up from id, or the summary
// that stands for a dropped one on that way; "" if there is neither.
func (l *links) survivor(id string) string {
	for seen := map[string]bool{}; id != "" && !seen[id]; {
		seen[id] = true
		i, ok := l.byID[id]
		if !ok || !l.recs[i].gone {
			return id
		}
		if s, ok := l.stands[id]; ok {
			return s
		}
		id = l.recs[i].parent
	}
	return ""
}

// mend points every kept record that named a dropped one to its survivor.
// spell writes an id as the field it stands in wants it.
func (l *links) mend(e *Edits, spell func(field, id string) []byte) []Relink {
	var out []Relink
	for i := range l.recs {
		if l.recs[i].gone {
			continue
		}
		for _, ref := range l.recs[i].refs {
			k, ok := l.byID[ref.to]
			if !ok || !l.recs[k].gone {
				continue
			}
			to := l.survivor(ref.to)
			e.Replace(ref.span, spell(ref.field, to))
			out = append(out, Relink{Line: l.recs[i].line, Off: ref.span.Off, Field: ref.field, From: ref.to, To: to})
		}
	}
	return out
}

// quoteOrNull spells an id that is a string, or null where there is none.
func quoteOrNull(d *model.Document, id string) []byte {
	if id == "" {
		return []byte("null")
	}
	return quote(d, id)
}
