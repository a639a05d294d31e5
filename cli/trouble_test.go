package cli

import (
	"context"
	"database/sql"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	_ "github.com/mattn/go-sqlite3"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// Looking works whatever state the database is in; compacting says what is
// wrong with it and changes nothing.
func TestDatabaseTrouble(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 12)
	out := b.path("out")
	check := func(name, words string) {
		t.Helper()
		b.run("inspect", f).ends(exitDone)
		b.run("preview", f, "--window", "4").ends(exitDone)
		r := b.run("compact", f, "--window", "4", "-o", out, "--json").ends(exitFailed, words)
		if c := value[compacted](r); c.Outcome != model.Failed || !strings.Contains(c.Reason, words) || c.Record != nil || c.Output != nil {
			t.Errorf("%s: %s", name, r.out)
		}
		b.missing(out)
	}
	b.write("data/palimpsest.db", []byte("this is no database, and longer than the header of one would be: "+strings.Repeat("x", 200)))
	check("no database", "not a database")
	b.run("records").ends(exitFailed, "not a database")
	b.run("restore", "R-0001", "-o", out).ends(exitFailed, "not a database")

	if err := os.Remove(b.db); err != nil {
		t.Fatal(err)
	}
	b.run("compact", f, "--window", "4").ends(exitDone)
	db, err := sql.Open("sqlite3", b.db)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA user_version = 9999"); err != nil {
		t.Fatal(err)
	}
	db.Close()
	content := b.read(b.db)
	check("newer", "newer version")
	b.run("records", "--json").ends(exitFailed, "newer version", "Install the newer version")
	if string(content) != string(b.read(b.db)) {
		t.Error("a newer database was changed")
	}
	b.db = b.write("file", []byte("x")) + "/deeper/p.db"
	check("no place", "can't")
}

// small mounts a small file system, or skips.
func small(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := exec.Command("mount", "-t", "tmpfs", "-o", options, "palimpsest-test", dir).Run(); err != nil {
		t.Skip("a file system of its own can't be mounted here: ", err)
	}
	t.Cleanup(func() {
		if err := exec.Command("umount", dir).Run(); err != nil {
			t.Error("umount: ", err)
		}
	})
	return dir
}

func TestDiskFull(t *testing.T) {
	dir := small(t, "size=512k")
	b := newBench(t)
	f := filepath.Join("..", "assets", "samples", "long-coding-run.jsonl")
	out := filepath.Join(dir, "out.jsonl")
	r := b.run("compact", f, "-o", out, "--json").ends(exitFailed, "could not be written", "no space left")
	if c := value[compacted](r); c.Outcome != model.Failed || *c.Record != "R-0001" || c.Output != nil || *c.Before != *c.After {
		t.Errorf("%s", r.out)
	}
	b.missing(out)
	b.run("restore", "1", "-o", out).ends(exitFailed, "no space left")
	b.missing(out)
	b.run("restore", "1", "-o", b.path("back")).ends(exitDone)
	b.same(b.path("back"), f)

	b.db = filepath.Join(dir, "p.db")
	fill := filepath.Join(dir, "fill")
	if err := os.WriteFile(fill, make([]byte, 300<<10), 0o666); err != nil {
		t.Fatal(err)
	}
	r = b.run("compact", f, "-o", b.path("out"), "--json").ends(exitFailed, "full")
	if c := value[compacted](r); c.Outcome != model.Failed || c.Output != nil {
		t.Errorf("%s", r.out)
	}
	b.missing(b.path("out"))
}

func TestReadOnlyDatabase(t *testing.T) {
	dir := small(t, "size=16m")
	b := newBench(t)
	f := b.chat("a.json", 12)
	b.db = filepath.Join(dir, "p.db")
	b.run("compact", f, "--window", "4", "-o", b.path("one")).ends(exitDone)
	if err := exec.Command("mount", "-o", "remount,ro", dir).Run(); err != nil {
		t.Skip("it can't be made read-only: ", err)
	}
	b.run("compact", f, "--window", "4", "-o", b.path("two")).ends(exitFailed, "read-only", "--db")
	b.missing(b.path("two"))
	b.run("records").ends(exitDone).says("R-0001")
	b.run("restore", "1", "-o", b.path("back")).ends(exitDone)
	b.same(b.path("back"), f)
	b.run("export", "1", "-o", b.path("again")).ends(exitDone)
	b.same(b.path("again"), b.path("one"))
	b.run("presets").ends(exitDone)
	b.run("inspect", b.path("one")).ends(exitDone).says("continues", "R-0001")
}

// stopAt is a context that is cancelled after it was asked n times.
type stopAt struct {
	context.Context
	stop context.CancelFunc
	left atomic.Int64
}

func (c *stopAt) Err() error {
	if c.left.Add(-1) == 0 {
		c.stop()
	}
	return c.Context.Err()
}

