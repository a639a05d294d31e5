package desk

import (
	"context"
	"reflect"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/model"
)

// Adjust shows other parameters at once, as while a slider is dragged. It adds
// no step to the undo history until Commit.
func (d *Desk) Adjust(change func(p *model.Policy)) {
	s := d.Session()
	if s == nil {
		return
	}
	p := d.params
	change(&p)
	if reflect.DeepEqual(p, d.params) {
		return
	}
	d.params, d.neededNow, d.moved = p, false, true
	d.sched.Cancel("needed") // of former parameters: Commit asks anew, and the hand needs the processors
	d.replan(sched.Follow[planned], sched.Follow[*replay.Timeline])
	d.tell(TopicParams)
}

// BeforeFrame is to be called when input has been looked at and a frame is about
// to be drawn: it gives the plan of a parameter that was just moved a moment to
// come, so that one frame shows both. What was dispatched has to be run next.
func (d *Desk) BeforeFrame(moment time.Duration) {
	if d.moved {
		d.moved = false
		d.sched.Await("plan", moment)
	}
}

// handRests is how long a hand that drags must rest before the text of a plan is
// made: else one would be begun for every place it passes.
const handRests = 80 * time.Millisecond

// Commit makes the parameters on the screen one undo step.
func (d *Desk) Commit() {
	if s := d.Session(); s != nil {
		s.SetPolicy(d.params)
		d.keepOwn()
		if !d.neededNow {
			d.recall()
		}
		d.tell(TopicParams)
	}
}

// Set is Adjust and Commit.
func (d *Desk) Set(change func(p *model.Policy)) {
	d.Adjust(change)
	d.Commit()
}

// UsePreset takes a preset's parameters over; undoable.
func (d *Desk) UsePreset(p model.Policy) {
	if s := d.Session(); s != nil {
		s.UsePreset(p)
		d.takeParams()
	}
}

// Undo goes one change of the parameters back.
func (d *Desk) Undo() {
	if s := d.Session(); s != nil && s.Undo() {
		d.takeParams()
	}
}

// Redo takes an Undo back.
func (d *Desk) Redo() {
	if s := d.Session(); s != nil && s.Redo() {
		d.takeParams()
	}
}

func (d *Desk) takeParams() {
	d.params, d.neededNow = d.Session().Policy(), false
	d.keepOwn()
	d.Replan()
	d.recall()
	d.tell(TopicParams)
}

// TogglePin pins or unpins the message of a ledger row; undoable.
func (d *Desk) TogglePin(row int) {
	s := d.Session()
	if s == nil || d.ledger == nil || row < 0 || row >= d.ledger.Len() {
		return
	}
	if r := d.ledger.Row(row); r.Num > 0 {
		s.TogglePin(r.Num - 1)
		d.takeParams()
	}
}

// SetView chooses between the full history and what the model sees, and keeps
// the selected message selected.
func (d *Desk) SetView(v session.View) {
	if d.view == v {
		return
	}
	num := d.selectedNum()
	d.view = v
	d.relist(num)
	d.tell(TopicPlan, TopicSelect)
}

// SetAt moves the place in the history that plans are made at: the messages
// before it have been. 0 to the length of the history.
func (d *Desk) SetAt(at int) {
	if s := d.Session(); s != nil {
		s.SetAt(at)
		d.Replan()
	}
}

// Planning reports whether a plan is being made.
func (d *Desk) Planning() bool { return d.sched.Running("plan") }

type planned struct {
	of     model.Policy
	plan   *compaction.Plan
	ledger *session.Ledger
	next   []compaction.Rule
}

// Replan makes the plan anew in the background; the present one stays on the
// screen until it is there. Its text follows.
func (d *Desk) Replan() { d.replan(sched.Run[planned], sched.Run[*replay.Timeline]) }

// starter is how background work is started: sched.Run, or sched.Follow while
// a hand drags.
type starter[T any] func(s *sched.Scheduler, key string, work func(context.Context, func(sched.Progress)) (T, error), apply func(T, error))

func (d *Desk) replan(plan starter[planned], relive starter[*replay.Timeline]) {
	s, p, view := d.Session(), d.params, d.view
	if s == nil {
		return
	}
	d.sched.Cancel("draft")
	d.relive(relive, s, p)
	plan(d.sched, "plan", func(context.Context, func(sched.Progress)) (planned, error) {
		pl := s.Plan(p, compaction.Options{Manual: true})
		return planned{p, pl, s.Ledger(pl, view), s.Next(p)}, nil
	}, func(r planned, err error) {
		if err != nil {
			d.Fail(err)
			return
		}
		num, first := d.selectedNum(), d.plan == nil
		d.plan, d.planned, d.ledger, d.next, d.draft = r.plan, r.of, r.ledger, r.next, nil
		if d.view != view { // chosen meanwhile
			d.ledger = s.Ledger(d.plan, d.view)
		}
		d.refilter()
		d.reselect(num)
		if first && d.row < 0 {
			d.row = d.firstLive()
		}
		if uid := d.lookAt; uid != "" {
			d.lookAt = ""
			if i := d.rowOfRecord(uid); i >= 0 {
				d.row = i
			}
		}
		if num := d.lookAtNum; num > 0 {
			d.lookAtNum = 0
			d.reselect(num)
		}
		d.tell(TopicPlan, TopicSelect)
		if reflect.DeepEqual(r.of, d.params) { // else a newer plan is under way
			d.makeDraft()
		}
		d.release()
		if first && !s.Sketched() { // else when it is counted
			d.index(s)
		} else {
			d.survive()
		}
	})
}

// makeDraft makes the real text of the plan in the background, so that the
// numbers shown are those that applying will store.
func (d *Desk) makeDraft() {
	s, p := d.Session(), d.params
	if s == nil || s.Sketched() || d.plan == nil || d.plan.Outcome != compaction.WouldApply {
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
		pause = handRests
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
			d.Fail(err)
			return
		}
		num := d.selectedNum()
		d.draft, d.plan = dr, dr.Plan
		d.relist(num)
		d.tell(TopicPlan)
		d.survive()
	})
}

func (d *Desk) relist(num int) {
	if s := d.Session(); s != nil && d.plan != nil {
		d.ledger = s.Ledger(d.plan, d.view)
		d.refilter()
		d.reselect(num)
	}
}

// EditDraft replaces the draft's text by one written by hand.
func (d *Desk) EditDraft(text string) {
	if s := d.Session(); s != nil && d.draft != nil {
		d.replace(s.Edit(d.draft, text))
	}
}
