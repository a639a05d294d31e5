package summarize

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// Asker puts one question to a model and returns its whole answer. ceiling bounds
// the answer in tokens. report is called with what happens until then, in order, on
// any goroutine.
type Asker func(ctx context.Context, q Question, ceiling int, report func(AskEvent)) (ModelAnswer, error)

// ModelAnswer is a model's answer.
type ModelAnswer struct {
	Text     string `json:"text"`
	Model    string `json:"model"`             // as the server names what answered
	Refusal  string `json:"refusal,omitempty"` // its words when it would not answer
	CutOff   bool   `json:"cutOff,omitempty"`  // ended at the ceiling
	Filtered bool   `json:"filtered,omitempty"`
	Input    int    `json:"input"` // tokens as the server reports them; 0: it does not
	Output   int    `json:"output"`
	Cached   bool   `json:"-"` // from the answer kept of an earlier call
}

// AskEvent is what an asker reports of a question while it is put.
type AskEvent struct {
	Delta string        // text that came
	Reset bool          // the text so far is void: another attempt is made
	Wait  time.Duration // after this time
	After error         // because of this
}

// AskProgress is how far an enquiry is. It is reported by one goroutine at a time.
type AskProgress struct {
	Question int  // index of the question, counted on through those that merge
	Merging  bool // it puts parts together
	Answered bool // this question is
	Done     int  // questions answered
	Calls    int  // of so many
	AskEvent      // of this question
}

// Reply is what an enquiry led to.
type Reply struct {
	Text   string // a summary within its limits
	Flaws  []Flaw // what is wrong with it; it is not to be applied without a person's consent
	Model  string
	Calls  int // questions answered by the server
	Cached int // questions answered from what is kept
	Input  int // tokens, as reported; cached answers cost none
	Output int
}

// parallel is how many questions are put at a time.
const parallel = 3

// Run asks, merges and judges. tell may be nil. The first failure ends it; an
// answer without words is [ErrBlank]. After it returns, nothing that it started is
// still running, if the asker honours its context.
func (e *Enquiry) Run(ctx context.Context, ask Asker, tell func(AskProgress)) (*Reply, error) {
	p := &enquiryRun{e: e, ask: ask, tell: tell}
	answers, err := p.all(ctx, e.Questions, 0, false)
	if err != nil {
		return nil, err
	}
	for asked := len(e.Questions); len(answers) > 1; {
		var questions []Question
		var carried []ModelAnswer // the last one when it has no partner
		for len(answers) > 0 {
			n := min(len(answers), e.group)
			if n == 1 {
				carried = answers
				break
			}
			texts := make([]string, n)
			for i := range texts {
				texts[i] = answers[i].Text
			}
			questions, answers = append(questions, joinPrompt(e.ask, texts)), answers[n:]
		}
		if answers, err = p.all(ctx, questions, asked, true); err != nil {
			return nil, err
		}
		asked += len(questions)
		answers = append(answers, carried...)
	}
	return p.reply(answers[0])
}

// enquiryRun is an enquiry that is being asked.
type enquiryRun struct {
	e    *Enquiry
	ask  Asker
	tell func(AskProgress)

	mu    sync.Mutex
	done  int
	total Reply
	flaws []Flaw // of parts: what is wrong with one is wrong with the whole
	raw   string // the last answer, as it came
}

// all puts questions, a few at a time, and returns the answers in their order.
func (p *enquiryRun) all(ctx context.Context, questions []Question, from int, merging bool) ([]ModelAnswer, error) {
	answers := make([]ModelAnswer, len(questions))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(parallel)
	for i, q := range questions {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			p.report(AskProgress{Question: from + i, Merging: merging})
			s, err := p.ask(ctx, q, p.e.Ceiling, func(e AskEvent) {
				p.report(AskProgress{Question: from + i, Merging: merging, AskEvent: e})
			})
			if err != nil {
				return err
			}
			answers[i], err = p.take(s, from+i, merging)
			return err
		})
	}
	return answers, g.Wait()
}

// take notes an answer and makes it a summary.
func (p *enquiryRun) take(s ModelAnswer, question int, merging bool) (ModelAnswer, error) {
	p.mu.Lock()
	text := s.Text
	if text == "" {
		text = s.Refusal
	}
	p.raw = text
	if s.Cached {
		p.total.Cached++
	} else {
		p.total.Calls++
		p.total.Input += s.Input
		p.total.Output += s.Output
	}
	p.total.Model = s.Model
	ends := endings(s)
	p.flaws = append(p.flaws, ends...)
	p.done++
	p.mu.Unlock()
	p.report(AskProgress{Question: question, Merging: merging, Answered: true})
	var err error
	if s.Text, err = Answer(text, p.e.Lang, p.e.ask.MaxChars, p.e.ask.MaxTokens, p.e.count); err != nil && len(ends) > 0 {
		err = fmt.Errorf("%w (%s)", err, ends[0].Code)
	}
	return s, err
}

// reply judges the summary.
func (p *enquiryRun) reply(last ModelAnswer) (*Reply, error) {
	r := p.total
	r.Text = last.Text
	for _, f := range append(p.flaws, p.e.judge(p.raw, last.Text)...) { // the first of each code
		if !slices.ContainsFunc(r.Flaws, func(o Flaw) bool { return o.Code == f.Code }) {
			r.Flaws = append(r.Flaws, f)
		}
	}
	return &r, nil
}

func (p *enquiryRun) report(h AskProgress) {
	if p.tell == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	h.Done, h.Calls = p.done, p.e.Calls
	p.tell(h)
}
