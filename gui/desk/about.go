package desk

import (
	"context"

	"palimpsest/compaction"
	"palimpsest/compaction/session/about"
	"palimpsest/gui/sched"
)

// About works out in the background what is known of a message of the history looked at:
// its fate under the parameters on the screen, and under those they are compared
// with, if any.
func (d *Desk) About(history int, done func(*about.Message)) {
	s, a := d.Session(), d.Plan()
	if s == nil || history < 0 || history >= len(s.Thread().History) {
		return
	}
	side := d.compare.B
	compared := d.compare.begun && side.From != FromScreen
	sched.Run(d.sched, "about", func(context.Context, func(sched.Progress)) (*about.Message, error) {
		plans := []*compaction.Plan{a}
		if compared {
			plans = append(plans, s.Plan(s.Adapt(side.Policy), compaction.Options{Manual: true}))
		}
		return about.Of(s, history, plans...), nil
	}, func(m *about.Message, err error) {
		if err != nil {
			d.Fail(err)
			return
		}
		done(m)
	})
}
