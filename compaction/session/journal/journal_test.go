package journal_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
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
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/journal"
	"palimpsest/compaction/steps"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/tokens"
	"palimpsest/model/transcript"
	"palimpsest/model/transcript/historyitem"
)

type clock struct{ at time.Time }

func (c *clock) Now() time.Time { c.at = c.at.Add(time.Second); return c.at }
func (c *clock) WithTimeout(ctx context.Context, _ time.Duration) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}

func newClock() *clock { return &clock{time.Date(2025, 3, 1, 9, 0, 0, 0, time.UTC)} }

func open(t *testing.T) *store.Store {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "agents.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = st.Close() })
	return st
}

func small() auto.Config {
	c := auto.DefaultConfig()
	c.Strategy, c.MaxCount, c.Batch, c.KeepRecent, c.KeepFirstUser = model.Extract, 10, 0, 4, true
	return c
}

// records checks every record of the database as one made by hand: its originals
// are there, both hashes hold, and it can be opened. It returns them, oldest first.
func records(t *testing.T, st *store.Store) []model.Record {
	t.Helper()
	list, err := st.Records(t.Context(), store.Filter{Limit: -1, Full: true})
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(list)
	for i := range list {
		rec := &list[i]
		f, err := session.OpenOriginals(t.Context(), st, rec)
		if err != nil {
			t.Fatalf("%s: %v", rec.ID, err)
		}
		s, err := f.OriginalSession(t.Context(), rec)
		if err != nil {
			t.Fatalf("%s: %v", rec.ID, err)
		}
		if rec.Outcome != model.Applied {
			f.Close()
			continue
		}
		stack, err := session.StackOf(t.Context(), st, rec)
		if err != nil {
			t.Fatalf("%s: %v", rec.ID, err)
		}
		p, err := s.With(stack[:len(stack)-1]).Prove(t.Context(), rec)
		if err != nil {
			t.Errorf("%s: %v", rec.ID, err)
		} else if !(p.Source.Equal() && p.Range.Equal()) {
			t.Errorf("%s: %+v", rec.ID, p)
		}
		f.Close()
	}
	return list
}

