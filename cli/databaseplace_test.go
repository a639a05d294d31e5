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
	other := newBench(t)
	other.store().Close()
	if out := list("--db", other.db); strings.Contains(out, "R-0001") {
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

// The usual database need not be there for a list, which is then empty. One that was named
// has to be: a name that was typed wrong is no database without records. None is made.
func TestListsOfADatabaseThatIsMissing(t *testing.T) {
	b := newBench(t)
	data := b.path("home")
	for _, name := range []string{"HOME", "XDG_DATA_HOME", "LOCALAPPDATA", "APPDATA"} {
		t.Setenv(name, data)
	}
	for _, c := range []struct{ args, empty string }{
		{"records", "There are no records."}, {"conversations", "There are no recorded conversations."},
		{"maps", "No field map is saved"}, {"find x --in lost", ""},
	} {
		args := strings.Fields(c.args)
		b.run(args...).ends(exitFailed, "There is no database "+b.db)
		if v := value[failed](b.run(append(args, "--json")...).ends(exitFailed)); v.Error == nil || v.Error.Code != "no-database" {
			t.Errorf("%s: %+v", c.args, v)
		}
		var out, errOut strings.Builder
		if Run(context.Background(), args, &out, &errOut, Doors{}); strings.Contains(errOut.String(), "no database") || !strings.Contains(out.String(), c.empty) {
			t.Errorf("%s without --db: %q, %q", c.args, out.String(), errOut.String())
		}
	}
	b.missing(filepath.Dir(b.db))
	b.missing(data)
}
