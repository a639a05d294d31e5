package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"net/http"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// api is one of the protocols that agents speak with a model's server.
type api struct {
	name     string
	paths    []string // end the address
	messages string   // member of the request that holds the history
	format   model.Format
	answer   func(b []byte, stream bool) (*answer, error)
	record   func(t *writing, messages []json.RawMessage, a *answer) // puts lines into a transcript
	// compacted puts lines into it by which messages, one of them a summary, stand in the place of
	// all before.
	compacted func(t *writing, messages []json.RawMessage, summary int)
}

// apiOf is the protocol of a request; nil: it is of none that is known. counts: it
// asks how many tokens the request has.
func apiOf(r *http.Request) (a *api, counts bool) {
	if r.Method != http.MethodPost {
		return nil, false
	}
	path := r.URL.Path
	for end, of := range map[string]string{"/count_tokens": "", "/input_tokens": "", ":countTokens": geminiAPI.paths[0]} {
		if rest, ok := strings.CutSuffix(path, end); ok {
			path, counts = rest+of, true
		}
	}
	for _, a := range []*api{anthropicAPI, chatAPI, responsesAPI, geminiAPI} {
		if slices.ContainsFunc(a.paths, func(end string) bool { return strings.HasSuffix(path, end) }) {
			return a, counts
		}
	}
	return nil, false
}

// modelIn is the model that an address names; "": it names none.
func modelIn(path string) string {
	_, named, _ := strings.Cut(path, "/models/")
	name, _, _ := strings.Cut(named, ":")
	return name
}

// listPath is where the server that is asked at a path lists its models.
func (a *api) listPath(path string) string {
	before, _, _ := strings.Cut(strings.Replace(path, "/models/", a.paths[0], 1), a.paths[0])
	return before + "/models"
}

var (
	anthropicAPI = &api{"anthropic", []string{"/messages"}, "messages", model.FormatAnthropic,
		anthropicAnswer, recordClaude, compactedClaude}
	chatAPI      = &api{"chat", []string{"/chat/completions"}, "messages", model.FormatOpenAI, chatAnswer, recordChat, compactedChat}
	responsesAPI = &api{"responses", []string{"/responses"}, "input", model.FormatResponses, responsesAnswer, recordCodex, compactedCodex}
	geminiAPI    = &api{"gemini", []string{":generateContent", ":streamGenerateContent"}, "contents", model.FormatGemini,
		geminiAnswer, recordGemini, compactedGemini}
)

var errNoAnswer = errors.New("the answer ended before it was whole")

// events calls f with the data of each server-sent event.
func events(b []byte, f func(data []byte) error) error {
	for _, block := range bytes.Split(bytes.ReplaceAll(b, []byte("\r\n"), []byte("\n")), []byte("\n\n")) {
		var data []byte
		for _, line := range bytes.Split(block, []byte("\n")) {
			if d, ok := bytes.CutPrefix(line, []byte("data:")); ok {
				data = append(data, bytes.TrimPrefix(d, []byte(" "))...)
			}
		}
		if len(data) == 0 || string(data) == "[DONE]" {
			continue
		}
		if err := f(data); err != nil {
			return err
		}
	}
	return nil
}

// anthropicAnswer reads a message, or puts one together from its stream.
func anthropicAnswer(b []byte, stream bool) (*answer, error) {
	if !stream {
		return anthropicMessage(b)
	}
	var m streamedMessage
	err := events(b, m.event)
	if err != nil || m.message == nil || !m.ended {
		return nil, errors.Join(errNoAnswer, err)
	}
	whole, err := m.whole()
	if err != nil {
		return nil, err
	}
	return anthropicMessage(whole)
}

func anthropicMessage(b []byte) (*answer, error) {
	var m struct {
		ID    string          `json:"id"`
		Role  string          `json:"role"`
		Model string          `json:"model"`
		Usage json.RawMessage `json:"usage"`
	}
	if err := json.Unmarshal(b, &m); err != nil {
		return nil, err
	}
	if m.Role != "assistant" {
		return nil, errNoAnswer
	}
	return &answer{m.ID, m.Model, []json.RawMessage{b}, m.Usage}, nil
}

// chatAnswer reads the first choice, or puts it together from its stream.
func chatAnswer(b []byte, stream bool) (*answer, error) {
	type choice struct {
		Index   int             `json:"index"`
		Message json.RawMessage `json:"message"`
		Delta   map[string]any  `json:"delta"`
	}
	type completion struct {
		ID      string          `json:"id"`
		Model   string          `json:"model"`
		Choices []choice        `json:"choices"`
		Usage   json.RawMessage `json:"usage"`
	}
	if !stream {
		var c completion
		if err := json.Unmarshal(b, &c); err != nil {
			return nil, err
		}
		if len(c.Choices) == 0 || c.Choices[0].Message == nil {
			return nil, errNoAnswer
		}
		return &answer{c.ID, c.Model, []json.RawMessage{c.Choices[0].Message}, c.Usage}, nil
	}
	a := &answer{}
	message, began := map[string]any{"content": nil}, false
	err := events(b, func(data []byte) error {
		var c completion
		if err := json.Unmarshal(data, &c); err != nil {
			return err
		}
		a.id, a.model = c.ID, c.Model
		if len(c.Usage) > 0 && string(c.Usage) != "null" {
			a.usage = c.Usage
		}
		for _, ch := range c.Choices {
			if ch.Index == 0 {
				began = true
				grow(message, ch.Delta)
			}
		}
		return nil
	})
	if err != nil || !began {
		return nil, errors.Join(errNoAnswer, err)
	}
	message["role"] = "assistant"
	m, err := model.PlainJSON(message)
	a.messages = []json.RawMessage{m}
	return a, err
}

// responsesAnswer reads a response; a stream ends with the whole of it.
func responsesAnswer(b []byte, stream bool) (*answer, error) {
	if stream {
		var whole json.RawMessage
		err := events(b, func(data []byte) error {
			v, err := jspan.Parse(data, 0)
			if kind := v.Get("type"); kind.Is("response.completed") || kind.Is("response.incomplete") {
				whole = v.Get("response").Raw()
			}
			return err
		})
		if err != nil || whole == nil {
			return nil, errors.Join(errNoAnswer, err)
		}
		b = whole
	}
	var r struct {
		ID     string            `json:"id"`
		Model  string            `json:"model"`
		Output []json.RawMessage `json:"output"`
		Usage  json.RawMessage   `json:"usage"`
	}
	if err := json.Unmarshal(b, &r); err != nil {
		return nil, err
	}
	if len(r.Output) == 0 {
		return nil, errNoAnswer
	}
	return &answer{r.ID, r.Model, r.Output, r.Usage}, nil
}

// geminiAnswer reads the first candidate of a response, or of the pieces of one: events, or
// a list of them.
func geminiAnswer(b []byte, stream bool) (*answer, error) {
	var s streamedGemini
	take := func(data []byte) error {
		var p geminiPiece
		err := json.Unmarshal(data, &p)
		s.add(&p)
		return err
	}
	var err error
	var list []json.RawMessage
	switch {
	case stream:
		err = events(b, take)
	case json.Unmarshal(b, &list) != nil:
		err = take(b)
	}
	for _, p := range list {
		err = errors.Join(err, take(p))
	}
	if err != nil || !s.ended || len(s.parts) == 0 {
		return nil, errors.Join(errNoAnswer, err)
	}
	content, err := model.PlainJSON(map[string]any{"role": "model", "parts": s.parts})
	s.messages = []json.RawMessage{content}
	return &s.answer, err
}
