package records

import (
	"cmp"
	"context"
	"slices"
	"time"

	"palimpsest/gui/state"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/gui/state/undo"
	"palimpsest/model"
	"palimpsest/model/store"
)

// Ticked reports whether a record of the list is chosen together with others.
func (d *List) Ticked(id string) bool { return d.ticked[id] }

// TickedCount is how many records are chosen.
func (d *List) TickedCount() int { return len(d.ticked) }

// TickedIDs are the records that are chosen, in the order of their names.
func (d *List) TickedIDs() []string {
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
func (d *List) Tick(i int) {
	if r := d.RecordAt(i); r != nil {
		d.tickAnchor = i
		d.TickRows(i, 1, !d.ticked[r.ID])
	}
}

// TickTo chooses the records of the list from the one that was ticked last to another.
func (d *List) TickTo(i int) {
	if d.tickAnchor < 0 {
		d.tickAnchor = i
	}
	from := min(i, d.tickAnchor)
	d.TickRows(from, max(i, d.tickAnchor)+1-from, true)
}

// TickRows chooses the records of a range of the list, or none of them any more.
func (d *List) TickRows(from, count int, on bool) {
	for i := from; i < from+count; i++ {
		switch r := d.RecordAt(i); {
		case r == nil:
		case on:
			d.ticked[r.ID] = true
		default:
			delete(d.ticked, r.ID)
		}
	}
	d.core.Notify(state.TopicRecords)
}

// TickAll chooses every record that the list finds, or none if that is so.
func (d *List) TickAll() {
	n := len(d.list.rows)
	d.TickRows(0, n, n == 0 || len(d.ticked) < n)
}

// Untick chooses none.
func (d *List) Untick() {
	if len(d.ticked) > 0 {
		clear(d.ticked)
		d.core.Notify(state.TopicRecords)
	}
	d.tickAnchor = -1
}

// Chosen are the stored records that a command on the list is about: those that
// are ticked, else the one looked at. The records found in a file are not stored.
func (d *List) Chosen() []string {
	ids := slices.DeleteFunc(d.TickedIDs(), foundID)
	if len(ids) == 0 && len(d.ticked) == 0 && d.looked.record != nil && d.looked.record.Cause != model.CauseFound {
		ids = []string{d.looked.record.ID}
	}
	return ids
}

// ask works with the database beside the window; without one nothing is done.
func ask[T any](c *state.Core, key string, work func(context.Context, *store.Store) (T, error), done func(T, error)) {
	if st := c.Store; st != nil {
		sched.Run(c.Sched, key, func(ctx context.Context, _ func(sched.Progress)) (T, error) { return work(ctx, st) }, done)
	}
}

// MeasureDelete finds out what deleting records would do.
func (d *List) MeasureDelete(ids []string, done func(e store.DeleteEffect, err error)) {
	ask(d.core, "measure delete", func(ctx context.Context, st *store.Store) (store.DeleteEffect, error) {
		return st.DeleteEffect(ctx, ids...)
	}, done)
}

// DeleteRecords puts records into the trash; undoable.
func (d *List) DeleteRecords(ids []string) {
	d.change(undo.Delete, store.Change{Trash: ids})
}

// TakeBack takes records out of the trash; undoable.
func (d *List) TakeBack(ids []string) {
	d.change(undo.Undelete, store.Change{Back: ids})
}

func (d *List) change(k undo.Kind, c store.Change) {
	if d.core.Store == nil {
		return
	}
	key, stored := d.steps.Saving("change records")
	open := d.histories.OpenSessions()
	sched.Do(d.core.Sched, key, func(ctx context.Context, _ func(sched.Progress)) error {
		if err := d.core.Store.Change(ctx, c, time.Now()); err != nil {
			return err
		}
		return ReloadRecords(ctx, open)
	}, func(err error) {
		defer stored()
		if err != nil {
			d.core.Fail(err)
			return
		}
		d.RecordsChanged(c.Trash, d.histories.Session())
		d.steps.Stored(k, c)
	})
}

// RecordsChanged shows the list and the record looked at again after records came,
// went or were switched; of is the session whose stack changed, nil: none.
func (d *List) RecordsChanged(gone []string, of *session.Session) {
	for _, id := range gone {
		delete(d.ticked, id)
	}
	d.tickAnchor = -1
	switch r := d.looked.record; {
	case r == nil:
	case slices.Contains(gone, r.ID):
		d.looked.ForgetRecord()
		d.refiltered = true // the first of the list is looked at in its place
	default:
		d.looked.SelectRecord(r.ID)
	}
	d.LoadRecords()
	if of != nil {
		d.restacked(of)
	}
}

// RecordsMadeBeside has the open sessions know the records that were made or deleted beside
// them, by another window or an agent.
func (d *List) RecordsMadeBeside() {
	open := d.histories.OpenSessions()
	state.Run(d.core, "many made", func(ctx context.Context) (changed []*session.Session, err error) {
		for _, s := range open {
			was := state.RecordIDs(s.Stack())
			if err = s.Records.Reload(ctx); err == nil && !slices.Equal(was, state.RecordIDs(s.Stack())) {
				changed = append(changed, s)
			}
		}
		return changed, err
	}, func(changed []*session.Session) {
		d.refiltered = true // the record looked at may be gone
		if d.LoadRecords(); len(changed) > 0 {
			d.restacked(changed...)
		}
	})
}

// ReloadRecords reads anew, for each open history, which records apply to it, after
// records came into the store or went.
func ReloadRecords(ctx context.Context, open []*session.Session) error {
	for _, s := range open {
		if err := s.Records.Reload(ctx); err != nil {
			return err
		}
	}
	return nil
}

// Trash is what is in the trash.
type Trash struct {
	Records []model.Record
	Since   []time.Time // each was put there
}

// ReadTrash reads what is in the trash.
func (d *List) ReadTrash(done func(Trash, error)) {
	ask(d.core, "trash", func(ctx context.Context, st *store.Store) (t Trash, err error) {
		t.Records, t.Since, err = st.Trashed(ctx)
		return t, err
	}, done)
}

// EmptyTrash deletes what is in the trash for good; done hears how many records
// that were, and the bytes that became free.
func (d *List) EmptyTrash(done func(n int, freed int64, err error)) {
	n := 0
	ask(d.core, "empty trash", func(ctx context.Context, st *store.Store) (freed int64, err error) {
		n, freed, err = st.EmptyTrash(ctx, time.Now().Add(time.Second))
		return freed, err
	}, func(freed int64, err error) {
		if err == nil { // what was deleted, or would come back, can't be had again
			d.steps.TrashEmptied()
			d.LoadRecords()
		}
		done(n, freed, err)
	})
}
