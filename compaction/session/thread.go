package session

import (
	"cmp"
	"fmt"
	"slices"
	"sort"
	"strings"
	"sync"

	"palimpsest/compaction"
	"palimpsest/compaction/auto"
	"palimpsest/compaction/steps"
	"palimpsest/model"
	"palimpsest/model/figure"
	"palimpsest/model/tokens"
)

// CountedThread is one thread of a file with the tokens of its messages. It is
// immutable.
type CountedThread struct {
	file   *File
	ref    Ref
	thread *model.Thread
	saved  steps.Saved // the step history that the thread is, if it is one that was saved
	counts *counts

	modelName string // of what answered last

	counter tokens.Counter // of what the file holds, fitted to the usage that it reports
	own     tokens.Counter // of texts that we write: never fitted
	fit     Fit
	calls   []call
	window  Window
	sketch  bool // the counts are estimates, see Sketch
	lineage lineage
	found   []model.Found // see Found

	sizing sync.Once
	sized  []model.Found // see SizedFound

	preparing sync.Once
	history   *compaction.History // see History

	damage damage
}

// thread is a thread of the file of which nothing is counted yet.
func (f *File) thread(ref Ref) *CountedThread {
	c := f.Doc.Conversations[ref.Conversation]
	t, saved := f.savedSteps(ref)
	noted := latestNote(f.Doc, t)
	modelName := cmp.Or(threadModel(c, t), noted.Model)
	counter := f.opt.Factors.ForModel(modelName)
	return &CountedThread{file: f, ref: ref, thread: t, saved: saved, modelName: modelName, counter: counter, own: counter,
		window: windowOf(c, t, modelName, noted.Largest)}
}

// savedSteps is a thread with the step history that it is. One that can't be restored is a
// list of summaries and steps.
func (f *File) savedSteps(ref Ref) (t *model.Thread, saved steps.Saved) {
	t = f.Doc.Conversations[ref.Conversation].Threads[ref.Thread]
	if t.Saved.Len == 0 {
		return t, saved
	}
	saved, err := steps.ReadSaved(f.saved(ref))
	if err != nil {
		list := *t
		list.Saved.Len = 0
		return &list, steps.Saved{}
	}
	return t, saved
}

// OpensWith is the policy that a thread is opened with: the settings that a program saved with
// it, if it did.
func (f *File) OpensWith(ref Ref) model.Policy {
	t, saved := f.savedSteps(ref)
	p := compaction.DefaultFor(f.Doc.Conversations[ref.Conversation], t)
	if cfg, ok := f.SavedConfig(ref); ok {
		return cfg.Policy()
	}
	if saved.None() {
		return p
	}
	q := saved.Settings.Policy()
	if q.Adaptive { // its sizes go by the length that it had
		q.Triggers, q.Tail, q.Batch = p.Triggers, p.Tail, p.Batch
	}
	return q
}

// SavedConfig is the configuration of automatic compaction that a program saved with a thread.
func (f *File) SavedConfig(ref Ref) (auto.Config, bool) {
	cfg, err := auto.ReadConfig(f.saved(ref)) // one that can't be read has none
	return cfg, err == nil && f.Doc.Format == model.FormatAgentState
}

// saved is what the program that wrote a thread saved with it; nil: nothing that can be read.
func (f *File) saved(ref Ref) []byte {
	b, _ := f.Doc.Bytes(model.Span(f.Doc.Conversations[ref.Conversation].Threads[ref.Thread].Saved))
	return b
}

// setCounts takes over the counts and fits them to what the file reports.
func (t *CountedThread) setCounts(c *counts) {
	t.counts = c
	t.calls = callsOf(t.thread, c.raw, &t.lineage)
	calls := t.calls
	from := t.lineage.from()
	if from != nil { // whose fit rests on more than what is left of its calls
		live := t.thread.LiveFrom(len(t.thread.History))
		calls = calls[sort.Search(len(calls), func(i int) bool { return calls[i].at >= live }):]
	}
	t.fit = fit(calls, t.thread, t.counter, t.file.Doc.Format)
	if from != nil && t.fit.Factor == 0 {
		t.fit = fitOf(from, t.counter.Encoding())
	}
	if t.fit.Factor > 0 {
		t.counter = t.counter.WithFactor(t.fit.Factor, t.fit.Source())
	} else if r := t.file.opt.Ratio; r > 0 && r != 1 {
		t.counter = t.counter.WithFactor(r*t.counter.Factor(), "fitted to the call before")
	}
}

