package live

import (
	"cmp"
	"encoding/json"
	"maps"

	"palimpsest/model/transcript/jspan"
)

// An answer that comes as a stream is in thousands of pieces; each is looked at once,
// and joined to the text that it goes on.

// streamedMessage is a message of Anthropic's of which some events came.
type streamedMessage struct {
	message map[string]any
	blocks  []streamedBlock
	ended   bool
	parser  jspan.Parser // of one event after the other
}

// streamedBlock is a block as it began, and the texts that came for it since.
type streamedBlock struct {
	began map[string]any
	texts map[string][]byte // by member
	input []byte            // arguments, which come as pieces of JSON
}

// event takes one event over.
func (m *streamedMessage) event(data []byte) error {
	m.parser.Reset()
	v, err := m.parser.Parse(data, 0)
	if err != nil {
		return err
	}
	switch v.Get("type").TextN(40) {
	case "message_start":
		return json.Unmarshal(v.Get("message").Raw(), &m.message)
	case "content_block_start":
		var block streamedBlock
		if err := json.Unmarshal(v.Get("content_block").Raw(), &block.began); err != nil {
			return err
		}
		if block.began == nil || v.Get("index").Int() != int64(len(m.blocks)) { // blocks begin in order
			return errNoAnswer
		}
		block.texts = map[string][]byte{}
		m.blocks = append(m.blocks, block)
	case "content_block_delta":
		if i := v.Get("index").Int(); i >= 0 && i < int64(len(m.blocks)) {
			m.blocks[i].add(v.Get("delta"))
		}
	case "message_delta":
		return m.end(v.Get("delta").Raw(), v.Get("usage").Raw())
	case "message_stop":
		m.ended = true
	}
	return nil
}

// end takes over how the message ended, and its usage.
func (m *streamedMessage) end(delta, usage []byte) error {
	if m.message == nil {
		return errNoAnswer
	}
	if len(delta) > 0 {
		if err := json.Unmarshal(delta, &m.message); err != nil {
			return err
		}
	}
	if u, ok := m.message["usage"].(map[string]any); ok && len(usage) > 0 {
		return json.Unmarshal(usage, &u)
	}
	return nil
}

// add adds a piece to a block.
func (b *streamedBlock) add(delta jspan.Value) {
	switch delta.Get("type").TextN(40) {
	case "text_delta":
		b.texts["text"] = delta.Get("text").AppendText(b.texts["text"])
	case "thinking_delta":
		b.texts["thinking"] = delta.Get("thinking").AppendText(b.texts["thinking"])
	case "signature_delta":
		b.texts["signature"] = delta.Get("signature").AppendText(b.texts["signature"])
	case "input_json_delta":
		b.input = delta.Get("partial_json").AppendText(b.input)
	}
}

// whole is the message that the events make.
func (m *streamedMessage) whole() ([]byte, error) {
	blocks := make([]map[string]any, len(m.blocks))
	for i, b := range m.blocks {
		for key, text := range b.texts {
			before, _ := b.began[key].(string)
			b.began[key] = before + string(text)
		}
		if len(b.input) > 0 {
			b.began["input"] = json.RawMessage(b.input)
		}
		blocks[i] = b.began
	}
	out := maps.Clone(m.message)
	out["content"] = blocks
	return json.Marshal(out)
}

// chatMessage is a message of Chat Completions, and a piece of one.
type chatMessage struct {
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

// streamedChat is a message of Chat Completions of which some pieces came.
type streamedChat struct {
	content, reasoning, refusal *[]byte // nil: none came
	calls                       []chatCall
	arguments                   [][]byte // of the calls
}

func (s *streamedChat) add(piece chatMessage) {
	grow := func(to **[]byte, text *string) {
		if text == nil {
			return
		}
		if *to == nil {
			*to = new([]byte)
		}
		**to = append(**to, *text...)
	}
	grow(&s.content, piece.Content)
	grow(&s.reasoning, piece.Reasoning)
	grow(&s.refusal, piece.Refusal)
	for _, c := range piece.Calls {
		for len(s.calls) <= c.Index && c.Index < 1000 {
			s.calls, s.arguments = append(s.calls, chatCall{Type: "function"}), append(s.arguments, nil)
		}
		if c.Index < 0 || c.Index >= len(s.calls) {
			continue
		}
		s.calls[c.Index].ID += c.ID
		s.calls[c.Index].Function.Name += c.Function.Name
		s.arguments[c.Index] = append(s.arguments[c.Index], c.Function.Arguments...)
	}
}

// whole is the message that the pieces make.
func (s *streamedChat) whole() chatMessage {
	text := func(b *[]byte) *string {
		if b == nil {
			return nil
		}
		t := string(*b)
		return &t
	}
	for i, a := range s.arguments {
		s.calls[i].Function.Arguments = string(a)
	}
	return chatMessage{"assistant", text(s.content), text(s.reasoning), text(s.refusal), s.calls}
}

// geminiPiece is a response of Gemini's API, or a piece of one; Code Assist wraps it.
type geminiPiece struct {
	Response   *geminiPiece    `json:"response"`
	ID         string          `json:"responseId"`
	Model      string          `json:"modelVersion"`
	Usage      json.RawMessage `json:"usageMetadata"`
	Candidates []struct {
		Content struct {
			Parts []map[string]any `json:"parts"`
		} `json:"content"`
		Finish string `json:"finishReason"`
	} `json:"candidates"`
}

// streamedGemini is a content of Gemini's of which some pieces came.
type streamedGemini struct {
	answer
	parts []map[string]any
	text  []byte // that the last part goes on with
	ended bool
}

// add takes one piece over, of its first candidate.
func (s *streamedGemini) add(p *geminiPiece) {
	if p.Response != nil {
		p = p.Response
	}
	s.id, s.model = cmp.Or(p.ID, s.id), cmp.Or(p.Model, s.model)
	if len(p.Usage) > 0 {
		s.usage = p.Usage
	}
	if len(p.Candidates) == 0 {
		return
	}
	s.ended = s.ended || p.Candidates[0].Finish != ""
	for _, part := range p.Candidates[0].Content.Parts {
		text, isText := part["text"].(string)
		if n := len(s.parts); isText && n > 0 && s.parts[n-1]["text"] != nil && s.parts[n-1]["thought"] == part["thought"] {
			s.text = append(s.text, text...)
			delete(part, "text")
			maps.Copy(s.parts[n-1], part) // a signature may come at the end
			continue
		}
		s.join()
		s.parts = append(s.parts, part)
	}
}

// join gives the last part the text that came for it.
func (s *streamedGemini) join() {
	if len(s.text) > 0 {
		last := s.parts[len(s.parts)-1]
		began, _ := last["text"].(string)
		last["text"], s.text = began+string(s.text), nil
	}
}
