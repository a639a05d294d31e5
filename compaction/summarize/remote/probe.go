package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"sort"
	"strings"
	"time"
)

// Found is what a test of the connection found.
type Found struct {
	Took   time.Duration // of the list of models
	Models []Model       // sorted by name
	Has    bool          // the endpoint's model is among them
}

// Model is a model the server offers.
type Model struct {
	ID     string
	Window int // tokens; 0: the server does not say
}

// Probe asks for the list of models: it proves address and key and costs
// nothing. It is never tried again: a person is waiting for it.
func (c *Client) Probe(ctx context.Context) (*Found, error) {
	key, err := c.end.Key.lookup()
	if err != nil {
		return nil, &Failure{Kind: Misconfigured, Said: err.Error(), Err: err}
	}
	within, cancel := context.WithTimeout(ctx, c.end.Timeout)
	defer cancel()
	within, seen := watch(within)
	began := c.now()
	found, err := c.models(within, key)
	if err != nil {
		return nil, c.scrub(classify(ctx, err, seen))
	}
	found.Took = c.now().Sub(began)
	for _, m := range found.Models {
		found.Has = found.Has || m.ID == c.end.Model
	}
	return found, nil
}

// models reads /models itself: the library drops the fields in which servers
// report the context window.
func (c *Client) models(ctx context.Context, key string) (*Found, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(c.end.BaseURL, "/")+"/models", nil)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/json")
	if key != "" {
		req.Header.Set("Authorization", "Bearer "+key)
	}
	res, err := (&transport{client: c.http, now: c.now}).Do(req)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		var said struct {
			Error struct {
				Message string `json:"message"`
				Code    any    `json:"code"`
			} `json:"error"`
		}
		_ = json.NewDecoder(res.Body).Decode(&said) // a body in another form says nothing
		return nil, &Failure{Kind: kindOf(res.StatusCode, "", ""), Status: res.StatusCode, Said: said.Error.Message}
	}
	list, err := ReadModels(res.Body)
	if err != nil {
		return nil, &Failure{Kind: Garbled, Status: res.StatusCode, Err: err}
	}
	return &Found{Models: list}, nil
}

// ReadModels reads a server's list of models, sorted by name, with the limits that it
// reports.
func ReadModels(r io.Reader) (models []Model, err error) {
	var list struct {
		Data []struct {
			ID       string `json:"id"`
			Max      int    `json:"max_model_len"`      // vLLM
			Length   int    `json:"context_length"`     // OpenRouter and others
			Window   int    `json:"context_window"`     // Groq
			MaxInput int    `json:"max_context_length"` // LM Studio, Mistral
			Input    int    `json:"max_input_tokens"`   // Anthropic
			Meta     struct {
				Trained int `json:"n_ctx_train"` // llama.cpp
				Serves  int `json:"n_ctx"`
			} `json:"meta"`
		} `json:"data"`
		Models []struct { // Gemini
			Name  string `json:"name"`
			Input int    `json:"inputTokenLimit"`
		} `json:"models"`
	}
	if err := json.NewDecoder(r).Decode(&list); err != nil {
		return nil, err
	}
	for _, m := range list.Data {
		if m.ID != "" {
			largest := max(0, m.Max, m.Length, m.Window, m.MaxInput, m.Input, m.Meta.Trained)
			models = append(models, Model{m.ID, cmp.Or(max(0, m.Meta.Serves), largest)})
		}
	}
	for _, m := range list.Models {
		if name := strings.TrimPrefix(m.Name, "models/"); m.Input > 0 {
			models = append(models, Model{name, m.Input})
		}
	}
	sort.Slice(models, func(i, j int) bool { return models[i].ID < models[j].ID })
	return models, nil
}
