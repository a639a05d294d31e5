package desk

import (
	"cmp"
	"slices"

	"palimpsest/compaction/session"
)

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
	if x.Path == "" && a.of.Ref == x.Ref && d.desk.plan != nil {
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
