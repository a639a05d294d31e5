package cli

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction/auto"
	"palimpsest/compaction/session/journal"
	"palimpsest/model"
)

type fixedClock struct{}

func (fixedClock) Now() time.Time { return time.Date(2025, 3, 1, 9, 0, 0, 0, time.UTC) }
func (fixedClock) WithTimeout(ctx context.Context, _ time.Duration) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}

// What an embedded agent did is listed, shown, restored and added up by the verbs.
func TestAnEmbeddedAgent(t *testing.T) {
	b := newBench(t)
	st := b.store()
	defer st.Close()
	cfg := auto.DefaultConfig()
	cfg.Strategy, cfg.MaxCount, cfg.Batch, cfg.KeepRecent = model.Extract, 10, 0, 4
	a, err := auto.Open(t.Context(), cfg, auto.Options{Agent: "deployer", Clock: fixedClock{}, Journal: journal.Recorded(st)})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 30 {
		a.Append(auto.ChatMessage{Role: "user", Content: fmt.Sprintf("Question %d %s", i, strings.Repeat("about it ", 40))},
			auto.ChatMessage{Role: "assistant", Content: fmt.Sprint("answer ", i)})
		if r := a.BeforeCall(t.Context()); r.Err != nil {
			t.Fatal(r.Err)
		}
	}
	n := len(a.Records())
	list := value[[]recordInfo](b.run("records", "--json").ends(exitDone))
	if len(list) != n || list[0].Path != "conversation:deployer" || list[0].Cause != model.CauseAutomatic {
		t.Fatalf("%d records, %d compactions: %+v", len(list), n, list)
	}
	d := value[recordDetail](b.run("records", "show", list[0].ID, "--json").ends(exitDone))
	if d.Summary == "" || len(d.Runs) < 2 || len(d.Parents) != 1 {
		t.Errorf("%+v", d)
	}
	b.run("records", "show", list[0].ID).ends(exitDone).says("conversation:deployer", "Question ")
	b.run("restore", list[0].ID, "-o", b.path("before.json")).ends(exitDone)
	if back, err := os.ReadFile(b.path("before.json")); err != nil || !strings.Contains(string(back), "Question 0 ") {
		t.Errorf("%v", err)
	}
	b.run("conversations").ends(exitDone).says("conversation:deployer", "deployer")
	b.run("inspect", "conversation:deployer").ends(exitDone).says("Agent state")
	m := value[metricsInfo](b.run("metrics", "--json").ends(exitDone))
	var saved int64
	for _, r := range list {
		saved += r.Before.Tokens - r.After.Tokens
	}
	if m.Applied != n || m.SuccessRate != 1 || m.Saved != saved || len(m.By) != 1 || m.By[0].Strategy != model.Extract {
		t.Errorf("%+v", m)
	}
	b.run("metrics").ends(exitDone).says("extract", "100 %")
	b.run("metrics", "--search", "nothing like it").ends(exitDone).says("no records")
}
