package auto

import (
	"errors"
	"fmt"

	"palimpsest/model"
)

// Result is the outcome of one call of a [Compactor].
type Result struct {
	OK         bool // nothing failed
	Compressed bool // a summary took the place of messages
	Messages   []ChatMessage
	Places     []int // of each of them in the full history; -1: a summary, or a notice
	Decision   Decision

	OriginalCount int // messages of the runtime list before
	NewCount      int // and after
	Before, After Usage
	Summary       string          // without its heading
	Record        *Record         // of this compaction
	Instead       model.OnFailure // what replaced the model: extract, default-summary
	Joined        bool            // another goroutine's compaction was waited for; the result is that one's
	Cached        bool            // the model had answered the same question before

	Truncated int // messages that left the list at a hard limit without a summary
	Shortened int // tool results that were shortened there
	Refused   bool

	// Err says what went wrong: the summariser's error, one of the
	// errors below, or, with Refused, an [*OverLimitError]. The list can be sent
	// unless Refused.
	Err error
}

// newResult is the result of a decision before anything is done.
func newResult(d Decision) Result {
	return Result{Decision: d, OriginalCount: d.Usage.Messages, Before: d.Usage}
}

// What a summary can end in besides a text; see also
// [compaction.ErrStillAsked].
var (
	ErrTimeout    = errors.New("timeout")
	ErrCancelled  = errors.New("cancelled")
	ErrNotSmaller = errors.New("the summary is not smaller than what it replaces")
	ErrChanged    = errors.New("the beginning of the list changed while the summary was made")
	ErrInactive   = errors.New("there is no summary model")
	ErrNothing    = errors.New("there is nothing to compact")
)

// OverLimitError says that a request would not fit although everything was
// done that can be done without losing the end of the conversation.
type OverLimitError struct {
	Used, Max int64 // tokens, estimated; what a request may hold
}

func (e *OverLimitError) Error() string {
	return fmt.Sprintf("the request is estimated at %d tokens, the limit is %d", e.Used, e.Max)
}
