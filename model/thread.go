package model

import (
	"slices"
	"sort"
)

// ThreadKind says how a thread came to be.
type ThreadKind uint8

const (
	ThreadMain     ThreadKind = iota
	ThreadSubagent            // an agent called by another one
	ThreadSide                // a run beside the main line in the same file
	ThreadBranch              // an abandoned line: a rewind, a retry
	ThreadShared              // what all agents of a conversation share; in no context window
)

var threadNames = [...]string{"main", "sub-agent", "sidechain", "branch", "shared"}

func (k ThreadKind) String() string { return threadNames[k] }

// Thread is one line of messages in one context window.
//
// It has three views. Messages is the stored view: everything in file order.
// History is the main line without what found compactions inserted. Live gives
// what the request before a message would have sent.
type Thread struct {
	ID       string
	AgentID  string
	Kind     ThreadKind
	Messages []Message                // stored view
	History  []int32                  // indices into Messages, in order
	Resets   []Reset                  // ordered by At
	Found    []Found                  // compactions the file already holds, in order
	Saved    struct{ Off, Len int64 } // where a program saved the step history that it is, or the settings beside it

	// Midway says that messages were before the first one that are not in the
	// thread: a session that was resumed in another file, a branch.
	Midway bool

	// Observations says that the agent speaks a text protocol: user messages
	// after the first are results of actions, not a person's words.
	Observations bool
}

// Reset says that before history message At the live list was replaced by
// Base, as by a compaction the file holds.
type Reset struct {
	At   int     // history position
	Base []int32 // indices into Messages
}

// Found is a compaction that the file already holds. A nil number is "not
// recorded".
type Found struct {
	At       int    // history position before which it took effect
	Cause    string // "auto", "manual", …, "" not recorded
	Before   *int   // tokens
	After    *int
	Summary  int  // stored index of the summary message; -1: none readable
	Clearing bool // only tool results were cleared in the live context
	Time     int64

	// Counted says how the numbers were counted where this program made the compaction;
	// "": the producer reports them.
	Counted string
}

// Own reports whether this program made the compaction.
func (f *Found) Own() bool { return f.Counted != "" }

// Live is the list a request before history message i would have sent, as
// indices into Messages. i may be len(History): the request that comes next.
// The result is fresh and may be changed.
func (t *Thread) Live(i int) []int32 {
	base, from := t.liveBase(i)
	return slices.Concat(base, t.History[from:i])
}

// LiveFrom is the first history position that Live(i) takes from the history
// itself; what is before it is live only as far as a reset kept it.
func (t *Thread) LiveFrom(i int) int {
	_, from := t.liveBase(i)
	return from
}

func (t *Thread) liveBase(i int) ([]int32, int) {
	k := sort.Search(len(t.Resets), func(k int) bool { return t.Resets[k].At > i })
	if k == 0 {
		return nil, 0
	}
	r := t.Resets[k-1]
	return r.Base, r.At
}

// Before is how many messages of the history came before a summary that the file holds: it
// takes the place of these, or of some of them.
func (t *Thread) Before(summary int32) int {
	if i := slices.IndexFunc(t.Found, func(f Found) bool { return f.Summary == int(summary) }); i >= 0 {
		return t.Found[i].At
	}
	return 0
}

// NameOf is the name of the tool that a message answers, by the call's message; "": nothing says it.
func (t *Thread) NameOf(answer, call int32) string {
	if call >= 0 {
		for _, c := range t.Messages[call].Calls {
			if c.ID == t.Messages[answer].Answers && c.Name != "" {
				return c.Name
			}
		}
	}
	return t.Messages[answer].Name
}
