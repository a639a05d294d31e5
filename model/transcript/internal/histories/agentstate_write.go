package histories

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/internal/openai"
	"palimpsest/model/transcript/jspan"
)

func (AgentState) Summary(d *model.Document, th *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	return openai.Chat{}.Summary(d, th, s, like)
}

func (AgentState) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return openai.Chat{}.ResultContent(d, m)
}

// Relink keeps the file's own books: the full history stays as it is, the
// compression is entered in compressions, and the token count, which no
// longer holds, is cleared.
func (f AgentState) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	if len(c.Drop)+len(c.Clear) == 0 {
		return nil, nil
	}
	lists, ok := f.lists[th]
	if !ok {
		return nil, fmt.Errorf("thread %s has no lists", th.ID)
	}
	v, err := edit.ParseAt(d, lists.object)
	if err != nil {
		return nil, err
	}
	w := stateWriter{d, th, c, e, lists, v}
	if lists.runtime < 0 {
		if err := w.firstRuntimeList(); err != nil {
			return nil, err
		}
	}
	for span, p := range e.Gone {
		if p.Array == lists.full {
			delete(e.Gone, span)
		}
	}
	for _, s := range c.Summaries {
		w.compression(s)
		if s.Settings != nil {
			e.Replace(model.Span(th.Saved), s.Settings)
		}
	}
	if lists.runtime < 0 {
		c.Summaries, c.Clear = nil, nil // done by begin
	}
	usage := v.Get("tokenUsage")
	if usage.Kind != jspan.Object {
		return nil, nil
	}
	at := edit.Within(lists.object, usage)
	e.Replace(at, []byte("null"))
	return []edit.Relink{{Off: at.Off, Field: "tokenUsage", From: string(usage.Raw()), To: "null"}}, nil
}

// stateWriter writes what a change adds to one conversation's lists.
type stateWriter struct {
	d      *model.Document
	th     *model.Thread
	c      *edit.Change
	e      *edit.Edits
	lists  stateLists
	object jspan.Value // the conversation
}

// firstRuntimeList writes the first compressed list of a conversation that had none: the
// kept messages as they are spelled, with the summaries in their places.
func (w *stateWriter) firstRuntimeList() error {
	d, th, c, e := w.d, w.th, w.c, w.e
	var f AgentState
	var elems [][]byte
	drop, cleared := edit.IndexSet(c.Drop), edit.IndexSet(c.Clear)
	for _, i := range th.Live(len(th.History)) {
		m := &th.Messages[i]
		for _, s := range c.Summaries {
			if s.Before == i {
				like, err := edit.ParsePiece(d, m.Pieces[0])
				if err != nil {
					return err
				}
				b, err := f.Summary(d, th, s, like)
				if err != nil {
					return err
				}
				elems = append(elems, b)
			}
		}
		if drop[i] {
			continue
		}
		b, err := d.Bytes(m.Pieces[0].Span)
		if err != nil {
			return err
		}
		if cleared[i] {
			spans, err := f.ResultContent(d, m)
			if err != nil {
				return err
			}
			from, to := spans[0].Off-m.Pieces[0].Off, spans[0].End()-m.Pieces[0].Off
			b = slices.Concat(b[:from], edit.Quote(d, c.Note(i)), b[to:])
		}
		elems = append(elems, b)
	}
	full := d.Arrays[w.lists.full]
	first, last := full.Elems[0], full.Elems[len(full.Elems)-1]
	open, err := d.Bytes(model.Span{Off: full.Off, Len: first.Off - full.Off})
	if err != nil {
		return err
	}
	end, err := d.Bytes(model.Span{Off: last.End(), Len: full.End() - last.End()})
	if err != nil {
		return err
	}
	text := slices.Concat(open, bytes.Join(elems, e.Separator(full)), end)
	clear(e.Gone)
	if old := w.object.Get("runtimeMessages"); old.Exists() {
		e.Replace(edit.Within(w.lists.object, old), text)
		return nil
	}
	e.Replace(model.Span{Off: full.End()}, slices.Concat([]byte(`, "runtimeMessages": `), text))
	return nil
}

// compression appends the record of one summary. Ranges are half-open: in the list
// that was compressed, and in the full history.
func (w *stateWriter) compression(s edit.Summary) {
	d, th, c, e := w.d, w.th, w.c, w.e
	live := th.Live(len(th.History))
	where := make(map[int32]int, len(th.History))
	for k, i := range th.History {
		where[i] = k
	}
	drop := edit.IndexSet(c.Drop)
	start, end, from, to := -1, 0, -1, 0
	for k, i := range live {
		if !drop[i] {
			continue
		}
		h, inHistory := where[i]
		if start < 0 {
			start, from = k, k // in front of a former summary both lists are the same
			if inHistory {
				from = h
			}
		}
		end = k + 1
		if inHistory {
			to = h + 1
		}
	}
	if to == 0 && len(th.Resets) > 0 {
		r := th.Resets[len(th.Resets)-1] // nothing but a former summary went
		to = r.At
		for k := len(r.Base) - 1; k >= 0 && to > 0 && r.Base[k] == th.History[to-1]; k-- {
			to--
		}
	}
	span := func(from, to int) []byte {
		return edit.NewObject(d).Raw("start", fmt.Append(nil, max(from, 0))).Raw("end", fmt.Append(nil, to)).Done()
	}
	text := s.Text
	if first, rest, ok := strings.Cut(text, "\n"); ok && codec.IsSummaryText(first) {
		text = rest // the mark belongs to the message
	}
	list := w.object.Get("compressions")
	entry := edit.SpellLike(d, list.Index(0)).Str("timestamp", s.Time.UTC().Format("2006-01-02T15:04:05.000Z")).Str("summary", text).
		Raw("compressedRange", span(start, end)).Raw("historyRange", span(from, to)).
		Raw("originalCount", fmt.Append(nil, len(live))).Raw("newCount", fmt.Append(nil, len(live)-len(c.Drop)+len(c.Summaries))).Done()
	switch {
	case w.lists.compressions >= 0:
		a := d.Arrays[w.lists.compressions]
		at := model.Piece{Array: w.lists.compressions}
		if n := len(a.Elems); n > 0 {
			at.Span = a.Elems[n-1]
		}
		e.Insert(at, len(a.Elems) > 0, entry)
	case list.Exists():
		e.Replace(edit.Within(w.lists.object, list), edit.List(entry))
	default: // behind the compressed list, which is there when this is not
		at := edit.Within(w.lists.object, w.object.Get("runtimeMessages"))
		e.Replace(model.Span{Off: at.End()}, slices.Concat([]byte(`, "compressions": [`), entry, []byte{']'}))
	}
}
