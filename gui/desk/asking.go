package desk

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/online"
	"palimpsest/compaction/summarize"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/compaction/summarize/remote"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/gui/state/plan"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// drafting makes drafts of the plan, by itself or by asking a model, and
// applies them.
type drafting struct {
	subject
	job    *Job
	asks   online.Connection // who makes summaries; nothing is sent unasked
	asking *Asking
	rules  atomic.Pointer[[]redact.Own] // of a person; nil: not read yet
}

// Codes of the notices about a question that was not answered well: it failed,
// and it failed and the policy had something else done.
const (
	NoticeAskFailed    = "askFailed"
	NoticeAskedInstead = "askedInstead"
)

// Asking is a question to a model: worded, under way, or ended.
type Asking struct {
	Enquiry *session.Enquiry // nil while it is worded
	Started time.Time        // zero: nothing was sent
	Ended   time.Time        // zero: worded, or under way
	Err     error            // how it failed
	Instead string           // what the policy had done in place of the answer

	asking session.Asking
	of     *session.Session
	policy model.Policy
	stop   context.CancelFunc

	waker remote.Waker
	mu    sync.Mutex // the client writes, the window reads
	heard Heard
	parts []*askedPart
}

// askedPart is a part with the text that comes.
type askedPart struct {
	Part
	text strings.Builder
}

// Part is how far one question of an asking is; where a range is long there are several.
type Part struct {
	Begun, Answered bool
	Text            string
	Again           time.Time // when another attempt begins; zero: none is waited for
	After           error     // what the attempt before failed with; nil: it did not
}

// Heard is how far an asking is.
type Heard struct {
	Done, Calls int
	Again       int // attempts that failed and were made again
	Merging     bool
	Last        int    // the part that was heard of last
	Chars       int    // code points received in all
	Parts       []Part // in the order of the questions, as far as they were put
}

// Text is that of the answer that came last.
func (h *Heard) Text() string {
	if h.Last < len(h.Parts) {
		return h.Parts[h.Last].Text
	}
	return ""
}

// Pausing is the part that waits for another attempt, the one whose turn is next; -1:
// none does.
func (h *Heard) Pausing() int {
	at := -1
	for i, p := range h.Parts {
		if !p.Again.IsZero() && (at < 0 || p.Again.Before(h.Parts[at].Again)) {
			at = i
		}
	}
	return at
}

// Running reports whether a model is being asked.
func (a *Asking) Running() bool { return a != nil && !a.Started.IsZero() && a.Ended.IsZero() }

// Ready reports whether the question is worded and waits for a person's word.
func (a *Asking) Ready() bool { return a != nil && a.Enquiry != nil && a.Started.IsZero() }

// Heard is how far it is.
func (a *Asking) Heard() Heard {
	a.mu.Lock()
	defer a.mu.Unlock()
	h := a.heard
	h.Parts = make([]Part, len(a.parts))
	for i, p := range a.parts {
		h.Parts[i] = p.Part
		h.Parts[i].Text = p.text.String()
	}
	return h
}

// Text is that of the answer that came last.
func (a *Asking) Text() string {
	h := a.Heard()
	return h.Text()
}

// Again has the parts that wait for another attempt make it now.
func (a *Asking) Again() { a.waker.Wake() }

// Instruction is what the person added.
func (a *Asking) Instruction() string { return a.asking.Instruction }

// Whole reports whether long texts are sent whole.
func (a *Asking) Whole() bool { return a.asking.Whole }

// LooksFor reports whether a kind is withheld by choice.
func (a *Asking) LooksFor(kind redact.Kind) bool { return slices.Contains(a.asking.Also, kind) }

// Kept reports whether a finding is sent although it looks like a secret.
func (a *Asking) Kept(secret string) bool { return a.asking.Keep[secret] }

