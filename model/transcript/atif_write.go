package transcript

import (
	"fmt"
	"strconv"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// place is where the message's step stands.
func (atif) place(d *model.Document, _ *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return outermost(d, m.Pieces[0]), false
}

// summary spells a step of the system's with the number that relink found.
func (atif) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	o := spellLike(d, v)
	if s.steps[0] != "" {
		o.raw("step_id", []byte(s.steps[0]))
	} else if id := v.Get("step_id"); id.Exists() {
		o.raw("step_id", id.Raw())
	}
	return o.str("timestamp", s.Time.UTC().Format("2006-01-02T15:04:05.000Z")).
		str("source", "system").str("message", s.Text).done(), nil
}

// resultContent is the content of the result.
func (atif) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	at := m.Pieces[0].Span
	v, err := parseAt(d, at)
	if err != nil {
		return nil, err
	}
	if content := v.Get("content"); content.Exists() {
		return []model.Span{within(at, content)}, nil
	}
	return nil, fmt.Errorf("the result has no content")
}

// relink numbers the steps anew, for a reader refuses numbers with gaps. Where
// they had gaps before, they are left alone and a summary takes the number of
// the step it stands for.
func (f atif) relink(d *model.Document, th *model.Thread, c *Change, e *Edits) ([]Relink, error) {
	if len(c.Drop) == 0 {
		return nil, nil
	}
	list := outermost(d, th.Messages[c.Drop[0]].Pieces[0]).Array
	if list < 0 {
		return nil, fmt.Errorf("the steps stand in no list")
	}
	elems := d.Arrays[list].Elems
	ids := make([]atifID, len(elems))
	for i, el := range elems {
		v, err := parseAt(d, el)
		if err != nil {
			return nil, err
		}
		id := v.Get("step_id")
		ids[i] = atifID{within(el, id), id.Int()}
		if id.Kind != jspan.Number || ids[i].n != ids[0].n+int64(i) {
			return nil, nil
		}
	}
	at := map[model.Span][]*Summary{}
	for i := range c.Summaries {
		s := &c.Summaries[i]
		p, _ := f.place(d, th, &th.Messages[s.Before], nil)
		at[p.Span] = append(at[p.Span], s)
	}
	e.promote()
	var out []Relink
	next := ids[0].n
	for i, el := range elems {
		for _, s := range at[el] {
			s.steps[0] = strconv.FormatInt(next, 10)
			next++
		}
		if _, gone := e.Gone[el]; gone {
			continue
		}
		if id := ids[i]; id.n != next {
			to := strconv.FormatInt(next, 10)
			e.Replace(id.span, []byte(to))
			out = append(out, Relink{Off: id.span.Off, Field: "step_id", From: strconv.FormatInt(id.n, 10), To: to})
		}
		next++
	}
	return out, nil
}

// atifID is the number of a step and where it stands.
type atifID struct {
	span model.Span
	n    int64
}
