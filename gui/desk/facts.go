package desk

import (
	"context"
	"errors"
	"reflect"
	"slices"

	"palimpsest/compaction"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/compaction/session/recorded"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/gui/state/drafts"
	"palimpsest/model/figure"
)

// Survival is what of the facts a plan or a draft leaves.
type Survival = drafts.Survival

// Survival is that of the plan on the screen; nil while the facts are indexed,
// and when the plan does not apply.
func (d *study) Survival() *Survival { return d.survival }

// Needed is what the agent needed after the firings of the timeline; nil until
// it is known. now is false while it is that of former parameters.
func (d *study) Needed() (n *session.Needed, now bool) { return d.needed, d.neededNow }

// Indexing returns how many messages of how many have been searched for facts;
// total is 0 when none are being searched.
func (d *study) Indexing() (done, total int64) { return d.indexed.Done, d.indexed.Total }

// keptIndexes is how many histories keep their index of facts: those looked at
// last.
const keptIndexes = 3

// index has the facts of the history looked at indexed in the background.
func (d *study) index(s *session.Session) {
	d.indexes = slices.DeleteFunc(d.indexes, func(x *session.Session) bool { return x == s })
	d.indexes = append(d.indexes, s)
	if k := len(d.indexes) - keptIndexes; k > 0 {
		for _, old := range d.indexes[:k] {
			old.Insight.ForgetFacts()
		}
		d.indexes = slices.Delete(d.indexes, 0, k)
	}
	sched.Do(d.Sched, "facts", func(ctx context.Context, progress func(sched.Progress)) error {
		_, err := s.Insight.Facts(ctx, func(done, total int) {
			if done%64 == 0 {
				progress(sched.Progress{Done: int64(done), Total: int64(total)})
				d.Hand.Wait(ctx)
			}
		})
		return err
	}, func(err error) {
		d.indexed = sched.Progress{}
		if err != nil {
			d.Notify(TopicFacts)
			if !errors.Is(err, context.Canceled) {
				d.Fail(err)
			}
			return
		}
		if now := d.desk.Session(); now != nil && now != s && !now.Sketched() {
			d.index(now) // the file grew meanwhile
			return
		}
		d.measureSurvival()
		d.desk.DraftSet.Measure()
		d.desk.DraftSet.ReadLines()
		d.measureNeeds()
	})
}

// measureSurvival works out what survives the plan on the screen, with the
// draft's text when it is there.
func (d *study) measureSurvival() {
	s, pl, dr := d.desk.Session(), d.desk.Planning.Plan(), d.desk.DraftSet.Draft()
	if s == nil || pl == nil || s.Insight.KnownFacts() == nil {
		return
	}
	if pl.Outcome != compaction.WouldApply {
		d.Sched.Cancel("survive")
		d.survival = nil
		d.Notify(TopicFacts)
		return
	}
	sched.Run(d.Sched, "survive", func(context.Context, func(sched.Progress)) (*Survival, error) {
		text := ""
		if dr != nil {
			text = dr.Text.Text
		}
		v := &Survival{Survival: s.Insight.Survive(pl, text), At: pl.Line.At(), Needed: s.Insight.NeededAfter(pl, text), Draft: dr}
		if dr == nil {
			v.Lower = pl.Insert >= 0
		} else if v.Survival != nil {
			v.Lost = v.Survival.Lost(0)
		}
		return v, nil
	}, func(v *Survival, err error) {
		if err != nil {
			d.Fail(err)
			return
		}
		if v.Survival == nil { // forgotten meanwhile
			v = nil
		}
		d.survival = v
		d.Notify(TopicFacts)
	})
}

// measureNeeds replays the history with real summaries and works out what was
// needed later, under the session's own parameters, not those of a drag: it reads
// texts, which is too slow for every move of a slider. That replay takes the place
// of the one with summaries of their expected size.
func (d *study) measureNeeds() {
	s := d.desk.Session()
	if s == nil || s.Insight.KnownFacts() == nil {
		return
	}
	p := s.Policy()
	type live struct {
		timeline *replay.Timeline
		needed   *session.Needed
	}
	state.Run(d.core, "needed", func(ctx context.Context) (l live, err error) {
		l.timeline, l.needed, err = s.Insight.Live(ctx, p, true)
		return l, err
	}, func(l live) {
		d.needed, d.neededNow = l.needed, reflect.DeepEqual(p, d.desk.Planning.Params()) // a drag may be under way
		if d.neededNow {
			d.Sched.Cancel("replay")
			d.timeline, d.replayed = l.timeline, p
			d.Notify(TopicReplay)
			d.desk.adviseUnasked()
		}
		d.Notify(TopicFacts)
	})
}

