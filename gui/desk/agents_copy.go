package desk

import (
	"slices"

	"palimpsest/compaction/session"
	"palimpsest/model"
)

// CopyDiffers is what copying the parameters of an agent of the tree would
// change of another one's.
func (d *agentTree) CopyDiffers(from, to int) session.Overrides {
	now, _, _ := d.AgentParams(to)
	return session.Differences(now, d.copied(from, to))
}

// copied are the parameters of an agent as another one takes them over: what
// belongs to a thread stays that of the other one.
func (d *agentTree) copied(from, to int) model.Policy {
	p, _, _ := d.AgentParams(from)
	now, _, _ := d.AgentParams(to)
	p.Window, p.Fixed, p.Pins = now.Window, now.Fixed, now.Pins
	return p
}

// CopyParams gives agents of the tree the parameters of one of them. What an
// agent then sets otherwise than its caller is its own.
func (d *agentTree) CopyParams(from int, to []int) {
	a := d.Agents()
	if a == nil || from < 0 || from >= len(a.List) {
		return
	}
	to = slices.Clone(to)
	slices.Sort(to) // callers first, on whom it depends what is an agent's own
	for _, i := range to {
		if i < 0 || i >= len(a.List) || i == from {
			continue
		}
		x := &a.List[i]
		p := d.copied(from, i)
		if x.Parent < 0 {
			d.setRoot(a, x, p)
			continue
		}
		base, _, _ := d.AgentParams(x.Parent)
		own := session.Differences(x.Inherited(base), p)
		if x.Path != "" {
			d.setOwn(pathKey(x.Path, session.Ref{}), own)
			continue
		}
		d.setOwn(d.ownKey(a.of, x.Ref), own)
		if s := a.of.sessions[x.Ref]; s != nil && d.inherit(a.of, x.Ref, s) && s == a.of.Session {
			d.takeInherited()
		}
	}
}

// setRoot sets the parameters of an agent that nobody called, undoably.
func (d *agentTree) setRoot(a *Agents, x *session.Agent, p model.Policy) {
	s := x.Session
	if now := a.of.sessions[x.Ref]; now != nil {
		s = now
	}
	if s == a.of.Session && d.desk.current == a.of {
		d.desk.Set(func(q *model.Policy) { *q = p })
		return
	}
	was := s.Policy()
	s.SetPolicy(p)
	d.desk.paramsStep(a.of, s, was)
	a.of.sessions[x.Ref] = s // so that it has them when it is looked at
	d.notify(TopicAgents)
}
