package model

import (
	"context"
	"iter"
	"time"
)

// Journal keeps the histories of running agents, so that they outlive the
// program: conversations of agents, histories of automatic compaction, step
// histories. The store package implements it. It decides nothing: it appends
// what it is given, in order and completely. Its errors name the history and what
// was being done.
type Journal interface {
	// Events returns events of a history after a number, in order: all of them or
	// only the first ones, and none when there are no more. An unknown history has
	// none.
	Events(ctx context.Context, history string, after int64) ([]Event, error)

	// Append adds an entry after event number after, in one transaction: all of it
	// or nothing. If others have appended meanwhile, nothing is written and it
	// returns events that the caller has missed, all of them or only the first ones.
	Append(ctx context.Context, history string, after int64, e Entry) (missed []Event, err error)
}

// EventsOf are the events of a history after a number, in order, as a journal's Events
// gives them. After an error there are no more.
func EventsOf(ctx context.Context, events func(context.Context, string, int64) ([]Event, error), history string, after int64,
) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		for {
			list, err := events(ctx, history, after)
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range list {
				if after = list[i].Seq; !yield(&list[i], nil) {
					return
				}
			}
			if len(list) == 0 {
				return
			}
		}
	}
}

// Entry is what is written to a journal at once.
type Entry struct {
	Events []Event
	Stats  ConversationStats // the state that the events lead to

	// Compacted are the compactions among the events. What makes records of them
	// (package journal) does so before the entry is written.
	Compacted []Compacted
	Records   []Recording
}

// Recording is a record that is stored with the entry, and its originals.
type Recording struct {
	Record    *Record
	Originals Originals
}

// Compacted is a compaction of a running agent's history, or a try that failed,
// from which a record can be made like that of one made by hand.
type Compacted struct {
	Document []byte // the history as it was before, in a format that opens as a file
	Format   Format
	Thread   int

	Take    Range  // pieces of the live list that went, half-open; none when it failed
	Kept    []int  // of those, the ones that stay after all, behind the summary
	Summary string // as it is in the list
	LeftOut bool   // the summary only announces what went, at a hard limit

	// The text that the agent is sent, before and after, where it is no list of messages.
	SentBefore, SentAfter string

	Time      time.Time
	Cause     Cause
	Policy    Policy
	Model     string // that made the summary; "": none
	KeyPoints []string
	Duration  time.Duration
	Outcome   Outcome
	Reason    string // of a failure, or what replaced the model
}
