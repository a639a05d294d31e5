package compaction

import (
	"sync"

	"palimpsest/model"
)

// Planner makes one plan after the other in the same memory, for one who looks
// at a plan only until the next: once that memory has grown, planning allocates
// nothing. It belongs to one goroutine. The zero value is ready.
type Planner struct {
	work   planner
	policy model.Policy
}

// Plan is [Line.Plan]. It holds until the next one.
func (x *Planner) Plan(l *Line, p model.Policy, o Options) *Plan {
	if x.work.plan == nil {
		x.work.plan = new(Plan)
	}
	var said []Reason
	x.policy, said = l.inForce(p)
	return x.work.once(l, &x.policy, o, said)
}

// Plan gives each entry its fate under the policy.
func (l *Line) Plan(p model.Policy, o Options) *Plan {
	p, said := l.inForce(p)
	b, ok := planners.Get().(*planner)
	if !ok {
		b = new(planner)
	}
	b.plan = new(Plan)
	pl := b.once(l, &p, o, said)
	b.plan, b.p, b.l, b.pins = nil, nil, nil, nil // they belong to others
	planners.Put(b)
	return pl
}

// planners keep their working memory from one plan to the next: a slider that is
// dragged makes a plan for every frame.
var planners sync.Pool

// inForce is a policy in its legal form with the adaptive tier for the line, and
// what was changed for the first.
func (l *Line) inForce(p model.Policy) (model.Policy, []Reason) {
	p, said := Normalise(p)
	if p.Adaptive {
		length := l.at
		if p.Tail.Unit == model.Steps {
			length = l.totalSteps
		}
		p = adapt(p, length)
	}
	return p, said
}

// once plans without anything left from the plan before but its memory.
func (b *planner) once(l *Line, p *model.Policy, o Options, said []Reason) *Plan {
	b.p, b.gauges = nil, gaugesOf(b.gauges[:0], p)
	b.clearing.reset()
	return b.make(l, p, o, said)
}
