package desk

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/scratch"
)

// rowList is the messages as rows with their fates, the filter over them, and
// the one that is selected.
type rowList struct {
	subject
	ledger   *session.Ledger
	filter   Filter
	rows     []int   // ledger rows that are shown; nil: all
	hits     []int   // ledger rows that pass the filter
	row      int     // selected ledger row; -1: none
	away     int     // number of the message that was selected until no row showed it; 0: none
	from, to int     // shown rows that are selected together, half-open
	detail   *Detail // text of the selected row
	detailOf detailKey
	search   searching
	carried  string // the search that the history being opened is shown with
	summary  ownSummary

	awaitedMessage int // that is to be selected when the next plan's rows are there, from 1; 0: none
}

// ownSummary is the summary of a compaction that was just made, which is selected for a
// person to look at. They did not choose it: when it goes, their own message is selected.
type ownSummary struct {
	record  string // its UID; "": another row was selected since
	before  int    // number of the message that was selected; 0: none
	awaited bool   // no plan shows it yet
}

// reset forgets the rows of a history that is not looked at any more.
func (d *rowList) reset() {
	d.hits = nil
	d.ledger, d.rows, d.row, d.filter, d.from, d.to, d.away = nil, nil, -1, Filter{}, 0, 0, 0
	d.summary = ownSummary{}
	d.search.parse("")
	d.search.withoutOf = "" // it was of that history
}

// showRows shows other rows and selects message num, from 1.
func (d *rowList) showRows(ledger *session.Ledger, num int) {
	d.ledger = ledger
	if text := d.carried; text != "" {
		d.carried = ""
		d.search.parse(text)
		d.filter = Filter{Text: text, Fate: d.search.fate(), Around: HitsInAll}
	}
	d.refilter()
	d.reselect(num)
}

// awaitMessage has a message, from 1, selected when the history that is being
// opened has rows.
func (d *rowList) awaitMessage(num int) { d.awaitedMessage = num }

// resumeAt has the message selected that was when a person left a history, unless
// another one is awaited.
func (d *rowList) resumeAt(e *Entry) {
	if e.Seen > 0 && d.awaitedMessage == 0 && e.Ref == (session.Ref{}) {
		d.awaitMessage(e.Seen)
	}
	e.Seen = 0
}

// selectAwaited selects what was awaited; of the first rows of a history, that is
// the first one in the context if nothing else is selected.
func (d *rowList) selectAwaited(first bool) {
	if first && d.row < 0 {
		d.row = d.firstLive()
	}
	if d.summary.awaited {
		d.summary.awaited = false
		if i := d.rowOfSummary(d.summary.record); i >= 0 {
			d.row = i
		}
	}
	if num := d.awaitedMessage; num > 0 {
		d.awaitedMessage = 0
		d.reselect(num)
	}
}

// replaced has the text of the selected row belong to a session that continues
// the one it was read from.
func (d *rowList) replaced(old, now *session.Session) {
	if d.detailOf.session == old {
		d.detailOf.session = now
	}
	d.desk.steps.Move(old, now)
}

// Filter says which ledger rows are shown.
type Filter struct {
	Text   string // a query; see docs/find.md
	Fate   int    // the fate that it asks for: the index in model.Fates plus 1; 0: all
	Sort   Sort
	Around Around
}

// Sort is the order of the rows.
type Sort int

// The orders.
const (
	AsSaid  Sort = iota // that of the history
	Largest             // by their tokens, the largest first
	ByWho               // by who speaks and the tool, else as they were said
)

// Around says which rows are shown beside those that pass.
type Around int

// What is shown.
const (
	HitsOnly  Around = iota
	HitsNear         // and [near] rows before and behind each
	HitsInAll        // and all others
)

// near is how many rows around a hit are shown with it.
const near = 2

// Hides reports whether rows may be missing.
func (f Filter) Hides() bool { return f.Text != "" || f.Fate != 0 }

// Filter is the filter in force.
func (d *rowList) Filter() Filter { return d.filter }

// SetFilter shows only the rows that match. A fate is a clause of the text: whichever of
// both changed is followed by the other.
func (d *rowList) SetFilter(f Filter) {
	num := cmp.Or(d.away, d.selectedNum())
	if f.Fate != d.filter.Fate && f.Text == d.filter.Text {
		f.Text = withFate(f.Text, d.filter.Fate, f.Fate)
	}
	d.search.parse(f.Text)
	f.Fate = d.search.fate()
	d.filter = f
	d.refilter()
	d.reselect(num)
	d.Notify(TopicPlan, TopicSelect)
}