func (a *Asking) hear(h summarize.AskProgress) {
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.parts) <= h.Question {
		a.parts = append(a.parts, &askedPart{})
	}
	p := a.parts[h.Question]
	p.Begun, p.Answered, p.Again = true, h.Answered, time.Time{}
	if h.Reset {
		p.text = strings.Builder{}
	}
	if h.After != nil {
		p.Again, p.After = time.Now().Add(h.Wait), h.After
		a.heard.Again++
	}
	p.text.WriteString(h.Delta)
	a.heard.Done, a.heard.Calls, a.heard.Merging = h.Done, h.Calls, h.Merging
	if h.Delta != "" || h.Reset {
		a.heard.Last = h.Question
		a.heard.Chars += len([]rune(h.Delta))
	}
}

// Asking is the question of the moment; nil: none.
func (d *drafting) Asking() *Asking { return d.asking }

// Writing reports whether a model is writing the summary of the plan on the screen.
func (d *drafting) Writing() bool {
	a := d.asking
	return a.Running() && a.of == d.desk.Session() && plan.Same(a.policy, d.desk.Planning.Params())
}

// Provider is who makes summaries.
func (d *drafting) Provider() online.Provider { return d.asks.Provider() }

// SetProvider changes who makes summaries, and keeps it. Nothing is sent.
func (d *drafting) SetProvider(p online.Provider) {
	d.asks.Use(p)
	d.Notify(TopicAsking)
	d.Sched.Cancel("provider") // what is being read was kept before
	d.Keep(online.Setting, p)
}

// OwnRules are what a person has withheld besides what looks like a secret.
func (d *drafting) OwnRules() []redact.Own {
	if list := d.rules.Load(); list != nil {
		return *list
	}
	return nil
}

// SetOwnRules changes and keeps them. They hold from the next thing that leaves, in
// histories that are open too.
func (d *drafting) SetOwnRules(list []redact.Own) {
	d.rules.Store(&list)
	d.Sched.Cancel("own rules")
	d.Keep(session.OwnRulesSetting, list)
}

// scan looks through what leaves by the rules of a person, too: by those in the
// database until they were read.
func (d *drafting) scan() session.Scan {
	st := d.Store
	return session.ScanAlso(func() (list []redact.Own, err error) {
		if now := d.rules.Load(); now != nil {
			return *now, nil
		}
		if st != nil {
			_, err = st.Setting(context.Background(), session.OwnRulesSetting, &list)
		}
		return list, err
	})
}

// loadProvider reads who makes summaries from the database.
func (d *drafting) loadProvider() {
	st := d.Store
	if st == nil {
		return
	}
	state.Run(d.core, "own rules", func(ctx context.Context) (list []redact.Own, err error) {
		_, err = st.Setting(ctx, session.OwnRulesSetting, &list)
		return list, err
	}, func(list []redact.Own) {
		d.rules.Store(&list)
	})
	state.Run(d.core, "provider", func(ctx context.Context) (online.Provider, error) {
		var p online.Provider
		_, err := st.Setting(ctx, online.Setting, &p)
		return p, err
	}, func(p online.Provider) {
		d.asks.Use(p)
		d.Notify(TopicAsking)
	})
}

// TestProvider asks a server for its models: the one request that a test of the
// connection begins with. done is called on the window's goroutine.
func (d *drafting) TestProvider(p online.Provider, done func(*remote.Found, error)) {
	sched.Run(d.Sched, "testProvider", func(ctx context.Context, _ func(sched.Progress)) (*remote.Found, error) {
		return online.Test(ctx, p)
	}, done)
}

// AskOneWord asks a server's model for one word, which proves that it answers. done
// is called on the window's goroutine.
func (d *drafting) AskOneWord(p online.Provider, done func(*remote.Answer, error)) {
	sched.Run(d.Sched, "testProvider", func(ctx context.Context, _ func(sched.Progress)) (*remote.Answer, error) {
		return online.AskOneWord(ctx, p)
	}, done)
}

