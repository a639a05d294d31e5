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
	for _, server := range []struct {
		chars float64 // a token
		adds  int     // tokens of the server itself
	}{{2.2, 0}, {4.5, 0}, {7, 0}, {1.2, 0}, {0.9, 0}, {3.5, 12_000}, {3.5, 25_000}} {
		t.Run(fmt.Sprint(server), func(t *testing.T) {
			p := compaction.BasePolicy()
			p.Window = window
			p.Triggers = []model.Clause{compaction.TriggerAt(threshold, model.Tokens)}
			p.Tail, p.Budget = model.Amount{N: 8000, Unit: model.Tokens}, model.Amount{N: 1000, Unit: model.Tokens}
			r := newRig(t, LedgerMode, p)
			largest, before := 0, 0 // as the server counts; the largest request of all, and the last before a firing
			r.answer = func(w http.ResponseWriter, _ *http.Request, body []byte) {
				n := server.adds + int(float64(len(body))/server.chars)
				if n > window {
					t.Errorf("a request of %d tokens was sent, the window is %d", n, window)
				}
				if n < largest-largest/4 && before == 0 {
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

// A session that begins beyond the limit is refused once: what the server says then is enough to
// compact it when its agent asks again.
func TestRefusedOnceThenCompacted(t *testing.T) {
	const window = 60_000
	p := compaction.BasePolicy()
	p.Window = window
	p.Triggers = []model.Clause{compaction.TriggerAt(40_000, model.Tokens)}
	p.Tail, p.Budget = model.Amount{N: 8000, Unit: model.Tokens}, model.Amount{N: 1000, Unit: model.Tokens}
	r := newRig(t, LedgerMode, p)
	refused := 0
	r.answer = func(w http.ResponseWriter, _ *http.Request, body []byte) {
		w.Header().Set("Content-Type", "application/json")
		if n := len(body); n > window { // a token for each byte
			refused++
			w.WriteHeader(http.StatusBadRequest)
			_, _ = fmt.Fprintf(w, `{"error":{"message":"prompt is too long: %d tokens > %d maximum"}}`, n, window)
			return
		}
		_, _ = fmt.Fprintf(w, `{"id":"c","model":"m","choices":[{"message":{"role":"assistant","content":"ok"}}],"usage":{"prompt_tokens":%d,"completion_tokens":2}}`, len(body))
	}
	var messages []any
	for i := range 60 {
		messages = append(messages, map[string]any{"role": "user", "content": fmt.Sprintf("file %d: %s", i, strings.Repeat("a line of the file; ", 60))},
			map[string]any{"role": "assistant", "content": "ok"})
	}
	messages = append(messages, map[string]any{"role": "user", "content": "Go on."})
	b, _ := json.Marshal(map[string]any{"model": "m", "tools": []any{map[string]any{"type": "function", "function": map[string]any{"name": "read"}}}, "messages": messages})
	r.post("/v1/chat/completions", b)
	r.post("/v1/chat/completions", b)
	if refused != 1 {
		t.Errorf("refused %d times", refused)
	}
}
