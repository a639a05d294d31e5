// Package desk is the state of one window: which histories are open, which one
// is looked at, its parameters, plan, drafts and records, and what is under way
// in the background. It draws nothing and imports no toolkit, so that it is
// tested without a window.
//
// Everything here runs on the goroutine that owns the window, except the work
// handed to the scheduler. Panes call its methods when a person acts, listen
// for topics, and read the state when a topic they show has changed. A pane
// never changes the state itself and never starts work.
package desk
