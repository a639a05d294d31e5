package desk

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/drafts"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/gui/desk/undo"
	"palimpsest/gui/sched"
	"palimpsest/model"
)

// draftSet is the drafts of the plan: the one on the screen, others beside it, and
// what is known of them.
type draftSet struct {
	subject
	draft        *session.Draft // of the plan, made in the background; nil while it is made
	lines        *drafts.Reading
	carried      string // a text for the draft of the next plan; "": none
	drafts       []made
	draftFacts   []*Survival // see DraftFacts
	draftFactsOf []*session.Draft
}

// Draft is the plan with its real text; nil while it is being made, when the
// plan does not apply, or when the text could not be made.
func (d *draftSet) Draft() *session.Draft { return d.draft }

// reset forgets the draft of a former plan.
func (d *draftSet) reset() {
	d.sched.Cancel("draft")
	d.draft, d.lines = nil, nil
}

// dragPause is how long a slider that is dragged must rest before the text of a
// plan is made: else one would be begun for every place it passes.
const dragPause = 80 * time.Millisecond

// makeDraft makes the real text of the plan in the background, so that the
// numbers shown are those that applying will store.
func (d *draftSet) makeDraft() {
	s, p, plan := d.desk.Session(), d.desk.params, d.desk.plan
	if s == nil || s.Sketched() || plan == nil || plan.Outcome != compaction.WouldApply {
		return // a sketch can't be applied, and its numbers would not be those stored
	}
	if p.Strategy.Asks() { // which is made only when it is asked for
		d.showLatest(p)
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
		d.computed(made{s: s, policy: p, draft: dr, answer: dr})
		if text := d.carried; text != "" {
			d.carried = ""
			d.edit(s.Edit(dr, text))
		} else {
			d.showLatest(p) // what somebody wrote for these parameters
		}
	})
}

// made is a draft, and the parameters that it was made for.
type made struct {
	s      *session.Session
	policy model.Policy
	draft  *session.Draft
	answer *session.Draft // before somebody edited it
}

// edited reports whether a person changed it.
func (m made) edited() bool { return m.draft != m.answer }

