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
	return converted[auto.ChatMessage](m)
}

// ToOpenAI is a message of package auto in the form of go-openai.
func ToOpenAI(m auto.ChatMessage) (openai.ChatCompletionMessage, error) {
	return converted[openai.ChatCompletionMessage](m)
}

// converted is a message, or a list of them, in the form of another type.
func converted[T any](m any) (out T, err error) {
	b, err := json.Marshal(m)
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		return out, fmt.Errorf("convert a message: %w", err)
	}
	return out, nil
}

// same reports whether two messages say the same. Programs seldom send reasoning
// and a provider's own fields back.
func same(a, b *auto.ChatMessage) bool {
	return a.Role == b.Role && a.Content == b.Content && a.ToolCallID == b.ToolCallID && slices.Equal(a.ToolCalls, b.ToolCalls)
}
