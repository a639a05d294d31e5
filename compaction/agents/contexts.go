package agents

import (
	"context"
	"slices"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

// Contexts are the contexts of a conversation's agents. An agent comes to
// be with the first event that names it, whichever that is: a history keeps what
// happened.
type Contexts struct{ c *Conversation }

// Called adds what an agent was asked.
func (a *Contexts) Called(ctx context.Context, agent, input string) error {
	return a.append(ctx, agent, model.EventCalled, a.c.opt.Form.Message("user", input))
}

// Responded adds what an agent answered.
func (a *Contexts) Responded(ctx context.Context, agent, answer string) error {
	return a.append(ctx, agent, model.EventResponded, a.c.opt.Form.Message("assistant", answer))
}

// CalledTool adds a function call of an agent. arguments is JSON as the model
// wrote it.
func (a *Contexts) CalledTool(ctx context.Context, agent, callID, tool, arguments string) error {
	return a.append(ctx, agent, model.EventToolCalled, a.c.opt.Form.Call(callID, tool, arguments))
}

// ToolReturned adds what a call gave back. One without a call is kept;
// [Context.Orphans] tells of it.
func (a *Contexts) ToolReturned(ctx context.Context, agent, callID, output string) error {
	return a.append(ctx, agent, model.EventToolReturned, a.c.opt.Form.Output(callID, output))
}

// Failed adds that an agent could not answer, so that what it was asked does not
// stay without an answer.
func (a *Contexts) Failed(ctx context.Context, agent, reason string) error {
	if agent == "" {
		return noAgent()
	}
	return a.c.commit(ctx, func(s *state) ([]entry, error) {
		return []entry{newEntry(agent, model.EventFailed, s.failure(reason))}, nil
	})
}

// AppendItem adds an item to an agent's context as it is spelled, whatever its
// form or kind.
func (a *Contexts) AppendItem(ctx context.Context, agent string, it historyitem.Item) error {
	if agent == "" {
		return noAgent()
	}
	return a.c.appendItem(ctx, agent, it)
}

func (a *Contexts) append(ctx context.Context, agent string, kind model.EventKind, it historyitem.Item) error {
	if agent == "" {
		return noAgent()
	}
	return a.c.append(ctx, agent, kind, it)
}

func noAgent() error {
	return &model.Problem{Code: "no-agent", What: "No agent was named.", Next: "Say whose context it is."}
}

// failure is the item that tells of a failure.
func (s *state) failure(reason string) historyitem.Item {
	return s.opt.Form.Message("assistant", failureText(reason, s.language()))
}

// Names lists the agents in the order in which they came.
func (a *Contexts) Names() []string {
	a.c.mu.RLock()
	defer a.c.mu.RUnlock()
	return slices.Clone(a.c.state.agents)
}

// Context is an agent's context as it stands; false for an agent that never
// came.
func (a *Contexts) Context(agent string) (Context, bool) {
	if agent == "" {
		return Context{}, false
	}
	return a.c.context(agent)
}

// Stats tells of an agent; false for one that never came.
func (a *Contexts) Stats(agent string) (model.AgentStats, bool) {
	a.c.mu.RLock()
	defer a.c.mu.RUnlock()
	x := a.c.state.contexts[agent]
	if x == nil || agent == "" {
		return model.AgentStats{}, false
	}
	return x.agentStats(agent, a.c.state.language()), true
}

// State is an agent's state description in a language: the latest input and the
// current phase, each in [DigestRunes] code points at most. It is "" for an agent
// that never came.
func (a *Contexts) State(agent string, lang summarize.Lang) string {
	a.c.mu.RLock()
	defer a.c.mu.RUnlock()
	x := a.c.state.contexts[agent]
	if x == nil || agent == "" {
		return ""
	}
	if lang == summarize.Auto {
		lang = a.c.state.language()
	}
	return describe(x.phases, lang)
}

// Replace puts the result of a compaction in the place of the context that was
// compacted; what was appended meanwhile stands behind it. It is refused when
// another compaction came first, when an output would lose its call, and when a
// call would go that still waits for its output. The originals stay: see
// [Contexts.Originals].
func (a *Contexts) Replace(ctx context.Context, compacted Context, items []historyitem.Item) error {
	if compacted.agent == "" {
		return noAgent()
	}
	return a.c.replace(ctx, compacted.agent, compacted, items)
}

// Originals gives every item ever appended to an agent's context, whatever was
// compacted since. An agent that never came is an error.
func (a *Contexts) Originals(ctx context.Context, agent string) ([]historyitem.Item, error) {
	if agent == "" {
		return nil, noAgent()
	}
	return a.c.originals(ctx, agent)
}
