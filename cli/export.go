package cli

import (
	"fmt"
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
	From []string `arg:"" name:"FILE|DIR|RECORD" help:"Transcripts, or records: then their compacted ones."`
	filesFlags
	Format string `short:"f" default:"same" placeholder:"F" help:"${format}"`
	Output string `short:"o" required:"" placeholder:"OUT" help:"Write it here."`
	threadFlags
	Native bool `help:"${exportNative}"`
	Full   bool `help:"The whole history instead of what is live (not for same)."`
	redactFlags
	KeepDamaged bool `help:"${keepDamaged}"`
	Force       bool `help:"Replace a file that exists."`
	JSON        bool `name:"json" help:"Print JSON (docs/json.md)."`

	from string // that is exported now
}

func (c *exportCmd) Run(a *app) error {
	if err := c.check(); err != nil {
		return err
	}
	if err := c.threadFlags.check(); err != nil {
		return err
	}
	if len(c.From) > 1 || c.Recursive || c.Conversation.all {
		if a.pipe != nil {
			return usage("-o - takes the result of one; here may be several. Name a folder.")
		}
		if err := os.MkdirAll(c.Output, 0o700); err != nil {
			return usage("Several need a folder to go to, and %s is none.", c.Output)
		}
	}
	return a.each(c.From, &c.filesFlags, func(a *app, from string) error {
		work := *c
		work.from = from
		return work.export(a)
	})
}

// export writes what one argument means.
func (c *exportCmd) export(a *app) error {
	var list []*given
	var err error
	if _, statErr := os.Stat(c.from); statErr != nil && looksLikeRecord(c.from) {
		list, err = c.record(a)
	} else {
		list, err = c.file(a)
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return printOneOrAll(a, list, c.Conversation.all)
	}
	for _, r := range list {
		c.print(a, r)
	}
	return nil
}

func (c *exportCmd) print(a *app, r *given) {
	fmt.Fprintf(a.out, "%s: %s, %s bytes, written to %s\n", c.from, r.Format, thousands(r.Bytes), a.shown(r.Output))
	a.printList("Not held by "+string(r.Format), values(r.Lost, func(l *lost) string { return fmt.Sprintf("%d\t%s", l.Count, l.Text) }))
	if c.Redact {
		a.printRedacted(r.Redacted, redactedUnit(c.Format == formatSame))
	}
}

func (c *exportCmd) check() error {
	if err := c.redactFlags.check(); err != nil {
		return err
	}
	known := []string{formatSame}
	for _, f := range transcript.Targets() {
		known = append(known, string(f.Format))
	}
	for _, f := range known {
		if strings.EqualFold(c.Format, f) {
			c.Format = f
			if c.Native && f != formatSame {
				return usage("--native is the source's own format; leave --format out.")
			}
			if c.Full && f == formatSame {
				return usage("--full is for %s; the same format always holds the whole file.", strings.Join(known[1:], ", "))
			}
			return nil
		}
	}
	return usage("--format %q is not known; there are %s.%s", c.Format, strings.Join(known, ", "), meant(c.Format, known))
}

