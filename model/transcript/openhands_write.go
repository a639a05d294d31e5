package transcript

import (
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// place is where the message's first event stands, outside of a pair; in place
// of an older summary, in the event of its condensation.
func (openHands) place(d *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return outermost(d, m.Pieces[0]), false
}

// summary spells a message of the user's, of the generation of its neighbour.
// In V0 it takes the number of the event it stands for, so that numbers stay
// unique and in order.
func (openHands) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	if isText, err := inText(d, like); isText || err != nil {
		return quote(d, s.Text), err
	}
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	if v.Kind == jspan.Array { // a pair
		v = v.Index(0)
	}
	when := s.Time.UTC().Format("2006-01-02T15:04:05.000000")
	o := spellLike(d, v)
	if v.Get("kind").Kind == jspan.String {
		msg := newObject(d).str("role", "user").raw("content", textBlocks(d, "text", s.Text)).done()
		return o.str("id", s.UID).str("timestamp", when).str("source", "user").raw("llm_message", msg).
			raw("activated_skills", []byte("[]")).raw("extended_content", []byte("[]")).str("kind", "MessageEvent").done(), nil
	}
	if id := v.Get("id"); id.Exists() {
		o.raw("id", id.Raw())
	}
	args := newObject(d).str("content", s.Text).raw("image_urls", []byte("null")).raw("wait_for_response", []byte("false")).done()
	return o.str("timestamp", when).str("source", "user").str("message", s.Text).str("action", "message").raw("args", args).done(), nil
}

// resultContent is the output of the observation, and its other form in V0.
func (openHands) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	at := m.Pieces[0].Span
	v, err := parseAt(d, at)
	if err != nil {
		return nil, err
	}
	seen, other := ohSDKOutput(v), jspan.Value{}
	if v.Get("kind").Kind != jspan.String {
		seen, other = ohOutput(v)
	}
	if !seen.Exists() {
		return nil, fmt.Errorf("the result has no content")
	}
	spans := []model.Span{within(at, seen)}
	if other.Kind == jspan.String && other.Len() > 2 {
		spans = append(spans, within(at, other))
	}
	return spans, nil
}

// relink clears causes that are gone, and moves the summary of a kept
// condensation by as many events as went or came before it.
func (openHands) relink(d *model.Document, th *model.Thread, c *Change, e *Edits) ([]Relink, error) {
	if len(c.Drop) == 0 {
		return nil, nil
	}
	if err := emptyTexts(d, th, c, e); err != nil {
		return nil, err
	}
	drop := indexSet(c.Drop)
	gone := map[string]bool{} // ids of the events that go
	for _, i := range c.Drop {
		for _, p := range th.Messages[i].Pieces {
			v, err := parseAt(d, p.Span)
			if err != nil {
				return nil, err
			}
			if id := idText(v.Get("id")); id != "" {
				gone[id] = true
			}
		}
	}
	var out []Relink
	for i := range th.Messages {
		if drop[int32(i)] {
			continue
		}
		for _, p := range th.Messages[i].Pieces {
			v, err := parseAt(d, p.Span)
			if err != nil {
				return nil, err
			}
			if cause := v.Get("cause"); cause.Exists() && gone[idText(cause)] {
				at := within(p.Span, cause)
				e.Replace(at, []byte("null"))
				out = append(out, Relink{Off: at.Off, Field: "cause", From: idText(cause)})
			}
		}
	}
	moved, err := ohMoveSummary(d, th, c, e, drop)
	return append(out, moved...), err
}

// ohMoveSummary keeps the summary of a condensation between the messages it
// stands between.
func ohMoveSummary(d *model.Document, th *model.Thread, c *Change, e *Edits, drop map[int32]bool) ([]Relink, error) {
	by, at := 0, model.Piece{Array: -1}
	for _, i := range th.Live(len(th.History)) {
		m := &th.Messages[i]
		if isText, err := inText(d, m.Pieces[0]); err != nil {
			return nil, err
		} else if isText && m.Kind == model.KindSummary {
			at = m.Pieces[0]
			break
		}
		for _, s := range c.Summaries {
			if s.Before == i {
				by++
			}
		}
		if !drop[i] {
			continue
		}
		for _, p := range m.Pieces {
			v, err := parseAt(d, p.Span)
			if err != nil {
				return nil, err
			}
			if v.Get("kind").Kind == jspan.String || ohInView(v.Get("action").TextN(40)) && ohInView(v.Get("observation").TextN(40)) {
				by--
			}
		}
	}
	if at.Array < 0 || by == 0 {
		return nil, nil
	}
	return ohShiftOffset(d, e, at, by)
}

// ohShiftOffset adds to the summary_offset beside the text of a condensation.
func ohShiftOffset(d *model.Document, e *Edits, text model.Piece, by int) ([]Relink, error) {
	holder, ok := holding(d, text)
	if !ok {
		return nil, fmt.Errorf("the condensation at byte %d is in no record", text.Off)
	}
	v, err := parseAt(d, holder)
	if err != nil {
		return nil, err
	}
	offset := ohOffsetBeside(v, int(text.Off-holder.Off))
	if offset.Kind != jspan.Number {
		return nil, nil
	}
	n := max(0, offset.Int()+int64(by))
	at := within(holder, offset)
	e.Replace(at, fmt.Append(nil, n))
	return []Relink{{Off: at.Off, Field: "summary_offset", From: string(offset.Raw()), To: fmt.Sprint(n)}}, nil
}

// holding is the record of the source that a piece lies in.
func holding(d *model.Document, p model.Piece) (model.Span, bool) {
	for _, s := range d.Segments {
		if s.Kind == model.SegmentRecord && s.Off <= p.Off && p.End() <= s.End() {
			return s.Span, true
		}
	}
	return model.Span{}, false
}

// ohOffsetBeside finds the summary_offset of the object whose summary is at off
// in the value's buffer, however deep it lies.
func ohOffsetBeside(v jspan.Value, off int) (found jspan.Value) {
	if v.Off > off || v.End <= off {
		return found
	}
	if s := v.Get("summary"); s.Kind == jspan.String && s.Off == off {
		return v.Get("summary_offset")
	}
	look := func(x jspan.Value) bool {
		found = ohOffsetBeside(x, off)
		return !found.Exists()
	}
	v.Each(func(_ []byte, x jspan.Value) bool { return look(x) })
	v.Items(func(_ int, x jspan.Value) bool { return look(x) })
	return found
}
