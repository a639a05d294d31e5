package gui

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session/doors"
	"palimpsest/gui/commands"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// Sessions that run are on top of the list with when they are compacted; what a gateway
// does with one is changed there, at its next call, and one that falls silent goes.
func TestLiveSessionsInTheList(t *testing.T) {
	s := newStage(t)
	st, ctx := s.Desk.Store(), t.Context()
	put := func(id string, source model.LiveSource, mode string, used, calls int) {
		x := model.LiveSession{ID: id, Source: source, Mode: mode, Path: "/sessions/" + id + ".jsonl", Title: "Session " + id,
			Window: 200_000, Trigger: 150_000, Changed: time.Now()}
		for k := range calls {
			x.Called(used-5000*(calls-1-k), 10+7*k)
		}
		if err := st.PutLive(ctx, x); err != nil {
			t.Fatal(err)
		}
	}
	look := func() { s.Desk.LookLive(); s.settle() }
	put("one", model.LiveGateway, "ledger", 140_000, 5)
	put("two", model.LiveHook, "", 50_000, 1)
	look()
	looks(s, func() {
		s.sees("Session one", "Session two", words.T("live.compactsIn", "count", 14),
			words.T("count.messages", "count", 10)+" · "+words.T("live.source.hook"), words.Percent(.7), words.Percent(.25))
	})
	first := s.Desk.Live()[0].ID
	one, found := s.Desk.LiveAt("/sessions/one.jsonl")
	if !found {
		t.Fatal("it does not run")
	}
	s.Desk.Steer(one, true, "")
	s.settle()
	s.sees(words.T("live.pausedLeft", "count", 14))
	one, _ = s.Desk.LiveAt("/sessions/one.jsonl")
	s.Desk.Steer(one, one.Paused, model.CompactNext)
	s.settle()
	s.sees(words.T("live.compactsNext"))
	if kept, err := st.LiveSession(ctx, "one"); err != nil || !kept.Paused || kept.Wish != model.CompactNext {
		t.Errorf("%+v, %v", kept, err)
	}
	two, _ := s.Desk.LiveAt("/sessions/two.jsonl")
	s.Desk.Steer(two, true, "")
	s.settle()
	if kept, _ := st.LiveSession(ctx, "two"); kept.Paused {
		t.Error("a session that no gateway compacts was paused")
	}
	put(map[string]string{"one": "two", "two": "one"}[first], model.LiveGateway, "ledger", 60_000, 1)
	look()
	if list := s.Desk.Live(); len(list) != 2 || list[0].ID != first {
		t.Errorf("the rows changed places: %v", list)
	}
	old := one
	old.Changed = time.Now().Add(-time.Hour)
	if err := st.PutLive(ctx, old); err != nil {
		t.Fatal(err)
	}
	look()
	if _, there := s.Desk.LiveAt("/sessions/one.jsonl"); there {
		t.Error("a silent session runs")
	}
}

// A batch that another program works on is on top of the list with how far it is, is
// stopped there, and goes when a person takes it away.
func TestBatchesInTheList(t *testing.T) {
	s := newStage(t)
	st, ctx := s.Desk.Store(), t.Context()
	run := model.BatchRun{ID: "run", Title: "-r sessions --preset careful", Host: "box", Began: time.Now(), Total: 40,
		Done: map[string]int{"applied": 6}}
	run.Note(time.Now().Add(-10 * time.Second))
	run.Done["applied"] = 26
	run.Fail("/sessions/bad.json", "It is no JSON.")
	run.Note(time.Now())
	if err := st.BeginBatch(ctx, run); err != nil {
		t.Fatal(err)
	}
	look := func() { s.Desk.LookLive(); s.settle() }
	look()
	looks(s, func() {
		state := words.T("job.of", "n", 27, "m", 40) + " · " + words.T("batch.notDone", "count", 1) + " · "
		s.sees(run.Title, state+words.T("batch.timeLeft", "time", words.Elapsed(6*time.Second)), words.Percent(27./40))
	})
	s.sessions.Open(1)
	s.settle()
	s.sees("/sessions/bad.json", "It is no JSON.", words.T("batch.failures"), words.T("batch.perSecond", "n", words.Decimal(2.1, 1)))
	run.Done["applied"] = 27
	if _, err := st.NoteBatch(ctx, run); err != nil {
		t.Fatal(err)
	}
	s.Desk.StopBatch("run")
	s.settle()
	s.sees(words.T("job.of", "n", 27, "m", 40)+" · "+words.T("batch.outcome.applied", "count", 27), words.T("batch.stopping"))
	if stop, err := st.NoteBatch(ctx, run); err != nil || !stop {
		t.Errorf("the program is not asked to stop: %v", err)
	}
	run.Ended = time.Now()
	if _, err := st.NoteBatch(ctx, run); err != nil {
		t.Fatal(err)
	}
	look()
	s.sees(words.T("batch.endedEarly"))
	s.Desk.ForgetBatch("run")
	s.settle()
	if len(s.Desk.Batches()) != 0 {
		t.Error("it is still listed")
	}
}

