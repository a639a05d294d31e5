package desk

import (
	"context"

	"palimpsest/gui/sched"
	"palimpsest/model/store"
)

// FieldMaps reads the saved field maps in the background.
func (d *library) FieldMaps(done func([]store.FieldMap)) {
	if d.store == nil {
		done(nil)
		return
	}
	st := d.store
	sched.Run(d.sched, "fieldmaps", func(ctx context.Context, _ func(sched.Progress)) ([]store.FieldMap, error) {
		return st.FieldMaps(ctx)
	}, func(list []store.FieldMap, err error) {
		if err != nil {
			d.desk.Fail(err)
		}
		done(list)
	})
}

// SaveFieldMap keeps a field map under a name; done hears of it when it is kept.
func (d *library) SaveFieldMap(m store.FieldMap, done func()) {
	d.changeFieldMaps(func(ctx context.Context, st *store.Store) error { return st.SaveFieldMap(ctx, m) }, done)
}

// DeleteFieldMap forgets a field map; files that were read by it stay as they
// are.
func (d *library) DeleteFieldMap(name string, done func()) {
	d.changeFieldMaps(func(ctx context.Context, st *store.Store) error { return st.DeleteFieldMap(ctx, name) }, done)
}

func (d *library) changeFieldMaps(change func(context.Context, *store.Store) error, done func()) {
	if !d.desk.CanSavePresets() {
		return
	}
	st := d.store
	sched.Do(d.sched, "fieldmap", func(ctx context.Context, _ func(sched.Progress)) error { return change(ctx, st) }, func(err error) {
		if err != nil {
			d.desk.Fail(err)
			return
		}
		done()
	})
}
