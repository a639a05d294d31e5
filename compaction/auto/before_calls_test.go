package auto

import (
	"context"
	"strings"
	"sync"
	"testing"
)

func TestX10TheFullestAgentsGoFirst(t *testing.T) {
	var mu sync.Mutex
	var order []string
	var agents []*Compactor
	for _, name := range []string{"half", "empty", "full"} {
		cfg := TokenShareConfig(name)
		cfg.Window, cfg.Threshold = 3000, 0.4
		r := newRig(t, cfg, &scripted{reply: func(_ context.Context, q SummaryRequest) (string, error) {
			mu.Lock()
			defer mu.Unlock()
			order = append(order, q.Model)
			return "fine", nil
		}})
		r.Append(chatter(map[string]int{"half": 24, "empty": 2, "full": 44}[name], 224)...)
		agents = append(agents, r.Compactor)
	}
	res := BeforeCalls(t.Context(), 1, agents)
	if got := strings.Join(order, " "); got != "full half" || !res[0].Compressed || res[1].Compressed || !res[2].Compressed {
		t.Errorf("%s, %v", got, res)
	}
	if res = BeforeCalls(t.Context(), 0, nil); len(res) != 0 {
		t.Errorf("%v", res)
	}
}

// A call that has nothing to do costs no marked delay (spec D24), also on a long
// list.
func BenchmarkBeforeCallWithNothingToDo(b *testing.B) {
	cfg := DefaultConfig()
	cfg.SummaryModel, cfg.Window, cfg.MaxCount = "m", 1<<40, 0
	r := newRig(b, cfg, says("s"))
	r.Append(chatter(17_000, 400)...)
	b.ResetTimer()
	for b.Loop() {
		r.BeforeCall(b.Context())
	}
}

func BenchmarkDecisionThatActs(b *testing.B) {
	cfg := DefaultConfig()
	cfg.SummaryModel, cfg.Window = "m", 1000
	r := newRig(b, cfg, says("s"))
	r.Append(chatter(17_000, 400)...)
	b.ResetTimer()
	for b.Loop() {
		r.Decision()
	}
}
