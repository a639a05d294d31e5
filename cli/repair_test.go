package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/repair"
)

// bricked is a session of Copilot CLI that can't be resumed: a negative number, a record over
// two lines, half an emoji, a call without a result.
const bricked = `{"type":"session.start","data":{"sessionId":"s","version":1},"id":"e0","timestamp":"2026-07-12T10:00:00.000Z","parentId":null}
{"type":"user.message","data":{"content":"Look."},"id":"e1","timestamp":"2026-07-12T10:00:01.000Z","parentId":"e0"}
{"type":"assistant.message","data":{"content":"half \ud83d","toolRequests":[{"toolCallId":"c1","name":"view","arguments":{}}]},"id":"e2","timestamp":"2026-07-12T10:00:02.000Z","parentId":"e1"}
{"type":"tool.execution_complete","data":{"toolCallId":"c1","success":true,"result":{"content":"one
two"}},"id":"e3","timestamp":"2026-07-12T10:00:03.000Z","parentId":"e2"}
{"type":"session.compaction_complete","data":{"success":false,"tokensRemoved":-3},"id":"e4","timestamp":"2026-07-12T10:00:04.000Z","parentId":"e3"}
{"type":"assistant.message","data":{"content":"","toolRequests":[{"toolCallId":"c2","name":"view","arguments":{}}]},"id":"e5","timestamp":"2026-07-12T10:00:05.000Z","parentId":"e4"}
{"type":"user.message","data":{"content":"And?"},"id":"e6","timestamp":"2026-07-12T10:00:06.000Z","parentId":"e5"}
`

const unbricked = `{"type":"session.start","data":{"sessionId":"s","version":1},"id":"e0","timestamp":"2026-07-12T10:00:00.000Z","parentId":null}
{"type":"user.message","data":{"content":"Look."},"id":"e1","timestamp":"2026-07-12T10:00:01.000Z","parentId":"e0"}
{"type":"assistant.message","data":{"content":"half \ufffd","toolRequests":[{"toolCallId":"c1","name":"view","arguments":{}}]},"id":"e2","timestamp":"2026-07-12T10:00:02.000Z","parentId":"e1"}
{"type":"tool.execution_complete","data":{"toolCallId":"c1","success":true,"result":{"content":"one\ntwo"}},"id":"e3","timestamp":"2026-07-12T10:00:03.000Z","parentId":"e2"}
{"type":"session.compaction_complete","data":{"success":false,"tokensRemoved":0},"id":"e4","timestamp":"2026-07-12T10:00:04.000Z","parentId":"e3"}
{"type":"assistant.message","data":{"content":"","toolRequests":[{"toolCallId":"c2","name":"view","arguments":{}}]},"id":"e5","timestamp":"2026-07-12T10:00:05.000Z","parentId":"e4"}
{"type":"tool.execution_complete","data":{"toolCallId":"c2","success":false,"error":{"message":"No result was recorded."}},"id":"NEW","timestamp":"2026-07-12T10:00:05.000Z","parentId":"e5"}
{"type":"user.message","data":{"content":"And?"},"id":"e6","timestamp":"2026-07-12T10:00:06.000Z","parentId":"NEW"}
`

// old writes a file whose last change was long ago.
func old(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	return path
}

