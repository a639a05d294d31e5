package desk

import (
	"context"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk/undo"
	"palimpsest/gui/sched"
	"palimpsest/model"
)

// Reapply is what applying the record looked at again on the history looked at
// would do, or why it can't be.
type Reapply struct {
	Effect *session.Reapplication
	Err    error

	of *session.Session
}

// Reapplying is that, once it was worked out; nil until then.
func (d *recordView) Reapplying() *Reapply { return d.reapply }

// PreviewReapply works it out.
func (d *recordView) PreviewReapply() {
	r, s := d.record, d.desk.Session()
	if r == nil || s == nil {
		return
	}
	sched.Run(d.sched, "preview reapply", func(ctx context.Context, _ func(sched.Progress)) (*session.Reapplication, error) {
		return s.Records.ReapplyPreview(ctx, r)
	}, func(e *session.Reapplication, err error) {
		if d.record == r && d.desk.Session() == s {
			d.reapply = &Reapply{e, err, s}
			d.notify(TopicRecords)
		}
	})
}

// ReapplyRecord applies what was previewed.
func (d *recordView) ReapplyRecord() {
	p := d.reapply
	if p == nil || p.Effect == nil || p.of != d.desk.Session() {
		return
	}
	before := p.of.Stack()
	sched.Run(d.sched, "restore", func(ctx context.Context, _ func(sched.Progress)) ([]*model.Record, error) {
		return p.of.Records.Reapply(ctx, p.Effect)
	}, func(made []*model.Record, err error) {
		if err != nil {
			d.desk.Fail(err)
		}
		if len(made) == 0 {
			return
		}
		top := made[len(made)-1]
		d.desk.madeStep(undo.Reapply, p.of, before, made...)
		d.desk.outdated(p.of)
		d.desk.LoadRecords()
		d.SelectRecord(top.ID)
		d.desk.Replan()
	})
}
