package cli

import (
	"errors"
	"strings"
	"testing"
)

// An error begins with a capital letter, but not by changing a file's name.
func TestSentencesKeepFileNames(t *testing.T) {
	for text, want := range map[string]string{
		"no such record":                 "No such record",
		"cut.json could not be read":     "cut.json could not be read",
		"a/b is empty":                   "a/b is empty",
		"- is empty":                     "The standard input is empty",
		"my-notes holds no conversation": "my-notes holds no conversation",
	} {
		if got := sentence(errors.New(text)); got != want {
			t.Errorf("%q: %q", text, got)
		}
	}
}

// A record that is not there is said once.
func TestNoSuchRecord(t *testing.T) {
	b := newBench(t)
	f := b.chat("a.json", 24)
	if r := b.run("compact", f, "--tail", "4msgs").ends(exitDone); !strings.Contains(r.out, "kept as a record; -o OUT writes a file too") {
		t.Error(r.out)
	}
	r := b.run("restore", "R-9999", "-o", b.path("x")).ends(exitFailed)
	if want := `There is no record "R-9999" (` + b.db + ").\n"; r.err != want {
		t.Errorf("%q, not %q", r.err, want)
	}
}
