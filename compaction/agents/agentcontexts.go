package agents

import (
	"context"
	"slices"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

// AgentContexts are the contexts of a conversation's agents. An agent comes to
// be with the first event that names it, whichever that is: a history keeps what
// happened.
type AgentContexts struct{ c *AgentConversation }

// Called adds what an agent was asked.
func (a *AgentContexts) Called(ctx context.Context, agent, input string) error {
	return a.append(ctx, agent, model.EventCalled, a.c.opt.Form.Message("user", input))
}

// Responded adds what an agent answered.
func (a *AgentContexts) Responded(ctx context.Context, agent, answer string) error {
	return a.append(ctx, agent, model.EventResponded, a.c.opt.Form.Message("assistant", answer))
}

// CalledTool adds a function call of an agent. arguments is JSON as the model
// wrote it.
func (a *AgentContexts) CalledTool(ctx context.Context, agent, callID, tool, arguments string) error {
	return a.append(ctx, agent, model.EventToolCalled, a.c.opt.Form.Call(callID, tool, arguments))
}

// ToolReturned adds what a call gave back. One without a call is kept;
// [AgentContext.Orphans] tells of it.
func (a *AgentContexts) ToolReturned(ctx context.Context, agent, callID, output string) error {
	return a.append(ctx, agent, model.EventToolReturned, a.c.opt.Form.Output(callID, output))
}

// Failed adds that an agent could not answer, so that what it was asked does not
// stay without an answer.
func (a *AgentContexts) Failed(ctx context.Context, agent, reason string) error {
	if agent == "" {
		return noAgent()
	}
	return a.c.commit(ctx, func(s *conversationState) ([]entry, error) {
		return []entry{newEntry(agent, model.EventFailed, s.failure(reason))}, nil
	})
}

// AppendItem adds an item to an agent's context as it is spelled, whatever its
// form or kind.
func (a *AgentContexts) AppendItem(ctx context.Context, agent string, it historyitem.Item) error {
	if agent == "" {
		return noAgent()
	}
	return a.c.appendItem(ctx, agent, it)
}

func (a *AgentContexts) append(ctx context.Context, agent string, kind model.EventKind, it historyitem.Item) error {
	if agent == "" {
		return noAgent()
	}
	return a.c.append(ctx, agent, kind, it)
}

func noAgent() error {
	return &model.Problem{Code: "no-agent", What: "No agent was named.", Next: "Say whose context it is."}
}

// failure is the item that tells of a failure.
func (s *conversationState) failure(reason string) historyitem.Item {
	return s.opt.Form.Message("assistant", failureText(reason, s.language()))
}

// Names lists the agents in the order in which they came.
func (a *AgentContexts) Names() []string {
	a.c.mu.RLock()
	defer a.c.mu.RUnlock()
	return slices.Clone(a.c.state.agents)
}

// Context is an agent's context as it stands; false for an agent that never
// came.
func (a *AgentContexts) Context(agent string) (AgentContext, bool) {
	if agent == "" {
		return AgentContext{}, false
	}
	return a.c.context(agent)
}

// Stats tells of an agent; false for one that never came.
func (a *AgentContexts) Stats(agent string) (model.AgentStats, bool) {
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
func (a *AgentContexts) State(agent string, lang summarize.Lang) string {
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
// [AgentContexts.Originals].
func (a *AgentContexts) Replace(ctx context.Context, compacted AgentContext, items []historyitem.Item) error {
	if compacted.agent == "" {
		return noAgent()
	}
	return a.c.replace(ctx, compacted.agent, compacted, items)
}

// Originals gives every item ever appended to an agent's context, whatever was
// compacted since. An agent that never came is an error.
func (a *AgentContexts) Originals(ctx context.Context, agent string) ([]historyitem.Item, error) {
	if agent == "" {
		return nil, noAgent()
	}
	return a.c.originals(ctx, agent)
}
