package agents

import (
	"cmp"
	"context"
	"slices"

	"palimpsest/compaction/summarize"
	"palimpsest/model"
	"palimpsest/model/transcript/historyitem"
)

// Contexts are the contexts of a conversation's agents. An agent exists from the
// first event that names it, whichever that is: a history keeps what happened.
type Contexts struct{ c *Conversation }

// Called adds what an agent was asked: onAgentCalled of the document.
func (a *Contexts) Called(ctx context.Context, agent, input string) error {
	return a.append(ctx, agent, model.EventCalled, a.c.opt.Form.Message("user", input))
}

// Responded adds what an agent answered: onAgentResponse of the document.
func (a *Contexts) Responded(ctx context.Context, agent, answer string) error {
	return a.append(ctx, agent, model.EventResponded, a.c.opt.Form.Message("assistant", answer))
}

// CalledTool (onAgentCalledTool) adds a function call of an agent. arguments is JSON as the model
// wrote it.
func (a *Contexts) CalledTool(ctx context.Context, agent, callID, tool, arguments string) error {
	return a.append(ctx, agent, model.EventToolCalled, a.c.opt.Form.Call(callID, tool, arguments))
}

// ToolReturned (onToolReturned) adds the output of a call. One without a call is kept;
// [Context.Orphans] lists it.
func (a *Contexts) ToolReturned(ctx context.Context, agent, callID, output string) error {
	return a.append(ctx, agent, model.EventToolReturned, a.c.opt.Form.Output(callID, output))
}

// Failed adds that an agent could not answer, so that no question is left
// without an answer.
func (a *Contexts) Failed(ctx context.Context, agent, reason string) error {
	if agent == "" {
		return noAgent()
	}
	return a.c.commit(ctx, func(s *state) ([]entry, error) {
		item := s.opt.Form.Message("assistant", failureText(reason, s.language()))
		return []entry{newEntry(agent, model.EventFailed, item)}, nil
	})
}

// AppendItems adds items to an agent's context, unchanged, whatever their form or kind, as
// Codex hands them over: all of them or none.
func (a *Contexts) AppendItems(ctx context.Context, agent string, items []historyitem.Item) error {
	if agent == "" {
		return noAgent()
	}
	return a.c.appendItems(ctx, agent, items)
}

// Import adds a context that another program kept: all of it or nothing. caller is the
// agent that called its agent first; "": a person.
func (a *Contexts) Import(ctx context.Context, agent, caller string, items []historyitem.Item) error {
	if agent == "" {
		return noAgent()
	}
	return a.c.commit(ctx, func(*state) ([]entry, error) {
		list := entriesOf(agent, items)
		for i := range list {
			if list[i].Kind == model.EventCalled {
				list[i].Caller = caller
				break
			}
		}
		return list, nil
	})
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

// Names lists the agents in the order of their first events.
func (a *Contexts) Names() []string {
	a.c.mu.RLock()
	defer a.c.mu.RUnlock()
	return slices.Clone(a.c.state.agents)
}

// Context is an agent's context of now; false for an agent without events.
func (a *Contexts) Context(agent string) (Context, bool) {
	if agent == "" {
		return Context{}, false
	}
	return a.c.context(agent)
}

// Stats are the counts of an agent; false for one without events.
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
// without events.
func (a *Contexts) State(agent string, lang summarize.Lang) string {
	a.c.mu.RLock()
	defer a.c.mu.RUnlock()
	x := a.c.state.contexts[agent]
	if x == nil || agent == "" {
		return ""
	}
	return describe(x.phases, cmp.Or(lang, a.c.state.language()))
}

// Replace replaces the context that was compacted by the result; what was
// appended meanwhile follows it. It is refused when another compaction came
// first, when an output would lose its call, and when a call would go that still
// waits for its output. The originals are kept: see [Contexts.Originals]. What is
// said of the compaction, for its record, goes to the journal with it.
func (a *Contexts) Replace(ctx context.Context, compacted Context, items []historyitem.Item, made ...model.Compacted) error {
	if compacted.agent == "" {
		return noAgent()
	}
	return a.c.replace(ctx, compacted.agent, compacted, items, made...)
}

// Originals returns every item ever appended to an agent's context, whatever was
// compacted since. An agent without events is an error.
func (a *Contexts) Originals(ctx context.Context, agent string) ([]historyitem.Item, error) {
	if agent == "" {
		return nil, noAgent()
	}
	return a.c.originals(ctx, agent)
}
