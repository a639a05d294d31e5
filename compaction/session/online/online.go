// Package online joins the client that talks to a network with those that want
// summaries and know of no network: sessions and automatic compaction. Nothing
// is sent until one of them asks.
package online

import (
	"context"
	"errors"

	"palimpsest/compaction/auto"
	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize"
	"palimpsest/compaction/summarize/remote"
)

// Model is the model of an endpoint, for a session. The window may be 0: then it
// is known from the model's name, or assumed.
func Model(c *remote.Client, window int, price session.Price) *session.SummaryModel {
	end := c.Endpoint()
	return &session.SummaryModel{Name: end.Model, Host: end.Host(), Window: window, Price: price, Ask: Asker(c)}
}

// Asker puts the questions of an enquiry to the client.
func Asker(c *remote.Client) summarize.Asker {
	return func(ctx context.Context, q summarize.Question, ceiling int, progress func(summarize.AskEvent)) (summarize.ModelAnswer, error) {
		a, err := c.Complete(ctx, remote.Prompt{System: q.Guard, User: q.Prompt, MaxTokens: ceiling, Temperature: auto.SummaryTemperature,
			Exact: q.Exact},
			func(p remote.Progress) {
				if p.Delta != "" || p.Reset {
					e := summarize.AskEvent{Delta: p.Delta, Reset: p.Reset, Wait: p.Wait}
					if p.After != nil {
						e.After = p.After
					}
					progress(e)
				}
			})
		if err != nil {
			return summarize.ModelAnswer{}, stopped(err)
		}
		return summarize.ModelAnswer{Text: a.Text, Model: a.Model, Refusal: a.Refusal, CutOff: a.Finish == remote.CutOff,
			Filtered: a.Finish == remote.Filtered, Input: a.Input, Output: a.Output}, nil
	}
}

// stopped makes a call that its caller ended an error of the context, as those
// above expect.
func stopped(err error) error {
	var f *remote.Failure
	if errors.As(err, &f) && f.Kind == remote.Stopped && f.Err == nil {
		return errors.Join(context.Canceled, err)
	}
	return err
}

// Summaries is the client as automatic compaction asks it.
func Summaries(c *remote.Client) auto.SummaryClient { return summaries{c} }

type summaries struct{ client *remote.Client }

// Summarise puts one question. A refusal is an error; an answer that ends at its
// ceiling is cut at the end of a sentence by who asked.
func (s summaries) Summarise(ctx context.Context, r auto.SummaryRequest) (string, error) {
	p := remote.Prompt{Model: r.Model, System: r.System, User: r.Prompt, MaxTokens: r.MaxTokens, Temperature: float32(r.Temperature)}
	a, err := s.client.Complete(ctx, p, nil)
	switch {
	case err != nil:
		return "", stopped(err)
	case a.Refusal != "" || a.Finish == remote.Filtered:
		return "", errors.New("the model refused to make the summary")
	}
	return a.Text, nil
}