// RowCount is the number of rows that pass the filter.
func (d *rowList) RowCount() int {
	if d.ledger == nil {
		return 0
	}
	if d.rows != nil {
		return len(d.rows)
	}
	return d.ledger.Len()
}

// RowOfMessage is the shown row of a message of the history, counted from 0; -1
// if the view or the filter hides it.
func (d *rowList) RowOfMessage(history int) int {
	if d.ledger == nil {
		return -1
	}
	return d.shownAt(d.ledger.RowOf(history))
}

// shownAt is the shown row of a ledger row; −1: it is hidden.
func (d *rowList) shownAt(row int) int {
	if d.rows != nil {
		return slices.Index(d.rows, row)
	}
	return row
}

// LedgerLen is the number of rows without the filter.
func (d *rowList) LedgerLen() int {
	if d.ledger == nil {
		return 0
	}
	return d.ledger.Len()
}

// Row is shown row i.
func (d *rowList) Row(i int) session.Row { return d.ledger.Row(d.ledgerRow(i)) }

func (d *rowList) ledgerRow(i int) int {
	if d.rows != nil {
		return d.rows[i]
	}
	return i
}

// Selected is the selected shown row; -1: none.
func (d *rowList) Selected() int { return d.row }

// SelectRow selects a shown row.
func (d *rowList) SelectRow(i int) {
	if i < -1 || i >= d.RowCount() || i == d.row {
		return
	}
	d.row, d.summary, d.away = i, ownSummary{}, 0
	d.desk.lookedAt()
	d.Notify(TopicSelect)
}

// SelectMessage selects the row of a history message (from 0). A view or a filter that
// hides it is lifted, unless the plan's summary is in its place.
func (d *rowList) SelectMessage(history int) {
	if d.ledger != nil && d.ledger.RowOf(history) < 0 && !d.ledger.Plans(history) {
		d.desk.Planning.SetView(session.FullHistory)
	}
	if d.RowOfMessage(history) < 0 && d.ledger != nil && d.ledger.RowOf(history) >= 0 {
		d.SetFilter(Filter{Sort: d.filter.Sort})
	}
	d.SelectNear(history)
}

// SelectNear selects the row of a history message (from 0), or the nearest one that is
// shown.
func (d *rowList) SelectNear(history int) {
	d.reselect(history + 1)
	d.desk.lookedAt()
	d.Notify(TopicSelect)
}

// SetRange says which shown rows are selected together, half-open.
func (d *rowList) SetRange(from, to int) { d.from, d.to = from, to }

// Range is the shown rows that are selected together; one row at most is none.
func (d *rowList) Range() (Picked, bool) {
	if d.to-d.from < 2 || d.to > d.RowCount() {
		return Picked{}, false
	}
	return d.Pick(d.from, d.to), true
}

// TogglePinSelected pins the selected messages, or unpins them if all are pinned.
func (d *rowList) TogglePinSelected() {
	if p, many := d.Range(); many {
		d.desk.Planning.PinPicked(p.Messages, p.Pinned < len(p.Messages))
		return
	}
	if d.row >= 0 {
		d.desk.TogglePin(d.ledgerRow(d.row))
	}
}

// firstLive is the first row that is in the context; -1 if there is none.
func (d *rowList) firstLive() int {
	for i := range d.RowCount() {
		if d.Row(i).Live {
			return i
		}
	}
	return -1
}

// rowOfSummary is the row of the summary of a record, or with "" that of the one that the plan
// would add; -1 if it is not shown.
func (d *rowList) rowOfSummary(uid string) int {
	for i := range d.RowCount() {
		if r := d.Row(i); r.Record == uid && (uid != "" || r.Kind == session.RowSummary) {
			return i
		}
	}
	return -1
}

// SelectedMessage is the history position of the selected message; −1: none.
func (d *rowList) SelectedMessage() int { return d.selectedNum() - 1 }

// selectedNum is the number of the selected message; 0: none.
func (d *rowList) selectedNum() int {
	if d.row < 0 || d.row >= d.RowCount() {
		return 0
	}
	return d.Row(d.row).Num
}

