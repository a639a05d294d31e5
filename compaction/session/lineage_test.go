package session

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// longTalk is a history with turns of several steps, so that cuts fall inside
// them.
func longTalk(t *testing.T, turns int) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(`{"model":"gpt-4o","messages":[{"role":"system","content":"You are careful."}`)
	for i := range turns {
		fmt.Fprintf(&b, `,{"role":"user","content":"Question %d about the parser, please."}`, i+1)
		for k := range i % 4 {
			fmt.Fprintf(&b, `,{"role":"assistant","content":"Step %d of %d.","tool_calls":[{"id":"c%d-%d","type":"function","function":{"name":"read","arguments":"{\"path\":\"src/f%d.go\"}"}}]}`, k, i+1, i, k, i)
			fmt.Fprintf(&b, `,{"role":"tool","tool_call_id":"c%d-%d","content":%q}`, i, k, strings.Repeat("package main // text\n", 30))
		}
		fmt.Fprintf(&b, `,{"role":"assistant","content":"Answer %d: %s"}`, i+1, strings.Repeat("the grammar has a rule. ", 12))
	}
	b.WriteString("]}")
	path := filepath.Join(t.TempDir(), "talk.json")
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}

var (
	turnLine = regexp.MustCompile(`(?m)^Turn (\d+) \(messages? (\d+)(?:–(\d+))?\)`)
	allLine  = regexp.MustCompile(`(?m)^Messages (\d+)–(\d+): turns? (\d+)(?:–(\d+))?`)
)

// misnumbered returns the first line of a summary whose numbers are not those of
// the history that turns is of, by message.
func misnumbered(text string, turns []int) string {
	n := func(s string) int { v, _ := strconv.Atoi(s); return v }
	for _, m := range turnLine.FindAllStringSubmatch(text, -1) {
		turn, first, last := n(m[1]), n(m[2]), n(m[2])
		if m[3] != "" {
			last = n(m[3])
		}
		if last > len(turns) || turns[last-1] != turn || turns[first-1] > turn {
			return m[0]
		}
	}
	for _, m := range allLine.FindAllStringSubmatch(text, -1) {
		last, turn := n(m[2]), n(m[3])
		if m[4] != "" {
			turn = n(m[4])
		}
		if last > len(turns) || turns[last-1] != turn {
			return m[0]
		}
	}
	return ""
}

// turnsOf are the turns of the messages of a history.
func turnsOf(th *model.Thread) []int {
	out, n := make([]int, len(th.History)), 0
	for i, m := range th.History {
		if th.Messages[m].Typed() {
			n++
		}
		out[i] = max(1, n)
	}
	return out
}

