package desk

import (
	"cmp"
	"context"
	"errors"
	"slices"

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
	d.Notify(TopicAgents)
	open := map[session.Ref]*session.Session{}
	for ref, s := range e.sessions {
		open[ref] = s
	}
	f, others := e.File, e.Related
	type read struct {
		list    []session.Agent
		skipped int
	}
	sched.Run(d.Sched, "agents", func(ctx context.Context, progress func(sched.Progress)) (read, error) {
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
				d.Fail(err)
			}
		} else {
			a.List, a.Skipped = r.list, r.skipped
			for _, x := range r.list {
				if x.Parent < 0 && x.Session != nil && a.of.sessions[x.Ref] == nil {
					d.desk.resumeParams(pathKey(a.of.Path, x.Ref), x.Session)
				}
			}
		}
		d.Notify(TopicAgents)
	})
}

// agentProgress takes over how far the tree is.
func (d *agentTree) agentProgress(p sched.Progress) {
	if a := d.agents; a != nil && a.Running {
		a.Done, a.Total = int(p.Done), int(p.Total)
		d.Notify(TopicAgents)
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
			return d.desk.Planning.Params(), nil, false
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
		p = d.desk.Planning.Params() // as on the screen
		own = session.Differences(base, p)
	}
	return p, own, true
}

// AgentEvent is that an agent was called, or that its result came back.
type AgentEvent struct {
	Agent, Caller int // indices into the tree
	Back          bool
	Time          int64 // Unix milliseconds; 0: unknown
	Num           int   // of the caller's message, from 1
	Text          string
	Tokens        int64 // of that message
	Used          int64 // input of all the agent's calls; of a result only
}

// Events lists who called whom and what came back, in the order of time; of
// those at one time, and where times are unknown, in the order of the messages.
func (a *Agents) Events() []AgentEvent {
	var out []AgentEvent
	for i := range a.List {
		x := &a.List[i]
		if t := x.Task; t.Called > 0 {
			out = append(out, AgentEvent{Agent: i, Caller: x.Parent, Time: t.CalledAt, Num: t.Called, Text: t.Asked, Tokens: t.Passed})
		}
		if t := x.Task; t.Returned > 0 {
			out = append(out, AgentEvent{Agent: i, Caller: x.Parent, Back: true, Time: t.BackAt,
				Num: t.Returned, Text: t.Answered, Tokens: t.Back, Used: x.Used})
		}
	}
	slices.SortStableFunc(out, func(p, q AgentEvent) int { return cmp.Or(cmp.Compare(p.Time, q.Time), cmp.Compare(p.Num, q.Num)) })
	return out
}

// Totals are the tasks of the tree: how many there are, what came back, and what
// was used for it, in tokens.
func (a *Agents) Totals() (tasks int, back, used int64) {
	for i := range a.List {
		if a.List[i].Parent >= 0 {
			tasks++
			back += a.List[i].Task.Back
			used += a.List[i].Used
		}
	}
	return tasks, back, used
}

// Shown are the indices of the agents that are listed: those that made no call
// of their own only if they are wanted. A caller of one that is listed is listed.
func (a *Agents) Shown(idle bool) []int {
	var out []int
	wanted := make([]bool, len(a.List))
	for i := len(a.List) - 1; i >= 0; i-- {
		wanted[i] = wanted[i] || idle || a.List[i].Calls > 0
		if p := a.List[i].Parent; wanted[i] && p >= 0 {
			wanted[p] = true
		}
	}
	for i, on := range wanted {
		if on {
			out = append(out, i)
		}
	}
	return out
}

// Span is the time in which the agents worked, Unix milliseconds; timed is false
// where the files hold no times.
func (a *Agents) Span() (from, to int64, timed bool) {
	for i := range a.List {
		x := &a.List[i]
		if x.From > 0 && (from == 0 || x.From < from) {
			from = x.From
		}
		to = max(to, x.To)
	}
	return from, to, from > 0 && to > from
}

// OpenAgentMessage looks at a message of the caller of an event.
func (d *agentTree) OpenAgentMessage(ev AgentEvent) {
	a := d.Agents()
	if a == nil || ev.Caller < 0 || ev.Caller >= len(a.List) {
		return
	}
	x := &a.List[ev.Caller]
	if x.Path == "" && a.of.Ref == x.Ref && d.desk.Planning.Plan() != nil {
		d.desk.SelectMessage(ev.Num - 1)
		return
	}
	d.desk.awaitMessage(ev.Num)
	d.OpenAgent(ev.Caller)
}

// opened reports whether an agent of the tree is the history looked at.
func (a *Agents) opened(x *session.Agent) bool { return x.Path == "" && a.of.Ref == x.Ref }

// Current is the index of the agent looked at; −1: none of them.
func (a *Agents) Current() int {
	return slices.IndexFunc(a.List, func(x session.Agent) bool { return a.opened(&x) })
}
