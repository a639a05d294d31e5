package agent

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/sashabaranov/go-openai"

	"palimpsest/compaction/auto"
)

// FromOpenAI is a message of go-openai in the form of package auto. No field is
// lost: [ToOpenAI] of it is the same message.
func FromOpenAI(m openai.ChatCompletionMessage) (auto.ChatMessage, error) {
	var out auto.ChatMessage
	b, err := json.Marshal(m)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		return out, fmt.Errorf("message of role %q: %w", m.Role, err)
	}
	return out, nil
}

// ToOpenAI is a message of package auto in the form of go-openai.
func ToOpenAI(m auto.ChatMessage) (openai.ChatCompletionMessage, error) {
	var out openai.ChatCompletionMessage
	b, err := json.Marshal(m)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		return out, fmt.Errorf("message of role %q: %w", m.Role, err)
	}
	return out, nil
}

func listFromOpenAI(list []openai.ChatCompletionMessage) ([]auto.ChatMessage, error) {
	out := make([]auto.ChatMessage, len(list))
	for i, m := range list {
		var err error
		if out[i], err = FromOpenAI(m); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func listToOpenAI(list []auto.ChatMessage) ([]openai.ChatCompletionMessage, error) {
	out := make([]openai.ChatCompletionMessage, len(list))
	for i, m := range list {
		var err error
		if out[i], err = ToOpenAI(m); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// same reports whether two messages say the same. Programs seldom send reasoning
// and a provider's own fields back.
func same(a, b *auto.ChatMessage) bool {
	return a.Role == b.Role && a.Content == b.Content && a.ToolCallID == b.ToolCallID && slices.Equal(a.ToolCalls, b.ToolCalls)
}
