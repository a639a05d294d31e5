package drafts

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	reading "palimpsest/compaction/session/drafts"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/gui/state/plan"
	"palimpsest/gui/state/undo"
	"palimpsest/model"
)

// Set is the drafts of the plan: the one on the screen, others beside it, and
// what is known of them.
type Set struct {
	needs
	draft      *session.Draft // of the plan, made in the background; nil while it is made
	lines      *reading.Reading
	carried    string // a text for the draft of the next plan; "": none
	looked     made   // the draft of another strategy that was shown of the plan before, if any
	again      made   // what is shown when the plan is made that it is of, if any
	own        bool   // only the draft of the parameters is looked at
	drafts     []made
	rest       map[*session.Session]*[]kept // kept of other places and records; nil: not read yet
	stored     map[*session.Session][]kept
	draftFacts ofDrafts[Survival]        // see DraftFacts
	readings   ofDrafts[reading.Reading] // see DraftReadings
}

// Draft is the plan with its real text; nil while it is being made, when the
// plan does not apply, or when the text could not be made.
func (d *Set) Draft() *session.Draft { return d.draft }

// Reset forgets the draft of a former plan, but not that a person looked at another
// strategy's.
func (d *Set) Reset() {
	d.core.Sched.Cancel("draft")
	if d.draft != nil {
		d.looked = made{}
	}
	for _, m := range d.drafts {
		if d.draft != nil && m.draft == d.draft && m.wanted && !m.edited() {
			d.looked = m
		}
	}
	if d.plan.Plan() == nil {
		d.carried = "" // it was of another history
	}
	d.draft, d.lines = nil, nil
}

// dragPause is how long a slider that is dragged must rest before the text of a
// plan is made: else one would be begun for every place it passes.
const dragPause = 80 * time.Millisecond

// Make makes the real text of the plan in the background, so that the
// numbers shown are those that applying will store.
func (d *Set) Make() {
	s, p, now := d.open(), d.plan.Params(), d.plan.Plan()
	again := d.again
	d.again = made{}
	if s == nil || s.Sketched() || now == nil || now.Outcome != compaction.WouldApply {
		return // a sketch can't be applied, and its numbers would not be those stored
	}
	d.recall(s)
	d.unpin()
	if p.Strategy.Asks() && (d.carried != "" || slices.ContainsFunc(d.drafts, d.follows)) {
		// No model is asked for what the text is edited from.
		p.Strategy = model.NoteText
	}
	if p.Strategy.Asks() { // which is made only when it is asked for
		d.showLatest(p)
		d.showMade(again)
		return
	}
	pause := time.Duration(0)
	if !reflect.DeepEqual(d.plan.Params(), s.Policy()) { // a drag is under way
		pause = dragPause
	}
	state.Run(d.core, "draft", func(ctx context.Context) (*session.Draft, error) {
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return s.Draft(ctx, p, compaction.Options{Manual: true}, nil)
	}, func(dr *session.Draft) {
		d.computed(d.made(s, p, dr))
		for i, m := range d.drafts {
			if d.follows(m) {
				d.drafts[i] = d.made(s, p, s.Edit(dr, m.draft.Text.Text))
				d.drafts[i].answer, d.drafts[i].unpinned = dr, cmp.Or(m.unpinned, &m)
			}
		}
		if text := d.carried; text != "" {
			d.carried = ""
			d.edit(s.Edit(dr, text))
			return
		}
		d.showLatest(p) // what somebody wrote for these parameters
		if d.looked.s == s && d.looked.policy.Strategy != p.Strategy && d.looked.draft.Plan.Line == dr.Plan.Line {
			d.showStrategy(d.looked.policy.Strategy)
		}
		d.showMade(again)
	})
}

// Edited is what a person edited last of the history as it is compacted now, and whether
// that was with other parameters than those on the screen; nil: there is nothing.
func (d *Set) Edited() (dr *session.Draft, others bool) {
	s := d.open()
	for _, m := range slices.Backward(d.drafts) {
		if m.s == s && m.edited() && slices.Equal(m.stack, state.RecordIDs(s.Stack())) {
			return m.draft, !d.shows(m)
		}
	}
	return nil, false
}

// ShowEdited shows that draft's text with the parameters on the screen.
func (d *Set) ShowEdited() {
	dr, _ := d.Edited()
	d.own, d.carried = false, dr.Text.Text
	d.plan.Replan()
}

// showStrategy shows the draft of another strategy for the plan as it is now, and makes
// it where there is none.
func (d *Set) showStrategy(strategy model.Strategy) {
	p := d.plan.Params()
	p.Strategy = strategy
	if d.showLatest(p); d.draft == nil || d.draft.Plan.Policy.Strategy != strategy {
		d.makeOther(p, func() {})
	}
}

