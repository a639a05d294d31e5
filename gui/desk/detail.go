package desk

import (
	"bytes"
	"context"
	"image"
	"slices"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/about"
	"palimpsest/compaction/session/filling"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/model"
	"palimpsest/model/body"
)

// Detail is the text of one ledger row, for display.
type Detail struct {
	Row   session.Row
	Raw   bool // the bytes of the source instead of readable text
	Texts []model.Part
	More  int64 // bytes of the source that were left out
	Err   error
	// Written says that a model is writing the text, of which Texts is what came so far.
	Written bool
	// Tool and Args are the call that a result answers, as the source spells its
	// arguments; "": there is none.
	Tool, Args string

	session *session.Session
}

// Numbered are the messages that a summary calls by these numbers; none, where they are not in
// this file.
func (t *Detail) Numbered(r model.Range) model.Range {
	if t.session == nil { // a record's, which has its own numbers
		return r
	}
	return session.Numbered(t.session, r)
}

// rawLimit bounds what is read of one message's source for looking at.
const rawLimit = 8 << 20

// detailKey says which text a Detail holds.
type detailKey struct {
	session *session.Session
	draft   *session.Draft
	kind    session.RowKind
	stored  int32
	record  string
	note    *model.Note
	raw     bool
}

// Detail is the text of the selected row; nil while nothing is selected. After
// the selection changed it is the former one until the new one is read.
func (d *rowList) Detail() *Detail { return d.detail }

// LoadDetail reads the text of the selected row in the background, readable or
// as the source spells it. A text that is shown already is not read again.
func (d *rowList) LoadDetail(raw bool) {
	s := d.desk.Session()
	if s == nil || d.row < 0 || d.row >= d.RowCount() {
		d.Sched.Cancel("detail")
		if d.detail != nil {
			d.detail, d.detailOf = nil, detailKey{}
			d.Notify(TopicDetail)
		}
		return
	}
	row := d.Row(d.row)
	key := detailKey{session: s, kind: row.Kind, stored: row.Stored, record: row.Record, note: row.Note, raw: raw}
	if row.Kind == session.RowSummary {
		key.draft = d.desk.DraftSet.Draft()
	}
	if key == d.detailOf {
		if d.detail != nil {
			d.detail.Row = row
		}
		return
	}
	d.detailOf = key
	draft, call := d.desk.DraftSet.Draft(), callOf(d, row)
	sched.Run(d.Sched, "detail", func(context.Context, func(sched.Progress)) (*Detail, error) {
		t := readRow(s, row, draft, raw)
		t.readCall(s, call)
		return t, nil
	}, func(t *Detail, err error) {
		if err != nil {
			t = &Detail{Row: row, Raw: raw, Err: err}
		}
		d.detail = t
		d.Notify(TopicDetail)
	})
}

// readRow reads the text of a row: a stored message, the summary of a
// record, or the draft.
func readRow(s *session.Session, row session.Row, draft *session.Draft, raw bool) *Detail {
	t := &Detail{Row: row, Raw: raw, session: s}
	text := func(v string) {
		if v != "" {
			t.Texts = []model.Part{{Kind: model.PartText, Text: v}}
		}
	}
	switch {
	case row.Kind == session.RowSummary:
		if draft != nil {
			text(draft.Text.Text)
		}
	case row.Kind == session.RowDamaged:
		b, more, err := session.DamagedBytes(s.File(), row.Note, rawLimit)
		t.Raw, t.More, t.Err = true, more, err
		text(string(b))
	case row.Stored < 0 && row.Record != "":
		text(s.SummaryText(row.Record))
	case row.Stored < 0:
	case raw:
		b, more, err := s.Raw(row.Stored, rawLimit)
		t.More, t.Err = more, err
		text(string(b))
	default:
		t.Texts, t.Err = s.Read(row.Stored)
	}
	return t
}

// ReadRow reads the text of a shown row in the background, to be shown beside the
// selected one's.
func (d *rowList) ReadRow(i int, done func(*Detail)) {
	s := d.desk.Session()
	if s == nil || i < 0 || i >= d.RowCount() {
		return
	}
	row, draft := d.Row(i), d.desk.DraftSet.Draft()
	call := callOf(d, row)
	sched.Run(d.Sched, "detail.row", func(context.Context, func(sched.Progress)) (*Detail, error) {
		t := readRow(s, row, draft, false)
		t.readCall(s, call)
		return t, nil
	}, func(t *Detail, err error) {
		if err != nil {
			t = &Detail{Row: row, Err: err}
		}
		done(t)
	})
}

// ReadTogether reads the texts of messages of the history in the background, in the order
// of their positions.
func (x *finder) ReadTogether(history []int, done func([]*Detail)) {
	s := x.desk.Session()
	if s == nil {
		return
	}
	t := s.Thread()
	sched.Run(x.Sched, "detail.row", func(context.Context, func(sched.Progress)) ([]*Detail, error) {
		var list []*Detail
		for _, at := range history {
			if at >= 0 && at < len(t.History) {
				stored := t.History[at]
				row := session.Row{Kind: session.RowMessage, Num: at + 1, Stored: stored, Msg: &t.Messages[stored]}
				list = append(list, readRow(s, row, nil, false))
			}
		}
		return list, nil
	}, func(list []*Detail, err error) {
		if err == nil {
			done(list)
		}
	})
}

