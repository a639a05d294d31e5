package cli

import (
	"os"
	"strings"
	"testing"
)

// The original is never changed: not by --force, not through a link. Its own flag
// lets the output take its place, and then the record that has the original is named
// first.
func TestTheSourceStays(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 12)
	was := b.read(f)
	soft, hard := b.path("soft"), b.path("hard")
	if err := os.Symlink(f, soft); err != nil {
		t.Skip("no links here: ", err)
	}
	if err := os.Link(f, hard); err != nil {
		t.Skip("no hard links here: ", err)
	}
	for _, out := range []string{f, soft, hard} {
		b.run("compact", f, "--window", "4", "-o", out, "--force").ends(exitFailed, "It is the source itself", "--replace-source")
		b.run("export", f, "--format", "markdown", "-o", out, "--force").ends(exitFailed, "It is the source itself")
	}
	if string(b.read(f)) != string(was) {
		t.Fatal("the source was changed")
	}
	r := b.run("compact", f, "--window", "4", "-o", f, "--replace-source").ends(exitDone)
	if !strings.HasPrefix(r.out, "R-") {
		t.Errorf("the record is not named first: %s", r.out)
	}
	if string(b.read(f)) == string(was) {
		t.Error("the source was not replaced")
	}
}

// What holds a source's words may be read by nobody who may not read the source,
// and nothing is left beside it.
func TestOutputsAreAsPrivateAsTheSource(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 12)
	if err := os.Chmod(f, 0o600); err != nil {
		t.Fatal(err)
	}
	b.run("compact", f, "--window", "4", "-o", b.path("out")).ends(exitDone)
	b.run("restore", "1", "-o", b.path("back")).ends(exitDone)
	b.run("export", f, "--format", "html", "-o", b.path("page")).ends(exitDone)
	b.run("export", f, "--redact", "-o", b.path("shared")).ends(exitDone)
	if err := os.Remove(f); err != nil {
		t.Fatal(err)
	}
	b.run("restore", "1", "-o", b.path("later")).ends(exitDone)
	for _, name := range []string{"out", "back", "page", "shared", "later"} {
		st, err := os.Stat(b.path(name))
		if err != nil || st.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v", name, st.Mode(), err)
		}
	}
	list, err := os.ReadDir(b.path("."))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if strings.HasPrefix(e.Name(), ".palimpsest-") {
			t.Errorf("%s was left", e.Name())
		}
	}
}
