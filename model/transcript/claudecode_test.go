package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/anthropic"
	"palimpsest/model/transcript/internal/edit"
)

func TestClaudeCodeSamples(t *testing.T) {
	for _, s := range fewer(samples(t, "claude_code")) {
		if s.Messages == 0 {
			continue // a side file, not a transcript
		}
		t.Run(s.File, func(t *testing.T) {
			d := openSample(t, s.Path)
			if d.Format != model.FormatClaudeCode {
				t.Fatalf("recognised as %s: %s", d.Format, d.Why)
			}
			st := count(d)
			t.Log(st)
			if d.Items != s.Messages || st.Calls != s.Calls {
				t.Errorf("%d items and %d calls, the manifest says %d and %d", d.Items, st.Calls, s.Messages, s.Calls)
			}
			if st.Paired != st.Results {
				t.Errorf("%d of %d results have their call before them", st.Paired, st.Results)
			}
			checkDocument(t, d)
			checkRewrites(t, d, 6)
			checkThreadRewrites(t, d)
			checkChain(t, d)
		})
	}
}

// fixture reads a file of testdata.
func fixture(t testing.TB, name string) *model.Document {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	d, err := readBytes(name, b)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// lines lists messages as "kind preview", by index.
func lines(th *model.Thread, list []int32) []string {
	var out []string
	for _, i := range list {
		out = append(out, th.Messages[i].Kind.String()+" "+th.Messages[i].Preview)
	}
	return out
}

func TestClaudeCodeSession(t *testing.T) {
	d := fixture(t, "claudecode_session.jsonl")
	c := d.Conversations[0]
	if c.Title != "Trailing commas in Larch" || c.Model != "claude-sonnet-4-5-20250929" || c.Dir != "/home/mira/larch" {
		t.Errorf("title %q, model %q, dir %q", c.Title, c.Model, c.Dir)
	}
	th := c.Main()
	want := []string{
		"user Why does the parser drop trailing commas? See lex.go.",
		"user Run the tests with make check.",
		`assistant Read {"file_path":"/home/mira/larch/lex.go"}`,
		"tool result package lex const comma = 44",
		"tool result Error: exit 1 FAIL larch/parse",
		"assistant The parser stops at the comma.",
		"user Ask an agent to list all uses.",
		`assistant Task {"description":"List uses","prompt":"List every use of comma.","subagent_type":"explorer"}`,
		"tool result Two uses: lex.go:3 and parse.go:40.",
		"assistant Both are in the lexer’s way.",
		"user Fix parse.go, then.",
		`assistant Edit {"file_path":"/home/mira/larch/parse.go","old_string":"x","new_string":"y"}`,
		"tool result The file has been updated.",
		"assistant The edit is in.",
		"user <command-name>/cost</command-name> <command-message>cost</command-message>",
		"user <local-command-stdout>0.31</local-command-stdout>",
		"user Thanks. Run the tests again.",
		`assistant Bash {"command":"go test ./..."}`,
		"user And vet it.",
		"tool result ok larch/lex ok larch/parse",
		"user [Request interrupted by user]",
		"assistant No response requested.",
	}
	if got := lines(th, th.History); !reflect.DeepEqual(got, want) {
		t.Errorf("history\n%s", strings.Join(got, "\n"))
	}
	live := lines(th, th.Live(len(th.History)))
	wantLive := append([]string{"summary This session is being continued from a previous conversation that ran out of context. The parser dropped trailing commas; parse.go is being fixed."},
		append(append(append([]string{}, want[10:13]...), "user package parse"), want[13:]...)...)
	if !reflect.DeepEqual(live, wantLive) {
		t.Errorf("live\n%s", strings.Join(live, "\n"))
	}
	var typed []string
	for _, i := range th.History {
		if th.Messages[i].Typed() {
			typed = append(typed, th.Messages[i].Preview)
		}
	}
	if wantTyped := []string{want[0][5:], want[6][5:], want[10][5:], want[16][5:], want[18][5:]}; !reflect.DeepEqual(typed, wantTyped) {
		t.Errorf("typed %q", typed)
	}
	checkFoundAndUsage(t, th)
	if n := th.Messages[2].Pieces; len(n) != 4 || !n[3].Duplicate {
		t.Errorf("the first answer has the pieces %+v, want three blocks and a progress record", n)
	}
}

func checkFoundAndUsage(t *testing.T, th *model.Thread) {
	t.Helper()
	if len(th.Found) != 2 || len(th.Resets) != 1 {
		t.Fatalf("%d found, %d resets", len(th.Found), len(th.Resets))
	}
	micro, full := th.Found[0], th.Found[1]
	if !micro.Clearing || micro.At != 9 || *micro.Before != 5000 || *micro.After != 3500 || micro.Cause != "auto" {
		t.Errorf("clearing: %+v", micro)
	}
	if full.Clearing || full.At != 13 || *full.Before != 150000 || *full.After != 20000 || th.Messages[full.Summary].Kind != model.KindSummary {
		t.Errorf("compaction: %+v", full)
	}
	first := th.Messages[2]
	if u := first.Usage; u == nil || *u != (model.Usage{Input: 1003, CacheRead: 900, CacheWrite: 100, Output: 77}) {
		t.Errorf("usage of the first answer: %+v", u)
	}
	if last := th.Messages[len(th.Messages)-1]; last.Usage != nil || last.Model != anthropic.SyntheticModel {
		t.Errorf("the synthetic answer: %+v", last)
	}
	if r := th.Messages[4]; !r.Error || r.Name != "Bash" || r.Answers != "toolu_b" {
		t.Errorf("the failed result: %+v", r)
	}
}

func TestClaudeCodeThreads(t *testing.T) {
	c := fixture(t, "claudecode_session.jsonl").Conversations[0]
	if len(c.Threads) != 3 {
		t.Fatalf("%d threads", len(c.Threads))
	}
	branch, side := c.Threads[1], c.Threads[2]
	if branch.Kind != model.ThreadBranch || len(branch.History) != 2 {
		t.Errorf("branch: %s of %d", branch.Kind, len(branch.History))
	}
	if side.Kind != model.ThreadSubagent || len(side.History) != 4 || !side.Messages[0].Typed() {
		t.Errorf("sidechain: %s of %d", side.Kind, len(side.History))
	}
	if a := c.Agents; len(a) != 2 || a[1].Name != "explorer" || a[1].Parent != a[0].ID || side.AgentID != a[1].ID {
		t.Errorf("agents: %+v", a)
	}
}

// A mark of a compaction that nothing follows is no abandoned line.
func TestAMarkAloneIsNoBranch(t *testing.T) {
	line := `{"type":"%s","uuid":"%s","parentUuid":%s,"sessionId":"s","timestamp":"2026-01-02T03:04:05Z",%s}` + "\n"
	user := func(uuid, parent, text string) string {
		return fmt.Sprintf(line, "user", uuid, parent, `"message":{"role":"user","content":"`+text+`"}`)
	}
	mark := `"subtype":"microcompact_boundary","content":"Context microcompacted","microcompactMetadata":{"preTokens":900,"tokensSaved":90}`
	text := user("u1", "null", "read it") +
		fmt.Sprintf(line, "assistant", "a1", `"u1"`, `"message":{"role":"assistant","content":[{"type":"text","text":"done"}]}`) +
		fmt.Sprintf(line, "system", "b1", `"a1"`, mark) +
		user("u2", `"a1"`, "and now write it")
	path := filepath.Join(t.TempDir(), "s.jsonl")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	d, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if c := d.Conversations[0]; len(c.Threads) != 1 || len(c.Main().History) != 3 {
		t.Errorf("%d threads, %d messages", len(c.Threads), len(c.Main().History))
	}
}

func TestClaudeCodeParts(t *testing.T) {
	d := fixture(t, "claudecode_session.jsonl")
	th := d.Conversations[0].Main()
	parts, err := d.Parts(&th.Messages[2])
	if err != nil {
		t.Fatal(err)
	}
	want := []model.Part{
		{Kind: model.PartReasoning, Text: "The lexer comes first."},
		{Kind: model.PartOpaque, Name: "signature", Bytes: 12},
		{Kind: model.PartCall, CallID: "toolu_a", Name: "Read", Text: `{"file_path":"/home/mira/larch/lex.go"}`},
		{Kind: model.PartCall, CallID: "toolu_b", Name: "Bash", Text: `{"command":"go test ./..."}`},
	}
	if !reflect.DeepEqual(parts, want) {
		t.Errorf("parts %+v", parts)
	}
	parts, err = d.Parts(&th.Messages[4])
	if want := (model.Part{Kind: model.PartResult, Text: "Error: exit 1\nFAIL larch/parse", CallID: "toolu_b", Name: "Bash", Error: true}); err != nil || len(parts) != 1 || parts[0] != want {
		t.Errorf("result %+v %v", parts, err)
	}
}

// TestClaudeCodeClear replaces outputs by a note: neither the result nor its
// structured copy may be left.
func TestClaudeCodeClear(t *testing.T) {
	d := fixture(t, "claudecode_session.jsonl")
	th := d.Conversations[0].Main()
	change := &edit.Change{Note: func(int32) string { return "[cleared]" }}
	for i := range th.Messages {
		if th.Messages[i].Kind == model.KindResult {
			change.Clear = append(change.Clear, int32(i))
		}
	}
	r, err := Rewrite(d, change)
	if err != nil {
		t.Fatal(err)
	}
	got := written(t, r.Edits)
	for _, text := range []string{"const comma", `"filePath"`, "FAIL larch/parse", `"totalTokens":400`, "ok larch/parse"} {
		if bytes.Contains(got, []byte(text)) {
			t.Errorf("%q is still there", text)
		}
	}
	back := mustRead(t, string(got))
	th2 := back.Conversations[0].Main()
	for i := range th2.Messages {
		if m := &th2.Messages[i]; m.Kind == model.KindResult && messageText(t, back, m) != "[cleared]" {
			t.Errorf("result %d reads %q", i, messageText(t, back, m))
		}
	}
	if len(th2.Messages) != len(th.Messages) {
		t.Errorf("%d messages, were %d", len(th2.Messages), len(th.Messages))
	}
}

func TestClaudeCodeRewrites(t *testing.T) {
	d := fixture(t, "claudecode_session.jsonl")
	checkDocument(t, d)
	checkRewrites(t, d, 60)
	checkThreadRewrites(t, d)
	checkChain(t, d)
}

// TestClaudeCodeSummaryRecord looks at the bytes of the new record and of the
// one that follows it.
func TestClaudeCodeSummaryRecord(t *testing.T) {
	d := fixture(t, "claudecode_session.jsonl")
	th := d.Conversations[0].Main()
	live := th.Live(len(th.History))
	got := written(t, mustRewrite(t, d, live, 0, 6).Edits)
	var rec, next map[string]any
	for _, l := range bytes.Split(got, []byte("\n")) {
		var v map[string]any
		if json.Unmarshal(l, &v) != nil {
			continue
		}
		if rec != nil && next == nil {
			next = v
		}
		if v["isCompactSummary"] == true {
			rec = v
		}
	}
	want := map[string]any{"parentUuid": "cb1", "isSidechain": false, "userType": "external", "cwd": "/home/mira/larch", "sessionId": "s-larch-1",
		"version": "2.1.20", "gitBranch": "main", "slug": "quiet-green-fern", "type": "user", "uuid": testUID, "timestamp": "2026-03-01T12:00:00.000Z",
		"message": map[string]any{"role": "user", "content": testSummary}, "isVisibleInTranscriptOnly": true, "isCompactSummary": true}
	if !reflect.DeepEqual(rec, want) {
		t.Errorf("summary record %v", rec)
	}
	if next["parentUuid"] != testUID {
		t.Errorf("the record behind it points to %v", next["parentUuid"])
	}
	if !bytes.HasPrefix(got, sourceBytes(t, d)[:bytes.Index(sourceBytes(t, d), []byte(`"uuid":"u3"`))-300]) {
		t.Error("what stands before the boundary changed")
	}
}

// TestClaudeCodeWebExport packs several results into one record: each is a
// message of its own, and can go without the others.
func TestClaudeCodeWebExport(t *testing.T) {
	d := fixture(t, "claudecode_loglines.json")
	th := d.Conversations[0].Main()
	want := []string{"user Name the lexer's states.", `assistant Read { "file_path": "lex.go" }`, "tool result package lex",
		"tool result const ( start = iota; word )", "user Be short.", "assistant start and word."}
	if got := lines(th, th.History); !reflect.DeepEqual(got, want) {
		t.Errorf("history\n%s", strings.Join(got, "\n"))
	}
	checkDocument(t, d)
	checkRewrites(t, d, 20)
	r, err := Rewrite(d, &edit.Change{Drop: []int32{2}})
	if err != nil {
		t.Fatal(err)
	}
	got := string(written(t, r.Edits))
	gone := `{ "type": "tool_result", "tool_use_id": "toolu_1", "content": "package lex" },` + "\n          "
	if wantText := strings.Replace(string(sourceBytes(t, d)), gone, "", 1); got != wantText {
		t.Errorf("one of two results gone:\n%s", got)
	}
}

// Parallel calls interleave the records of one answer with its results: in what
// a compaction preserved the answer is there once.
func TestClaudePreservedParallelCalls(t *testing.T) {
	call := func(id, parent string) string {
		return `{"type":"assistant","uuid":"a` + id + `","parentUuid":"` + parent + `","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"c` + id + `","name":"x","input":{}}]}}` + "\n"
	}
	result := func(id string) string {
		return `{"type":"user","uuid":"r` + id + `","parentUuid":"a` + id + `","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"c` + id + `","content":"ok"}]}}` + "\n"
	}
	d := mustRead(t, `{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"go"}}`+"\n"+
		call("1", "u")+result("1")+call("2", "a1")+result("2")+
		`{"type":"system","subtype":"compact_boundary","uuid":"b","parentUuid":null,"logicalParentUuid":"r2","sessionId":"s","compactMetadata":{"trigger":"auto","preservedSegment":{"headUuid":"a1","anchorUuid":"z","tailUuid":"r2"}}}`+"\n"+
		`{"type":"user","uuid":"z","parentUuid":"b","sessionId":"s","isCompactSummary":true,"message":{"role":"user","content":"This session is being continued"}}`+"\n")
	th := d.Conversations[0].Main()
	if live := th.Live(len(th.History)); len(live) != 4 {
		t.Fatalf("%d messages are live instead of summary, answer and two results", len(live))
	}
}

// From 2.1.3xx on a record has what the model was shown of an attachment; the system prompt
// beside it is no message.
func TestClaudeCodeRenderedAttachments(t *testing.T) {
	d := mustRead(t, `{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","isSidechain":false,"message":{"role":"user","content":"first"}}
{"type":"attachment","uuid":"b","parentUuid":"a","sessionId":"s","isSidechain":false,"attachment":{"type":"environment","snapshot":{"platform":"linux"}},"rendered":[{"content":"Platform: linux"},{"content":[{"type":"text","text":"Shell: bash"}]}],"renderedRole":"system"}
{"type":"attachment","uuid":"c","parentUuid":"b","sessionId":"s","isSidechain":false,"attachment":{"type":"prompt_snapshot","systemPrompt":["You are an agent."]}}
{"type":"assistant","uuid":"d","parentUuid":"c","sessionId":"s","isSidechain":false,"message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"one"}]}}
`)
	th := d.Conversations[0].Main()
	var got []string
	for _, i := range th.Live(len(th.History)) {
		got = append(got, messageText(t, d, &th.Messages[i]))
	}
	if want := []string{"first", "Platform: linux\nShell: bash", "one"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}

// What a plugin leaves of a compaction begins with the messages that began the session; the
// summary behind them is that compaction's, not one more.
func TestClaudeCodePluginCompaction(t *testing.T) {
	row := func(uuid, parent, rest string) string {
		return fmt.Sprintf(`{"uuid":%q,"parentUuid":%s,"sessionId":"s","isSidechain":false,%s}`, uuid, parent, rest)
	}
	user := func(text string) string {
		return fmt.Sprintf(`"type":"user","message":{"role":"user","content":%q}`, text)
	}
	says := func(id, text string) string {
		return fmt.Sprintf(`"type":"assistant","message":{"id":%q,"role":"assistant","content":[{"type":"text","text":%q}]}`, id, text)
	}
	d := mustRead(t, strings.Join([]string{
		row("a", "null", user("Mend it")), row("b", `"a"`, says("m1", "one")), row("c", `"b"`, user("go on")), row("d", `"c"`, says("m2", "two")),
		row("e", "null", `"type":"system","subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":100}`),
		row("f", `"e"`, user("Mend it")), row("g", `"f"`, user(testSummary)), row("h", `"g"`, says("m3", "two")), row("i", `"h"`, user("and now")),
	}, "\n")+"\n")
	th := d.Conversations[0].Main()
	if len(th.Found) != 1 || th.Found[0].Summary < 0 || messageText(t, d, &th.Messages[th.Found[0].Summary]) != testSummary || *th.Found[0].Before != 100 {
		t.Errorf("compactions: %+v", th.Found)
	}
	var got []string
	for _, i := range th.Live(len(th.History)) {
		got = append(got, messageText(t, d, &th.Messages[i]))
	}
	if want := []string{"Mend it", testSummary, "two", "and now"}; !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
}
