package live

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	openai "github.com/sashabaranov/go-openai"

	"palimpsest/model"
)

// The client of go-openai talks through the gateway, streaming, as it would without it:
// the same answers, the same history at its end, while what the server sees stays small.
func TestPolicyWithGoOpenAI(t *testing.T) {
	talk := func(address string) []openai.ChatCompletionMessage {
		cfg := openai.DefaultConfig("sk-not-real")
		cfg.BaseURL = address + "/v1"
		client := openai.NewClientWithConfig(cfg)
		history := []openai.ChatCompletionMessage{{Role: "system", Content: "You are an agent."}, {Role: "user", Content: "Read the files"}}
		for k := range 40 {
			stream, err := client.CreateChatCompletionStream(t.Context(), openai.ChatCompletionRequest{Model: "gpt-5", Messages: history,
				Tools: []openai.Tool{{Type: openai.ToolTypeFunction, Function: &openai.FunctionDefinition{Name: "read"}}}})
			if err != nil {
				t.Fatal(err)
			}
			said := openai.ChatCompletionMessage{Role: "assistant"}
			for {
				piece, err := stream.Recv()
				if errors.Is(err, io.EOF) {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				for _, c := range piece.Choices {
					said.Content += c.Delta.Content
					said.ToolCalls = append(said.ToolCalls, c.Delta.ToolCalls...)
				}
			}
			stream.Close()
			history = append(history, said, openai.ChatCompletionMessage{Role: "tool", ToolCallID: said.ToolCalls[0].ID,
				Content: fmt.Sprintf("result %d: %s", k, strings.Repeat("the file says something ", 80))})
		}
		return history
	}
	// The server's answer depends on the newest result alone.
	answer := func(w http.ResponseWriter, _ *http.Request, body []byte) {
		k := 0
		if at := strings.LastIndex(string(body), `"content":"result `); at >= 0 {
			if _, err := fmt.Sscanf(string(body[at:]), `"content":"result %d`, &k); err != nil {
				t.Error(err)
			}
			k++
		}
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "data: {\"id\":\"c%d\",\"model\":\"gpt-5\",\"choices\":[{\"index\":0,\"delta\":{\"content\":\"I read %d\"}}]}\n\n", k, k)
		fmt.Fprintf(w, "data: {\"id\":\"c%d\",\"model\":\"gpt-5\",\"choices\":[{\"index\":0,\"delta\":{\"tool_calls\":[{\"index\":0,\"id\":\"call_%d\","+
			"\"type\":\"function\",\"function\":{\"name\":\"read\",\"arguments\":\"{}\"}}]}}]}\n\ndata: [DONE]\n\n", k, k)
	}
	alone := newRig(t, Watch, smallPolicy())
	alone.answer = answer
	through := newRig(t, LedgerMode, smallPolicy())
	through.answer = answer
	want, got := talk(alone.up.URL), talk(through.address)
	a, _ := json.Marshal(want)
	b, _ := json.Marshal(got)
	if string(a) != string(b) {
		t.Error("the client has another history than without a gateway")
	}
	largest, asked := 0, 0
	for i := range through.sent {
		_, _, values := elements(t, through.sent[i])
		if err := provider(values); err != nil {
			t.Errorf("call %d: %v", i, err)
		}
		largest, asked = max(largest, len(through.sent[i])), max(asked, len(alone.sent[i]))
	}
	if largest >= asked*3/4 || len(through.records()) == 0 {
		t.Errorf("the server sees up to %d bytes, %d without the gateway", largest, asked)
	}
	for _, rec := range through.records() {
		if rec.Outcome != model.Applied {
			t.Errorf("%s %s", rec.Outcome, rec.Reason)
		}
	}
}
