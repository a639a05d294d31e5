package main

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// The window is called by a desktop with files, and by palimpsest with one of its verbs.
func TestWhatAWindowIsCalledWith(t *testing.T) {
	t.Setenv("PALIMPSEST_DB", "")
	for _, x := range []struct {
		args, want string
		code       int
	}{
		{"", "window [] ", 0},
		{"a.jsonl dir", "window [a.jsonl dir] ", 0},
		{"--db x.db window -- a.jsonl --b", "window [a.jsonl --b] x.db", 0},
		{"window --", "window [] ", 0},
		{"window", "window [window] ", 0}, // a file of that name
		{"inspect a.jsonl", "window [inspect a.jsonl] ", 0},
		{"--help", "The verbs are those of", 0},
		{"--version", "palimpsest-window 0.1.0", 0},
		{"--trigger 80%", "flag provided but not defined: -trigger", 2},
		{"bad", "it can't be opened", 1},
	} {
		var out bytes.Buffer
		code := run(strings.Fields(x.args), &out, &out, func(files []string, db string) error {
			if len(files) == 1 && files[0] == "bad" {
				return errors.New("it can't be opened")
			}
			_, err := out.WriteString("window [" + strings.Join(files, " ") + "] " + db)
			return err
		})
		if code != x.code || !strings.Contains(out.String(), x.want) {
			t.Errorf("%q: code %d, %q, want %d, %q", x.args, code, out.String(), x.code, x.want)
		}
	}
}
