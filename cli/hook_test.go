package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"palimpsest/cli/live"
	"palimpsest/compaction/toolconfig"
)

// hooks are the hooks of a bench; the process that a hook starts runs at once, in
// this one.
func (b *bench) hooks(r *readFlags) *live.Hooks {
	c := &hookRunCmd{Tokens: 1000}
	h := c.hooks(&app{ctx: b.Context(), db: b.db, out: os.Stderr, errOut: os.Stderr}, filepath.Join(b.dir, "hooks"))
	h.Start = func(args ...string) error {
		if args[0] == "--settle" {
			once, at := h, h.Now()
			once.Now = func() time.Time { at = at.Add(time.Hour); return at } // a transcript that does not go on is looked at once
			if _, err := once.Settle(b.Context(), args[1], args[3]); err != nil && !strings.Contains(err.Error(), "does not hold the compaction") {
				return err
			}
			return nil
		}
		_, err := h.Prepare(b.Context(), args[1], args[3], args[5])
		return err
	}
	return &h
}

func event(t *testing.T, pairs ...string) *bytes.Reader {
	m := map[string]string{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	b, err := json.Marshal(m)
	must(t, err)
	return bytes.NewReader(b)
}

// A session is replayed to its recorded compaction: before it the hook records what
// goes, after it the agent is given the facts of it.
func TestHooksAroundARecordedCompaction(t *testing.T) {
	b := newBench(t)
	text, err := os.ReadFile(filepath.Join("..", "assets", "samples", "long-coding-run.jsonl"))
	must(t, err)
	lines := bytes.SplitAfter(text, []byte("\n"))
	cut := 0
	for i, l := range lines {
		if bytes.Contains(l, []byte("compact_boundary")) || bytes.Contains(l, []byte(`"compacted"`)) {
			cut = i
			break
		}
	}
	if cut == 0 {
		t.Fatal("the sample holds no compaction")
	}
	file := filepath.Join(b.dir, "session.jsonl")
	before := bytes.Join(lines[:cut], nil)
	must(t, os.WriteFile(file, before, 0o600))
	h := b.hooks(&readFlags{})
	old, young := filepath.Join(h.Dir, "old.json"), filepath.Join(h.Dir, "young.json")
	for _, path := range []string{old, young} { // of sessions that ended in the middle of a compaction
		must(t, os.MkdirAll(h.Dir, 0o700))
		must(t, os.WriteFile(path, nil, 0o600))
	}
	past := h.Now().Add(-8 * 24 * time.Hour)
	must(t, os.Chtimes(old, past, past))

	var out bytes.Buffer
	must(t, h.Answer(event(t, "hook_event_name", "PreCompact", "session_id", "s", "transcript_path", file, "trigger", "auto"), &out))
	equal(t, "", out.String())
	if _, err := os.Stat(old); err == nil {
		t.Error("what nobody asked for in a week is still there")
	}
	_, err = os.Stat(young)
	must(t, err)
	list := value[[]recordInfo](b.run("records", "--json").ends(exitDone))
	equal(t, 1, len(list))
	equal(t, "automatic", string(list[0].Cause))
	original := filepath.Join(b.dir, "original.jsonl")
	b.run("restore", list[0].ID, "-o", original).ends(exitDone)
	got, err := os.ReadFile(original)
	must(t, err)
	equal(t, true, bytes.Equal(got, before), "the record gives the transcript back")

	must(t, os.WriteFile(file, text, 0o600)) // the agent goes on
	start := event(t, "hook_event_name", "SessionStart", "source", "compact", "session_id", "s", "transcript_path", file)
	must(t, h.Answer(start, &out))
	var given struct {
		Specific struct {
			Event   string `json:"hookEventName"`
			Context string `json:"additionalContext"`
		} `json:"hookSpecificOutput"`
	}
	must(t, json.Unmarshal(out.Bytes(), &given))
	equal(t, "SessionStart", given.Specific.Event)
	if !strings.Contains(given.Specific.Context, "\n- /srv/code/larch/cmd/larch-lsp/{server.go, ") {
		t.Errorf("the file changed last is not told:\n%s", given.Specific.Context)
	}
	if strings.Contains(given.Specific.Context, "[Conversation summary") {
		t.Error("the mark of a summary message would make later readers take it for one")
	}

	// The record is now that of the compaction that happened.
	list = value[[]recordInfo](b.run("records", "--json").ends(exitDone))
	equal(t, 1, len(list))
	equal(t, "R-0002", list[0].ID)
	rec := value[recordDetail](b.run("records", "show", list[0].ID, "--json").ends(exitDone))
	contains(t, rec.Summary, "lexes as one number followed by the unit")
	equal(t, "model", string(rec.Strategy))
	lost := 0
	for _, f := range rec.Facts {
		lost += f.Gone - f.Standing
	}
	if len(rec.Facts) == 0 || lost == 0 {
		t.Errorf("what was lost is not measured: %+v", rec.Facts)
	}
	equal(t, false, rec.Edited)
	b.run("restore", list[0].ID, "-o", original, "--force").ends(exitDone)
	got, err = os.ReadFile(original)
	must(t, err)
	equal(t, true, bytes.Equal(got, before), "the settled record gives the transcript back")

	out.Reset()
	start.Seek(0, 0)
	if err := h.Answer(start, &out); err == nil || out.Len() > 0 {
		t.Errorf("given twice: %v %q", err, out.String())
	}
}

// The facts that are handed over are those of the work: what Claude Code shows the model
// again by itself, its skills and reminders, is not among them.
func TestHookLeavesOutWhatIsShownAgain(t *testing.T) {
	b := newBench(t)
	var text strings.Builder
	parent := "null"
	record := func(id, rest string) {
		fmt.Fprintf(&text, `{"uuid":%q,"parentUuid":%s,"sessionId":"s","isSidechain":false,%s}`+"\n", id, parent, rest)
		parent = strconv.Quote(id)
	}
	record("a", `"type":"user","message":{"role":"user","content":"Mend /srv/app/main.go"}`)
	record("b", `"type":"attachment","attachment":{"type":"skill_listing","content":"- dataviz: see /opt/skills/palette.md"},`+
		`"rendered":[{"content":"Skills:\n- dataviz: see /opt/skills/palette.md"}],"renderedRole":"system"`)
	for i := range 6 {
		record(fmt.Sprint("c", i), fmt.Sprintf(`"type":"assistant","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Read","input":{"file_path":"/srv/app/part%d.go"}}]}`, i, i, i))
		record(fmt.Sprint("d", i), fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%q}]}`, i, strings.Repeat("some words ", 200)))
	}
	file := filepath.Join(b.dir, "session.jsonl")
	text.WriteString(`{"type":"user"}` + "\n") // a line that was damaged, and follows nothing
	must(t, os.WriteFile(file, []byte(text.String()), 0o600))
	h := b.hooks(&readFlags{})
	var out bytes.Buffer
	must(t, h.Answer(event(t, "hook_event_name", "PreCompact", "session_id", "s", "transcript_path", file, "trigger", "manual"), &out))
	must(t, h.Answer(event(t, "hook_event_name", "SessionStart", "source", "compact", "session_id", "s", "transcript_path", file), &out))
	contains(t, out.String(), "part5.go")
	if strings.Contains(out.String(), "/opt/skills/palette.md") {
		t.Errorf("%s", out.String())
	}
}

// Whatever comes in, the agent is given nothing and the verb ends well.
func TestHookStaysOutOfTheWay(t *testing.T) {
	b := newBench(t)
	t.Setenv("XDG_CACHE_HOME", b.dir)
	for _, text := range []string{"", "{", "null", "[]", `{"hook_event_name":"PreToolUse"}`, strings.Repeat("x", 3<<20),
		`{"hook_event_name":"SessionStart","source":"startup","session_id":"s","transcript_path":"/none"}`,
		`{"hook_event_name":"SessionStart","source":"compact","session_id":"s","transcript_path":"/none"}`,
		`{"hook_event_name":"SessionStart","source":"compact","session_id":"../../x","transcript_path":"/none"}`,
		`{"hook_event_name":"PreCompact"}`} {
		stdin = strings.NewReader(text)
		r := b.run("hook").ends(exitDone)
		equal(t, "", r.out+r.err)
	}
	stdin = os.Stdin
	contains(t, b.run("hook", "status").ends(exitDone).out, "Last error: ")
	h := b.hooks(&readFlags{})
	if _, err := h.Prepare(b.Context(), "/none", "s", "auto"); err == nil {
		t.Error("a transcript that is not there was prepared")
	}
}

// Installing changes nothing else, twice is once, and removing gives back the file.
func TestHookInstallAndRemove(t *testing.T) {
	for _, old := range []string{"", "{}", "{\n  // mine\n  \"model\": \"opus\",\n}\n",
		"{\n  \"hooks\": {\n    \"PreCompact\": [\n      {\"hooks\": [{\"type\": \"command\", \"command\": \"echo hi\"}]},\n    ]\n  }\n}\n",
		"{\"hooks\": {\"PreCompact\": [], \"Stop\": [{\"hooks\": []}]}}"} {
		for _, h := range toolconfig.HookFiles("/opt/pal hook") {
			with, err := h.Install([]byte(old))
			must(t, err)
			there, _, err := h.Calls(with)
			must(t, err)
			want := []string{"PreCompact", "SessionStart"}
			switch h.Program {
			case "codex":
				want = []string{"PreCompact", "PostCompact", "SessionStart"}
			case "qwen":
				want = append(want, "PostCompact")
			}
			equal(t, want, there)
			again, err := h.Install(with)
			must(t, err)
			equal(t, string(with), string(again))
			for _, line := range strings.Split(old, "\n") {
				if s := strings.Trim(line, " ,{}[]"); s != "" && !strings.Contains(string(with), s) && len(old) > 60 {
					t.Errorf("%q is gone from\n%s", s, with)
				}
			}
			without, err := h.Remove(with)
			must(t, err)
			there, _, err = h.Calls(without)
			must(t, err)
			equal(t, 0, len(there))
			if strings.Contains(old, "echo hi") {
				equal(t, old, string(without))
			}
		}
	}
	flags := `{"hooks":{"PreCompact":[{"hooks":[{"type":"command","command":"/opt/palimpsest --db /srv/p.db hook --tokens 2000"}]}]}}`
	there, _, err := toolconfig.HookFiles("/usr/bin/palimpsest hook")[0].Calls([]byte(flags))
	must(t, err)
	equal(t, []string{"PreCompact"}, there)

	b := newBench(t)
	contains(t, b.run("hook", "install", "--in", "goose").ends(exitUsage).err, "claude-code, codex, qwen")
	file := filepath.Join(b.dir, "s.json")
	must(t, os.WriteFile(file, []byte("["), 0o600))
	contains(t, b.run("hook", "install", "--in", "codex", "--file", file).ends(exitFailed).err, "can't be read or changed")
	must(t, os.Remove(file))
	contains(t, b.run("hook", "install", "--in", "codex", "--file", file).ends(exitDone).out, "after it was reviewed")
	t.Setenv("HOME", b.dir)
	contains(t, b.run("hook", "install", "--in", "codex").ends(exitFailed).err, "Codex is not set up for you")
	contains(t, b.run("hook", "status").ends(exitDone).out, "There is no folder "+filepath.Join(b.dir, ".codex"))
	must(t, os.Mkdir(filepath.Join(b.dir, ".codex"), 0o700))
	b.run("hook", "install", "--in", "codex").ends(exitDone)
}

// Where nothing else was changed, removing gives back the file byte for byte and leaves
// no copy; a copy is readable for nobody who may not read the file.
func TestHookRemoveLeavesNoTrace(t *testing.T) {
	b := newBench(t)
	file := filepath.Join(b.dir, "settings.json")
	list := func() (names []string) {
		found, err := filepath.Glob(file + "*")
		must(t, err)
		for _, f := range found {
			names = append(names, filepath.Base(f))
		}
		return names
	}
	for _, old := range []string{"", "{}", "{\"hooks\": {}\n}", "{\n  \"hooks\": {\n    \"PreCompact\": [\n      {\"hooks\": []}, // mine\n    ]\n  }\n}\n"} {
		must(t, os.WriteFile(file, []byte(old), 0o600))
		b.run("hook", "install", "--in", "claude-code", "--file", file).ends(exitDone)
		equal(t, []string{"settings.json", "settings.json.before-palimpsest"}, list())
		with, err := os.ReadFile(file)
		must(t, err)
		contains(t, string(with), " --db "+b.db+" hook\"") // its records go where the person looks for them
		st, err := os.Stat(file + ".before-palimpsest")
		must(t, err)
		equal(t, os.FileMode(0o600), st.Mode().Perm())
		b.run("hook", "remove", "--in", "claude-code", "--file", file).ends(exitDone)
		text, err := os.ReadFile(file)
		must(t, err)
		equal(t, old, string(text))
		equal(t, []string{"settings.json"}, list())
	}
	must(t, os.Remove(file))
	b.run("hook", "install", "--in", "claude-code", "--file", file).ends(exitDone)
	contains(t, b.run("hook", "remove", "--in", "claude-code", "--file", file).ends(exitDone).out, "held nothing else")
	equal(t, 0, len(list()))

	must(t, os.WriteFile(file, []byte("{}"), 0o600))
	b.run("hook", "install", "--in", "claude-code", "--file", file).ends(exitDone)
	text, err := os.ReadFile(file)
	must(t, err)
	must(t, os.WriteFile(file, bytes.Replace(text, []byte("{"), []byte("{\"model\": \"opus\", "), 1), 0o600))
	b.run("hook", "remove", "--in", "claude-code", "--file", file).ends(exitDone)
	text, err = os.ReadFile(file)
	must(t, err)
	contains(t, string(text), `"model": "opus"`)
	equal(t, 3, len(list()))
}

// A person who moved an agent's folder by its variable gets the hook where the agent reads.
func TestHookFollowsAMovedFolder(t *testing.T) {
	b := newBench(t)
	for variable, tool := range map[string]string{"CLAUDE_CONFIG_DIR": "claude-code", "CODEX_HOME": "codex"} {
		dir := filepath.Join(b.dir, tool)
		must(t, os.MkdirAll(dir, 0o700))
		t.Setenv(variable, dir)
		b.run("hook", "install", "--in", tool).ends(exitDone)
		list, err := os.ReadDir(dir)
		must(t, err)
		equal(t, 1, len(list), tool)
		contains(t, b.run("hook", "status").ends(exitDone).out, dir)
	}
}
