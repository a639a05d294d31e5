package model

import "time"

// EventKind says what happened in a conversation of agents.
type EventKind string

const (
	EventCalled       EventKind = "called"        // a user message came in: from a person, or from a calling agent
	EventResponded    EventKind = "responded"     // an assistant message went out
	EventToolCalled   EventKind = "tool-called"   // a function call
	EventToolReturned EventKind = "tool-returned" // the output of a call
	EventFailed       EventKind = "failed"        // an assistant message that reports a failure
	EventItem         EventKind = "item"          // any other item: reasoning, a kind the program does not know
	EventReplaced     EventKind = "replaced"      // a compaction took the place of a context's first items

	// What automatic compaction and step histories write: what changed since the
	// event before, as JSON that only they read.
	EventAgentState EventKind = "agent-state"
	EventSteps      EventKind = "steps"
)

// Event is one entry of a conversation's journal. Journals only grow: what a
// replacement takes out of a context is still described by the events before it.
type Event struct {
	Seq   int64     // 1, 2, 3 … within the conversation
	Time  time.Time // UTC, whole microseconds
	Kind  EventKind
	Agent string // whose context it belongs to; "": the history that all agents share

	Task   string // the task it belongs to; "": none
	Caller string // of "called": the agent that called; "": a person

	Items  string // JSON: one history item; of "replaced" an array of them
	Covers int    // of "replaced": how many of the items ever appended to this context it represents
}

// HistoryStats reports the history that all agents of a conversation share.
type HistoryStats struct {
	Messages    int    // user and assistant messages ever appended; calls and outputs don't count
	LastContent string // text of the last of them
	LastType    string // "user", "assistant", or "error" for the report of a failure
	LastAt      time.Time
}

// AgentStats reports one agent of a conversation.
type AgentStats struct {
	Agent        string
	Caller       string // the agent that called it first; "": a person
	State        string // its state description
	Interactions int    // times it was called and responded; tool calls don't count
	LastType     string // "called", "responded", or "error" for a failure
	LastAt       time.Time
}

// ConversationStats is what a journal keeps beside the events, for lists: the
// state that the events lead to.
type ConversationStats struct {
	Title   string
	History HistoryStats
	Agents  []AgentStats // in a write, those that changed; else all, in the order in which they came
}

// ConversationInfo is one entry of a list of recorded conversations. Of the last
// message it may tell the beginning only.
type ConversationInfo struct {
	ID      string
	Events  int64
	Created time.Time
	Changed time.Time
	ConversationStats
}
