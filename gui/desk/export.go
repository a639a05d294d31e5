package desk

import (
	"context"
	"fmt"
	"os"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// What says which messages an export holds.
type What uint8

// What can be exported.
const (
	Compacted What = iota // the history as its records leave it
	Full                  // the history as the file holds it
	Native                // all of it, and the compactions behind it as the source's own tool writes them
	Previewed             // the history as the draft of the present plan would leave it
)

// CanExport returns why a part can't be exported, as the code of a reason; "": it
// can.
func (d *fileList) CanExport(what What) (why string) {
	s, plan := d.desk.Session(), d.desk.Planning.Plan()
	switch {
	case s == nil:
		return "none"
	case what == Compacted && len(s.Stack()) == 0:
		return "notApplied"
	case what == Previewed && d.desk.Later() != nil:
		return "later"
	case what != Previewed || d.desk.DraftSet.Draft() != nil:
		return ""
	case s.Sketched():
		return "counting"
	case plan == nil || plan.Outcome != compaction.WouldApply:
		return "refused"
	case d.desk.Planning.Params().Strategy.Asks():
		return "ask"
	}
	return "making"
}

// CanExportNative reports whether the history looked at can be exported as
// Native: the form of its own tool is known, it is the main line, and there is a
// compaction.
func (d *fileList) CanExportNative() bool {
	s := d.desk.Session()
	return s != nil && transcript.HasNative(s.File().Doc) && s.Ref().Thread == 0 && len(s.Stack()) > 0
}

// ExportSize is how much an export will hold.
func (d *fileList) ExportSize(what What) model.Size {
	s := d.desk.Session()
	if s == nil {
		return model.Size{}
	}
	o := s.With(s.Stack())
	if what == Previewed && d.desk.DraftSet.Draft() != nil {
		var err error
		if o, err = s.Records.Preview(d.desk.DraftSet.Draft()); err != nil {
			return model.Size{}
		}
	}
	if what != Full {
		return o.Size(d.desk.Planning.Params())
	}
	z := model.Size{Messages: len(s.Thread().History), Tokens: int64(d.desk.Planning.Params().Fixed)}
	for _, m := range s.Thread().History {
		z.Tokens += int64(s.Tokens(m))
	}
	return z
}

// Export is how a history is written to a file.
type Export struct {
	session.Output
	What   What
	Format model.Format // of the history itself, which Native needs, or one of transcript.Targets

	draft     *session.Draft // of the plan, for Previewed
	rehearsed bool           // nothing is to be stored
}

// Export writes the history looked at to a file, whole or not at all. done gets
// the outcome.
func (d *fileList) Export(x Export, done func(*session.Written, error)) {
	s := d.desk.Session()
	if s == nil {
		return
	}
	x.draft, x.rehearsed = d.desk.DraftSet.Draft(), d.Store != nil && !d.desk.CanStore()
	sched.Run(d.Sched, "export", func(ctx context.Context, _ func(sched.Progress)) (*session.Written, error) {
		return x.write(ctx, s)
	}, func(w *session.Written, err error) {
		if err == nil && x.What == Previewed {
			d.desk.RecordList.LoadRecords() // one was stored with the file
		}
		done(w, err)
	})
}

func (x Export) write(ctx context.Context, s *session.Session) (w *session.Written, err error) {
	o := s.With(s.Stack())
	if x.What == Previewed {
		if x.draft == nil {
			return nil, &model.Problem{Code: "no-draft", What: "There is no preview to export.", Next: "Choose what to export again."}
		}
		if o, err = s.Records.Preview(x.draft); err != nil {
			return nil, err
		}
	}
	switch {
	case x.Format != s.File().Doc.Format:
		return o.ExportAs(ctx, x.Output, session.Form{Format: x.Format, Full: x.What == Full})
	case x.What == Native:
		x.Native = true
		return o.ExportFile(ctx, x.Output)
	case x.What == Previewed && !x.rehearsed:
		x.Aside = true
		_, w, err = session.ApplyTo(ctx, x.Output, []session.Part{{Session: s, Draft: x.draft}})
		return w, err
	case x.What != Full:
		return o.ExportFile(ctx, x.Output)
	}
	return s.File().ExportSource(ctx, x.Output)
}

// Rehearse writes an export to a hidden place and reports on it: the secrets that a redacted
// one takes out, the losses of another form. With opened it is read back, and size is what the
// model sees of it then. A newer request takes the place of one under way.
func (d *fileList) Rehearse(x Export, opened bool, done func(out *session.Written, size model.Size, err error)) {
	s := d.desk.Session()
	if s == nil {
		return
	}
	x.draft, x.rehearsed = d.desk.DraftSet.Draft(), true
	var size model.Size
	sched.Run(d.Sched, fmt.Sprint("rehearse ", x.Redact), func(ctx context.Context, _ func(sched.Progress)) (*session.Written, error) {
		return session.Rehearse(func(path string) (*session.Written, error) {
			x.Path = path
			return x.write(ctx, s)
		}, func(path string) (err error) {
			if opened {
				size, err = s.File().OpenedSize(ctx, path)
			}
			return err
		})
	}, func(out *session.Written, err error) { done(out, size, err) })
}

// RemoveExport takes an exported file away again, and the record that was stored with
// it, unless the file was changed since.
func (d *fileList) RemoveExport(out *session.Written, done func(error)) {
	sched.Do(d.Sched, "removeExport", func(context.Context, func(sched.Progress)) error {
		st, err := os.Stat(out.Path)
		if err != nil {
			return err
		}
		if st.Size() != out.Bytes {
			return &model.Problem{Code: "export-changed", What: "The exported file was changed since.", Why: "It is left as it is.",
				Next: "Remove it yourself."}
		}
		return os.Remove(out.Path)
	}, func(err error) {
		if err == nil && out.Record != "" {
			d.desk.RecordList.DeleteRecords([]string{out.Record})
		}
		done(err)
	})
}

// LookThrough finds what would be withheld from a question about the history looked
// at. Nothing is sent.
func (d *fileList) LookThrough(done func([]session.Found, error)) {
	s := d.desk.Session()
	if s == nil {
		return
	}
	sched.Run(d.Sched, "lookThrough", func(ctx context.Context, _ func(sched.Progress)) ([]session.Found, error) {
		return session.LookThrough(ctx, s)
	}, done)
}