// An embedded agent's compactions are records, and its history opens by name and
// goes on where it was left.
func TestACompactorInTheDatabase(t *testing.T) {
	ctx, st := t.Context(), open(t)
	opt := auto.Options{Agent: "deployer", Clock: newClock(), Journal: journal.Recorded(st)}
	a, err := auto.Open(ctx, small(), opt)
	if err != nil {
		t.Fatal(err)
	}
	a.Append(auto.ChatMessage{Role: "system", Content: "You are careful."}, auto.ChatMessage{Role: "user", Content: "Never touch /srv/prod."})
	for i := range 40 {
		call := auto.ChatMessage{Role: "assistant", ToolCalls: []auto.ChatCall{{ID: fmt.Sprint(i), Name: "run", Arguments: fmt.Sprintf(`{"n":%d}`, i)}}}
		a.Append(call, auto.ChatMessage{Role: "tool", ToolCallID: fmt.Sprint(i), Content: strings.Repeat(fmt.Sprintf("line %d of the log; ", i), 20)})
		if r := a.BeforeCall(ctx); r.Err != nil {
			t.Fatal(r.Err)
		}
		a.ReportUsage(auto.ReportedUsage{Used: int64(900 + i), Max: 128_000})
		if i%7 == 3 { // a new process
			want, _ := a.MarshalJSON()
			if err := a.Save(ctx); err != nil {
				t.Fatal(err)
			}
			if a, err = auto.Open(ctx, small(), opt); err != nil {
				t.Fatal(err)
			}
			if got, _ := a.MarshalJSON(); !bytes.Equal(got, want) {
				t.Fatalf("step %d: it is opened as\n%s\nand was\n%s", i, got, want)
			}
		}
	}
	list := records(t, st)
	if n := len(a.Records()); n < 5 || len(list) != n {
		t.Fatalf("%d records for %d compactions", len(list), n)
	}
	history, last := a.History(), a.Records()
	for i, rec := range list {
		own := last[i]
		if rec.Outcome != model.Applied || rec.Path != "conversation:deployer" || rec.Cause != model.CauseAutomatic || rec.At > len(history) ||
			!strings.HasSuffix(rec.Summary, own.Summary) || rec.Before.Messages != own.OriginalCount || rec.After.Messages != own.NewCount ||
			rec.Before.Tokens <= rec.After.Tokens {
			t.Errorf("record %s: %+v, compaction %+v", rec.ID, rec, own)
		}
		if i > 0 && (!slices.Equal(rec.Parents, []string{list[i-1].ID}) || rec.Formers != 1) {
			t.Errorf("record %s covers the summaries of %v", rec.ID, rec.Parents)
		}
	}
	found, err := st.Records(ctx, store.Filter{Limit: -1, Text: "line 3 of the log"})
	if err != nil || len(found) == 0 {
		t.Errorf("what went is not found: %v", err)
	}
	f, err := session.OpenConversation(ctx, st, "deployer", session.Options{Store: st, Conversations: st})
	if err != nil || f.Doc.Format != model.FormatAgentState {
		t.Fatal(err)
	}
	s, err := f.Session(ctx, session.Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(s.Thread().History); n != len(history) {
		t.Errorf("it opens with %d messages of %d", n, len(history))
	}
	if s.Parent() == nil || s.Parent().ID != list[len(list)-1].ID {
		t.Errorf("its record is %v", s.Parent())
	}
	infos, err := st.Conversations(ctx)
	if err != nil || len(infos) != 1 || infos[0].History.Messages != len(history) || !strings.Contains(infos[0].Agents[0].State, "messages") {
		t.Errorf("%+v, %v", infos, err)
	}
	p := s.Policy()
	p.Strategy, p.Tail = model.Extract, model.Amount{N: 1, Unit: model.Messages}
	p.MinGain = model.Gain{}
	fresh, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil)
	if err != nil || fresh.Outcome != model.Applied {
		t.Fatalf("%+v %s, %v", fresh.Outcome, fresh.Reason, err)
	}
	if list := records(t, st); list[len(list)-1].ID != fresh.ID {
		t.Errorf("the last record is %s", list[len(list)-1].ID)
	}
	if _, err := s.Records.Restore(ctx, fresh.ID); err != nil {
		t.Fatal(err)
	}
	again, err := s.Records.ReapplyPreview(ctx, fresh)
	if err != nil || len(again.Of) != 1 {
		t.Errorf("after its restore it is not applied again: %+v, %v", again, err)
	}
}

// A history of automatic compaction opens with the settings that its program gave it, also
// after they were changed and after the program ran again.
func TestACompactorOpensWithItsSettings(t *testing.T) {
	st := open(t)
	j := journal.Recorded(st)
	count := auto.MessageCountConfig("")
	count.Strategy, count.MaxCount, count.Batch, count.KeepRecent = model.Extract, 24, 12, 6
	share := auto.TokenShareConfig("")
	share.Strategy, share.Window, share.Threshold, share.KeepRecent = model.StructuredJSON, 6000, .7, 8
	for name, cfg := range map[string]auto.Config{"count": count, "share": share} {
		for run := range 2 {
			a, err := auto.Open(t.Context(), cfg, auto.Options{Agent: name, Clock: newClock(), Journal: j})
			if err != nil {
				t.Fatal(err)
			}
			a.Append(auto.ChatMessage{Role: "user", Content: "Deploy it."})
			if err := a.Save(t.Context()); err != nil {
				t.Fatal(err)
			}
			f, err := session.OpenConversation(t.Context(), st, name, session.Options{})
			if err != nil {
				t.Fatal(err)
			}
			s, err := f.Session(t.Context(), session.Ref{}, nil)
			if err != nil {
				t.Fatal(err)
			}
			p := s.Policy()
			want := []model.Clause{compaction.ShareClause(cfg.Threshold)}
			if cfg.NoShare {
				want = []model.Clause{compaction.TriggerAt(cfg.MaxCount, model.Messages)}
			}
			if !slices.Equal(p.Triggers, want) || p.Tail != (model.Amount{N: cfg.KeepRecent, Unit: model.Messages}) || p.Batch.N != cfg.Batch ||
				cfg.Window > 0 && p.Window != cfg.Window || p.Strategy != cfg.Strategy || !strings.Contains(p.Preset, name) {
				t.Errorf("%s, run %d: %+v of %+v", name, run, p, cfg)
			}
			cfg.KeepRecent++
		}
	}
}

