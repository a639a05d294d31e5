package cli

import (
	"fmt"

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
	if err == nil && len(got.Found) > 0 {
		return &store.Error{Op: "rely on the database", Kind: store.ErrCorrupt, Path: st.Path(),
			Detail: "say records repair to save what can be read"}
	}
	return err
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