// threadModel is the model that answered last.
func threadModel(c *model.Conversation, t *model.Thread) string {
	for i := len(t.History) - 1; i >= 0; i-- {
		if m := t.Messages[t.History[i]].Model; m != "" && m[0] != '<' { // "<synthetic>" is no model
			return m
		}
	}
	return c.Model
}

// adoptAfter is adopt for a policy that was used on a former reading of the
// history: what it took from that it takes from this one.
func adoptAfter(t, former *CountedThread, p model.Policy) model.Policy {
	if p.Window == former.window.Tokens {
		p.Window = 0
	}
	if p.Fixed == former.fit.Fixed {
		p.Fixed = 0
	}
	return t.adopt(p)
}

// adopt fills in what a policy takes from the history it is used on: the
// context window and the fixed part, where it does not bring its own, and what lies
// below a trigger over the fixed part.
func (t *CountedThread) adopt(p model.Policy) model.Policy {
	if p.Window == 0 {
		p.Window = t.window.Tokens
	}
	if p.Fixed == 0 {
		p.Fixed = t.fit.Fixed
	}
	if slices.ContainsFunc(p.Triggers, func(c model.Clause) bool { return c.Over }) {
		p.Triggers = slices.Clone(p.Triggers)
		for i := range p.Triggers {
			if c := &p.Triggers[i]; c.Over {
				c.At.N, c.Over = c.At.N+int(t.fit.Beyond(0, p.Fixed)), false
			}
		}
	}
	return p
}

// File is the file the thread belongs to.
func (t *CountedThread) File() *File { return t.file }

// Ref is the thread within the file.
func (t *CountedThread) Ref() Ref { return t.ref }

// Thread is the thread itself.
func (t *CountedThread) Thread() *model.Thread { return t.thread }

// Conversation is what the thread belongs to.
func (t *CountedThread) Conversation() *model.Conversation {
	return t.file.Doc.Conversations[t.ref.Conversation]
}

// Model is the name of the model that answered last in this thread, as the
// transcript spells it; "" if it names none.
func (t *CountedThread) Model() string { return t.modelName }

// Counter says how the token numbers are made.
func (t *CountedThread) Counter() tokens.Counter { return t.counter }

// Calibration is the fit to the file's own usage figures.
func (t *CountedThread) Calibration() Fit { return t.fit }

// Estimated reports whether token numbers are shown with a tilde.
func (t *CountedThread) Estimated() bool {
	return t.counter.Method() != tokens.Counted || t.counts.estimated
}

// Tokens is the size of a stored message. One that is a summary of ours has the
// size that [CountedThread.CountText] gives it.
func (t *CountedThread) Tokens(stored int32) int {
	n := 0
	if m := &t.thread.Messages[stored]; t.file.Doc.Format == model.FormatAgentState && !uncounted(m) {
		n = auto.FrameTokens * (1 + len(m.Calls)) // as its program counts it
	}
	if t.lineage.made(stored) != nil {
		return n + t.own.Scale(int(t.counts.raw[stored]))
	}
	return n + t.counter.Scale(int(t.counts.raw[stored]))
}

// itemTokens is the size of a stored message whose result may be cleared.
func (t *CountedThread) itemTokens(stored int32, cleared bool) int32 {
	n := t.Tokens(stored)
	if cleared {
		n = min(n, compaction.NoteTokens)
	}
	return int32(n)
}

// CountText is the size in tokens of a text that we write: a summary, a ledger. It
// is counted with the vocabulary of the model, or where that is not public with the
// fixed factor of its family. A factor fitted to usage holds what the messages of
// a session cost beyond their text, such as framing and hidden reasoning; a
// summary has none of that, and a budget measured by such a factor is not filled.
func (t *CountedThread) CountText(text string) int { return t.own.Count(text) }