// Failures, waits and decisions outlive the process; another program's entries are
// not written over.
func TestFailuresAndOtherPrograms(t *testing.T) {
	ctx, st := t.Context(), open(t)
	cfg := small()
	cfg.Strategy, cfg.SummaryModel = "", "m"
	fails := auto.Options{Agent: "a", Clock: newClock(), Journal: journal.Recorded(st), Client: failing{}}
	a, err := auto.Open(ctx, cfg, fails)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 12 {
		a.Append(auto.ChatMessage{Role: "user", Content: fmt.Sprint("question ", i)})
	}
	if r := a.BeforeCall(ctx); r.Err == nil {
		t.Fatal("the model did not fail")
	}
	list := records(t, st)
	if len(list) != 1 || list[0].Outcome != model.Failed || list[0].Reason == "" || strings.Contains(list[0].Reason, "secret") {
		t.Fatalf("%+v", list)
	}
	b, err := auto.Open(ctx, cfg, fails)
	if err != nil {
		t.Fatal(err)
	}
	if d := b.Decision(); d.Why != auto.Waits || d.WaitMessages != a.Decision().WaitMessages {
		t.Errorf("%+v, was %+v", d, a.Decision())
	}
	a.Append(auto.ChatMessage{Role: "user", Content: "one more"})
	if err := a.Save(ctx); err != nil {
		t.Fatal(err)
	}
	b.Append(auto.ChatMessage{Role: "user", Content: "of the other"})
	if err := b.Save(ctx); !errors.Is(err, auto.ErrElsewhere) {
		t.Errorf("%v", err)
	}
	events, _ := st.Events(ctx, "a", 0)
	if last := events[len(events)-1].Items; !strings.Contains(last, "one more") || !strings.Contains(last, `"decision":{"why":"back-off"`) {
		t.Errorf("%s", last)
	}
	if _, err := auto.New(cfg, fails); err == nil {
		t.Error("New takes a journal")
	}
	a.Forget()
	a.Append(auto.ChatMessage{Role: "user", Content: "a new life"})
	if err := a.Save(ctx); err != nil {
		t.Fatal(err)
	}
	if b, err = auto.Open(ctx, cfg, fails); err != nil || len(b.History()) != 1 {
		t.Errorf("%v, %v", b.History(), err)
	}
}

type failing struct{}

func (failing) Summarise(context.Context, auto.SummaryRequest) (string, error) {
	return "", errors.New("a secret of the provider")
}

