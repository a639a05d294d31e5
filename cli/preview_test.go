package cli

import (
	"database/sql"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/store"
)

func TestInspect(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 5)
	got := value[inspection](b.run("inspect", f, "--json").ends(exitDone))
	if got.Format != model.FormatOpenAI || got.Messages != 21 || got.Items != 21 || got.ToolCalls != 5 || got.ToolResults != 5 ||
		got.Conversations != 1 || got.Threads != 1 || got.Agents != 1 || got.Tokens.Count < 1000 || got.Tokens.Method != "counted" {
		t.Errorf("%+v", got)
	}
	b.run("inspect", f).ends(exitDone).says("OpenAI Chat", "21", "o200k_base", got.SHA256)
	damaged := value[inspection](b.run("inspect", filepath.Join("..", "assets", "samples", "damaged.jsonl"), "--json").ends(exitDone))
	if len(damaged.Damaged) != 2 || damaged.Damaged[0].Line != 9 || damaged.Damaged[0].Reason == "" {
		t.Errorf("damaged: %+v", damaged.Damaged)
	}
	// The number of messages is that of the history, which the window lists.
	long := filepath.Join("..", "assets", "samples", "long-coding-run.jsonl")
	if v := value[inspection](b.run("inspect", long, "--json").ends(exitDone)); v.History != v.ThreadList[0].Messages || v.Messages != v.History+2 {
		t.Errorf("%d messages, %d of them in a history of %d", v.Messages, v.History, v.ThreadList[0].Messages)
	}
	b.run("inspect", long).ends(exitDone).says("480 ", "and 2 that compactions put in")
	b.missing(filepath.Dir(b.db)) // looking makes no database
}

// Runs cover the whole history view once, in order; what they say about tokens
// adds up to the size before.
func TestPreviewNumbers(t *testing.T) {
	b := newBench(t)
	for _, f := range append(samples(t), b.chat("a.json", 30)) {
		for _, preset := range []string{"balanced", "cheap", "tools-only", "sliding-fixed", "message-count"} {
			args := []string{"preview", f, "--json", "--preset", preset}
			if preset == "balanced" {
				args = append(args, "--window", "6")
			}
			r := b.run(args...)
			p := value[preview](r)
			if p.Decision == "apply" != (r.code == exitDone) {
				t.Fatalf("%s %s: %s ended with %d: %s", f, preset, p.Decision, r.code, r.err)
			}
			next, sum := -1, int64(p.Fixed)
			for _, run := range p.Runs {
				if run.To > run.From {
					if next >= 0 && run.From != next {
						t.Errorf("%s %s: a run begins at %d, not %d", f, preset, run.From, next)
					}
					next = run.To
				}
				sum += run.Tokens
			}
			if next != p.At {
				t.Errorf("%s %s: the runs end at %d of %d", f, preset, next, p.At)
			}
			if sum != p.Before.Tokens {
				t.Errorf("%s %s: runs and fixed part hold %d tokens, before is %d", f, preset, sum, p.Before.Tokens)
			}
			if p.Decision == "apply" && (p.After.Tokens >= p.Before.Tokens || p.After.Messages > p.Before.Messages) {
				t.Errorf("%s %s: %+v → %+v", f, preset, p.Before, p.After)
			}
			if strings.HasPrefix(p.Reason, "refused") {
				t.Errorf("the reason repeats the decision: %s", p.Reason)
			}
		}
	}
	b.missing(filepath.Dir(b.db))
}

func TestPreviewText(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 30)
	b.run("preview", f, "--window", "6", "--pin", "10-11,20", "--at", "101", "--summary").ends(exitDone).
		says("before message 101; 21 later messages stay", "100 messages", "P pinned", "S summarised", "K kept", "in the window", "+ summary", "## Done")
	r := b.run("preview", f, "--window", "6").ends(exitDone).says("more lines (--summary prints all)")
	if n := strings.Count(r.out, "\n"); n > 30 {
		t.Errorf("%d lines", n)
	}
	b.run("preview", f, "--window", "500").ends(exitFailed, "Refused: nothing to compact").says("before")
}

