package cli

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// formatSame is the source's own format.
const formatSame = "same"

type exportCmd struct {
	From   string `arg:"" name:"FILE|RECORD" help:"A transcript, or a record: then its compacted transcript."`
	Format string `short:"f" default:"same" placeholder:"F" help:"same (the source's own), markdown or json."`
	Output string `short:"o" required:"" placeholder:"OUT" help:"Write it here."`
	threadFlags
	Full  bool `help:"The whole history instead of what is live (markdown and json)."`
	Force bool `help:"Replace a file that exists."`
	JSON  bool `name:"json" help:"Print JSON (docs/json.md)."`
}

func (c *exportCmd) Run(a *app) error {
	if err := c.check(); err != nil {
		return err
	}
	var r *given
	var err error
	if _, statErr := os.Stat(c.From); statErr != nil && looksLikeRecord(c.From) {
		r, err = c.record(a)
	} else {
		r, err = c.file(a)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(r)
	}
	fmt.Fprintf(a.out, "%s: %s, %s bytes, written to %s\n", c.From, r.Format, thousands(r.Bytes), r.Output)
	return nil
}

func (c *exportCmd) check() error {
	known := []string{formatSame}
	for _, f := range transcript.Exports() {
		known = append(known, string(f.Format))
	}
	for _, f := range known {
		if strings.EqualFold(c.Format, f) {
			c.Format = f
			if c.Full && f == formatSame {
				return usage("--full is for %s; the same format always holds the whole file.", strings.Join(known[1:], " and "))
			}
			return nil
		}
	}
	return usage("--format %q is not known; there are %s.", c.Format, strings.Join(known, ", "))
}

// looksLikeRecord tells R-0007, 7 and UIDs from paths.
func looksLikeRecord(s string) bool {
	if _, ok := session.ConversationID(s); ok {
		return false
	}
	return s != "" && !strings.ContainsAny(s, `./\`) && strings.ContainsAny(s, "0123456789")
}

// file exports a transcript.
func (c *exportCmd) file(a *app) (*given, error) {
	f, err := a.open(c.From, &c.readFlags, nil)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if c.Format == formatSame {
		w, err := session.WriteFile(a.ctx, into(c.Output, c.From), c.Force, func(w io.Writer) error { return transcript.Copy(w, f.Doc) }, nil)
		return c.given(nil, f.Doc.Format, w, err)
	}
	ref, err := f.Find(c.Conversation, c.Agent)
	if err != nil {
		return nil, err
	}
	s, err := f.Session(a.ctx, ref, nil)
	if err != nil {
		return nil, err
	}
	w, err := c.cross(a, s)
	return c.given(nil, model.Format(c.Format), w, err)
}

// record exports a record's compacted transcript.
func (c *exportCmd) record(a *app) (*given, error) {
	st, err := a.existing()
	if err != nil {
		return nil, err
	}
	defer st.Close()
	rec, err := st.Record(a.ctx, c.From)
	if err != nil {
		return nil, err
	}
	if c.Conversation != 0 || c.Agent != "" {
		return nil, usage("%s is about one thread; --conversation and --agent are for files.", rec.ID)
	}
	if rec.Outcome != model.Applied {
		return nil, &model.Problem{Code: "not-applied", What: fmt.Sprintf("%s has no compacted transcript.", rec.ID),
			Why: fmt.Sprintf("It was %s: %s.", rec.Outcome, rec.Reason), Next: fmt.Sprintf("Its input file is there: palimpsest restore %s -o OUT.", rec.ID)}
	}
	if c.Format == formatSame {
		w, err := c.same(a, st, rec)
		return c.given(&rec.ID, rec.Format, w, err)
	}
	src, err := a.source(st, rec)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	s, err := a.stateOf(st, src, rec, false)
	if err != nil {
		return nil, err
	}
	w, err := c.cross(a, s)
	return c.given(&rec.ID, model.Format(c.Format), w, err)
}

// same writes a record's transcript again and notes it, so that a compaction of
// that file names the record. A database that can't be written keeps quiet.
func (c *exportCmd) same(a *app, st *store.Store, rec *model.Record) (*session.Written, error) {
	w, err := a.writeState(st, rec, into(c.Output, rec.Path), c.Force, false)
	if err != nil || st.ReadOnly() || rec.Cause == model.CauseRestore || rec.OutputSHA != "" {
		return w, err
	}
	path, err := filepath.Abs(w.Path)
	if err != nil {
		return w, fmt.Errorf("note where it was written: %w", err)
	}
	return w, st.SetOutput(a.ctx, rec.ID, path, w.SHA256)
}

// cross writes a thread in another format.
func (c *exportCmd) cross(a *app, s *session.Session) (*session.Written, error) {
	items := s.Items()
	th := s.Thread()
	if c.Full {
		items = make([]model.Item, len(th.History))
		for i, m := range th.History {
			items[i].Msg = m
		}
	}
	write := transcript.WriteMarkdown
	if model.Format(c.Format) == transcript.FormatJSON {
		write = transcript.WriteJSON
	}
	return session.WriteFile(a.ctx, into(c.Output, s.File().Name()+"."+extension(c.Format)), c.Force, func(w io.Writer) error {
		return write(w, s.File().Doc, th, items, s.SummaryText)
	}, nil)
}

func extension(format string) string {
	if model.Format(format) == transcript.FormatMarkdown {
		return "md"
	}
	return format
}

func (c *exportCmd) given(rec *string, f model.Format, w *session.Written, err error) (*given, error) {
	if err != nil {
		return nil, err
	}
	return &given{rec, f, w.Path, w.Bytes, w.SHA256}, nil
}
