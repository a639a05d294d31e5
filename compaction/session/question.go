package session

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/model"
)

// Asking is how a model is asked for a summary.
type Asking struct {
	Instruction string          // what is added by hand ("regenerate with …")
	Keep        map[string]bool // findings that are sent although they look like secrets
	Let         []string        // what is sent all the same, see [redact.Sieve.Allow]
	Also        []redact.Kind   // withheld besides what always is, see [redact.ByChoice]
	Fresh       bool            // ask again what was answered before
	Whole       bool            // long texts are sent whole
}

// Enquiry is a question to a model that is ready to be put: what goes, what it
// will cost, what is withheld. Nothing was sent for it.
type Enquiry struct {
	*summarize.Enquiry
	Plan     *compaction.Plan
	Model    *SummaryModel
	Withheld []Withheld
	Known    int // questions that were answered before, and are not sent; counted for [Options.Sending]

	asking   Asking
	former   func(record string) string // texts of the stack's summaries
	template summarize.Template
	policy   model.Policy
	opts     compaction.Options
	version  int
}

// Price is the most that the enquiry costs; false when no price is known.
func (e *Enquiry) Price() (float64, bool) {
	return e.Model.Price.Of(e.Input, e.Output), e.Model.Price.Known()
}

// Enquire plans with a policy and words what a model would be asked, without
// asking it. A plan that does not apply comes back without questions.
func (s *Session) Enquire(ctx context.Context, p model.Policy, o compaction.Options, a Asking, pr Progress) (*Enquiry, error) {
	m, err := s.file.opt.model()
	if err != nil {
		return nil, err
	}
	pr.report(PhaseRange, 0, 0)
	line, version, over := s.lineFor(p)
	pl := line.Plan(p, o)
	most := o
	if most.SummaryTokens = atMost(p); most.SummaryTokens > 0 {
		if whole := line.Plan(p, most); whole.Outcome == compaction.WouldApply {
			pl, o = whole, most
		}
	}
	e := &Enquiry{Plan: pl, Model: m, asking: a, former: over.summary, template: summarize.Sections(),
		policy: p, opts: o, version: version}
	if m.Template != nil {
		e.template = *m.Template
	}
	if e.Plan.Outcome != compaction.WouldApply || e.Plan.Insert < 0 {
		return e, nil
	}
	entries, err := summariser{s: s, former: e.former, pr: pr}.entries(ctx, e.Plan)
	if err != nil {
		return nil, err
	}
	for i := range entries {
		entries[i].Uncut = a.Whole
	}
	lang := summarize.HistoryLang(entries)
	entries, instruction, sieve, err := withhold(ctx, s.file, entries, a)
	if err != nil {
		return nil, err
	}
	e.asking.Instruction, e.Withheld = instruction, sieve.Found()
	ask := summarize.Ask{Entries: entries, Lang: lang, Template: &e.template, Instruction: e.asking.Instruction,
		Ledger: p.Strategy == model.ModelNote}
	if b := summarize.WordsBudget(p.Strategy, e.Plan.Budget); b.Unit == model.Chars {
		ask.MaxChars = b.N
	} else {
		ask.MaxTokens = b.N
	}
	window, _ := m.ContextWindow()
	e.Enquiry, err = summarize.Enquire(ask, window, s.counter.Count) // most of the prompt is the history
	return e, err
}

// atMost is the most tokens of a summary within the policy's budget. A plan
// made with it need not be made again when the text is there.
func atMost(p model.Policy) int {
	n := p.BudgetInForce().N
	if n <= 0 {
		return summarize.DefaultCeiling
	}
	return n // of either unit: a code point of ordinary text is a token at most
}

// errGrew ends an enquiry whose answer is so much larger than the plan took it
// for that the range would have to grow: a model is not asked twice for one
// request.
var errGrew = errors.New("the summary is larger than planned, and the range would have to grow; lower the summary budget")

// Ask puts an enquiry and makes a draft of the answer. The draft may have flaws;
// then it is there to be read, and [Records.Apply] refuses it until
// [Session.Accept]. A failure changes nothing and is the error; what the policy
// does on failure is [Session.Instead].
func (s *Session) Ask(ctx context.Context, e *Enquiry, tell func(summarize.AskProgress)) (*Draft, error) {
	if e.Enquiry == nil {
		return newDraft(&compaction.Draft{Plan: e.Plan}, e.version, e.opts), nil
	}
	started := s.file.opt.Now()
	var reply *summarize.Reply
	k := s.keeper(e)
	defer func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		s.sent = k.sent
	}()
	write := func(ctx context.Context, pl *compaction.Plan) (compaction.Text, error) {
		if reply != nil {
			return compaction.Text{}, errGrew
		}
		var err error
		if reply, err = e.Run(ctx, k.ask, tell); err != nil {
			return compaction.Text{}, err
		}
		points := keyPoints(reply.Text)
		if e.policy.Strategy == model.ModelNote {
			if reply.Text, err = (summariser{s: s, former: e.former}).appendNote(ctx, pl, reply.Text, e.Lang); err != nil {
				return compaction.Text{}, err
			}
			reply.Flaws = e.Rejudge(reply.Flaws, reply.Text)
		}
		return compaction.Text{Text: reply.Text, Tokens: s.CountText(reply.Text), KeyPoints: points}, nil
	}
	d, err := compaction.MakeDraft(ctx, e.Plan.Line, e.policy, e.opts, write)
	larger := err == nil && d.Plan.Why.Code == "not-smaller"
	k.keep(ctx, s.file.opt.AcceptFlaws || reply == nil || len(reply.Flaws) == 0 && !larger)
	if err == nil {
		err = s.checkCalls(d.Plan)
	}
	if err != nil {
		return nil, err
	}
	out := newDraft(d, e.version, e.opts)
	out.took = s.file.opt.Now().Sub(started)
	out.Flaws, out.Asked = reply.Flaws, e.answeredBy(reply)
	out.Asked.Sent = k.sent
	if larger {
		out.Flaws = append(out.Flaws, summarize.Flaw{Code: summarize.FlawLarger, Detail: d.Plan.Why.String()})
	}
	for _, f := range out.Flaws {
		out.Asked.Flaws = append(out.Asked.Flaws, string(f.Code))
	}
	return out, nil
}

func (s *Session) keeper(e *Enquiry) *keeper {
	return &keeper{m: e.Model, answers: s.file.opt.Answers, fresh: e.asking.Fresh, log: s.file.opt.KeepSent}
}

// answeredBy is what a record keeps of an enquiry and its reply.
func (e *Enquiry) answeredBy(r *summarize.Reply) *model.Asked {
	a := &model.Asked{Host: e.Model.Host, Model: cmp.Or(r.Model, e.Model.Name), Template: e.template.Version(),
		Wording: e.template.Wording(e.Lang), Instruction: e.asking.Instruction, Parts: len(e.Questions),
		Calls: r.Calls, Cached: r.Cached, Input: r.Input, Output: r.Output}
	for _, w := range e.Withheld {
		if !w.Let {
			a.Withheld++
		}
	}
	return a
}

// keyPoints are the lines of a model's summary that are points of a list.
func keyPoints(text string) []string {
	const most, longest = 40, 200
	var out []string
	for _, l := range strings.Split(text, "\n") {
		l = strings.TrimSpace(l)
		if len(out) < most && (strings.HasPrefix(l, "- ") || strings.HasPrefix(l, "* ")) {
			out = append(out, summarize.Truncate(strings.TrimSpace(l[2:]), longest))
		}
	}
	return out
}
