package records

import (
	"context"
	"io"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/model"
)

// RecordPart is what of a record can be written to a file.
type RecordPart uint8

// The parts.
const (
	RecordOriginal RecordPart = iota // the whole input file, byte for byte
	RecordSummary                    // the text of the summary
	RecordJSON                       // everything but the originals
)

// ExportRecord writes a part of the record looked at to a file.
func (d *View) ExportRecord(path string, part RecordPart, force bool, done func(*session.Written, error)) {
	r := d.record
	if r == nil {
		return
	}
	sched.Run(d.core.Sched, "export", func(ctx context.Context, _ func(sched.Progress)) (*session.Written, error) {
		return session.WriteFile(ctx, path, force, func(w io.Writer) error {
			switch part {
			case RecordOriginal:
				if d.core.Store == nil {
					return &model.Problem{Code: "no-store", What: "There is no database to take the original from.",
						Next: "Open the file itself."}
				}
				return d.core.Store.WriteSource(ctx, r.ID, w)
			case RecordSummary:
				text := r.Summary
				if !strings.HasSuffix(text, "\n") {
					text += "\n"
				}
				_, err := io.WriteString(w, text)
				return err
			}
			return state.WriteJSON(w, r)
		})
	}, done)
}
