package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"time"

	"github.com/sashabaranov/go-openai"
)

// Prompt is what is asked. There are no tools in it: a summariser has none.
type Prompt struct {
	Model       string // "": the endpoint's
	System      string
	User        string
	MaxTokens   int     // ceiling of the answer; 0: the server's own
	Temperature float32 // 0: the server's own
	Exact       bool    // the same answer each time, as far as the server can: temperature 0 and a seed
}

// Answer is a complete answer.
type Answer struct {
	Text    string
	Model   string // as the server names what answered
	Finish  Finish
	Refusal string // the model's words when it would not answer
	Input   int    // tokens reported by the server; 0: not reported
	Output  int
	Tries   int
	Took    time.Duration // all attempts and waits
}

// Finish says why an answer ended.
type Finish string

const (
	Ended    Finish = "stop"    // by itself
	CutOff   Finish = "length"  // at the ceiling: it is not complete
	Filtered Finish = "filter"  // by the provider's filter
	Unsaid   Finish = "unknown" // the server does not say
)

// Progress is what is reported while a call runs.
type Progress struct {
	Try   int           // 1, 2, …
	Delta string        // text that came since; "" for the other events
	Wait  time.Duration // > 0: the next attempt begins after this
	After *Failure      // why there is another attempt
	Reset bool          // an attempt failed: the text received so far is void
}

// Complete asks and returns the whole answer. tell may be nil; it is called on
// the calling goroutine, in order. The error is always a [*Failure].
func (c *Client) Complete(ctx context.Context, p Prompt, tell func(Progress)) (*Answer, error) {
	if tell == nil {
		tell = func(Progress) {}
	}
	if p.Model = cmp.Or(p.Model, c.end.Model); p.Model == "" {
		return nil, &Failure{Kind: Misconfigured, Said: "no model is set"}
	}
	a, err := c.guarded(func() (*Answer, error) { return c.ask(ctx, p, tell) })
	if f, ok := err.(*Failure); ok && p.Exact && f.Kind == BadRequest { // a server that takes no seed
		p.Exact = false
		return c.guarded(func() (*Answer, error) { return c.ask(ctx, p, tell) })
	}
	return a, err
}

// ask makes all attempts of a call.
func (c *Client) ask(ctx context.Context, p Prompt, tell func(Progress)) (*Answer, error) {
	began := c.now()
	for try := 1; ; try++ {
		a, err := c.attempt(ctx, p, try, tell)
		if err == nil {
			a.Tries, a.Took = try, c.now().Sub(began)
			return a, nil
		}
		var f *Failure
		if !errors.As(err, &f) {
			f = classify(ctx, err, &exchange{})
		}
		f.Tries = try
		wait, worth := pause(try+1, f.After)
		if try >= c.end.Tries || !f.again() || !worth {
			return nil, f
		}
		tell(Progress{Try: try + 1, Wait: wait, After: f, Reset: true})
		if err := c.wait(ctx, wait); err != nil {
			return nil, &Failure{Kind: Stopped, Tries: try, Err: err}
		}
	}
}

// attempt is one request, under the limit.
func (c *Client) attempt(ctx context.Context, p Prompt, try int, tell func(Progress)) (*Answer, error) {
	api, err := c.open()
	if err != nil {
		return nil, err
	}
	if err := c.limit.Wait(ctx); err != nil {
		return nil, &Failure{Kind: Stopped, Err: err}
	}
	within, cancel := context.WithTimeout(ctx, c.end.Timeout)
	defer cancel()
	within, seen := watch(within)
	a, err := c.stream(within, api, p, seen, func(delta string) { tell(Progress{Try: try, Delta: delta}) })
	if err != nil {
		return nil, c.scrub(classify(ctx, err, seen))
	}
	return a, nil
}