// A step history in the journal says the same as one in memory, in whatever
// processes it goes on; each pass is a record, and its snapshot opens.
func TestAStepHistoryInTheDatabase(t *testing.T) {
	ctx, st := t.Context(), open(t)
	c := newClock()
	env := steps.Env{Clock: c.Now, Journal: journal.Recorded(st)}
	h, err := steps.Open(ctx, "builder", steps.DefaultSettings(), env)
	if err != nil {
		t.Fatal(err)
	}
	plain, _ := steps.New(steps.DefaultSettings(), steps.Env{Clock: c.Now})
	sent := map[int64]bool{} // sizes of what the agent would be sent
	for n := 1; n <= 70; n++ {
		a, e, s := fmt.Sprintf("**Status:** working\n**Progress:** %d%%", n), strings.Repeat(fmt.Sprintf("**Result:** built part %d. ", n), 12), "**Score:** 8\n**Passed:** yes"
		for _, h := range []*steps.History{h, plain} {
			if err := h.Append(ctx, n, a, e, s); err != nil {
				t.Fatal(err)
			}
		}
		if h.Text() != plain.Text() {
			t.Fatalf("step %d: the text is another", n)
		}
		sent[int64(tokens.ForModel("").Count(h.Text()))] = true
		if n%9 == 0 {
			if h, err = steps.Open(ctx, "builder", steps.Settings{Window: 1, Batch: 1, Strategy: model.Extract}, env); err != nil {
				t.Fatal(err)
			}
		}
	}
	list := records(t, st)
	if n := plain.Stats().Summarised; len(list) < n/5 || list[0].Summary == "" {
		t.Fatalf("%d records, %d steps summarised", len(list), n)
	}
	covered := 0
	for _, rec := range list {
		if rec.Format != model.FormatStepHistory || rec.Covered == 0 || rec.Before.Tokens <= rec.After.Tokens {
			t.Errorf("%s: %+v", rec.ID, rec)
		}
		if rec.Model == "" && !sent[rec.After.Tokens] {
			t.Errorf("%s has %d tokens after, and no text that an agent was sent has", rec.ID, rec.After.Tokens)
		}
		covered += rec.Messages()
	}
	if want := 3 * plain.Stats().Summarised; covered != want {
		t.Errorf("the records cover %d messages of %d", covered, want)
	}
	f, err := session.OpenConversation(ctx, st, "builder", session.Options{Store: st, Conversations: st})
	if err != nil || f.Doc.Format != model.FormatStepHistory {
		t.Fatal(err)
	}
	if name := f.Title(0); name != "builder" || list[0].Session != name {
		t.Errorf("its session is called %q, and %q in a record", name, list[0].Session)
	}
}

