package desk

import (
	"context"
	"errors"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/gui/state/plan"
	"palimpsest/model"
)

// Advice is settings that suit the history looked at better than the present ones.
type Advice struct {
	*replay.Advice      // nil while it is being sought
	Asked          bool // by a person
	Done, Total    int  // replays, while it is being sought

	base model.Policy // what it was sought for
}

// For reports whether the advice was sought for parameters.
func (a *Advice) For(p model.Policy) bool { return plan.Same(a.base, p) }

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
func (d *advising) SeekAdvice() { d.seek(true, func() {}) }

// seek seeks it, and calls end when there is no more to do.
func (d *advising) seek(asked bool, end func()) {
	s := d.desk.Session()
	if s == nil {
		return
	}
	p := d.desk.Planning.Params()
	d.advice = &Advice{base: p, Asked: asked}
	d.Notify(TopicAdvice)
	sched.Run(d.Sched, "advice", func(ctx context.Context, progress func(sched.Progress)) (*Advice, error) {
		found, err := session.Suggest(ctx, []*session.Session{s}, []model.Policy{p}, func(done, total int) {
			progress(sched.Progress{Done: int64(done), Total: int64(total)})
		})
		if err != nil {
			return nil, err
		}
		return &Advice{Advice: found, base: p, Asked: asked}, nil
	}, func(a *Advice, err error) {
		end()
		if d.advice = a; err != nil && !errors.Is(err, context.Canceled) {
			d.Fail(err)
		}
		d.Notify(TopicAdvice)
	})
}

// dropAdvice ends a search for advice. What was found stays while the history does.
func (d *advising) dropAdvice() {
	if a := d.advice; a != nil && a.Advice == nil {
		d.reset()
		d.Notify(TopicAdvice)
	}
}

// adviseUnasked seeks advice where that is wanted and there is none.
func (d *advising) adviseUnasked() {
	if s := d.desk.Session(); d.unasked && d.advice == nil && s != nil && len(s.Thread().History) <= quickAdvice {
		d.seek(false, s.Insight.ForgetTexts) // of most settings that were tried nothing is asked again
	}
}

// Try makes a suggestion the candidate of the comparison.
func (d *advising) Try(x *replay.Suggestion) {
	d.desk.setSides(Side{From: FromScreen}, Side{From: FromAdvice, Policy: x.Policy[0], Name: string(x.Aim)})
}
