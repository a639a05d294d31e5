package session

import (
	"context"
	"errors"
	"fmt"

	"palimpsest/compaction"
	"palimpsest/model"
)

// Nested is a record with what its summary covers: messages it took itself,
// and the summaries of records below it.
type Nested struct {
	ID        string
	Record    *model.Record // nil: it was deleted
	Summary   int64         // tokens of its summary; 0: not recorded
	Originals []Originals
	Inner     []*Nested
}

// Originals is a run of messages that a record took as they were.
type Originals struct {
	model.Range             // history indices of the record's own file
	Numbers     model.Range // places in the history that the file was first made from
	Copies      int         // messages without a place of their own; then the range is empty
	Formers     int         // former summaries of the file itself, of which there is no record; then they are no messages
	Tokens      int64
}

// Messages is how many messages they are.
func (o Originals) Messages() int { return o.To - o.From + o.Copies }

// LoadNested reads the summaries that a record covers, down to the originals, also
// in the files that its file was written from. A restore is an event and covers
// nothing. A record that was deleted ends its branch.
func LoadNested(ctx context.Context, st Store, rec *model.Record) (*Nested, error) {
	return nest(ctx, st, rec, map[string]bool{})
}

func nest(ctx context.Context, st Store, rec *model.Record, above map[string]bool) (*Nested, error) {
	n := &Nested{ID: rec.ID, Record: rec}
	if rec.Cause == model.CauseRestore {
		return n, nil
	}
	n.Summary, n.Originals = summarySize(rec), append(foreign(rec), OriginalRanges(rec)...)
	above[rec.ID] = true
	defer delete(above, rec.ID)
	for _, id := range rec.Parents {
		if above[id] {
			return nil, fmt.Errorf("record %s covers itself", id)
		}
		if st == nil {
			n.Inner = append(n.Inner, &Nested{ID: id})
			continue
		}
		r, err := st.Record(ctx, id)
		if errors.Is(err, context.Canceled) {
			return nil, err
		}
		if err != nil { // it was deleted, or can't be read: the others are still shown
			n.Inner = append(n.Inner, &Nested{ID: id})
			continue
		}
		in, err := nest(ctx, st, r, above)
		if err != nil {
			return nil, err
		}
		n.Inner = append(n.Inner, in)
	}
	return n, nil
}

// foreign are the former summaries that a record took and that no record made. Their
// tokens are known where it took no others.
func foreign(rec *model.Record) []Originals {
	o := Originals{Formers: rec.Formers - len(rec.Parents)}
	if o.Formers <= 0 || rec.Outcome != model.Applied {
		return nil
	}
	for _, run := range rec.Runs {
		if run.Taken() && run.Messages() == 0 && len(rec.Parents) == 0 {
			o.Tokens += run.Tokens
		}
	}
	return []Originals{o}
}

// Levels is how many summaries cover each other at most.
func (n *Nested) Levels() int {
	most := 0
	for _, in := range n.Inner {
		most = max(most, in.Levels())
	}
	return most + 1
}

// Reach is all that the summary covers: the messages of its own originals
// and of those below, their tokens, and the range from the first to the last of them
// in the history that the file was first made from.
func (n *Nested) Reach() (messages int, tokens int64, span model.Range) {
	add := func(r model.Range) {
		switch {
		case r.To <= r.From:
		case span.To == 0:
			span = r
		default:
			span = model.Range{From: min(span.From, r.From), To: max(span.To, r.To)}
		}
	}
	for _, o := range n.Originals {
		messages, tokens = messages+o.Messages(), tokens+o.Tokens
		add(o.Numbers)
	}
	for _, in := range n.Inner {
		m, t, r := in.Reach()
		messages, tokens = messages+m, tokens+t
		add(r)
	}
	return messages, tokens, span
}

// Beyond is the range of Reach, and whether it is another than that of the record:
// summaries below it cover more, or its file was written from another, in which
// its messages had other numbers.
func (n *Nested) Beyond() (model.Range, bool) {
	if n == nil || n.Record == nil {
		return model.Range{}, false
	}
	_, _, span := n.Reach()
	return span, span.To > span.From && span != n.Record.Range
}

// OriginalRanges joins the runs of messages that a record took and that follow each
// other.
func OriginalRanges(rec *model.Record) []Originals {
	var out []Originals
	for _, run := range rec.Runs {
		if run.Messages() == 0 || !run.Taken() || rec.Outcome != model.Applied {
			continue
		}
		first := run.First() - 1
		if k := len(out) - 1; k >= 0 && run.Copies == 0 && out[k].Copies == 0 && out[k].To == run.From && out[k].Numbers.To == first {
			out[k].To, out[k].Numbers.To = run.To, first+run.Messages()
			out[k].Tokens += run.Tokens
			continue
		}
		out = append(out, Originals{model.Range{From: run.From, To: run.To}, model.Range{From: first, To: first + run.To - run.From},
			run.Copies, 0, run.Tokens})
	}
	return out
}

// summarySize is the tokens of the summary: those of the list afterwards, less
// those of what stayed of the list before.
func summarySize(rec *model.Record) int64 {
	if rec.Outcome != model.Applied || rec.Summary == "" {
		return 0
	}
	n := rec.After.Tokens - rec.Before.Tokens
	for _, run := range rec.Runs {
		switch {
		case run.Taken():
			n += run.Tokens
		case run.Fate == model.Cleared.String():
			n += run.Tokens - int64(compaction.NoteTokens*(run.To-run.From))
		}
	}
	return max(0, n)
}
