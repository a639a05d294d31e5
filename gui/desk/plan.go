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
	"palimpsest/model/store"
)

// planning is the parameters on the screen and the plan they give.
type planning struct {
	subject
	params    model.Policy // as on the screen; the session's own until a drag ends
	view      session.View
	plan      *compaction.Plan
	planned   model.Policy // that the plan was made with
	moved     bool         // the parameters, since the last frame
	neededNow bool         // what was needed later is that of the parameters
	next      []compaction.Rule
	presets   []store.Preset
	lookAt    string // UID of the record whose summary is to be selected
	lookAtNum int    // message to be selected in the history that is being opened, from 1; 0: none
}

// Adjust shows other parameters at once, as while a slider is dragged. It adds
// no step to the undo history until Commit.
func (d *planning) Adjust(change func(p *model.Policy)) {
	s := d.desk.Session()
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
func (d *planning) BeforeFrame(moment time.Duration) {
	if d.moved {
		d.moved = false
		d.sched.Await("plan", moment)
	}
}

// handRests is how long a hand that drags must rest before the text of a plan is
// made: else one would be begun for every place it passes.
const handRests = 80 * time.Millisecond

// Commit makes the parameters on the screen one undo step.
func (d *planning) Commit() {
	if s := d.desk.Session(); s != nil {
		s.SetPolicy(d.params)
		d.desk.keepOwn()
		if !d.neededNow {
			d.desk.recall()
		}
		d.tell(TopicParams)
	}
}

// Set is Adjust and Commit.
func (d *planning) Set(change func(p *model.Policy)) {
	d.Adjust(change)
	d.Commit()
}

// UsePreset takes a preset's parameters over; undoable.
func (d *planning) UsePreset(p model.Policy) {
	if s := d.desk.Session(); s != nil {
		s.UsePreset(p)
		d.takeParams()
	}
}

// Undo goes one change of the parameters back.
func (d *planning) Undo() {
	if s := d.desk.Session(); s != nil && s.Undo() {
		d.takeParams()
	}
}

// Redo takes an Undo back.
func (d *planning) Redo() {
	if s := d.desk.Session(); s != nil && s.Redo() {
		d.takeParams()
	}
}

func (d *planning) takeParams() {
	d.params, d.neededNow = d.desk.Session().Policy(), false
	d.desk.keepOwn()
	d.Replan()
	d.desk.recall()
	d.tell(TopicParams)
}

// TogglePin pins or unpins the message of a ledger row; undoable.
func (d *planning) TogglePin(row int) {
	s := d.desk.Session()
	if s == nil || d.desk.ledger == nil || row < 0 || row >= d.desk.ledger.Len() {
		return
	}
	if r := d.desk.ledger.Row(row); r.Num > 0 {
		s.TogglePin(r.Num - 1)
		d.takeParams()
	}
}

// SetView chooses between the full history and what the model sees, and keeps
// the selected message selected.
func (d *planning) SetView(v session.View) {
	if d.view == v {
		return
	}
	num := d.desk.selectedNum()
	d.view = v
	d.relist(num)
	d.tell(TopicPlan, TopicSelect)
}

// SetAt moves the place in the history that plans are made at: the messages
// before it have been. 0 to the length of the history.
func (d *planning) SetAt(at int) {
	if s := d.desk.Session(); s != nil {
		s.SetAt(at)
		d.Replan()
	}
}

// Planning reports whether a plan is being made.
func (d *planning) Planning() bool { return d.sched.Running("plan") }

type planned struct {
	of     model.Policy
	plan   *compaction.Plan
	ledger *session.Ledger
	next   []compaction.Rule
}

// Replan makes the plan anew in the background; the present one stays on the
// screen until it is there. Its text follows.
func (d *planning) Replan() { d.replan(sched.Run[planned], sched.Run[*replay.Timeline]) }

// starter is how background work is started: sched.Run, or sched.Follow while
// a hand drags.
type starter[T any] func(s *sched.Scheduler, key string, work func(context.Context, func(sched.Progress)) (T, error), apply func(T, error))

func (d *planning) replan(plan starter[planned], relive starter[*replay.Timeline]) {
	s, p, view := d.desk.Session(), d.params, d.view
	if s == nil {
		return
	}
	d.sched.Cancel("draft")
	d.desk.relive(relive, s, p)
	plan(d.sched, "plan", func(context.Context, func(sched.Progress)) (planned, error) {
		pl := s.Plan(p, compaction.Options{Manual: true})
		return planned{p, pl, s.Ledger(pl, view), s.Next(p)}, nil
	}, func(r planned, err error) {
		if err != nil {
			d.desk.Fail(err)
			return
		}
		num, first := d.desk.selectedNum(), d.plan == nil
		d.plan, d.planned, d.desk.ledger, d.next, d.desk.draft = r.plan, r.of, r.ledger, r.next, nil
		if d.view != view { // chosen meanwhile
			d.desk.ledger = s.Ledger(d.plan, d.view)
		}
		d.desk.refilter()
		d.desk.reselect(num)
		if first && d.desk.row < 0 {
			d.desk.row = d.desk.firstLive()
		}
		if uid := d.lookAt; uid != "" {
			d.lookAt = ""
			if i := d.desk.rowOfRecord(uid); i >= 0 {
				d.desk.row = i
			}
		}
		if num := d.lookAtNum; num > 0 {
			d.lookAtNum = 0
			d.desk.reselect(num)
		}
		d.tell(TopicPlan, TopicSelect)
		if reflect.DeepEqual(r.of, d.params) { // else a newer plan is under way
			d.makeDraft()
		}
		d.desk.release()
		if first && !s.Sketched() { // else when it is counted
			d.desk.index(s)
		} else {
			d.desk.survive()
		}
	})
}

// makeDraft makes the real text of the plan in the background, so that the
// numbers shown are those that applying will store.
func (d *planning) makeDraft() {
	s, p := d.desk.Session(), d.params
	if s == nil || s.Sketched() || d.plan == nil || d.plan.Outcome != compaction.WouldApply {
		return // a sketch can't be applied, and its numbers would not be those stored
	}
	if p.Strategy.Asks() { // which is made only when it is asked for
		if list := d.desk.Drafts(); len(list) > 0 {
			d.desk.take(list[len(list)-1])
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
			d.desk.Fail(err)
			return
		}
		num := d.desk.selectedNum()
		d.desk.draft, d.plan = dr, dr.Plan
		d.relist(num)
		d.tell(TopicPlan)
		d.desk.survive()
	})
}

func (d *planning) relist(num int) {
	if s := d.desk.Session(); s != nil && d.plan != nil {
		d.desk.ledger = s.Ledger(d.plan, d.view)
		d.desk.refilter()
		d.desk.reselect(num)
	}
}

// EditDraft replaces the draft's text by one written by hand.
func (d *planning) EditDraft(text string) {
	if s := d.desk.Session(); s != nil && d.desk.draft != nil {
		d.desk.replace(s.Edit(d.desk.draft, text))
	}
}
