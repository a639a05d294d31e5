package remote

import (
	"errors"
	"fmt"
	"net/url"
	"time"
)

// Endpoint says whom to ask. It holds no secret: the key is looked up by name
// when a call is made.
type Endpoint struct {
	BaseURL string        `json:"baseUrl"`          // up to and with "/v1"
	Model   string        `json:"model"`            // as the server names it
	Key     KeyRef        `json:"key,omitzero"`     // where the key is; zero: none is sent
	Timeout time.Duration `json:"timeout,omitzero"` // of one attempt; 0: DefaultTimeout
	Tries   int           `json:"tries,omitzero"`   // attempts in all; 0: DefaultTries
	Minute  int           `json:"perMinute,omitzero"`
}

// Defaults of an endpoint.
const (
	DefaultTimeout = 30 * time.Second
	DefaultTries   = 3
	DefaultMinute  = 20 // calls a minute
)

func (e Endpoint) withDefaults() Endpoint {
	if e.Timeout <= 0 {
		e.Timeout = DefaultTimeout
	}
	if e.Tries <= 0 {
		e.Tries = DefaultTries
	}
	if e.Minute <= 0 {
		e.Minute = DefaultMinute
	}
	return e
}

// check refuses an endpoint that can't be asked.
func (e Endpoint) check() error {
	u, err := url.Parse(e.BaseURL)
	switch {
	case e.BaseURL == "":
		return errors.New("no address is set")
	case err != nil:
		return errors.New("the address is not a URL")
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		return fmt.Errorf("the address must begin with http:// or https://, followed by a host")
	case u.User != nil:
		return errors.New("the address must not hold a name or password: give the key by its variable")
	case u.RawQuery != "" || u.Fragment != "":
		return errors.New("the address must end with its path, without ? or #")
	}
	return nil
}

// Host is the endpoint's host, for a sentence on a screen; "" if there is none.
func (e Endpoint) Host() string {
	u, err := url.Parse(e.BaseURL)
	if err != nil {
		return ""
	}
	return u.Host
}

// Preset is a known server with the address it listens at by default.
type Preset struct {
	ID, Title string
	Endpoint  Endpoint
}

// Presets lists servers people run, those on the own machine first. Addresses
// are the documented defaults of each server (read 2026-11).
func Presets() []Preset {
	return []Preset{
		{"ollama", "Ollama", Endpoint{BaseURL: "http://localhost:11434/v1"}},
		{"llama.cpp", "llama.cpp server", Endpoint{BaseURL: "http://localhost:8080/v1"}},
		{"vllm", "vLLM", Endpoint{BaseURL: "http://localhost:8000/v1"}},
		{"lmstudio", "LM Studio", Endpoint{BaseURL: "http://localhost:1234/v1"}},
		{"openai", "OpenAI", Endpoint{BaseURL: "https://api.openai.com/v1", Key: KeyRef{Env: "OPENAI_API_KEY"}}},
	}
}
