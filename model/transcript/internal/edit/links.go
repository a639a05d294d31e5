package edit

import (
	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Links is what points where in a document whose records name the record they
// follow: one reading of all records, made when a rewrite needs it.
type Links struct {
	d         *model.Document
	Recs      []linkedRecord
	ByID      map[string]int
	At        map[int64]int     // offset of a record → its index
	SummaryOf map[string]string // ID of a record → ID of the summary in its place
}

type linkedRecord struct {
	Line       int
	ID, Parent string
	Gone       bool
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

// ReadLinks reads every record. The edits say which ones go.
func ReadLinks(d *model.Document, e *Edits, ids recordIDs) (*Links, error) {
	l := &Links{d: d, ByID: map[string]int{}, At: map[int64]int{}, SummaryOf: map[string]string{}}
	for _, s := range d.Segments {
		if s.Kind != model.SegmentRecord {
			continue
		}
		v, err := ParseAt(d, s.Span)
		if err != nil {
			return nil, err
		}
		_, gone := e.Gone[s.Span]
		r := linkedRecord{Line: int(s.Line), Gone: gone}
		r.ID = ids(v, func(field string, parent bool, at jspan.Value) {
			to := IDText(at)
			if to == "" {
				return
			}
			if parent {
				r.Parent = to
			}
			r.refs = append(r.refs, reference{field, Within(s.Span, at), to})
		})
		if have, ok := l.ByID[r.ID]; r.ID != "" && (!ok || l.Recs[have].Gone && !gone) {
			l.ByID[r.ID] = len(l.Recs)
		}
		l.At[s.Off] = len(l.Recs)
		l.Recs = append(l.Recs, r)
	}
	return l, nil
}

// PlaceSummary puts a summary in the place of the record at off and returns the id it
// follows; "" if it is the first.
func (l *Links) PlaceSummary(off int64, summary string) (parent string) {
	i, ok := l.At[off]
	if !ok {
		return ""
	}
	r := &l.Recs[i]
	if former, ok := l.SummaryOf[r.ID]; ok {
		parent = former // two summaries in one place follow each other
	} else {
		parent = l.survivor(r.Parent)
	}
	if r.ID != "" {
		l.SummaryOf[r.ID] = summary
	}
	return parent
}

// survivor is the nearest kept record on the way up from id, or the summary
// that replaces a dropped one on that way; "" if there is neither.
func (l *Links) survivor(id string) string {
	for seen := map[string]bool{}; id != "" && !seen[id]; {
		seen[id] = true
		i, ok := l.ByID[id]
		if !ok || !l.Recs[i].Gone {
			return id
		}
		if s, ok := l.SummaryOf[id]; ok {
			return s
		}
		id = l.Recs[i].Parent
	}
	return ""
}

// Relink points every kept record that named a dropped one to its survivor.
// spell writes an ID as its field wants it.
func (l *Links) Relink(e *Edits, spell func(field, id string) []byte) []Relink {
	var out []Relink
	for i := range l.Recs {
		if l.Recs[i].Gone {
			continue
		}
		for _, ref := range l.Recs[i].refs {
			k, ok := l.ByID[ref.to]
			if !ok || !l.Recs[k].Gone {
				continue
			}
			to := l.survivor(ref.to)
			e.Replace(ref.span, spell(ref.field, to))
			out = append(out, Relink{Line: l.Recs[i].Line, Off: ref.span.Off, Field: ref.field, From: ref.to, To: to})
		}
	}
	return out
}
