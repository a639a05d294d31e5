package coders

import (
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// condensation applies a condensation event: the events it names are no longer
// sent, and its summary, if it has one, is among the others at an offset
// that counts events. args holds its members (V0), or the event itself does.
func (r *openHandsReader) condensation(v, args jspan.Value, m model.Message) {
	m.Role, m.Kind, m.Name = model.RoleUser, model.KindBoundary, ""
	text, offset := args.Get("summary"), args.Get("summary_offset")
	brings := text.Kind == jspan.String && offset.Kind == jspan.Number // also one that was emptied
	given := brings && text.Len() > 2
	f := model.Found{Summary: -1, Time: m.Time, Cause: "auto"}
	if given {
		m.Kind, m.Preview = model.KindSummary, codec.Preview(text.TextN(codec.PreviewScan))
		m.Pieces = []model.Piece{r.B.InnerPiece(text)}
	}
	gone := r.forgotten(args)
	left := map[int32]bool{} // messages of which an event is left
	for _, id := range r.view {
		if msg, ok := r.messages[id]; ok && !gone[id] {
			left[msg] = true
		}
	}
	at := r.Store(m)
	var base []int32
	for _, i := range r.Live {
		if left[i] || !brings && !r.isEvent(i) { // the summary before this one stays if this one brings none
			base = append(base, i)
		}
	}
	kept := r.view[:0:0]
	for _, id := range r.view {
		if !gone[id] {
			kept = append(kept, id)
		}
	}
	r.view = kept
	if given {
		f.Summary = int(at)
		base = r.insertAt(base, at, int(offset.Int()))
		if v.Has("kind") { // the SDK's summaries are events, which a later condensation names
			id := m.ID + "-summary"
			r.view = slices.Insert(r.view, min(max(0, int(offset.Int())), len(r.view)), id)
			r.messages[id] = at
		}
	}
	r.AddCompaction(base, f)
}

// isEvent reports whether a message is made of events, as all are but the
// summaries of condensations.
func (r *openHandsReader) isEvent(i int32) bool {
	m := &r.Th.Messages[i]
	at, ok := r.messages[m.ID]
	sum, isSummary := r.messages[m.ID+"-summary"]
	return ok && at == i || isSummary && sum == i || m.ID == ""
}

// insertAt puts the summary before the first message whose events come at or
// behind the offset.
func (r *openHandsReader) insertAt(base []int32, summary int32, offset int) []int32 {
	place := map[int32]int{}
	for n, id := range r.view {
		if msg, ok := r.messages[id]; ok {
			if _, ok := place[msg]; !ok {
				place[msg] = n
			}
		}
	}
	for k, i := range base {
		if n, ok := place[i]; ok && n >= offset {
			return append(base[:k:k], append([]int32{summary}, base[k:]...)...)
		}
	}
	return append(base, summary)
}

// forgotten lists the ids that a condensation names, one by one or as a range.
func (r *openHandsReader) forgotten(args jspan.Value) map[string]bool {
	gone := map[string]bool{}
	for _, e := range args.Get("forgotten_event_ids").Items {
		gone[edit.IDText(e)] = true
	}
	first, last := args.Get("forgotten_events_start_id"), args.Get("forgotten_events_end_id")
	if first.Kind == jspan.Number && last.Kind == jspan.Number {
		for _, id := range r.view {
			if n, ok := codec.WholeNumber(id); ok && n >= first.Int() && n <= last.Int() {
				gone[id] = true
			}
		}
	}
	return gone
}
