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
	params  model.Policy // as on the screen; the session's own until a drag ends
	view    session.View
	plan    *compaction.Plan
	planned model.Policy // that the plan was made with
	moved   bool         // the parameters, since the last frame
	next    []compaction.Rule
	presets []store.Preset
}

// Plan is what the parameters would do now; nil while there is no session or
// its first plan is being made.
func (d *planning) Plan() *compaction.Plan { return d.plan }

// Planned are the parameters that the plan was made with: those on the screen, or,
// while these are dragged, others that they were a moment ago.
func (d *planning) Planned() model.Policy { return d.planned }

// Next is when the rule of the parameters and those of the presets would fire at
// the plan's position, the parameters' own first; empty while there is no plan.
func (d *planning) Next() []compaction.Rule { return d.next }

// Params are the parameters on the screen.
func (d *planning) Params() model.Policy { return d.params }

// View is which list the ledger shows.
func (d *planning) View() session.View { return d.view }

// reset forgets the plan and shows the parameters of another session; s may be
// nil.
func (d *planning) reset(s *session.Session) {
	d.Sched.Cancel("plan")
	d.plan, d.next = nil, nil
	d.params = compaction.Default() // what the controls show while nothing is open
	if s != nil {
		d.params = s.Policy()
	}
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
	d.params, d.moved = p, true
	d.Hand.Move()
	d.desk.needsOutdated()
	d.Sched.Cancel("needed") // of former parameters: Commit asks again, and the drag needs the processors
	d.replan(sched.Follow[planned], sched.Follow[*replay.Timeline])
	d.Notify(TopicParams)
}

// BeforeFrame is to be called when input has been looked at and a frame is about
// to be drawn: it gives the plan of a parameter that was just moved a moment to
// come, so that one frame shows both. What was dispatched has to be run next.
func (d *planning) BeforeFrame(moment time.Duration) {
	if d.moved {
		d.moved = false
		d.Sched.Await("plan", moment)
	}
}

// Commit makes the parameters on the screen one undo step.
func (d *planning) Commit() {
	if s := d.desk.Session(); s != nil {
		was := s.Policy()
		s.SetPolicy(d.params)
		d.desk.paramsStep(d.desk.current, s, was)
		d.desk.keepOwn()
		if !d.desk.neededNow {
			d.desk.measureNeeds()
		}
		d.Notify(TopicParams)
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
		was := s.Policy()
		s.UsePreset(p)
		d.desk.paramsStep(d.desk.current, s, was)
		d.takeParams()
	}
}

// readParams shows the parameters of the session looked at.
func (d *planning) readParams() {
	d.params = d.desk.Session().Policy()
	d.desk.needsOutdated()
}

// takeParams is readParams after a person changed them.
func (d *planning) takeParams() {
	d.readParams()
	d.desk.keepOwn()
	d.Replan()
	d.desk.measureNeeds()
	d.Notify(TopicParams)
}

// counted shows the parameters of a counted session in place of its sketch's.
func (d *planning) counted(c *counted) {
	if reflect.DeepEqual(d.params, c.sketch.Policy()) { // else a drag is under way
		d.params = c.session.Policy()
	}
}

// TogglePin pins or unpins the message of a ledger row; undoable.
func (d *planning) TogglePin(row int) {
	s := d.desk.Session()
	if s == nil || d.desk.ledger == nil || row < 0 || row >= d.desk.ledger.Len() {
		return
	}
	if r := d.desk.ledger.Row(row); r.Num > 0 {
		d.TogglePinOf(r.Num - 1)
	}
}

// TogglePinOf pins or unpins a message by its place in the history; undoable.
func (d *planning) TogglePinOf(history int) {
	if s := d.desk.Session(); s != nil {
		was := s.Policy()
		s.TogglePin(history)
		d.desk.paramsStep(d.desk.current, s, was)
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
	d.Notify(TopicPlan, TopicSelect)
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
func (d *planning) Planning() bool { return d.Sched.Running("plan") }

type planned struct {
	of     model.Policy
	plan   *compaction.Plan
	ledger *session.Ledger
	next   []compaction.Rule
}

// Replan makes the plan again in the background; the present one stays on the
// screen until it is there. Its text follows.
func (d *planning) Replan() { d.replan(sched.Run[planned], sched.Run[*replay.Timeline]) }

// starter is how background work is started: sched.Run, or sched.Follow while
// a hand drags.
type starter[T any] func(s *sched.Scheduler, key string, work func(context.Context, func(sched.Progress)) (T, error), apply func(T, error))

func (d *planning) replan(plan starter[planned], replays starter[*replay.Timeline]) {
	s, p, view := d.desk.Session(), d.params, d.view
	if s == nil {
		return
	}
	d.Sched.Cancel("draft")
	d.desk.replay(replays, s, p)
	plan(d.Sched, "plan", func(context.Context, func(sched.Progress)) (planned, error) {
		pl := s.Plan(p, compaction.Options{Manual: true})
		return planned{p, pl, s.Ledger(pl, view), s.Next(p)}, nil
	}, func(r planned, err error) {
		if err != nil {
			d.Fail(err)
			return
		}
		num, first := d.desk.selectedNum(), d.plan == nil
		d.plan, d.planned, d.next = r.plan, r.of, r.next
		d.desk.draftSet.reset()
		if d.view != view { // chosen meanwhile
			r.ledger = s.Ledger(d.plan, d.view)
		}
		d.desk.showRows(r.ledger, num)
		d.desk.selectAwaited(first)
		d.Notify(TopicPlan, TopicSelect)
		compareAgain(d.desk, s)
		if reflect.DeepEqual(r.of, d.params) { // else a newer plan is under way
			d.desk.makeDraft()
		}
		d.desk.showHeld()
		if first && !s.Sketched() { // else when it is counted
			d.desk.index(s)
		} else {
			d.desk.measureSurvival()
		}
	})
}

// drafted replaces the plan by the one of its draft, which has the true numbers.
func (d *planning) drafted(plan *compaction.Plan) {
	num := d.desk.selectedNum()
	d.plan = plan
	d.relist(num)
	d.Notify(TopicPlan)
}

// relist makes the rows of the plan again and selects message num, from 1.
func (d *planning) relist(num int) {
	if s := d.desk.Session(); s != nil && d.plan != nil {
		d.desk.showRows(s.Ledger(d.plan, d.view), num)
	}
}