// Summarised is the summary of a sample that a server's model made.
type Summarised struct {
	Draft  *session.Draft
	Sent   string        // the first question, word for word
	Tokens int           // of that question, as counted here
	First  time.Duration // until its first word; 0: it came in one piece
}

// SummariseSample has a server's model summarise a part of a sample, in the way in which
// it would summarise a history. done is called on the window's goroutine.
func (d *drafting) SummariseSample(p online.Provider, name string, sample []byte, done func(*Summarised, error)) {
	from := source{name, sample}
	sched.Run(d.Sched, "testProvider", func(ctx context.Context, _ func(sched.Progress)) (*Summarised, error) {
		var c online.Connection
		p.Tries = 1
		c.Use(p)
		defer c.Close()
		f, err := from.openRemembered(ctx, nil, session.Options{Model: c.Model}, transcript.Options{})
		if err != nil {
			return nil, err
		}
		defer f.Close()
		s, err := f.Session(ctx, session.Ref{}, nil)
		if err != nil {
			return nil, err
		}
		policy := s.Policy()
		policy.Strategy = model.ModelText
		policy.Tail, policy.Budget = model.Amount{N: 60, Unit: model.Messages}, model.Amount{N: 400, Unit: model.Tokens}
		e, err := s.Enquire(ctx, policy, compaction.Options{Manual: true}, session.Asking{Fresh: true}, nil)
		if err != nil {
			return nil, err
		}
		out := &Summarised{Sent: e.Questions[0].Prompt, Tokens: s.CountText(e.Questions[0].Prompt)}
		began, pieces := time.Now(), 0
		out.Draft, err = s.Ask(ctx, e, func(h summarize.AskProgress) {
			if h.Delta == "" {
				return
			}
			if pieces++; pieces == 1 {
				out.First = time.Since(began)
			}
		})
		if pieces < 2 {
			out.First = 0
		}
		return out, err
	}, done)
}

// StopTest ends a test of a server that is under way.
func (d *drafting) StopTest() { d.Sched.Cancel("testProvider") }

// SaveKey puts a key into the key store of the system.
func (d *drafting) SaveKey(account, key string, done func(error)) {
	sched.Do(d.Sched, "key", func(context.Context, func(sched.Progress)) error { return remote.SaveKey(account, key) }, done)
}

// Enquire words what a model would be asked with the parameters on the screen.
// Nothing is sent before [Desk.Send].
func (d *drafting) Enquire(a session.Asking) {
	s := d.desk.Session()
	if s == nil || d.asking.Running() {
		return
	}
	d.desk.Planning.Commit()
	ask := &Asking{asking: a, of: s, policy: d.desk.Planning.Params()}
	d.asking = ask
	p := d.desk.Planning.Params()
	sched.Run(d.Sched, "enquire", func(ctx context.Context, _ func(sched.Progress)) (*session.Enquiry, error) {
		return s.Enquire(ctx, p, compaction.Options{Manual: true}, a, nil)
	}, func(e *session.Enquiry, err error) {
		if d.asking != ask {
			return
		}
		if err != nil {
			d.asking = nil
			d.Fail(err)
		} else {
			ask.Enquiry = e
		}
		d.Notify(TopicAsking)
	})
}

// Reword words the question that was not sent again, after a change of what is asked.
func (d *drafting) Reword(change func(a *session.Asking)) {
	if d.asking.Ready() {
		a := d.asking.asking
		change(&a)
		d.Enquire(a)
	}
}

// Let sends a finding although it looks like a secret, or withholds it again.
func (d *drafting) Let(secret string, send bool) {
	d.Reword(func(a *session.Asking) {
		keep := map[string]bool{secret: send}
		for k, v := range a.Keep {
			if k != secret {
				keep[k] = v
			}
		}
		a.Keep = keep
	})
}

// Also has a kind withheld that is not looked for unasked, or no longer.
func (d *drafting) Also(kind redact.Kind, on bool) {
	d.Reword(func(a *session.Asking) { a.Also = with(a.Also, kind, on) })
}

