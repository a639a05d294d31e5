package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/agents"
	"palimpsest/compaction/auto"
	"palimpsest/compaction/auto/contexts"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
	"palimpsest/model/transcript/historyitem"
)

// itemsOfChat spells a drawn chat as history items, each in one of both forms. Some begin
// with what a program put in, some with an answer.
func itemsOfChat(rng *rand.Rand, n int) (items []historyitem.Item) {
	for _, m := range drawChat(rng, n) {
		f := []historyitem.Form{historyitem.Wrapped, historyitem.Flat}[rng.IntN(2)]
		role, text := m["role"].(string), m["content"].(string)
		switch calls, _ := m["tool_calls"].([]map[string]any); {
		case role == "tool":
			items = append(items, f.Output(m["tool_call_id"].(string), text))
		case role != "system":
			items = append(items, f.Message(role, text))
			for _, c := range calls {
				fn := c["function"].(map[string]any)
				items = append(items, f.Call(c["id"].(string), fn["name"].(string), fn["arguments"].(string)))
			}
		}
	}
	switch rng.IntN(4) {
	case 0:
		return items[1:]
	case 1:
		return slices.Insert(items, rng.IntN(2), historyitem.Flat.Message("user", "<environment_context>\n<cwd>/tmp</cwd>\n</environment_context>"))
	}
	return items
}

// realItems are the items of real Codex sessions, up to 120 of each: no code of the
// program takes part in reading them. What is no part of a context (events, the
// settings of a turn) is left out, and so are images, which only the window's extract names.
func realItems(t *testing.T) map[string][]historyitem.Item {
	t.Helper()
	dir, ok := realdata.Look(t)
	if !ok {
		return nil
	}
	paths, err := filepath.Glob(filepath.Join(dir, "codex_rollout", "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string][]historyitem.Item{}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil || len(data) > 8<<20 {
			continue
		}
		var items []historyitem.Item
		for line := range bytes.Lines(data) {
			var l struct {
				Type    string
				Payload json.RawMessage
			}
			var kind struct{ Type, Role string }
			if json.Unmarshal(line, &l) != nil || l.Type != "response_item" || json.Unmarshal(l.Payload, &kind) != nil {
				continue
			}
			switch it, err := historyitem.Parse(string(l.Payload)); {
			case err != nil:
				t.Fatalf("%s: %v", path, err)
			case bytes.Contains(l.Payload, []byte(`"input_image"`)):
			case kind.Type == "message" && (kind.Role == "user" || kind.Role == "assistant"), kind.Type == "function_call", kind.Type == "function_call_output", kind.Type == "reasoning":
				items = append(items, it)
			}
		}
		if len(items) >= 30 {
			all[filepath.Base(path)] = items[:min(len(items), 120)]
		}
	}
	return all
}

// The context of an agent, tuned by threshold, window, batch and the length of a
// summary: what the policy leaves of it, item for item, is what automatic compaction
// of the conversation leaves, and the summary is the same text.
func TestTuningNeverLeavesTheContextsOfAgents(t *testing.T) {
	rng := rand.New(rand.NewPCG(46, 34))
	same, longer, waits := 0, 0, 0
	try := func(name string, items []historyitem.Item) {
		t.Helper()
		talk, err := agents.Open(t.Context(), "talk", agents.Options{Now: func() time.Time { return time.Unix(1e9, 0) }})
		if err != nil {
			t.Fatal(err)
		}
		for _, agent := range []string{"A", "B"} { // B's context is its neighbour, and stays
			if err := talk.Agents().AppendItems(t.Context(), agent, items); err != nil {
				t.Fatal(err)
			}
		}
		before := talk.Document().Bytes()
		d, err := transcript.Read(t.Context(), "talk.json", bytes.NewReader(before), int64(len(before)), transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := NewFile(d, Options{}).Session(t.Context(), Ref{Thread: 1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		most, keep, batch, chars := 1+rng.IntN(len(items)+4), rng.IntN(20), rng.IntN(40), 400+rng.IntN(3000)
		preset, _ := compaction.PresetByID("message-count")
		p, cfg := s.adopt(preset.Policy), auto.MessageCountConfig("")
		set := func(key string, n int, u model.Unit) { model.ParamOf(key).SetNumber(&p, float64(n), u) }
		set("trigger", most, model.Messages)
		set("tail", keep, model.Messages)
		set("batch", batch, model.Messages)
		set("budget", chars, model.Chars)
		cfg.MaxCount, cfg.KeepRecent, cfg.Batch, cfg.SummaryMaxChars = most, keep, batch, chars
		cfg.Strategy, cfg.OnFailure = model.Extract, model.KeepEverything
		where := fmt.Sprintf("%s, %d items, threshold %d, window %d, batch %d, %d characters", name, len(items), most, keep, batch, chars)

		dr, err := s.Draft(t.Context(), p, compaction.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		count := s.CountText
		if name == "drawn" {
			count = bareCount(s)
		}
		want, r, err := contexts.New(talk, cfg, auto.Options{Clock: stillClock{}, Count: count}).BeforeCall(t.Context(), "A")
		if err != nil {
			t.Fatal(err)
		}
		if first := s.Plan(p, compaction.Options{}); dr.Plan.Outcome == compaction.WouldApply && first.Taken != dr.Plan.Taken {
			longer++ // its summary was longer than expected, so more is taken; the library keeps to its range
			return
		}
		if applies := dr.Plan.Outcome == compaction.WouldApply; applies != r.Compressed {
			t.Errorf("%s: the policy applies: %v (%v), the conversation was compacted: %v (%v, %s)", where, applies, dr.Plan.Why, r.Compressed, r.Err, r.Decision.Why)
			return
		} else if !applies {
			waits++
			return
		}
		if _, err := s.Records.Apply(t.Context(), dr); err != nil {
			t.Fatal(err)
		}
		got, err := s.Overlay().contextItems(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		same++
		a, b := spelled(got), spelled(want)
		for i := range max(len(a), len(b)) {
			if x, y := strings.Join(a[min(i, len(a)):min(i+1, len(a))], ""), strings.Join(b[min(i, len(b)):min(i+1, len(b))], ""); x != y {
				t.Errorf("%s: the window leaves %d items, the conversation %d; item %d is\n%s\nthere\n%s", where, len(a), len(b), i, x, y)
				break
			}
		}
		if b, _ := talk.Agents().Context("B"); !slices.Equal(b.Items, items) {
			t.Errorf("%s: the neighbour's context has %d items of %d", where, len(b.Items), len(items))
		}
	}
	for range 250 {
		try("drawn", itemsOfChat(rng, 8+rng.IntN(70)))
	}
	real := realItems(t)
	for _, name := range slices.Sorted(maps.Keys(real)) { // the draws are the same in each run
		for range 25 {
			try(name, real[name])
		}
	}
	t.Logf("%d compactions are the same, %d took more, %d settings did not fire; %d real sessions", same, longer, waits, len(real))
	if same < 100 || waits < 20 || longer > same/20 {
		t.Errorf("%d compactions were compared, %d took more for a long summary, %d did not fire", same, longer, waits)
	}
}

// spelled are items as they are spelled; a summary is what it says, since it has the form of
// its neighbour in the one and is wrapped in the other.
func spelled(items []historyitem.Item) []string {
	list := make([]string, len(items))
	for i, it := range items {
		if list[i] = it.Raw(); i == 0 {
			list[i] = it.Role() + ": " + it.Text()
		}
	}
	return list
}