func TestPins(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 30)
	p := value[preview](b.run("preview", f, "--json", "--window", "6", "--pin", "10-11,20", "--pin", "30").ends(exitDone))
	pinned := map[int]bool{}
	for _, r := range p.Runs {
		for i := r.From; r.Fate == "pinned" && i < r.To; i++ {
			pinned[i+1] = true
		}
	}
	for _, n := range []int{10, 11, 20, 30} {
		if !pinned[n] {
			t.Errorf("message %d is not pinned: %v", n, pinned)
		}
	}
	if pinned[9] && pinned[21] && pinned[29] {
		t.Errorf("too much is pinned: %v", pinned)
	}
}

func TestTriggers(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 3) // 13 messages
	b.run("preview", f, "--if-triggered", "--trigger", "40msgs", "--window", "2").ends(exitFailed, "Refused: 13 of 40 messages.")
	b.run("preview", f, "--if-triggered", "--trigger", "40msgs", "--trigger", "13msgs", "--window", "2").ends(exitDone)
	b.run("preview", f, "--if-triggered", "--trigger", "5steps", "--window", "2").ends(exitDone) // 6 steps
	b.run("preview", f, "--if-triggered", "--trigger", "6steps", "--window", "2").ends(exitFailed, "6 steps, fires above 6")
	b.run("preview", f, "--if-triggered", "--trigger", "80%", "--context-window", "1k", "--window", "2").ends(exitDone)
	b.run("preview", f, "--if-triggered", "--trigger", "80%", "--context-window", "1m", "--window", "2").ends(exitFailed, "of 800,000 tokens")
	b.run("preview", f, "--trigger", "40msgs", "--window", "2").ends(exitDone) // by hand: the trigger plays no part
}

// Every flag is found again in the policy that is planned with.
func TestPolicyFlags(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 30)
	p := value[preview](b.run("preview", f, "--json", "--context-window", "128k", "--reserve", "8_000", "--trigger", "75%", "--trigger", "120000",
		"--trigger", "40msgs", "--window", "3turns", "--batch", "20k tok", "--target", "50k", "--min-gain", "4", "--no-keep-first-user",
		"--strategy", "table", "--summary-budget", "1500chars", "--layer-budget", "3000chars", "--clear-tool-results", "2", "--on-failure", "extract",
		"--preset", "Balanced")).Policy
	want := fmt.Sprint(128000, 8000, []model.Clause{{Share: 0.75}, {At: model.Amount{N: 120000, Unit: "tok"}}, {At: model.Amount{N: 40, Unit: "msgs"}}},
		model.Amount{N: 3, Unit: "turns"}, model.Amount{N: 20000, Unit: "tok"}, 50000, 4, false, "table",
		model.Amount{N: 1500, Unit: "chars"}, model.Amount{N: 3000, Unit: "chars"}, true, 2, "extract", "balanced")
	got := fmt.Sprint(p.Window, p.Reserve, p.Triggers, p.Tail, p.Batch, p.Target, p.MinGain.Messages, p.KeepFirstUser, p.Strategy,
		p.Budget, p.LayerBudget, p.Clear.On, p.Clear.Keep, p.OnFailure, p.Preset)
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestPresets(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 30)
	b.run("presets").ends(exitDone).says("balanced", "token-share")
	b.missing(filepath.Dir(b.db))

	// A preset that was printed is one that can be read.
	one := b.run("presets", "message-count", "--json").ends(exitDone)
	file := b.write("mine.json", []byte(one.out))
	got := value[preview](b.run("preview", f, "--json", "--preset", file).ends(exitDone)).Policy
	if got.Tail.N != 10 || got.Batch.N != 30 || got.Preset != "Message count" {
		t.Errorf("%+v", got)
	}
	// A file may name only what it changes.
	file = b.write("few.json", []byte(`{"window":{"n":4,"unit":"msgs"},"strategy":"drop"}`))
	got = value[preview](b.run("preview", f, "--json", "--preset", file).ends(exitDone)).Policy
	if got.Tail.N != 4 || got.Strategy != model.Drop || !got.KeepFirstUser || len(got.Triggers) != 1 {
		t.Errorf("%+v", got)
	}
	for _, bad := range []string{`{"widow":3}`, `[1]`, `nothing`, `{"strategy":"magic"}`, `{"window":{"n":4,"unit":"apples"}}`, `{"policy":7}`, `{"former":"x"}`, `{"title":1,"policy":{}}`} {
		b.run("preview", f, "--preset", b.write("bad.json", []byte(bad))).ends(exitUsage, "bad.json is no preset")
	}
	b.run("preview", f, "--preset", b.path("none.json")).ends(exitFailed, "none.json")

	st, err := store.Open(b.db)
	if err != nil {
		t.Fatal(err)
	}
	if err := st.SavePreset(t.Context(), store.Preset{Name: "night shift", Policy: got}); err != nil {
		t.Fatal(err)
	}
	st.Close()
	if p := value[preview](b.run("preview", f, "--json", "--preset", "night shift").ends(exitDone)).Policy; p.Preset != "night shift" || p.Strategy != model.Drop {
		t.Errorf("%+v", p)
	}
	b.run("presets").ends(exitDone).says("night shift")
	b.write("data/palimpsest.db", []byte("no database"))
	b.run("presets").says("balanced")
	b.run("preview", f, "--window", "5").ends(exitDone)
}

