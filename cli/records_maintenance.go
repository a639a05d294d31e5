package cli

import (
	"fmt"
	"iter"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
)

type recordsDeleteCmd struct {
	IDs  []string `arg:"" name:"ID" help:"The records. Originals that others use stay."`
	Yes  bool     `help:"Delete. Without it only what would be freed is shown."`
	JSON bool     `name:"json" help:"Print JSON (docs/json.md)."`
}

// recordsDeleted is the JSON of records delete.
type recordsDeleted struct {
	Records int   `json:"records"`
	Freed   int64 `json:"freed"`
	Deleted bool  `json:"deleted"`
}

func (c *recordsDeleteCmd) Run(a *app) error {
	st, err := a.existing()
	if err != nil {
		return err
	}
	defer st.Close()
	var effect store.DeleteEffect
	said := "would be freed by deleting"
	if c.Yes {
		said = "freed by deleting"
		effect.Freed, err = st.Delete(a.ctx, c.IDs...)
	} else {
		effect, err = st.DeleteEffect(a.ctx, c.IDs...)
	}
	if err != nil {
		return err
	}
	freed := effect.Freed
	if c.JSON {
		return a.printJSON(recordsDeleted{len(c.IDs), freed, c.Yes})
	}
	fmt.Fprintf(a.out, "%s bytes %s %s", thousands(freed), said, plural(len(c.IDs), "record"))
	if !c.Yes {
		fmt.Fprint(a.out, "; say --yes to do it")
	}
	fmt.Fprintln(a.out)
	return nil
}

type recordsCheckCmd struct {
	JSON bool `name:"json" help:"Print JSON (docs/json.md)."`
}

func (c *recordsCheckCmd) Run(a *app) error {
	st, err := a.existing()
	if err != nil {
		return err
	}
	defer st.Close()
	got, err := st.Check(a.ctx)
	damaged := len(got.Found) > 0
	if err == nil && !damaged {
		got.Found, err = session.Refuted(a.ctx, st, a.eachRecord(st, nil))
	}
	if err != nil {
		return err
	}
	if c.JSON {
		got.Found = listed(got.Found)
		err = a.printJSON(got)
	} else {
		for _, f := range got.Found {
			fmt.Fprintln(a.out, f)
		}
		fmt.Fprintf(a.out, "%s and %s examined, %s found\n",
			plural(got.Records, "record"), plural(got.Sources, "input file"), plural(len(got.Found), "fault"))
	}
	switch {
	case err == nil && damaged:
		return &store.Error{Op: "rely on the database", Kind: store.ErrCorrupt, Path: st.Path(),
			Detail: "say records repair to save what can be read"}
	case err == nil && len(got.Found) > 0:
		return refutedRecords(len(got.Found), "The originals are whole, and restore as they are.")
	}
	return err
}

// refutedRecords is the problem of records that say something else than their originals.
func refutedRecords(n int, next string) error {
	return &model.Problem{Code: "record-refuted", What: fmt.Sprintf("%s can't be believed.", plural(n, "record")),
		Why: "As this version reads their originals, they took other messages than they claim.", Next: next}
}

type recordsRepairCmd struct {
	JSON bool `name:"json" help:"Print JSON (docs/json.md)."`
}

func (c *recordsRepairCmd) Run(a *app) error {
	path, err := a.dbPath()
	if err != nil {
		return err
	}
	got, err := store.Repair(a.ctx, path)
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(got)
	}
	fmt.Fprintf(a.out, "%s rows saved, %s lost; the former database is kept as %s\n", thousands(got.Rows), thousands(got.Lost), got.Aside)
	return nil
}

// eachRecord reads records one by one: those named, or all from the oldest on.
func (a *app) eachRecord(st *store.Store, ids []string) iter.Seq2[*model.Record, error] {
	return func(yield func(*model.Record, error) bool) {
		if len(ids) == 0 {
			var err error
			if ids, err = st.IDs(a.ctx, store.Filter{Limit: -1, Ascending: true}); err != nil {
				yield(nil, err)
				return
			}
		}
		for _, id := range ids {
			rec, err := st.Record(a.ctx, id)
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
}