// made is a draft, and the parameters that it was made for.
type made struct {
	s      *session.Session
	policy model.Policy
	draft  *session.Draft
	answer *session.Draft // before somebody edited it
	stack  []string       // the records that it was made on
	wanted bool           // a person asked for it; else it is that of the parameters

	unpinned *made // as it was edited, with other pins; nil: it was edited with those it has
}

// unpin has the drafts as they were edited, where the plan has the pins of then.
func (d *Set) unpin() {
	for i, m := range d.drafts {
		if m.unpinned != nil && d.shows(*m.unpinned) {
			d.drafts[i] = *m.unpinned
		}
	}
}

// follows reports whether a draft is edited, and of the plan on the screen but for its pins.
func (d *Set) follows(m made) bool {
	alike := m
	alike.policy.Pins = d.plan.Params().Pins
	return m.edited() && !d.shows(m) && d.shows(alike)
}

// computed reports whether it came by itself, and comes again.
func (m made) computed() bool { return !m.wanted && !m.edited() && m.draft.Asked == nil }

// made is a draft of the history looked at.
func (d *Set) made(s *session.Session, p model.Policy, dr *session.Draft) made {
	return made{s: s, policy: p, draft: dr, answer: dr, stack: state.RecordIDs(s.Stack())}
}

// edited reports whether a person changed it.
func (m made) edited() bool { return m.draft != m.answer }

// Drafts are the drafts of the plan, in the order in which they were begun: that of
// the parameters on the screen, those of other strategies, those that models wrote,
// and edited ones.
func (d *Set) Drafts() []*session.Draft {
	var out []*session.Draft
	for _, m := range d.drafts {
		if d.shows(m) {
			out = append(out, m.draft)
		}
	}
	return out
}

// shows reports whether a draft is one of the plan on the screen, but for how its
// text is made.
func (d *Set) shows(m made) bool {
	p, s := m.policy, d.open()
	p.Strategy = d.plan.Params().Strategy
	return s != nil && m.s == s && m.draft.Plan.Line.At() == s.At() && plan.Same(p, d.plan.Params()) &&
		slices.Equal(m.stack, state.RecordIDs(s.Stack()))
}

// computed takes over a draft that was made without a model; that of the parameters
// on the screen is first, in the place of the former one. Those of other parameters
// go, unless somebody asked for them.
func (d *Set) computed(m made) {
	d.drafts = slices.DeleteFunc(d.drafts, func(x made) bool {
		return x.computed() && (!d.shows(x) || x.policy.Strategy != d.plan.Params().Strategy)
	})
	i := slices.IndexFunc(d.drafts, func(x made) bool { return x.computed() && m.computed() })
	switch {
	case i >= 0:
		d.drafts[i] = m
	case m.computed():
		d.drafts = slices.Insert(d.drafts, 0, m)
	default:
		d.drafts = append(d.drafts, m)
	}
	d.Take(m.draft)
}

// Latest is the newest draft that was made with the strategy of a policy; nil: there is
// none.
func (d *Set) Latest(p model.Policy) *session.Draft {
	for _, m := range slices.Backward(d.drafts) {
		if d.shows(m) && m.policy.Strategy == p.Strategy {
			return m.draft
		}
	}
	return nil
}

// showLatest shows that draft.
func (d *Set) showLatest(p model.Policy) {
	if dr := d.Latest(p); dr != nil {
		d.Take(dr)
	}
}

// ShowOwn shows the draft of the parameters on the screen again, when one of another
// strategy was looked at.
func (d *Set) ShowOwn() {
	d.own = true
	if d.draft == nil || d.draft.Plan.Policy.Strategy != d.plan.Params().Strategy {
		d.showLatest(d.plan.Params())
	}
}

// TryStrategy makes another draft of the plan, by a strategy that asks no model.
func (d *Set) TryStrategy(strategy model.Strategy) {
	s, p := d.open(), d.plan.Params()
	if s == nil || strategy.Asks() {
		return
	}
	p.Strategy = strategy
	before := d.Tabs()
	d.makeOther(p, func() { d.draftStep(undo.DraftAdd, string(strategy), 0, before) })
}

// makeOther makes the draft of another strategy's parameters for the plan, shows it, and
// calls done.
func (d *Set) makeOther(p model.Policy, done func()) {
	s := d.open()
	state.Run(d.core, "draft", func(ctx context.Context) (*session.Draft, error) {
		return s.Draft(ctx, p, compaction.Options{Manual: true}, nil)
	}, func(dr *session.Draft) {
		m := d.made(s, p, dr)
		m.wanted = true
		d.computed(m)
		done()
	})
}

