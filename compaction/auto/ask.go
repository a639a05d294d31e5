package auto

import (
	"context"
	"errors"

	"palimpsest/compaction/summarize"
)

// fromModel asks the model for the summary and checks its answer.
func (a *Compactor) fromModel(ctx context.Context, j *job, list []summarize.Entry, r *Result) (string, error) {
	req, err := a.request(j, list)
	if err != nil {
		return "", err
	}
	a.mu.Lock()
	answer, known := a.cache.get(req)
	a.mu.Unlock()
	if known {
		r.Cached = true
		return answer, nil
	}
	began := a.clock.Now()
	answer, err = a.ask(ctx, j, req)
	took := a.clock.Now().Sub(began)
	if err == nil {
		answer, err = a.check(j, answer)
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
	a.cache.put(req, answer)
	return answer, nil
}

// request words the question.
func (a *Compactor) request(j *job, list []summarize.Entry) (SummaryRequest, error) {
	c := &j.cfg
	req := SummaryRequest{Model: c.model(), MaxTokens: c.SummaryMaxTokens, MaxChars: c.SummaryMaxChars, Temperature: SummaryTemperature}
	if c.CountCompat.Text {
		var err error
		req.Prompt, err = summarize.CompatPrompt(list, c.SummaryMaxChars, c.CountCompat.Bytes)
		return req, err
	}
	q, err := summarize.Prompt(summarize.Ask{Entries: list, MaxChars: c.SummaryMaxChars, MaxTokens: c.SummaryMaxTokens, Lang: j.lang})
	req.System, req.Prompt = q.Guard, q.Prompt
	return req, err
}

// check makes an answer a summary, or says why it is none.
func (a *Compactor) check(j *job, answer string) (string, error) {
	c := &j.cfg
	if c.CountCompat.Text {
		return summarize.CompatAnswer(answer, c.SummaryMaxChars)
	}
	text, err := summarize.Answer(answer, j.lang, c.SummaryMaxChars, c.SummaryMaxTokens, a.counterOf(j))
	if err != nil {
		return "", err
	}
	// What a model repeats of its prompt was redacted; what it puts together anew
	// was not.
	return summarize.Answer(a.redact(text), j.lang, c.SummaryMaxChars, c.SummaryMaxTokens, a.counterOf(j))
}

// Reply is what a summariser gave.
type Reply struct {
	Text string
	Err  error
}

// ask puts one question. The summariser runs in a goroutine of its own, so that
// one that does not heed its context can't hold the agent up; that goroutine
// lives until the summariser returns, and while it does nobody else is asked,
// so there is never more than one. Who asks by hand waits for that.
func (a *Compactor) ask(ctx context.Context, j *job, req SummaryRequest) (string, error) {
	limited, cancel := a.clock.WithTimeout(ctx, j.cfg.SummaryTimeout.Duration())
	defer cancel()
	if !a.turn(limited, j.manual) {
		return "", ErrStillAsked
	}
	replies := make(chan Reply, 1)
	go func() {
		r := answerOf(limited, a.client, req)
		<-a.asking
		replies <- r
	}()
	select {
	case r := <-replies:
		if r.Err != nil && limited.Err() != nil {
			return "", ended(ctx)
		}
		return r.Text, r.Err
	case <-limited.Done():
		return "", ended(ctx)
	}
}

// turn takes the right to ask; it is given back when the summariser returns.
func (a *Compactor) turn(ctx context.Context, patient bool) bool {
	if !patient {
		select {
		case a.asking <- struct{}{}:
			return true
		default:
			return false
		}
	}
	select {
	case a.asking <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// ended says whether the caller or the time ended a question.
func ended(ctx context.Context) error {
	if errors.Is(ctx.Err(), context.Canceled) {
		return ErrCancelled
	}
	return ErrTimeout
}

// answerOf asks, and makes a panic an error.
func answerOf(ctx context.Context, client SummaryClient, req SummaryRequest) (r Reply) {
	defer func() {
		if v := recover(); v != nil {
			r.Err = &panicError{v}
		}
	}()
	r.Text, r.Err = client.Summarise(ctx, req)
	return r
}
