package records

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"

	"palimpsest/compaction/session"
	"palimpsest/gui/originals"
	"palimpsest/gui/state"
	"palimpsest/model"
)

// HasOriginals reports whether a record has messages of a file.
func HasOriginals(r *model.Record) bool {
	return r.Outcome == model.Applied && r.Cause != model.CauseFound && r.Cause != model.CauseRestore && r.SourceSHA != ""
}

// Copies is where the originals of a record are; nil: not looked at yet, or it has none.
func (d *List) Copies(r *model.Record) *originals.Copies { return d.copies[r.SourceSHA+r.Path] }

// ReadCopies hashes the copies and the files of the records, one after another, the record
// looked at first; again also what was hashed before.
func (d *List) ReadCopies(again bool) {
	if again || d.copies == nil {
		d.core.Sched.Cancel("copies")
		d.copies = map[string]*originals.Copies{}
	}
	next := d.looked.record
	unknown := func(r *model.Record) bool { return HasOriginals(r) && d.Copies(r) == nil }
	for i := 0; i < len(d.list.rows) && (next == nil || !unknown(next)); i++ {
		next = &d.list.rows[i]
	}
	if next == nil || !unknown(next) || d.core.Store == nil || d.core.Sched.Running("copies") {
		return
	}
	state.Run(d.core, "copies", func(ctx context.Context) (*originals.Copies, error) {
		return originals.Read(ctx, d.core.Store, next), ctx.Err()
	}, func(c *originals.Copies) {
		d.copies[next.SourceSHA+next.Path] = c
		d.ReadCopies(false)
		d.core.Notify(state.TopicRecords)
	})
}

// Locate takes another file as the one of a record, if it holds what the record was made of.
func (d *List) Locate(r *model.Record, path string) {
	state.Run(d.core, "locate", func(ctx context.Context) (*originals.Copies, error) {
		at := *r
		at.Path = path
		c := originals.Read(ctx, d.core.Store, &at)
		if c.Holds() {
			return c, d.core.Store.MoveRecords(ctx, r.Path, path)
		}
		return nil, &model.Problem{Code: "other-file", What: fmt.Sprintf("%s is not the file of %s.", filepath.Base(path), r.ID),
			Why: "Its bytes are others than those that were compacted.", Next: "Choose another file, or open the stored copy."}
	}, func(*originals.Copies) {
		d.LoadRecords()
		d.looked.SelectRecord(r.ID)
		d.histories.Show(path, session.Ref{Conversation: r.Conversation, Thread: r.Thread})
	})
}

// OpenCopy looks at the stored copy of a record's file.
func (d *List) OpenCopy(r *model.Record) {
	state.Run(d.core, "open copy", func(ctx context.Context) ([]byte, error) {
		var b bytes.Buffer
		err := d.core.Store.WriteSource(ctx, r.ID, &b)
		return b.Bytes(), err
	}, func(b []byte) { d.histories.ShowCopy(r, b) })
}
