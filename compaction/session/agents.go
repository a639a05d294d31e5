package session

import (
	"cmp"
	"context"
	"math"
	"slices"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// Agent is one agent of a conversation as a tree of agents shows it.
type Agent struct {
	Ref           // its thread in the file it is in
	Path   string // of that file; "" is the file the tree was made of
	ID     string
	Name   string // "" if it has none
	Parent int    // index into the tree; −1: no agent called it
	Depth  int

	// Session is its thread, counted. It is nil for agents in files of their own,
	// which are closed again.
	Session *Session

	Messages       int
	Usage          []AgentCall // context usage of each call, in order
	KindWeights    []KindWeight
	System, Unseen int64 // of that context, in no message: system prompt and tools; what else is not in the file
	Estimated      bool  // token numbers that are not reported have a tilde
	Found          []AgentMark
	Records        []*model.Record // applied to the thread, bottom first
	Policy         model.Policy    // with the context window and fixed part of the thread
	From, To       int64           // first and last time, Unix milliseconds; 0: unknown
	Used           int64           // input of all calls together, tokens
	Speakers       []Speaker       // that share this thread; none: it is one agent's
	Tasks          []Task          // in order; none is found of many that were called
	Recorded       *model.AgentStats

	ofHistory model.Policy // context window and fixed part of the history
	traces    agentTraces
}

// Task is what the agent was called for first; it is the zero value if that is not found.
func (a *Agent) Task() Task {
	if len(a.Tasks) == 0 {
		return Task{}
	}
	return a.Tasks[0]
}

// AgentCall is the context usage of one call.
type AgentCall struct {
	History  int   // history position of the answer
	Time     int64 // Unix milliseconds; 0: unknown
	Tokens   int64
	Reported bool // by the provider, in the file; else counted
}

// AgentMark is a compaction that the file holds.
type AgentMark struct {
	Call int   // how many calls came before it
	Time int64 // Unix milliseconds; 0: unknown
	Open []int // agents that had been called by this one and had not returned
}

// KindWeight is the tokens of the messages of one kind in the context of the next
// call.
type KindWeight struct {
	Kind   model.Kind
	Tokens int64
}

// Last is the context usage of the last call; false when there was none.
func (a *Agent) Last() (AgentCall, bool) {
	if len(a.Usage) == 0 {
		return AgentCall{}, false
	}
	return a.Usage[len(a.Usage)-1], true
}

// AgentsRequest is how the tree of agents is made.
type AgentsRequest struct {
	Conversation int
	// Opened returns the session of a thread that is open already, or nil.
	Opened func(Ref) *Session
	// Others are the files of agents that the file called, which are read as well.
	Others []Related
	// Progress is called with how many threads are counted; nil: it is not.
	Progress func(done, total int)
}

// maxAgentFiles bounds the files that are read for one tree.
const maxAgentFiles = 1000

// opened is a thread as it is open already, or opened for the tree.
func (f *File) opened(ctx context.Context, q AgentsRequest, ref Ref) (*Session, error) {
	if q.Opened != nil {
		if s := q.Opened(ref); s != nil {
			return s, nil
		}
	}
	return f.Session(ctx, ref, nil)
}

// Agents is the tree of agents of one conversation: a caller comes before
// those it called, which are in the order in which they began. Abandoned
// branches are no agents, nor is a history that agents share. Every thread is counted, those of files of their own
// included, so this takes as long as opening them; a file that can't be read is
// left out, and skipped counts it.
func (f *File) Agents(ctx context.Context, q AgentsRequest) (list []Agent, skipped int, err error) {
	c := f.Doc.Conversations[q.Conversation]
	total := len(c.Threads) + len(q.Others)
	report := func(done int) {
		if q.Progress != nil {
			q.Progress(done, total)
		}
	}
	var all []Agent
	var person []toolCall
	for i, t := range c.Threads {
		report(i)
		if i > 0 && t.Kind == model.ThreadBranch {
			continue
		}
		s, err := f.opened(ctx, q, Ref{q.Conversation, i})
		if err != nil {
			return nil, 0, err
		}
		if t.Kind == model.ThreadShared && len(c.Threads) > 1 {
			person = wordsAsked(s.CountedThread)
			continue
		}
		all = append(all, agentOf(s))
	}
	linkCallers(all, c)
	for i, r := range q.Others {
		report(len(c.Threads) + i)
		if r.Parent || i >= maxAgentFiles {
			continue
		}
		a, ok, err := f.agentInFile(ctx, r)
		if err != nil {
			return nil, 0, err
		}
		if !ok {
			skipped++
			continue
		}
		all = append(all, a)
	}
	for i := range all {
		if all[i].Session == nil || len(all) == 1 && person == nil {
			continue
		}
		if all[i].traces.calls, err = all[i].Session.callsMade(ctx); err != nil {
			return nil, 0, err
		}
	}
	findTasks(all, person, c.KeepsContexts())
	f.addPast(all)
	list = ordered(all)
	for i := range list {
		list[i].traces = agentTraces{} // they are only needed for finding
	}
	markOpen(list)
	return list, skipped, nil
}

// agentInFile reads the file of an agent, which the main thread of this one called
// unless its task is found elsewhere.
func (f *File) agentInFile(ctx context.Context, r Related) (a Agent, ok bool, err error) {
	file, err := Open(ctx, r.Path, f.opt, transcript.Options{Format: f.Doc.Format})
	if err != nil {
		return a, false, ctx.Err()
	}
	defer file.Close()
	s, err := file.Session(ctx, Ref{}, nil)
	if err != nil {
		return a, false, ctx.Err()
	}
	a = agentOf(s)
	a.Path, a.ID, a.Parent = r.Path, r.ID, 0
	a.Name = cmp.Or(r.Name, a.Name)
	if a.traces.calls, err = s.callsMade(ctx); err != nil { // while the file can be read
		return a, false, ctx.Err()
	}
	a.Session = nil
	return a, true, nil
}

// agentOf is the agent of one thread, but for what depends on the others.
func agentOf(s *Session) Agent {
	t := s.thread
	a := Agent{Ref: s.ref, ID: cmp.Or(t.AgentID, t.ID), Name: agentName(s.Conversation(), t), Parent: -1, Session: s,
		Messages: len(t.History), Estimated: s.Estimated(), Records: s.Stack(), Policy: s.Policy()}
	for _, p := range s.Curve(a.Policy.Fixed) {
		call := AgentCall{History: p.History, Time: t.Messages[t.History[p.History]].Time, Tokens: p.Counted}
		if p.Recorded > 0 {
			call.Tokens, call.Reported = p.Recorded, true
		}
		a.Usage = append(a.Usage, call)
		a.Used += call.Tokens
	}
	a.Speakers = s.speakers()
	for _, i := range t.History {
		if at := t.Messages[i].Time; at > 0 {
			a.From, a.To = min(cmp.Or(a.From, at), at), max(a.To, at)
		}
	}
	for _, x := range t.Found {
		before := slices.IndexFunc(a.Usage, func(c AgentCall) bool { return c.History >= x.At })
		if before < 0 {
			before = len(a.Usage)
		}
		at := x.Time
		if at == 0 && x.At > 0 && x.At <= len(t.History) {
			at = t.Messages[t.History[x.At-1]].Time
		}
		a.Found = append(a.Found, AgentMark{Call: before, Time: at})
	}
	a.KindWeights = weights(s)
	all := s.fit.Beyond(s.At(), a.Policy.Fixed)
	a.System = min(int64(a.Policy.Fixed), all)
	a.Unseen = all - a.System
	a.traces.asked, a.ofHistory = wordsAsked(s.CountedThread), s.adopt(model.Policy{})
	if i := slices.IndexFunc(s.Conversation().Agents, func(x model.Agent) bool { return x.ID == t.AgentID }); i >= 0 {
		a.Recorded = s.Conversation().Agents[i].Stats
	}
	if r := a.Recorded; r != nil && !r.LastAt.IsZero() {
		a.To = max(a.To, r.LastAt.UnixMilli())
	}
	return a
}

// weights sums up the live context by kinds, the applied records included.
func weights(s *Session) []KindWeight {
	line := s.Plan(s.Policy(), compaction.Options{Manual: true}).Line
	sum := map[model.Kind]int64{}
	for i := range line.Len() {
		sum[line.Kind(i)] += int64(line.Tokens(i))
	}
	var out []KindWeight
	for kind, n := range sum {
		if n > 0 {
			out = append(out, KindWeight{kind, n})
		}
	}
	slices.SortFunc(out, func(a, b KindWeight) int { return cmp.Or(cmp.Compare(b.Tokens, a.Tokens), cmp.Compare(a.Kind, b.Kind)) })
	return out
}

// linkCallers finds the caller of each agent of a file as the file has it. The main
// thread called those of which the file names no caller, a person those whose program
// records who called whom.
func linkCallers(all []Agent, c *model.Conversation) {
	byID := map[string]int{}
	for i := range all {
		if _, twice := byID[all[i].ID]; !twice {
			byID[all[i].ID] = i
		}
	}
	parents := map[string]string{}
	for _, x := range c.Agents {
		parents[x.ID] = x.Parent
	}
	for i := 1; i < len(all); i++ {
		if !c.KeepsContexts() {
			all[i].Parent = 0
		}
		if p, ok := byID[parents[all[i].ID]]; ok && p != i {
			all[i].Parent = p
		}
	}
}

// ordered puts callers before those they called, depth first. Agents that a
// damaged file makes call each other in a circle hang below the main thread.
func ordered(all []Agent) []Agent {
	for i := range all {
		seen := map[int]bool{}
		for at := i; at >= 0; at = all[at].Parent {
			if seen[at] {
				all[i].Parent = 0
				if i == 0 {
					all[i].Parent = -1
				}
				break
			}
			seen[at] = true
		}
	}
	below := make([][]int, len(all))
	var roots []int
	for i := range all {
		if p := all[i].Parent; p >= 0 {
			below[p] = append(below[p], i)
		} else {
			roots = append(roots, i)
		}
	}
	out, place := make([]Agent, 0, len(all)), make([]int, len(all))
	var walk func(list []int, parent, depth int)
	walk = func(list []int, parent, depth int) {
		slices.SortStableFunc(list, func(a, b int) int {
			return cmp.Or(cmp.Compare(all[a].Task().Called, all[b].Task().Called), cmp.Compare(all[a].From, all[b].From))
		})
		for _, i := range list {
			a := all[i]
			a.Parent, a.Depth = parent, depth
			place[i] = len(out)
			out = append(out, a)
			walk(below[i], len(out)-1, depth+1)
		}
	}
	walk(roots, -1, 0)
	for i := range out {
		for k := range out[i].Tasks {
			if t := &out[i].Tasks[k]; t.Caller >= 0 {
				t.Caller = place[t.Caller]
			}
		}
	}
	return out
}

// markOpen notes at each compaction which agents the compacted one was waiting
// for.
func markOpen(list []Agent) {
	for i := range list {
		a := &list[i]
		for m := range a.Found {
			mark := &a.Found[m]
			at := math.MaxInt
			if mark.Call < len(a.Usage) {
				at = a.Usage[mark.Call].History
			}
			for k := range list {
				if slices.ContainsFunc(list[k].Tasks, func(t Task) bool {
					return t.Caller == i && t.Called <= at && (t.Returned == 0 || t.Returned > at)
				}) {
					mark.Open = append(mark.Open, k)
				}
			}
		}
	}
}