// Summaries name messages and turns by their numbers in the first history after
// forty compactions, of which every fifth is written to a file that is opened
// again: with its records at hand, and with nothing but the words of the file.
func TestNumbersAreThoseOfTheHistory(t *testing.T) {
	for _, known := range []bool{true, false} {
		t.Run(fmt.Sprint("records at hand ", known), func(t *testing.T) {
			var opt Options
			if known {
				st, err := store.Open(filepath.Join(t.TempDir(), "r.db"))
				if err != nil {
					t.Fatal(err)
				}
				defer st.Close()
				opt.Store = st
			}
			path := longTalk(t, 150)
			s := openSession(t, path, opt)
			turns := turnsOf(s.thread)
			p := s.Policy()
			p.Strategy, p.Tail, p.Batch, p.MinGain = model.Extract, model.Amount{N: 40, Unit: model.Messages}, model.Amount{N: 11, Unit: model.Messages}, model.Gain{Messages: 1}
			p.Budget = model.Amount{N: 2000, Unit: model.Tokens}
			made, files, most := 0, 0, 40
			if testing.Short() { // one after the other
				most = 10
			}
			for made < most {
				d, err := s.Draft(t.Context(), p, compaction.Options{Manual: true}, nil)
				if err != nil {
					t.Fatal(err)
				}
				if d.Plan.Outcome != compaction.WouldApply {
					t.Fatalf("after %d compactions: %v", made, d.Plan.Why)
				}
				rec, err := s.Records.Apply(t.Context(), d)
				if err != nil {
					t.Fatal(err)
				}
				made++
				if line := misnumbered(rec.Summary, turns); line != "" {
					t.Fatalf("compaction %d, file %d: %q is not so:\n%s", made, files, line, rec.Summary)
				}
				if known {
					n, err := LoadNested(t.Context(), opt.Store, rec)
					if err != nil {
						t.Fatal(err)
					}
					span, differs := n.Beyond()
					if made == 1 && differs || made > 5 && (!differs || span.To <= rec.Range.To) {
						t.Fatalf("compaction %d covers %v in all: %v, %v in its file", made, span, differs, rec.Range)
					}
				}
				if made%5 != 0 {
					continue
				}
				files++
				path = filepath.Join(t.TempDir(), fmt.Sprintf("talk%d.json", files))
				if _, err := s.Overlay().ExportFile(t.Context(), Output{Path: path}); err != nil {
					t.Fatal(err)
				}
				s = openSession(t, path, opt)
				if got := s.Parent() != nil; got != known {
					t.Fatalf("its record is known: %v", got)
				}
			}
		})
	}
}

