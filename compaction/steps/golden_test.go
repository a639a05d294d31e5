package steps

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/model"
)

var update = flag.Bool("update", false, "write the golden files")

// golden compares a text with the file of testdata that has its name.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		must(t, os.WriteFile(path, []byte(got), 0o600))
		return
	}
	b, err := os.ReadFile(path)
	must(t, err)
	want := strings.Split(string(b), "\n")
	for i, line := range strings.Split(got, "\n") {
		if i >= len(want) || line != want[i] {
			t.Fatalf("%s, line %d:\n got %s\nwant %s", path, i+1, line, strings.Join(want[min(i, len(want)):min(i+1, len(want))], ""))
		}
	}
	if got != string(b) {
		t.Errorf("%s has more lines", path)
	}
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// uneven is a step in English whose execution is longer from step to step, and starts anew.
func uneven(n int) Input {
	in := doneEN(n)
	long := strings.Repeat("row ", 7*(n%9))
	in.Execution = new(*in.Execution + " " + long)
	return in
}

// What a history tells within each budget is known: how long it is, which steps stay in full,
// which have a line and which are only announced.
func TestWhatEachBudgetHolds(t *testing.T) {
	var b strings.Builder
	for _, x := range []struct {
		name  string
		set   Settings
		steps int
		step  func(int) Input
		more  int // of four characters, so that parts have fewer tokens than the whole, or more
	}{
		{"three steps, no summary", FixedSettings(5, 3, 0), 3, done, 3},
		{"window 5, batch 3", FixedSettings(5, 3, 0), 11, uneven, 0},
		{"window 3, batch 2, summaries of 400", FixedSettings(3, 2, 400), 20, done, 3},
		{"a step for each summary", FixedSettings(1, 1, 0), 7, uneven, 0},
	} {
		count := func(s string) int { return (len([]rune(s)) + x.more) / 4 }
		h := newSteps(t, x.set)
		addAll(t, h, 1, x.steps, x.step)
		whole := count(h.Text())
		fmt.Fprintf(&b, "%s: %d steps, %d tokens\n", x.name, x.steps, whole)
		last := "no room"
		for budget := 3; budget <= whole; budget++ {
			text, err := h.Within(budget, count)
			if errors.Is(err, ErrBudget) && last == "no room" {
				continue
			}
			must(t, err)
			if text == last {
				continue
			}
			last = text
			lines, omitted := 0, "none"
			for line := range strings.Lines(text) {
				switch {
				case strings.HasPrefix(line, "[steps"), strings.HasPrefix(line, "[已省略"):
					omitted = strings.TrimSpace(line)
				case toldAlone.MatchString(line) && !strings.HasPrefix(line, "==="):
					lines++
				}
			}
			fmt.Fprintf(&b, "%5d  %5d tokens, %d in full, %d in a line, omitted %s\n", budget, count(text), strings.Count(text, "=== "), lines, omitted)
		}
	}
	golden(t, "within.txt", b.String())
}

// kept is a journal that keeps all it gets, and refuses while refuse is set.
type kept struct {
	entries []model.Entry
	refuse  error
	missed  []model.Event
}

func (j *kept) Events(_ context.Context, _ string, after int64) (list []model.Event, err error) {
	for _, e := range j.entries {
		list = append(list, e.Events...)
	}
	return list[min(int(after), len(list)):], nil
}

func (j *kept) Append(_ context.Context, _ string, _ int64, e model.Entry) ([]model.Event, error) {
	if j.refuse != nil || j.missed != nil {
		return j.missed, j.refuse
	}
	j.entries = append(j.entries, e)
	return nil, nil
}

func (j *kept) String() string {
	var b strings.Builder
	for _, e := range j.entries {
		for _, ev := range e.Events {
			fmt.Fprintf(&b, "event %d %s %s %s\n", ev.Seq, ev.Kind, ev.Time.Format(time.TimeOnly), ev.Items)
		}
		h, a := e.Stats.History, e.Stats.Agents[0]
		fmt.Fprintf(&b, "  %s: %d messages, last %s %q %s\n", e.Stats.Title, h.Messages, h.LastType, h.LastContent, h.LastAt.Format(time.TimeOnly))
		fmt.Fprintf(&b, "  %s: %s, %d, %s %s\n", a.Agent, a.State, a.Interactions, a.LastType, a.LastAt.Format(time.TimeOnly))
		for i := range e.Compacted {
			c := &e.Compacted[i]
			fmt.Fprintf(&b, "  compaction of %v at %s in %s, %s, %s, model %q, reason %q, %v\n  of %s\n  summary %q\n  sent %q\n  and then %q\n",
				c.Take, c.Time.Format(time.TimeOnly), c.Duration, c.Cause, c.Outcome, c.Model, c.Reason, c.Policy.Strategy,
				strings.TrimSpace(string(c.Document)), c.Summary, c.SentBefore, c.SentAfter)
		}
	}
	return b.String()
}

