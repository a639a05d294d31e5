package records

import (
	"cmp"
	"context"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"time"

	"palimpsest/gui/state"

	"palimpsest/model"
	"palimpsest/model/store"
)

// List is the list of records that was asked for, and those of it that
// are ticked.
type List struct {
	needs
	looked     *View           // the record looked at
	query      store.Filter    // what the list shall be
	list       *recordList     // what it is
	refiltered bool            // the list that is being read passes other records
	ticked     map[string]bool // IDs of the records that are chosen together
	tickAnchor int             // row that was ticked last; -1: none
	grouped    bool            // by history, where the list is short enough
}

// recordPage is how many records are read at once: some screens full.
const recordPage = 100

// groupedAtMost is how many records a list that is grouped has at most.
const groupedAtMost = 1000

// recordList is the list of records as it was asked for, of which those pages
// are held that were looked at. It is of one state of the question; the next
// one takes its place as a whole.
type recordList struct {
	query      store.Filter
	whole      bool           // the first page is all of it, in its order, with those found in the file
	inFile     []model.Record // found in the file of the history looked at; unless whole they come last
	found      int            // that the question finds
	total      int            // that there are
	pages      map[int][]model.Record
	asked      map[int]bool // pages that are being read
	foundTotal int          // of the total, in the file alone
	groups     []RecordGroup
}

// RecordGroup is the records of one history, which follow each other in the list.
type RecordGroup struct {
	Path  string
	First *model.Record
	Count int
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
// then those with the newest record. nil: it is not grouped, or too long to be.
func (d *List) RecordGroups() []RecordGroup { return d.list.groups }

// Records is the first page of the list of records: of the store, or of the
// session alone where there is none.
func (d *List) Records() []model.Record { return d.list.pages[0] }

// RecordCount is how many records the list has, and how many there are in all.
func (d *List) RecordCount() (found, total int) { return d.list.found, d.list.total }

// StoredCount is how many records are stored.
func (d *List) StoredCount() int { return d.list.total - d.list.foundTotal }

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
			list, err = readRecords(ctx, d.core.Store, q, grouped)
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
		if err == nil {
			list.merge()
		}
		if err == nil && grouped {
			list.group(open)
		}
		return list, err
	}, func(list *recordList) {
		d.list, d.tickAnchor = list, -1
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
	case d.list.found == 0:
		d.looked.forgetRecord()
	default:
		if first := d.RecordAt(0); first != nil {
			d.looked.SelectRecord(first.ID)
		}
	}
}

