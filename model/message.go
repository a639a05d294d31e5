package model

import "strconv"

// Role is who speaks, in the words of a provider request.
type Role uint8

const (
	RoleOther Role = iota // a role the program does not know; kept as it is
	RoleSystem
	RoleDeveloper
	RoleUser
	RoleAssistant
	RoleTool
)

var roleNames = [...]string{"other", "system", "developer", "user", "assistant", "tool"}

func (r Role) String() string { return roleNames[r] }

// Kind is what a message is to compaction.
type Kind uint8

const (
	KindOther     Kind = iota // not sent to any model: an event, a title, a progress note
	KindSystem                // system or developer text
	KindUser                  // from the user's side, typed or injected
	KindAssistant             // from the model: text, reasoning, calls
	KindResult                // the result of one tool call
	KindSummary               // represents messages that were compacted
	KindBoundary              // marks where a compaction happened; carries no content
)

var kindNames = [...]string{"other", "system", "user", "assistant", "tool result", "summary", "boundary"}

func (k Kind) String() string { return kindNames[k] }

// Origin distinguishes a person's words from what a program put in their mouth.
type Origin uint8

const (
	OriginUnknown     Origin = iota
	OriginTyped              // a person typed it
	OriginInjected           // context the program added: environment, reminders, instructions files
	OriginObservation        // the result of an action, sent as a user message
)

// Call is a tool call a message makes.
type Call struct {
	ID, Name string
}

// Usage is what the provider reported for the call that produced a message,
// in tokens. Input holds everything sent, cached or not.
type Usage struct {
	Input, CacheRead, CacheWrite, Output, Reasoning int
}

// Message is what a provider request holds as one. Its text is read through
// [Document.Parts].
type Message struct {
	ID       string // native id; "" if the format has none
	ParentID string
	Role     Role
	Kind     Kind
	Origin   Origin
	Error    bool   // a tool result that reports a failure
	Loads    bool   // a tool result that gives the model tools to call: no note can take its place
	Sealed   bool   // it holds a compaction that only its provider can read, of a size that is not known
	Signed   bool   // it holds thinking that its provider signed, which may be bound to all before it
	Step     int32  // 1-based number of the step record it belongs to; 0: none
	Name     string // tool name of a result, phase of a step record, author in a multi-agent log
	Model    string
	Time     int64 // Unix milliseconds; 0: unknown
	Usage    *Usage
	Calls    []Call
	Answers  string // id of the call this result answers
	Links    []Link // to calls that it holds results of, or that made its own
	Preview  string // the first words on one line, at most PreviewRunes code points
	Pieces   []Piece
}

// PreviewRunes bounds Message.Preview, so that memory does not grow with text.
const PreviewRunes = 160

// StepNumber is the number that the file gives the step record, which a file that was
// written from another keeps, else that of its place.
func (m *Message) StepNumber() int {
	if n, err := strconv.Atoi(m.ID); err == nil {
		return n
	}
	return int(m.Step)
}

// Typed reports whether the message opens a turn: a person wrote it.
func (m *Message) Typed() bool { return m.Kind == KindUser && m.Origin == OriginTyped }

// ByPerson reports whether a person's words are in the message: it opens a turn, or is the
// answer to a question of the agent.
func (m *Message) ByPerson() bool { return m.Origin == OriginTyped }

// PartKind says what a part of a message is.
type PartKind uint8

const (
	PartText PartKind = iota
	PartReasoning
	PartCall
	PartResult
	PartMedia
	PartOpaque // bytes that mean nothing to a reader: signatures, encrypted items
)

var partNames = [...]string{"text", "reasoning", "tool call", "tool result", "media", "opaque"}

func (k PartKind) String() string { return partNames[k] }

// Part is one decoded part of a message.
type Part struct {
	Kind   PartKind
	Text   string // text, reasoning, result content; the arguments of a call as the source spells them
	CallID string
	Name   string // tool name; media type; type of an opaque part
	Error  bool
	Bytes  int // size in the source of media and opaque parts, whose content is not decoded
	Pixels int // area of an image; 0: not known
}

// Parts decodes a message of the document.
func (d *Document) Parts(m *Message) ([]Part, error) { return d.Codec.Parts(d, m) }
