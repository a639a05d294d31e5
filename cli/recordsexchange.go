package cli

import (
	"fmt"
	"io"
	"iter"
	"os"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/report"
	"palimpsest/model/store"
)

type recordsExportCmd struct {
	IDs    []string `arg:"" name:"ID" optional:"" help:"The records; all when none is named."`
	Format string   `short:"f" enum:"json,csv,markdown" default:"json" placeholder:"F" help:"json (with the originals; can be imported), csv or markdown."`
	Output string   `short:"o" required:"" placeholder:"OUT" help:"Write it here."`
	Force  bool     `help:"Replace a file that exists."`
	JSON   bool     `name:"json" help:"Print JSON (docs/json.md)."`
}

// recordsExported is the JSON of records export.
type recordsExported struct {
	Records int    `json:"records"`
	Format  string `json:"format"`
	Output  string `json:"output"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"`
}

func (c *recordsExportCmd) Run(a *app) error {
	st, err := a.existing()
	if err != nil {
		return err
	}
	defer st.Close()
	n := 0
	written, err := session.WriteFile(a.ctx, c.Output, c.Force, func(w io.Writer) (err error) {
		switch c.Format {
		case "csv":
			return report.CSV(w, a.wholeRecords(st, c.IDs, &n))
		case "markdown":
			return report.Markdown(w, "Compactions", a.wholeRecords(st, c.IDs, &n))
		}
		n, err = st.Export(a.ctx, w, c.IDs...)
		return err
	}, nil)
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(recordsExported{n, c.Format, written.Path, written.Bytes, written.SHA256})
	}
	fmt.Fprintf(a.out, "%s, %s bytes, written to %s\n", plural(n, "record"), thousands(written.Bytes), written.Path)
	return nil
}

// wholeRecords reads records one by one and counts them: those named, or all
// from the oldest on.
func (a *app) wholeRecords(st *store.Store, ids []string, n *int) iter.Seq2[*model.Record, error] {
	return func(yield func(*model.Record, error) bool) {
		if len(ids) == 0 {
			list, err := st.Records(a.ctx, store.Filter{Limit: -1, Ascending: true})
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range list {
				ids = append(ids, list[i].ID)
			}
		}
		for _, id := range ids {
			rec, err := st.Record(a.ctx, id)
			if !yield(rec, err) || err != nil {
				return
			}
			*n++
		}
	}
}

type recordsImportCmd struct {
	File string `arg:"" name:"FILE" help:"A JSON export of records."`
	JSON bool   `name:"json" help:"Print JSON (docs/json.md)."`
}

// recordsImported is the JSON of records import.
type recordsImported struct {
	Records int      `json:"records"`
	Known   int      `json:"known"`
	IDs     []string `json:"ids"`
}

func (c *recordsImportCmd) Run(a *app) error {
	f, err := os.Open(c.File)
	if err != nil {
		return &model.Problem{Code: "cannot-read", What: fmt.Sprintf("%s can't be read.", c.File), Why: "The system says: " + err.Error() + ".", Next: "Choose another file.", Err: err}
	}
	defer f.Close()
	st, err := a.writable()
	if err != nil {
		return err
	}
	defer st.Close()
	got, err := st.Import(a.ctx, f)
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(recordsImported{got.Records, got.Known, append([]string{}, got.IDs...)})
	}
	fmt.Fprintf(a.out, "%s imported, %d known already\n", plural(got.Records, "record"), got.Known)
	return nil
}
