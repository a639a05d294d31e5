package records

import (
	"context"
	"io"
	"iter"
	"os"

	"palimpsest/compaction/session"
	"palimpsest/gui/state/undo"
	"palimpsest/model"
	"palimpsest/model/report"
	"palimpsest/model/store"
)

// RecordsForm is a form that several records are written in.
type RecordsForm uint8

// The forms.
const (
	RecordsJSON     RecordsForm = iota // with the originals; can be imported
	RecordsCSV                         // one row a record
	RecordsMarkdown                    // a report to read
)

// RecordsExport is how stored records are written to a file.
type RecordsExport struct {
	Path  string
	Form  RecordsForm
	Title string   // of a report
	IDs   []string // none: all records
	Force bool     // replaces an existing file
}

// ExportRecords writes stored records to a file. done gets the outcome.
func (d *List) ExportRecords(x RecordsExport, done func(*session.Written, error)) {
	ask(d.core, "export", func(ctx context.Context, st *store.Store) (*session.Written, error) {
		return session.WriteFile(ctx, x.Path, x.Force, func(w io.Writer) error {
			switch x.Form {
			case RecordsCSV:
				return report.CSV(w, wholeRecords(ctx, st, x.IDs))
			case RecordsMarkdown:
				return report.Markdown(w, x.Title, wholeRecords(ctx, st, x.IDs))
			}
			_, err := st.Export(ctx, w, x.IDs...)
			return err
		})
	}, done)
}

// wholeRecords reads records one by one: those named, or all from the oldest on.
func wholeRecords(ctx context.Context, st *store.Store, ids []string) iter.Seq2[*model.Record, error] {
	return func(yield func(*model.Record, error) bool) {
		if len(ids) == 0 {
			var err error
			if ids, err = st.IDs(ctx, store.Filter{Limit: -1, Ascending: true}); err != nil {
				yield(nil, err)
				return
			}
		}
		for _, id := range ids {
			r, err := st.Record(ctx, id)
			if !yield(r, err) || err != nil {
				return
			}
		}
	}
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
