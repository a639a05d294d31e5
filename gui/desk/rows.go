package desk

import (
	"slices"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/model"
)

// rowList is the messages as rows with their fates, the filter over them, and
// the one that is selected.
type rowList struct {
	subject
	ledger   *session.Ledger
	filter   Filter
	rows     []int   // ledger rows that pass the filter; nil: all
	row      int     // selected ledger row; -1: none
	detail   *Detail // text of the selected row
	detailOf detailKey

	// What is to be selected when the next plan's rows are there.
	awaitedRecord  string // UID of the record whose summary it is
	awaitedMessage int    // number of the message, from 1; 0: none
}

// reset forgets the rows of a history that is not looked at any more.
func (d *rowList) reset() { d.ledger, d.rows, d.row, d.filter = nil, nil, -1, Filter{} }

// showRows shows other rows and selects message num, from 1.
func (d *rowList) showRows(ledger *session.Ledger, num int) {
	d.ledger = ledger
	d.refilter()
	d.reselect(num)
}

// awaitRecord has the summary of a record selected when a plan shows it.
func (d *rowList) awaitRecord(uid string) { d.awaitedRecord = uid }

// awaitMessage has a message, from 1, selected when the history that is being
// opened has rows.
func (d *rowList) awaitMessage(num int) { d.awaitedMessage = num }

// selectAwaited selects what was awaited; of the first rows of a history, that is
// the first one in the context if nothing else is selected.
func (d *rowList) selectAwaited(first bool) {
	if first && d.row < 0 {
		d.row = d.firstLive()
	}
	if uid := d.awaitedRecord; uid != "" {
		d.awaitedRecord = ""
		if i := d.rowOfRecord(uid); i >= 0 {
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
	Text string
	Fate int // index of a fate in model.Fates plus 1; 0: all
}

// Filter is the filter in force.
func (d *rowList) Filter() Filter { return d.filter }

// SetFilter shows only the rows that match. The text is looked for in who and
// the first words, whatever the case.
func (d *rowList) SetFilter(f Filter) {
	num := d.selectedNum()
	d.filter = f
	d.refilter()
	d.reselect(num)
	d.notify(TopicPlan, TopicSelect)
}

func (d *rowList) refilter() {
	d.rows = nil
	if d.filter == (Filter{}) || d.ledger == nil {
		return
	}
	d.rows = []int{}
	text := strings.ToLower(d.filter.Text)
	for i := range d.ledger.Len() {
		r := d.ledger.Row(i)
		if d.filter.Fate > 0 && (!r.Live || r.Fate != model.Fates[d.filter.Fate-1]) {
			continue
		}
		if text != "" && !strings.Contains(strings.ToLower(r.First), text) && !strings.Contains(strings.ToLower(Who(r)), text) {
			continue
		}
		d.rows = append(d.rows, i)
	}
}

// Who is the role and tool of a row in the words of the transcript, for
// searching; screens put it into the person's language.
func Who(r session.Row) string {
	if r.Msg == nil {
		return ""
	}
	s := r.Msg.Role.String() + " " + r.Msg.Name
	for _, c := range r.Msg.Calls {
		s += " " + c.Name
	}
	return s
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
	at := d.ledger.RowOf(history)
	if d.rows != nil {
		return slices.Index(d.rows, at)
	}
	return at
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
	d.row = i
	d.desk.lookedAt()
	d.notify(TopicSelect)
}

// SelectMessage selects the row of a history message (from 0), the nearest one
// if it is filtered away.
func (d *rowList) SelectMessage(history int) {
	d.reselect(history + 1)
	d.desk.lookedAt()
	d.notify(TopicSelect)
}

// TogglePinSelected pins or unpins the selected message.
func (d *rowList) TogglePinSelected() {
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

// rowOfRecord is the row of the summary of a record; -1 if it is not shown.
func (d *rowList) rowOfRecord(uid string) int {
	for i := range d.RowCount() {
		if d.Row(i).Record == uid {
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

// reselect selects the row of a message number again after the rows changed.
func (d *rowList) reselect(num int) {
	if d.ledger == nil || num <= 0 {
		if d.row >= d.RowCount() {
			d.row = -1
		}
		return
	}
	at := d.ledger.RowOf(num - 1)
	if at < 0 { // not in this view: its summary, if the plan takes it
		d.row = min(d.row, d.RowCount()-1)
		for i := range d.RowCount() {
			if d.Row(i).Kind == session.RowSummary {
				d.row = i
				break
			}
		}
		return
	}
	if d.rows == nil {
		d.row = at
		return
	}
	d.row = -1
	for i, r := range d.rows {
		if d.row < 0 || r <= at {
			d.row = i
		}
		if r >= at {
			break
		}
	}
}
