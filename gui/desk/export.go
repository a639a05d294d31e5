package desk

import (
	"context"
	"fmt"
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
	Full                  // the history as the file tells it
)

// ExportSize is how much an export will hold.
func (d *Desk) ExportSize(what What) model.Size {
	s := d.Session()
	if s == nil {
		return model.Size{}
	}
	if what == Compacted && d.plan != nil {
		return d.plan.Before
	}
	z := model.Size{Messages: len(s.Thread().History)}
	for _, m := range s.Thread().History {
		z.Tokens += int64(s.Tokens(m))
	}
	return z
}

// Export writes the history looked at to a file: whole or not at all. format is
// that of the history itself or one of transcript.Exports; force replaces an
// existing file. done gets the outcome.
func (d *Desk) Export(path string, what What, format model.Format, force bool, done func(*session.Written, error)) {
	s := d.Session()
	if s == nil {
		return
	}
	sched.Run(d.sched, "export", func(ctx context.Context, _ func(sched.Progress)) (*session.Written, error) {
		doc := s.File().Doc
		if what == Compacted && format == doc.Format {
			return s.ExportFile(ctx, path, force)
		}
		return session.WriteFile(ctx, path, force, func(w io.Writer) error {
			items := s.Items()
			if what == Full {
				items = historyItems(s.Thread())
			}
			switch format {
			case doc.Format:
				return transcript.Copy(w, doc)
			case transcript.FormatMarkdown:
				return transcript.WriteMarkdown(w, doc, s.Thread(), items, s.SummaryText)
			case transcript.FormatJSON:
				return transcript.WriteJSON(w, doc, s.Thread(), items, s.SummaryText)
			}
			return fmt.Errorf("no writer for %s", format)
		}, nil)
	}, done)
}

func historyItems(t *model.Thread) []model.Item {
	items := make([]model.Item, len(t.History))
	for i, m := range t.History {
		items[i].Msg = m
	}
	return items
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
func (d *Desk) ExportRecord(path string, part RecordPart, force bool, done func(*session.Written, error)) {
	r := d.record
	if r == nil {
		return
	}
	sched.Run(d.sched, "export", func(ctx context.Context, _ func(sched.Progress)) (*session.Written, error) {
		return session.WriteFile(ctx, path, force, func(w io.Writer) error {
			switch part {
			case RecordOriginal:
				if d.store == nil {
					return &model.Problem{Code: "no-store", What: "There is no database to take the original from.", Next: "Open the file itself."}
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
		}, nil)
	}, done)
}
