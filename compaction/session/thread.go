package session

import (
	"fmt"
	"sort"
	"strings"
	"sync"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/tokens"
)

// CountedThread is one thread of a file with the tokens of its messages. It is
// immutable.
type CountedThread struct {
	file    *File
	ref     Ref
	thread  *model.Thread
	counts  *counts
	counter tokens.Counter
	fit     Fit
	calls   []call
	window  Window
	sketch  bool // the counts are estimates, see Sketch
	lineage lineage

	preparing sync.Once
	history   *compaction.History // see History
}

// Window is the context window and where the number is from.
type Window struct {
	Tokens int // 0: unknown
	Source string
}

// thread is a thread of the file of which nothing is counted yet.
func (f *File) thread(ref Ref) *CountedThread {
	c := f.Doc.Conversations[ref.Conversation]
	t := c.Threads[ref.Thread]
	modelName := threadModel(c, t)
	return &CountedThread{file: f, ref: ref, thread: t, counter: f.opt.Factors.ForModel(modelName), window: windowOf(c, modelName)}
}

// setCounts takes over the counts and fits them to what the file reports.
func (t *CountedThread) setCounts(c *counts) {
	t.counts = c
	t.calls = reportedCalls(t.thread, c.raw, t.lineage.records)
	calls := t.calls
	if t.lineage.parent != nil { // whose fit rests on more than what is left of its calls
		from := t.thread.LiveFrom(len(t.thread.History))
		calls = calls[sort.Search(len(calls), func(i int) bool { return calls[i].at >= from }):]
	}
	if t.fit = fit(calls); t.fit.Calls == 0 {
		t.fit = fitOf(t.lineage.parent, t.counter.Encoding())
	}
	if t.fit.Calls > 0 {
		t.counter = t.counter.WithFactor(t.fit.Factor, t.fit.Source())
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

func windowOf(c *model.Conversation, modelName string) Window {
	if c.Window > 0 {
		return Window{c.Window, "reported in the file"}
	}
	n, source, _ := tokens.Window(modelName)
	return Window{n, source}
}

// adopt fills in what a policy takes from the history it is used on: the
// context window and the fixed part, where it does not bring its own.
func (t *CountedThread) adopt(p model.Policy) model.Policy {
	if p.Window == 0 {
		p.Window = t.window.Tokens
	}
	if p.Fixed == 0 {
		p.Fixed = t.fit.Fixed
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
func (t *CountedThread) Model() string { return threadModel(t.Conversation(), t.thread) }

// Counter says how the token numbers are made.
func (t *CountedThread) Counter() tokens.Counter { return t.counter }

// Calibration is the fit to the file's own usage figures.
func (t *CountedThread) Calibration() Fit { return t.fit }

// Window is the context window the file or the table of models gives.
func (t *CountedThread) Window() Window { return t.window }

// Estimated reports whether token numbers are shown with a tilde.
func (t *CountedThread) Estimated() bool {
	return t.counter.Method() != tokens.Counted || t.counts.estimated
}

// Tokens is the size of a stored message.
func (t *CountedThread) Tokens(stored int32) int {
	return t.counter.Scale(int(t.counts.raw[stored]))
}

// itemTokens is the size of a stored message whose result may be cleared.
func (t *CountedThread) itemTokens(stored int32, cleared bool) int32 {
	n := t.Tokens(stored)
	if cleared {
		n = min(n, compaction.NoteTokens)
	}
	return int32(n)
}

// CountText is the size of a text in tokens.
func (t *CountedThread) CountText(text string) int { return t.counter.Count(text) }

// History is the whole history of the thread in the shape that replays walk,
// with its token counts. It is made once.
func (t *CountedThread) History() *compaction.History {
	t.preparing.Do(func() {
		t.history = compaction.NewHistory(t.thread, func(stored int32) int32 { return int32(t.Tokens(stored)) })
	})
	return t.history
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
	Tokens   int64 // of its messages in the history
}

// Speakers are the agents that are named as authors of the answers of a history,
// in the order in which they first speak; none where fewer than two do.
func (t *CountedThread) Speakers() []Speaker {
	var out []Speaker
	index := map[string]int{}
	for _, i := range t.thread.History {
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
		out[at].Messages++
		out[at].Tokens += int64(t.Tokens(i))
	}
	if len(out) < 2 {
		return nil
	}
	return out
}
