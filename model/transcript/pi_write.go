package transcript

import (
	"bytes"
	"fmt"
	"strconv"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// place is where the message's entry stands; in place of an older summary, in
// the entry of its compaction.
func (pi) place(d *model.Document, th *model.Thread, m *model.Message, dropped func(model.Piece) bool) (model.Piece, bool) {
	if p := m.Pieces[0]; p.Array >= 0 {
		return p, false
	}
	return placeOnChain(d, th, m, dropped), false
}

// summary spells a user's message, or the text of an older compaction.
func (pi) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	if isText, err := inText(d, like); isText || err != nil {
		return quote(d, s.Text), err
	}
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	o := newObject(d).str("type", "message")
	if v.Has("id") {
		o.str("id", s.UID).raw("parentId", s.parent)
	}
	o.str("timestamp", s.Time.UTC().Format("2006-01-02T15:04:05.000Z"))
	return o.raw("message", newObject(d).str("role", "user").raw("content", textBlocks(d, "text", s.Text)).
		raw("timestamp", fmt.Append(nil, s.Time.UnixMilli())).done()).done(), nil
}

// resultContent is the list of blocks of the result.
func (pi) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	v, err := parseAt(d, m.Pieces[0].Span)
	if err != nil {
		return nil, err
	}
	content := v.Get("message", "content")
	if !content.Exists() {
		return nil, fmt.Errorf("the result has no content")
	}
	return []model.Span{within(m.Pieces[0].Span, content)}, nil
}

const piKept = "firstKeptEntryId"

func piIDs(v jspan.Value, ref func(field string, parent bool, at jspan.Value)) string {
	var id jspan.Value
	v.Each(func(key []byte, val jspan.Value) bool {
		switch k := string(key); k {
		case "id":
			id = val
		case "parentId":
			ref(k, true, val)
		case "targetId", "fromId", piKept:
			ref(k, false, val)
		}
		return true
	})
	if v.Get("type").TextN(10) == "session" {
		return "" // the id of the session, not of an entry
	}
	return id.Text()
}

// relink hangs what followed a dropped entry on what is left before it. A
// compaction whose first kept entry goes keeps from the next one that is left.
func (pi) relink(d *model.Document, th *model.Thread, c *Change, e *Edits) ([]Relink, error) {
	if len(c.Drop) == 0 {
		return nil, nil
	}
	if err := emptyTexts(d, th, c, e); err != nil {
		return nil, err
	}
	l, err := readLinks(d, e, piIDs)
	if err != nil {
		return nil, err
	}
	var stood []int // records in whose place a summary comes
	for i := range c.Summaries {
		s := &c.Summaries[i]
		at, _ := pi{}.place(d, th, &th.Messages[s.Before], e.Dropped)
		if at.Array >= 0 {
			continue
		}
		s.parent = quoteOrNull(d, l.stand(at.Off, s.UID))
		stood = append(stood, l.at[at.Off])
	}
	kept := piKeptIDs(l)
	out := l.mend(e, func(field, id string) []byte { return quoteOrNull(d, id) })
	for i := range out {
		if r := &out[i]; r.Field == piKept {
			r.To = kept[r.From]
			for span := range e.replaces {
				if span.Off == r.Off {
					e.replaces[span] = quote(d, r.To)
				}
			}
		}
	}
	more, err := piIndices(d, l, e, stood)
	return append(out, more...), err
}

// piKeptIDs gives for every dropped entry the first one behind it on the way to
// the leaf that is left, or the summary that stands there.
func piKeptIDs(l *links) map[string]string {
	next := map[string]string{}
	after, seen := "", map[int]bool{}
	for i, ok := len(l.recs)-1, len(l.recs) > 0; ok && !seen[i]; i, ok = l.byID[l.recs[i].parent] {
		seen[i] = true
		id := l.recs[i].id
		if s, stands := l.stands[id]; stands {
			after = s
		} else if !l.recs[i].gone {
			after = id
		}
		next[id] = after
	}
	return next
}

// piIndices counts the entry numbers of version 1 anew.
func piIndices(d *model.Document, l *links, e *Edits, stood []int) ([]Relink, error) {
	var out []Relink
	for i, n := 0, 0; i < len(d.Segments); i++ {
		s := d.Segments[i]
		if s.Kind != model.SegmentRecord {
			continue
		}
		rec := l.recs[n]
		n++
		raw, err := d.Bytes(s.Span)
		if err != nil {
			return nil, err
		}
		if rec.gone || !bytes.Contains(raw, []byte("firstKeptEntryIndex")) {
			continue
		}
		v, err := jspan.Parse(raw, 0)
		if err != nil {
			return nil, err
		}
		at := v.Get("firstKeptEntryIndex")
		old := int(at.Int())
		if v.Get("type").TextN(12) != "compaction" || at.Kind != jspan.Number || old < 0 || old > len(l.recs) {
			continue
		}
		now := 0
		for k := range old {
			if !l.recs[k].gone {
				now++
			}
		}
		for _, k := range stood {
			if k < old {
				now++
			}
		}
		if now != old {
			span := within(s.Span, at)
			e.Replace(span, strconv.AppendInt(nil, int64(now), 10))
			out = append(out, Relink{Line: int(s.Line), Off: span.Off, Field: "firstKeptEntryIndex", From: strconv.Itoa(old), To: strconv.Itoa(now)})
		}
	}
	return out, nil
}
