package records

import (
	"context"
	"io"
	"os"

	"palimpsest/compaction/session"
	"palimpsest/gui/state/undo"
	"palimpsest/model/store"
)

// ExportRecords writes stored records with their originals to a file, all if none are named. done gets
// the outcome.
func (d *List) ExportRecords(path string, ids []string, force bool, done func(*session.Written, error)) {
	ask(d.core, "export", func(ctx context.Context, st *store.Store) (*session.Written, error) {
		return session.WriteFile(ctx, path, force, func(w io.Writer) error {
			_, err := st.Export(ctx, w, ids...)
			return err
		})
	}, done)
}

// LookThroughImport finds out what importing a file would add.
func (d *List) LookThroughImport(path string, done func(store.Imported, error)) {
	d.imports(path, "look through import", (*store.Store).WouldImport, done)
}

// ImportRecords reads an export of records into the database: all of it, or
// nothing.
func (d *List) ImportRecords(path string) {
	if d.core.Store == nil {
		return
	}
	key, stored := d.steps.Saving("import records")
	d.imports(path, key, (*store.Store).Import, func(got store.Imported, err error) {
		defer stored()
		if err != nil {
			d.core.Fail(err)
			return
		}
		if len(got.IDs) > 0 {
			d.steps.Stored(undo.Import, store.Change{Back: got.IDs})
			d.RecordsMadeBeside()
		}
		d.LoadRecords()
		if len(got.IDs) > 0 {
			d.looked.SelectRecord(got.IDs[len(got.IDs)-1])
		}
	})
}

// importer is what reads an export: store.Import, or store.WouldImport to see
// what it would add.
type importer func(*store.Store, context.Context, io.Reader) (store.Imported, error)

func (d *List) imports(path, key string, do importer, done func(store.Imported, error)) {
	ask(d.core, key, func(ctx context.Context, st *store.Store) (store.Imported, error) {
		f, err := os.Open(path)
		if err != nil {
			return store.Imported{}, err
		}
		defer f.Close()
		return do(st, ctx, f)
	}, done)
}
