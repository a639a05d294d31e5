package desk

import (
	"context"
	"io"
	"strings"

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
)

// CanExportNative reports whether the history looked at can be exported as
// Native: the form of its own tool is known, it is the main line, and there is a
// compaction.
func (d *drafting) CanExportNative() bool {
	s := d.desk.Session()
	return s != nil && transcript.HasNative(s.File().Doc) && s.Ref().Thread == 0 && len(s.Stack()) > 0
}

// ExportSize is how much an export will hold.
func (d *drafting) ExportSize(what What) model.Size {
	s := d.desk.Session()
	if s == nil {
		return model.Size{}
	}
	if what != Full && d.desk.plan != nil {
		return d.desk.plan.Before
	}
	z := model.Size{Messages: len(s.Thread().History)}
	for _, m := range s.Thread().History {
		z.Tokens += int64(s.Tokens(m))
	}
	return z
}

// Export is how a history is written to a file.
type Export struct {
	Path    string
	What    What
	Format  model.Format // of the history itself, which Native needs, or one of transcript.Targets
	Force   bool         // replaces an existing file
	Options []session.ExportOption
}

// Export writes the history looked at to a file, whole or not at all. done gets
// the outcome.
func (d *drafting) Export(x Export, done func(*session.Written, error)) {
	s := d.desk.Session()
	if s == nil {
		return
	}
	sched.Run(d.sched, "export", func(ctx context.Context, _ func(sched.Progress)) (*session.Written, error) {
		return x.write(ctx, s)
	}, done)
}

func (x Export) write(ctx context.Context, s *session.Session) (*session.Written, error) {
	switch {
	case x.Format != s.File().Doc.Format:
		return s.Overlay().ExportAs(ctx, x.Path, session.Form{Format: x.Format, Full: x.What == Full}, x.Force, x.Options...)
	case x.What == Native:
		return s.Overlay().ExportNative(ctx, x.Path, x.Force, x.Options...)
	case x.What == Compacted:
		return s.Overlay().ExportFile(ctx, x.Path, x.Force, x.Options...)
	}
	return s.File().ExportSource(ctx, x.Path, x.Force, x.Options...)
}

// FindSecrets finds what a redacted export would take out. A newer request takes
// the place of one under way; done gets the list.
func (d *drafting) FindSecrets(what What, format model.Format, done func([]session.Withheld, error)) {
	s := d.desk.Session()
	if s == nil {
		return
	}
	sched.Run(d.sched, "secrets", func(ctx context.Context, _ func(sched.Progress)) ([]session.Withheld, error) {
		return session.Rehearse(func(path string) (*session.Written, error) {
			return Export{Path: path, What: what, Format: format, Options: []session.ExportOption{session.Redact(nil)}}.write(ctx, s)
		})
	}, done)
}

// RecordPart is what of a record can be written to a file.
type RecordPart uint8

// The parts.
const (
	RecordOriginal RecordPart = iota // the whole input file, byte for byte
	RecordSummary                    // the text of the summary
	RecordJSON                       // everything but the originals
)

// ExportRecord writes a part of the record looked at to a file.
func (d *drafting) ExportRecord(path string, part RecordPart, force bool, done func(*session.Written, error)) {
	r := d.desk.record
	if r == nil {
		return
	}
	sched.Run(d.sched, "export", func(ctx context.Context, _ func(sched.Progress)) (*session.Written, error) {
		return session.WriteFile(ctx, path, force, func(w io.Writer) error {
			switch part {
			case RecordOriginal:
				if d.store == nil {
					return &model.Problem{Code: "no-store", What: "There is no database to take the original from.",
						Next: "Open the file itself."}
				}
				return d.store.WriteSource(ctx, r.ID, w)
			case RecordSummary:
				text := r.Summary
				if !strings.HasSuffix(text, "\n") {
					text += "\n"
				}
				_, err := io.WriteString(w, text)
				return err
			}
			return writeJSON(w, r)
		})
	}, done)
}