// Wherever a compaction is interrupted: either it is done and says so, or there
// is no file and no applied record.
func TestCancelledAnywhere(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 60)
	noted := 0
	for n := 1; ; n += 1 + n/8 {
		inner, stop := context.WithCancel(context.Background())
		ctx := &stopAt{Context: inner, stop: stop}
		ctx.left.Store(int64(n))
		out := b.path("out")
		r := b.runIn(ctx, Doors{}, "compact", f, "--window", "4", "-o", out, "--json")
		asked := int64(n) - ctx.left.Load()
		stop()
		c := value[compacted](r)
		if r.code == exitDone {
			if c.Outcome != model.Applied {
				t.Fatalf("done, and yet %s", r.out)
			}
			if asked < int64(n) {
				break // it ended before it was interrupted
			}
			if err := os.Remove(out); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if c.Outcome != model.Cancelled || c.Output != nil || !strings.Contains(r.err, "Cancelled") {
			t.Fatalf("stopped at %d: %d %s%s", n, r.code, r.out, r.err)
		}
		b.missing(out)
		if c.Record != nil {
			noted++
			if d := value[recordDetail](b.run("records", "show", *c.Record, "--json")); d.Outcome != model.Cancelled || d.Output != nil {
				t.Fatalf("the record says %s, output %v", d.Outcome, d.Output)
			}
		}
	}
	if noted == 0 {
		t.Error("no cancelled compaction was noted")
	}
	for _, r := range value[[]recordInfo](b.run("records", "--limit", "0", "--json")) {
		if r.Outcome == model.Applied && r.Output == nil {
			t.Errorf("%s is applied and has no file", r.ID)
		}
	}
}

func TestFileChangesWhileOpen(t *testing.T) {
	b := newBench(t)
	ctx := context.Background()
	for name, change := range map[string]func(path string, content []byte){
		"shrinks": func(path string, content []byte) { b.Helper(); truncate(b, path, int64(len(content)/2)) },
		"edited":  func(path string, content []byte) { content[len(content)/2] ^= 1; b.write(filepath.Base(path), content) },
	} {
		f := b.chat(name+".json", 20)
		part := openPart(b, f)
		change(f, b.read(f))
		recs, _, err := session.ApplyTo(ctx, session.Output{Path: b.path("out")}, []session.Part{part})
		var p *model.Problem
		if !errors.As(err, &p) || p.Code != "source-changed" && p.Code != "check-failed" || recs[0] != nil {
			t.Errorf("%s: %v %v", name, recs[0], err)
		}
		b.missing(b.path("out"))
	}
	f := b.chat("grows.json", 20)
	part := openPart(b, f)
	long := append(b.read(f), "\n\n"...)
	b.write("grows.json", long)
	if _, _, err := session.ApplyTo(ctx, session.Output{Path: f, Force: true, ReplaceSource: true}, []session.Part{part}); err == nil ||
		!strings.Contains(err.Error(), "would be lost") {
		t.Errorf("grows: %v", err)
	}
	if string(b.read(f)) != string(long) {
		t.Error("the file that grew was replaced")
	}
	if _, _, err := session.ApplyTo(ctx, session.Output{Path: b.path("out")}, []session.Part{part}); err != nil {
		t.Errorf("another place: %v", err)
	}
}

func openPart(b *bench, path string) session.Part {
	b.Helper()
	f, err := session.Open(context.Background(), path, session.Options{Verb: true}, transcript.Options{})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { f.Close() })
	s, err := f.Session(context.Background(), session.Ref{}, nil)
	if err != nil {
		b.Fatal(err)
	}
	p := compaction.Default()
	p.Tail = model.Amount{N: 4, Unit: model.Messages}
	d, err := s.Draft(context.Background(), p, compaction.Options{Manual: true}, nil)
	if err != nil {
		b.Fatal(err)
	}
	return session.Part{Session: s, Draft: d}
}

func truncate(b *bench, path string, n int64) {
	b.Helper()
	if err := os.Truncate(path, n); err != nil {
		b.Fatal(err)
	}
}

// Refusals are stored some at a time, also where one file is written of all conversations:
// each of them keeps its thread in memory until it is stored. That the rest was cancelled is
// said once.
func TestRefusalsAreStoredSomeAtATime(t *testing.T) {
	b := newBench(t)
	f := b.chats("talks.jsonl", slices.Repeat([]int{2}, together+together/4)...)
	run := func(asks int64) (asked int64, said string) {
		inner, stop := context.WithCancel(t.Context())
		defer stop()
		ctx := &stopAt{Context: inner, stop: stop}
		ctx.left.Store(asks)
		r := b.runIn(ctx, Doors{}, "compact", f, "--all", "--window", "9", "-o", b.path("out")).ends(exitFailed)
		return asks - ctx.left.Load(), r.err
	}
	all, _ := run(1 << 40)
	must(t, os.Remove(b.db))
	_, said := run(all * 95 / 100)
	if n := strings.Count(said, "Cancelled:"); n != 1 || !strings.Contains(said, "Cancelled as well: ") {
		t.Errorf("it is said %d times: …%s", n, said[max(0, len(said)-300):])
	}
	if n := len(value[[]recordInfo](b.run("records", "--limit", "0", "--json"))); n != together {
		t.Errorf("%d refusals are stored, want %d", n, together)
	}
}