// callOf is the history position of the call that a row answers; −1: it is no result.
func callOf(d *rowList, row session.Row) int {
	if row.Msg != nil && row.Msg.Answers != "" {
		return d.Partner(row)
	}
	return -1
}

// readCall reads the call that a result answers.
func (t *Detail) readCall(s *session.Session, call int) {
	th := s.Thread()
	if call < 0 || call >= len(th.History) {
		return
	}
	parts, err := s.Read(th.History[call])
	if err != nil {
		return // the result can be read without it
	}
	t.takeCall(parts)
}

// takeCall takes Tool and Args from the call, in parts, that the row answers.
func (t *Detail) takeCall(parts []model.Part) {
	for _, p := range parts {
		if p.Kind == model.PartCall && p.CallID == t.Row.Msg.Answers {
			t.Tool, t.Args = p.Name, p.Text
		}
	}
}

// Pictures decodes the pictures of a detail in the background and hands them over,
// by their number among its media.
func (d *rowList) Pictures(t *Detail, done func([]image.Image)) {
	media := func(p model.Part) bool { return p.Kind == model.PartMedia }
	if t == nil || t.session == nil || t.Row.Stored < 0 || !slices.ContainsFunc(t.Texts, media) {
		d.Sched.Cancel("detail.pictures")
		return
	}
	sched.Run(d.Sched, "detail.pictures", func(context.Context, func(sched.Progress)) ([]image.Image, error) {
		b, more, err := t.session.Raw(t.Row.Stored, body.PictureLimit)
		if more > 0 {
			return nil, err
		}
		return body.Pictures(b), err
	}, func(list []image.Image, err error) {
		if err == nil && len(list) > 0 {
			done(list)
		}
	})
}

// CopyRow reads the text of a shown row in the background and hands it over; hide: as a
// redacted export would hold it, and how much is hidden in it.
func (d *rowList) CopyRow(i int, hide bool, done func(text string, hidden int, err error)) {
	s := d.desk.Session()
	if s == nil || i < 0 || i >= d.RowCount() {
		return
	}
	row, draft := d.Row(i), d.desk.DraftSet.Draft()
	var found []session.Withheld
	sched.Run(d.Sched, "copy", func(ctx context.Context, _ func(sched.Progress)) (string, error) {
		t := readRow(s, row, draft, false)
		var b bytes.Buffer
		for _, p := range t.Texts {
			if p.Text == "" {
				continue
			}
			if b.Len() > 0 {
				b.WriteString("\n\n")
			}
			if p.Kind == model.PartCall {
				b.WriteString(p.Name + "\n" + body.Indented(p.Text))
				continue
			}
			b.WriteString(p.Text)
		}
		if t.Err != nil || !hide {
			return b.String(), t.Err
		}
		text, list, err := session.Hidden(ctx, s, b.String())
		found = list
		return text, err
	}, func(text string, err error) { done(text, len(found), err) })
}

// Partner is the history position of the other half of a row: the result of a
// call, the call of a result; −1 if there is none.
func (d *rowList) Partner(row session.Row) int {
	s := d.desk.Session()
	if s == nil || row.Msg == nil || row.Num == 0 {
		return -1
	}
	t := s.Thread()
	callers := session.Callers(t)
	for i, other := range t.History {
		if other == callers[row.Stored] || callers[other] == row.Stored {
			return i
		}
	}
	return -1
}

// About works out in the background what is known of a message of the history looked at:
// its fate under the parameters on the screen, and under those they are compared
// with, if any. A question of the same asker takes the place of the one before.
func (d *Desk) About(asker string, history int, done func(*about.Message)) {
	s, a := d.Session(), d.Planning.Plan()
	if s == nil || history < 0 || history >= len(s.Thread().History) {
		return
	}
	side := d.compare.B
	compared := d.compare.begun && side.From != FromScreen
	state.Run(d.core, asker, func(context.Context) (*about.Message, error) {
		plans := []*compaction.Plan{a}
		if compared {
			plans = append(plans, s.Plan(s.Adapt(side.Policy), compaction.Options{Manual: true}))
		}
		return about.Of(s, history, plans...), nil
	}, done)
}

// Filling works out in the background what fills the context with the selected message;
// where none is selected, at the place of the plan.
func (d *Desk) Filling(done func(*filling.Filling)) {
	s, at := d.Session(), d.SelectedMessage()+1
	if s == nil {
		return
	}
	if at <= 0 {
		at = s.At()
	}
	state.Run(d.core, "filling", func(ctx context.Context) (*filling.Filling, error) {
		return filling.Of(ctx, s, at)
	}, done)
}
