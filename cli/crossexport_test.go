package cli

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize/redact"
	"palimpsest/model/store"
)

// Every form is written from the command line, and what it has no place for is
// said.
func TestExportInEveryForm(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	in := filepath.Join(dir, "in.json")
	text := `{"messages":[{"role":"user","content":"Look at lex.go"},{"role":"assistant","content":null,"reasoning_content":"I should look.","tool_calls":[{"id":"c1","type":"function","function":{"name":"read","arguments":"{}"}}]},{"role":"tool","tool_call_id":"c1","content":"package lex"},{"role":"assistant","content":"Done."}]}`
	if err := os.WriteFile(in, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for form, holds := range map[string]string{"openai-chat": `"tool_call_id":"c1"`, "anthropic": `"tool_use_id":"c1"`,
		"markdown": "## Tool result", "html": "<article", "json": `"kind":"tool result"`} {
		out := filepath.Join(dir, form)
		var g given
		if err := json.Unmarshal([]byte(b.run("export", in, "--format", form, "-o", out, "--json").ends(exitDone).out), &g); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(out)
		if err != nil || !strings.Contains(string(got), holds) {
			t.Errorf("%s: no %q in %s", form, holds, got)
		}
		reasoning := false
		for _, l := range g.Lost {
			reasoning = reasoning || l.What == "reasoning" && l.Count == 1 && l.Text != ""
		}
		if want := form == "anthropic"; reasoning != want {
			t.Errorf("%s: says that reasoning is lost: %v", form, reasoning)
		}
	}
	b.run("export", in, "--format", "anthropic", "-o", filepath.Join(dir, "again")).ends(exitDone).says("Not held by anthropic", "1  reasoning")
}

// A record of a Codex session is written as Codex itself records a compaction:
// the file, and two lines behind it.
func TestNativeExport(t *testing.T) {
	b := newBench(t)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "rollout.jsonl"), filepath.Join(dir, "out.jsonl")
	var text strings.Builder
	text.WriteString(`{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"s","cwd":"/w"}}` + "\n")
	for i := range 30 {
		role, kind := "user", "input_text"
		if i%2 == 1 {
			role, kind = "assistant", "output_text"
		}
		fmt.Fprintf(&text, `{"timestamp":"2026-01-01T00:00:00.000Z","type":"response_item","payload":{"type":"message","role":"%s","content":[{"type":"%s","text":"message %d: %s"}]}}`+"\n",
			role, kind, i, strings.Repeat("some words ", 60))
	}
	if err := os.WriteFile(in, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	b.run("compact", in, "--window", "6").ends(exitDone)
	b.run("export", "R-0001", "--native", "-o", out).ends(exitDone)
	got, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	rest, ok := strings.CutPrefix(string(got), text.String())
	if !ok || strings.Count(rest, "\n") != 2 || !strings.Contains(rest, `"type":"compacted"`) || !strings.Contains(rest, `"context_compacted"`) {
		t.Fatalf("behind the history stands %.300s", rest)
	}
	b.run("inspect", out).ends(exitDone).says("compactions  1  ")
	// In one step it is the same file but for the time and the ids in it, and the record says so.
	one := filepath.Join(dir, "one.jsonl")
	c := value[compacted](b.run("compact", in, "--window", "6", "--native", "-o", one, "--json").ends(exitDone))
	step, err := os.ReadFile(one)
	if err != nil {
		t.Fatal(err)
	}
	if len(step) != len(got) || !strings.HasPrefix(string(step), text.String()) || c.Output == nil || *c.Output != one || *c.Record != "R-0002" {
		t.Fatalf("%d bytes instead of %d, %+v", len(step), len(got), c)
	}
	b.run("compact", in, "--window", "6", "--native", "-o", one).ends(exitFailed, "exists already")
	b.run("compact", in, "--window", "6", "--native").ends(exitUsage, "give -o")
	b.run("compact", in, "--native", "--all", "-o", one).ends(exitUsage, "--all")
	// What has no such form leaves neither a file nor an applied record.
	chat := b.chat("chat.json", 40)
	b.run("compact", chat, "--window", "6", "--native", "-o", one+"2").ends(exitFailed, "can't be compacted in its own tool's form")
	if _, err := os.Stat(one + "2"); err == nil {
		t.Error("a file appeared")
	}
	b.run("records", "--json").ends(exitDone).says(`"outcome": "failed"`)
	b.run("export", in, "--native", "-o", out+"2").ends(exitUsage, "for records")
	b.run("export", "R-0001", "--native", "-f", "html", "-o", out+"2").ends(exitUsage, "leave --format out")
}

// A redacted export holds no secret, lists its placeholder and not what it
// was, and is not noted as the record's output.
func TestRedactedExport(t *testing.T) {
	b := newBench(t)
	secret := "ghp_" + "x7Kq2mVb9LtRw4ZcY8nHs3JpDfGa6UeQ1TiM"
	in := b.path("history.json")
	text := `{"model":"gpt-4o","messages":[{"role":"user","content":"Use ` + secret + `"},{"role":"assistant","content":"Yes."},` +
		`{"role":"user","content":"And now?"},{"role":"assistant","content":"Done, ` + strings.Repeat("word ", 200) + `"},{"role":"user","content":"Bye"}]}`
	if err := os.WriteFile(in, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b.run("compact", in, "--window", "1", "--strategy", "extract").ends(exitDone).says("R-0001 applied")
	for i, args := range [][]string{{in}, {"R-0001"}, {in, "--format", "markdown", "--full"}} {
		out := b.path(fmt.Sprintf("out%d", i))
		said := b.run(append([]string{"export", "--redact", "-o", out}, args...)...).ends(exitDone).says("[redacted:github-pat-1]", "github-pat").out
		if strings.Contains(said, secret) || strings.Contains(string(fileBytes(t, out)), secret) {
			t.Errorf("%v: the secret is told: %s", args, said)
		}
	}
	b.run("export", in, "--redact", "--json", "-o", b.path("out")).ends(exitDone).says(`"as": "[redacted:github-pat-1]"`, `"times": 1`, `"kind": "secret"`)
	b.run("records", "show", "R-0001", "--json").ends(exitDone).says(`"output": null`)
	// What a person has withheld by a rule is withheld by the verbs, too.
	st, err := store.Open(b.db)
	if err != nil {
		t.Fatal(err)
	}
	rules := []redact.Own{{Name: "my word", Find: "bye"}}
	if err := errors.Join(st.SetSetting(t.Context(), session.OwnRulesSetting, rules), st.Close()); err != nil {
		t.Fatal(err)
	}
	b.run("export", in, "--redact", "--format", "markdown", "--full", "-o", b.path("own")).ends(exitDone).says("[redacted:my-word-1]")
	if text := string(fileBytes(t, b.path("own"))); strings.Contains(text, "Bye") || !strings.Contains(text, "[redacted:my-word-1]") {
		t.Error(text)
	}
}
