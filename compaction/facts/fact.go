package facts

import (
	"strings"

	"palimpsest/compaction/summarize/redact"
	"palimpsest/model"
)

// Kind says what a fact is.
type Kind uint8

// The kinds. The first four are atoms, the others phrases (see the package
// comment).
const (
	Path Kind = iota
	URL
	Number     // with its unit: "12 MB", "9.8 %"
	Identifier // snake_case, camelCase, dotted, --flag, hash, version, model name
	Command
	Error // an error message, one line
	Quoted
	Instruction // a sentence in which a person asks or forbids
	Decision    // a sentence in which the agent settles what is done
	Kinds       // how many there are
)

var kindNames = [Kinds]string{"path", "url", "number", "identifier", "command", "error", "quoted", "instruction", "decision"}

func (k Kind) String() string { return kindNames[k] }

// Atom reports whether a fact of this kind is one token, lifted wherever it
// occurs.
func (k Kind) Atom() bool { return k <= Identifier }

// Fact is a literal string of a kind.
type Fact struct {
	Kind Kind
	Text string
}

// key is what makes two facts the same: the string, and for phrases the kind. A
// token may be lifted as a path here and as a name there (x.log and x.log()); in
// one history it is one fact, of the kind that it was first lifted as.
func (f Fact) key() Fact {
	if f.Kind.Atom() {
		f.Kind = Path
	}
	return f
}

// ID names a fact in one [Index], from 0 to [Index.Len].
type ID int32

// Author is who wrote a text.
type Author uint8

const (
	Tool  Author = iota // results, observations, injected context, system text: no person's and no agent's words
	User                // a person
	Agent               // the model
)

var authorNames = [...]string{"tool", "user", "agent"}

func (a Author) String() string { return authorNames[a] }

// AuthorOf is who wrote a message. Words that a program put in a person's mouth
// are a program's.
func AuthorOf(m *model.Message) Author {
	switch {
	case m.Kind == model.KindAssistant:
		return Agent
	case m.Kind == model.KindUser && (m.Origin == model.OriginTyped || m.Origin == model.OriginUnknown):
		return User
	}
	return Tool
}

// Where says in which parts of a message a fact occurs; several may hold.
type Where uint8

const (
	InText Where = 1 << iota
	InReasoning
	InCall // the name or the arguments of a call
	InResult
	Read // the path is what a reading call reads
	Run  // the command is what a call runs
)

// Message is what a fact is lifted from: the decoded parts of one message.
// Texts may be of any size and hold anything; they are not kept.
type Message struct {
	Author Author
	Parts  []model.Part
}

// Lifted is a fact and where in its message it occurs.
type Lifted struct {
	Fact
	Where Where
	in    string // the text that it was lifted from; "": it explains nothing
	at    int    // where it begins there
}

// before is some of the text before a fact, by which a list may explain it.
func (f *Lifted) before() string { return f.in[max(0, f.at-leadBytes):f.at] }

// longestKey is how far around a fact the key is looked at that it may be a piece of, in bytes.
const longestKey = 4096

// inKey reports whether a byte occurs within a key in base64, of several lines too.
func inKey(c byte) bool {
	return class[c] == lower || class[c] == upper || isDigit(c) || strings.IndexByte("+/=_-\\\r\n", c) >= 0
}

// secret reports whether the text around a fact shows that it is a password or a key.
func (f *Lifted) secret() bool {
	from, to := f.at, f.at+len(f.Text)
	for from > 0 && f.at-from < longestKey && inKey(f.in[from-1]) {
		from--
	}
	for to < len(f.in) && to-f.at < longestKey && inKey(f.in[to]) {
		to++
	}
	from, to = max(0, from-leadBytes), min(len(f.in), to+leadBytes)
	return f.in != "" && redact.Shown(f.in[from:to], f.at-from, f.at-from+len(f.Text))
}

// Occurrence is one message in which a fact occurs.
type Occurrence struct {
	Msg    int // history position
	Author Author
	Where  Where
}

// Used reports whether the agent itself put the fact to use: in its words, its
// readable reasoning or a call.
func (o Occurrence) Used() bool {
	return o.Author == Agent && o.Where&(InText|InReasoning|InCall) != 0
}
