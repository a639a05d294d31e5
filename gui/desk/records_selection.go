package desk

import (
	"cmp"
	"context"
	"slices"

	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/store"
)

// Ticked reports whether a record of the list is chosen together with others.
func (d *recordTable) Ticked(id string) bool { return d.ticked[id] }

// TickedCount is how many records are chosen.
func (d *recordTable) TickedCount() int { return len(d.ticked) }

// TickedIDs are the records that are chosen, in the order of their names.
func (d *recordTable) TickedIDs() []string {
	list := make([]string, 0, len(d.ticked))
	for id := range d.ticked {
		list = append(list, id)
	}
	slices.SortFunc(list, func(a, b string) int {
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) // R-10000 behind R-9999
	})
	return list
}

// Tick chooses a record of the list, or no longer.
func (d *recordTable) Tick(i int) {
	r := d.RecordAt(i)
	if r == nil {
		return
	}
	if d.ticked[r.ID] {
		delete(d.ticked, r.ID)
	} else {
		d.choose(r.ID)
	}
	d.tickAnchor = i
	d.notify(TopicRecords)
}

// TickTo chooses the records of the list from the one that was ticked last to
// another. Those that were not looked at yet are named in the background.
func (d *recordTable) TickTo(i int) {
	from, to := min(i, d.tickAnchor), max(i, d.tickAnchor)
	if d.tickAnchor < 0 {
		from = i
	}
	d.tickRange(max(0, from), to+1)
}

// TickAll chooses every record that the list finds, or none if that is so.
func (d *recordTable) TickAll() {
	if n, _ := d.RecordCount(); n > 0 && len(d.ticked) == n {
		d.Untick()
		return
	}
	n, _ := d.RecordCount()
	d.tickRange(0, n)
}

// Untick chooses none.
func (d *recordTable) Untick() {
	if len(d.ticked) > 0 {
		d.ticked = nil
		d.notify(TopicRecords)
	}
	d.tickAnchor = -1
}

func (d *recordTable) choose(ids ...string) {
	if d.ticked == nil {
		d.ticked = map[string]bool{}
	}
	for _, id := range ids {
		d.ticked[id] = true
	}
}

func (d *recordTable) tickRange(from, to int) {
	list := d.list
	if d.tickAnchor < 0 {
		d.tickAnchor = from
	}
	stored := list.found - len(list.inFile)
	if list.whole {
		stored = 0
	}
	for i := max(from, stored); i < to; i++ {
		if r := d.RecordAt(i); r != nil {
			d.choose(r.ID)
		}
	}
	q := list.query
	q.Offset = from
	q.Limit = min(to, stored) - from
	if d.store == nil || q.Limit <= 0 {
		d.notify(TopicRecords)
		return
	}
	sched.Run(d.sched, "tick records", func(ctx context.Context, _ func(sched.Progress)) ([]string, error) {
		return d.store.IDs(ctx, q)
	}, func(ids []string, err error) {
		if err != nil {
			d.desk.Fail(err)
			return
		}
		d.choose(ids...)
		d.notify(TopicRecords)
	})
}

// Chosen are the stored records that a command on the list is about: those that
// are ticked, else the one looked at. The records found in a file are not stored.
func (d *recordTable) Chosen() []string {
	ids := slices.DeleteFunc(d.TickedIDs(), foundID)
	if len(ids) == 0 && len(d.ticked) == 0 && d.desk.record != nil && d.desk.record.Cause != model.CauseFound {
		ids = []string{d.desk.record.ID}
	}
	return ids
}

// foundID reports whether an ID is that of a record found in a file.
func foundID(id string) bool { return len(id) > 1 && id[0] == 'F' }

// MeasureDelete finds out what deleting records would do.
func (d *recordTable) MeasureDelete(ids []string, done func(e store.DeleteEffect, err error)) {
	if d.store == nil {
		return
	}
	sched.Run(d.sched, "measure delete", func(ctx context.Context, _ func(sched.Progress)) (store.DeleteEffect, error) {
		return d.store.DeleteEffect(ctx, ids...)
	}, done)
}

// DeleteRecords deletes records for good, with those of their originals that no
// other one uses.
func (d *recordTable) DeleteRecords(ids []string) {
	if d.store == nil {
		return
	}
	sched.Run(d.sched, "delete record", func(ctx context.Context, _ func(sched.Progress)) (int64, error) {
		return d.store.Delete(ctx, ids...)
	}, func(_ int64, err error) {
		if err != nil {
			d.desk.Fail(err)
			return
		}
		if d.desk.record != nil && slices.Contains(ids, d.desk.record.ID) {
			d.desk.forgetRecord()
		}
		d.ticked, d.tickAnchor = nil, -1
		d.LoadRecords()
	})
}
