package session

import (
	"context"
	"fmt"
	"sync"

	"palimpsest/compaction"
	"palimpsest/compaction/facts"
	"palimpsest/model"
	"palimpsest/model/tokens"
)

// Model is the name of the model that answered last in this thread, as the
// transcript spells it; "" if it names none.
func (s *Session) Model() string { return threadModel(s.Conversation(), s.thread) }

// Session is one thread of a file with the records that stand on it.
type Session struct {
	file    *File
	ref     Ref
	thread  *model.Thread
	counts  *counts
	counter tokens.Counter
	fit     Fit
	calls   []call
	window  Window
	sketch  bool   // the counts are estimates, see Sketch
	base    string // record the file was written from, for verbs

	changing sync.Mutex // held while a record is made, stored and put on the stack or off it

	preparing sync.Once
	history   *compaction.History // see History
	indexing  chan struct{}       // held while the facts are indexed

	mu       sync.Mutex
	at       int // history position the plans are made at
	policy   model.Policy
	undo     []model.Policy
	redo     []model.Policy
	stack    []*model.Record // bottom first
	version  int             // grows with every change of at or stack
	line     *compaction.Line
	lineOf   lineKey
	position []int32 // entry of each history position in the line; -1: not live
	next     nextRules
	facts    *facts.Index // see Facts
}

type lineKey struct{ version, fixed int }

// Window is the context window and where the number is from.
type Window struct {
	Tokens int // 0: unknown
	Source string
}

// Session opens one thread. It counts every message of it, which takes a
// moment for a large one; progress may be nil, and is called by several
// goroutines at once.
func (f *File) Session(ctx context.Context, ref Ref, progress func(done, total int)) (*Session, error) {
	s, err := f.prepare(ctx, ref, nil, progress)
	if err != nil {
		return nil, err
	}
	if err := s.begin(ctx); err != nil {
		return nil, err
	}
	return s, nil
}

// prepare makes the session of a thread without what stands on it. Messages
// that a former session of the same thread has counted are not counted again.
func (f *File) prepare(ctx context.Context, ref Ref, former *Session, progress func(done, total int)) (*Session, error) {
	s := f.blank(ref)
	c, key := f.keptCounts(ctx, s.thread, s.counter.Encoding())
	if c == nil {
		var err error
		if c, err = countThread(ctx, f.Doc, s.thread, s.counter.Encoding(), former.counted(s.counter.Encoding()), progress); err != nil {
			return nil, err
		}
		c.estimated = c.estimated || former != nil && former.counts.estimated && !former.sketch
		f.keepCounts(ctx, key, c)
	}
	s.weigh(c)
	s.policy = s.adopt(s.policy)
	return s, nil
}

// blank is the session of a thread of which nothing is counted.
func (f *File) blank(ref Ref) *Session {
	c := f.Doc.Conversations[ref.Conversation]
	t := c.Threads[ref.Thread]
	modelName := threadModel(c, t)
	return &Session{file: f, ref: ref, thread: t, counter: f.opt.Factors.ForModel(modelName), at: len(t.History),
		window: windowOf(c, modelName), policy: compaction.Default(), indexing: make(chan struct{}, 1)}
}

// weigh takes over what the messages weigh and fits it to what the file reports.
func (s *Session) weigh(c *counts) {
	s.counts = c
	s.calls = reportedCalls(s.thread, c.raw)
	if s.fit = fit(s.calls); s.fit.Calls > 0 {
		s.counter = s.counter.WithFactor(s.fit.Factor, s.fit.Source())
	}
}

// begin finds what the session stands on.
func (s *Session) begin(ctx context.Context) error {
	if st := s.file.opt.Store; st == nil || !s.file.opt.Verb {
		return s.loadStack(ctx)
	}
	rec, ok, err := s.file.opt.Store.ByOutput(ctx, s.file.Doc.Hash())
	if err != nil {
		return fmt.Errorf("look for the record this file was written from: %w", err)
	}
	if ok {
		s.base = rec.ID
	}
	return nil
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
	if n, source, ok := tokens.Window(modelName); ok {
		return Window{n, source}
	}
	return Window{}
}

// adopt fills in what a policy takes from the history it is used on: the
// context window and the fixed part, where it does not bring its own.
func (s *Session) adopt(p model.Policy) model.Policy {
	if p.Window == 0 {
		p.Window = s.window.Tokens
	}
	if p.Fixed == 0 {
		p.Fixed = s.fit.Fixed
	}
	return p
}

// File is the file the session belongs to.
func (s *Session) File() *File { return s.file }

// Ref is the thread within the file.
func (s *Session) Ref() Ref { return s.ref }

// Thread is the thread itself.
func (s *Session) Thread() *model.Thread { return s.thread }

// Conversation is what the thread belongs to.
func (s *Session) Conversation() *model.Conversation {
	return s.file.Doc.Conversations[s.ref.Conversation]
}

// Counter says how the session's token numbers are made.
func (s *Session) Counter() tokens.Counter { return s.counter }

// Calibration is the fit to the file's own usage figures.
func (s *Session) Calibration() Fit { return s.fit }

// Window is the context window the file or the table of models gives.
func (s *Session) Window() Window { return s.window }

// Estimated reports whether token numbers wear a tilde.
func (s *Session) Estimated() bool {
	return s.counter.Method() != tokens.Counted || s.counts.estimated
}

// Tokens is what a stored message weighs.
func (s *Session) Tokens(stored int32) int {
	return s.counter.Scale(int(s.counts.raw[stored]))
}

// CountText is what a text weighs.
func (s *Session) CountText(text string) int { return s.counter.Count(text) }

// At is the history position plans are made at: the messages before it have
// been.
func (s *Session) At() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.at
}

// SetAt moves that position; it is kept between 0 and the history's length.
func (s *Session) SetAt(at int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if at = min(max(at, 0), len(s.thread.History)); at != s.at {
		s.at = at
		s.version++
	}
}

// Stack is the records that stand, bottom first.
func (s *Session) Stack() []*model.Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]*model.Record(nil), s.stack...)
}
