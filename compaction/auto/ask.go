package auto

import (
	"context"
	"errors"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize"
	"palimpsest/model"
)

// fromModel asks the model for the summary and checks its answer.
func (a *Compactor) fromModel(ctx context.Context, j *job, list []summarize.Entry, r *Result) (string, error) {
	req, err := j.request(list)
	if err != nil {
		return "", err
	}
	a.mu.Lock()
	answer, known := a.answers[req]
	if known {
		a.metrics.Cached++
	}
	a.mu.Unlock()
	if known {
		r.Cached = true
		return answer, nil
	}
	began := a.clock.Now()
	answer, err = a.ask(ctx, j, req)
	took := a.clock.Now().Sub(began)
	if err == nil {
		answer, err = j.check(answer)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	a.metrics.Asked++
	a.metrics.SummaryTime += took
	if err != nil {
		a.metrics.Failed++
		return "", err
	}
	a.metrics.Succeeded++
	if a.answers == nil || len(a.answers) >= mostAnswers {
		a.answers = map[SummaryRequest]string{}
	}
	a.answers[req] = answer
	return answer, nil
}

// mostAnswers bounds how many are kept, for a compaction that was given up because the list
// changed, or that is made again by hand.
const mostAnswers = 8

// ask puts one question, in the time the configuration allows. A compaction by
// hand waits for an earlier question; an automatic one is refused meanwhile.
func (a *Compactor) ask(ctx context.Context, j *job, req SummaryRequest) (string, error) {
	limited, cancel := a.clock.WithTimeout(ctx, j.cfg.SummaryTimeout.Duration())
	defer cancel()
	answer, err := a.asker.Ask(limited, j.manual, func(ctx context.Context) (string, error) { return a.client.Summarise(ctx, req) })
	switch {
	case err == nil || err == compaction.ErrStillAsked || limited.Err() == nil:
		return answer, err
	case errors.Is(ctx.Err(), context.Canceled):
		return "", ErrCancelled
	}
	return "", ErrTimeout
}

// request words the question.
func (j *job) request(list []summarize.Entry) (SummaryRequest, error) {
	c := &j.cfg
	chars, tokens := j.wordsLimits()
	req := SummaryRequest{Model: c.model(), MaxTokens: tokens, MaxChars: chars, Temperature: SummaryTemperature}
	if c.CountCompat.Text {
		var err error
		req.Prompt, err = summarize.CompatPrompt(list, c.SummaryMaxChars, c.CountCompat.Bytes)
		return req, err
	}
	q, err := summarize.Prompt(summarize.Ask{Entries: list, MaxChars: chars, MaxTokens: tokens, Lang: j.lang})
	req.System, req.Prompt = q.Guard, q.Prompt
	return req, err
}

// check makes an answer a summary, or returns why it is none. It redacts the
// summary: the model may have joined harmless words to a secret.
func (j *job) check(answer string) (string, error) {
	if j.cfg.CountCompat.Text {
		return summarize.CompatAnswer(answer, j.cfg.SummaryMaxChars)
	}
	text, err := j.withinLimits(answer)
	if err != nil {
		return "", err
	}
	return j.withinLimits(j.redact(text))
}

// maxTokens is the limit of the summary. Of a list that can't be sent as it is, a
// summary is made of a short range too; it must be shorter than that.
func (j *job) maxTokens() int {
	most := j.cfg.SummaryMaxTokens
	if !j.decision.ByLimit {
		return most
	}
	heading := j.message("")
	room := int(min(countTokens(j.taken)*3/4, 1<<30)) - int(heading.tokens)
	if room = max(1, room); most == 0 || room < most {
		return room
	}
	return most
}

// withinLimits cuts a text to the limits of a summary; one that is blank or
// empty then is an error.
func (j *job) withinLimits(text string) (string, error) {
	chars, tokens := j.wordsLimits()
	return summarize.Answer(text, j.lang, chars, tokens, j.count)
}

// wordsLimits bound the model's words: what a ledger behind them leaves.
func (j *job) wordsLimits() (chars, tokens int) {
	chars, tokens = j.cfg.SummaryMaxChars, j.maxTokens()
	if j.cfg.Strategy == model.ModelNote {
		chars, tokens = (chars+1)/2, (tokens+1)/2
	}
	return chars, tokens
}

// withLedger lists literal facts behind a model's words, within the limits of the
// summary.
func (j *job) withLedger(text string, list []summarize.Entry) (string, error) {
	if j.cfg.Strategy != model.ModelNote {
		return text, nil
	}
	budget := model.Amount{N: j.maxTokens(), Unit: model.Tokens}
	if budget.N == 0 || j.cfg.SummaryMaxChars > 0 {
		budget = model.Amount{N: j.cfg.SummaryMaxChars, Unit: model.Chars}
	}
	longer, err := summarize.AppendNote(text, summarize.Request{Entries: list, Budget: budget, Lang: j.lang, Count: j.count})
	if err != nil || j.maxTokens() > 0 && j.count(longer) > j.maxTokens() {
		return text, nil
	}
	return j.redact(longer), nil
}