// The table of all sessions has those that run on top, with what the list says of them;
// one that is open is in it once, and one that is not can't be ticked.
func TestLiveSessionsInTheTable(t *testing.T) {
	file := sampleFile(t, t.TempDir(), "lab-notebook.jsonl")
	s := newStage(t, file)
	now := time.Now()
	for _, x := range []model.LiveSession{
		{ID: "open", Source: model.LiveGateway, Mode: "ledger", Path: file, Title: "Lab", Window: 200_000, Trigger: 150_000, Changed: now},
		{ID: "closed", Source: model.LiveHook, Path: "/sessions/closed.jsonl", Title: "Session closed", Window: 100_000, Changed: now},
	} {
		x.Called(50_000, 10)
		if err := s.Desk.Store().PutLive(t.Context(), x); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Desk.Store().SetLive(t.Context(), "open", true, ""); err != nil {
		t.Fatal(err)
	}
	s.Desk.LookLive()
	s.settle()
	s.Commands.Run("sessions")
	s.settle()
	looks(s, func() {
		s.sees(words.T("live.title"), words.T("live.running", "count", 2), words.T("live.paused"), words.Percent(.25), words.Percent(.5),
			words.T("live.source.hook")+" · Session closed", words.T("count.messages", "count", 10))
		if n := strings.Count(shown(s.top()), words.T("live.source.gateway")+" · "); n != 1 {
			t.Errorf("an open session that runs is shown %d times", n)
		}
	})
	s.sees(words.T("live.resume.short"))
	s.tap(words.T("live.resume.short"))
	s.settle()
	s.sees(words.T("live.pause.short"))
	if x, err := s.Desk.Store().LiveSession(t.Context(), "open"); err != nil || x.Paused {
		t.Errorf("%+v, %v", x, err)
	}
	s.Win.Canvas().Focused().(fyne.Shortcutable).TypedShortcut(&fyne.ShortcutSelectAll{})
	s.settle()
	s.sees(words.T("range.selected", "count", len(s.Desk.Entries())))
	s.press("Esc")
	s.sees(words.T("sessions.none"))
}

// What the verb doctor says is one command away, in the language of the window.
func TestDoorsInTheWindow(t *testing.T) {
	s := newStage(t)
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	settings := filepath.Join(home, ".claude", "settings.json")
	if err := os.MkdirAll(filepath.Dir(settings), 0o700); err != nil {
		t.Fatal(err)
	}
	looks(s, func() {
		s.Commands.Run(commands.Doors)
		s.settle()
		s.sees(words.T("doctor.title"), words.T("doctor.hook", "tool", "Claude Code"), words.T("doctor.off"), words.T("doctor.notInstalled", "place", settings),
			words.T("doctor.do.install", "key", "claude-code", "program", "claude"), words.T("doctor.noGateway"))
		s.press("Esc")
		s.closed()
	})
	list, err := doors.Find(t.Context(), doors.Database{Why: error.Error, Sessions: func(context.Context) ([]model.LiveSession, bool, error) { return nil, false, nil }})
	if err != nil || len(list) < 4 {
		t.Fatal(list, err)
	}
	words.Set(words.English)
	for _, d := range list {
		for _, l := range append(d.Says, d.Of) {
			if l.English() != words.T(l.Key, l.Args...) {
				t.Errorf("the verb says %q, the window %q", l.English(), words.T(l.Key, l.Args...))
			}
		}
	}
}