// A compaction of an agent's context does not make its tasks unknown: who asked whom, when, and
// how the answer began is told as before.
func TestTasksOutliveTheirMessages(t *testing.T) {
	ctx, st := t.Context(), open(t)
	talk, err := agents.Open(ctx, "weather", agents.Options{Journal: journal.Recorded(st), Now: newClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	tree := func() map[string][]string {
		f, err := session.OpenConversation(ctx, st, "weather", session.Options{})
		if err != nil {
			t.Fatal(err)
		}
		list, _, err := f.Agents(ctx, session.AgentsRequest{})
		if err != nil {
			t.Fatal(err)
		}
		told := map[string][]string{}
		for _, a := range list {
			for _, x := range a.Tasks {
				told[a.ID] = append(told[a.ID], fmt.Sprint(x.Caller, x.CalledAt, x.BackAt, x.Asked, x.Answered))
			}
		}
		return told
	}
	for n := range 20 {
		id := fmt.Sprint(n)
		err := talk.Execute(ctx, agents.Task{ID: id, Agent: "A", Input: "Rain in town " + id + "?"},
			func(ctx context.Context, respond func(agents.Response) error) error {
				look := agents.Task{ID: id + ".1", Agent: "B", Caller: "A", Input: "Look up town " + id}
				if err := talk.Begin(ctx, look); err != nil {
					return err
				}
				if _, err := talk.Finish(ctx, look.ID, "station "+id); err != nil {
					return err
				}
				return respond(agents.Response{Final: "No rain in " + id})
			}, nil)
		if err != nil {
			t.Fatal(err)
		}
	}
	before := tree()
	all := contexts.New(talk, small(), auto.Options{Clock: newClock()})
	for _, agent := range []string{"A", "B"} {
		if items, r, err := all.BeforeCall(ctx, agent); err != nil || !r.Compressed || len(items) > 12 {
			t.Fatal(len(items), r.Compressed, err)
		}
	}
	after := tree()
	for agent, tasks := range before {
		if len(tasks) != 20 || !slices.Equal(tasks, after[agent]) {
			t.Errorf("%s has %d tasks, had %d:\n%v\n%v", agent, len(after[agent]), len(tasks), after[agent], tasks)
		}
	}
}

// Contexts of agents are compacted by themselves (F25): the list to send is short,
// no call loses its output, and all items are in the journal.
func TestContextsAreCompacted(t *testing.T) {
	ctx, st := t.Context(), open(t)
	talk, err := agents.Open(ctx, "weather", agents.Options{Journal: journal.Recorded(st), Now: newClock().Now})
	if err != nil {
		t.Fatal(err)
	}
	all := contexts.New(talk, small(), auto.Options{Clock: newClock()})
	reasoning, _ := historyitem.Parse(`{"type":"reasoning","summary":[{"type":"summary_text","text":"hm"}],"encrypted_content":"xx"}`)
	appended := 0
	for i := range 30 {
		id := fmt.Sprint(i)
		list := []historyitem.Item{historyitem.Wrapped.Message("user", "question "+id), reasoning,
			historyitem.Flat.Call(id, "look", `{"at":`+id+`}`), historyitem.Flat.Output(id, strings.Repeat("rain "+id+" ", 30)),
			historyitem.Wrapped.Message("assistant", "answer "+id)}
		if err := talk.Agents().AppendItems(ctx, "A", list); err != nil {
			t.Fatal(err)
		}
		appended += len(list)
		items, r, err := all.BeforeCall(ctx, "A")
		if err != nil || r.Err != nil {
			t.Fatal(err, r.Err)
		}
		now, _ := talk.Agents().Context("A")
		if !slices.Equal(items, now.Items) || len(items) > 12 || len(now.Orphans()) > 0 {
			t.Fatalf("%d items are sent, the context has %d, orphans %v", len(items), len(now.Items), now.Orphans())
		}
		if items[0].Text() != "question 0" && !slices.ContainsFunc(items, func(it historyitem.Item) bool { return it.Text() == "question 0" }) {
			t.Fatal("the first message of the person is gone")
		}
	}
	originals, err := talk.Agents().Originals(ctx, "A")
	if err != nil || len(originals) != appended {
		t.Fatalf("%d originals of %d, %v", len(originals), appended, err)
	}
	list := records(t, st)
	if len(list) < 5 {
		t.Fatalf("%d records", len(list))
	}
	for i, rec := range list {
		if rec.Format != model.FormatHistoryItems || rec.Thread != 1 || i > 0 && len(rec.Parents) != 1 {
			t.Errorf("%s: format %s, thread %d, parents %v", rec.ID, rec.Format, rec.Thread, rec.Parents)
		}
	}
	bad := []historyitem.Item{historyitem.Wrapped.Message("user", "x"), {}}
	before := talk.Events()
	if err := talk.Agents().AppendItems(ctx, "A", bad); err == nil || talk.Events() != before {
		t.Errorf("%v: a list of which one item is empty was taken in part", err)
	}
}

// The snapshot is a file that opens, and goes on after a compaction by hand.
func TestASnapshotIsAFormat(t *testing.T) {
	ctx := t.Context()
	h, _ := steps.New(steps.FixedSettings(9, 3, 5000), steps.Env{Clock: newClock().Now})
	for n := 1; n <= 20; n++ {
		if err := h.Append(ctx, n, fmt.Sprint("analysis ", n), strings.Repeat(fmt.Sprint("executed ", n, " "), 40), "**Passed:** yes"); err != nil {
			t.Fatal(err)
		}
	}
	b, _ := h.Snapshot()
	path := filepath.Join(t.TempDir(), "snapshot.json")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := session.Open(ctx, path, session.Options{}, transcript.Options{})
	if err != nil || f.Doc.Format != model.FormatStepHistory {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := f.Session(ctx, session.Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := s.Policy()
	p.Triggers, p.Tail, p.Batch = []model.Clause{compaction.TriggerAt(3, model.Steps)}, model.Amount{N: 3, Unit: model.Steps}, model.Amount{Unit: model.Steps}
	p.Former, p.Strategy = model.LayerFormer, model.Extract
	if _, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if _, err := s.Overlay().Export(&out); err != nil {
		t.Fatal(err)
	}
	again, err := steps.Restore(out.Bytes(), steps.Env{Clock: newClock().Now})
	if err != nil {
		t.Fatalf("%v\n%s", err, out.Bytes())
	}
	if got, was := again.Stats(), h.Stats(); got.Summarised <= was.Summarised || len(again.Steps()) >= len(h.Steps()) {
		t.Errorf("%+v, was %+v", got, was)
	}
	if !strings.Contains(again.Text(), "executed 20") {
		t.Error("the newest step is gone")
	}
}
