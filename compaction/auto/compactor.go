package auto

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"sync"
	"time"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/tokens"
)

// Compactor keeps the history of one agent within its context window, by number
// of messages, by share of the window, or both. The agent
// appends its messages, asks [Compactor.BeforeCall] for the list to send, and
// reports what the provider says the call used. Its document calls it
// AutoCompressionManager, and by number of messages it is compact_history_if_needed.
//
// What is compacted is not lost: the full history keeps every message, and only
// the runtime list, which is sent, gets shorter. A summariser that fails, hangs,
// panics or answers rubbish changes nothing and stops nothing.
//
// All methods may be called by any number of goroutines. Per agent one summary
// is made at a time.
type Compactor struct {
	client SummaryClient
	clock  Clock
	redact func(string) string
	count  func(string) int // nil: by the agent's model
	asker  compaction.Asker

	mu         sync.Mutex
	cfg        Config
	mem        memory
	decider    decider
	log        eventLog
	flight     *flight                   // nil: no compaction is under way
	answers    map[SummaryRequest]string // the latest, so that no question is paid for twice
	metrics    Metrics
	unreadable error // a state that could not be loaded and must not be overwritten

	saving  chan struct{} // held while an entry is written; a slot, so that waiting can be cancelled
	journal model.Journal // nil: none
	written written
}

// SummaryClient asks a model for a summary. It gets no tools.
type SummaryClient interface {
	// Summarise returns the model's answer. It should end when ctx does; see
	// [compaction.Asker] for what becomes of one that does not, or panics.
	Summarise(ctx context.Context, r SummaryRequest) (string, error)
}

// SummaryRequest is one question to a summary model.
type SummaryRequest struct {
	Model       string
	System      string // the system message
	Prompt      string // the one user message
	MaxTokens   int    // of the answer; 0: no limit
	MaxChars    int    // code points; 0: no limit
	Temperature float64
}

// Clock is the source of time. It is handed in, so that tests need not wait.
type Clock interface {
	Now() time.Time
	// WithTimeout is a context that ends after d.
	WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc)
}

// Options are the collaborators of a [Compactor]. Only Clock is required. All are
// called by several goroutines, and none may call the compactor.
type Options struct {
	Agent  string              // its id, for logs and the persisted form
	Client SummaryClient       // nil: automatic compaction is inactive
	Clock  Clock               // required
	Log    *slog.Logger        // nil: nothing is logged
	Redact func(string) string // applied to every text before a prompt and to the summary after it
	Count  func(string) int    // tokens of a text; nil: as for Config.AgentName

	// Journal keeps the history under the name Agent, for [Open]; nil: it lives in
	// memory, and the caller saves its JSON.
	Journal model.Journal
}

// New returns the compactor of one agent. The error says what is wrong with the
// configuration. One with a journal is made by [Open].
func New(cfg Config, o Options) (*Compactor, error) {
	if o.Journal != nil {
		return nil, errors.New("automatic compaction: a compactor with a journal is opened")
	}
	return newCompactor(cfg, o)
}

func newCompactor(cfg Config, o Options) (*Compactor, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if o.Clock == nil {
		return nil, errors.New("automatic compaction: no clock was handed in")
	}
	a := &Compactor{client: o.Client, clock: o.Clock, redact: o.Redact, count: o.Count, cfg: cfg, asker: compaction.NewAsker(),
		journal: o.Journal, saving: make(chan struct{}, 1)}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if a.redact == nil {
		a.redact = func(s string) string { return s }
	}
	a.mem.agent, a.mem.meter.fixed = o.Agent, int64(cfg.Fixed)
	a.decider = decider{cfg: &a.cfg, mem: &a.mem, clock: o.Clock, client: o.Client != nil}
	a.log = eventLog{out: o.Log, cfg: &a.cfg, mem: &a.mem}
	a.log.inactive(a.decider.active())
	return a, nil
}

// Config returns the configuration in force.
func (a *Compactor) Config() Config {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cfg
}

// Update changes some values, as setAutoCompressionConfig of the document. change gets a copy of the configuration
// in force; when the result is not valid nothing is changed and the error says
// why. A compaction that is under way keeps the values it began with.
func (a *Compactor) Update(change func(*Config)) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.cfg
	change(&c)
	if err := c.Validate(); err != nil {
		return err
	}
	recount := c.AgentName != a.cfg.AgentName
	if !a.mem.meter.fitted {
		a.mem.meter.fixed = int64(c.Fixed)
	}
	a.cfg = c
	if recount && a.count == nil {
		a.mem.recount(a.counter())
	}
	a.log.inactive(a.decider.active())
	return nil
}

// counter counts the tokens of a text.
func (a *Compactor) counter() func(string) int {
	if a.count != nil {
		return a.count
	}
	return tokens.ForModel(a.cfg.AgentName).Count
}

// Append adds messages to the history, in order.
func (a *Compactor) Append(messages ...ChatMessage) {
	a.mu.Lock()
	count, name := a.counter(), a.cfg.AgentName
	a.mu.Unlock()
	list := make([]held, len(messages))
	for i := range messages { // counted outside the lock: texts may be long
		list[i] = held{msg: messages[i].clone(), tokens: messages[i].tokens(count), summary: isSummary(&messages[i])}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	stale := a.count == nil && name != a.cfg.AgentName // another model was set meanwhile
	for _, h := range list {
		if stale {
			h.tokens = h.msg.tokens(a.counter())
		}
		a.mem.append(h)
	}
	if len(list) > 0 {
		a.mem.touch(a.clock.Now())
	}
}

// ReportUsage takes in what the provider reported for the call that was made
// with the list of the last BeforeCall: tokens of the request, and the context
// window if known. A report of nothing is ignored.
func (a *Compactor) ReportUsage(r ReportedUsage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.Max > 0 {
		a.mem.reportedMax = r.Max
	}
	if r.Used > 0 || a.cfg.ShareCompat.any() {
		a.mem.report(r)
		a.mem.touch(a.clock.Now())
	}
}

// Messages is a copy of the runtime list: what the next call would send.
func (a *Compactor) Messages() []ChatMessage {
	a.mu.Lock()
	defer a.mu.Unlock()
	return messagesOf(a.mem.runtime)
}

// History is a copy of every message ever appended: getFullHistory of the document.
func (a *Compactor) History() []ChatMessage {
	a.mu.Lock()
	defer a.mu.Unlock()
	return messagesOf(a.mem.history)
}

// Records lists the compactions so far, oldest first: getCompressionHistory of the document.
func (a *Compactor) Records() []Record {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.mem.records)
}

// Originals are the messages that a record's summary was made of.
func (a *Compactor) Originals(r Record) ([]ChatMessage, error) {
	if r.History == (model.Range{}) {
		return r.carried()
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if n := len(a.mem.history); r.History.From < 0 || r.History.To > n || r.History.From > r.History.To {
		return nil, fmt.Errorf("the record covers messages %d to %d, the history holds %d", r.History.From, r.History.To, n)
	}
	return messagesOf(a.mem.history[r.History.From:r.History.To]), nil
}

// Decision is what BeforeCall would do now, and why: shouldAutoCompress of the document. It changes
// nothing and asks nobody.
func (a *Compactor) Decision() Decision {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.decider.decide(false, 0)
}

// Metrics counts what happened so far.
func (a *Compactor) Metrics() Metrics {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.metrics
}

// Wait waits until no summary is being made, in the background or for a call, or
// until ctx is done.
func (a *Compactor) Wait(ctx context.Context) error {
	for {
		a.mu.Lock()
		f := a.flight
		a.mu.Unlock()
		if f == nil {
			return nil
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}
