package desk

import (
	"context"
	"reflect"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
)

// Draft is the plan with its real text; nil while it is being made, when the
// plan does not apply, or when the text could not be made.
func (d *drafting) Draft() *session.Draft { return d.draft }

// reset forgets the draft of a former plan.
func (d *drafting) reset() {
	d.sched.Cancel("draft")
	d.draft = nil
}

// dragPause is how long a slider that is dragged must rest before the text of a
// plan is made: else one would be begun for every place it passes.
const dragPause = 80 * time.Millisecond

// makeDraft makes the real text of the plan in the background, so that the
// numbers shown are those that applying will store.
func (d *drafting) makeDraft() {
	s, p, plan := d.desk.Session(), d.desk.params, d.desk.plan
	if s == nil || s.Sketched() || plan == nil || plan.Outcome != compaction.WouldApply {
		return // a sketch can't be applied, and its numbers would not be those stored
	}
	if p.Strategy.Asks() { // which is made only when it is asked for
		if list := d.Drafts(); len(list) > 0 {
			d.take(list[len(list)-1])
		}
		return
	}
	pause := time.Duration(0)
	if !reflect.DeepEqual(p, s.Policy()) { // a drag is under way
		pause = dragPause
	}
	sched.Run(d.sched, "draft", func(ctx context.Context, _ func(sched.Progress)) (*session.Draft, error) {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return s.Draft(ctx, p, compaction.Options{Manual: true}, nil)
	}, func(dr *session.Draft, err error) {
		if err != nil {
			d.desk.Fail(err)
			return
		}
		d.show(dr)
	})
}

// EditDraft replaces the draft's text by one written by hand.
func (d *drafting) EditDraft(text string) {
	if s := d.desk.Session(); s != nil && d.draft != nil {
		d.replace(s.Edit(d.draft, text))
	}
}

// replace puts a changed draft in the place of the one it was made from.
func (d *drafting) replace(dr *session.Draft) {
	for i := range d.drafts {
		if d.drafts[i].draft == d.draft {
			d.drafts[i].draft = dr
		}
	}
	d.take(dr)
}

// take shows a draft that a model or a person made.
func (d *drafting) take(dr *session.Draft) {
	d.show(dr)
	d.measureDrafts()
}

// show makes a draft the one on the screen, with its plan and what survives it.
func (d *drafting) show(dr *session.Draft) {
	d.draft = dr
	d.desk.drafted(dr.Plan)
	d.desk.measureSurvival()
}

// outdated drops the drafts of a session that has changed.
func (d *drafting) outdated(s *session.Session) {
	kept := d.drafts[:0]
	for _, m := range d.drafts {
		if m.s != s {
			kept = append(kept, m)
		}
	}
	d.drafts = kept
}