// readRecords reads the first page of a list; of one that is grouped all of it.
func readRecords(ctx context.Context, st *store.Store, q store.Filter, grouped bool) (*recordList, error) {
	q.Limit, q.Offset = recordPage, 0
	first, err := st.Records(ctx, q)
	if err != nil {
		return nil, err
	}
	found := int64(len(first))
	if found == recordPage { // else all of it is there
		if found, err = st.CountRecords(ctx, q); err != nil {
			return nil, err
		}
		if grouped && found <= groupedAtMost {
			q.Limit = groupedAtMost
			if first, err = st.Records(ctx, q); err != nil {
				return nil, err
			}
		}
	}
	total, err := st.CountRecords(ctx, store.Filter{But: q.But})
	if err != nil {
		return nil, err
	}
	return &recordList{query: q, found: int(found), total: int(total),
		pages: map[int][]model.Record{0: first}, asked: map[int]bool{}}, nil
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
	return &recordList{query: q, found: len(out), total: len(stack), pages: map[int][]model.Record{0: out}}
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
	for _, r := range l.pages[0] {
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

// addFound adds the records found in a file.
func (l *recordList) addFound(inFile []model.Record) {
	l.foundTotal = len(inFile)
	l.total += len(inFile)
	for i := range inFile {
		if asksFor(l.query, &inFile[i]) {
			l.inFile = append(l.inFile, inFile[i])
		}
	}
	l.found += len(l.inFile)
}

// merge puts the records found in a file in their places among those stored, by
// time, where all of these are in the first page.
func (l *recordList) merge() {
	stored := l.found - len(l.inFile)
	if stored != len(l.pages[0]) {
		return
	}
	l.whole = true
	if len(l.inFile) == 0 {
		return
	}
	page := append(slices.Clip(l.pages[0]), l.inFile...)
	if l.query.Sort == store.SortTime {
		slices.SortStableFunc(page, func(a, b model.Record) int {
			if l.query.Ascending {
				a, b = b, a
			}
			return b.Time.Compare(a.Time)
		})
	}
	l.pages, l.inFile = map[int][]model.Record{0: page}, nil
}

// group puts the records of a history together, where all records are there.
func (l *recordList) group(open string) {
	page := l.pages[0]
	if !l.whole && len(page) < l.found {
		return
	}
	newest := map[string]time.Time{}
	for i := range page {
		if r := &page[i]; r.Time.After(newest[r.Path]) {
			newest[r.Path] = r.Time
		}
	}
	page = slices.Clone(page)
	slices.SortStableFunc(page, func(a, b model.Record) int {
		if (a.Path == open) != (b.Path == open) {
			return map[bool]int{true: -1, false: 1}[a.Path == open]
		}
		return cmp.Or(newest[b.Path].Compare(newest[a.Path]), cmp.Compare(a.Path, b.Path))
	})
	l.pages, l.whole, l.groups = map[int][]model.Record{0: page}, true, nil
	for i := range page {
		if n := len(l.groups); n == 0 || l.groups[n-1].Path != page[i].Path {
			l.groups = append(l.groups, RecordGroup{Path: page[i].Path, First: &page[i], Open: page[i].Path == open})
		}
		l.groups[len(l.groups)-1].Count++
	}
}

// RecordAt is a record of the list; nil while it is being read, which begins
// when it is first asked for.
func (d *List) RecordAt(i int) *model.Record {
	r := d.HeldRecord(i)
	if n := i / recordPage; r == nil && d.list.pages[n] == nil { // else deleted meanwhile by another program
		d.readPage(n)
	}
	return r
}

// HeldRecord is a record of the list if it was read, else nil; nothing is read.
func (d *List) HeldRecord(i int) *model.Record {
	stored := d.list.found - len(d.list.inFile)
	if at := i - stored; at >= 0 && at < len(d.list.inFile) {
		return &d.list.inFile[at]
	}
	n := i / recordPage
	if d.list.whole {
		n = 0
	}
	page := d.list.pages[n]
	if at := i - n*recordPage; at >= 0 && at < len(page) {
		return &page[at]
	}
	return nil
}

func (d *List) readPage(n int) {
	if d.core.Store == nil || d.list.whole || d.list.asked[n] || n < 0 || n*recordPage >= d.list.found-len(d.list.inFile) {
		return
	}
	list, q := d.list, d.list.query
	list.asked[n] = true
	q.Limit, q.Offset = recordPage, n*recordPage
	state.Run(d.core, fmt.Sprintf("records %d", n), func(ctx context.Context) ([]model.Record, error) {
		return d.core.Store.Records(ctx, q)
	}, func(page []model.Record) {
		if list.pages[n] = page; d.list != list {
			return // another one took its place
		}
		d.core.Notify(state.TopicRecords)
	})
}

// RecordRow is the place of a record in the list; -1 when it is not in a page
// that is held.
func (d *List) RecordRow(id string) int {
	if at := slices.IndexFunc(d.list.inFile, func(r model.Record) bool { return r.ID == id }); at >= 0 {
		return d.list.found - len(d.list.inFile) + at
	}
	for n, page := range d.list.pages {
		if at := slices.IndexFunc(page, func(r model.Record) bool { return r.ID == id }); at >= 0 {
			return n*recordPage + at
		}
	}
	return -1
}

// ReadFacets finds out what the list can be filtered by.
func (d *List) ReadFacets(done func(store.Facets)) {
	if d.core.Store == nil {
		return
	}
	state.Run(d.core, "record facets", func(ctx context.Context) (store.Facets, error) {
		return d.core.Store.Facets(ctx)
	}, done)
}
