package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"palimpsest/model"
)

// A policy goes into a tool's own file and comes back from it.
func TestUseInAFileAndBack(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(b.dir, "settings.json")
	before := "{\n  // mine\n  \"model\": \"opus\"\n}\n"
	must(t, os.WriteFile(file, []byte(before), 0o600))
	args := []string{"use", "balanced", "--in", "claude-code", "--context-window", "1000000", "--trigger", "460k", "--write", file}

	shown := b.run(append(args, "--dry-run")...).ends(exitDone)
	contains(t, shown.out, "+  \"autoCompactWindow\": 493000\n")
	text, _ := os.ReadFile(file)
	equal(t, before, string(text), "a dry run writes nothing")

	done := b.run(args...).ends(exitDone)
	diff, _, _ := strings.Cut(shown.out, "\n\n")
	contains(t, done.out, diff)
	text, _ = os.ReadFile(file)
	equal(t, "{\n  // mine\n  \"model\": \"opus\",\n  \"autoCompactEnabled\": true,\n  \"autoCompactWindow\": 493000\n}\n", string(text))
	st, err := os.Stat(file)
	must(t, err)
	equal(t, os.FileMode(0o600), st.Mode().Perm())
	backup, _ := os.ReadFile(file + ".before-palimpsest")
	equal(t, before, string(backup))
	contains(t, b.run(args...).ends(exitDone).out, "nothing was changed")

	read := b.run("use", "--in", "claude-code", "--read", file).ends(exitDone)
	preset := filepath.Join(b.dir, "claude.json")
	must(t, os.WriteFile(preset, []byte(read.out), 0o600))
	again := value[toolUse](b.run("use", preset, "--in", "codex", "--json").ends(exitDone))
	equal(t, []model.Clause{{At: model.Amount{N: 460000, Unit: model.Tokens}}}, again.Does.Triggers)
	contains(t, again.Text, "model_auto_compact_token_limit = 460000")
}

// What a tool can't do is listed with what it does instead.
func TestUseListsWhatIsLost(t *testing.T) {
	b := newBench(t)
	u := value[toolUse](b.run("use", "--in", "gemini-cli", "--strategy", "ledger", "--keep-first-user", "--tail", "7turns", "--json").ends(exitDone))
	lost := map[string]lostParam{}
	for _, l := range u.Lost {
		lost[l.Parameter] = l
	}
	equal(t, lostParam{"strategy", "note", "model"}, lost["strategy"])
	equal(t, lostParam{"window", "7 turns", "157,286 tok"}, lost["window"])
	if _, ok := lost["threshold"]; ok {
		t.Error("the trigger is lost")
	}
	equal(t, "{\n  \"model\": {\n    \"compressionThreshold\": 0.67\n  }\n}\n", b.run("use", "--in", "gemini-cli", "--bare").ends(exitDone).out)
	contains(t, b.run("use", "--in", "gemini-cli").ends(exitDone).out, "Gemini CLI can't do all of this policy:")
}

func TestUseOfARecord(t *testing.T) {
	b := newBench(t)
	b.run("compact", filepath.Join("..", "assets", "samples", "crew-of-four.jsonl"), "--preset", "message-count", "--trigger", "12345").ends(exitDone)
	contains(t, b.run("use", "R-0001", "--in", "codex").ends(exitDone).out, "model_auto_compact_token_limit = 12345")
	contains(t, b.run("use", "R-0009", "--in", "codex").ends(exitFailed).err, `There is no record "R-0009"`)
}

func TestUseRefuses(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(b.dir, "broken.json")
	must(t, os.WriteFile(file, []byte(`{"model": `), 0o600))
	list := filepath.Join(b.dir, "list.json")
	must(t, os.WriteFile(list, []byte(`[1,2]`), 0o600))
	for _, c := range []struct {
		code int
		want string
		args []string
	}{
		{exitUsage, "There are claude-code,", []string{"--in", "foo"}},
		{exitUsage, "Say the tool", []string{"balanced"}},
		{exitUsage, "There is no preset", []string{"nonsense", "--in", "codex"}},
		{exitFailed, "There is no database", []string{"R-9999", "--in", "codex"}},
		{exitUsage, "Say the policy once", []string{"balanced", "--preset", "cheap", "--in", "codex"}},
		{exitFailed, "--model-limit", []string{"balanced", "--in", "codex"}},
		{exitFailed, "can't be read or changed. It is not well formed: line 1", []string{"balanced", "--in", "gemini-cli", "--write", file}},
		{exitFailed, "It holds no object with settings, but this: array.", []string{"balanced", "--in", "claude-code", "--write", list}},
		{exitFailed, "no such file", []string{"--in", "gemini-cli", "--read", file + "x"}},
	} {
		r := b.run(append([]string{"use"}, c.args...)...).ends(c.code)
		contains(t, r.err, c.want)
		equal(t, "", r.out)
	}
	text, _ := os.ReadFile(file)
	equal(t, `{"model": `, string(text))
	equal(t, 5, strings.Count(b.run("use").ends(exitDone).out, "\n"), "a head and each tool")
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func equal(t *testing.T, want, got any, note ...any) {
	t.Helper()
	if !reflect.DeepEqual(want, got) {
		t.Errorf("want %v\ngot  %v\n%v", want, got, note)
	}
}

func contains(t *testing.T, text, part string) {
	t.Helper()
	if !strings.Contains(text, part) {
		t.Errorf("%q is not in\n%s", part, text)
	}
}
