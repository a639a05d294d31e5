package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/assets"
	"palimpsest/model/query/querytest"
)

// lines are the values of the JSON of find.
func foundLines(t *testing.T, text string) (list []foundMessage) {
	t.Helper()
	for line := range strings.Lines(text) {
		var v foundMessage
		if err := json.Unmarshal([]byte(line), &v); err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		list = append(list, v)
	}
	return list
}

func TestFind(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 12)
	other := b.write("b.json", []byte(`[{"role":"user","content":"say \u001b[31mneedle\u001b[0m 压缩历史"},{"role":"assistant","content":"no"}]`))
	b.run("find", "needle", f, other).ends(exitDone).says(other, "[31mneedle", "1 message, 1 place in 1 of 2 histories")
	b.run("find", "压缩", b.dir).ends(exitDone).says(other)
	b.run("find", "nowhere-at-all", f, other).ends(exitFailed, "No message meets the query. Searched: 2 histories in "+f+", "+other+".")
	b.run("find", "needle").ends(exitFailed, "No history is known in the recent files", "name files or folders")
	b.given(string(b.read(other)))
	b.run("find", "needle", "-").ends(exitDone).says("standard input", "1 message, 1 place in 1 of 1 history")
	b.run("find", "needle", b.path("nothing.json"), f, other).ends(exitUsage, "no file or folder").says(other)
	b.run("find", "needle", b.path("nothing.json"), other, "--json").ends(exitUsage).says(`"code":"no-file"`, `"exit":2`, `"message":0`)
	got := foundLines(t, b.run("find", "role:user needle", other, "--json").ends(exitDone).out)
	if len(got) != 1 || got[0].Message == nil || *got[0].Message != 0 || got[0].Role != "user" || got[0].Places != 1 ||
		got[0].Tokens != nil || got[0].Fate != nil || got[0].Record != nil {
		t.Errorf("%+v", got)
	}
	if m := got[0].Marks; len(m) != 1 || got[0].Snippet[m[0][0]:m[0][1]] != "needle" {
		t.Errorf("%q is marked at %v", got[0].Snippet, m)
	}
	if all := foundLines(t, b.run("find", "tokens>0", f, "--json").ends(exitDone).out); len(all) != 25 && len(all) == 0 || all[0].Tokens == nil {
		t.Errorf("%d messages have tokens", len(all))
	}
	if text := b.run("find", "tokens>0", f, "--limit", "2").ends(exitDone).out; strings.Count(text, "\n") != 4 {
		t.Errorf("two messages, the file and the sum: %s", text)
	}
}

// Every operator of a query works in find.
func TestFindKnowsEveryOperator(t *testing.T) {
	b := newBench(t)
	f := b.write("a.jsonl", assets.Samples[0].Bytes())
	querytest.Operators(t, func(q string) int {
		r := b.run("find", q, f, "--json", "--context-window", "200000")
		if r.code != exitDone && r.code != exitFailed {
			t.Fatalf("%s: %s", q, r.err)
		}
		return len(foundLines(t, r.out))
	})
}

// A mistake in a query is marked, below its place also where characters are wide.
func TestFindMarksMistakes(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 3)
	r := b.run("find", "压缩 rol:tool", f).ends(exitUsage, "Did you mean role?")
	if !strings.Contains(r.err, "  压缩 rol:tool\n       ^^^\n") {
		t.Errorf("%s", r.err)
	}
	b.run("find", "tokens>many", f).ends(exitUsage, "2k", "^^^^")
	b.run("find", " ", f).ends(exitUsage, "empty")
	b.run("find", "x", "--all", f).ends(exitUsage, "--all")
	b.run("find", "x", b.path("nothing.json")).ends(exitUsage, "no file or folder")
}

// What a compaction took is found in its record, and its summary too; what it kept is not.
func TestFindInWhatWent(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 60)
	b.run("find", "message", "--in", "lost").ends(exitFailed)
	b.run("compact", f, "--trigger", "2msgs", "--window", "4msgs", "--strategy", "extract").ends(exitDone)
	lost := foundLines(t, b.run("find", "message:1..", "--in", "lost", "--json").ends(exitDone).out)
	all := foundLines(t, b.run("find", "message:1..", f, "--json").ends(exitDone).out)
	if len(lost) == 0 || len(lost) >= len(all) || lost[0].Record == nil || *lost[0].Record != "R-0001" {
		t.Errorf("%d of %d messages went", len(lost), len(all))
	}
	fates := foundLines(t, b.run("find", "fate:S", f, "--trigger", "2msgs", "--window", "4msgs", "--strategy", "extract", "--json").ends(exitDone).out)
	if len(fates) != len(lost) || *fates[0].Fate != "summarised" {
		t.Errorf("%d are to be summarised, %d went", len(fates), len(lost))
	}
	b.run("find", "is:summary", "--in", "summaries").ends(exitDone).says("R-0001", "in 1 of 1 record")
	b.run("find", "is:summary", "--in", "summaries", b.path("other.json")).ends(exitFailed)
}

// All is what the window knows, with an index and without.
func TestFindAll(t *testing.T) {
	b := newBench(t)
	b.run("find", "x", "--all").ends(exitFailed)
	dir := filepath.Join(b.dir, "watched")
	if err := os.Mkdir(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	b.write("watched/one.json", []byte(`[{"role":"user","content":"the word is xylophone"},{"role":"assistant","content":"yes"}]`))
	st := b.store()
	if err := st.SetSetting(t.Context(), "watched", []map[string]string{{"Path": dir}}); err != nil {
		t.Fatal(err)
	}
	st.Close()
	for _, args := range [][]string{{"--all"}, {"--all", "--index"}, {"--all"}, {}} {
		b.run(append([]string{"find", "Xylophone"}, args...)...).ends(exitDone).says("one.json", "1 message")
		b.run(append([]string{"find", "saxophone"}, args...)...).ends(exitFailed)
	}
}