// short is a step of few words.
func short(n int) Input {
	return Input{Number: n, Analysis: new("look at file " + itoa(n)), Execution: new("read 12 rows of it"), Supervision: new("fine")}
}

// A journal gets the steps, the snapshots, the counts and the compactions, each with what was
// sent before and after it.
func TestWhatAJournalGets(t *testing.T) {
	var j kept
	var snapshots []string
	asked := 0
	s := FixedSettings(3, 2, 200)
	s.Strategy, s.LeastSaving = ModelText, 0
	h, err := Open(t.Context(), "run", s, Env{Clock: tick(), Journal: &j, Summarise: func(_ context.Context, b Batch) (string, error) {
		if asked++; asked == 2 {
			return "", errors.New("no answer")
		}
		return fmt.Sprintf("files %d to %d were read", b.Steps[0].Number, b.Steps[len(b.Steps)-1].Number), nil
	}})
	must(t, err)
	keep := func() {
		snapshot, err := h.Snapshot()
		must(t, err)
		snapshots = append(snapshots, string(snapshot))
	}
	for n := 1; n <= 9; n++ {
		add(t, h, short(n))
		keep()
	}
	must(t, h.SetWindow(t.Context(), 2, 1))
	keep()
	golden(t, "journal.txt", j.String())
	var events []model.Event
	for i, e := range j.entries {
		events = append(events, e.Events...)
		if back, err := SnapshotOf(events); err != nil || string(back) != snapshots[i] {
			t.Errorf("%d events lead to\n%s\nwant\n%s (%v)", len(events), back, snapshots[i], err)
		}
	}
	for _, items := range []string{"{", `{"steps":[{"x":1}]}`, `{"snapshot":{}}`} {
		if _, err := SnapshotOf([]model.Event{{Seq: 7, Kind: model.EventSteps, Items: items}}); err == nil || !strings.Contains(err.Error(), "event 7") {
			t.Errorf("%s: %v", items, err)
		}
	}
	if _, err := SnapshotOf([]model.Event{{Seq: 7, Kind: model.EventCalled, Items: `{}`}}); err == nil {
		t.Error("an event of another kind is taken for a step")
	}
}

// What a journal refused is in its next entry, once; and one that another program has
// written to gets nothing more.
func TestAJournalThatRefusesGetsAllLater(t *testing.T) {
	j := &kept{refuse: errors.New("full")}
	h, err := Open(t.Context(), "run", FixedSettings(3, 2, 0), Env{Clock: tick(), Journal: j})
	must(t, err)
	for n := 1; n <= 4; n++ {
		if err := h.AppendStep(t.Context(), done(n)); !errors.Is(err, j.refuse) {
			t.Fatalf("step %d: %v", n, err)
		}
	}
	j.refuse = nil
	add(t, h, done(5))
	add(t, h, done(6))
	if len(j.entries) != 2 || len(j.entries[0].Compacted) != 1 || len(j.entries[1].Compacted) != 1 || j.entries[1].Events[0].Seq != 2 {
		t.Fatalf("%s", j)
	}
	back, err := Open(t.Context(), "run", FixedSettings(3, 2, 0), Env{Clock: tick(), Journal: j})
	must(t, err)
	if back.Text() != h.Text() || back.Stats() != h.Stats() {
		t.Errorf("read back: %+v\n%s\nwant %+v\n%s", back.Stats(), back.Text(), h.Stats(), h.Text())
	}
	if got := strings.Count(j.entries[0].Events[0].Items, `"number":1,`) + strings.Count(j.entries[0].Events[0].Items, `"stepNumber":1,`); got != 1 {
		t.Errorf("the first step is there %d times:\n%s", got, j.entries[0].Events[0].Items)
	}
	add(t, back, done(7))
	if e := j.entries[2]; e.Events[0].Seq != 3 || len(e.Compacted) != 0 {
		t.Errorf("the next event after opening: %+v", e)
	}
	j.missed = []model.Event{{Seq: 3}}
	if err := h.AppendStep(t.Context(), done(8)); !errors.Is(err, ErrElsewhere) {
		t.Errorf("after another program has written: %v", err)
	}
}

// The events of a history whose sizes follow its length, and whose first steps have no words
// to tell the language by, lead to what it was after each of them.
func TestEventsLeadToEachState(t *testing.T) {
	var j kept
	h, err := Open(t.Context(), "run", DefaultSettings(), Env{Clock: tick(), Journal: &j})
	must(t, err)
	var events []model.Event
	for n := 1; n <= 13; n++ {
		in := done(n)
		if n == 1 {
			in = Input{Number: 1, Analysis: new("1"), Execution: new("2"), Supervision: new("3")}
		}
		add(t, h, in)
		events = append(events, j.entries[n-1].Events...)
		want, err := h.Snapshot()
		must(t, err)
		if back, err := SnapshotOf(events); err != nil || string(back) != string(want) {
			t.Fatalf("%d events lead to\n%s\nwant\n%s (%v)", n, back, want, err)
		}
	}
}
