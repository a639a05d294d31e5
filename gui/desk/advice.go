package desk

import (
	"context"
	"errors"
	"slices"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/sched"
	"palimpsest/gui/state/plan"
	"palimpsest/model"
)

// Advice is settings that suit the history looked at better than the present ones.
type Advice struct {
	*replay.Advice                // nil while it is being sought
	Runs           []SuggestedRun // of each suggestion
	Done, Total    int            // replays, while it is being sought

	base model.Policy // what it was sought for
}

// SuggestedRun is the whole run under a suggestion.
type SuggestedRun struct {
	Timeline *replay.Timeline
	Figures  figures.Run
}

// advising is the search for settings that suit the history looked at better.
type advising struct {
	subject
	advice  *Advice
	unasked bool // see AdviseUnasked
}

// reset forgets the advice on a history that is not looked at any more.
func (d *advising) reset() {
	d.Sched.Cancel("advice")
	d.advice = nil
}

// quickAdvice is how many messages a history may have for advice unasked: a longer
// one keeps the machine busy for minutes.
const quickAdvice = 3000

// Advice is the latest advice on the history looked at; nil: none was sought.
func (d *advising) Advice() *Advice { return d.advice }

// AdviseUnasked has advice sought whenever a history that is not too long was
// opened and all else about it is known.
func (d *advising) AdviseUnasked() { d.unasked = true }

// SeekAdvice tries settings on the history looked at in the background. A change of
// the parameters ends it.
func (d *advising) SeekAdvice() { d.seek(func() {}) }

// seek seeks it, and calls end when there is no more to do.
func (d *advising) seek(end func()) {
	s := d.desk.Session()
	if s == nil {
		return
	}
	p := d.desk.Planning.Params()
	d.advice = &Advice{base: p}
	d.Notify(TopicAdvice)
	sched.Run(d.Sched, "advice", func(ctx context.Context, progress func(sched.Progress)) (*Advice, error) {
		found, err := session.Suggest(ctx, []*session.Session{s}, []model.Policy{p}, func(done, total int) {
			progress(sched.Progress{Done: int64(done), Total: int64(total)})
		})
		if err != nil {
			return nil, err
		}
		a := &Advice{Advice: found, base: p}
		for _, x := range found.Suggestions {
			tl, err := s.Insight.Replay(ctx, x.Policy[0], true)
			if err != nil {
				return nil, err
			}
			needed := &session.Needed{Needs: facts.Needs{Recall: facts.Recall{Needs: x.Results[0].Needs, Met: x.Results[0].Met}}}
			a.Runs = append(a.Runs, SuggestedRun{tl, figures.OfRun(s, tl, needed)})
		}
		return a, nil
	}, func(a *Advice, err error) {
		end()
		switch d.advice = a; {
		case err == nil:
		case errors.Is(err, context.Canceled):
		default:
			d.Fail(err)
		}
		d.Notify(TopicAdvice)
	})
}

// adviceProgress notes how many settings were tried.
func (d *advising) adviceProgress(p sched.Progress) {
	if a := d.advice; a != nil && a.Advice == nil {
		a.Done, a.Total = int(p.Done), int(p.Total)
		d.Notify(TopicAdvice)
	}
}

// dropAdvice ends a search for advice. What was found stays while the history does.
func (d *advising) dropAdvice() {
	if a := d.advice; a != nil && a.Advice == nil {
		d.Sched.Cancel("advice")
		d.advice = nil
		d.Notify(TopicAdvice)
	}
}

// adviseUnasked seeks advice where that is wanted and there is none.
func (d *advising) adviseUnasked() {
	if s := d.desk.Session(); d.unasked && d.advice == nil && s != nil && len(s.Thread().History) <= quickAdvice {
		d.seek(s.Insight.ForgetTexts) // of most settings that were tried nothing is asked again
	}
}

// Suggested is the suggestion whose settings the parameters are; −1: none.
func (d *advising) Suggested() int {
	if d.advice == nil || d.advice.Advice == nil {
		return -1
	}
	return slices.IndexFunc(d.advice.Suggestions, func(x replay.Suggestion) bool { return plan.Same(x.Policy[0], d.desk.Planning.Params()) })
}

// AdviceOutdated reports whether the parameters are neither those that the advice
// was sought for nor one of the suggestions.
func (d *advising) AdviceOutdated() bool {
	return d.advice != nil && d.advice.Advice != nil && d.Suggested() < 0 && !plan.Same(d.advice.base, d.desk.Planning.Params())
}

// UseSuggestion makes a suggestion the parameters on the screen; undoable.
func (d *advising) UseSuggestion(i int) {
	if p, ok := d.suggestion(i); ok {
		d.desk.Planning.Set(func(q *model.Policy) { *q = p })
	}
}

// TrySuggestion makes a suggestion the candidate of the comparison.
func (d *advising) TrySuggestion(i int) {
	if p, ok := d.suggestion(i); ok {
		d.desk.setSides(Side{From: FromScreen}, Side{From: FromAdvice, Policy: p, Name: string(d.advice.Suggestions[i].Aim)})
	}
}

func (d *advising) suggestion(i int) (model.Policy, bool) {
	if d.advice == nil || d.advice.Advice == nil || i < 0 || i >= len(d.advice.Suggestions) {
		return model.Policy{}, false
	}
	return d.advice.Suggestions[i].Policy[0], true
}