// Tabs is which drafts there are and which of them is shown.
type Tabs struct {
	drafts []made
	shown  *session.Draft
}

func (d *Set) Tabs() Tabs { return Tabs{slices.Clone(d.drafts), d.draft} }

// ShowAgain has the drafts that a session had before a compaction shown again, with
// the one that was looked at, once the plan of its parameters is there.
func (d *Set) ShowAgain(s *session.Session, was Tabs) {
	if s != d.open() {
		return
	}
	d.drafts = slices.Clone(was.drafts)
	for _, m := range was.drafts {
		if m.draft == was.shown {
			d.again = m
		}
	}
}

// showMade shows a draft if it is one of the plan on the screen.
func (d *Set) showMade(m made) {
	if m.draft != nil && d.shows(m) && slices.ContainsFunc(d.drafts, func(x made) bool { return x.draft == m.draft }) {
		d.Take(m.draft)
	}
}

// draftStep notes that drafts were changed.
func (d *Set) draftStep(k undo.Kind, name string, count int, before Tabs) {
	d.own = false
	s, after := d.open(), d.Tabs()
	d.step(s, &undo.Step{Kind: k, Name: name, Count: count, Owner: s, Move: func(again bool) {
		to := before
		if again {
			to = after
		}
		d.drafts = slices.Clone(to.drafts)
		d.show(to.shown)
		if d.own {
			d.ShowOwn()
		}
	}})
}

// ChangeDraft changes the text of the draft on the screen by its blocks. The first
// change to a draft makes another one beside it. name and count say what was changed.
func (d *Set) ChangeDraft(k undo.Kind, name string, count int, change func(*blocks.Outline) (string, error)) {
	s, dr := d.open(), d.draft
	if s == nil || dr == nil {
		return
	}
	text, err := change(blocks.Parse(dr.Text.Text))
	if err != nil {
		d.core.Fail(err)
		return
	}
	if text == dr.Text.Text || strings.TrimSpace(text) == "" {
		return
	}
	before := d.Tabs()
	d.edit(s.Edit(dr, text))
	d.draftStep(k, name, count, before)
}

// EditDraft replaces the draft's text by one written by hand.
func (d *Set) EditDraft(text string) {
	d.ChangeDraft(undo.DraftEdit, "", 0, func(*blocks.Outline) (string, error) { return text, nil })
}

// edit puts a changed draft beside the one that it was made from, or in its place
// where that one was changed before.
func (d *Set) edit(dr *session.Draft) {
	i := slices.IndexFunc(d.drafts, func(m made) bool { return m.draft == d.draft })
	switch {
	case i < 0:
		m := d.made(d.open(), dr.Plan.Policy, dr)
		m.answer = d.draft
		d.drafts = append(d.drafts, m)
	case d.drafts[i].edited():
		d.drafts[i].draft, d.drafts[i].unpinned = dr, nil
	default:
		m := d.drafts[i]
		m.draft = dr
		d.drafts = append(d.drafts, m)
	}
	d.Take(dr)
}

// Unedited is the draft shown as it was made; nil: nobody edited it.
func (d *Set) Unedited() *session.Draft {
	for _, m := range d.drafts {
		if m.draft == d.draft && m.edited() {
			return m.answer
		}
	}
	return nil
}

// DiscardDrafts drops all drafts but that of the parameters on the screen; undoable.
func (d *Set) DiscardDrafts() {
	before := d.Tabs()
	d.drafts = slices.DeleteFunc(d.drafts, func(m made) bool {
		return d.shows(m) && !m.computed()
	})
	if len(d.drafts) == len(before.drafts) {
		return
	}
	d.show(d.Latest(d.plan.Params()))
	d.draftStep(undo.DraftDiscard, "", len(before.drafts)-len(d.drafts), before)
}

// show shows a draft; nil: that there is none.
func (d *Set) show(dr *session.Draft) {
	if dr != nil {
		d.Take(dr)
		return
	}
	d.draft, d.lines = nil, nil
	d.plan.Replan()
}

// replace puts a draft in the place of the one it was made from.
func (d *Set) replace(was, now *session.Draft) {
	for i := range d.drafts {
		m := &d.drafts[i]
		if m.answer == was {
			m.answer = now
		}
		if m.draft == was {
			m.draft = now
		}
	}
}

// Take shows a draft, and has it measured and read. One that was made before the
// session was changed and changed back is renewed.
func (d *Set) Take(dr *session.Draft) {
	if now := dr.Renew(d.open()); now != dr {
		if now == nil {
			d.drafts = slices.DeleteFunc(d.drafts, func(m made) bool { return m.draft == dr })
			return
		}
		d.replace(dr, now)
		dr = now
	}
	d.draft = dr
	d.keep(d.open())
	d.plan.Drafted(dr.Plan)
	d.shown()
	d.Measure()
	d.ReadLines()
}

