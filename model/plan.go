package model

// Fate is what a policy does to a message.
type Fate uint8

const (
	Kept       Fate = iota // goes to the model word for word
	Pinned                 // kept because a person or a rule pinned it
	Cleared                // stays, its tool output replaced by a short note
	Summarised             // replaced by the summary message
	Dropped                // not sent, not summarised
	Added                  // the summary message or a note
)

var (
	fateNames   = [...]string{"kept", "pinned", "cleared", "summarised", "dropped", "added"}
	fateLetters = [...]string{"K", "P", "C", "S", "D", "+"}
)

func (f Fate) String() string { return fateNames[f] }

// Letter is the fate's one-letter mark: K P C S D +.
func (f Fate) Letter() string { return fateLetters[f] }

// Fates lists all fates in the order in which they are shown.
var Fates = [...]Fate{Kept, Pinned, Cleared, Summarised, Dropped, Added}

// Size measures a list of messages.
type Size struct {
	Messages int   `json:"messages"`
	Tokens   int64 `json:"tokens"`
}

// Item is one entry of a live list: a stored message of the thread, or the
// summary of a record.
type Item struct {
	Msg     int32  `json:"msg"`               // index into Thread.Messages; -1: a summary
	Record  string `json:"record,omitempty"`  // the record whose summary this is
	Cleared bool   `json:"cleared,omitempty"` // its tool output is replaced by a note
}
