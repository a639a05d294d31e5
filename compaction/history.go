package compaction

import (
	"sync"
	"time"

	"palimpsest/model"
)

// History is the history view of a thread prepared for replays: every message of
// the agent, without the compactions that its file holds. It is immutable and may
// be shared by goroutines; all replays of a sweep walk the same one.
type History struct {
	thread   *model.Thread
	tokens   []int32
	sum      []int64   // prefix sums of tokens, len n+1
	outlines []outline // by position
	callIDs  []int32   // see outline.ids
	idCount  int       // how many different ones there are
	typed    int       // position of the first message a person typed; -1: none
	steps    []int32   // steps before each position, len n+1
	calls    []int32   // positions of the answers of model calls
	recorded []int64   // by call: input tokens the file reports, 0: none
	user     int       // position of the first message of kind user; -1: none
	unseen   int64     // see WithUnseen
	pauses   []int32   // see Pauses
	records  bool      // they are step records
	turns    []int32   // turns that begin before each position, len n+1
	spare    sync.Pool // of tracks
}

// NewHistory prepares a thread's history. tokens counts a stored message; a
// cleared result counts as [NoteTokens] at most.
func NewHistory(t *model.Thread, tokens func(stored int32) int32) *History {
	n := len(t.History)
	h := &History{
		thread: t, tokens: make([]int32, n), sum: make([]int64, n+1),
		outlines: make([]outline, n), steps: stepsBefore(t, n), typed: -1, user: -1,
	}
	h.turns = make([]int32, n+1)
	ids, step := &outliner{}, int32(0)
	for i, stored := range t.History {
		m := &t.Messages[stored]
		h.outlines[i] = ids.outline(m)
		if h.outlines[i].typed && h.typed < 0 {
			h.typed = i
		}
		if h.outlines[i].kind == model.KindUser && h.user < 0 {
			h.user = i
		}
		h.turns[i+1] = h.turns[i]
		if h.outlines[i].typed {
			h.turns[i+1]++
		}
		h.tokens[i] = tokens(stored)
		h.sum[i+1] = h.sum[i] + int64(h.tokens[i])
		if m.Kind == model.KindAssistant && (m.Step == 0 || m.Step != step) {
			h.calls, h.recorded = append(h.calls, int32(i)), append(h.recorded, reported(m))
			if k := len(h.calls) - 1; k > 0 && expired(t, int(h.calls[k-1]), i) {
				h.pauses = append(h.pauses, int32(k))
			}
		}
		step = m.Step
	}
	h.records = IsStepRecords(t)
	h.callIDs, h.idCount = ids.calls, ids.names.Len()
	return h
}

// CacheLifetime is how long a provider is assumed to keep a beginning that nobody asks
// for in its prompt cache, unless the file reports that it was still there: some caches
// live for an hour.
const CacheLifetime = 5 * time.Minute

// expired reports whether the prompt cache that the call answered at a position of the
// history wrote is gone when the one answered at the other is made. A call is made
// when the message before its answer came.
func expired(t *model.Thread, before, at int) bool {
	first, answer := &t.Messages[t.History[before]], &t.Messages[t.History[at]]
	asked := t.Messages[t.History[at-1]].Time
	if at-1 == before || asked == 0 {
		asked = answer.Time
	}
	if first.Time == 0 || asked-first.Time <= CacheLifetime.Milliseconds() {
		return false
	}
	return first.Usage == nil || answer.Usage == nil || 2*answer.Usage.CacheRead < first.Usage.Input
}

// Pauses are the calls before which the agent was idle for so long that nothing is read
// from the prompt cache, in their order. It must not be written to.
func (h *History) Pauses() []int32 { return h.pauses }

// WithUnseen sets the context that was there from the beginning, that no message holds,
// and that is not the fixed part of a policy: earlier history in another file. It is
// set before the history is used, and returned.
func (h *History) WithUnseen(tokens int64) *History {
	h.unseen = tokens
	return h
}

// Fixed is what every call of a replay sends beyond the messages.
func (h *History) Fixed(p *model.Policy) int64 { return max(0, int64(p.Fixed)+h.unseen) }

// Len is the number of messages of the history.
func (h *History) Len() int { return len(h.outlines) }

// Calls are the positions of the answers of all model calls: the assistant
// messages, of a step record only the first. It must not be written to.
func (h *History) Calls() []int32 { return h.calls }

// Recorded is the input tokens that the file reports for a call; 0: none.
func (h *History) Recorded(call int) int64 { return h.recorded[call] }

func reported(m *model.Message) int64 {
	if m.Usage == nil {
		return 0
	}
	return int64(m.Usage.Input)
}

// Steps counts the steps before a position, compacted ones included.
func (h *History) Steps(at int) int { return int(h.steps[at]) }

// Turns counts the turns that begin before a position.
func (h *History) Turns(at int) int { return int(h.turns[at]) }

// Before is the number of tokens of the messages before a position.
func (h *History) Before(at int) int64 { return h.sum[at] }

// firstUser is the position of the first message before at that a person typed, else
// the first of kind user; -1: none.
func (h *History) firstUser(at int) int {
	switch {
	case h.typed >= 0 && h.typed < at:
		return h.typed
	case h.user >= 0 && h.user < at:
		return h.user
	}
	return -1
}
