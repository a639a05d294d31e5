package evals

import (
	"fmt"
	"strconv"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Place is where the message's step is.
func (ATIF) Place(d *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return edit.Outermost(d, m.Pieces[0]), false
}

// Summary spells a step of the system's with the number that relink found.
func (ATIF) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	o := edit.SpellLike(d, like)
	if s.Steps[0] != "" {
		o.Raw("step_id", []byte(s.Steps[0]))
	} else if id := like.Get("step_id"); id.Exists() {
		o.Raw("step_id", id.Raw())
	}
	return o.Str("timestamp", s.Time.UTC().Format("2006-01-02T15:04:05.000Z")).
		Str("source", "system").Str("message", s.Text).Done(), nil
}

// ResultContent is the content of the result.
func (ATIF) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return codec.ResultSpan(d, m, func(v jspan.Value) jspan.Value { return v.Get("content") })
}

// Relink numbers the steps anew, for a reader refuses numbers with gaps. Where
// they had gaps before, they are left alone and a summary takes the number of
// the step it replaces.
func (f ATIF) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	if len(c.Drop) == 0 {
		return nil, nil
	}
	list := edit.Outermost(d, th.Messages[c.Drop[0]].Pieces[0]).Array
	if list < 0 {
		return nil, fmt.Errorf("the steps are in no list")
	}
	elems := d.Arrays[list].Elems
	ids := make([]atifID, len(elems))
	for i, el := range elems {
		v, err := edit.ParseAt(d, el)
		if err != nil {
			return nil, err
		}
		id := v.Get("step_id")
		ids[i] = atifID{edit.Within(el, id), id.Int()}
		if id.Kind != jspan.Number || ids[i].n != ids[0].n+int64(i) {
			return nil, nil
		}
	}
	at := map[model.Span][]*edit.Summary{}
	for i := range c.Summaries {
		s := &c.Summaries[i]
		p, _ := f.Place(d, th, &th.Messages[s.Before], nil)
		at[p.Span] = append(at[p.Span], s)
	}
	e.Promote()
	var out []edit.Relink
	next := ids[0].n
	for i, el := range elems {
		for _, s := range at[el] {
			s.Steps[0] = strconv.FormatInt(next, 10)
			next++
		}
		if _, gone := e.Gone[el]; gone {
			continue
		}
		if id := ids[i]; id.n != next {
			to := strconv.FormatInt(next, 10)
			e.Replace(id.span, []byte(to))
			out = append(out, edit.Relink{Off: id.span.Off, Field: "step_id", From: strconv.FormatInt(id.n, 10), To: to})
		}
		next++
	}
	return out, nil
}

// atifID is the number of a step and where it is.
type atifID struct {
	span model.Span
	n    int64
}
