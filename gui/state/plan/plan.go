package plan

import (
	"context"
	"reflect"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/model"
	"palimpsest/model/store"
)

// Plan is the parameters on the screen and the plan they give.
type Plan struct {
	core    *state.Core
	open    func() *session.Session // the history looked at; nil: none
	on      Events
	params  model.Policy // as on the screen; the session's own until a drag ends
	view    session.View
	plan    *compaction.Plan
	planned model.Policy // that the plan was made with
	next    []compaction.Rule
	presets []store.Preset
}

// New makes the parameters of a window in which no history is open. open is the history
// looked at, nil while there is none.
func New(core *state.Core, open func() *session.Session, on Events) *Plan {
	return &Plan{core: core, open: open, on: on, params: compaction.Default()}
}

// Plan is what the parameters would do now; nil while there is no session or
// its first plan is being made.
func (d *Plan) Plan() *compaction.Plan { return d.plan }

// Planned are the parameters that the plan was made with: those on the screen, or,
// while these are dragged, others that they were a moment ago.
func (d *Plan) Planned() model.Policy { return d.planned }

// Next is when the rule of the parameters and those of the presets would fire at
// the plan's position, the parameters' own first; empty while there is no plan.
func (d *Plan) Next() []compaction.Rule { return d.next }

// Params are the parameters on the screen.
func (d *Plan) Params() model.Policy { return d.params }

// View is which list the ledger shows.
func (d *Plan) View() session.View { return d.view }

// Reset forgets the plan and shows the parameters of another session; s may be
// nil.
func (d *Plan) Reset(s *session.Session) {
	d.core.Sched.Cancel("plan")
	d.plan, d.next = nil, nil
	d.params = compaction.Default() // what the controls show while nothing is open
	if s != nil {
		d.params = s.Policy()
	}
}

// Adjust shows other parameters at once, as while a slider is dragged. It adds
// no step to the undo history until Commit.
func (d *Plan) Adjust(change func(p *model.Policy)) {
	s := d.open()
	if s == nil {
		return
	}
	p := d.params
	change(&p)
	if reflect.DeepEqual(p, d.params) {
		return
	}
	d.params = p
	d.core.Hand.Move()
	d.on.Outdated()
	d.core.Sched.Cancel("needed") // of former parameters: Commit asks again, and the drag needs the processors
	d.replanNow()
	d.core.Notify(state.TopicParams)
}

// Commit makes the parameters on the screen one undo step.
func (d *Plan) Commit() {
	if s := d.open(); s != nil {
		was := s.Policy()
		s.SetPolicy(d.params)
		d.on.Changed(s, was)
		d.on.Kept()
		d.core.Notify(state.TopicParams)
	}
}

// Set is Adjust and Commit.
func (d *Plan) Set(change func(p *model.Policy)) {
	d.Adjust(change)
	d.Commit()
}

// UsePreset takes a preset's parameters over; undoable.
func (d *Plan) UsePreset(p model.Policy) { d.change(func(s *session.Session) { s.UsePreset(p) }) }

// change changes the parameters of the session, as one step.
func (d *Plan) change(do func(*session.Session)) {
	if s := d.open(); s != nil {
		was := s.Policy()
		do(s)
		d.on.Changed(s, was)
		d.TakeParams()
	}
}

// ReadParams shows the parameters of the session looked at.
func (d *Plan) ReadParams() {
	d.params = d.open().Policy()
	d.on.Outdated()
}

// TakeParams is ReadParams after a person changed them.
func (d *Plan) TakeParams() {
	d.ReadParams()
	d.Replan()
	d.on.Kept()
	d.core.Notify(state.TopicParams)
}

// Counted shows the parameters of a counted session in place of its sketch's.
func (d *Plan) Counted(sketch, whole *session.Session) {
	if reflect.DeepEqual(d.params, sketch.Policy()) { // else a drag is under way
		d.params = whole.Policy()
	}
}

// TogglePinOf pins or unpins a message by its place in the history; undoable.
func (d *Plan) TogglePinOf(history int) {
	d.change(func(s *session.Session) { session.Pin(s, []int{history}, !s.Pinned(history)) })
}

// SetView chooses between the full history and what the model sees, and keeps
// the selected message selected.
func (d *Plan) SetView(v session.View) {
	if d.view == v {
		return
	}
	d.view = v
	d.relist()
	d.core.Notify(state.TopicPlan, state.TopicSelect)
}

// SetAt moves the place in the history that plans are made at: the messages
// before it have been. 0 to the length of the history.
func (d *Plan) SetAt(at int) {
	if s := d.open(); s != nil {
		s.SetAt(at)
		d.Replan()
	}
}

// Planning reports whether a plan is being made.
func (d *Plan) Planning() bool { return d.core.Sched.Running("plan") }

type planned struct {
	of     model.Policy
	plan   *compaction.Plan
	ledger *session.Ledger
	next   []compaction.Rule
}

// Replan makes the plan again in the background; the present one stays on the
// screen until it is there. Its text follows.
func (d *Plan) Replan() {
	s, p, view := d.open(), d.params, d.view
	if s == nil {
		return
	}
	d.on.Begun(s, p, false)
	sched.Run(d.core.Sched, "plan", func(context.Context, func(sched.Progress)) (planned, error) {
		return plan(s, p, view), nil
	}, func(r planned, err error) {
		if err != nil {
			d.core.Fail(err)
			return
		}
		if d.view != view { // chosen meanwhile
			r.ledger = s.Ledger(r.plan, d.view)
		}
		d.show(s, r)
	})
}

// replanNow makes the plan at once, for the next frame: what is sent to the background
// comes back after one or more frames of which each takes as long as all plans between.
func (d *Plan) replanNow() {
	if s := d.open(); s != nil {
		d.core.Sched.Cancel("plan")
		d.on.Begun(s, d.params, true)
		d.show(s, plan(s, d.params, d.view))
	}
}

// plan makes the plan of a session, with the rows that a view has of it.
func plan(s *session.Session, p model.Policy, view session.View) planned {
	pl := s.Plan(p, compaction.Options{Manual: true})
	return planned{p, pl, s.Ledger(pl, view), s.Next(p)}
}

// show puts a plan on the screen.
func (d *Plan) show(s *session.Session, r planned) {
	first := d.plan == nil
	d.plan, d.planned, d.next = r.plan, r.of, r.next
	d.on.Planned(s, r.ledger, first, reflect.DeepEqual(r.of, d.params))
}

// Drafted replaces the plan by the one of its draft, which has the true numbers.
func (d *Plan) Drafted(plan *compaction.Plan) {
	d.plan = plan
	d.relist()
	d.core.Notify(state.TopicPlan)
}

// relist makes the rows of the plan again.
func (d *Plan) relist() {
	if s := d.open(); s != nil && d.plan != nil {
		d.on.Rows(s.Ledger(d.plan, d.view))
	}
}

// PinPicked pins messages or unpins them, as one step of the undo.
func (d *Plan) PinPicked(messages []int, on bool) {
	if len(messages) > 0 {
		d.change(func(s *session.Session) { session.Pin(s, messages, on) })
	}
}

// Gone are the messages that the plan on the screen takes out of the context, as
// history positions in their order; none where it does not apply.
func (d *Plan) Gone() (list []int) {
	if d.plan == nil || d.plan.Outcome != compaction.WouldApply {
		return nil
	}
	d.plan.Takes(func(entry int) {
		if h := d.plan.Line.History(entry); h >= 0 {
			list = append(list, h)
		}
	})
	return list
}
