package agent

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/sashabaranov/go-openai"

	"palimpsest/compaction/auto"
	"palimpsest/model"
)

// OpenAI is a go-openai client whose requests fit the context window: a program
// that calls its CreateChatCompletion in place of the client's needs no other
// change. It keeps one conversation; its calls are made one after the other.
type OpenAI struct {
	// Compactor holds the history: records, metrics, pins, compaction by hand.
	*auto.Compactor

	client *openai.Client
	store  Store
	id     string

	mu sync.Mutex // a call at a time
}

// Option changes what [ForOpenAI] makes.
type Option func(*options)

type options struct {
	id     string
	config auto.Config
	auto   auto.Options
}

// ID is the name under which the conversation is stored; else "agent".
func ID(id string) Option { return func(o *options) { o.id = id } }

// Configured changes the configuration, which is [auto.DefaultConfig] with
// summaries by the agent's own model.
func Configured(change func(*auto.Config)) Option { return func(o *options) { change(&o.config) } }

// Log takes the log of compactions.
func Log(l *slog.Logger) Option { return func(o *options) { o.auto.Log = l } }

// Journal keeps the conversation in a journal, in place of a store: that of package
// journal is the window's database, in which each compaction is a record.
func Journal(j model.Journal) Option { return func(o *options) { o.auto.Journal = j } }

// Redacted is applied to every text before a summary is asked for, and to the
// summary.
func Redacted(f func(string) string) Option { return func(o *options) { o.auto.Redact = f } }

// ForOpenAI puts automatic compaction before a client. model is the agent's; it
// makes the summaries too, unless the configuration names another. The
// conversation that the store holds is continued; nil stores nothing. A stored
// state that can't be read is an error, and is not overwritten.
func ForOpenAI(client *openai.Client, model string, store Store, change ...Option) (*OpenAI, error) {
	if client == nil {
		return nil, errors.New("agent: no client")
	}
	o := options{id: "agent", config: auto.DefaultConfig()}
	o.config.AgentName, o.config.UseAgentModel = model, true
	for _, f := range change {
		f(&o)
	}
	o.auto.Agent, o.auto.Client, o.auto.Clock = o.id, Summaries(client, model), SystemClock{}
	open := auto.New
	if o.auto.Journal != nil {
		if store != nil {
			return nil, errors.New("agent: a store and a journal; one of them keeps the conversation")
		}
		open = func(c auto.Config, o auto.Options) (*auto.Compactor, error) {
			return auto.Open(context.Background(), c, o)
		}
	}
	c, err := open(o.config, o.auto)
	if err != nil {
		return nil, err
	}
	a := &OpenAI{Compactor: c, client: client, store: store, id: o.id}
	if store == nil {
		return a, nil
	}
	state, err := store.Load(o.id)
	if err != nil {
		return nil, fmt.Errorf("agent %s: %w", o.id, err)
	}
	return a, c.Load(state)
}

// CreateChatCompletion is that of the client. The request holds the whole
// conversation, as the program keeps it; what is sent is the list that the
// compactions left. A list that can't be sent is an [*auto.OverLimitError]. The
// error of a compaction is in the log and in [OpenAI.Decision]: it stops no call.
func (a *OpenAI) CreateChatCompletion(ctx context.Context, req openai.ChatCompletionRequest) (openai.ChatCompletionResponse, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.Before(ctx, &req); err != nil {
		return openai.ChatCompletionResponse{}, err
	}
	answer, err := a.client.CreateChatCompletion(ctx, req)
	if err != nil {
		return answer, errors.Join(err, a.save())
	}
	if len(answer.Choices) == 0 {
		return answer, a.save()
	}
	return answer, a.After(answer.Choices[0].Message, answer.Usage)
}

// Before is what happens before a call, for programs that make it themselves, as
// a stream: it takes in what is new in the request, compacts if it is time to, and
// puts the list to send into the request. Call [OpenAI.After] with the answer.
//
// A request that does not go on with the history begins a new one.
func (a *OpenAI) Before(ctx context.Context, req *openai.ChatCompletionRequest) error {
	list, err := converted[[]auto.ChatMessage](req.Messages)
	if err != nil {
		return err
	}
	known := a.History()
	n := 0
	for n < min(len(known), len(list)) && same(&known[n], &list[n]) {
		n++
	}
	if n < len(known) {
		a.Forget()
		n = 0
	}
	a.Append(list[n:]...)
	r := a.BeforeCall(ctx)
	if r.Refused {
		return errors.Join(r.Err, a.save())
	}
	if req.Messages, err = converted[[]openai.ChatCompletionMessage](r.Messages); err != nil {
		return err
	}
	if r.Compressed || r.Truncated > 0 {
		return a.save() // the history before this is not sent again
	}
	return nil
}

// After takes in the answer of a call and what it used, and saves the state. A
// program that keeps the conversation appends the answer to its own list too.
func (a *OpenAI) After(answer openai.ChatCompletionMessage, used openai.Usage) error {
	m, err := FromOpenAI(answer)
	if err != nil {
		return err
	}
	a.ReportUsage(auto.ReportedUsage{Used: int64(used.PromptTokens)})
	a.Append(m)
	return a.save()
}

func (a *OpenAI) save() error {
	if a.store == nil {
		return a.Save(context.Background()) // to the journal, if there is one
	}
	state, err := json.Marshal(a.Compactor)
	if err == nil {
		err = a.store.Save(a.id, state)
	}
	if err != nil {
		return fmt.Errorf("agent %s: %w", a.id, err)
	}
	return nil
}

// Summaries asks a client for summaries: the model that the configuration names,
// else this one.
func Summaries(client *openai.Client, model string) auto.SummaryClient {
	return summaries{client, model}
}

type summaries struct {
	client *openai.Client
	model  string
}

// Summarise puts one question, without tools.
func (s summaries) Summarise(ctx context.Context, r auto.SummaryRequest) (string, error) {
	req := openai.ChatCompletionRequest{Model: s.model, Temperature: float32(r.Temperature)}
	req.MaxTokens = r.MaxTokens //lint:ignore SA1019 what most servers understand
	if r.Model != "" {
		req.Model = r.Model
	}
	if r.System != "" {
		req.Messages = append(req.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleSystem, Content: r.System})
	}
	req.Messages = append(req.Messages, openai.ChatCompletionMessage{Role: openai.ChatMessageRoleUser, Content: r.Prompt})
	answer, err := s.client.CreateChatCompletion(ctx, req)
	switch {
	case err != nil:
		return "", err
	case len(answer.Choices) == 0:
		return "", errors.New("the model gave no answer")
	case answer.Choices[0].FinishReason == openai.FinishReasonContentFilter:
		return "", errors.New("the model refused to make the summary")
	}
	return answer.Choices[0].Message.Content, nil
}

// SystemClock is the clock of this machine.
type SystemClock struct{}

// Now is the time.
func (SystemClock) Now() time.Time { return time.Now() }

// WithTimeout is [context.WithTimeout].
func (SystemClock) WithTimeout(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	return context.WithTimeout(ctx, d)
}
