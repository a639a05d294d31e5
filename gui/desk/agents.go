package desk

import (
	"context"
	"errors"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/model"
)

// agentTree is the agents of the conversation looked at, and their own
// parameters.
type agentTree struct {
	subject
	agents *Agents
	own    map[string]session.Overrides // by file and thread; replaced as a whole
}

// Agents is the tree of agents of the conversation looked at.
type Agents struct {
	List    []session.Agent
	Skipped int    // files of agents that could not be read
	Caller  string // file of the agent that called the first one; "" when unknown

	Done, Total int // threads counted so far, while the tree is made
	Running     bool

	of           *Entry
	file         *session.File
	conversation int
	related      int
}

// Agents is the tree of agents as far as it is known; nil when none was asked
// for. It is the same pointer until it is read again.
func (d *agentTree) Agents() *Agents {
	if a := d.agents; a != nil && a.of == d.desk.current {
		return a
	}
	return nil
}

// HasAgents reports whether the history looked at has more than one agent: with
// histories of their own, or speaking in one.
func (d *agentTree) HasAgents() bool {
	e := d.desk.current
	if e == nil || e.File == nil || e.Session == nil {
		return false
	}
	return e.Agents+e.sides > 1 || len(e.Related) > 0 || len(e.Session.Conversation().Agents) > 1
}

// LoadAgents reads the agents of the conversation looked at in the background,
// unless they are known already.
func (d *agentTree) LoadAgents() {
	e := d.desk.current
	if e == nil || e.File == nil {
		return
	}
	if a := d.Agents(); a != nil && a.file == e.File && a.conversation == e.Ref.Conversation && a.related == len(e.Related) {
		return
	}
	d.readAgents(e)
}

func (d *agentTree) readAgents(e *Entry) {
	a := &Agents{of: e, file: e.File, conversation: e.Ref.Conversation, related: len(e.Related), Running: true}
	if d.agents != nil && d.agents.file == a.file {
		a.List = d.agents.List // as they were, until the new ones are there
	}
	for _, r := range e.Related {
		if r.Parent {
			a.Caller = r.Path
		}
	}
	d.agents = a
	d.notify(TopicAgents)
	open := map[session.Ref]*session.Session{}
	for ref, s := range e.sessions {
		open[ref] = s
	}
	f, others := e.File, e.Related
	type read struct {
		list    []session.Agent
		skipped int
	}
	sched.Run(d.sched, "agents", func(ctx context.Context, progress func(sched.Progress)) (read, error) {
		list, skipped, err := f.Agents(ctx, session.AgentsRequest{Conversation: a.conversation, Others: others,
			Opened:   func(ref session.Ref) *session.Session { return open[ref] },
			Progress: func(done, total int) { progress(sched.Progress{Done: int64(done), Total: int64(total)}) }})
		return read{list, skipped}, err
	}, func(r read, err error) {
		if d.agents != a {
			return
		}
		a.Running = false
		if err != nil {
			if d.agents = nil; !errors.Is(err, context.Canceled) {
				d.desk.Fail(err)
			}
		} else {
			a.List, a.Skipped = r.list, r.skipped
			for _, x := range r.list {
				if x.Parent < 0 && x.Session != nil && a.of.sessions[x.Ref] == nil {
					d.desk.resumeParams(pathKey(a.of.Path, x.Ref), x.Session)
				}
			}
		}
		d.notify(TopicAgents)
	})
}

// agentProgress takes over how far the tree is.
func (d *agentTree) agentProgress(p sched.Progress) {
	if a := d.agents; a != nil && a.Running {
		a.Done, a.Total = int(p.Done), int(p.Total)
		d.notify(TopicAgents)
	}
}

// OpenAgent looks at the history of an agent of the tree.
func (d *agentTree) OpenAgent(i int) {
	a := d.Agents()
	if a == nil || i < 0 || i >= len(a.List) {
		return
	}
	switch x := &a.List[i]; {
	case x.Path != "":
		d.desk.Add(x.Path)
	case a.of.Ref != x.Ref:
		d.desk.SelectThread(a.of, x.Ref)
	}
}

// AgentParams are the parameters of an agent of the tree, as they are in force
// when it is looked at, and which of them are its own; inherits is false for
// the first agent, whose parameters nobody else sets.
func (d *agentTree) AgentParams(i int) (p model.Policy, own session.Overrides, inherits bool) {
	a := d.agents
	x := &a.List[i]
	s := x.Session
	if x.Path == "" {
		if now := a.of.sessions[x.Ref]; now != nil {
			s = now
		}
	}
	if x.Parent < 0 {
		if a.of.Session == s && d.desk.current == a.of {
			return d.desk.params, nil, false
		}
		return s.Policy(), nil, false
	}
	base, _, _ := d.AgentParams(x.Parent)
	own = d.own[d.ownKey(a.of, x.Ref)]
	if x.Path != "" {
		own = d.own[pathKey(x.Path, session.Ref{})]
	}
	base = x.Inherited(base)
	p = own.Over(base)
	if a.of.Session == s && s != nil && d.desk.current == a.of {
		p = d.desk.params // as on the screen
		own = session.Differences(base, p)
	}
	return p, own, true
}
