package desk

import (
	"context"
	"slices"
	"strconv"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/recorded"
	"palimpsest/gui/state"
	"palimpsest/model"
)

// SideFrom says where the parameters of a side were taken from.
type SideFrom uint8

// The places.
const (
	FromScreen  SideFrom = iota // the parameters on the screen
	FromPreset                  // Policy.Preset names it
	FromSweep                   // a cell of a sweep
	FromAdvice                  // a suggestion
	FromRecord                  // what a record was made with; Name is its number
	FromDraft                   // a draft of the plan; Name is its place among them, from 1
	FromFile                    // the compactions that the file holds
	FromEarlier                 // what was on the screen when it was promoted
)

// Side is one of the two things that are compared: a set of parameters, a draft, or what
// the file holds.
type Side struct {
	From   SideFrom
	Policy model.Policy
	Name   string         // of a record or a draft, or which suggestion it is; "" else
	Draft  *session.Draft // of FromDraft, and of FromScreen where there is one; nil: it is made
}

// Settings reports whether a side is parameters that can be loaded.
func (s Side) Settings() bool { return s.From != FromFile }

// Comparing is two sides on the history looked at: A the baseline, B the candidate.
type Comparing struct {
	A, B   Side
	Result *session.Comparison // of these two; nil while it is made
	begun  bool                // the sides were chosen
	open   bool                // somebody looks at it
	at     int                 // the place that Result is of
	stack  []string            // and the records
}

// Comparing is what is compared.
func (d *study) Comparing() *Comparing { return &d.compare }

// BeginCompare updates the sides when the comparison opens. At first the baseline is
// the preset that the screen's parameters started from, and they the candidate;
// unmodified, they are the baseline and another preset is the candidate.
func (d *study) BeginCompare() {
	if d.desk.Session() == nil {
		return
	}
	if c := &d.compare; !c.begun {
		c.begun = true
		c.A = d.startingPoint()
		c.B = Side{From: FromScreen}
		if !d.desk.Planning.Modified() {
			c.A, c.B = Side{From: FromScreen}, d.nextPreset()
		}
	}
	d.compare.open = true
	d.compareHere()
	d.Notify(TopicCompare)
}

// EndCompare says that nobody looks at the comparison any more; the sides stay.
func (d *study) EndCompare() {
	d.compare.open = false
	d.compareHere()
}

func (d *study) startingPoint() Side {
	p, ok := d.desk.Planning.BasePreset()
	if !ok {
		p = compaction.Default()
	}
	p.Preset = d.desk.Planning.Params().Preset
	return Side{From: FromPreset, Policy: p}
}

// nextPreset is the first built-in preset that the parameters on the screen are
// not.
func (d *study) nextPreset() Side {
	for _, x := range compaction.Presets() {
		if x.ID != d.desk.Planning.Params().Preset {
			return PresetSide(x)
		}
	}
	return Side{}
}

// Sides lists, in groups, what can be compared on the history looked at besides the
// parameters on the screen and the saved presets: what the file holds, the drafts of the
// plan, suggestions, the records' parameters, look-alikes.
func Sides(d *Desk) (groups [][]Side) {
	var file, drafts, suggested, records, alike []Side
	if s := d.Session(); s != nil {
		if recorded.Holds(s) {
			file = []Side{{From: FromFile}}
		}
		for i, dr := range d.DraftSet.Drafts() {
			drafts = append(drafts, Side{From: FromDraft, Policy: dr.Plan.Policy, Name: strconv.Itoa(i + 1), Draft: dr})
		}
		for _, r := range s.Stack() {
			if r.Cause != model.CauseFound && r.Cause != model.CauseRestore {
				records = append(records, Side{From: FromRecord, Policy: s.Adapt(r.Policy), Name: r.ID})
			}
		}
	}
	if a := d.Advice(); a != nil && a.Advice != nil {
		for _, x := range a.Suggestions {
			suggested = append(suggested, Side{From: FromAdvice, Policy: x.Policy[0], Name: string(x.Aim)})
		}
	}
	for _, l := range compaction.LookAlikes() {
		alike = append(alike, PresetSide(l.Preset))
	}
	return [][]Side{file, drafts, suggested, records, alike}
}

