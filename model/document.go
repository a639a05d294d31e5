package model

import (
	"encoding/hex"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// Format names a transcript format, for example "claude-code".
type Format string

// The formats that have a reader and a writer.
const (
	FormatClaudeCode  Format = "claude-code"
	FormatCodex       Format = "codex"
	FormatOpenAI      Format = "openai-chat"
	FormatAnthropic   Format = "anthropic"
	FormatSteps       Format = "steps"
	FormatStepHistory Format = "step-history" // the snapshot of a step history
	FormatAgentState  Format = "agent-state"  // the persisted conversation of a token-share compactor

	FormatHistoryItems Format = "history-items" // Codex history items: a conversation with its agents' contexts

	FormatPi        Format = "pi"
	FormatOpenHands Format = "openhands"
	FormatCopilot   Format = "copilot-cli"
	FormatLangChain Format = "langchain"
	FormatInspect   Format = "inspect"
	FormatADK       Format = "adk"
	FormatOpenCode  Format = "opencode"
	FormatGeneric   Format = "generic" // by a field map

	FormatResponses    Format = "openai-responses"
	FormatSWEAgent     Format = "swe-agent"
	FormatMiniSWEAgent Format = "mini-swe-agent"
	FormatTauBench     Format = "tau-bench"
	FormatShareGPT     Format = "sharegpt"
	FormatGemini       Format = "gemini"
	FormatGeminiCLI    Format = "gemini-cli"
	FormatCline        Format = "cline" // and Roo, Kilo
)

// Span is a range of bytes of a source.
type Span struct {
	Off, Len int64
}

// End is the offset of the first byte after the span.
func (s Span) End() int64 { return s.Off + s.Len }

// SegmentKind says what a segment of a source is.
type SegmentKind uint8

const (
	SegmentRecord SegmentKind = iota // a record that was understood
	SegmentBad                       // a record that could not be read; copied through untouched
)

// Segment is one record of a source; they are in order. What lies between them, and before
// and behind, is line ends, brackets and commas.
type Segment struct {
	Span
	Kind SegmentKind
	Line int32 // 1-based line on which the segment starts; 0 where lines mean nothing
}

// Array is a JSON array of the source whose elements belong to different
// messages, so that one of them can be taken out without the others. It may be
// an object as well: then the elements are its members, names included.
type Array struct {
	Span
	Elems []Span
	// Holder is what has to go when the last element goes: a record or an
	// element of another array. A zero length says that the empty array stays.
	Holder Piece
}

// Piece is a part of the source that belongs to one message: a whole record,
// or one element of an [Array].
type Piece struct {
	Span
	Array     int32 // index in Document.Arrays; -1: a record
	Duplicate bool  // the same content a second time (a UI event, say); it goes where the message goes
}

// Note is one thing the import has to say about a place in the source.
type Note struct {
	Line int   `json:"line"` // 1-based; 0 when the note is about the whole document
	Off  int64 `json:"-"`    // byte offset of the place
	// Code is a stable key: "bad-json", "bad-utf8", "truncated", "too-long", "orphan-result",
	// "duplicate-id", "unknown-role", "cycle".
	Code   string `json:"code"`
	Reason string `json:"reason"` // one English sentence
	Bad    bool   `json:"-"`      // the line was skipped: it is a SegmentBad
}

// Style is how a document spells JSON, so that an edit looks like its
// neighbourhood.
type Style struct {
	BOM       bool   // begins with a UTF-8 byte order mark
	EOL       string // "\n" or "\r\n"
	Indent    string // of one level; "" when records are on one line
	ASCII     bool   // non-ASCII characters are escaped
	Spaced    bool   // ", " and ": " inside a line
	JSONLines bool   // one record a line
}

// Guess is one format that a source may be in.
type Guess struct {
	Format     Format
	Confidence int    // 1–100, where 100 is certain
	Why        string // what gave it away, one English sentence
}

// Document is one source, read.
type Document struct {
	Path   string
	Format Format
	Why    string // how the format was recognised, one English sentence

	// Guesses are the formats the source may be in, the likeliest first. It is
	// empty where the caller said which.
	Guesses []Guess
	// Unconfirmed says that the source is in no known format and was read by a
	// guess that nobody has confirmed. It may be looked at and copied, but neither
	// compacted nor written in another form, until it is opened by a field map or
	// as generic JSON.
	Unconfirmed bool

	Size   int64       // of Source
	SHA256 [32]byte    // of the file
	Source io.ReaderAt // the bytes; must stay readable while the document is in use
	Codec  Codec

	// Packed is the file where Source is what was unpacked from it; nil: the file is
	// Source. Spans, segments and edits are those of Source.
	Packed *Packed

	Style    Style
	Segments []Segment
	Arrays   []Array
	Notes    []Note // of very many the first and the last, see Unlisted

	// Unlisted counts the notes that Notes has no room for, and UnlistedBad those of
	// them that are about skipped lines.
	Unlisted, UnlistedBad int

	Conversations []*Conversation

	// Items counts the native records that carry conversation: user and
	// assistant records, response items, array elements.
	Items int
}

// Packed is a file whose text is packed: an archive, a database, another spelling of
// characters.
type Packed struct {
	Source io.ReaderAt // the file's bytes
	Size   int64
	Text   [32]byte // the SHA-256 of what was unpacked
	Kind   string   // for a person: "gzip", "zip, gzip"
	Inner  string   // of an archive: the entry that was read

	// Pack writes the file with another text in it. It is nil where that can't be
	// done; then Why says so in a sentence.
	Pack func(w io.Writer, text []byte) error
	Why  string
}

// File returns the file's own bytes, as a copy of the document has them.
func (d *Document) File() (io.ReaderAt, int64) {
	if d.Packed != nil {
		return d.Packed.Source, d.Packed.Size
	}
	return d.Source, d.Size
}

// FilePath is the path of the file: that of the archive, where Path goes into one.
func (d *Document) FilePath() string {
	if d.Packed != nil && d.Packed.Inner != "" {
		if at, ok := strings.CutSuffix(filepath.ToSlash(d.Path), "/"+d.Packed.Inner); ok {
			return filepath.FromSlash(at)
		}
	}
	return d.Path
}

// Messages gives every message of every thread.
func (d *Document) Messages(yield func(*Message) bool) {
	for _, c := range d.Conversations {
		for _, t := range c.Threads {
			for i := range t.Messages {
				if !yield(&t.Messages[i]) {
					return
				}
			}
		}
	}
}

// Hash is the document's SHA-256 in hexadecimal.
func (d *Document) Hash() string { return hex.EncodeToString(d.SHA256[:]) }

// Bytes reads a span of the source.
func (d *Document) Bytes(s Span) ([]byte, error) { return d.AppendBytes(make([]byte, 0, s.Len), s) }

// AppendBytes appends a span of the source to a buffer that is used again.
func (d *Document) AppendBytes(b []byte, s Span) ([]byte, error) {
	from := len(b)
	b = slices.Grow(b, int(s.Len))[:from+int(s.Len)]
	if _, err := d.Source.ReadAt(b[from:], s.Off); err != nil && (err != io.EOF || s.Len == 0) {
		return nil, err
	}
	return b, nil
}

// Damaged lists the notes about lines that were skipped, of very many the first and
// the last.
func (d *Document) Damaged() []Note {
	return slices.DeleteFunc(slices.Clone(d.Notes), func(n Note) bool { return !n.Bad })
}

// DamagedCount is how many lines were skipped, listed or not.
func (d *Document) DamagedCount() int { return d.UnlistedBad + len(d.Damaged()) }

// Codec reads the text of a message back from its source.
type Codec interface {
	// Parts decodes the message. It never fails on odd content: what can't be
	// understood comes back as an opaque part. The error is the source's.
	Parts(d *Document, m *Message) ([]Part, error)
}

// Conversation is one talk between people, agents and tools.
type Conversation struct {
	ID      string
	Title   string
	Dir     string // working folder, if the source says
	Model   string // the model used last, if the source says
	Window  int    // context window in tokens as the source reports it; 0: unknown
	Agents  []Agent
	Threads []*Thread // the first is the main one

	// Shared is what the source records of the main thread if that is one that all
	// agents share; else nil.
	Shared *HistoryStats
}

// Main is the thread that a person would call the conversation.
func (c *Conversation) Main() *Thread { return c.Threads[0] }

// KeepsContexts reports whether the source is what a program keeps of its agents: a
// context for each, what it records of them, and who called whom.
func (c *Conversation) KeepsContexts() bool {
	return c.Shared != nil || slices.ContainsFunc(c.Agents, func(a Agent) bool { return a.Stats != nil })
}

// Agent is somebody who works in a context window of its own.
type Agent struct {
	ID     string
	Name   string
	Parent string      // ID of the agent that called it; "" for the first
	Stats  *AgentStats // as the source records them; nil: it does not
}
