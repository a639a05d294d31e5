package session

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"palimpsest/compaction/summarize"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/model"
	"palimpsest/model/tokens"
	"palimpsest/model/transcript"
)

// Store keeps what outlives a session. The store package implements it; a nil
// Store keeps records in memory only.
type Store interface {
	// SaveRecords stores records with their originals, all of them whole or none, and
	// gives each its ID. Records that a restore undid are switched off with them.
	SaveRecords(ctx context.Context, recs []*model.Record, src func(i int) model.Originals, undone ...string) error
	// Record finds a record by its ID or UID.
	Record(ctx context.Context, id string) (*model.Record, error)
	// SourceRecords returns the whole records made on a file, oldest first.
	SourceRecords(ctx context.Context, sha256 string) ([]model.Record, error)
	// PathRecords returns the whole records made on whatever file was at a path, oldest
	// first.
	PathRecords(ctx context.Context, path string) ([]model.Record, error)
	// WriteSource writes a record's input file byte for byte.
	WriteSource(ctx context.Context, id string, w io.Writer) error
	// SetOutput notes the compacted file written from a record.
	SetOutput(ctx context.Context, id, path, sha256 string) error
	// ByOutput finds the record a file was written from.
	ByOutput(ctx context.Context, sha256 string) (*model.Record, bool, error)
}

// Lookup finds the record that a file was written from. Every Store is one.
type Lookup interface {
	Record(ctx context.Context, id string) (*model.Record, error)
	ByOutput(ctx context.Context, sha256 string) (*model.Record, bool, error)
}

// Options hand in what a session must not fetch for itself.
type Options struct {
	Store Store

	// Lookup finds what a file was written from where nothing is stored; nil: Store.
	Lookup Lookup

	// Conversations are the recorded conversations that Open opens by name; nil:
	// there are none, and every name is a path.
	Conversations Conversations

	Now func() time.Time // nil: time.Now
	UID func() string    // new UUIDs; nil: random ones

	// Summarise makes the summary texts; nil: summarize.Make, which is offline.
	Summarise func(context.Context, summarize.Request) (summarize.Result, error)

	// Model returns the model that makes summaries for the strategy model; nil, or a
	// nil model: none is set up. It is called when a summary was asked for.
	Model func() (*SummaryModel, error)
	// Answers keeps what models answered; nil: every question is asked.
	Answers Answers
	// AcceptFlaws lets what nobody reads first (Draft, Compact) take an answer
	// that has flaws. They are recorded.
	AcceptFlaws bool
	// Sending is called with what is about to be sent where nobody reads it first
	// (Draft, Compact); nil: nobody is notified.
	Sending func(*Enquiry)
	// KeepSent keeps the texts that were sent in the record.
	KeepSent bool
	// Also are kinds that are withheld besides those that always are.
	Also []redact.Kind

	// Factors are those a person set for models whose vocabulary is not public.
	// Where a file reports usage, the factor that is fitted to it goes before them.
	Factors tokens.Factors
	// Ratio is how many tokens the server of a running session counts for each that the
	// vocabulary makes of what the file holds; it counts where the file reports no usage.
	// 0: it is not known.
	Ratio float64

	// Scan makes what looks texts through for secrets; nil: redact.New.
	Scan Scan

	// Verb is set where a verb works on the file: its sessions begin with the file
	// as it is, whatever records there are of it, and the records they make are marked so. A
	// file that was written from a record names that record as their base.
	Verb bool
}

// Scan makes what looks texts through for secrets; ids are none, whatever they
// look like. While it fails nothing leaves the machine.
type Scan func(ids ...string) (*redact.Redactor, error)

func (o Options) withDefaults() Options {
	if o.Summarise == nil {
		o.Summarise = summarize.Make
	}
	if o.Lookup == nil && o.Store != nil {
		o.Lookup = o.Store
	}
	if o.Scan == nil {
		o.Scan = redact.New
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.UID == nil {
		o.UID = NewUID
	}
	return o
}

// NewUID makes a random UUID, of version 4.
func NewUID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, by its contract
	return UIDOf(b[:], 4)
}

