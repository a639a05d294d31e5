package desk

import (
	"bytes"
	"context"
	"encoding/json"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/model"
)

// Detail is the text of one ledger row, read for looking at.
type Detail struct {
	Row   session.Row
	Raw   bool         // the bytes of the source instead of readable text
	Texts []model.Part // arguments of calls are laid out when they are valid JSON
	More  int64        // bytes of the source that were left out
	Err   error
}

// rawLimit bounds what is read of one message's source for looking at.
const rawLimit = 8 << 20

// layoutLimit bounds the arguments that are laid out: larger ones are shown as
// they are.
const layoutLimit = 1 << 20

// detailKey says which text a Detail holds.
type detailKey struct {
	session *session.Session
	draft   *session.Draft
	kind    session.RowKind
	stored  int32
	record  string
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
		d.sched.Cancel("detail")
		if d.detail != nil {
			d.detail, d.detailOf = nil, detailKey{}
			d.notify(TopicDetail)
		}
		return
	}
	row := d.Row(d.row)
	key := detailKey{session: s, kind: row.Kind, stored: row.Stored, record: row.Record, raw: raw}
	if row.Kind == session.RowSummary {
		key.draft = d.desk.draft
	}
	if key == d.detailOf {
		if d.detail != nil {
			d.detail.Row = row
		}
		return
	}
	d.detailOf = key
	draft := d.desk.draft
	sched.Run(d.sched, "detail", func(context.Context, func(sched.Progress)) (*Detail, error) {
		return readRow(s, row, draft, raw), nil
	}, func(t *Detail, err error) {
		if err != nil {
			t = &Detail{Row: row, Raw: raw, Err: err}
		}
		d.detail = t
		d.notify(TopicDetail)
	})
}

// readRow reads the text of a row: a stored message, the summary of a
// record, or the draft.
func readRow(s *session.Session, row session.Row, draft *session.Draft, raw bool) *Detail {
	t := &Detail{Row: row, Raw: raw}
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
	case row.Stored < 0 && row.Record != "":
		text(s.SummaryText(row.Record))
	case row.Stored < 0:
	case raw:
		b, more, err := s.Raw(row.Stored, rawLimit)
		t.More, t.Err = more, err
		text(string(b))
	default:
		t.Texts, t.Err = s.Read(row.Stored)
		for i := range t.Texts {
			if t.Texts[i].Kind == model.PartCall {
				t.Texts[i].Text = layOut(t.Texts[i].Text)
			}
		}
	}
	return t
}

// layOut puts the arguments of a call on lines of their own if they are JSON.
func layOut(args string) string {
	if len(args) > layoutLimit {
		return args
	}
	var b bytes.Buffer
	if json.Indent(&b, []byte(args), "", "  ") != nil {
		return args
	}
	return b.String()
}

// CopyRow reads the text of a shown row in the background and hands it over; hide: as a
// redacted export would hold it, and how much is hidden in it.
func (d *rowList) CopyRow(i int, hide bool, done func(text string, hidden int, err error)) {
	s := d.desk.Session()
	if s == nil || i < 0 || i >= d.RowCount() {
		return
	}
	row, draft := d.Row(i), d.desk.draft
	var found []session.Withheld
	sched.Run(d.sched, "copy", func(ctx context.Context, _ func(sched.Progress)) (string, error) {
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
				b.WriteString(p.Name + "\n")
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
	at := row.Num - 1
	if id := row.Msg.Answers; id != "" {
		for i := at - 1; i >= 0; i-- {
			for _, c := range t.Messages[t.History[i]].Calls {
				if c.ID == id {
					return i
				}
			}
		}
		return -1
	}
	for i := at + 1; i < len(t.History) && len(row.Msg.Calls) > 0; i++ {
		if t.Messages[t.History[i]].Answers == row.Msg.Calls[0].ID {
			return i
		}
	}
	return -1
}
