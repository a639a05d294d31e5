package desk

import (
	"context"
	"errors"
	"reflect"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/model"
)

// Timeline is the whole history lived under the parameters; while others are
// worked out it is that of the former ones, and nil until the first is there.
func (d *Desk) Timeline() *replay.Timeline { return d.timeline }

// Settled reports whether plan and timeline are those of the present parameters,
// and none of former ones that stand on the screen until they are worked out.
func (d *Desk) Settled() bool {
	return d.plan != nil && d.timeline != nil && reflect.DeepEqual(d.planned, d.params) && reflect.DeepEqual(d.lived, d.params)
}

// LiveUnder replays the history looked at under other parameters than those on
// the screen, as a record's, and hands what came of it to done.
func (d *Desk) LiveUnder(p model.Policy, done func(*replay.Timeline)) {
	s := d.Session()
	if s == nil {
		return
	}
	sched.Run(d.sched, "live under", func(ctx context.Context, _ func(sched.Progress)) (*replay.Timeline, error) {
		return s.Insight.Replay(ctx, p, false)
	}, func(tl *replay.Timeline, err error) {
		switch {
		case err == nil:
			done(tl)
		case !errors.Is(err, context.Canceled):
			d.Fail(err)
		}
	})
}

// relive replays the history in the background. Summaries are taken for the
// size that a plan expects of them: that costs no text and follows a drag.
func (d *Desk) relive(start starter[*replay.Timeline], s *session.Session, p model.Policy) {
	start(d.sched, "replay", func(ctx context.Context, _ func(sched.Progress)) (*replay.Timeline, error) {
		return s.Insight.Replay(ctx, p, false)
	}, func(tl *replay.Timeline, err error) {
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				d.Fail(err)
			}
			return
		}
		d.timeline, d.lived = tl, p
		d.tell(TopicReplay)
	})
}
