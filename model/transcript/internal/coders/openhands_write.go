package coders

import (
	"errors"
	"fmt"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Place is where the message's first event is, outside of a pair; in place
// of an older summary, in the event of its condensation.
func (OpenHands) Place(d *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return edit.Outermost(d, m.Pieces[0]), false
}

// Summary spells a message of the user's, of the generation of its neighbour.
// In V0 it takes the number of the event it replaces, so that numbers stay
// unique and in order.
func (OpenHands) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	if like.Kind == jspan.Array { // a pair
		like = like.Index(0)
	}
	when := s.Time.UTC().Format("2006-01-02T15:04:05.000000")
	o := edit.SpellLike(d, like)
	if like.Get("kind").Kind == jspan.String {
		msg := edit.NewObject(d).Str("role", "user").Raw("content", edit.TextBlocks(d, "text", s.Text)).Done()
		return o.Str("id", s.UID).Str("timestamp", when).Str("source", "user").Raw("llm_message", msg).
			Raw("activated_skills", []byte("[]")).Raw("extended_content", []byte("[]")).Str("kind", "MessageEvent").Done(), nil
	}
	if id := like.Get("id"); id.Exists() {
		o.Raw("id", id.Raw())
	}
	args := edit.NewObject(d).Str("content", s.Text).Raw("image_urls", []byte("null")).Raw("wait_for_response", []byte("false")).Done()
	return o.Str("timestamp", when).Str("source", "user").Str("message", s.Text).Str("action", "message").Raw("args", args).Done(), nil
}

// ResultContent is the output of the observation, and its other form in V0.
func (OpenHands) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	spans, err := codec.ResultSpans(d, m, func(v jspan.Value) []jspan.Value {
		if v.Get("kind").Kind == jspan.String {
			return []jspan.Value{ohSDKOutput(v)}
		}
		seen, other := ohOutput(v)
		if !seen.Exists() || other.Kind != jspan.String || other.Len() <= 2 {
			return []jspan.Value{seen}
		}
		return []jspan.Value{seen, other}
	})
	if err == nil && len(spans) == 0 {
		return nil, errors.New("the result has no content")
	}
	return spans, err
}

// Relink clears causes that are gone, and moves the summary of a kept
// condensation by as many events as went or came before it.
func (OpenHands) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	if len(c.Drop) == 0 {
		return nil, nil
	}
	if err := edit.EmptyTexts(d, th, c, e); err != nil {
		return nil, err
	}
	drop := edit.IndexSet(c.Drop)
	gone := map[string]bool{} // ids of the events that go
	for _, i := range c.Drop {
		for _, p := range th.Messages[i].Pieces {
			v, err := edit.ParseAt(d, p.Span)
			if err != nil {
				return nil, err
			}
			if id := edit.IDText(v.Get("id")); id != "" {
				gone[id] = true
			}
		}
	}
	var out []edit.Relink
	for i := range th.Messages {
		if drop[int32(i)] {
			continue
		}
		for _, p := range th.Messages[i].Pieces {
			v, err := edit.ParseAt(d, p.Span)
			if err != nil {
				return nil, err
			}
			if cause := v.Get("cause"); cause.Exists() && gone[edit.IDText(cause)] {
				at := edit.Within(p.Span, cause)
				e.Replace(at, []byte("null"))
				out = append(out, edit.Relink{Off: at.Off, Field: "cause", From: edit.IDText(cause)})
			}
		}
	}
	moved, err := ohMoveSummary(d, th, c, e, drop)
	return append(out, moved...), err
}

// ohMoveSummary keeps the summary of a condensation between the messages it
// is between.
func ohMoveSummary(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits, drop map[int32]bool) ([]edit.Relink, error) {
	by, at := 0, model.Piece{Array: -1}
	for _, i := range th.Live(len(th.History)) {
		m := &th.Messages[i]
		if isText, err := edit.IsTextElem(d, m.Pieces[0]); err != nil {
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
			v, err := edit.ParseAt(d, p.Span)
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
func ohShiftOffset(d *model.Document, e *edit.Edits, text model.Piece, by int) ([]edit.Relink, error) {
	holder, ok := edit.RecordAround(d, text)
	if !ok {
		return nil, fmt.Errorf("the condensation at byte %d is in no record", text.Off)
	}
	v, err := edit.ParseAt(d, holder)
	if err != nil {
		return nil, err
	}
	offset := ohOffsetBeside(v, int(text.Off-holder.Off))
	if offset.Kind != jspan.Number {
		return nil, nil
	}
	n := max(0, offset.Int()+int64(by))
	at := edit.Within(holder, offset)
	e.Replace(at, fmt.Append(nil, n))
	return []edit.Relink{{Off: at.Off, Field: "summary_offset", From: string(offset.Raw()), To: fmt.Sprint(n)}}, nil
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
	for _, x := range v.Each {
		if !look(x) {
			break
		}
	}
	for _, x := range v.Items {
		if !look(x) {
			break
		}
	}
	return found
}