func TestFormats(t *testing.T) {
	b := newBench(t)
	list := value[[]formatInfo](b.run("formats", "--json").ends(exitDone))
	if len(list) < 8 || list[0].RecognisedBy == "" {
		t.Errorf("%+v", list)
	}
	for _, f := range list {
		if read := f.Format == "aider" || f.Format == "vscode-copilot"; read && f.Write || f.Format == "codex" && !f.Write {
			t.Errorf("%s: written is %v", f.Format, f.Write)
		}
	}
	b.run("formats").ends(exitDone).says("claude-code", "codex", "markdown")
}

// Restore names what it gives: of a folder and of a database with a log there is no such
// file.
func TestRestoreNamesWhatItGives(t *testing.T) {
	b := newBench(t)
	for i := range 9 {
		source, kind := "agent", `"observation":"run","content":"`+strings.Repeat("made ", 40)+`"`
		if i == 0 {
			source, kind = "user", `"action":"message","message":"question","args":{"content":"question"}`
		}
		b.write(fmt.Sprintf("talk/events/%d.json", i), fmt.Appendf(nil, `{"id":%d,"timestamp":"2026-01-02T03:04:0%d","source":%q,%s}`, i, i, source, kind))
	}
	b.run("inspect", b.path("talk/events/3.json")).ends(exitDone).says("8 more lie beside it")
	b.run("compact", b.path("talk"), "--strategy", "drop", "--tail", "1msgs", "--min-gain", "1").ends(exitDone)
	b.run("restore", "1", "-o", b.path("back")).ends(exitDone).says("the files of the folder as one")

	path := b.path("crush.db")
	db, err := sql.Open("sqlite3", "file:"+path+"?_journal_mode=WAL")
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	for _, q := range []string{"PRAGMA wal_autocheckpoint=0", "CREATE TABLE sessions (id TEXT, parent_session_id TEXT, title TEXT, created_at INTEGER)",
		"CREATE TABLE messages (id TEXT, session_id TEXT, role TEXT, parts TEXT, model TEXT, created_at INTEGER)",
		"INSERT INTO sessions VALUES ('s', NULL, 't', 1), ('r', NULL, 'u', 2)",
		"WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20) INSERT INTO messages SELECT 'm' || i, CASE WHEN i < 19 THEN 's' ELSE 'r' END, " +
			"CASE i % 2 WHEN 1 THEN 'user' ELSE 'assistant' END, '[{\"type\":\"text\",\"data\":{\"text\":\"" + strings.Repeat("words ", 50) + "\"}}]', 'm', i FROM n"} {
		if _, err := db.Exec(q); err != nil {
			t.Fatal(err)
		}
	}
	b.run("compact", path, "--conversation", "1", "-o", b.path("out.json"), "--strategy", "drop", "--tail", "1msgs", "--min-gain", "1").ends(exitDone).
		says("It holds this one of 2 conversations.")
	b.run("restore", "2", "-o", b.path("back.db")).ends(exitDone).says("with what was in its write-ahead log")
}
