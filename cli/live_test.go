package cli

import (
	"context"
	"os"
	"strings"
	"testing"
	"time"

	"palimpsest/cli/batch/queue"
	"palimpsest/model"
)

// asProgram is set where this test program is to be the program itself.
const asProgram = "PALIMPSEST_TEST_PROGRAM"

func TestMain(m *testing.M) {
	if as := os.Getenv(actVariable); as != "" {
		act(as)
	}
	if os.Getenv(asProgram) != "" {
		os.Exit(Run(context.Background(), os.Args[1:], os.Stdout, os.Stderr, Doors{Queue: queue.Open}))
	}
	os.Exit(m.Run())
}

// What runs is listed with when it would be compacted, and what a gateway does can be
// steered; what no gateway compacts can't.
func TestLive(t *testing.T) {
	b := newBench(t)
	contains(t, b.run("live").ends(exitDone).out, "No session runs")
	a := &app{ctx: t.Context(), db: b.db, out: os.Stdout, errOut: os.Stderr}
	st, err := a.writable()
	must(t, err)
	s := model.LiveSession{ID: "abcdef12-0001", Source: model.LiveGateway, Mode: "ledger", Path: "/x/a.jsonl", Title: "Fix the bug",
		Window: 200_000, Trigger: 100_000, Changed: time.Now()}
	for k := range 5 {
		s.Called(20_000+10_000*k, 10+5*k)
	}
	must(t, st.PutLive(t.Context(), s))
	watched := s
	watched.ID, watched.Mode, watched.Path = "beef", "watch", "/x/b.jsonl"
	must(t, st.PutLive(t.Context(), watched))
	old := s
	old.ID, old.Path, old.Changed = "cafe", "/x/c.jsonl", time.Now().Add(-time.Hour)
	must(t, st.PutLive(t.Context(), old))
	must(t, st.Close())

	out := b.run("live").ends(exitDone).out
	for _, want := range []string{"abcdef12", "60,000", "30 %", "in ~20 messages", "Fix the bug", "beef"} {
		contains(t, out, want)
	}
	if strings.Contains(out, "cafe") {
		t.Error("a session that is silent runs")
	}
	contains(t, b.run("live", "--all").ends(exitDone).out, "cafe")
	b.run("live", "pause", "abc").ends(exitDone)
	contains(t, b.run("live").ends(exitDone).out, "paused")
	b.run("live", "compact", "abc").ends(exitDone)
	contains(t, b.run("live").ends(exitDone).out, "at its next call")
	b.run("live", "restore", "abc").ends(exitDone)
	b.run("live", "resume", "abcdef12-0001").ends(exitDone)
	list := value[[]liveInfo](b.run("live", "--json").ends(exitDone))
	equal(t, 2, len(list))
	for _, l := range list {
		equal(t, 20, *l.Left)
		equal(t, false, l.Paused)
		equal(t, "", l.Wish)
	}
	b.run("live", "pause", "beef").ends(exitFailed, "can't be steered")
	b.run("live", "pause", "nothing").ends(exitFailed, "no running session")
}
