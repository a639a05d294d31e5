package desk

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/store"
)

// recordPage is how many records are read at once: some screens full.
const recordPage = 100

// recordList is the list of records as it was asked for, of which those pages
// are held that were looked at. It is of one state of the question; the next
// one takes its place as a whole.
type recordList struct {
	query store.Filter
	found int // that the question finds
	total int // that there are
	pages map[int][]model.Record
	asked map[int]bool // pages that are being read
}

// Records is the first page of the list of records: of the store, or of the
// session alone where there is none.
func (d *Desk) Records() []model.Record { return d.list.pages[0] }

// RecordCount is how many records the list has, and how many there are in all.
func (d *Desk) RecordCount() (found, total int) { return d.list.found, d.list.total }

// RecordQuery is what the list was asked for.
func (d *Desk) RecordQuery() store.Filter { return d.query }

// QueryRecords asks for another list. Until it is there the one before stays.
func (d *Desk) QueryRecords(f store.Filter) {
	d.query = f
	d.LoadRecords()
}

// LoadRecords reads the list anew in the background.
func (d *Desk) LoadRecords() {
	s, q := d.Session(), d.query
	sched.Run(d.sched, "records", func(ctx context.Context, _ func(sched.Progress)) (*recordList, error) {
		if d.store != nil {
			return readRecords(ctx, d.store, q)
		}
		var stack []*model.Record
		if s != nil {
			stack = s.Stack()
		}
		return stackRecords(stack, q), nil
	}, func(list *recordList, err error) {
		if err != nil {
			d.Fail(err)
			return
		}
		d.list = list
		d.tell(TopicRecords)
	})
}

func readRecords(ctx context.Context, st *store.Store, q store.Filter) (*recordList, error) {
	q.Limit, q.Offset = recordPage, 0
	first, err := st.Records(ctx, q)
	if err != nil {
		return nil, err
	}
	found := int64(len(first))
	if found == recordPage { // else all of it is there, and counting a search is as dear as the search
		if found, err = st.CountRecords(ctx, q); err != nil {
			return nil, err
		}
	}
	total, err := st.CountRecords(ctx, store.Filter{})
	if err != nil {
		return nil, err
	}
	return &recordList{query: q, found: int(found), total: int(total), pages: map[int][]model.Record{0: first}, asked: map[int]bool{}}, nil
}

// stackRecords is the list where nothing is stored: the newest first, with what
// can be asked of so few.
func stackRecords(stack []*model.Record, q store.Filter) *recordList {
	var out []model.Record
	text := strings.ToLower(q.Text)
	for _, r := range slices.Backward(stack) {
		if len(q.Outcomes) > 0 && !slices.Contains(q.Outcomes, r.Outcome) || len(q.Causes) > 0 && !slices.Contains(q.Causes, r.Cause) {
			continue
		}
		if text == "" || strings.Contains(strings.ToLower(strings.Join([]string{r.ID, r.Session, r.Path, r.Agent, r.Model, r.Reason, r.Summary}, "\n")), text) {
			out = append(out, *r)
		}
	}
	return &recordList{found: len(out), total: len(stack), pages: map[int][]model.Record{0: out}}
}

// RecordAt is a record of the list; nil while it is being read, which begins
// when it is first asked for.
func (d *Desk) RecordAt(i int) *model.Record {
	n := i / recordPage
	if d.store == nil {
		n = 0
	}
	page, ok := d.list.pages[n]
	if at := i - n*recordPage; ok {
		if at >= 0 && at < len(page) {
			return &page[at]
		}
		return nil // deleted meanwhile by another program
	}
	d.readPage(n)
	return nil
}

func (d *Desk) readPage(n int) {
	if d.store == nil || d.list.asked[n] || n < 0 || n*recordPage >= d.list.found {
		return
	}
	list, q := d.list, d.list.query
	list.asked[n] = true
	q.Limit, q.Offset = recordPage, n*recordPage
	sched.Run(d.sched, fmt.Sprintf("records %d", n), func(ctx context.Context, _ func(sched.Progress)) ([]model.Record, error) {
		return d.store.Records(ctx, q)
	}, func(page []model.Record, err error) {
		if err != nil {
			d.Fail(err)
			return
		}
		if list.pages[n] = page; d.list != list {
			return // another one took its place
		}
		d.tell(TopicRecords)
	})
}

// RecordRow is the place of a record in the list; -1 when it is not in a page
// that is held.
func (d *Desk) RecordRow(id string) int {
	for n, page := range d.list.pages {
		if at := slices.IndexFunc(page, func(r model.Record) bool { return r.ID == id }); at >= 0 {
			return n*recordPage + at
		}
	}
	return -1
}

// MeasureDelete finds out what deleting a record would free, in bytes.
func (d *Desk) MeasureDelete(id string, done func(bytes int64, err error)) {
	if d.store == nil {
		return
	}
	sched.Run(d.sched, "measure delete", func(ctx context.Context, _ func(sched.Progress)) (int64, error) {
		return d.store.WouldFree(ctx, id)
	}, done)
}

// DeleteRecord deletes a record for good, with those of its originals that no
// other one uses.
func (d *Desk) DeleteRecord(id string) {
	if d.store == nil {
		return
	}
	sched.Run(d.sched, "delete record", func(ctx context.Context, _ func(sched.Progress)) (int64, error) {
		return d.store.Delete(ctx, id)
	}, func(_ int64, err error) {
		if err != nil {
			d.Fail(err)
			return
		}
		if d.record != nil && d.record.ID == id {
			d.record = nil
		}
		d.LoadRecords()
	})
}
