package live

import (
	"bytes"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"strings"

	"palimpsest/model"
)

// api is one of the protocols that agents speak with a model's server.
type api struct {
	name     string
	messages string // member of the request that holds the history
	format   model.Format
	answer   func(b []byte, stream bool) (*answer, error)
	record   func(t *writing, messages []json.RawMessage, a *answer) // puts lines into a transcript
}

// answer is what a model said.
type answer struct {
	id       string
	model    string
	messages []json.RawMessage // in the words of the protocol
	usage    json.RawMessage   // nil: not reported
}

// apiOf is the protocol of a request; nil: it is of none that is known. counts: it
// asks how many tokens the request has.
func apiOf(r *http.Request) (a *api, counts bool) {
	if r.Method != http.MethodPost {
		return nil, false
	}
	path := r.URL.Path
	for _, end := range []string{"/count_tokens", "/input_tokens"} {
		if rest, ok := strings.CutSuffix(path, end); ok {
			path, counts = rest, true
		}
	}
	for end, a := range map[string]*api{"/messages": anthropicAPI, "/chat/completions": chatAPI, "/responses": responsesAPI} {
		if strings.HasSuffix(path, end) {
			return a, counts
		}
	}
	return nil, false
}

func isEventStream(contentType string) bool {
	return strings.HasPrefix(contentType, "text/event-stream")
}

var (
	anthropicAPI = &api{"anthropic", "messages", model.FormatAnthropic, anthropicAnswer, recordClaude}
	chatAPI      = &api{"chat", "messages", model.FormatOpenAI, chatAnswer, recordChat}
	responsesAPI = &api{"responses", "input", model.FormatResponses, responsesAnswer, recordCodex}
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
	m := streamedMessage{texts: map[int]*strings.Builder{}}
	err := events(b, m.event)
	if err != nil || m.message == nil || !m.ended {
		return nil, errors.Join(errNoAnswer, err)
	}
	m.message["content"] = m.blocks
	whole, err := json.Marshal(m.message)
	if err != nil {
		return nil, err
	}
	return anthropicMessage(whole)
}

// streamedMessage is a message of which some events came.
type streamedMessage struct {
	message map[string]any
	blocks  []map[string]any
	texts   map[int]*strings.Builder // arguments, which come as pieces of JSON
	ended   bool
}

// event takes one event over.
func (m *streamedMessage) event(data []byte) error {
	var e struct {
		Type    string         `json:"type"`
		Index   int            `json:"index"`
		Message map[string]any `json:"message"`
		Block   map[string]any `json:"content_block"`
		Delta   map[string]any `json:"delta"`
		Usage   map[string]any `json:"usage"`
	}
	if err := json.Unmarshal(data, &e); err != nil {
		return err
	}
	known := e.Index >= 0 && e.Index < len(m.blocks)
	switch e.Type {
	case "message_start":
		m.message = e.Message
	case "content_block_start":
		if e.Block == nil || e.Index != len(m.blocks) { // blocks begin in order
			return errNoAnswer
		}
		m.blocks = append(m.blocks, e.Block)
		m.texts[e.Index] = &strings.Builder{}
	case "content_block_delta":
		if known {
			addDelta(m.blocks[e.Index], m.texts[e.Index], e.Delta)
		}
	case "content_block_stop":
		if known && m.texts[e.Index].Len() > 0 {
			m.blocks[e.Index]["input"] = json.RawMessage(m.texts[e.Index].String())
		}
	case "message_delta":
		return m.end(e.Delta, e.Usage)
	case "message_stop":
		m.ended = true
	}
	return nil
}

// end takes over how the message ended, and its usage.
func (m *streamedMessage) end(delta, usage map[string]any) error {
	if m.message == nil {
		return errNoAnswer
	}
	maps.Copy(m.message, delta)
	if u, ok := m.message["usage"].(map[string]any); ok {
		maps.Copy(u, usage)
	}
	return nil
}

// addDelta adds a piece to a block.
func addDelta(block map[string]any, arguments *strings.Builder, delta map[string]any) {
	add := func(key string) {
		before, _ := block[key].(string)
		piece, _ := delta[key].(string)
		block[key] = before + piece
	}
	switch delta["type"] {
	case "text_delta":
		add("text")
	case "thinking_delta":
		add("thinking")
	case "signature_delta":
		add("signature")
	case "input_json_delta":
		piece, _ := delta["partial_json"].(string)
		arguments.WriteString(piece)
	}
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
		Delta   chatDelta       `json:"delta"`
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
	var said chatDelta
	any := false
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
				any = true
				said.add(ch.Delta)
			}
		}
		return nil
	})
	if err != nil || !any {
		return nil, errors.Join(errNoAnswer, err)
	}
	said.Role = "assistant"
	m, err := json.Marshal(said)
	a.messages = []json.RawMessage{m}
	return a, err
}

// chatDelta is a piece of a message, and the message that the pieces make.
type chatDelta struct {
	Role      string     `json:"role"`
	Content   *string    `json:"content"`
	Reasoning *string    `json:"reasoning_content,omitempty"`
	Refusal   *string    `json:"refusal,omitempty"`
	Calls     []chatCall `json:"tool_calls,omitempty"`
}

type chatCall struct {
	Index    int    `json:"-"`
	ID       string `json:"id"`
	Type     string `json:"type"`
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"`
	} `json:"function"`
}

// UnmarshalJSON also reads the index, which a message does not have.
func (c *chatCall) UnmarshalJSON(b []byte) error {
	type plain chatCall
	var x struct {
		Index int `json:"index"`
		*plain
	}
	x.plain = (*plain)(c)
	err := json.Unmarshal(b, &x)
	c.Index = x.Index
	return err
}

func (d *chatDelta) add(piece chatDelta) {
	join := func(to **string, s *string) {
		if s != nil {
			if *to != nil {
				joined := **to + *s
				s = &joined
			}
			*to = s
		}
	}
	join(&d.Content, piece.Content)
	join(&d.Reasoning, piece.Reasoning)
	join(&d.Refusal, piece.Refusal)
	for _, c := range piece.Calls {
		for len(d.Calls) <= c.Index && c.Index < 1000 {
			d.Calls = append(d.Calls, chatCall{Index: len(d.Calls), Type: "function"})
		}
		if c.Index < 0 || c.Index >= len(d.Calls) {
			continue
		}
		at := &d.Calls[c.Index]
		at.ID += c.ID
		at.Function.Name += c.Function.Name
		at.Function.Arguments += c.Function.Arguments
	}
}

// responsesAnswer reads a response; a stream ends with the whole of it.
func responsesAnswer(b []byte, stream bool) (*answer, error) {
	if stream {
		var whole json.RawMessage
		err := events(b, func(data []byte) error {
			var e struct {
				Type     string          `json:"type"`
				Response json.RawMessage `json:"response"`
			}
			if err := json.Unmarshal(data, &e); err != nil {
				return err
			}
			if e.Type == "response.completed" || e.Type == "response.incomplete" {
				whole = e.Response
			}
			return nil
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
