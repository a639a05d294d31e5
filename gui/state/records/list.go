package records

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	"palimpsest/gui/originals"
	"palimpsest/gui/state"

	"palimpsest/model"
	"palimpsest/model/store"
)

// List is the list of records that was asked for, and those of it that
// are ticked.
type List struct {
	needs
	looked     *View                        // the record looked at
	query      store.Filter                 // what the list shall be
	list       *recordList                  // what it is
	refiltered bool                         // the list that is being read passes other records
	ticked     map[string]bool              // IDs of the records that are chosen together
	tickAnchor int                          // row that was ticked last; -1: none
	grouped    bool                         // by history
	copies     map[string]*originals.Copies // see Copies
}

// recordsAtMost is how many records a list has at most, in the order asked for.
const recordsAtMost = 10000

// recordList is the list of records as it was asked for.
type recordList struct {
	query      store.Filter
	rows       []model.Record
	total      int // that there are
	foundTotal int // of the total, in the file alone
	foundRows  int // of the rows
	made       map[string]int
	groups     []RecordGroup
}

// RecordGroup is the records of one history, which follow each other in the list.
type RecordGroup struct {
	Path  string
	First *model.Record
	Count int
	Found int  // of the count, in the file alone
	Open  bool // it is the history looked at
}

// GroupRecords has the list grouped by history, or not.
func (d *List) GroupRecords(on bool) {
	if d.grouped != on {
		d.grouped = on
		d.LoadRecords()
	}
}

// RecordGroups are the groups of the list in its order: the history looked at first,
// then those with the newest record. nil: it is not grouped.
func (d *List) RecordGroups() []RecordGroup { return d.list.groups }

// Records is the list: of the store, or of the session alone where there is none.
func (d *List) Records() []model.Record { return d.list.rows }

// RecordCount is how many records the list has, and how many there are in all.
func (d *List) RecordCount() (found, total int) { return len(d.list.rows), d.list.total }

// StoredCount is how many records are stored.
func (d *List) StoredCount() int { return d.list.total - d.list.foundTotal }

// FoundCount is how many compactions of the file alone the list has, and how many there are.
func (d *List) FoundCount() (shown, total int) { return d.list.foundRows, d.list.foundTotal }

// FirstQuery is what the list is before a person asks for another one: the newest
// first, without restores, which are events of other records.
func FirstQuery() store.Filter {
	return store.Filter{Sort: store.SortTime, But: []model.Cause{model.CauseRestore}}
}

// RecordQuery is what the list was asked for.
func (d *List) RecordQuery() store.Filter { return d.query }

// QueryRecords asks for another list. Until it is there the one before stays. If
// the record looked at is not in the new one its first record is looked at.
func (d *List) QueryRecords(f store.Filter) {
	was, now := d.query, f
	was.Sort, was.Ascending, now.Sort, now.Ascending = "", false, "", false
	d.refiltered = d.refiltered || !reflect.DeepEqual(was, now)
	d.query = f
	d.LoadRecords()
}

// LoadRecords reads the list again in the background.
func (d *List) LoadRecords() {
	s, q, grouped, open := d.histories.Session(), d.query, d.grouped, d.histories.LookedAt()
	state.Run(d.core, "records", func(ctx context.Context) (*recordList, error) {
		var list *recordList
		var err error
		if d.core.Store != nil {
			if list, err = readRecords(ctx, d.core.Store, q); err == nil {
				list.made, err = d.core.Store.Made(ctx)
			}
		} else {
			var stack []*model.Record
			if s != nil {
				stack = s.Stack()
			}
			list = stackRecords(stack, q)
		}
		if err == nil && s != nil {
			list.addFound(list.missing(s.FoundRecords(), s.Parent()))
		}
		if err == nil && grouped {
			list.group(open)
		}
		return list, err
	}, func(list *recordList) {
		d.list, d.tickAnchor = list, -1
		d.histories.Made(list.made)
		d.followFilter()
		d.core.Notify(state.TopicRecords)
	})
}

// followFilter looks at the first record of a list that was filtered anew, unless
// the one looked at passes; at none where nothing does.
func (d *List) followFilter() {
	if !d.refiltered {
		return
	}
	d.refiltered = false
	switch r := d.looked.record; {
	case r != nil && d.RecordRow(r.ID) >= 0:
	case len(d.list.rows) == 0:
		d.looked.ForgetRecord()
	default:
		if first := d.RecordAt(0); first != nil {
			d.looked.SelectRecord(first.ID)
		}
	}
}

