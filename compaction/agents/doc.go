// Package agents keeps the conversation of a person with several agents that
// may call each other: one shared history, and a context for each agent.
//
// A [Conversation] decides each change on the state it has and writes it
// as numbered events to a [Journal]; only then does the change become the
// state. Writers that are behind the journal write nothing, read what they
// missed and decide again, so goroutines and processes lose nothing.
package agents
