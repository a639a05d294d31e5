package online

import (
	"context"
	"sync"

	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize"
	"palimpsest/compaction/summarize/remote"
)

// Provider is who makes summaries, as a person set it up. It names where the key
// is and never holds it, so it may be stored.
type Provider struct {
	remote.Endpoint
	Window   int                 `json:"contextWindow,omitempty"` // tokens; 0: as known from the name, or assumed
	Prices   []ModelPrice        `json:"prices,omitempty"`
	Template *summarize.Template `json:"template,omitempty"` // nil: summarize.Sections
	Others   []Server            `json:"others,omitempty"`   // set up as well, and not asked
}

// Server is a model, and where it is asked.
type Server struct {
	remote.Endpoint
	Window int `json:"contextWindow,omitempty"` // as in [Provider]
}

// Servers lists all that are set up, the one that is asked first.
func (p *Provider) Servers() []Server { return append([]Server{{p.Endpoint, p.Window}}, p.Others...) }

// With returns the provider with other servers, of which the first is asked.
func (p Provider) With(list []Server) Provider {
	p.Endpoint, p.Window, p.Others = list[0].Endpoint, list[0].Window, nil
	for _, s := range list[1:] {
		if s.BaseURL != "" {
			p.Others = append(p.Others, s)
		}
	}
	return p
}

// ModelPrice is what the tokens of one model cost.
type ModelPrice struct {
	Model string `json:"model"` // as its server names it
	session.Price
}

// Price is that of the model that is asked; the zero price when none is known.
func (p *Provider) Price() session.Price { return p.PriceOf(p.Model) }

// PriceOf is the price of a model by its name, as it is in the table of prices; the zero
// price when it is not there.
func (p *Provider) PriceOf(model string) session.Price {
	for _, m := range p.Prices {
		if m.Model == model {
			return m.Price
		}
	}
	return session.Price{}
}

// ContextWindow is the window of the model that is asked, in tokens, and whether it is
// only assumed.
func (p *Provider) ContextWindow() (n int, assumed bool) {
	m := session.SummaryModel{Name: p.Model, Window: p.Window}
	return m.ContextWindow()
}

// Setting is the name under which the database keeps the provider.
const Setting = "summaryModel"

// Set reports whether there is somebody to ask.
func (p *Provider) Set() bool { return p.BaseURL != "" && p.Model != "" }

// Connection is the one client a program has for the provider of the moment, so
// that the limit of calls and the breaker hold for all it asks. It may be used
// by any number of goroutines; making one or changing the provider sends
// nothing.
type Connection struct {
	mu       sync.Mutex
	provider Provider
	client   *remote.Client
	err      error
}

// Use changes the provider. Calls under way end with the former one.
func (c *Connection) Use(p Provider) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop()
	c.provider = p
	if p.Set() {
		c.client, c.err = remote.New(p.Endpoint)
	}
}

// Provider is whom it asks.
func (c *Connection) Provider() Provider {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.provider
}

// Model is the model for a session; nil when none is set up.
func (c *Connection) Model() (*session.SummaryModel, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.client == nil {
		return nil, c.err
	}
	m := Model(c.client, c.provider.Window, c.provider.Price())
	m.Template = c.provider.Template
	return m, nil
}

// Forgive has the next call made at once, whatever failed before.
func (c *Connection) Forgive() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.client != nil {
		c.client.Forgive()
	}
}

// Close closes the idle connections.
func (c *Connection) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop()
}

func (c *Connection) drop() {
	if c.client != nil {
		c.client.Close()
	}
	c.client, c.err = nil, nil
}

// Test asks a provider for its list of models, which proves address and key and
// costs nothing.
func Test(ctx context.Context, p Provider) (*remote.Found, error) {
	c, err := remote.New(p.Endpoint)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return c.Probe(ctx)
}

// AskOneWord asks a provider's model for a single word, once: what no list of models
// proves, that the model answers. Nothing of a history is sent.
func AskOneWord(ctx context.Context, p Provider) (*remote.Answer, error) {
	p.Tries = 1 // a person is waiting for it
	c, err := remote.New(p.Endpoint)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return c.Complete(ctx, remote.Prompt{User: "Answer with the single word: ready", MaxTokens: oneWord}, nil)
}

// oneWord is the ceiling of that answer: a model that thinks first needs more than
// the word.
const oneWord = 1024
