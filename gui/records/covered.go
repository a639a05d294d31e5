package records

import (
	"slices"

	staterecords "palimpsest/gui/state/records"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// recordCovered is the ordinary ledger of what a record took: its messages, and
// the summaries that it repeated.
type recordCovered struct {
	p    *RecordsPane
	d    *State
	obj  fyne.CanvasObject
	list *kit.Ledger
	note *kit.Text

	rec    *model.Record
	of     *staterecords.Origins
	places map[int32]int // of stored messages in the history
	most   int           // tokens of the largest
	want   int           // message to be brought into view; −1: none
}

func newRecordCovered(p *RecordsPane) *recordCovered {
	c := &recordCovered{p: p, d: p.d, want: -1}
	c.list = kit.NewLedger([6]string{"", words.T("column.fate"), words.T("column.number"), words.T("column.who"),
		words.T("column.first"), words.T("column.tokens")})
	c.note = kit.NewText("", kit.ColorMuted, 13).Center().Fit()
	c.list.Empty = c.note
	c.list.Tip = func(int) string {
		return words.T("records.went.means") + " " + words.T("status.counted", "method", show.CounterOfRecord(c.rec))
	}
	c.list.OnOpen = c.open
	c.list.OnMenu = c.menu
	c.obj = container.NewStack(c.list)
	return c
}

// update shows what a record took; it is read when it is looked at.
func (c *recordCovered) update(rec *model.Record) {
	o := c.d.RecordView.RecordOrigins()
	if c.rec == rec && c.of == o && o != nil {
		c.reveal()
		return
	}
	c.rec, c.of, c.places, c.most = rec, o, nil, 0
	c.note.SetText("")
	switch {
	case rec.Cause == model.CauseFound || rec.Cause == model.CauseRestore || rec.Outcome != model.Applied:
		c.note.SetText(words.T("covered.none"))
		c.of = nil
	case o == nil:
		c.note.SetText(words.T("covered.reading"))
		c.d.RecordView.ReadOrigins()
	case o.Err != nil:
		head, _, _ := show.ErrorWords(o.Err)
		c.note.SetText(head)
		c.of = nil
	default:
		c.places = map[int32]int{}
		for h, m := range o.Session.Thread().History {
			c.places[m] = h
		}
		for _, it := range o.Taken {
			if it.Msg >= 0 {
				c.most = max(c.most, o.Session.Tokens(it.Msg))
			}
		}
		c.list.SetNumberWidth(max(3, len(words.Int(int64(len(c.places))))))
	}
	c.list.SetSource(c)
	c.reveal()
}

// reveal selects the message that is wanted, once the messages are there.
func (c *recordCovered) reveal() {
	if c.of == nil || c.want < 0 {
		return
	}
	row := slices.IndexFunc(c.of.Taken, func(it model.Item) bool {
		h, ok := c.places[it.Msg]
		return ok && h >= c.want
	})
	if c.want = -1; row >= 0 {
		c.list.Select(row)
	}
}

// Len is the number of rows.
func (c *recordCovered) Len() int {
	if c.of == nil {
		return 0
	}
	return len(c.of.Taken)
}

// Row is one of them in words.
func (c *recordCovered) Row(i int) kit.LedgerRow {
	it, s := c.of.Taken[i], c.of.Session
	if it.Msg < 0 {
		at := slices.IndexFunc(c.of.Below, func(r *model.Record) bool { return r.UID == it.Record })
		row := kit.LedgerRow{Num: "§", Fate: model.Summarised.Letter(), Who: words.T("records.formerSummary"), Tokens: words.Unknown}
		if at >= 0 {
			r := c.of.Below[at]
			row.Who, row.First = r.ID, show.FirstOf(r.Summary)
			row.Tokens = words.TokensOf(int64(s.CountText(r.Summary)), true, !s.Estimated())
		}
		return row
	}
	m := &s.Thread().Messages[it.Msg]
	n := s.Tokens(it.Msg)
	row := kit.LedgerRow{Num: "§", Fate: c.fate(it.Msg).Letter(), Who: show.WhoSays(session.Row{Msg: m}), First: m.Preview,
		Tokens: words.TokensOf(int64(n), true, !s.Estimated())}
	if h, ok := c.places[it.Msg]; ok {
		row.Num = words.Int(int64(h + 1))
	}
	row.Bar = show.BarScale{Largest: int64(c.most)}.Share(int64(n))
	return row
}

func (c *recordCovered) fate(stored int32) model.Fate {
	h, ok := c.places[stored]
	for _, run := range c.rec.Runs {
		if ok && h >= run.From && h < run.To && run.Fate == model.Dropped.String() {
			return model.Dropped
		}
	}
	return model.Summarised
}

// here is the place in the history looked at of a row, if it is the record's.
func (c *recordCovered) here(i int) (history int, ok bool) {
	if c.of == nil || c.d.Session() == nil || !c.d.Session().Made(c.rec) {
		return 0, false
	}
	history, ok = c.places[c.of.Taken[i].Msg]
	return history, ok
}

// open goes to a message in the workbench, or to the record that a former summary is of.
func (c *recordCovered) open(i int) {
	if h, ok := c.here(i); ok {
		c.p.w.LeaveSheet()
		c.d.SelectMessage(h)
	} else if c.of.Taken[i].Msg < 0 && len(c.of.Below) > 0 {
		c.d.RecordView.SelectRecord(c.Row(i).Who)
	}
}

// menu offers what can be done with a message: look at it in the workbench, and
// pin it for the next time.
func (c *recordCovered) menu(i int, at fyne.Position) {
	h, ok := c.here(i)
	pin := words.T("do.pin")
	if ok && c.d.Session().Pinned(h) {
		pin = words.T("do.unpin")
	}
	kit.ShowMenu(c.p.w.Win.Canvas(), []kit.MenuItem{
		{Text: words.T("records.open"), Disabled: !ok, Run: func() { c.open(i) }},
		{Text: pin, Disabled: !ok, Run: func() {
			c.d.TogglePinOf(h)
		}},
	}, at, 0)
}
