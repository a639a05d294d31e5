package records

import (
	"context"
	"slices"

	"palimpsest/gui/state"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/gui/state/undo"
	"palimpsest/model"
)

// View is the record looked at, and what is worked out for it.
type View struct {
	needs
	table       *List             // the list that it is looked at in
	record      *model.Record     // whole
	recordFacts []model.FactTally // see RecordFacts
	nested      *session.Nested   // what its summary replaces
	events      []model.Record    // what happened to it since, see RecordEvents
	origins     *Origins          // its history as it was, see RecordOrigins
	reading     *model.Record     // whose history is being read for that
	reapply     *Reapply          // see Reapplying
	pair        *RecordPair       // see ComparedRecords
}

// Record is the record looked at, whole; nil: none.
func (d *View) Record() *model.Record { return d.record }

// SelectRecord looks at one record.
func (d *View) SelectRecord(id string) {
	s, list := d.histories.Session(), d.table.list
	state.Run(d.core, "record", func(ctx context.Context) (*lookedAt, error) {
		r, err := d.findRecord(ctx, s, list, id)
		if r == nil || err != nil {
			return &lookedAt{}, err
		}
		n, err := session.LoadNested(ctx, d.records(), r)
		if err != nil || d.core.Store == nil {
			return &lookedAt{r, n, nil}, err
		}
		events, err := d.core.Store.RecordEvents(ctx, r)
		return &lookedAt{r, n, events}, err
	}, func(l *lookedAt) {
		d.ForgetRecord()
		d.record, d.nested, d.events = l.record, l.nested, l.events
		d.core.Notify(state.TopicRecords)
		d.measureRecord()
	})
}

// lookedAt is a record with what was read and worked out about it.
type lookedAt struct {
	record *model.Record
	nested *session.Nested
	events []model.Record
}

func (d *View) findRecord(ctx context.Context, s *session.Session, list *recordList, id string) (*model.Record, error) {
	if foundID(id) {
		if i := slices.IndexFunc(list.rows, func(r model.Record) bool { return r.ID == id }); i >= 0 {
			return &list.rows[i], nil
		}
	}
	if d.core.Store != nil {
		return d.core.Store.Record(ctx, id)
	}
	if s != nil {
		for _, r := range s.Stack() {
			if r.ID == id {
				return r, nil
			}
		}
	}
	return nil, nil
}

// records is the store as sessions see it; nil when there is none.
func (d *View) records() session.Store {
	if d.core.Store == nil {
		return nil
	}
	return d.core.Store
}

// ForgetRecord looks at no record, and lets go of what was read for it.
func (d *View) ForgetRecord() {
	d.record, d.recordFacts, d.nested, d.reapply, d.events = nil, nil, nil, nil, nil
	d.closeOrigins()
}

// RecordEvents are the records of what happened to the record looked at since it
// was made, oldest first: restores that switched it off, and the records that
// it was applied again as.
func (d *View) RecordEvents() []model.Record { return d.events }

// Nested is what the summary of the record looked at replaces.
func (d *View) Nested() *session.Nested { return d.nested }

// RecordFacts is what survived the record looked at, by kind: as it was noted
// when it was made, or as it has been worked out since from the history looked
// at; nil when neither is so.
func (d *View) RecordFacts() []model.FactTally {
	if d.record != nil && d.record.Facts != nil {
		return d.record.Facts
	}
	return d.recordFacts
}

// measureRecord works out what survived a record of the history looked at that
// does not hold it.
func (d *View) measureRecord() {
	s, r := d.histories.Session(), d.record
	d.core.Sched.Cancel("record facts")
	if s == nil || r == nil || r.Facts != nil || r.Cause == model.CauseFound || !s.Made(r) {
		return
	}
	state.Run(d.core, "record facts", func(ctx context.Context) ([]model.FactTally, error) {
		if _, err := s.Insight.Facts(ctx, nil); err != nil {
			return nil, err
		}
		return session.Tallies(s.Insight.SurviveRecord(r)), nil
	}, func(list []model.FactTally) {
		d.recordFacts = list
		d.core.Notify(state.TopicRecords)
	})
}

// Ladder is what restoring each record that is applied to the history looked
// at would do, the top one first.
func (d *View) Ladder() []session.RestoreEffect {
	if s := d.histories.Session(); s != nil {
		return s.Records.RestoreEffects()
	}
	return nil
}

