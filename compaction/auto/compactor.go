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

// Compactor keeps the history of one agent within its context window, by
// number of messages, by share of the window, or both (spec C, D, K20). The agent
// appends its messages, asks [Compactor.BeforeCall] for the list to send,
// and reports what the provider says the call used. The specification calls it
// AutoCompactor.
//
// What is compacted is not lost: the full history keeps every message, and
// only the runtime list, which is sent, gets shorter. A summariser that fails,
// hangs, panics or answers rubbish changes nothing and stops nothing.
//
// All methods may be called by any number of goroutines. Per agent one summary
// is made at a time.
type Compactor struct {
	agent  string
	client SummaryClient
	clock  Clock
	log    *slog.Logger
	redact func(string) string
	count  func(string) int // nil: by the agent's model

	asking chan struct{} // holds one while a summariser has not returned, perhaps given up on

	mu          sync.Mutex
	cfg         Config
	mem         memory
	meter       usageMeter
	planner     compaction.Planner
	reportedMax int64
	sent        *sentList // by the last BeforeCall; nil: none since the list was set
	back        backOff
	useless     bool // the last miss was no failure: the list stayed too large
	flight      *flight
	cache       answerCache
	metrics     Metrics
	warned      bool // that there is no model
	state       stateExtras
	unreadable  error // a state that could not be loaded and must not be overwritten
}

// SummaryClient asks a model for a summary. It gets no tools.
type SummaryClient interface {
	// Summarise gives the model's answer. It should end when ctx does; one that
	// does not is given up on, and nobody else is asked until it returns.
	Summarise(ctx context.Context, r SummaryRequest) (string, error)
}

// SummaryRequest is one question to a summary model.
type SummaryRequest struct {
	Model       string
	System      string // what the model is told apart from the text
	Prompt      string // the one user message
	MaxTokens   int    // of the answer; 0: no limit
	MaxChars    int    // code points; 0: no limit
	Temperature float64
}

// Clock is what time there is. It is handed in, so that tests need not wait.
type Clock interface {
	Now() time.Time
	// WithTimeout is a context that ends after d.
	WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc)
}

// Options are the collaborators of a [Compactor]. Only Clock is
// needed. All are called by several goroutines, and none may call the compactor.
type Options struct {
	Agent  string              // its id, for logs and the persisted form
	Client SummaryClient       // nil: automatic compaction is inactive
	Clock  Clock               // required
	Log    *slog.Logger        // nil: nothing is logged
	Redact func(string) string // applied to every text before a prompt and to the summary after it (spec F65)
	Count  func(string) int    // tokens of a text; nil: as for Config.AgentName
}

// New makes the compactor of one agent. The error tells what is
// wrong with the configuration.
func New(cfg Config, o Options) (*Compactor, error) {
	if err := cfg.Validate(); err != nil {
		return nil, err
	}
	if o.Clock == nil {
		return nil, errors.New("automatic compaction: no clock was handed in")
	}
	a := &Compactor{agent: o.Agent, client: o.Client, clock: o.Clock, log: o.Log, redact: o.Redact, count: o.Count, cfg: cfg, asking: make(chan struct{}, 1)}
	if a.log == nil {
		a.log = slog.New(slog.DiscardHandler)
	}
	if a.redact == nil {
		a.redact = func(s string) string { return s }
	}
	a.meter.fixed = int64(cfg.Fixed)
	a.mu.Lock()
	defer a.mu.Unlock()
	a.warnInactive()
	return a, nil
}

// Config is the configuration in force.
func (a *Compactor) Config() Config {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.cfg
}

// Update changes some values (spec D7). change gets the configuration in force;
// when the result is not valid nothing is changed and the error says why. A
// compaction that is under way goes on with the values it began with.
func (a *Compactor) Update(change func(*Config)) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	c := a.cfg
	change(&c)
	if err := c.Validate(); err != nil {
		return err
	}
	recount := c.AgentName != a.cfg.AgentName
	if !a.meter.fitted {
		a.meter.fixed = int64(c.Fixed)
	}
	a.cfg = c
	if recount && a.count == nil {
		a.recount()
	}
	a.warnInactive()
	return nil
}

// recount counts everything anew, for another model.
func (a *Compactor) recount() {
	for _, list := range []*[]held{&a.mem.history, &a.mem.runtime} {
		fresh := slices.Clone(*list)
		for i := range fresh {
			fresh[i].tokens = fresh[i].msg.tokens(a.counter())
		}
		*list = fresh
	}
	a.mem.counted = countTokens(a.mem.runtime)
	a.mem.version++
	a.sent = nil
}

func (a *Compactor) counter() func(string) int {
	if a.count != nil {
		return a.count
	}
	return counterFor(&a.cfg)
}

func counterFor(c *Config) func(string) int { return tokens.ForModel(c.AgentName).Count }

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
		a.state.touch(a.clock.Now())
	}
}

// ReportUsage tells what the provider reported for the call that was made with
// the list of the last BeforeCall: tokens of the request, and the context window
// if known. A report of nothing is ignored.
func (a *Compactor) ReportUsage(r ReportedUsage) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if r.Max > 0 {
		a.reportedMax = r.Max
	}
	if r.Used <= 0 && !a.cfg.ShareCompat.any() {
		return
	}
	of := a.sent
	if of == nil {
		of = a.listNow()
	}
	a.meter.report(r, of.counted)
	if a.meter.messages = of.messages; of.version != a.mem.version {
		a.meter.clear(false) // what it tells of the count holds; the list it tells of is gone
	}
	a.state.touch(a.clock.Now())
}

// sentList is the list of a call, as far as a report on it needs.
type sentList struct {
	counted           int64
	messages, version int
}

func (a *Compactor) listNow() *sentList {
	return &sentList{a.mem.counted, len(a.mem.runtime), a.mem.version}
}

// Messages is a copy of the runtime list: what the next call would send.
func (a *Compactor) Messages() []ChatMessage {
	a.mu.Lock()
	defer a.mu.Unlock()
	return messagesOf(a.mem.runtime)
}

// History is a copy of every message there ever was (spec D12).
func (a *Compactor) History() []ChatMessage {
	a.mu.Lock()
	defer a.mu.Unlock()
	return messagesOf(a.mem.history)
}

// Records lists the compactions so far, oldest first.
func (a *Compactor) Records() []Record {
	a.mu.Lock()
	defer a.mu.Unlock()
	return slices.Clone(a.mem.records)
}

// Originals are the messages that a record's summary stands for.
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

// Decision tells what BeforeCall would do now, and why (spec D26). It does
// nothing and asks nobody.
func (a *Compactor) Decision() Decision {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.decide(false, 0)
}

// Metrics is a snapshot of what happened so far (spec D25).
func (a *Compactor) Metrics() Metrics {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.metrics
}

// Wait waits until no summary is being made, also beside the agent's work, or
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
