package agents

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

// state is the result of the events so far. Contexts are replaced and not
// changed, so that a change can be tried before it is written.
type state struct {
	opt      Options
	seq      int64
	lang     summarize.Lang // of the first message that has one; Auto until then
	title    string
	contexts map[string]*contextState // by agent; "" is the shared history
	agents   []string                 // in the order of their first events
	tasks    map[string]taskState
}

func newState(opt Options) state {
	return state{opt: opt, contexts: map[string]*contextState{}, tasks: map[string]taskState{}}
}

func (s *state) language() summarize.Lang { return cmp.Or(s.opt.Language, s.lang) }

// shared is the history that all agents share.
func (s *state) shared() *contextState {
	if x := s.contexts[""]; x != nil {
		return x
	}
	return &contextState{}
}

// contextState is one list of items and what is known of its agent.
type contextState struct {
	items        []historyitem.Item // what is in it now
	base         int                // how many of these are from the latest replacement
	covers       int                // how many of the items ever appended those replace
	appended     int                // items ever appended
	replacements int

	history  model.HistoryStats
	caller   string
	counted  int // times it was called and responded
	lastType string
	lastAt   time.Time
	phases   []phase // of the state description
}

// delta is a change of the state that is not written yet.
type delta struct {
	was     *state
	seq     int64
	lang    summarize.Lang
	title   string
	changed map[string]*contextState
	added   []string
	tasks   map[string]taskState
}

func (s *state) begin() *delta {
	return &delta{was: s, seq: s.seq, lang: s.lang, title: s.title,
		changed: map[string]*contextState{}, tasks: map[string]taskState{}}
}

// context is an agent's context to be changed.
func (d *delta) context(agent string) *contextState {
	if x := d.changed[agent]; x != nil {
		return x
	}
	x := &contextState{}
	if old := d.was.contexts[agent]; old != nil {
		*x = *old
	} else if agent != "" {
		d.added = append(d.added, agent)
	}
	d.changed[agent] = x
	return x
}

// fold adds one event. Items are appended after those that others may be
// reading, which are never overwritten.
func (d *delta) fold(e *entry) error {
	if e.Seq != d.seq+1 {
		return fmt.Errorf("event %d follows event %d", e.Seq, d.seq)
	}
	d.seq = e.Seq
	x := d.context(e.Agent)
	if e.Kind == model.EventReplaced {
		return x.replace(e)
	}
	it := e.items[0]
	x.items = append(x.items, it)
	x.appended++
	text := ""
	if it.Kind() == historyitem.Message {
		text = it.Text()
	}
	if d.lang == summarize.Auto {
		d.lang = summarize.LangOf(text)
	}
	if d.title == "" && e.Kind == model.EventCalled {
		d.title = digest(text)
	}
	switch e.Kind {
	case model.EventCalled:
		if x.caller == "" && x.counted == 0 {
			x.caller = e.Caller
		}
		x.countMessage(e, "user", "called", text)
		x.enter(phase{phaseInput, digest(text)}, d.was.opt.Compat)
	case model.EventResponded:
		x.countMessage(e, "assistant", "responded", text)
		x.enter(phase{phaseOutput, digest(text)}, d.was.opt.Compat)
	case model.EventFailed:
		x.countMessage(e, "error", "error", text)
		x.enter(phase{phaseFailure, digest(cutFailure(text))}, d.was.opt.Compat)
	case model.EventToolCalled:
		name, _ := it.Call()
		x.enter(phase{phaseTool, digest(name)}, d.was.opt.Compat)
	}
	d.foldTask(e, text)
	return nil
}

// countMessage counts a message.
func (x *contextState) countMessage(e *entry, role, interaction, text string) {
	x.history = model.HistoryStats{Messages: x.history.Messages + 1, LastContent: text, LastType: role, LastAt: e.Time}
	x.lastType, x.lastAt = interaction, e.Time
	if e.Kind != model.EventFailed {
		x.counted++
	}
}

// replace replaces the items that a compaction covers by those it made; what was
// appended since follows them.
func (x *contextState) replace(e *entry) error {
	if e.Covers < x.covers || e.Covers > x.appended {
		return fmt.Errorf("a compaction of %d items, where %d were appended and %d are covered", e.Covers, x.appended, x.covers)
	}
	x.items, x.base = slices.Concat(e.items, x.since(e.Covers)), len(e.items)
	x.covers = e.Covers
	x.replacements++
	return nil
}

// since is the items that were appended after the first n ever; n is not below
// covers.
func (x *contextState) since(n int) []historyitem.Item { return x.items[x.base+n-x.covers:] }

// stats is what a journal keeps of the changed state: of the agents those that
// changed.
func (d *delta) stats() model.ConversationStats {
	x := d.changed[""]
	if x == nil {
		x = d.was.shared()
	}
	out := model.ConversationStats{Title: d.title, History: x.history}
	lang := cmp.Or(d.was.opt.Language, d.lang)
	for _, agent := range slices.Concat(d.was.agents, d.added) {
		if x := d.changed[agent]; x != nil {
			out.Agents = append(out.Agents, x.agentStats(agent, lang))
		}
	}
	return out
}

func (x *contextState) agentStats(agent string, lang summarize.Lang) model.AgentStats {
	return model.AgentStats{Agent: agent, Caller: x.caller, State: describe(x.phases, lang),
		Interactions: x.counted, LastType: x.lastType, LastAt: x.lastAt}
}

// apply changes the state.
func (d *delta) apply() {
	s := d.was
	s.seq, s.lang, s.title = d.seq, d.lang, d.title
	s.agents = append(s.agents, d.added...)
	maps.Copy(s.contexts, d.changed)
	maps.Copy(s.tasks, d.tasks)
}