// DraftAt makes the plan at another place, with a text of one's own as its draft.
func (d *Set) DraftAt(at int, text string) {
	d.carried = text
	d.plan.SetAt(at)
}

// DraftLines is the text of the draft by its lines; nil while it is read.
func (d *Set) DraftLines() *reading.Reading { return d.lines }

// ReadLines reads the draft by its lines, again when the facts are indexed.
func (d *Set) ReadLines() {
	s, dr := d.open(), d.draft
	if s == nil || dr == nil || dr.Text.Text == "" {
		d.lines = nil
		return
	}
	sched.Run(d.core.Sched, "draftLines", func(context.Context, func(sched.Progress)) (*reading.Reading, error) {
		return reading.Read(s, dr), nil
	}, func(r *reading.Reading, err error) {
		if err == nil && d.draft == dr {
			d.lines = r
			d.core.Notify(state.TopicFacts)
		}
	})
}

// ReadDrafts reads all drafts of [Desk.Drafts] by their blocks, in the background.
func (d *Set) ReadDrafts() {
	if s := d.open(); s != nil && !slices.Equal(d.Drafts(), d.readings.of) {
		workOut(d, "readDrafts", &d.readings, func(dr *session.Draft) *reading.Reading { return reading.Read(s, dr) })
	}
}

// DraftReadings are the drafts as they were read, in the order of Drafts; nil until then.
func (d *Set) DraftReadings() []*reading.Reading { return d.readings.get(d.Drafts()) }

// ofDrafts is what was worked out of each of some drafts, in their order.
type ofDrafts[T any] struct {
	each []*T
	of   []*session.Draft
}

// get is what was worked out of these drafts; nil: nothing, or not yet.
func (x *ofDrafts[T]) get(list []*session.Draft) []*T {
	if slices.Equal(list, x.of) {
		return x.each
	}
	return nil
}

// workOut works something out of each draft, in the background; of none where it is not
// to be had of one.
func workOut[T any](d *Set, key string, x *ofDrafts[T], one func(*session.Draft) *T) {
	list := d.Drafts()
	*x = ofDrafts[T]{of: list}
	state.Run(d.core, key, func(ctx context.Context) (each []*T, err error) {
		for _, dr := range list {
			v := one(dr)
			if v == nil || ctx.Err() != nil {
				return nil, ctx.Err()
			}
			each = append(each, v)
		}
		return each, nil
	}, func(each []*T) {
		x.each = each
		d.core.Notify(state.TopicFacts)
	})
}

// Outdated drops the computed drafts of a session that has changed. What a person or
// a model wrote waits for an undo.
func (d *Set) Outdated(s *session.Session) {
	d.drafts = slices.DeleteFunc(d.drafts, func(m made) bool { return m.s == s && m.computed() })
}

// Answered adds what a model wrote.
func (d *Set) Answered(s *session.Session, p model.Policy, dr *session.Draft) {
	d.drafts = append(d.drafts, d.made(s, p, dr))
	d.keep(s)
}

// DraftFacts is what survives each of the drafts of [Desk.Drafts], in their
// order, and what of it was needed later; nil while it is worked out or the facts are
// not indexed.
func (d *Set) DraftFacts() []*Survival { return d.draftFacts.get(d.Drafts()) }

// Measure works out what survives each of the drafts.
func (d *Set) Measure() {
	s := d.open()
	if d.draftFacts = (ofDrafts[Survival]{}); s == nil || s.Insight.KnownFacts() == nil {
		return
	}
	workOut(d, "draftFacts", &d.draftFacts, func(dr *session.Draft) *Survival {
		v := s.Insight.Survive(dr.Plan, dr.Text.Text)
		if v == nil { // the facts were forgotten meanwhile
			return nil
		}
		return &Survival{At: dr.Plan.Line.At(), Survival: v, Needed: s.Insight.NeededAfter(dr.Plan, dr.Text.Text)}
	})
}

// ChooseDraft shows another draft.
func (d *Set) ChooseDraft(i int) {
	if list := d.Drafts(); i >= 0 && i < len(list) {
		d.own = false
		d.Take(list[i])
	}
}

// AcceptDraft is the second word on a draft with flaws.
func (d *Set) AcceptDraft() {
	if s := d.open(); s != nil && d.draft != nil {
		dr := s.Accept(d.draft)
		d.replace(d.draft, dr)
		d.Take(dr)
	}
}
