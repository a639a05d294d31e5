package desk

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/model"
)

// Record is the record looked at, whole; nil: none.
func (d *Desk) Record() *model.Record { return d.record }

// SelectRecord looks at one record.
func (d *Desk) SelectRecord(id string) {
	s := d.Session()
	sched.Run(d.sched, "record", func(ctx context.Context, _ func(sched.Progress)) (*model.Record, error) {
		if d.store != nil {
			return d.store.Record(ctx, id)
		}
		for _, r := range s.Stack() {
			if r.ID == id {
				return r, nil
			}
		}
		return nil, nil
	}, func(r *model.Record, err error) {
		if err != nil {
			d.Fail(err)
			return
		}
		d.record, d.recordFacts = r, nil
		d.tell(TopicRecords)
		d.measureRecord()
	})
}

// RecordFacts is what survived the record looked at, by kind: as it was noted
// when it was made, or as it has been worked out since from the history looked
// at; nil when neither is so.
func (d *Desk) RecordFacts() []model.FactTally {
	if d.record != nil && d.record.Facts != nil {
		return d.record.Facts
	}
	return d.recordFacts
}

// measureRecord works out what survived a record of the history looked at that
// does not tell.
func (d *Desk) measureRecord() {
	s, r := d.Session(), d.record
	d.sched.Cancel("record facts")
	if s == nil || r == nil || r.Facts != nil || !s.Made(r) {
		return
	}
	sched.Run(d.sched, "record facts", func(ctx context.Context, _ func(sched.Progress)) ([]model.FactTally, error) {
		if _, err := s.Facts(ctx, nil); err != nil {
			return nil, err
		}
		return session.Tallies(s.SurviveRecord(r)), nil
	}, func(list []model.FactTally, err error) {
		if err == nil {
			d.recordFacts = list
			d.tell(TopicRecords)
		} else if !errors.Is(err, context.Canceled) {
			d.Fail(err)
		}
	})
}

// RestoreEffect tells what restoring a record would do; an error when it is not
// applied to the history looked at.
func (d *Desk) RestoreEffect(id string) (*session.RestoreEffect, error) {
	s := d.Session()
	if s == nil {
		return nil, &model.Problem{Code: "no-session", What: "No history is open.", Next: "Open the history the record belongs to."}
	}
	return s.RestorePreview(id)
}

// Restore brings back the originals of a record of the history looked at.
func (d *Desk) Restore(id string) {
	s := d.Session()
	if s == nil {
		return
	}
	sched.Run(d.sched, "restore", func(ctx context.Context, _ func(sched.Progress)) (*model.Record, error) {
		return s.Restore(ctx, id)
	}, func(r *model.Record, err error) {
		if err != nil {
			d.Fail(err)
			return
		}
		d.Say(Notice{Code: "restored", Severity: Info, Args: []any{"record", id, "new", r.ID}})
		d.LoadRecords()
		d.SelectRecord(r.ID)
		d.Replan()
	})
}

// Verify reads the originals of the record looked at back from the store, which
// checks every block and the whole against their hashes. done gets nil when all
// of it is there and unchanged.
func (d *Desk) Verify(done func(error)) {
	r := d.record
	if r == nil || d.store == nil {
		return
	}
	sched.Do(d.sched, "verify", func(ctx context.Context, _ func(sched.Progress)) error {
		return d.store.WriteSource(ctx, r.ID, io.Discard)
	}, done)
}

// writeRecord writes a record as indented JSON.
func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// RecordText is a record as indented JSON, for looking at.
func RecordText(r *model.Record) string {
	var b strings.Builder
	if err := writeJSON(&b, r); err != nil {
		return err.Error()
	}
	return b.String()
}

// OpenRecord looks at the history a record was made of, at its own thread. A
// history that is not in the list is added from its file.
func (d *Desk) OpenRecord(r *model.Record) {
	ref := session.Ref{Conversation: r.Conversation, Thread: r.Thread}
	for _, e := range d.entries {
		if e.Path != r.Path {
			continue
		}
		if e.State != Ready {
			d.Select(e)
		} else if e.Ref != ref && e.File.Has(ref) {
			d.SelectThread(e, ref)
		} else {
			d.Select(e)
		}
		return
	}
	d.Add(r.Path)
}
