package live

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
)

// The trigger fires at the size that the server reports, however it counts: neither long
// before nor when a call was already refused.
func TestTriggerFollowsTheServer(t *testing.T) {
	const window, threshold = 60_000, 48_000
	for _, charsPerToken := range []float64{2.2, 2.9, 4.5, 7} {
		t.Run(fmt.Sprint(charsPerToken, " characters a token"), func(t *testing.T) {
			p := compaction.BasePolicy()
			p.Window = window
			p.Triggers = []model.Clause{compaction.TriggerAt(threshold, model.Tokens)}
			p.Tail, p.Budget = model.Amount{N: 8000, Unit: model.Tokens}, model.Amount{N: 1000, Unit: model.Tokens}
			r := newRig(t, LedgerMode, p)
			largest, before := 0, 0 // as the server counts; the largest request of all, and the last before a firing
			r.answer = func(w http.ResponseWriter, _ *http.Request, body []byte) {
				n := int(float64(len(body)) / charsPerToken)
				if n > window {
					t.Errorf("a request of %d tokens was sent, the window is %d", n, window)
				}
				if n < largest/2 && before == 0 {
					before = largest
				}
				largest = max(largest, n)
				w.Header().Set("Content-Type", "application/json")
				_, _ = fmt.Fprintf(w, `{"id":"c","model":"m","choices":[{"message":{"role":"assistant","content":"ok"}}],"usage":{"prompt_tokens":%d,"completion_tokens":2}}`, n)
			}
			messages := []any{map[string]any{"role": "user", "content": "Read the files."}}
			for i := range 260 {
				b, _ := json.Marshal(map[string]any{"model": "m", "tools": []any{map[string]any{"type": "function", "function": map[string]any{"name": "read"}}},
					"messages": messages})
				r.post("/v1/chat/completions", b)
				messages = append(messages, map[string]any{"role": "assistant", "content": "ok"},
					map[string]any{"role": "user", "content": fmt.Sprintf("file %d: %s", i, strings.Repeat("a line of the file that says nothing new; ", 60))})
			}
			applied := 0
			for _, rec := range r.records() {
				if rec.Outcome == model.Applied {
					applied++
				}
			}
			if applied == 0 || before < threshold*9/10 {
				t.Errorf("compacted %d times, the first time at %d of %d tokens", applied, before, threshold)
			}
		})
	}
}