// A bricked session is shown, mended beside its file and in its place, and given back.
func TestRepair(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	f := old(t, filepath.Join(dir, "events.jsonl"), bricked)
	b.run("inspect", f).ends(exitDone).says("It can't be resumed: 4 faults. See palimpsest repair --check")
	b.run("repair", f, "--check").ends(exitFailed).says("Can't be resumed: 4 faults", "Half of an emoji", "the provider refuses every call", "would be: set to 0")
	r := value[mended](b.run("repair", f, "--json").ends(exitDone))
	got, err := os.ReadFile(filepath.Join(dir, "events.repaired.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	id := "NEW"
	if _, rest, ok := strings.Cut(string(got), `"No result was recorded."}},"id":"`); ok {
		id, _, _ = strings.Cut(rest, `"`)
	}
	if want := strings.ReplaceAll(unbricked, "NEW", id); string(got) != want {
		t.Errorf("it is now\n%s", got)
	}
	var said []string
	for _, x := range r.Faults {
		said = append(said, x.Rule)
		if len(x.Diff) < 2 || !x.Mended || x.Harm != "stops" {
			t.Errorf("%+v", x)
		}
	}
	if s := strings.Join(said, " "); s != "half-character split-record number-range call-without-result" || r.Left != 0 || r.Resumable {
		t.Error(s, r.Left, r.Resumable)
	}
	b.run("repair", filepath.Join(dir, "events.repaired.jsonl"), "--check").ends(exitDone).says("No faults found.")
	b.run("inspect", filepath.Join(dir, "events.repaired.jsonl")).ends(exitDone).lacks("can't be resumed")

	b.run("repair", f, "-o", f).ends(exitFailed, "is the source itself")
	b.run("repair", f, "--replace-source").ends(exitDone).says("R-0002 has the original")
	if now, _ := os.ReadFile(f); !bytes.Equal(now, got) {
		t.Error("in its place it is another file")
	}
	b.run("restore", "R-0002", "-o", filepath.Join(dir, "back.jsonl")).ends(exitDone)
	if back, _ := os.ReadFile(filepath.Join(dir, "back.jsonl")); string(back) != bricked {
		t.Error("the original is not what it was")
	}
	b.run("metrics").ends(exitDone).lacks("mended")
	b.run("records").says("mended: Half of an emoji (1)")
}

// One rule alone is mended when it is asked for, and what is left is said.
func TestRepairOnly(t *testing.T) {
	b := newBench(t)
	f := old(t, filepath.Join(t.TempDir(), "events.jsonl"), bricked)
	b.run("repair", f, "--only", "number-range").ends(exitDone)
	b.run("repair", strings.TrimSuffix(f, ".jsonl")+".repaired.jsonl", "--check").ends(exitFailed).says("Can't be resumed: 3 faults").lacks("Negative number")
	b.run("repair", f, "--only", "numberrange").ends(exitUsage, "Did you mean number-range?")
	b.run("repair", f, "--check", "--replace-source").ends(exitUsage)
}

// A folder is repaired file by file; a file that an agent writes is left alone.
func TestRepairOfAFolder(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	old(t, filepath.Join(dir, "a.jsonl"), bricked)
	old(t, filepath.Join(dir, "b.jsonl"), unbricked)
	old(t, filepath.Join(dir, "c.json"), `{"no":"session"}`)
	fresh := filepath.Join(dir, "d.jsonl")
	if err := os.WriteFile(fresh, []byte(bricked), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(fresh, time.Time{}, time.Now().Add(time.Minute)); err != nil { // whatever the clock says
		t.Fatal(err)
	}
	x := b.run("repair", dir, "--replace-source").ends(exitFailed)
	x.says("4 of 4 faults mended", "No faults found.", "Can't be mended because it can't be read")
	if now, _ := os.ReadFile(filepath.Join(dir, "a.jsonl")); strings.Contains(string(now), "-3") {
		t.Error("a.jsonl is as it was")
	}
}

// A file that is being written is not mended, and says so.
func TestRepairOfALiveSession(t *testing.T) {
	f := filepath.Join(t.TempDir(), "events.jsonl")
	old(t, f, bricked)
	x, err := session.LookForFaults(t.Context(), f, repair.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	now := time.Now()
	if err := x.Busy(nil, now, session.JustWritten); err != nil {
		t.Error(err)
	}
	running := []model.LiveSession{{Path: f, Source: model.LiveGateway, Changed: now}}
	if err := x.Busy(running, now, 0); err == nil || !strings.Contains(err.Error(), "Its agent is running") {
		t.Error(err)
	}
	at := now.Add(-session.JustWritten / 2)
	if err := os.Chtimes(f, time.Time{}, at); err != nil {
		t.Fatal(err)
	}
	if err := x.Busy(nil, now, 0); err == nil || !strings.Contains(err.Error(), "written to while") {
		t.Error(err)
	}
}

// Sessions of one name go into the folders that they come from, and names may be no UTF-8.
func TestRepairOfSessionsOfOneName(t *testing.T) {
	b := newBench(t)
	dir, out := t.TempDir(), t.TempDir()
	var files []string
	for _, name := range []string{"x1/events.jsonl", "x2/y/events.jsonl", "x2/n\xff.jsonl"} {
		f := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(f), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f, []byte(bricked), 0o600); err != nil {
			t.Skip("the file system takes no such name: ", err)
		}
		files = append(files, old(t, f, strings.Replace(bricked, "Look.", strings.ToValidUTF8(name, ""), 1)))
	}
	for _, args := range [][]string{files, {dir}} {
		x := b.run(append(append([]string{"repair"}, args...), "-o", out, "--force")...).ends(exitDone, "3 files: 3 done, 0 not")
		x.says("4 of 4 faults mended")
		for _, f := range files {
			rel, _ := filepath.Rel(dir, f)
			if got, err := os.ReadFile(filepath.Join(out, rel)); err != nil || !strings.Contains(string(got), strings.ToValidUTF8(filepath.ToSlash(rel), "")) {
				t.Errorf("%q: %v", rel, err)
			}
		}
	}
	b.run("repair", dir, "--check").ends(exitFailed, "3 files: 3 done, 0 not")
	b.run("repair", dir, "--only", "long-line").ends(exitDone, "3 files: 3 done, 0 not")
	if err := os.WriteFile(files[0], []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.run("repair", dir, "--check").ends(exitFailed, "3 files: 2 done, 1 not")
}

// A folder of events is looked through as one session, and only that; a file of zeros is called so.
func TestRepairOfWhatIsNoFile(t *testing.T) {
	b := newBench(t)
	dir := filepath.Join(t.TempDir(), "events")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"event-00000-a.json": `{"id":"a","timestamp":"2026-01-01T00:00:00","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"go\ud83d"}]},"kind":"MessageEvent"}`,
		"event-00001-b.json": `{"id":"b","timestamp":"2026-01-01T00:00:01","source":"agent","llm_message":{"role":"assistant","content":[{"type":"text","text":"yes"}]},"kind":"MessageEvent"}`,
	} {
		old(t, filepath.Join(dir, name), text)
	}
	b.run("repair", filepath.Dir(dir), "--check").ends(exitFailed, "1 file: 1 done, 0 not").says("Can't be resumed: 1 fault", "Half of an emoji")
	b.run("repair", filepath.Dir(dir)).ends(exitFailed, "It is made of several files")
	b.run("repair", old(t, filepath.Join(t.TempDir(), "z.jsonl"), strings.Repeat("\x00", 5000)), "--check").ends(exitFailed).
		says("nothing but zero bytes", "restore it from a copy").lacks("Unpack")
	b.run("repair", filepath.Join(dir, "none.jsonl")).ends(exitFailed, "There is no such file")
}

// What a program holds open for writing is not replaced; other names of a replaced file are named.
func TestRepairOfAFileThatIsHeld(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux says who holds a file")
	}
	b := newBench(t)
	f := old(t, filepath.Join(t.TempDir(), "events.jsonl"), bricked)
	held, err := os.OpenFile(f, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	b.run("repair", f, "--replace-source").ends(exitFailed, "A program has it open for writing")
	b.run("repair", f).ends(exitDone)
	held.Close()
	reader, err := os.Open(f) // may go on reading
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	if err := os.Link(f, f+".link"); err != nil {
		t.Fatal(err)
	}
	b.run("repair", f, "--replace-source").ends(exitDone, "has other names (hard links)")
}
