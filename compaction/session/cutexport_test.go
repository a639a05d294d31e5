package session

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/assets"
	"palimpsest/compaction"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// An export without a summary, where messages were dropped or results cleared, shows the
// same totals, kinds and numbers when it is opened again, and no call's usage that was
// reported of what is gone: its record is known by the file alone.
func TestAnExportWithoutASummaryShowsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("one compaction after the other")
	}
	var files []string
	for _, s := range assets.Samples {
		files = append(files, filepath.Join("..", "..", "assets", "samples", s.File))
	}
	if _, here := realdata.Look(t); here {
		files = append(files, realdata.Sources(t)...)
	}
	fitted := map[model.Strategy]int{}
	for _, path := range files {
		if info, err := os.Stat(path); err != nil || info.Size() > 4<<20 {
			continue
		}
		for _, strategy := range []model.Strategy{model.Drop, model.ClearOnly} {
			if exportCut(t, path, strategy) {
				fitted[strategy]++
			}
		}
	}
	if fitted[model.Drop] == 0 || fitted[model.ClearOnly] == 0 {
		t.Errorf("of files with a fitted factor %v were exported", fitted)
	}
	t.Logf("exported with a fitted factor: %v", fitted)
}

// exportCut compacts a file without a summary, and compares what it leaves with
// what opens. It reports whether that had a fitted factor.
func exportCut(t *testing.T, path string, strategy model.Strategy) (fitted bool) {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "r.db")) // in another one the first record would be in force
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	f, err := Open(t.Context(), path, Options{Store: st}, transcript.Options{})
	if err != nil || transcript.Confirmed(f.Doc) != nil {
		return false
	}
	defer f.Close()
	s, err := f.Session(t.Context(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := s.Policy()
	p.Strategy, p.Tail, p.Clear = strategy, model.Amount{N: 7, Unit: model.Messages}, model.Clearing{On: true, Keep: 1}
	p.MinGain = model.Gain{Tokens: 1}
	d, err := s.Draft(t.Context(), p, compaction.Options{Manual: true}, nil)
	if err != nil || d.Plan.Outcome != compaction.WouldApply {
		return false
	}
	rec, err := s.Records.Apply(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out"+filepath.Ext(path))
	if _, err := s.Overlay().ExportFile(t.Context(), Output{Path: out, Force: true}); err != nil {
		return false
	}
	again := openSession(t, out, Options{Store: st})
	name, cleared := filepath.Base(path), int64(0)
	for _, run := range rec.Runs {
		if run.Fate == model.Cleared.String() {
			cleared += int64(run.To - run.From)
		}
	}
	was, is := s.Overlay().size(s.Policy().Fixed), again.Overlay().size(again.Policy().Fixed)
	if off := is.Tokens - was.Tokens; is.Messages != was.Messages || max(off, -off) > cleared*compaction.NoteTokens {
		t.Errorf("%s, %s: %+v is %+v when it is opened again", name, strategy, was, is)
	}
	if s.Estimated() != again.Estimated() && !s.counts.estimated {
		t.Errorf("%s, %s: estimated %v, then %v", name, strategy, s.Estimated(), again.Estimated())
	}
	if p := again.Parent(); p == nil || p.ID != rec.ID {
		t.Errorf("%s, %s: written from %+v", name, strategy, p)
	}
	for _, pt := range again.Curve(0) {
		if pt.Recorded > 0 && again.thread.LiveFrom(len(again.thread.History)) <= pt.History {
			t.Errorf("%s, %s: call %d reports %d tokens of a context that it never had", name, strategy, pt.History, pt.Recorded)
			break
		}
	}
	for i, it := range s.Overlay().Items() {
		h, k := historyPlace(s.thread, it.Msg), historyPlace(again.thread, again.Overlay().Items()[i].Msg)
		if h >= 0 && k >= 0 && again.lineage.numberAt(k) != s.lineage.numberAt(h) {
			t.Errorf("%s, %s: message %d is number %d when it is opened again", name, strategy, s.lineage.numberAt(h), again.lineage.numberAt(k))
			break
		}
	}
	return s.fit.Factor > 0
}

// What a search for tools found is what the model may call from then on: a rule that clears
// results leaves it, as the file that is written does.
func TestToolsThatWereFoundAreNotCleared(t *testing.T) {
	var b strings.Builder
	line := func(payload string) {
		fmt.Fprintf(&b, `{"timestamp":"2026-06-19T18:54:50.832Z","type":"response_item","payload":%s}`+"\n", payload)
	}
	many := strings.Repeat("words of a tool, ", 200)
	b.WriteString(`{"timestamp":"2026-06-19T18:54:50.832Z","type":"session_meta","payload":{"id":"a","cwd":"/w"}}` + "\n")
	line(`{"type":"message","role":"user","content":[{"type":"input_text","text":"Open the page."}]}`)
	line(`{"type":"tool_search_call","call_id":"a","execution":"client","arguments":{"query":"js"}}`)
	line(`{"type":"tool_search_output","call_id":"a","status":"completed","tools":[{"type":"namespace","name":"repl","description":"` + many + `"}]}`)
	line(`{"type":"function_call","call_id":"b","name":"js","arguments":"{}"}`)
	line(`{"type":"function_call_output","call_id":"b","output":"` + many + `"}`)
	for range 8 {
		line(`{"type":"message","role":"user","content":[{"type":"input_text","text":"And now?"}]}`)
	}
	path := filepath.Join(t.TempDir(), "rollout.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	s := openSession(t, path, Options{})
	p := s.Policy()
	p.Strategy, p.Tail, p.Clear = model.ClearOnly, model.Amount{N: 2, Unit: model.Messages}, model.Clearing{On: true}
	p.MinGain = model.Gain{Tokens: 1}
	plan := s.Plan(p, compaction.Options{Manual: true})
	if plan.Outcome != compaction.WouldApply || plan.ClearedN != 1 {
		t.Fatalf("%v: %d results are cleared", plan.Outcome, plan.ClearedN)
	}
	if f, _ := plan.FateAt(2); f != model.Kept {
		t.Errorf("the tools are %v", f)
	}
	exportCut(t, path, model.ClearOnly)
}