// request spells the prompt. Models that take no temperature and name the
// ceiling differently are known to the library, which is asked instead of
// keeping a list of our own.
func (c *Client) request(p Prompt) openai.ChatCompletionRequest {
	r := openai.ChatCompletionRequest{
		Model: p.Model, Temperature: p.Temperature, Stream: true,
		StreamOptions: &openai.StreamOptions{IncludeUsage: true},
	}
	//lint:ignore SA1019 the servers people run at home know no other name
	r.MaxTokens = p.MaxTokens
	if p.System != "" {
		r.Messages = append(r.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: p.System})
	}
	r.Messages = append(r.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, Content: p.User})
	if p.Exact {
		seed := 1
		r.Seed, r.Temperature = &seed, math.SmallestNonzeroFloat32 // the library leaves a 0 out
	}
	if openai.NewReasoningValidator().Validate(r) != nil {
		r.MaxTokens, r.MaxCompletionTokens, r.Temperature = 0, p.MaxTokens, 0 //lint:ignore SA1019 as above
	}
	return r
}

// event is one event of the stream, or the whole answer of a server that does
// not stream.
type event struct {
	Model   string `json:"model"`
	Choices []struct {
		Delta   words  `json:"delta"`
		Message words  `json:"message"`
		Finish  string `json:"finish_reason"`
	} `json:"choices"`
	Usage *struct {
		Input  int `json:"prompt_tokens"`
		Output int `json:"completion_tokens"`
	} `json:"usage"`
	Error *openai.APIError `json:"error"`
}

type words struct {
	Content string `json:"content"`
	Refusal string `json:"refusal"`
}

func (c *Client) stream(ctx context.Context, api *openai.Client, p Prompt, seen *exchange, tell func(string)) (*Answer, error) {
	s, err := api.CreateChatCompletionStream(ctx, c.request(p))
	if err != nil {
		return nil, err
	}
	defer s.Close()
	a := &Answer{Finish: Unsaid, Model: c.end.Model}
	var text, refusal strings.Builder
	events := 0
	for {
		raw, err := s.RecvRaw()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		var e event
		if err := json.Unmarshal(raw, &e); err != nil {
			return nil, err
		}
		if e.Error != nil {
			return nil, e.Error
		}
		events++
		if e.Model != "" {
			a.Model = e.Model
		}
		if e.Usage != nil {
			a.Input, a.Output = e.Usage.Input, e.Usage.Output
		}
		if len(e.Choices) == 0 {
			continue
		}
		ch := &e.Choices[0] // n is 1: others would be another text
		refusal.WriteString(ch.Delta.Refusal + ch.Message.Refusal)
		if said := ch.Delta.Content + ch.Message.Content; said != "" {
			text.WriteString(said)
			tell(said)
		}
		if ch.Finish != "" {
			a.Finish = finishOf(ch.Finish)
		}
	}
	switch {
	case events == 0 && seen.status == 200 && !seen.done:
		return nil, &Failure{Kind: Garbled, Status: seen.status}
	case !seen.done && a.Finish == Unsaid: // ended, and not by saying so
		return nil, fmt.Errorf("the stream ended in the middle: %w", io.ErrUnexpectedEOF)
	case text.Len() == 0 && refusal.Len() == 0 && a.Finish != Filtered:
		return nil, &Failure{Kind: NoAnswer, Status: seen.status}
	}
	a.Text, a.Refusal = strings.ToValidUTF8(text.String(), "\ufffd"), refusal.String()
	return a, nil
}

func finishOf(s string) Finish {
	switch openai.FinishReason(s) {
	case openai.FinishReasonStop:
		return Ended
	case openai.FinishReasonLength:
		return CutOff
	case openai.FinishReasonContentFilter:
		return Filtered
	}
	return Unsaid
}

// scrub takes the key out of what a server said, should it quote it, and
// bounds it to one line.
func (c *Client) scrub(f *Failure) *Failure {
	if f.Said == "" {
		return f
	}
	if key, err := c.end.Key.lookup(); err == nil && key != "" {
		f.Said = strings.ReplaceAll(f.Said, key, "…")
	}
	f.Said = strings.Join(strings.Fields(strings.ToValidUTF8(f.Said, "\ufffd")), " ")
	if r := []rune(f.Said); len(r) > saidRunes {
		f.Said = string(r[:saidRunes]) + "…"
	}
	return f
}
