package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/model"
	"palimpsest/model/report"
	"palimpsest/model/store"
)

type recordsExportCmd struct {
	IDs    []string `arg:"" name:"ID" optional:"" help:"The records; all when none is named."`
	Format string   `short:"f" enum:",json,csv,markdown" default:"" placeholder:"F" help:"${recordsexchangeFormat}"`
	Output string   `short:"o" required:"" placeholder:"OUT" help:"Write it here."`
	redactFlags
	Force bool `help:"Replace a file that exists."`
	JSON  bool `name:"json" help:"Print JSON (docs/json.md)."`
}

// recordsExported is the JSON of records export.
type recordsExported struct {
	Records int    `json:"records"`
	Format  string `json:"format"`
	Output  string `json:"output"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"`

	Redacted []redacted `json:"redacted"`
}

func (c *recordsExportCmd) Run(a *app) error {
	if c.Format == "" {
		c.Format = formOf(c.Output)
	}
	if err := c.check(); err != nil {
		return err
	}
	st, err := a.existing()
	if err != nil {
		return err
	}
	defer st.Close()
	n := 0
	var sieve *redact.Sieve
	if c.Redact {
		if sieve, err = c.sieve(a); err != nil {
			return err
		}
	}
	write := func(w io.Writer) (err error) {
		n = 0
		switch c.Format {
		case "csv":
			return report.CSV(w, a.eachRecord(st, c.IDs, &n, sieve))
		case "markdown":
			return report.Markdown(w, "Compactions", a.eachRecord(st, c.IDs, &n, sieve))
		}
		n, err = st.Export(a.ctx, w, c.IDs...)
		return err
	}
	if sieve != nil { // what a later record shows to be a secret is hidden in the earlier ones, too
		if err := write(io.Discard); err != nil {
			return err
		}
		sieve.Again()
	}
	written, err := session.WriteFile(a.ctx, c.Output, c.Force, write)
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(recordsExported{n, c.Format, written.Path, written.Bytes, written.SHA256, foundBy(sieve)})
	}
	fmt.Fprintf(a.out, "%s, %s bytes, written to %s\n", plural(n, "record"), thousands(written.Bytes), a.shown(written.Path))
	if c.Redact {
		a.printRedacted(foundBy(sieve), "record")
	}
	return nil
}

// formOf is the form that the name of a file asks for.
func formOf(path string) string {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".csv":
		return "csv"
	case ".md", ".markdown":
		return "markdown"
	}
	return "json"
}

// check refuses to redact what must stay whole.
func (c *recordsExportCmd) check() error {
	if c.Redact && c.Format == "json" {
		return usage("--redact can't be used with --format json: that form holds the originals, " +
			"which are proved by their hashes when they are imported. " +
			"Share --format markdown or csv, or one history: palimpsest export RECORD --redact -o OUT.")
	}
	return c.redactFlags.check()
}

func (c *recordsExportCmd) sieve(a *app) (*redact.Sieve, error) {
	r, err := ownScan(a)()
	if err != nil {
		return nil, err
	}
	s := redact.NewSieve(r, nil)
	s.Allow(c.Let...)
	s.Also(c.kinds()...)
	return s, nil
}

// foundBy is what a sieve found; nil has found nothing.
func foundBy(s *redact.Sieve) []redacted {
	if s == nil {
		return []redacted{}
	}
	return redactedOf(s.Found())
}

// eachRecord reads records one by one and counts them: those named, or all from the oldest on.
// A sieve takes secrets out of them.
func (a *app) eachRecord(st *store.Store, ids []string, n *int, sieve *redact.Sieve) iter.Seq2[*model.Record, error] {
	return func(yield func(*model.Record, error) bool) {
		if len(ids) == 0 {
			list, err := st.Records(a.ctx, store.Filter{Limit: -1, Ascending: true})
			if err != nil {
				yield(nil, err)
				return
			}
			ids = values(list, func(r *model.Record) string { return r.ID })
		}
		for _, id := range ids {
			rec, err := st.Record(a.ctx, id)
			if *n++; err == nil && sieve != nil {
				rec = session.RedactRecord(sieve, rec, *n)
			}
			if !yield(rec, err) || err != nil {
				return
			}
		}
	}
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
		found, err = session.Refuted(a.ctx, st, a.eachRecord(st, got.IDs, new(int), nil))
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
