package desk

import (
	"context"
	"errors"
	"reflect"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/model"
)

// study is what the history shows under parameters: replays, facts that survive
// or were needed later, sweeps, and two sets of parameters beside each other.
type study struct {
	subject
	timeline  *replay.Timeline // see Timeline
	replayed  model.Policy     // the parameters of timeline
	curve     curve
	survival  *Survival
	needed    *session.Needed
	neededNow bool               // needed is that of the parameters on the screen
	indexed   sched.Progress     // of the facts
	indexes   []*session.Session // that keep their index, the latest last
	sweep     *Sweep
	compare   Comparing
}

// reset forgets what was worked out on a history that is not looked at any more.
func (d *study) reset() {
	d.Sched.Cancel("replay", "facts", "survive", "needed")
	d.timeline, d.survival, d.needed, d.neededNow, d.indexed = nil, nil, nil, false, sched.Progress{}
}

// Timeline is the whole history replayed under the parameters; while others are
// worked out it is that of the former ones, and nil until the first is there.
func (d *study) Timeline() *replay.Timeline { return d.timeline }

// Settled reports whether plan and timeline are those of the present parameters,
// rather than former ones that stay on the screen until these are worked out.
func (d *study) Settled() bool {
	return d.desk.Planning.Plan() != nil && d.timeline != nil &&
		reflect.DeepEqual(d.desk.Planning.Planned(), d.desk.Planning.Params()) && reflect.DeepEqual(d.replayed, d.desk.Planning.Params())
}

// Prompt works out what the prompt of the agent's next request would hold at the
// position looked at, under the parameters on the screen. prepare is called with it
// beside the window, done at the window with it and the position.
func (d *study) Prompt(prepare func(*session.Prompt), done func(p *session.Prompt, at int)) {
	s := d.desk.Session()
	if s == nil || s.Sketched() {
		return
	}
	params, at := d.desk.Planning.Params(), s.At()
	state.Run(d.core, "prompt", func(ctx context.Context) (*session.Prompt, error) {
		p, err := s.Insight.Prompt(ctx, params, at, false)
		if err == nil {
			prepare(p)
		}
		return p, err
	}, func(p *session.Prompt) {
		done(p, at)
	})
}

// starter is how background work is started: sched.Run, or sched.Follow while
// a hand drags.
type starter[T any] func(s *sched.Scheduler, key string, work func(context.Context, func(sched.Progress)) (T, error), apply func(T, error))

// replay replays the history in the background. Summaries are taken for the
// size that a plan expects of them: that costs no text and follows a drag. Where
// the facts are indexed, measureNeeds replays it once more with real ones.
func (d *study) replay(start starter[*replay.Timeline], s *session.Session, p model.Policy) {
	start(d.Sched, "replay", func(ctx context.Context, _ func(sched.Progress)) (*replay.Timeline, error) {
		return s.Insight.Replay(ctx, p, false)
	}, func(tl *replay.Timeline, err error) {
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				d.Fail(err)
			}
			return
		}
		if d.neededNow && d.timeline != nil && d.timeline.Texts && reflect.DeepEqual(d.replayed, p) {
			return // what is there was made with real summaries
		}
		d.timeline, d.replayed = tl, p
		d.Notify(TopicReplay)
	})
}

// curve is the context usage of a session with one fixed part.
type curve struct {
	of     *session.Session
	fixed  int
	points []session.Point
}

// Curve is the context usage of every call of the history looked at. The slice
// is the same until history or fixed part change, and must not be written to.
func (d *study) Curve() []session.Point {
	s := d.desk.Session()
	if s == nil {
		return nil
	}
	if d.curve.of != s || d.curve.fixed != d.desk.Planning.Params().Fixed {
		d.curve = curve{s, d.desk.Planning.Params().Fixed, s.Curve(d.desk.Planning.Params().Fixed)}
	}
	return d.curve.points
}