// readRecords reads a list.
func readRecords(ctx context.Context, st *store.Store, q store.Filter) (*recordList, error) {
	q.Limit = recordsAtMost
	rows, err := st.Records(ctx, q)
	if err != nil {
		return nil, err
	}
	total, err := st.CountRecords(ctx, store.Filter{})
	return &recordList{query: q, rows: rows, total: int(total)}, err
}

// stackRecords is the list where nothing is stored: the newest first, with what
// can be asked of so few.
func stackRecords(stack []*model.Record, q store.Filter) *recordList {
	var out []model.Record
	for _, r := range slices.Backward(stack) {
		if asksFor(q, r) {
			out = append(out, *r)
		}
	}
	return &recordList{query: q, rows: out, total: len(stack)}
}

// asksFor reports whether a record that is not stored is among what is asked
// for.
func asksFor(q store.Filter, r *model.Record) bool {
	if slices.Contains(q.But, r.Cause) || q.Off != nil && *q.Off != r.Off {
		return false
	}
	if len(q.Outcomes) > 0 && !slices.Contains(q.Outcomes, r.Outcome) || len(q.Causes) > 0 && !slices.Contains(q.Causes, r.Cause) ||
		q.Session != "" && q.Session != r.Session || q.Preset != "" && q.Preset != r.Policy.Preset {
		return false
	}
	text := strings.Join([]string{r.ID, r.Session, r.Path, r.Agent, r.Model, r.SourceSHA, r.Reason, r.Summary}, "\n")
	return strings.Contains(strings.ToLower(text), strings.ToLower(q.Text))
}

// missing are those of the compactions that a file holds which are not in the list already:
// of a conversation in the database each may be the one of a record that was written back
// into it, of which parent is the last.
func (l *recordList) missing(found []model.Record, parent *model.Record) []model.Record {
	written := 0
	for _, r := range l.rows {
		if len(found) > 0 && r.Path == found[0].Path && r.Output == r.Path {
			written++
		}
	}
	if written >= len(found) {
		return nil
	}
	return slices.DeleteFunc(found, func(r model.Record) bool {
		return parent != nil && parent.Path == r.Path && slices.Contains(r.Parents, parent.ID)
	})
}

// addFound adds the records found in a file, in their places by time where that is the order.
func (l *recordList) addFound(inFile []model.Record) {
	l.foundTotal = len(inFile)
	l.total += len(inFile)
	for i := range inFile {
		if asksFor(l.query, &inFile[i]) {
			l.rows = append(l.rows, inFile[i])
			l.foundRows++
		}
	}
	if len(inFile) > 0 && l.query.Sort == store.SortTime {
		slices.SortStableFunc(l.rows, func(a, b model.Record) int {
			if l.query.Ascending {
				a, b = b, a
			}
			return b.Time.Compare(a.Time)
		})
	}
}

// group puts the records of a history together.
func (l *recordList) group(open string) {
	page := l.rows
	newest := map[string]time.Time{}
	for i := range page {
		if r := &page[i]; r.Time.After(newest[r.Path]) {
			newest[r.Path] = r.Time
		}
	}
	slices.SortStableFunc(page, func(a, b model.Record) int {
		if (a.Path == open) != (b.Path == open) {
			return map[bool]int{true: -1, false: 1}[a.Path == open]
		}
		return cmp.Or(newest[b.Path].Compare(newest[a.Path]), cmp.Compare(a.Path, b.Path))
	})
	for i := range page {
		if n := len(l.groups); n == 0 || l.groups[n-1].Path != page[i].Path {
			l.groups = append(l.groups, RecordGroup{Path: page[i].Path, First: &page[i], Open: page[i].Path == open})
		}
		g := &l.groups[len(l.groups)-1]
		if g.Count++; foundID(page[i].ID) {
			g.Found++
		}
	}
}

// RecordAt is a record of the list; nil beyond its end.
func (d *List) RecordAt(i int) *model.Record {
	if i < 0 || i >= len(d.list.rows) {
		return nil
	}
	return &d.list.rows[i]
}

// RecordRow is the place of a record in the list; -1 when it is not there.
func (d *List) RecordRow(id string) int {
	return slices.IndexFunc(d.list.rows, func(r model.Record) bool { return r.ID == id })
}