// Drafts are the drafts of the plan, in the order in which they were begun: that of
// the parameters on the screen, those of other strategies, those that models wrote,
// and edited ones.
func (d *draftSet) Drafts() []*session.Draft {
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
func (d *draftSet) shows(m made) bool {
	p, s := m.policy, d.desk.Session()
	p.Strategy = d.desk.params.Strategy
	return s != nil && m.s == s && m.draft.Plan.Line.At() == s.At() && samePolicy(p, d.desk.params)
}

// computed takes over a draft that was made without a model, in the place of the one
// that was made for the same parameters before; that of those on the screen is first. Those of other parameters go, unless somebody
// wrote them.
func (d *draftSet) computed(m made) {
	d.drafts = slices.DeleteFunc(d.drafts, func(x made) bool {
		return !x.edited() && x.draft.Asked() == nil && !d.shows(x)
	})
	i := slices.IndexFunc(d.drafts, func(x made) bool {
		return !x.edited() && x.draft.Asked() == nil && x.policy.Strategy == m.policy.Strategy && d.shows(x)
	})
	switch {
	case i >= 0:
		d.drafts[i] = m
	case m.policy.Strategy == d.desk.params.Strategy:
		d.drafts = slices.Insert(d.drafts, 0, m)
	default:
		d.drafts = append(d.drafts, m)
	}
	d.take(m.draft)
}

// showLatest shows the newest draft that was made with the strategy of a policy.
func (d *draftSet) showLatest(p model.Policy) {
	for _, m := range slices.Backward(d.drafts) {
		if d.shows(m) && m.policy.Strategy == p.Strategy {
			d.take(m.draft)
			return
		}
	}
}

// ShowOwn shows the draft of the parameters on the screen again, when one of another
// strategy was looked at.
func (d *draftSet) ShowOwn() {
	if d.draft == nil || d.draft.Plan.Policy.Strategy != d.desk.params.Strategy {
		d.showLatest(d.desk.params)
	}
}

// TryStrategy makes another draft of the plan, by a strategy that asks no model.
func (d *draftSet) TryStrategy(strategy model.Strategy) {
	s, p := d.desk.Session(), d.desk.params
	if s == nil || strategy.Asks() {
		return
	}
	p.Strategy = strategy
	before := d.tabs()
	sched.Run(d.sched, "draft", func(ctx context.Context, _ func(sched.Progress)) (*session.Draft, error) {
		return s.Draft(ctx, p, compaction.Options{Manual: true}, nil)
	}, func(dr *session.Draft, err error) {
		if err != nil {
			d.desk.Fail(err)
			return
		}
		d.computed(made{s: s, policy: p, draft: dr, answer: dr})
		d.draftStep(undo.DraftAdd, string(strategy), 0, before)
	})
}

// tabs is which drafts there are and which of them is shown.
type tabs struct {
	drafts []made
	shown  *session.Draft
}

func (d *draftSet) tabs() tabs { return tabs{slices.Clone(d.drafts), d.draft} }

// draftStep notes that drafts were changed.
func (d *draftSet) draftStep(k undo.Kind, name string, count int, before tabs) {
	s, after := d.desk.Session(), d.tabs()
	d.desk.did(&undo.Step{Kind: k, Name: name, Count: count, Of: d.desk.stepKey(s), Owner: s, Move: func(again bool) {
		to := before
		if again {
			to = after
		}
		if d.drafts = slices.Clone(to.drafts); to.shown != nil {
			d.take(to.shown)
		}
	}})
}

// ChangeDraft changes the text of the draft on the screen by its blocks. The first
// change to a draft makes another one beside it. name and count say what was changed.
func (d *draftSet) ChangeDraft(k undo.Kind, name string, count int, change func(*blocks.Outline) (string, error)) {
	s, dr := d.desk.Session(), d.draft
	if s == nil || dr == nil {
		return
	}
	text, err := change(blocks.Parse(dr.Text.Text))
	if err != nil {
		d.desk.Fail(err)
		return
	}
	if text == dr.Text.Text || strings.TrimSpace(text) == "" {
		return
	}
	before := d.tabs()
	d.edit(s.Edit(dr, text))
	d.draftStep(k, name, count, before)
}

// EditDraft replaces the draft's text by one written by hand.
func (d *draftSet) EditDraft(text string) {
	d.ChangeDraft(undo.DraftEdit, "", 0, func(*blocks.Outline) (string, error) { return text, nil })
}

// edit puts a changed draft beside the one that it was made from, or in its place
// where that one was changed before.
func (d *draftSet) edit(dr *session.Draft) {
	i := slices.IndexFunc(d.drafts, func(m made) bool { return m.draft == d.draft })
	switch {
	case i < 0:
		d.drafts = append(d.drafts, made{d.desk.Session(), dr.Plan.Policy, dr, d.draft})
	case d.drafts[i].edited():
		d.drafts[i].draft = dr
	default:
		m := d.drafts[i]
		m.draft = dr
		d.drafts = append(d.drafts, m)
	}
	d.take(dr)
}

// Unedited is the draft shown as it was made; nil: nobody edited it.
func (d *draftSet) Unedited() *session.Draft {
	for _, m := range d.drafts {
		if m.draft == d.draft && m.edited() {
			return m.answer
		}
	}
	return nil
}

// DiscardDrafts drops all drafts but that of the parameters on the screen; undoable.
func (d *draftSet) DiscardDrafts() {
	before := d.tabs()
	d.drafts = slices.DeleteFunc(d.drafts, func(m made) bool {
		return d.shows(m) && (m.edited() || m.policy.Strategy != d.desk.params.Strategy || m.draft.Asked() != nil)
	})
	if len(d.drafts) == len(before.drafts) {
		return
	}
	if d.draft = nil; len(d.Drafts()) > 0 {
		d.showLatest(d.desk.params)
	} else {
		d.lines = nil
		d.desk.Replan()
	}
	d.draftStep(undo.DraftDiscard, "", len(before.drafts)-len(d.drafts), before)
}

// replace puts a changed draft in the place of the one it was made from.
func (d *draftSet) replace(dr *session.Draft) {
	for i := range d.drafts {
		if d.drafts[i].draft == d.draft {
			d.drafts[i].draft = dr
			if d.drafts[i].answer == d.draft {
				d.drafts[i].answer = dr
			}
		}
	}
	d.take(dr)
}

// take shows a draft, and has it measured and read.
func (d *draftSet) take(dr *session.Draft) {
	d.draft = dr
	d.desk.drafted(dr.Plan)
	d.desk.measureSurvival()
	d.measureDrafts()
	d.readLines()
}

// PinSources pins messages that lines of the draft were made from; undoable. A text
// that somebody changed goes over to the new plan.
func (d *draftSet) PinSources(messages []int) {
	if d.Unedited() != nil {
		d.carried = d.draft.Text.Text
	}
	d.desk.PinPicked(messages, true)
}

// DraftAt makes the plan at another place, with a text of one's own as its draft.
func (d *draftSet) DraftAt(at int, text string) {
	d.carried = text
	d.desk.SetAt(at)
}

// DraftLines is the text of the draft by its lines; nil while it is read.
func (d *draftSet) DraftLines() *drafts.Reading { return d.lines }

// readLines reads the draft by its lines, again when the facts are indexed.
func (d *draftSet) readLines() {
	s, dr := d.desk.Session(), d.draft
	if s == nil || dr == nil || dr.Text.Text == "" {
		d.lines = nil
		return
	}
	sched.Run(d.sched, "draftLines", func(context.Context, func(sched.Progress)) (*drafts.Reading, error) {
		return drafts.Read(s, dr), nil
	}, func(r *drafts.Reading, err error) {
		if err == nil && d.draft == dr {
			d.lines = r
			d.notify(TopicFacts)
		}
	})
}

// outdated drops the drafts of a session that has changed, and the steps that led to
// them.
func (d *draftSet) outdated(s *session.Session) {
	d.drafts = slices.DeleteFunc(d.drafts, func(m made) bool { return m.s == s })
	d.desk.forgetDraftSteps(s)
}

// Gone are the messages that the plan on the screen takes out of the context, as
// history positions in their order; none where it does not apply.
func (d *planning) Gone() (list []int) {
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

// answer adds what a model wrote.
func (d *draftSet) answer(m made) { d.drafts = append(d.drafts, m) }

// DraftFacts is what survives each of the drafts of [Desk.Drafts], in their
// order, and what of it was needed later; nil while it is worked out or the facts are
// not indexed.
func (d *draftSet) DraftFacts() []*Survival {
	if list := d.Drafts(); len(list) > 0 && slices.Equal(list, d.draftFactsOf) {
		return d.draftFacts
	}
	return nil
}

// measureDrafts works out what survives each of the drafts.
func (d *draftSet) measureDrafts() {
	s, list := d.desk.Session(), d.Drafts()
	if d.draftFacts, d.draftFactsOf = nil, nil; s == nil || s.Insight.KnownFacts() == nil || len(list) == 0 {
		return
	}
	sched.Run(d.sched, "draftFacts", func(ctx context.Context, _ func(sched.Progress)) ([]*Survival, error) {
		out := make([]*Survival, len(list))
		for i, dr := range list {
			v := &Survival{At: dr.Plan.Line.At(), Survival: s.Insight.Survive(dr.Plan, dr.Text.Text),
				Needed: s.Insight.NeededAfter(dr.Plan, dr.Text.Text)}
			if out[i] = v; v.Survival == nil || ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		return out, nil
	}, func(out []*Survival, err error) {
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				d.desk.Fail(err)
			}
			return
		}
		if len(out) == len(list) { // else the facts were forgotten meanwhile
			d.draftFacts, d.draftFactsOf = out, list
		}
		d.notify(TopicFacts)
	})
}

// ChooseDraft shows another draft.
func (d *draftSet) ChooseDraft(i int) {
	if list := d.Drafts(); i >= 0 && i < len(list) {
		d.take(list[i])
	}
}

// AcceptDraft is the second word on a draft with flaws.
func (d *draftSet) AcceptDraft() {
	if s := d.desk.Session(); s != nil && d.draft != nil {
		d.replace(s.Accept(d.draft))
	}
}
