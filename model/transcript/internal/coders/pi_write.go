package coders

import (
	"bytes"
	"fmt"
	"strconv"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/anthropic"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Place is where the message's entry is; in place of an older summary, in
// the entry of its compaction.
func (Pi) Place(d *model.Document, th *model.Thread, m *model.Message, dropped func(model.Piece) bool) (model.Piece, bool) {
	if p := m.Pieces[0]; p.Array >= 0 {
		return p, false
	}
	return anthropic.PlaceOnChain(d, th, m, dropped), false
}

// Summary spells a user's message, or the text of an older compaction.
func (Pi) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	o := edit.NewObject(d).Str("type", "message")
	if like.Has("id") {
		o.Str("id", s.UID).Raw("parentId", s.Parent)
	}
	o.Str("timestamp", s.Time.UTC().Format("2006-01-02T15:04:05.000Z"))
	return o.Raw("message", edit.NewObject(d).Str("role", "user").Raw("content", edit.TextBlocks(d, "text", s.Text)).
		Raw("timestamp", fmt.Append(nil, s.Time.UnixMilli())).Done()).Done(), nil
}

// Carries reports that pi reads the members of an entry that it knows.
func (Pi) Carries(jspan.Value) bool { return true }

// ResultContent is the list of blocks of the result.
func (Pi) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpan(d, m.Pieces[:1], func(v jspan.Value) jspan.Value { return v.Get("message", "content") })
}

const piKept = "firstKeptEntryId"

func piIDs(v jspan.Value, ref func(field string, parent bool, at jspan.Value)) string {
	var id jspan.Value
	for key, val := range v.Each {
		switch k := string(key); k {
		case "id":
			id = val
		case "parentId":
			ref(k, true, val)
		case "targetId", "fromId", piKept:
			ref(k, false, val)
		}
	}
	if v.Get("type").TextN(10) == "session" {
		return "" // the id of the session, not of an entry
	}
	return id.Text()
}

// Relink hangs what followed a dropped entry on what is left before it. A
// compaction whose first kept entry goes keeps from the next one that is left.
func (Pi) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	if len(c.Drop) == 0 {
		return nil, nil
	}
	l, err := edit.ReadLinks(d, e, piIDs)
	if err != nil {
		return nil, err
	}
	var stood []int // records in whose place a summary comes
	for i := range c.Summaries {
		s := &c.Summaries[i]
		at, _ := Pi{}.Place(d, th, &th.Messages[s.Before], e.Dropped)
		if at.Array >= 0 {
			continue
		}
		s.Parent = edit.QuoteOrNull(d, l.PlaceSummary(at.Off, s.UID))
		stood = append(stood, l.At[at.Off])
	}
	kept := piKeptIDs(l)
	out := l.Relink(e, func(field, id string) []byte { return edit.QuoteOrNull(d, id) })
	for i := range out {
		if r := &out[i]; r.Field == piKept {
			r.To = kept[r.From]
			for span := range e.Replaces {
				if span.Off == r.Off {
					e.Replaces[span] = edit.Quote(d, r.To)
				}
			}
		}
	}
	more, err := piIndices(d, l, e, stood)
	return append(out, more...), err
}

// piKeptIDs gives for every dropped entry the first one behind it on the way to
// the leaf that is left, or the summary that is there.
func piKeptIDs(l *edit.Links) map[string]string {
	next := map[string]string{}
	after, seen := "", map[int]bool{}
	for i, ok := len(l.Recs)-1, len(l.Recs) > 0; ok && !seen[i]; i, ok = l.ByID[l.Recs[i].Parent] {
		seen[i] = true
		id := l.Recs[i].ID
		if s, stands := l.SummaryOf[id]; stands {
			after = s
		} else if !l.Recs[i].Gone {
			after = id
		}
		next[id] = after
	}
	return next
}

// piIndices counts the entry numbers of version 1 anew.
func piIndices(d *model.Document, l *edit.Links, e *edit.Edits, stood []int) ([]edit.Relink, error) {
	var out []edit.Relink
	for i, n := 0, 0; i < len(d.Segments); i++ {
		s := d.Segments[i]
		if s.Kind != model.SegmentRecord {
			continue
		}
		rec := l.Recs[n]
		n++
		raw, err := d.Bytes(s.Span)
		if err != nil {
			return nil, err
		}
		if rec.Gone || !bytes.Contains(raw, []byte("firstKeptEntryIndex")) {
			continue
		}
		v, err := jspan.Parse(raw, 0)
		if err != nil {
			return nil, err
		}
		at := v.Get("firstKeptEntryIndex")
		old := int(at.Int())
		if v.Get("type").TextN(12) != "compaction" || at.Kind != jspan.Number || old < 0 || old > len(l.Recs) {
			continue
		}
		now := 0
		for k := range old {
			if !l.Recs[k].Gone {
				now++
			}
		}
		for _, k := range stood {
			if k < old {
				now++
			}
		}
		if now != old {
			span := edit.Within(s.Span, at)
			e.Replace(span, strconv.AppendInt(nil, int64(now), 10))
			out = append(out, edit.Relink{Line: int(s.Line), Off: span.Off, Field: "firstKeptEntryIndex", From: strconv.Itoa(old),
				To: strconv.Itoa(now)})
		}
	}
	return out, nil
}

// SpellNote spells a list of text blocks where one stood: pi takes nothing else there.
func (Pi) SpellNote(d *model.Document, at model.Span, note string) ([]byte, error) {
	first, err := d.Bytes(model.Span{Off: at.Off, Len: 1})
	if err != nil {
		return nil, err
	}
	if first[0] == '[' {
		return edit.TextBlocks(d, "text", note), nil
	}
	return edit.Quote(d, note), nil
}
