package edit

import (
	"encoding/json"
	"time"

	"palimpsest/model"
)

// Summary is a summary message to be written into a history.
type Summary struct {
	Text   string
	Before int32     // stored index of the first message it replaces, which no other summary replaces
	UID    string    // a UUID, for formats whose messages have ids
	Time   time.Time // for formats whose messages have times

	// Made is what this program says of how it was made, a JSON object, for formats
	// whose readers pass over members that they don't know; nil: nothing.
	Made []byte

	// Layer are the summaries that take its place in a step history that was saved, each an
	// object as the snapshot has it; nil: the text is one. Settings take the place of the saved ones.
	Layer    []json.RawMessage
	Settings []byte

	// Parent is the reference to the record it follows, as spelled in the
	// source ("null" or a quoted id). Relink fills it in for formats whose
	// records point to each other.
	Parent []byte

	// Role is who has to say it. Relink fills it in for formats whose readers
	// want the sides to alternate.
	Role model.Role

	// Steps are the native numbers of the first and last step it covers. relink
	// fills them in for formats that number their records.
	Steps [2]string
}

// Change is what a compaction does to one thread, in stored indices.
type Change struct {
	Conversation int
	Thread       int
	Drop         []int32 // messages that go: summarised or dropped
	Clear        []int32 // tool results whose output becomes Note
	Thinking     []int32 // messages that stay without their signed thinking
	Note         func(stored int32) string
	Summaries    []Summary
	Damaged      bool // lines that could not be read are copied as well
}

// Relink is a reference of a kept record that had to change because what it
// pointed to is gone.
type Relink struct {
	Line  int    `json:"line,omitempty"` // of the record; 0 where lines mean nothing
	Off   int64  `json:"offset"`
	Field string `json:"field"`
	From  string `json:"from"`
	To    string `json:"to"`
}