// needsOutdated notes that what was needed later is that of former parameters.
func (d *study) needsOutdated() {
	d.neededNow = false
	d.desk.dropAdvice()
}

// CompactionFigures are the numbers of the plan on the screen, or of its draft
// once that is made; false while there is no plan.
func (d *Desk) CompactionFigures() (c figures.Compaction, ok bool) {
	s, pl := d.Session(), d.Planning.Plan()
	if s == nil || pl == nil {
		return c, false
	}
	m := figures.Made{Plan: pl, Drafted: d.DraftSet.Draft() != nil}
	if v := d.Survival(); v != nil {
		m.Survival, m.Needed, m.Bare = v.Survival, v.Needed, v.Lower
	}
	return figures.OfCompaction(s, m), true
}

// RunFigures are the numbers of the whole history under the parameters; false
// while it has not been replayed.
func (d *Desk) RunFigures() (r figures.Run, ok bool) {
	s, tl := d.Session(), d.Timeline()
	if s == nil || tl == nil {
		return r, false
	}
	needed, now := d.Needed()
	r = figures.OfRun(s, tl, needed)
	if needed != nil && !now {
		r.Recall.Reason, r.Misses.Reason = figures.Former, figures.Former
	}
	return r, true
}

// FigureError is how far the estimates of the history looked at are off what the
// provider reported for its calls; see [figure.Figure].
func (d *Desk) FigureError() float64 { return figures.ErrorOf(d.Curve()) }

// MessageTokens is the figure of a number of tokens of the history looked at.
func (d *Desk) MessageTokens(name string, n int64) figure.Figure {
	f := figure.Figure{Name: name, Value: float64(n), Kind: figure.Counted,
		Methods: []figure.Method{{Name: "messages", How: "counter"}}}
	if s := d.Session(); s == nil || s.Estimated() {
		f.Kind = figure.Estimated
	}
	return f
}

// RowFigure is the tokens of a row of the ledger, or the total up to it; false where it
// has none.
func (d *Desk) RowFigure(r session.Row, total bool) (figure.Figure, bool) {
	switch pl := d.Planning.Plan(); {
	case d.Session() == nil || total && pl == nil:
		return figure.Figure{}, false
	case total:
		return figures.OfTotal(d.Session(), r, pl.Policy.Fixed)
	}
	return figures.OfRow(d.Session(), r, d.DraftSet.Draft() != nil)
}

// foundStudy measures what the compactions that files hold kept.
type foundStudy struct {
	subject
	recorded    *recorded.File
	recordedErr error
	recordedOf  *session.Session
}

// Recorded is what the compactions that the history looked at holds kept of what was
// used after them; nil until [Desk.MeasureRecorded] has found it. err says why it
// could not.
func (d *foundStudy) Recorded() (f *recorded.File, err error) {
	if d.recordedOf != d.desk.Session() {
		return nil, nil
	}
	return d.recorded, d.recordedErr
}

// MeasureRecorded measures that in the background, once for a history; it reads every
// message.
func (d *foundStudy) MeasureRecorded() {
	s := d.desk.Session()
	if s == nil || d.recordedOf == s {
		return
	}
	d.recordedOf, d.recorded, d.recordedErr = s, nil, nil
	sched.Run(d.Sched, "recorded", func(ctx context.Context, _ func(sched.Progress)) (*recorded.File, error) {
		return recorded.Measure(ctx, s)
	}, func(f *recorded.File, err error) {
		if d.recordedOf != s {
			return
		}
		if errors.Is(err, context.Canceled) {
			d.recordedOf = nil
			return
		}
		d.recorded, d.recordedErr = f, err
		d.Notify(TopicFacts)
	})
}
