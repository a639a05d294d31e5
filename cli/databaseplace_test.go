package cli

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The variable names the database where no flag does.
func TestDatabaseVariable(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 12)
	b.run("compact", f, "--window", "4", "-o", b.path("one")).ends(exitDone)
	list := func(args ...string) string {
		t.Helper()
		var out, errOut strings.Builder
		if code := Run(context.Background(), append(args, "records"), &out, &errOut, Doors{}); code != exitDone {
			t.Fatal(code, errOut.String())
		}
		return out.String()
	}
	t.Setenv("PALIMPSEST_DB", b.db)
	if out := list(); !strings.Contains(out, "R-0001") {
		t.Errorf("the variable is not heard: %s", out)
	}
	if out := list("--db", b.path("other.db")); strings.Contains(out, "R-0001") {
		t.Errorf("the flag does not stand before it: %s", out)
	}
	var on string
	doors := Doors{Window: func(_ []string, db string) error { on = db; return nil }}
	if code := Run(context.Background(), nil, os.Stderr, os.Stderr, doors); code != exitDone || on != b.db {
		t.Errorf("%d, the window opens %q", code, on)
	}
}

// Of a database that was cut short the verbs that read show what is there, and
// say that it is damaged; nothing is written to it.
func TestVerbsOnACutDatabase(t *testing.T) {
	b := newBench(t)
	for _, name := range []string{"a.json", "b.json", "c.json"} {
		b.run("compact", b.chat(name, 40), "--window", "4", "-o", filepath.Join(b.dir, "out-"+name)).ends(exitDone)
	}
	whole := b.read(b.db)
	for cut := 1; ; cut++ {
		if err := os.WriteFile(b.db, whole[:len(whole)-cut*4096], 0o600); err != nil {
			t.Fatal(err)
		}
		if r := b.run("records"); r.err != "" {
			if r.code != exitDone || !strings.Contains(r.err, "is damaged") || !strings.Contains(r.err, "records repair") {
				t.Errorf("%d, %s", r.code, r.err)
			}
			r.says("R-0001")
			break
		}
		if cut > 3 {
			t.Fatal("a database without its last pages is taken for whole")
		}
	}
	cut := b.read(b.db)
	b.run("compact", b.chat("d.json", 12), "--window", "4", "-o", b.path("d")).ends(exitFailed, "damaged")
	if now := b.read(b.db); string(now) != string(cut) {
		t.Error("the damaged database was written to")
	}
}