// with is a list with or without a kind.
func with(list []redact.Kind, kind redact.Kind, on bool) []redact.Kind {
	list = slices.DeleteFunc(slices.Clone(list), func(k redact.Kind) bool { return k == kind })
	if on {
		list = append(list, kind)
	}
	return list
}

// CanAsk reports whether there is something to ask a model: a plan that applies,
// or one that only its last answer prevents.
func (d *drafting) CanAsk() bool {
	return d.desk.Session() != nil && d.desk.Planning.Plan() != nil && d.Later() == nil && !d.job.Running() &&
		(d.desk.Planning.Plan().Outcome == compaction.WouldApply || len(d.desk.DraftSet.Drafts()) > 0)
}

// Forget drops a question that was not sent.
func (d *drafting) Forget() {
	if d.asking != nil && !d.asking.Running() {
		d.asking = nil
		d.Notify(TopicAsking)
	}
}

// tick announces TopicAsking every second while a model is asked.
func (d *drafting) tick(a *Asking) {
	sched.Do(d.Sched, "tick", func(ctx context.Context, _ func(sched.Progress)) error {
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
		return nil
	}, func(error) {
		if a.Running() {
			d.Notify(TopicAsking)
			d.tick(a)
		}
	})
}

// Send puts the question. The answer becomes a draft beside the former ones; a
// failure is recorded, and what the policy says about failures is done.
func (d *drafting) Send() {
	s, a := d.desk.Session(), d.asking
	if s == nil || !a.Ready() {
		return
	}
	for _, n := range slices.Clone(d.desk.notices) { // of a question that is put again
		if n.Code == NoticeAskFailed || n.Code == NoticeAskedInstead {
			d.desk.CloseNotice(n)
		}
	}
	d.asks.Forgive() // a person asks
	ctx, stop := context.WithCancel(context.Background())
	a.Started, a.stop = time.Now(), stop
	d.Notify(TopicAsking, TopicPlan)
	d.tick(a)
	sched.Run(d.Sched, "ask", func(own context.Context, progress func(sched.Progress)) (*session.Draft, error) {
		own, done := context.WithCancel(own)
		defer done()
		defer context.AfterFunc(ctx, done)()
		dr, err := s.Ask(remote.WithWaker(own, &a.waker), a.Enquiry, func(h summarize.AskProgress) {
			a.hear(h)
			progress(sched.Progress{Done: int64(h.Done), Total: int64(h.Calls)})
		})
		if err == nil {
			return dr, nil
		}
		outcome, reason := session.Ending(err)
		if _, noteErr := s.Records.Note(context.WithoutCancel(own), nil, a.policy, outcome, reason); noteErr != nil {
			err = errors.Join(err, noteErr)
		}
		if outcome == model.Cancelled {
			return nil, err
		}
		if instead, none := s.Instead(own, a.policy, compaction.Options{Manual: true}, err, nil); none == nil {
			return instead, err
		}
		return nil, err
	}, func(dr *session.Draft, err error) {
		stop()
		d.answered(s, a, dr, err)
	})
}

func (d *drafting) answered(s *session.Session, a *Asking, dr *session.Draft, err error) {
	d.Sched.Cancel("tick")
	a.Ended = time.Now()
	if a.Err = err; errors.Is(err, context.Canceled) {
		d.asking = nil
	}
	if dr != nil {
		a.Instead = dr.Instead
		d.desk.DraftSet.Answered(s, a.policy, dr)
		if s == d.desk.Session() && plan.Same(d.desk.Planning.Params(), a.policy) {
			d.desk.DraftSet.Take(dr)
		}
	}
	d.Notify(TopicAsking, TopicPlan)
	if err != nil {
		d.desk.RecordList.LoadRecords()
	}
}

// CancelAsking calls the question off; nothing is changed, and it is recorded.
func (d *drafting) CancelAsking() {
	if d.asking.Running() {
		d.asking.stop()
	}
}