func openSession(t *testing.T, path string, opt Options) *Session {
	t.Helper()
	f, err := Open(t.Context(), path, opt, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	s, err := f.Session(t.Context(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Every real file that can be exported shows the same messages, totals and kinds
// of numbers when the export is opened again, numbers its messages as before, and
// names the record it was written from when it is compacted again.
func TestAnExportShowsTheSame(t *testing.T) {
	st, err := store.Open(filepath.Join(t.TempDir(), "r.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	opt := Options{Store: st}
	exported, again, carried := 0, 0, 0
	for _, path := range realdata.Sources(t) {
		if info, err := os.Stat(path); err != nil || info.Size() > 4<<20 {
			continue
		}
		f, err := Open(t.Context(), path, opt, transcript.Options{})
		if err != nil || transcript.Confirmed(f.Doc) != nil {
			continue
		}
		s, err := f.Session(t.Context(), Ref{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		rec := compactHard(t, s, 6)
		if rec == nil {
			f.Close()
			continue
		}
		name := filepath.Base(path)
		out := filepath.Join(t.TempDir(), "out"+filepath.Ext(path))
		if _, err := s.Overlay().ExportFile(t.Context(), Output{Path: out, Force: true}); err != nil {
			t.Logf("%s: %v", name, err) // it would not be recognised, or is a folder
			f.Close()
			continue
		}
		exported++
		s2 := openSession(t, out, opt)
		was, is := s.Overlay(), s2.Overlay()
		if a, b := was.size(s.Policy().Fixed), is.size(s2.Policy().Fixed); a != b {
			t.Errorf("%s: %+v is %+v when it is opened again", name, a, b)
		}
		if elsewhere := openSession(t, out, Options{}); len(elsewhere.lineage.noted) > 0 {
			carried++
			if elsewhere.Model() != s.Model() || elsewhere.Window() != s.Window() {
				t.Errorf("%s: %q with %+v is %q with %+v on another machine", name, s.Model(), s.Window(), elsewhere.Model(), elsewhere.Window())
			}
			if a, b := was.size(s.Policy().Fixed), elsewhere.Overlay().size(elsewhere.Policy().Fixed); a != b || elsewhere.Estimated() != s2.Estimated() {
				t.Errorf("%s: %+v is %+v on another machine", name, a, b)
			}
		}
		if a, b := s.Estimated(), s2.Estimated(); a != b && !s.counts.estimated {
			t.Errorf("%s: estimated %v, then %v", name, a, b)
		}
		for _, pt := range s2.Curve(0) {
			if pt.Recorded > 0 && s2.thread.LiveFrom(len(s2.thread.History)) <= pt.History {
				t.Errorf("%s: call %d is said to have reported %d tokens of a context that it never had", name, pt.History, pt.Recorded)
				break
			}
		}
		for i, it := range was.Items() {
			now := is.Items()[i]
			if it.Msg < 0 {
				continue
			}
			h, k := historyPlace(s.thread, it.Msg), historyPlace(s2.thread, now.Msg)
			if h >= 0 && k >= 0 && s2.lineage.numberAt(k) != s.lineage.numberAt(h) {
				t.Errorf("%s: message %d is number %d when it is opened again", name, s.lineage.numberAt(h), s2.lineage.numberAt(k))
				break
			}
			if h < 0 || k < 0 {
				continue
			}
			if n := s2.lineage.numberAt(k); Numbered(s2, model.Range{From: n - 1, To: n}) != (model.Range{From: k, To: k + 1}) {
				t.Errorf("%s: number %d leads to %v, not to %d", name, n, Numbered(s2, model.Range{From: n - 1, To: n}), k)
				break
			}
			if gone := (model.Range{From: 1 << 20, To: 1<<20 + 9}); Numbered(s2, gone) != (model.Range{}) && Numbered(s2, gone).To > Numbered(s2, gone).From {
				t.Errorf("%s: numbers that are not in the file lead to %v", name, Numbered(s2, gone))
				break
			}
		}
		if rec2 := compactHard(t, s2, 2); rec2 != nil {
			again++
			if rec2.Base != rec.ID || len(rec2.Parents) != 1 || rec2.Parents[0] != rec.ID {
				t.Errorf("%s: made on %q, covers the summaries of %v", name, rec2.Base, rec2.Parents)
			}
			if line := misnumbered(rec2.Summary, turnsOf(s.thread)); line != "" {
				t.Errorf("%s: %q is not so:\n%s", name, line, rec2.Summary)
			}
		}
		f.Close()
	}
	least := 40
	if _, here := realdata.Look(t); !here {
		least = 2
	}
	if exported < least || again < least/2 || carried < least/5 {
		t.Errorf("only %d files were exported, %d compacted again, %d with a note", exported, again, carried)
	}
	t.Logf("%d files exported, %d compacted again", exported, again)
}

// What went is the same everywhere it is told, for records on records, on files
// that were written from others, and on histories that were compacted before: in
// the list, in what was taken, in the tree, in the proof and in what a restore
// brings back.
func TestCountsOfRecordsAgree(t *testing.T) {
	st, err := store.Open(filepath.Join(t.TempDir(), "r.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	checked, formers := 0, 0
	for _, path := range realdata.Sources(t) {
		if info, err := os.Stat(path); err != nil || info.Size() > 4<<20 {
			continue
		}
		f, err := Open(t.Context(), path, Options{Store: st}, transcript.Options{})
		if err != nil || transcript.Confirmed(f.Doc) != nil {
			continue
		}
		s, err := f.Session(t.Context(), Ref{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, tail := range []int{12, 6} {
			if rec := compactHard(t, s, tail); rec != nil {
				checkCounts(t, st, s, rec)
				checked, formers = checked+1, formers+rec.Formers
			}
		}
		out := filepath.Join(t.TempDir(), "out"+filepath.Ext(path))
		if _, err := s.Overlay().ExportFile(t.Context(), Output{Path: out, Force: true}); err == nil {
			s2 := openSession(t, out, Options{Store: st})
			if rec := compactHard(t, s2, 2); rec != nil {
				checkCounts(t, st, s2, rec)
				checked, formers = checked+1, formers+rec.Formers
			}
		}
		f.Close()
	}
	least := 80
	if _, here := realdata.Look(t); !here {
		least = 4
	}
	if checked < least || formers < least/2 {
		t.Errorf("only %d records were checked, with %d former summaries", checked, formers)
	}
	t.Logf("%d records, %d former summaries", checked, formers)
}

func checkCounts(t *testing.T, st *store.Store, s *Session, rec *model.Record) {
	t.Helper()
	list, err := st.Records(t.Context(), store.Filter{SourceSHA: rec.SourceSHA})
	if err != nil || len(list) == 0 || list[0].ID != rec.ID {
		t.Fatalf("%v, %d records", err, len(list))
	}
	type went struct{ messages, formers int }
	want := went{rec.Messages(), rec.Formers}
	name := fmt.Sprintf("%s %s", rec.ID, filepath.Base(rec.Path))
	if got := (went{list[0].Messages(), list[0].Formers}); got != want {
		t.Errorf("%s: %+v in the list, %+v in the record", name, got, want)
	}
	stack := s.Stack()
	below := s.With(stack[:len(stack)-1])
	proof, err := below.Prove(t.Context(), rec)
	if got := (went{proof.Messages, proof.Formers}); err != nil || got != want || !(proof.Source.Equal() && proof.Range.Equal()) {
		t.Errorf("%s: %+v proved, %+v recorded; %v", name, got, want, err)
	}
	if n := len(below.Taken(rec)); n != rec.Covered {
		t.Errorf("%s: %d entries taken, %d recorded", name, n, rec.Covered)
	}
	n, err := LoadNested(t.Context(), st, rec)
	if err != nil {
		t.Fatal(err)
	}
	tree := went{0, len(n.Inner)}
	for _, o := range n.Originals {
		tree.messages, tree.formers = tree.messages+o.Messages(), tree.formers+o.Formers
	}
	if tree != want || len(n.Inner) != len(rec.Parents) {
		t.Errorf("%s: %+v in the tree, %+v in the record", name, tree, want)
	}
	effect := s.Records.RestoreEffects()[0]
	if m, k := effect.Back(); (went{m, k}) != want || effect.Then.Messages-effect.Now.Messages != m+k-1 {
		t.Errorf("%s: %d and %d come back, %+v went; %d → %d", name, m, k, want, effect.Now.Messages, effect.Then.Messages)
	}
	if rec.Changed == nil {
		t.Errorf("%s: what was changed of its preset is not noted", name)
	}
}

// compactHard compacts all but the last messages of a session; nil: it can't be.
func compactHard(t *testing.T, s *Session, tail int) *model.Record {
	t.Helper()
	p := s.Policy()
	p.Strategy, p.Former, p.MinGain.Messages = model.Extract, model.MergeFormer, 1
	p.Tail = model.Amount{N: tail, Unit: model.Messages}
	p.Budget = model.Amount{N: 3000, Unit: model.Tokens}
	d, err := s.Draft(t.Context(), p, compaction.Options{Manual: true}, nil)
	if err != nil || d.Plan.Outcome != compaction.WouldApply {
		return nil
	}
	rec, err := s.Records.Apply(t.Context(), d)
	if err != nil {
		t.Fatal(err)
	}
	if messages, formers := Went(d.Plan); messages != rec.Messages() || formers != rec.Formers {
		t.Errorf("the plan takes %d messages and %d summaries, its record %d and %d", messages, formers, rec.Messages(), rec.Formers)
	}
	return rec
}

// historyPlace is where a stored message is in the history; -1: nowhere.
func historyPlace(th *model.Thread, stored int32) int {
	for h, m := range th.History {
		if m == stored {
			return h
		}
	}
	return -1
}

// A file that was written from a record says how its tokens were counted: it shows the
// same on a machine without the database, and after its agent has gone on with it.
func TestAnExportSaysHowItWasCounted(t *testing.T) {
	st, err := store.Open(filepath.Join(t.TempDir(), "r.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	s := openSession(t, filepath.Join("..", "..", "assets", "samples", "long-coding-run.jsonl"), Options{Store: st})
	rec := compactHard(t, s, 6)
	out := filepath.Join(t.TempDir(), "out.jsonl")
	_, err = s.Overlay().ExportFile(t.Context(), Output{Path: out})
	if err != nil {
		t.Fatal(err)
	}
	want := s.Overlay().size(s.Policy().Fixed)
	elsewhere := openSession(t, out, Options{})
	if got := elsewhere.Overlay().size(elsewhere.Policy().Fixed); got != want || !elsewhere.Estimated() || elsewhere.fit.Factor != s.fit.Factor {
		t.Errorf("%+v is %+v on another machine, factor %v then %v", want, got, s.fit.Factor, elsewhere.fit.Factor)
	}
	// The boundary of the file's own compaction is there still, its summary is ours.
	found, was := elsewhere.Found(), s.Found()
	k := len(found) - 1
	if k != len(was)-1 || k < 1 || !reflect.DeepEqual(found[:k-1], was[:k-1]) || was[k].Own() {
		t.Fatalf("%+v\nwere %+v", found, was)
	}
	if f := found[k]; !f.Own() || int64(*f.Before) != rec.Before.Tokens || int64(*f.After) != rec.After.Tokens ||
		f.Counted != rec.Counted || f.Time != rec.Time.UnixMilli() {
		t.Errorf("our compaction %+v is that of the producer: %+v", rec, f)
	}
	if r := elsewhere.FoundRecords()[0]; r.Before.Tokens != rec.Before.Tokens || r.After.Tokens != rec.After.Tokens || r.Counted != rec.Counted {
		t.Errorf("the list has %+v, the record is %+v", r, rec)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	lines := bytes.Split(bytes.TrimSpace(text), []byte("\n"))
	last := elsewhere.thread.Messages[elsewhere.thread.History[len(elsewhere.thread.History)-1]]
	more := fmt.Appendf(nil, `{"type":"user","uuid":"0f0f0f0f-1111-4222-8333-444444444444","parentUuid":%q,"sessionId":"s",`+
		`"timestamp":"2027-01-02T03:04:05Z","message":{"role":"user","content":"go on"}}`, last.ID)
	if err := os.WriteFile(out, append(bytes.Join(append(lines, more), []byte("\n")), '\n'), 0o600); err != nil {
		t.Fatal(err)
	}
	grown := openSession(t, out, Options{Store: st})
	if p := grown.Parent(); p == nil || p.ID != rec.ID || grown.fit.Factor != s.fit.Factor || grown.Overlay().size(grown.Policy().Fixed).Messages != want.Messages+1 {
		t.Errorf("grown: parent %v, factor %v, %+v", p, grown.fit.Factor, grown.Overlay().size(grown.Policy().Fixed))
	}
	for _, bad := range []string{`7`, `{"fixed":-1}`, `{"fitted":{"factor":1e300}}`, `{"after":9e18}`, `{"time":"yesterday"}`} {
		spoilt := regexp.MustCompile(`"palimpsest":\{.*?\}\}`).ReplaceAll(text, []byte(`"palimpsest":`+bad))
		if bytes.Equal(spoilt, text) {
			t.Fatal("the note is not found")
		}
		if err := os.WriteFile(out, spoilt, 0o600); err != nil {
			t.Fatal(err)
		}
		if x := openSession(t, out, Options{}); len(x.lineage.noted) > 0 || len(x.lineage.records) != 0 || x.Overlay().size(0).Messages != want.Messages {
			t.Errorf("%s is believed, or costs messages: %+v", bad, x.Overlay().size(0))
		}
	}
}

// So it is where the summary is no record of its own: among what Codex's own compaction
// left, or in the place of its text.
func TestAnExportSaysHowItWasCountedInARecordOfTheTool(t *testing.T) {
	var b strings.Builder
	add := func(kind, payload string) {
		fmt.Fprintf(&b, `{"timestamp":"2026-02-01T10:00:00.000Z","type":%q,"payload":%s}`+"\n", kind, payload)
	}
	say := func(role, part, text string) string {
		return fmt.Sprintf(`{"type":"message","role":%q,"content":[{"type":%q,"text":%q}]}`, role, part, text)
	}
	talk := func(from, to, beyond int) {
		for i := from; i < to; i++ {
			add("response_item", say("user", "input_text", fmt.Sprintf("Question %d: %s", i, strings.Repeat("what of the larch? ", 30+7*i))))
			add("response_item", say("assistant", "output_text", fmt.Sprintf("Answer %d: %s", i, strings.Repeat("it stands in the yard. ", 40))))
			add("event_msg", fmt.Sprintf(`{"type":"token_count","info":{"last_token_usage":{"input_tokens":%d,"output_tokens":200}}}`, beyond+(i-from)*500+5*i*i))
		}
	}
	add("session_meta", `{"id":"s","cwd":"/srv","originator":"codex_cli_rs","cli_version":"0.169.0"}`)
	add("turn_context", `{"model":"gpt-5.1-codex"}`)
	talk(0, 12, 9000)
	add("compacted", `{"message":"","replacement_history":[`+say("user", "input_text", "Question 0")+`,`+say("user", "input_text", "Another summary: the larch was looked at.")+`]}`)
	talk(12, 24, 14000)
	path := filepath.Join(t.TempDir(), "0.jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openSession(t, path, Options{})
	if compactHard(t, s, 3) == nil {
		t.Fatal("nothing is compacted")
	}
	for _, again := range []bool{true, false} { // the second takes the place of the first, and of what was said of it
		out := filepath.Join(t.TempDir(), "1.jsonl")
		if _, err := s.Overlay().ExportFile(t.Context(), Output{Path: out, Force: true}); err != nil {
			t.Fatal(err)
		}
		if text, _ := os.ReadFile(out); bytes.Count(text, []byte(`"palimpsest":`)) != 1 {
			t.Errorf("said %d times", bytes.Count(text, []byte(`"palimpsest":`)))
		}
		is := openSession(t, out, Options{})
		if a, b := s.Overlay().size(s.Policy().Fixed), is.Overlay().size(is.Policy().Fixed); a != b || is.fit.Factor != s.fit.Factor {
			t.Errorf("%+v is %+v on another machine, factor %v then %v", a, b, s.fit.Factor, is.fit.Factor)
		}
		if s = is; again && compactHard(t, s, 1) == nil {
			t.Fatal("nothing is compacted again")
		}
	}
}

// An export whose answers are all gone is of the model that gave them, in the context
// window that their largest call shows, and so is an export of it.
func TestAnExportWithoutAnswersKeepsItsModelAndWindow(t *testing.T) {
	source := resumed("claude-sonnet-4-20250514", "null", 9, 300_000, 2500, 0)
	for i := range 4 {
		source += fmt.Sprintf(`{"parentUuid":"a8","type":"user","uuid":"x%d","sessionId":"s","isSidechain":false,"message":`+
			`{"role":"user","content":"%s"}}`+"\n", i, strings.Repeat("still there? ", 200))
		source = strings.Replace(source, fmt.Sprintf(`"parentUuid":"a8","type":"user","uuid":"x%d"`, i),
			fmt.Sprintf(`"parentUuid":%q,"type":"user","uuid":"x%d"`, []string{"a8", "x0", "x1", "x2"}[i], i), 1)
	}
	path := filepath.Join(t.TempDir(), "0.jsonl")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	was := openSession(t, path, Options{})
	for _, tail := range []int{3, 1} {
		s := openSession(t, path, Options{})
		if compactHard(t, s, tail) == nil {
			t.Fatal("nothing is compacted")
		}
		path = filepath.Join(t.TempDir(), "1.jsonl")
		if _, err := s.Overlay().ExportFile(t.Context(), Output{Path: path, Force: true}); err != nil {
			t.Fatal(err)
		}
		is := openSession(t, path, Options{})
		if is.Model() != was.Model() || is.Window() != was.Window() || is.Window().Tokens != 1_000_000 {
			t.Errorf("%d: %q with %+v is %q with %+v", tail, was.Model(), was.Window(), is.Model(), is.Window())
		}
		if a, b := s.Overlay().size(s.Policy().Fixed), is.Overlay().size(is.Policy().Fixed); a != b {
			t.Errorf("%d: %+v is %+v", tail, a, b)
		}
	}
}

// A call that an export keeps from before its boundary is not what is live in it, and
// the fit is of other calls: their difference says nothing of the totals.
func TestAnExportIsNotCheckedAgainstACallThatIsOver(t *testing.T) {
	source := resumed("claude-sonnet-4-20250514", "null", 12, 20_000, 1500, 0)
	source = strings.Replace(source, `"input_tokens":30500`, `"input_tokens":90500`, 1) // the eighth, after which a compaction comes
	at := strings.Index(source, `{"parentUuid":"a7"`)
	source = source[:at] + `{"parentUuid":null,"logicalParentUuid":"a7","type":"system","subtype":"compact_boundary","uuid":"B","sessionId":"s",` +
		`"isSidechain":false,"compactMetadata":{"trigger":"auto","preTokens":90500}}` + "\n" +
		`{"parentUuid":"B","type":"user","uuid":"S","sessionId":"s","isSidechain":false,"isCompactSummary":true,` +
		`"message":{"role":"user","content":"This session is being continued."}}` + "\n" + strings.Replace(source[at:], `"parentUuid":"a7"`, `"parentUuid":"S"`, 1)
	path := filepath.Join(t.TempDir(), "0.jsonl")
	if err := os.WriteFile(path, []byte(source), 0o600); err != nil {
		t.Fatal(err)
	}
	s := openSession(t, path, Options{})
	if compactHard(t, s, 4) == nil {
		t.Fatal("nothing is compacted")
	}
	out := filepath.Join(t.TempDir(), "1.jsonl")
	if _, err := s.Overlay().ExportFile(t.Context(), Output{Path: out, Force: true}); err != nil {
		t.Fatal(err)
	}
	is := openSession(t, out, Options{})
	if n := len(is.calls); n == 0 || is.calls[n-1].reported != 90500 {
		t.Fatalf("the calls before the boundary are gone: %+v", is.calls)
	}
	if c := is.CrossCheck(is.Policy().Fixed); c.At >= 0 {
		t.Errorf("a context that is over is checked: %s", c)
	}
}

// Steps keep their numbers in an export, also where a policy is no step history.
func TestAnExportOfStepsNumbersOn(t *testing.T) {
	s := openSession(t, filepath.Join("..", "..", "assets", "samples", "lab-notebook.jsonl"), Options{})
	if compactHard(t, s, 9) == nil {
		t.Fatal("nothing is compacted")
	}
	out := filepath.Join(t.TempDir(), "out.jsonl")
	if _, err := s.Overlay().ExportFile(t.Context(), Output{Path: out, Force: true}); err != nil {
		t.Fatal(err)
	}
	rec := compactHard(t, openSession(t, out, Options{}), 3)
	if rec == nil || !strings.Contains(rec.Summary, "Step 28") || strings.Contains(rec.Summary, "\nStep 1:") {
		t.Errorf("%+v", rec)
	}
}

// Too few calls fit a fixed part and no factor: that is believed, too.
func TestAnExportOfFewCallsKeepsItsFixedPart(t *testing.T) {
	rec := model.Record{Counted: "o200k_base", Policy: model.Policy{Fixed: 9000}, Fitted: &model.Fitted{Calls: 2, Unseen: -40}}
	var x note
	if err := json.Unmarshal(noteOf(new(CountedThread), &rec), &x); err != nil || !x.legal() || x.Fixed != 9000 || x.Fitted.Unseen != -40 {
		t.Errorf("%+v: %v", x, err)
	}
}