// UIDOf spells the first 16 bytes as a UUID of a version.
func UIDOf(from []byte, version byte) string {
	b := [16]byte(from)
	b[6], b[8] = b[6]&0x0f|version<<4, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// File is an opened document.
type File struct {
	Doc *model.Document
	opt Options

	recorded *recorded // nil: it was opened from a file
	titles   *sync.Map // of conversations, by number: what a person said first is read once
}

// Open reads the transcript at path, or the recorded conversation of the name
// conversation:ID. Errors a person can act on are *model.Problem.
func Open(ctx context.Context, path string, opt Options, ro transcript.Options) (*File, error) {
	if id, ok := ConversationID(path); ok && opt.Conversations != nil {
		return OpenConversation(ctx, opt.Conversations, id, opt)
	}
	d, err := transcript.Open(ctx, path, ro)
	if err != nil {
		return nil, err
	}
	d.Path = model.AbsolutePath(d.Path) // records and messages outlive the working folder
	return NewFile(d, opt), nil
}

// NewFile takes a document that is read already.
func NewFile(d *model.Document, opt Options) *File {
	return &File{Doc: d, opt: opt.withDefaults(), titles: new(sync.Map)}
}

// Close closes the source. Texts can't be read any more.
func (f *File) Close() error {
	if c, ok := f.Doc.Source.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Ref names one thread of a file.
type Ref struct {
	Conversation, Thread int
}

// Title is what to call a conversation on a screen: its own title, else the
// first words a person typed, else the file's name.
func (f *File) Title(conversation int) string {
	c := f.Doc.Conversations[conversation]
	t := c.Main()
	typed := slices.DeleteFunc(slices.Clone(t.History[:min(len(t.History), titleScan)]), func(i int32) bool {
		return !t.Messages[i].Typed() || t.Messages[i].Preview == ""
	})
	title := c.Title
	if title == "" {
		title = strings.TrimPrefix(f.Name(), model.ConversationPrefix)
		if len(typed) > 0 {
			title = t.Messages[typed[0]].Preview
		}
	}
	if len(typed) == 0 || !strings.HasPrefix(t.Messages[typed[0]].Preview, strings.TrimSuffix(title, "…")) {
		return unmarked(title) // its own, or nobody typed anything
	}
	if known, ok := f.titles.Load(conversation); ok {
		return known.(string)
	}
	for _, i := range typed {
		if said, changed := f.said(&t.Messages[i]); changed && said != "" {
			title = said
		} else if changed {
			continue // a program's words alone
		} else if i != typed[0] {
			title = t.Messages[i].Preview
		}
		break
	}
	title = unmarked(title)
	f.titles.Store(conversation, title)
	return title
}

// unmarked is a title without the marks of a Markdown heading or of bold first words.
func unmarked(title string) string {
	title = strings.TrimLeft(title, "# ")
	if bold, ok := strings.CutPrefix(title, "**"); ok {
		title = strings.Replace(bold, "**", "", 1)
	}
	return title
}

// titleScan bounds the messages that are looked at for a title, titleRunes a title
// that is made of a text.
const titleScan, titleRunes = 64, 80

// said is the beginning of what a person said in a message, on one line, and
// whether a program had put anything around it.
func (f *File) said(m *model.Message) (string, bool) {
	parts, err := f.Doc.Parts(m)
	if err != nil {
		return "", false
	}
	var texts []string
	for i := range parts {
		if parts[i].Kind == model.PartText {
			texts = append(texts, parts[i].Text)
		}
	}
	text := strings.Join(texts, "\n")
	said := model.Said(text)
	var line []rune
	for word := range strings.FieldsSeq(said) {
		if len(line) > 0 {
			line = append(line, ' ')
		}
		line = append(line, []rune(word[:min(len(word), titleRunes*utf8.UTFMax)])...)
		if len(line) > titleRunes {
			line = append(line[:titleRunes-1], '…')
			break
		}
	}
	return string(line), said != text
}

// Name is the file's name without folder and extension, or the name of a
// recorded conversation.
func (f *File) Name() string {
	if _, ok := ConversationID(f.Doc.Path); ok {
		return f.Doc.Path
	}
	base := filepath.Base(f.Doc.Path)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// Has reports whether the file holds a thread.
func (f *File) Has(ref Ref) bool { return threadAt(f.Doc, ref) != nil }

// threadAt is a thread of a document, or nil.
func threadAt(d *model.Document, ref Ref) *model.Thread {
	if ref.Conversation >= len(d.Conversations) || ref.Thread >= len(d.Conversations[ref.Conversation].Threads) {
		return nil
	}
	return d.Conversations[ref.Conversation].Threads[ref.Thread]
}

// Choice is one thread a person may choose.
type Choice struct {
	Ref
	ID       string // of the agent, else of the thread
	Title    string
	Kind     model.ThreadKind
	Messages int
}

// Choices lists every thread of the file in order.
func (f *File) Choices() []Choice {
	var out []Choice
	for ci, c := range f.Doc.Conversations {
		for ti := range c.Threads {
			out = append(out, Ref{ci, ti}.In(f))
		}
	}
	return out
}

// In says which thread of a file a reference means.
func (ref Ref) In(f *File) Choice {
	c := f.Doc.Conversations[ref.Conversation]
	t := c.Threads[ref.Thread]
	ch := Choice{Ref: ref, ID: cmp.Or(t.AgentID, t.ID), Title: f.Title(ref.Conversation), Kind: t.Kind, Messages: len(t.History)}
	if name := agentName(c, t); name != "" && ref.Thread > 0 {
		ch.Title = name
	}
	return ch
}

// agentName is the name of the agent of a thread; "" if it has none.
func agentName(c *model.Conversation, t *model.Thread) string {
	for _, a := range c.Agents {
		if a.ID == t.AgentID && a.Name != "" {
			return a.Name
		}
	}
	return ""
}

// Find chooses a thread: the conversation by its number (1-based; 0: the only
// one) and the agent or thread by id or name ("": the main thread). When there
// is no single answer the error is a *model.Problem that lists the choices.
func (f *File) Find(conversation int, agent string) (Ref, error) {
	n := len(f.Doc.Conversations)
	switch {
	case conversation == 0 && n > 1:
		return Ref{}, f.ambiguous(fmt.Sprintf("%s holds %d conversations.", f.Doc.Path, n), "Choose one with --conversation N.")
	case conversation < 0 || conversation > n:
		return Ref{}, f.ambiguous(fmt.Sprintf("There is no conversation %d.", conversation), fmt.Sprintf("Choose one from 1 to %d.", n))
	case conversation > 0:
		conversation--
	}
	if agent == "" {
		return Ref{Conversation: conversation}, nil
	}
	c := f.Doc.Conversations[conversation]
	for i, t := range c.Threads {
		if t.AgentID == agent || t.ID == agent || agentName(c, t) == agent {
			return Ref{conversation, i}, nil
		}
	}
	return Ref{}, f.ambiguous(fmt.Sprintf("There is no agent %q.", agent), "Choose one with --agent ID.")
}

func (f *File) ambiguous(what, next string) error {
	var list strings.Builder
	const most = 40
	choices := f.Choices()
	for _, c := range choices[:min(len(choices), most)] {
		fmt.Fprintf(&list, "\n  %d  %s  %s  %d messages  %s", c.Conversation+1, c.Kind, c.ID, c.Messages, c.Title)
	}
	if len(choices) > most {
		fmt.Fprintf(&list, "\n  … and %d more", len(choices)-most)
	}
	return &model.Problem{Code: "choose", What: what, Next: next + list.String()}
}