// reselectSummary selects the row of a record's summary again. Where it has none, the number
// of the message that was selected before it is returned.
func (d *rowList) reselectSummary() (num int) {
	if d.row = d.rowOfSummary(d.summary.record); d.row >= 0 {
		return 0
	}
	if num, d.summary = d.summary.before, (ownSummary{}); num <= 0 {
		d.row = d.rowOfSummary("")
	}
	return num
}

// reselect selects the row of a message number again after the rows changed. While no row
// shows it the number is kept for the next ones.
func (d *rowList) reselect(num int) {
	if num <= 0 {
		num = d.away
	}
	if num <= 0 && d.summary.record != "" && !d.summary.awaited {
		if num = d.reselectSummary(); num <= 0 {
			return
		}
	}
	shown := true
	defer func() {
		if d.away = 0; num > 0 && (d.row < 0 || !shown) {
			d.away = num
		}
	}()
	if d.ledger == nil || num <= 0 {
		if d.row >= d.RowCount() {
			d.row = -1
		}
		return
	}
	at := d.ledger.RowOf(num - 1)
	if shown = at >= 0; !shown { // not in this view: its summary, if the plan takes it
		d.row = min(d.row, d.RowCount()-1)
		if i := d.rowOfSummary(""); i >= 0 {
			d.row = i
		}
		return
	}
	if d.rows == nil {
		d.row = at
		return
	}
	d.row = -1
	if d.filter.Sort != AsSaid {
		d.row = max(slices.Index(d.rows, at), min(0, len(d.rows)-1))
		return
	}
	for i, r := range d.rows {
		if d.row < 0 || r <= at {
			d.row = i
		}
		if r >= at {
			break
		}
	}
}

// Picked is what a range of shown rows comes to.
type Picked struct {
	Rows     int
	Messages []int // of the history, from 0 and ascending
	Tokens   int64
	Exact    bool // the tokens are counted, not estimated
	Pinned   int  // of the messages
	Fates    [len(model.Fates)]int
}

// Pick looks at the shown rows from..to, half-open.
func (d *rowList) Pick(from, to int) Picked {
	var p Picked
	s := d.desk.Session()
	if s == nil {
		return p
	}
	p.Exact = !s.Estimated()
	for i := max(0, from); i < min(to, d.RowCount()); i++ {
		r := d.Row(i)
		p.Rows++
		p.Tokens += int64(r.Tokens)
		if r.Live {
			for k, f := range model.Fates {
				if f == r.Fate {
					p.Fates[k]++
				}
			}
		}
		if r.Num > 0 {
			p.Messages = append(p.Messages, r.Num-1)
			if r.Pinned {
				p.Pinned++
			}
		}
	}
	return p
}

// Copying is how messages are copied: in a form of transcript.Targets, "" is plain text,
// which may be without secrets.
type Copying struct {
	As   model.Format
	Hide bool
}

// CopyPicked writes messages of the history as a text to be copied, and says how much was
// hidden in it.
func (d *rowList) CopyPicked(messages []int, c Copying, done func(text string, hidden int, err error)) {
	s := d.desk.Session()
	if s == nil {
		return
	}
	var found []session.Withheld
	sched.Run(d.Sched, "copy", func(ctx context.Context, _ func(sched.Progress)) (string, error) {
		if c.As == "" {
			text, err := plainText(ctx, s, messages)
			if err == nil && c.Hide {
				text, found, err = session.Hidden(ctx, s, text)
			}
			return text, err
		}
		dir, err := scratch.Dir()
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(dir)
		out, err := s.Overlay().ExportAs(ctx, session.Output{Path: filepath.Join(dir, "copy")}, session.Form{Format: c.As, Only: messages})
		if err != nil {
			return "", err
		}
		text, err := os.ReadFile(out.Path)
		return string(text), err
	}, func(text string, err error) { done(text, len(found), err) })
}

func plainText(ctx context.Context, s *session.Session, messages []int) (string, error) {
	var b strings.Builder
	for _, at := range messages {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		parts, err := s.Read(s.Thread().History[at])
		if err != nil {
			return "", err
		}
		for _, p := range parts {
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
	}
	return b.String(), nil
}

// ExportPicked writes messages of the history to a file.
func (d *rowList) ExportPicked(path string, f session.Form, force bool, done func(*session.Written, error)) {
	s := d.desk.Session()
	if s == nil {
		return
	}
	sched.Run(d.Sched, "export", func(ctx context.Context, _ func(sched.Progress)) (*session.Written, error) {
		return s.Overlay().ExportAs(ctx, session.Output{Path: path, Force: force}, f)
	}, done)
}