// PresetSide is a built-in preset as a side.
func PresetSide(x compaction.Preset) Side {
	p := x.Policy
	p.Preset = x.ID
	return Side{From: FromPreset, Policy: p}
}

// SetBaseline makes a set of parameters side A.
func (d *study) SetBaseline(s Side) { d.setSides(s, d.compare.B) }

// SetCandidate makes a set of parameters side B.
func (d *study) SetCandidate(s Side) { d.setSides(d.compare.A, s) }

// SwapSides makes the candidate the baseline and the baseline the candidate.
func (d *study) SwapSides() { d.setSides(d.compare.B, d.compare.A) }

// Promote makes the candidate the baseline, and the parameters on the screen the
// candidate. Where these were it, the baseline is what they are now, whatever becomes of
// them.
func (d *study) Promote() {
	a := d.compare.B
	if a.From == FromScreen {
		a = Side{From: FromEarlier, Policy: d.desk.Planning.Params()}
	}
	d.setSides(a, Side{From: FromScreen})
}

func (d *study) setSides(a, b Side) {
	d.compare.A, d.compare.B, d.compare.begun = a, b, true
	d.compareHere()
	d.Notify(TopicCompare)
}

// compareHere makes the comparison again on the history looked at, in the
// background; nothing while nobody looks at it.
func (d *study) compareHere() {
	c, s := &d.compare, d.desk.Session()
	c.Result = nil
	d.Sched.Cancel("compare")
	if s == nil || !c.open {
		return
	}
	c.at, c.stack = s.At(), state.RecordIDs(s.Stack())
	for _, side := range []*Side{&c.A, &c.B} {
		gone := side.From == FromDraft && !slices.Contains(d.desk.DraftSet.Drafts(), side.Draft) ||
			side.From == FromFile && !recorded.Holds(s)
		switch {
		case gone: // another place or history: neither is there
			*side = Side{From: FromScreen, Policy: d.desk.Planning.Params(), Draft: d.desk.DraftSet.Latest(d.desk.Planning.Params())}
		case side.From == FromScreen:
			side.Policy, side.Draft = d.desk.Planning.Params(), d.desk.DraftSet.Latest(d.desk.Planning.Params())
		case side.From == FromFile:
			side.Policy = d.desk.Planning.Params()
		case side.From == FromPreset, side.From == FromEarlier:
			side.Policy = s.Adapt(side.Policy)
		}
	}
	sides := [2]Side{c.A, c.B}
	state.Run(d.core, "compare", func(ctx context.Context) (*session.Comparison, error) {
		var made [2]session.Side
		for i, x := range sides {
			var err error
			if made[i], err = x.on(ctx, s); err != nil {
				return nil, err
			}
		}
		return session.CompareSides(made[0], made[1]), nil
	}, func(r *session.Comparison) {
		d.compare.Result = r
		d.Notify(TopicCompare)
	})
}

// compareAgain makes a comparison that is looked at again, where the place in the history,
// its records or the draft on the screen are others now.
func compareAgain(d *Desk, s *session.Session) {
	c, other := &d.compare, false
	for _, x := range []Side{c.A, c.B} {
		other = other || x.From == FromScreen && x.Draft != nil && x.Draft != d.DraftSet.Latest(d.Planning.Params())
	}
	if c.open && (other || c.at != s.At() || !slices.Equal(c.stack, state.RecordIDs(s.Stack()))) {
		d.compareHere()
		d.Notify(TopicCompare)
	}
}

// on is the side on a session.
func (x Side) on(ctx context.Context, s *session.Session) (session.Side, error) {
	switch {
	case x.From == FromFile:
		return recorded.Side(ctx, s, x.Policy)
	case x.Draft != nil:
		return s.Insight.DraftSide(ctx, x.Draft)
	}
	return s.Insight.Side(ctx, x.Policy, compaction.Options{Manual: true})
}

// Load makes the parameters of a side those on the screen; undoable.
func (d *study) Load(s Side) {
	if d.desk.Session() != nil && s.Settings() {
		d.desk.Planning.Set(func(q *model.Policy) { *q = s.Policy })
	}
}
