package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
)

type recordsExportCmd struct {
	IDs    []string `arg:"" name:"ID" optional:"" help:"The records; all when none is named."`
	Output string   `short:"o" required:"" placeholder:"OUT" help:"Write it here."`
	Force  bool     `help:"Replace a file that exists."`
	JSON   bool     `name:"json" help:"Print JSON (docs/json.md)."`
}

// recordsExported is the JSON of records export.
type recordsExported struct {
	Records int    `json:"records"`
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
	write := func(w io.Writer) (err error) {
		n, err = st.Export(a.ctx, w, c.IDs...)
		return err
	}
	written, err := session.WriteFile(a.ctx, c.Output, c.Force, write)
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(recordsExported{n, written.Path, written.Bytes, written.SHA256})
	}
	fmt.Fprintf(a.out, "%s, %s bytes, written to %s\n", plural(n, "record"), thousands(written.Bytes), a.shown(written.Path))
	return nil
}

type recordsImportCmd struct {
	File string `arg:"" name:"FILE" help:"A JSON export of records."`
	JSON bool   `name:"json" help:"Print JSON (docs/json.md)."`
}

// opened opens a file, or the standard input. A pipe is only one that a shell has put in the
// place of a file, as <(zcat …) does: for the writer of another it would wait.
func (in *input) opened(path string) (io.ReadCloser, error) {
	if path == dash {
		return io.NopCloser(in.from), nil
	}
	shells := strings.HasPrefix(path, "/dev/fd/") || strings.HasPrefix(path, "/proc/")
	if info, err := os.Stat(path); err == nil && info.Mode()&fs.ModeNamedPipe != 0 && !shells {
		return nil, errors.New("it is a pipe")
	}
	return os.Open(path)
}

func (c *recordsImportCmd) Run(a *app) error {
	f, err := a.stdin.opened(c.File)
	if err != nil {
		return &model.Problem{Code: "cannot-read", What: fmt.Sprintf("%s can't be read.", c.File),
			Why: systemSays(err), Next: "Choose another file.", Err: err}
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
	var found []string
	if len(got.IDs) > 0 {
		found, err = session.Refuted(a.ctx, st, a.eachRecord(st, got.IDs))
	}
	if len(found) > 0 {
		err = refutedRecords(len(found), strings.Join(found, "; ")+". All that was imported is in the trash again.")
	}
	if err != nil {
		return errors.Join(err, st.Change(a.ctx, store.Change{Trash: got.IDs}, time.Now()))
	}
	if c.JSON {
		got.IDs = listed(got.IDs)
		return a.printJSON(got)
	}
	fmt.Fprintf(a.out, "%s imported, %d known already\n", plural(got.Records, "record"), got.Known)
	return nil
}
