package desk

import (
	"cmp"
	"context"
	"errors"
	"math"
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

// HasAgents reports whether the history looked at has more than one agent, with
// histories of their own or speaking in one, or what a program keeps of its agents.
func (d *agentTree) HasAgents() bool {
	e := d.desk.current
	if e == nil || e.File == nil || e.Session == nil {
		return false
	}
	talk := e.Session.Conversation()
	return talk.KeepsContexts() || e.Agents+e.sides > 1 || len(e.Related) > 0 || len(talk.Agents) > 1
}

// LoadAgents reads the agents of the conversation looked at in the background, unless they are known as they are.
func (d *agentTree) LoadAgents() {
	e := d.desk.current
	if e == nil || e.File == nil {
		return
	}
	changed := func(x session.Agent) bool { return x.Session != nil && len(x.Session.Stack()) != len(x.Records) }
	if a := d.Agents(); a != nil && a.file == e.File && a.conversation == e.Ref.Conversation && a.related == len(e.Related) &&
		!slices.ContainsFunc(a.List, changed) {
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

// OpenAgent looks at the history of an agent of the tree.
func (d *agentTree) OpenAgent(i int) {
	if a := d.Agents(); a != nil && i >= 0 && i < len(a.List) {
		openThread(d.desk, a, a.List[i].Path, a.List[i].Ref)
	}
}

// openThread looks at a thread of the tree's file, or at another file.
func openThread(d *Desk, a *Agents, path string, ref session.Ref) {
	switch {
	case path != "":
		d.Add(path)
	case a.of.Ref != ref:
		d.SelectThread(a.of, ref)
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
	Agent, Caller int // indices into the tree; a caller of −1 is a person
	Task          int // of the agent's
	Back          bool
	Time          int64 // Unix milliseconds; 0: unknown
	Num           int   // of the message, from 1, see Of
	Text          string
	Tokens        int64 // of that message
	Used          int64 // input of all the agent's calls; of its last result only
}

// Of is the agent whose message Num is: the caller, or who was called by a person; −1: none.
func (ev AgentEvent) Of() int {
	if ev.Caller < 0 {
		return ev.Agent
	}
	return ev.Caller
}

// Events lists who called whom and what came back, in the order of time. At one time, and
// where times are unknown, what an agent did for a task is between the task's call and result.
func (a *Agents) Events() []AgentEvent {
	by := map[int][]AgentEvent{} // callers
	for i := range a.List {
		x := &a.List[i]
		for k, t := range x.Tasks {
			call := AgentEvent{Agent: i, Caller: t.Caller, Task: k, Time: t.CalledAt, Num: t.Called, Text: t.Asked, Tokens: t.Passed}
			if by[t.Caller] = append(by[t.Caller], call); t.Returned == 0 && t.BackAt == 0 {
				continue
			}
			back := call
			back.Back, back.Time, back.Num, back.Text, back.Tokens = true, t.BackAt, t.Returned, t.Answered, t.Back
			if k == len(x.Tasks)-1 {
				back.Used = x.Used
			}
			by[t.Caller] = append(by[t.Caller], back)
		}
	}
	for _, list := range by {
		slices.SortStableFunc(list, func(p, q AgentEvent) int { return cmp.Compare(p.Num, q.Num) })
	}
	var out []AgentEvent
	var tell func(caller, before int)
	tell = func(caller, before int) {
		for len(by[caller]) > 0 && by[caller][0].Num < before {
			ev := by[caller][0]
			by[caller] = by[caller][1:]
			if out = append(out, ev); ev.Back {
				continue
			}
			next := math.MaxInt
			if tasks := a.List[ev.Agent].Tasks; ev.Task+1 < len(tasks) {
				next = tasks[ev.Task+1].Begins
			}
			tell(ev.Agent, next)
		}
	}
	for caller := -1; caller < len(a.List); caller++ {
		tell(caller, math.MaxInt)
	}
	slices.SortStableFunc(out, func(p, q AgentEvent) int { return cmp.Compare(p.Time, q.Time) })
	return out
}

// Totals are the tasks of the tree: how many there are, what came back, and what
// was used for it, in tokens.
func (a *Agents) Totals() (tasks int, back, used int64) {
	for i := range a.List {
		n := len(a.List[i].Tasks)
		if a.List[i].Parent >= 0 {
			n = max(n, 1)
		}
		if tasks += n; n > 0 {
			used += a.List[i].Used
		}
		for _, t := range a.List[i].Tasks {
			back += t.Back
		}
	}
	return tasks, back, used
}

// Shared is what is recorded of the history that the agents share; nil: they share none.
func (a *Agents) Shared() *model.HistoryStats { return a.file.Doc.Conversations[a.conversation].Shared }

// Shown are the indices of the agents that are listed: those that made no call
// of their own only if they are wanted. A caller of one that is listed is listed.
func (a *Agents) Shown(idle bool) []int {
	var out []int
	wanted := make([]bool, len(a.List))
	for i := len(a.List) - 1; i >= 0; i-- {
		wanted[i] = wanted[i] || idle || len(a.List[i].Usage) > 0
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

// OpenAgentMessage looks at the message of the caller of an event, or at that of the
// person in the shared history.
func (d *agentTree) OpenAgentMessage(ev AgentEvent) {
	a := d.Agents()
	if a == nil || ev.Caller >= len(a.List) || ev.Num == 0 {
		return
	}
	path, ref := "", session.Ref{Conversation: a.conversation} // the shared history
	if i := ev.Of(); i >= 0 {
		path, ref = a.List[i].Path, a.List[i].Ref
	}
	if path == "" && a.of.Ref == ref && d.desk.Planning.Plan() != nil {
		d.desk.SelectMessage(ev.Num - 1)
		return
	}
	d.desk.awaitMessage(ev.Num)
	openThread(d.desk, a, path, ref)
}

// opened reports whether an agent of the tree is the history looked at.
func (a *Agents) opened(x *session.Agent) bool { return x.Path == "" && a.of.Ref == x.Ref }

// Current is the index of the agent looked at; −1: none of them.
func (a *Agents) Current() int {
	return slices.IndexFunc(a.List, func(x session.Agent) bool { return a.opened(&x) })
}
