package main

import (
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
)

const claudeSession = `{"type":"user","uuid":"1","sessionId":"s","message":{"role":"user","content":"Please mend the parser. Never touch src/legacy."}}
{"type":"assistant","uuid":"2","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"a","name":"TaskCreate","input":{"subject":"Mend it"}}]}}
{"type":"user","uuid":"3","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":"Task #1 created"}]}}
{"type":"assistant","uuid":"4","sessionId":"s","message":{"id":"n","role":"assistant","content":[{"type":"tool_use","id":"b","name":"Edit","input":{"file_path":"/p/a.go"}},{"type":"tool_use","id":"c","name":"Edit","input":{"file_path":"/p/b.go"}},{"type":"tool_use","id":"d","name":"Bash","input":{"command":"cd /p && go test"}}]}}
{"type":"user","uuid":"5","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"b","content":"ok"},{"type":"tool_result","tool_use_id":"c","is_error":true,"content":"no such file"},{"type":"tool_result","tool_use_id":"d","is_error":true,"content":"FAIL"}]}}
{"type":"queue-operation","operation":"enqueue","sessionId":"s","content":"do it in small commits"}
{"type":"assistant","uuid":"6","sessionId":"s","message":{"id":"o","role":"assistant","content":[{"type":"tool_use","id":"e","name":"Bash","input":{"command":"go test"}},{"type":"tool_use","id":"f","name":"Bash","input":{"command":"git commit -m x"}},{"type":"tool_use","id":"g","name":"TaskUpdate","input":{"taskId":"1","status":"completed"}}]}}
{"type":"user","uuid":"7","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"e","content":"ok"},{"type":"tool_result","tool_use_id":"f","content":"[main 1a2b3c4] x\n 1 file changed"}]}}
{"type":"system","subtype":"compact_boundary","uuid":"8","sessionId":"s"}
{"type":"user","uuid":"9","isCompactSummary":true,"sessionId":"s","message":{"role":"user","content":"The parser is mended."}}
{"type":"assistant","uuid":"10","sessionId":"s","message":{"id":"p","role":"assistant","content":[{"type":"text","text":"All done."}]}}
`

// What the calls of a session say is read as they say it.
func TestTheTrailOfASession(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(claudeSession), 0o600); err != nil {
		t.Fatal(err)
	}
	h, err := read(path)
	if err != nil || h.kind != "claude-code" || len(h.cuts) != 1 || h.cuts[0].summary != "The parser is mended." {
		t.Fatalf("%+v %v", h, err)
	}
	of := h.live(h.cuts[0])
	got := trailOf(of)
	want := trail{files: []changed{{"/p/a.go", 1}}, commits: []commit{{"1a2b3c4", "x"}}, todos: []*todo{{"Mend it", "done"}}, repaired: []string{"go test"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if o := orders(of); !reflect.DeepEqual(o, []string{"Never touch src/legacy"}) {
		t.Errorf("orders %q", o)
	}
	if s := h.happened(h.cuts[0]); !strings.Contains(s, "All done.") || !strings.Contains(s, "do it in small commits") || strings.Contains(s, "is mended") {
		t.Error(s)
	}
}

// Each meter tells a note with a fault from one without.
func TestMetersSeeFaults(t *testing.T) {
	truth := truth{orders: []string{"Never touch src/legacy"}, asks: []string{"Please mend the parser"},
		before: trail{files: []changed{{"/p/a.go", 1}, {"/p/c d.go", 2}}, commits: []commit{{"1a2b3c4", "x"}}, todos: []*todo{{"Mend it", "done"}}, repaired: []string{"go test"}}}
	truth.all = truth.before
	good := "## Goal and asks\n- Please mend the parser (#1)\n\n## Standing orders\n- Never touch src/legacy (#1)\n\n## To-dos\n- [x] Mend it (#2)\n\n" +
		"## Files changed\n- /p/{a.go, c d.go ×2} (#3)\n\n## Commits\n- 1a2b3c4 x (#4)\n"
	if faults := new(meter).measure(truth, good, true); len(faults) > 0 {
		t.Errorf("%+v", faults)
	}
	for change, kind := range map[[2]string]string{
		{"Never touch src/legacy", "Touch nothing"}: "order lost", {"- [x] Mend it", "- [ ] Mend it"}: "to-do state",
		{"- [x] Mend it (#2)", ""}: "to-do lost", {"a.go, ", ""}: "unmarked cut", {"a.go", "a.go, z.go"}: "file not changed",
		{"- 1a2b3c4 x (#4)", ""}: "unmarked cut", {"1a2b3c4", "9a2b3c4"}: "commit not made", {"- Please mend the parser (#1)", ""}: "unmarked cut",
		{"## Commits", "- error: message,\n\n## Commits"}: "debris", {"## Files", "## State now\n- Failed, not seen to work later: go test → FAIL (#3)\n\n## Files"}: "wrong belief",
	} {
		bad, found := strings.Replace(good, change[0], change[1], 1), false
		for _, f := range new(meter).measure(truth, bad, true) {
			found = found || f.kind == kind
		}
		if bad == good || !found {
			t.Errorf("%q is not seen: %s", change, kind)
		}
	}
}

// A text holds a fact word for word, or in a group.
func TestFactsOfAText(t *testing.T) {
	got := factsOf(joined("see src/{a.go ×2, b/c.go} and parseNote, --dry-run, 1a2b3c4, #14; plain words and/or 12 files"))
	for _, f := range []string{"src/a.go", "src/b/c.go", "parseNote", "--dry-run", "1a2b3c4", "#14", "12 files"} {
		if got[f] == 0 {
			t.Errorf("no %s in %v", f, got)
		}
	}
	if got["words"]+got["and/or"]+got["see"] > 0 {
		t.Errorf("%v", got)
	}
}

// The list of public sessions is whole: each file once, with a commit and a hash, and none
// of the projects that are kept for judging.
func TestTheListOfSessions(t *testing.T) {
	text, err := os.ReadFile("sources.tsv")
	if err != nil {
		t.Fatal(err)
	}
	hash := regexp.MustCompile(`^[0-9a-f]{40}$`)
	seen := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSpace(line), "\t")
		if len(f) != 5 || !hash.MatchString(f[2]) || !hash.MatchString(f[4]) || seen[f[0]] || seen[f[4]] || strings.Contains(f[0], "..") {
			t.Errorf("%q", line)
			continue
		}
		seen[f[0]], seen[f[4]] = true, true
		for _, kept := range []string{"FSM1/cipher-box", "dayhaysoos/nimbus", "MoonshotAI/kimi-cli", "JanDeDobbeleer/oh-my-posh",
			"prjctimg/learn-p5", "tsutoringo/shui", "savekirk/session-bridge"} {
			if f[1] == kept {
				t.Errorf("%s is kept for judging", kept)
			}
		}
	}
	if len(seen) < 2*90 {
		t.Errorf("%d sessions", len(seen)/2)
	}
}
