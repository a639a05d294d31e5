package model

import (
	"cmp"
	"io"
	"iter"
	"strings"
	"time"
)

// Originals is a whole input file: what a record gives back byte for byte.
type Originals struct {
	Source io.ReaderAt
	Size   int64
	SHA256 [32]byte // zero: not known

	// Texts are the decoded texts of the messages a record covers, which it shall
	// be found by; nil: none.
	Texts iter.Seq2[string, error]
}

// Cause says what started a compaction.
type Cause string

const (
	CauseManual    Cause = "manual"
	CauseAutomatic Cause = "automatic"
	CauseReplay    Cause = "replay"
	CauseFound     Cause = "found"
	CauseRestore   Cause = "restore" // the record of an undo
	CauseRepair    Cause = "repair"  // of mends that let a session be resumed; nothing was compacted
)

// Outcome says how a compaction ended.
type Outcome string

const (
	Applied   Outcome = "applied"
	Refused   Outcome = "refused"
	Failed    Outcome = "failed"
	Cancelled Outcome = "cancelled"
)

// RecordRun is a run of equal fates over the list a record was made on, written in
// history indices (half-open). A run of a former summary has From == To.
type RecordRun struct {
	From   int    `json:"from"`
	To     int    `json:"to"`
	Fate   string `json:"fate"`
	Reason string `json:"reason"`
	Tokens int64  `json:"tokens"`

	// Number is that of its first message in the history that the file was first
	// made from, if that is another than From+1. Turn is the turn of that history that
	// the message belongs to; 0: before the first one, or not noted.
	Number int `json:"number,omitempty"`
	Turn   int `json:"turn,omitempty"`

	// Copies are messages without a place of their own in the history: those that a
	// compaction of the file kept. Then From == To.
	Copies int `json:"copies,omitempty"`
}

// Messages is how many messages the run has; 0: it is a former summary.
func (r RecordRun) Messages() int { return r.To - r.From + r.Copies }

// First is the number of the first message of the run in the history that the
// file was first made from.
func (r RecordRun) First() int {
	if r.Number > 0 {
		return r.Number
	}
	return r.From + 1
}

// Taken reports whether the messages of the run went: they were summarised or
// dropped.
func (r RecordRun) Taken() bool { return r.Fate == Summarised.String() || r.Fate == Dropped.String() }

// Fitted is how counts were fitted to the usage that a file reports.
type Fitted struct {
	Factor float64 `json:"factor"`           // of a counted token
	Calls  int     `json:"calls"`            // that it was fitted to
	Unseen int64   `json:"unseen,omitempty"` // tokens in the context that neither a message nor the fixed part holds
}

// FactTally counts the facts of one kind in what a compaction takes.
type FactTally struct {
	Kind     string `json:"kind"`
	Gone     int    `json:"gone"`     // different facts in what goes
	Standing int    `json:"standing"` // of these, how many are held afterwards
}