// looksLikeRecord reports whether a word is like R-0007, 7 or a UID, not a path.
func looksLikeRecord(s string) bool {
	if _, ok := session.ConversationID(s); ok {
		return false
	}
	return s != "" && !strings.ContainsAny(s, `./\`) && strings.ContainsAny(s, "0123456789")
}

// file exports a transcript, or each of its conversations.
func (c *exportCmd) file(a *app) ([]*given, error) {
	if c.Native {
		return nil, usage("--native is for records: %s is a file.", c.from)
	}
	f, err := a.open(c.from, &c.readFlags, nil)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if c.Format == formatSame {
		w, err := f.ExportSource(a.ctx, c.output(into(c.Output, c.from, a.names), c.Force))
		return c.given(nil, f.Doc.Format, w, err)
	}
	refs, err := c.refs(f)
	if err != nil {
		return nil, err
	}
	var list []*given
	for _, ref := range refs {
		s, err := f.Session(a.ctx, ref, nil)
		if err != nil {
			return nil, err
		}
		name := f.Name()
		if len(refs) > 1 {
			name = fmt.Sprintf("%s-%d", name, ref.Conversation+1)
		}
		w, err := c.cross(a, s.Overlay(), name)
		one, err := c.given(nil, model.Format(c.Format), w, err)
		if err != nil {
			return nil, err
		}
		list = append(list, one...)
	}
	return list, nil
}

// record exports a record's compacted transcript.
func (c *exportCmd) record(a *app) ([]*given, error) {
	st, rec, err := a.stored(a.existing, c.from)
	if err != nil {
		return nil, err
	}
	defer st.Close()
	if (c.Conversation != conversation{}) || c.Agent != "" {
		return nil, usage("%s is about one thread; --conversation and --agent are for files.", rec.ID)
	}
	if rec.Outcome != model.Applied {
		return nil, &model.Problem{Code: "not-applied", What: fmt.Sprintf("%s has no compacted transcript.", rec.ID),
			Why:  fmt.Sprintf("It was %s: %s.", rec.Outcome, rec.Reason),
			Next: fmt.Sprintf("Its input file is there: palimpsest restore %s -o OUT.", rec.ID)}
	}
	if c.Native {
		w, err := c.native(a, st, rec)
		return c.given(&rec.ID, rec.Format, w, err)
	}
	if c.Format == formatSame {
		w, err := c.same(a, st, rec)
		return c.given(&rec.ID, rec.Format, w, err)
	}
	w, err := a.withState(st, rec, false, func(o session.Overlay) (*session.Written, error) { return c.cross(a, o, o.File().Name()) })
	return c.given(&rec.ID, model.Format(c.Format), w, err)
}

// same writes a record's transcript again and notes it, so that a compaction of
// that file names the record. A database that can't be written keeps quiet.
func (c *exportCmd) same(a *app, st *store.Store, rec *model.Record) (*session.Written, error) {
	w, err := a.withState(st, rec, false, func(o session.Overlay) (*session.Written, error) {
		to := c.output(into(c.Output, rec.Path, a.names), c.Force)
		to.Damaged = c.KeepDamaged
		return o.ExportFile(a.ctx, to)
	})
	if err != nil || c.Redact || st.ReadOnly() || rec.Cause == model.CauseRestore || rec.OutputSHA != "" {
		return w, err
	}
	path, err := filepath.Abs(w.Path)
	if err != nil {
		return w, fmt.Errorf("note where it was written: %w", err)
	}
	if a.pipe != nil {
		path = dash
	}
	err = st.SetOutput(a.ctx, rec.ID, path, w.SHA256)
	if store.NoSaving(err) {
		err = nil // the file is there, whole; only a later compaction of it does not name the record
	}
	return w, err
}

// native writes a record's compaction in the form of the source's own tool.
func (c *exportCmd) native(a *app, st *store.Store, rec *model.Record) (*session.Written, error) {
	return a.withState(st, rec, false, func(o session.Overlay) (*session.Written, error) {
		to := c.output(into(c.Output, rec.Path, a.names), c.Force)
		to.Native = true
		return o.ExportFile(a.ctx, to)
	})
}

// cross writes a thread in another format; name is of a file in a folder, without what
// its format ends with.
func (c *exportCmd) cross(a *app, o session.Overlay, name string) (*session.Written, error) {
	t, _ := transcript.TargetOf(model.Format(c.Format))
	return o.ExportAs(a.ctx, c.output(into(c.Output, name+t.Extension, a.names), c.Force), session.Form{Format: t.Format, Full: c.Full})
}

func (c *exportCmd) given(rec *string, f model.Format, w *session.Written, err error) ([]*given, error) {
	if err != nil {
		return nil, err
	}
	return []*given{{Record: rec, Format: f, Output: w.Path, Bytes: w.Bytes, SHA256: w.SHA256, Redacted: redactedOf(w.Redacted),
		Lost: values(w.Lost.List(), func(l *transcript.Loss) lost { return lost{*l, w.Lost[*l], l.Text()} })}}, nil
}
