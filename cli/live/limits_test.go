package live

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
)

// The limit of a model that the table lacks is what the server lists, or what it says when
// it refuses; that none is known is said once.
func TestLimitOfAnUnknownModel(t *testing.T) {
	for _, c := range []struct {
		what, list, refusal string
		window              int // of the model in truth
		refusals            int // how often the server may refuse
		said                string
	}{
		{"vLLM lists it", `{"data":[{"id":"other","max_model_len":9000},{"id":"m-new","max_model_len":20000}]}`, "", 20_000, 0, ""},
		{"Anthropic lists it", `{"data":[{"id":"m-new","max_input_tokens":20000}]}`, "", 20_000, 0, ""},
		{"Anthropic refuses", ``, `{"error":{"message":"prompt is too long: 20100 tokens > 20000 maximum"}}`, 20_000, 1, "not known"},
		{"OpenAI refuses", `{"data":[{"id":"m-new"}]}`, `{"error":{"message":"This model's maximum context length is 20000 tokens. However, your messages resulted in 20100 tokens."}}`,
			20_000, 1, "not known"},
		{"llama.cpp refuses", `[]`, `{"error":{"code":400,"message":"the request exceeds the available context size","n_prompt_tokens":20100,"n_ctx":20000}}`, 20_000, 1, "not known"},
		{"nothing is known", `no list`, ``, 1_000_000, 0, "not known"},
	} {
		t.Run(c.what, func(t *testing.T) {
			p := compaction.BasePolicy()
			p.Triggers = []model.Clause{{Share: .8}}
			p.Tail, p.Budget = model.Amount{N: 2500, Unit: model.Tokens}, model.Amount{N: 800, Unit: model.Tokens}
			r := newRig(t, LedgerMode, p)
			var log bytes.Buffer
			r.log = slog.New(slog.NewTextHandler(&log, nil))
			r.start()
			refused, listed, largest := 0, 0, 0
			r.answer = func(w http.ResponseWriter, q *http.Request, body []byte) {
				w.Header().Set("Content-Type", "application/json")
				if strings.HasSuffix(q.URL.Path, "/models") {
					if listed++; q.URL.Path != "/v1/models" || q.Header.Get("Authorization") != "Bearer key" {
						t.Errorf("asked for %s with %v", q.URL.Path, q.Header)
					}
					_, _ = io.WriteString(w, c.list)
					return
				}
				n := len(body) / 4
				largest = max(largest, n)
				if n > c.window {
					refused++
					w.WriteHeader(http.StatusBadRequest)
					_, _ = io.WriteString(w, c.refusal)
					return
				}
				_, _ = fmt.Fprintf(w, `{"id":"c","model":"m-new","choices":[{"message":{"role":"assistant","content":"ok"}}],"usage":{"prompt_tokens":%d}}`, n)
			}
			messages := []any{map[string]any{"role": "user", "content": "Read the files."}}
			for i := range 60 {
				b, _ := json.Marshal(map[string]any{"model": "m-new", "messages": messages,
					"tools": []any{map[string]any{"type": "function", "function": map[string]any{"name": "read"}}}})
				r.post("/v1/chat/completions", b)
				messages = append(messages, map[string]any{"role": "assistant", "content": "ok"},
					map[string]any{"role": "user", "content": fmt.Sprintf("file %d: %s", i, strings.Repeat("a line of the file that says nothing new; ", 60))})
			}
			if refused > c.refusals || listed != 1 {
				t.Errorf("the server refused %d requests and was asked for its models %d times", refused, listed)
			}
			if fits := c.window == 20_000; (len(r.records()) > 0) != fits {
				t.Errorf("%d records; the largest request had %d tokens", len(r.records()), largest)
			}
			if got := strings.Count(log.String(), "the model limit is not known"); got != len(c.said)/len("not known") {
				t.Errorf("it was said %d times: %s", got, log.String())
			}
		})
	}
}

// A way of asking that is not known is said once, not at each call.
func TestUnknownInterfaceIsSaidOnce(t *testing.T) {
	r := newRig(t, LedgerMode, smallPolicy())
	var log bytes.Buffer
	r.log = slog.New(slog.NewTextHandler(&log, nil))
	r.start()
	for range 3 {
		r.post("/api/chat", []byte(`{"messages":[]}`))
		r.post("/api/event_logging/batch", []byte(`{"events":[]}`))
	}
	if n := strings.Count(log.String(), "not known"); n != 1 || !strings.Contains(log.String(), "/api/chat") {
		t.Errorf("said %d times: %s", n, log.String())
	}
}
