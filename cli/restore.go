package cli

import (
	"fmt"
	"io"
	"os"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// stackAt is the records that were applied after a record was made, or before.
func stackAt(a *app, st *store.Store, rec *model.Record, before bool) ([]*model.Record, error) {
	switch {
	case rec.Cause == model.CauseRestore && before && len(rec.Parents) > 0:
		return stackOf(a, st, rec.Parents[len(rec.Parents)-1])
	case rec.Cause == model.CauseRestore || rec.Outcome != model.Applied:
		return stackOf(a, st, standsOn(rec))
	}
	stack, err := session.StackOf(a.ctx, st, rec)
	if err != nil || !before {
		return stack, err
	}
	return stack[:len(stack)-1], nil
}

// standsOn is the record below on the same file; verbs begin with the file
// itself, whatever it was written from.
func standsOn(rec *model.Record) string {
	if rec.Verb {
		return ""
	}
	return rec.Base
}

func stackOf(a *app, st *store.Store, id string) ([]*model.Record, error) {
	if id == "" {
		return nil, nil
	}
	rec, err := st.Record(a.ctx, id)
	if err != nil {
		return nil, err
	}
	return session.StackOf(a.ctx, st, rec)
}

type restoreCmd struct {
	Record string `arg:"" name:"RECORD" help:"The record: R-0007, 7, or its UID."`
	Output string `short:"o" placeholder:"OUT" help:"Write it here."`
	State  bool   `help:"Write the thread as it was before the record instead: with the records it stood on."`

	WriteBack bool `help:"Undo its write-back: its originals are back in the recorded conversation."`
	Force     bool `help:"Replace a file that exists."`
	JSON      bool `name:"json" help:"Print JSON (docs/json.md)."`
}

// given is the JSON of restore and export.
type given struct {
	Record *string      `json:"record"`
	Format model.Format `json:"format"`
	Output string       `json:"output"`
	Bytes  int64        `json:"bytes"`
	SHA256 string       `json:"sha256"`
	Lost   []lost       `json:"lost"`

	Redacted []redacted `json:"redacted"`
}

// lost is something of a history that a form has no place for.
type lost struct {
	What  transcript.Loss `json:"what"`
	Count int             `json:"count"`
	Text  string          `json:"text"`
}

func (c *restoreCmd) Run(a *app) error {
	switch {
	case c.WriteBack == (c.Output != ""):
		return usage("Give -o OUT, or --write-back for a record that was written back to a conversation.")
	case c.WriteBack:
		return c.unwrite(a)
	}
	st, rec, err := a.stored(a.existing, c.Record)
	if err != nil {
		return err
	}
	defer st.Close()
	out := into(c.Output, rec.Path, a.names)
	var w *session.Written
	if c.State {
		w, err = a.withState(st, rec, true, func(o session.Overlay) (*session.Written, error) {
			return o.ExportFile(a.ctx, session.Output{Path: out, Force: c.Force})
		})
	} else {
		w, err = session.WriteLike(a.ctx, out, rec.Path, c.Force, func(w io.Writer) error {
			return st.WriteSource(a.ctx, rec.ID, w)
		})
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(given{&rec.ID, rec.Format, w.Path, w.Bytes, w.SHA256, []lost{}, []redacted{}})
	}
	what := givenBack(rec, w.Path) + ", verified"
	if c.State {
		what = "the state before it"
	}
	fmt.Fprintf(a.out, "%s: %s, %s bytes, written to %s\n", rec.ID, what, thousands(w.Bytes), a.shown(w.Path))
	return nil
}

// givenBack says what the bytes of a record's source are, which were written to out: of a
// folder and of a database with a log there is no such file.
func givenBack(rec *model.Record, out string) string {
	st, err := os.Stat(rec.Path)
	switch {
	case err == nil && st.IsDir():
		return "the files of the folder as one, a line each"
	case err == nil && st.Size() != rec.SourceSize && transcript.IsDatabase(out):
		return "the database with what was in its write-ahead log"
	}
	return "the input file"
}

// unwrite puts the originals of a record back into the recorded conversation that it
// was written back to.
func (c *restoreCmd) unwrite(a *app) error {
	st, rec, err := a.stored(a.writable, c.Record)
	if err != nil {
		return err
	}
	defer st.Close()
	if _, ok := session.ConversationID(rec.Output); !ok {
		return &model.Problem{Code: "not-written-back", What: fmt.Sprintf("%s was not written back to a conversation.", rec.ID),
			Next: fmt.Sprintf("palimpsest restore %s -o OUT writes its input file.", rec.ID)}
	}
	f, err := a.open(rec.Output, &readFlags{}, st)
	if err != nil {
		return err
	}
	defer f.Close()
	s, err := f.OriginalSession(a.ctx, rec)
	if err != nil {
		return err
	}
	if p := s.Parent(); p == nil || p.UID != rec.UID {
		return &model.Problem{Code: "not-written-back", What: fmt.Sprintf("%s is not what %s holds now.", rec.ID, rec.Output),
			Why: "Its write-back was undone, or another one came after it.", Next: "Undo the latest one first."}
	}
	if err := s.Unwrite(a.ctx); err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(given{&rec.ID, rec.Format, rec.Output, 0, "", []lost{}, []redacted{}})
	}
	fmt.Fprintf(a.out, "%s: its originals are back in %s\n", rec.ID, rec.Output)
	return nil
}