// Restore brings back the originals of a record of the history looked at.
func (d *View) Restore(id string) {
	s := d.histories.Session()
	if s == nil {
		return
	}
	before, ladder := s.Stack(), s.Records.RestoreEffects()
	state.Run(d.core, "restore", func(ctx context.Context) (*model.Record, error) {
		return s.Records.Restore(ctx, id)
	}, func(r *model.Record) {
		back := func(e session.RestoreEffect) bool { return e.Undone[0].ID == id }
		step := d.steps.Made(undo.Restore, s, before, r)
		if i := slices.IndexFunc(ladder, back); i >= 0 {
			step.Count, step.Former = ladder[i].Back()
		}
		d.steps.Did(step)
		d.table.LoadRecords()
		d.SelectRecord(id)
		d.restacked(s)
	})
}

// OpenRecord looks at the history a record was made of, at its own thread. A
// history that is not in the list is added from its file.
func (d *View) OpenRecord(r *model.Record) {
	d.histories.Show(r.Path, session.Ref{Conversation: r.Conversation, Thread: r.Thread})
}

// SameHistory reports whether a record may belong to the open session: the same
// bytes, or the same file as it was at another time.
func (d *View) SameHistory(rec *model.Record) bool {
	s := d.histories.Session()
	if s == nil {
		return false
	}
	doc := s.File().Doc
	return (doc.Hash() == rec.SourceSHA || doc.Path == rec.Path) &&
		s.Ref() == (session.Ref{Conversation: rec.Conversation, Thread: rec.Thread})
}

// BuiltOn reports whether the open session is built on a record.
func (d *View) BuiltOn(rec *model.Record) bool {
	s := d.histories.Session()
	return s != nil && slices.ContainsFunc(s.Stack(), func(x *model.Record) bool { return x.UID == rec.UID })
}

// RecordState is the state of a record in its own history, whichever of the open ones is
// looked at.
func (d *View) RecordState(rec *model.Record) model.State { return rec.State(d.stackWith(rec) != nil) }

// stackWith is the stack of the open session that is built on a record; nil: none is.
func (d *View) stackWith(rec *model.Record) []*model.Record {
	for _, s := range d.histories.OpenSessions() {
		if stack := s.Stack(); slices.ContainsFunc(stack, func(x *model.Record) bool { return x.UID == rec.UID }) {
			return stack
		}
	}
	return nil
}

// Under is the record of the same stack that took in the summary of another one; "": none did.
func (d *View) Under(rec *model.Record) string {
	for _, x := range d.stackWith(rec) {
		if slices.Contains(x.Parents, rec.ID) {
			return x.ID
		}
	}
	return ""
}

// Reapply is what applying the record looked at again on the history looked at
// would do, or why it can't be.
type Reapply struct {
	Effect *session.Reapplication
	Err    error

	of *session.Session
}

// Reapplying is that, once it was worked out; nil until then.
func (d *View) Reapplying() *Reapply { return d.reapply }

// PreviewReapply works it out.
func (d *View) PreviewReapply() {
	r, s := d.record, d.histories.Session()
	if r == nil || s == nil {
		return
	}
	sched.Run(d.core.Sched, "preview reapply", func(ctx context.Context, _ func(sched.Progress)) (*session.Reapplication, error) {
		return s.Records.ReapplyPreview(ctx, r)
	}, func(e *session.Reapplication, err error) {
		if d.record == r && d.histories.Session() == s {
			d.reapply = &Reapply{e, err, s}
			d.core.Notify(state.TopicRecords)
		}
	})
}

// ReapplyRecord applies what was previewed.
func (d *View) ReapplyRecord() {
	p := d.reapply
	if p == nil || p.Effect == nil || p.of != d.histories.Session() {
		return
	}
	before := p.of.Stack()
	sched.Run(d.core.Sched, "restore", func(ctx context.Context, _ func(sched.Progress)) ([]*model.Record, error) {
		return p.of.Records.Reapply(ctx, p.Effect)
	}, func(made []*model.Record, err error) {
		if err != nil {
			d.core.Fail(err)
		}
		if len(made) == 0 {
			return
		}
		top := made[len(made)-1]
		d.steps.Did(d.steps.Made(undo.Reapply, p.of, before, made...))
		d.table.LoadRecords()
		d.SelectRecord(top.ID)
		d.restacked(p.of)
	})
}
