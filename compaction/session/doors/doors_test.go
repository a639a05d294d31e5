package doors

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
)

// What is not there is off, what was killed or can't be read is a fault, and each line has words.
func TestFind(t *testing.T) {
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("XDG_CACHE_HOME", home)
	t.Setenv("CLAUDE_CONFIG_DIR", "")
	t.Setenv("ANTHROPIC_BASE_URL", "http://127.0.0.1:1")
	t.Setenv("PATH", "")
	var there bool
	var failed error
	db := Database{Path: "a.db", Why: error.Error, Sessions: func(context.Context) ([]model.LiveSession, bool, error) { return nil, there, failed }}
	find := func(of string) (State, string) {
		t.Helper()
		list, err := Find(t.Context(), db)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range list {
			if d.Of.English() != of {
				continue
			}
			var said []string
			for _, l := range d.Says {
				said = append(said, l.English())
			}
			if d.Do != nil {
				said = append(said, d.Do.English())
			}
			if text := strings.Join(said, "; "); !strings.Contains(text, "{{") && !slices.Contains(said, "") {
				return d.State, text
			}
			t.Errorf("%s: %q", of, said)
		}
		return "", ""
	}
	is := func(of string, want State, words string) {
		t.Helper()
		if state, said := find(of); state != want || !strings.Contains(said, words) {
			t.Errorf("%s is %s, want %s: %s", of, state, want, said)
		}
	}
	is("database", Off, "a.db; made with the first record")
	is("gateway", Off, "none answers")
	is("Claude Code", "", "")
	there = true
	is("database", Works, "a.db")
	failed = errors.New("torn")
	is("database", Fault, "torn")
	if err := os.MkdirAll(filepath.Join(home, ".claude"), 0o700); err != nil {
		t.Fatal(err)
	}
	is("Claude Code", Fault, "asks http://127.0.0.1:1, where nothing answers")
	is("Claude Code, hook", Off, "not installed; palimpsest hook install --in claude-code")
	t.Setenv("CODEX_HOME", home)
	is("Codex", Off, "is not found as codex")
	if err := os.MkdirAll(filepath.Join(home, "palimpsest", "runs", "127.0.0.1_1"), 0o700); err != nil {
		t.Fatal(err)
	}
	is("gateway", Fault, "was killed and left files; palimpsest unwrap")
}

// Every key that is written in the source has words, and no words are left over.
func TestEachLineHasWords(t *testing.T) {
	source, err := os.ReadFile("doors.go")
	if err != nil {
		t.Fatal(err)
	}
	used := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?:line|say|do)\("([\w.]+)"`).FindAllSubmatch(source, -1) {
		used["doctor."+string(m[1])] = true
	}
	window := []string{"doctor.title", "doctor.looking", "doctor.again", "doctor.and", "doctor.works", "doctor.off", "doctor.fault"}
	for key := range used {
		if english()[key] == "" {
			t.Errorf("%s has no words", key)
		}
	}
	for key := range english() {
		if strings.HasPrefix(key, "doctor.") && !used[key] && !slices.Contains(window, key) {
			t.Errorf("%s is not said", key)
		}
	}
	if len(used) < 30 {
		t.Errorf("%d keys were found in the source", len(used))
	}
}