// Record is one stored compaction. It is complete in itself: with the originals
// that the store keeps beside it, it explains what happened and gives
// everything back when the file is gone.
type Record struct {
	ID   string    `json:"id"` // "R-0007", unique in its database
	UID  string    `json:"uid"`
	Time time.Time `json:"time"`

	Session      string `json:"session"` // title shown to people
	Path         string `json:"path"`
	Format       Format `json:"format"`
	FieldMap     string `json:"fieldMap,omitempty"` // how generic JSON was read; "" for formats that say what they are
	SourceSHA    string `json:"sourceSha256"`       // of the whole input file
	SourceSize   int64  `json:"sourceBytes"`
	Conversation int    `json:"conversation"`
	Thread       int    `json:"thread"`
	Agent        string `json:"agent,omitempty"`

	Cause    Cause    `json:"cause"`
	Policy   Policy   `json:"policy"`
	Strategy Strategy `json:"strategy"`
	Prompt   string   `json:"prompt,omitempty"`
	Model    string   `json:"model,omitempty"`
	Asked    *Asked   `json:"asked,omitempty"` // when a model made the summary, or was to

	At        int         `json:"at"`                        // history position it was made at
	Range     Range       `json:"range"`                     // history indices covered
	RangeSHA  string      `json:"rangeSha256"`               // of the covered bytes
	Covered   int         `json:"covered"`                   // what went: messages, and former summaries
	Formers   int         `json:"formerSummaries,omitempty"` // of these
	Runs      []RecordRun `json:"runs"`
	Live      []Item      `json:"live"` // the live list after it
	Summary   string      `json:"summary"`
	KeyPoints []string    `json:"keyPoints,omitempty"`
	Edited    bool        `json:"edited"`

	Before  Size   `json:"before"`
	After   Size   `json:"after"`
	Counted string `json:"counted"` // how the tokens were counted

	// Compactable is what of the tokens before could go: all but what no message
	// holds and the system prompt; 0: not noted.
	Compactable int64 `json:"compactable,omitempty"`

	// Fitted is what the counts were fitted to; nil: to nothing. A file written from
	// the record has lost the usage that it was fitted to, and is counted with it.
	Fitted *Fitted `json:"fitted,omitempty"`

	// Facts shows what survived by kind, of the kinds that occur; nil when the
	// history's facts were not indexed when the record was made. FactsBy names the
	// extractor.
	Facts   []FactTally `json:"facts,omitempty"`
	FactsBy string      `json:"factsBy,omitempty"`

	Duration time.Duration `json:"durationNs"`
	Outcome  Outcome       `json:"outcome"`
	Reason   string        `json:"reason,omitempty"`

	Verb      bool     `json:"verb,omitempty"`    // made for a file that was written; no session is built on it
	Base      string   `json:"base,omitempty"`    // the record it was made on top of
	Parents   []string `json:"parents,omitempty"` // records whose summaries this one covers
	Levels    int      `json:"levels,omitempty"`  // of records, from this one down to originals alone; 0: not stored
	Again     string   `json:"again,omitempty"`   // the record that was applied again
	Changed   *int     `json:"changed,omitempty"` // parameters that differ from those of the policy's preset; nil: not noted
	Off       bool     `json:"off,omitempty"`     // switched off by a restore
	OutputSHA string   `json:"outputSha256,omitempty"`
	Output    string   `json:"output,omitempty"`
}

// Messages is how many messages went, without former summaries.
func (r *Record) Messages() int { return r.Covered - r.Formers }

// CouldGo is how many tokens could go, or all there were where that is not noted.
func (r *Record) CouldGo() int64 { return cmp.Or(r.Compactable, r.Before.Tokens) }

// ConversationPrefix distinguishes the name of a recorded conversation from a path.
const ConversationPrefix = "conversation:"

// State is what a record is now.
type State string

// The states. A compaction that was applied is stored whatever happens to it; it
// is in force while an open session is built on it.
const (
	InForce        State = "in force"
	Stored         State = "stored"
	SwitchedOff    State = "switched off"
	WrittenBack    State = "written back" // its summary has the place of what it took, in the conversation itself
	StateRefused   State = "refused"
	StateFailed    State = "failed"
	StateCancelled State = "cancelled"
	StateFound     State = "found"    // in the file: another program made it
	StateRestored  State = "restored" // the event of a restore, no compaction
)

// State is the state of the record. inForce says that the session that asks is
// built on it.
func (r *Record) State(inForce bool) State {
	switch {
	case r.Cause == CauseFound:
		return StateFound
	case r.Outcome != Applied:
		return State(r.Outcome)
	case r.Cause == CauseRestore:
		return StateRestored
	case inForce:
		return InForce
	case r.Off:
		return SwitchedOff
	case strings.HasPrefix(r.Output, ConversationPrefix):
		return WrittenBack
	}
	return Stored
}

// Exact reports whether the record's token numbers were counted with a
// vocabulary, or reported by the provider; the name of an estimate shows the
// factor it was weighed with.
func (r *Record) Exact() bool { return r.Counted != "" && Exact(r.Counted) }

// Exact reports whether numbers counted so are no estimates.
func Exact(counted string) bool { return !strings.ContainsRune(counted, '×') }

// AllFacts adds up the facts of all kinds.
func (r *Record) AllFacts() FactTally {
	var all FactTally
	for _, f := range r.Facts {
		all.Gone += f.Gone
		all.Standing += f.Standing
	}
	return all
}