// writeSession writes something of an overlay into a file.
type writeSession func(session.Overlay) (*session.Written, error)

// withState writes from a record's thread as it was before or after it.
func (a *app) withState(st *store.Store, rec *model.Record, before bool, write writeSession) (*session.Written, error) {
	src, err := session.OpenOriginals(a.ctx, st, rec)
	if err != nil {
		return nil, err
	}
	defer src.Close()
	stack, err := stackAt(a, st, rec, before)
	if err != nil {
		return nil, err
	}
	s, err := src.OriginalSession(a.ctx, rec)
	if err != nil {
		return nil, err
	}
	return write(s.With(stack))
}

type reapplyCmd struct {
	Record string `arg:"" name:"RECORD" help:"The record: R-0007, 7, or its UID; of a restore, what it undid."`
	File   string `arg:"" name:"FILE" help:"The transcript: the one it was made of, also when it has grown or was edited since."`
	Output string `short:"o" required:"" placeholder:"OUT" help:"Write the compacted transcript here."`
	Force  bool   `help:"Replace a file that exists."`
	JSON   bool   `name:"json" help:"Print JSON (docs/json.md)."`
}

// reapplied is the JSON of reapply.
type reapplied struct {
	Records  []string            `json:"records"`
	Of       []string            `json:"of"`
	Before   model.Size          `json:"before"`
	After    model.Size          `json:"after"`
	Output   string              `json:"output"`
	Bytes    int64               `json:"bytes"`
	SHA256   string              `json:"sha256"`
	Relinked []transcript.Relink `json:"relinked"`
}

func (c *reapplyCmd) Run(a *app) error {
	st, rec, err := a.stored(a.existing, c.Record)
	if err != nil {
		return err
	}
	defer st.Close()
	ro := transcript.Options{Format: rec.Format}
	if c.File == dash {
		if ro.Stdin, err = a.stdin.Open(); err != nil {
			return err
		}
	}
	f, err := session.Open(a.ctx, c.File, session.Options{Store: st, Verb: true}, ro)
	if err != nil {
		return err
	}
	defer f.Close()
	s, err := f.OriginalSession(a.ctx, rec)
	if err != nil {
		return err
	}
	again, err := s.Records.ReapplyPreview(a.ctx, rec)
	if err != nil {
		return err
	}
	made, out, err := s.Records.ReapplyTo(a.ctx, into(c.Output, rec.Path, a.names), c.Force, again)
	if err != nil {
		return err
	}
	r := reapplied{Before: again.Now, After: again.Then, Output: out.Path, Bytes: out.Bytes, SHA256: out.SHA256,
		Relinked: append([]transcript.Relink{}, out.Relinked...)}
	for i := range made {
		r.Records, r.Of = append(r.Records, made[i].ID), append(r.Of, again.Of[i].ID)
	}
	for i := range r.Records {
		a.unnamed(st, &r.Records[i])
	}
	if c.JSON {
		return a.printJSON(r)
	}
	for i := range made {
		fmt.Fprintf(a.out, "%s applied again as %s\n", r.Of[i], r.Records[i])
	}
	size := func(z model.Size) string { return contextTokens(z.Tokens, s.Estimated(), s.Policy().Fixed) }
	fmt.Fprintf(a.out, "%s → %s tokens, %s bytes written to %s\n",
		size(r.Before), size(r.After), thousands(out.Bytes), a.shown(out.Path))
	return nil
}