// History is the whole history of the thread in the shape that replays walk,
// with its token counts. It is made once.
func (t *CountedThread) History() *compaction.History {
	t.preparing.Do(func() {
		t.history = compaction.NewHistory(t.thread, func(stored int32) int32 { return int32(t.Tokens(stored)) }).
			WithUnseen(t.fit.UnseenAt(0) + carried(t))
	})
	return t.history
}

// carried is how large the summaries are that were sent in the first call of the file and
// whose messages it lacks: what a replay without the compactions of the file sends, too.
func carried(t *CountedThread) (tokens int64) {
	for _, f := range t.thread.Found {
		if f.Summary < 0 || f.Clearing {
			continue
		}
		live := setOf(t.thread.Live(f.At))
		called := func(stored int32) bool { return !live[stored] || t.thread.Messages[stored].Role == model.RoleAssistant }
		if !slices.ContainsFunc(t.thread.History[:f.At], called) {
			tokens += int64(t.Tokens(int32(f.Summary)))
		}
	}
	return tokens
}

// Read decodes a stored message for looking at.
func (t *CountedThread) Read(stored int32) ([]model.Part, error) {
	parts, err := t.parts(stored)
	if err != nil {
		return nil, fmt.Errorf("read the message: %w", err)
	}
	return parts, nil
}

func (t *CountedThread) parts(stored int32) ([]model.Part, error) {
	return t.file.Doc.Parts(&t.thread.Messages[stored])
}

// Raw returns the bytes of a stored message as the source spells them, at most
// limit; more is how many bytes are left out.
func (t *CountedThread) Raw(stored int32, limit int64) (raw []byte, more int64, err error) {
	for _, p := range t.thread.Messages[stored].Pieces {
		if p.Duplicate {
			continue
		}
		span := p.Span
		if room := limit - int64(len(raw)); span.Len > room {
			more += span.Len - max(0, room)
			span.Len = max(0, room)
		}
		b, err := t.file.Doc.Bytes(span)
		if err != nil {
			return nil, 0, fmt.Errorf("read the source: %w", err)
		}
		raw = append(append(raw, b...), '\n')
	}
	return raw, more, nil
}

// searchText is the readable text of a stored message, with the names of the
// tools it calls.
func (t *CountedThread) searchText(stored int32) (string, error) {
	parts, err := t.parts(stored)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	for _, p := range parts {
		switch p.Kind {
		case model.PartMedia, model.PartOpaque:
			continue
		case model.PartCall:
			b.WriteString(p.Name + "\n")
		}
		b.WriteString(p.Text + "\n")
	}
	return b.String(), nil
}

// Speaker is one of several agents that speak in one history, as in the log of a
// group: they share its context and have none of their own.
type Speaker struct {
	Name     string
	Messages int
	Tokens   int64  // of its messages in the history
	Said     []Said // each of them, in order
}

// Said is one message of a speaker.
type Said struct {
	History int   // its position in the history
	Time    int64 // Unix milliseconds; 0: unknown
	Tokens  int64
	First   string // first words
}

