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

// growing is a text of which pieces come.
type growing []byte

// MarshalText implements [encoding.TextMarshaler].
func (t growing) MarshalText() ([]byte, error) { return t, nil }

// grow has an object go on with a piece of it: texts are joined, elements are told apart by
// their index.
func grow(to, piece map[string]any) {
	for key, v := range piece {
		switch v := v.(type) {
		case string:
			if had, began := to[key].(string); key == "role" || key == "type" {
				to[key] = v
			} else if began {
				to[key] = growing(had + v)
			} else {
				had, _ := to[key].(growing)
				to[key] = append(had, v...)
			}
		case map[string]any:
			inner, ok := to[key].(map[string]any)
			if !ok {
				inner = map[string]any{}
				to[key] = inner
			}
			grow(inner, v)
		case []any:
			to[key] = growList(to[key], v)
		case nil:
		default:
			to[key] = v
		}
	}
}

func growList(to any, pieces []any) []any {
	list, _ := to.([]any)
	for _, e := range pieces {
		piece, _ := e.(map[string]any)
		i, ok := piece["index"].(float64)
		if !ok || i < 0 || i >= 1000 {
			list = append(list, e)
			continue
		}
		for len(list) <= int(i) {
			list = append(list, map[string]any{"type": "function"})
		}
		delete(piece, "index")
		if at, ok := list[int(i)].(map[string]any); ok {
			grow(at, piece)
		}
	}
	return list
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
		n := len(s.parts)
		if n == 0 || part["text"] == nil || s.parts[n-1]["text"] == nil || s.parts[n-1]["thought"] != part["thought"] {
			s.parts = append(s.parts, part)
		} else {
			grow(s.parts[n-1], part)
		}
	}
}