// speakers are the agents that are named as authors of the answers of a history,
// in the order in which they first speak; none where fewer than two do.
func (t *CountedThread) speakers() []Speaker {
	var out []Speaker
	index := map[string]int{}
	for h, i := range t.thread.History {
		m := &t.thread.Messages[i]
		if m.Kind != model.KindAssistant || m.Name == "" || m.Step > 0 { // a phase of a step has a name, too
			continue
		}
		at, known := index[m.Name]
		if !known {
			at = len(out)
			index[m.Name] = at
			out = append(out, Speaker{Name: m.Name})
		}
		tokens := int64(t.Tokens(i))
		out[at].Messages++
		out[at].Tokens += tokens
		out[at].Said = append(out[at].Said, Said{History: h, Time: m.Time, Tokens: tokens, First: m.Preview})
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// Window is a context window and the evidence for it. The first that speaks counts:
//
//	set by a person > reported in the file > the largest reported call, where that is
//	above the table > the table of models > compactions in the file > assumed
type Window struct {
	Tokens int // 0: unknown
	From   WindowSource
	// Largest is the largest reported call, in tokens; 0: none is reported.
	Largest int64
	// Table is where the number of the table is from, with its date; "" where the
	// model is not in it.
	Table string
	// Suggested is what recorded automatic compactions speak for, and Compacted the
	// size at which the largest of them began: 167,600 tokens speak for 200,000. 0:
	// there are none, or they say what is known.
	Suggested int
	Compacted int64
}

// WindowSource is the evidence for a context window.
type WindowSource string

// The evidence.
const (
	WindowUnknown WindowSource = "unknown"
	WindowSet     WindowSource = "set"     // by a person
	WindowOfFile  WindowSource = "file"    // reported in it
	WindowOfCalls WindowSource = "calls"   // the largest reported call fits in no smaller one
	WindowOfTable WindowSource = "table"   // of models
	WindowAssumed WindowSource = "assumed" // nothing says it: see [tokens.AssumedWindow]
	WindowOfFound WindowSource = "found"   // the compactions in the file speak for it
)

// Why says in a few English words where the number is from.
func (w Window) Why() string {
	switch w.From {
	case WindowSet:
		return "set by hand"
	case WindowOfFile:
		return "reported in the file"
	case WindowOfCalls:
		return fmt.Sprintf("from the file: its largest call has %s tokens", figure.Int(w.Largest))
	case WindowOfTable:
		return "table of models: " + w.Table
	case WindowOfFound:
		return fmt.Sprintf("from the file: it compacted at %s tokens", figure.Int(w.Compacted))
	case WindowAssumed:
		return "assumed: the model is not in the table, and the file does not say; --model-limit sets it"
	}
	return "the model is not in the table, and the file does not say"
}

// windowOf weighs the evidence of a thread.
func windowOf(c *model.Conversation, t *model.Thread, modelName string, largest int64) Window {
	table, source, known := tokens.Window(modelName) // 0 and "" where it is not known
	w := Window{From: WindowUnknown, Largest: largest, Table: source}
	for x := range reportedCalls(t, nil, new(lineage)) {
		w.Largest = max(w.Largest, x.reported)
	}
	room, only, fits := tokens.WindowFor(modelName, w.Largest)
	switch {
	case source == tokens.OwnLimit:
		w.Tokens, w.From = table, WindowSet
	case c.Window > 0:
		w.Tokens, w.From = c.Window, WindowOfFile
	case fits && (known || only) && w.Largest > int64(table):
		w.Tokens, w.From = room, WindowOfCalls
	case known:
		w.Tokens, w.From = table, WindowOfTable
	}
	unknown := w.From == WindowUnknown
	at := largestFound(t)
	n, _, holds := tokens.WindowFor(modelName, max(at, w.Largest))
	switch {
	case at > 0 && holds && unknown:
		w.Tokens, w.From, w.Compacted = n, WindowOfFound, at
	case at > 0 && holds && n != w.Tokens:
		w.Suggested, w.Compacted = n, at
	case unknown && w.Largest <= tokens.AssumedWindow:
		w.Tokens, w.From = tokens.AssumedWindow, WindowAssumed
	case unknown && fits:
		w.Tokens, w.From = room, WindowOfCalls
	}
	return w
}

// largestFound is the largest size at which the thread's own program compacted it by itself.
func largestFound(t *model.Thread) (at int64) {
	for _, f := range t.Found {
		if f.Cause == "auto" && f.Before != nil && !f.Clearing {
			at = max(at, int64(*f.Before))
		}
	}
	return at
}

// Window is the context window that the file or the table of models gives.
func (t *CountedThread) Window() Window { return t.window }

// Under is the context window that a policy is planned with.
func (w Window) Under(p model.Policy) Window {
	if p.Window != w.Tokens {
		w.Tokens, w.From = p.Window, WindowSet
		if p.Window == 0 {
			w.From = WindowUnknown
		}
	}
	return w
}
