package repair

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// check looks a text through and returns its faults as rule:line, and what was mended.
func checkText(t *testing.T, text string, o Options) (faults string, out string, r *Report) {
	t.Helper()
	r, err := Check(t.Context(), "test", strings.NewReader(text), int64(len(text)), o)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, f := range r.Faults {
		list = append(list, fmt.Sprintf("%s:%d", f.Rule, f.Line))
	}
	var w bytes.Buffer
	if err := r.Write(&w); err != nil {
		t.Fatal(err)
	}
	return strings.Join(list, " "), w.String(), r
}

const (
	claudeU = `{"parentUuid":null,"isSidechain":false,"sessionId":"s","type":"user","uuid":"u1","timestamp":"2026-10-01T10:00:00.000Z","message":{"role":"user","content":"go"}}`
	claudeA = `{"parentUuid":"u1","isSidechain":false,"sessionId":"s","type":"assistant","uuid":"a1","timestamp":"2026-10-01T10:00:01.000Z","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"f","input":{}}]}}`
	claudeR = `{"parentUuid":"a1","isSidechain":false,"sessionId":"s","type":"user","uuid":"r1","timestamp":"2026-10-01T10:00:02.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"ok"}]}}`
	claudeE = `{"parentUuid":"r1","isSidechain":false,"sessionId":"s","type":"assistant","uuid":"e1","timestamp":"2026-10-01T10:00:03.000Z","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"done"}]}}`
)

const (
	codexCall = `{"timestamp":"2026-10-01T10:00:01Z","type":"response_item","payload":{"type":"function_call","name":"f","arguments":"{}","call_id":"c1"}}`
	piSession = `{"type":"session","version":3,"id":"s","timestamp":"2026-10-01T10:00:00Z","cwd":"/"}
{"type":"message","id":"a","parentId":null,"timestamp":"2026-10-01T10:00:01Z","message":{"role":"user","content":"go"}}
{"type":"message","id":"b","parentId":"a","timestamp":"2026-10-01T10:00:02Z","message":{"role":"assistant","content":[{"type":"text","text":"yes"}]}}
{"type":"message","id":"c","parentId":"b","timestamp":"2026-10-01T10:00:03Z","message":{"role":"user","content":"more"}}
{"type":"compaction","id":"d","parentId":"c","timestamp":"2026-10-01T10:00:04Z","summary":"They said go.","firstKeptEntryId":"gone","tokensBefore":9}
{"type":"message","id":"e","parentId":"d","timestamp":"2026-10-01T10:00:05Z","message":{"role":"assistant","content":[{"type":"text","text":"done"}]}}
`
)

// Each rule finds its fault at its place, and its mend is the smallest.
func TestRules(t *testing.T) {
	all := func(o *Options) { o.Mend = func(*Fault) bool { return true } }
	session := strings.Join([]string{claudeU, claudeA, claudeR, claudeE}, "\n") + "\n"
	edit := func(from, to string) string {
		out := strings.Replace(session, from, to, 1)
		if out == session {
			t.Fatalf("%q is not there", from)
		}
		return out
	}
	chat := func(list ...string) string { return "[\n  " + strings.Join(list, ",\n  ") + "\n]\n" }
	user, asks := `{"role":"user","content":"go"}`, `{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]}`
	said, thinks := `{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}`, `{"type":"reasoning","id":"rs1","summary":[],"encrypted_content":"x"}`
	does, out := `{"type":"function_call","id":"fc1","call_id":"c1","name":"f","arguments":"{}"}`, `{"type":"function_call_output","call_id":"c1","output":"ok"}`
	answers := `{"type":"message","id":"m1","role":"assistant","content":[{"type":"output_text","text":"done"}]}`
	claudes := `{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{}}]},
		{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"ok"}]}`
	againID := newID(model.FormatOpenAI, "again 1c1")
	gives, ends := `{"role":"tool","tool_call_id":"c1","content":"ok"}`, `{"role":"assistant","content":"done"}`
	for _, x := range []struct{ name, in, faults, out string }{
		{"nothing", session, "", session},
		{"half a character", edit("done", `d\ud83d`), "half-character:4", edit("done", `d\ufffd`)},
		{"a whole one", edit("done", `d\ud83d\ude00 \\ud83d`), "", ""},
		{"bytes", edit("done", "d\xff\xfe"), "not-utf8:4", edit("done", "d\ufffd\ufffd")},
		{"bytes between strings", edit(`"input":{}`, "\xff\"input\":{}"), "not-utf8:2", session},
		{"marks of byte order", strings.Replace(session, claudeR, "\ufeff"+claudeR, 1), "byte-order-mark:3", session},
		{"records over lines", strings.ReplaceAll(strings.ReplaceAll(session, `,"message"`, ",\n\"message\""), `,"type"`, ",\r\n\"type\""), "split-record:1 split-record:4 split-record:7 split-record:10", session},
		{"all on one line", strings.ReplaceAll(session, "}\n", "}"), "glued-lines:1 glued-lines:1 glued-lines:1", session},
		{"white space", edit(`"text":"done"`, `"text":" \n"`), "empty-text:4", edit("done", "(no content)")},
		{"a byte order mark", "\ufeff" + session, "byte-order-mark:1", session},
		{"a number too large", edit(`"input":{}`, `"input":{"n":1e999}`), "huge-number:2", edit(`"input":{}`, `"input":{"n":0}`)},
		{"half a character in bytes", edit("done", "d\xed\xa0\xbd"), "half-character:4", edit("done", "d\ufffd")},
		{"zeros", edit("done", "d\x00\x00"), "nul-bytes:4", edit("done", "d")},
		{"a line of zeros", edit(claudeR, strings.Repeat("\x00", 50)+"\n"+claudeR), "nul-bytes:3", session},
		{"a tab", edit("done", "d\t"), "control-character:4", edit("done", `d\t`)},
		{"no number", edit(`"input":{}`, `"input":{"n":NaN,"m":-Infinity}`), "not-a-number:2", edit(`"input":{}`, `"input":{"n":null,"m":null}`)},
		{"a line end in a text", edit("done", "d\r\ne"), "split-record:4", edit("done", `d\ne`)},
		{"glued", edit(claudeA+"\n", claudeA), "glued-lines:2", session},
		{"glued, and over two lines", edit(claudeA+"\n"+claudeR, claudeA+strings.Replace(claudeR, "ok", "o\nk", 1)), "glued-lines:2 split-record:2", edit("ok", `o\nk`)},
		{"glued, and cut", edit(claudeA, claudeA+claudeR[:50]), "glued-lines:2 cut-line:2", session},
		{"a record in another", edit(claudeR, claudeR[:90]+claudeR), "cut-record:3", session},
		{"half a line", session + claudeE[:50], "cut-line:5", session},
		{"noise", "[info] begin\n" + session, "no-record:1", session},
		{"a parent that is not there", edit(`"parentUuid":"r1"`, `"parentUuid":"x"`), "missing-parent:4", session},
		{"a circle", edit(`"parentUuid":null`, `"parentUuid":"e1"`), "parent-loop:1", session},
		{"a new beginning", edit(`"parentUuid":"r1"`, `"parentUuid":null`), "second-root:4", session},
		{"a copy", session + claudeE + "\n", "copied-record:5", session},
		{"a copy of what is mended", edit(`"parentUuid":"r1"`, `"parentUuid":"x"`) + strings.Replace(claudeE, `"r1"`, `"x"`, 1) + "\n", "missing-parent:4 copied-record:5", session},
		{"a copy of a result", session + claudeR + "\n", "copied-record:5", session},
		{"a name that is cut", edit(claudeR, claudeR[:4]+claudeR), "cut-record:3", session},
		{"an empty text", edit("done", ""), "empty-text:4", edit("done", "(no content)")},
		{"a result twice", edit(claudeE, strings.Replace(claudeR, `"uuid":"r1"`, `"uuid":"r2"`, 1)+"\n"+strings.Replace(claudeE, `"r1"`, `"r2"`, 1)), "second-result:4", ""},

		{"chat: no result", chat(user, asks, user), "call-without-result:3", chat(user, asks, `{"role":"tool","tool_call_id":"c1","content":"No result was recorded."}`, user)},
		{"chat: in flight", chat(user, asks), "open-call:3", ""},
		{"codex: its first line is gone", `{"timestamp":"2026-10-01T10:00:00Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"go"}]}}` + "\n" + codexCall,
			"no-start:1 call-without-result:2", ""},
		{"pi: it kept nothing", piSession, "kept-nowhere:5", strings.Replace(piSession, `"firstKeptEntryId":"gone"`, `"firstKeptEntryId":"c"`, 1)},
		{"bedrock: no result", `[{"role":"user","content":[{"text":"go"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]},{"role":"user","content":[{"text":"and?"}]}]`,
			"call-without-result:1", `[{"role":"user","content":[{"text":"go"}]},{"role":"assistant","content":[{"toolUse":{"toolUseId":"t","name":"f","input":{}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"t","content":[{"text":"No result was recorded."}],"status":"error"}}]},{"role":"user","content":[{"text":"and?"}]}]`},
		{"chat: no call", chat(user, gives, ends), "result-without-call:3", chat(user, `{"role":"user","content":"(Result of a tool)\nok"}`, ends)},
		{"chat: before its call", chat(user, gives, asks, ends), "result-apart:3", chat(user, asks, gives, ends)},
		{"chat: late", chat(user, asks, user, gives, ends), "result-apart:5", chat(user, asks, gives, user, ends)},
		{"chat: a role", chat(user, asks, gives, strings.Replace(ends, "assistant", "critic", 1)), "unknown-role:5", chat(user, asks, gives, strings.Replace(ends, "assistant", "user", 1))},
		{"chat: cut", strings.TrimSuffix(chat(user, asks, gives, ends), "e\"}\n]\n"), "cut-value:4", strings.Replace(chat(user, asks, gives), "\n]", "]", 1)},
		{"chat: more behind", chat(user, asks, gives, ends) + "ne\"}]", "text-after:6", chat(user, asks, gives, ends)},
		{"chat: an empty list of calls", chat(user, strings.Replace(ends, "}", `,"tool_calls":[]}`, 1), user), "empty-calls:3", chat(user, ends, user)},
		{"chat: nothing said", chat(user, asks, gives, `{"role":"assistant","content":null}`), "empty-text:5", chat(user, asks, gives, `{"role":"assistant","content":"(no content)"}`)},
		{"chat: said by a call", chat(user, asks, gives, `{"role":"assistant","content":null,"refusal":"no"}`), "", ""},
		{"chat: which call", chat(user, asks, `{"role":"tool","content":"ok"}`, ends), "no-call-id:4", chat(user, asks, `{"role":"tool","content":"ok", "tool_call_id": "c1"}`, ends)},
		{"chat: one id twice", chat(user, strings.Replace(asks, "}]}", `},{"id":"c1","type":"function","function":{"name":"g","arguments":"{}"}}]}`, 1), gives, strings.Replace(gives, "ok", "so", 1), ends), "double-call:3",
			chat(user, strings.Replace(asks, "}]}", `},{"id":"`+againID+`","type":"function","function":{"name":"g","arguments":"{}"}}]}`, 1), gives, strings.NewReplacer("ok", "so", "c1", againID).Replace(gives), ends)},
		{"chat: one id in two turns", chat(user, asks, gives, asks, gives, ends), "", ""},
		{"responses: a copy", chat(said, thinks, thinks, does, out, answers), "copied-record:4", chat(said, thinks, does, out, answers)},
		{"responses: an id again", chat(said, does, strings.Replace(does, `"c1"`, `"c2"`, 1), out, strings.Replace(out, "c1", "c2", 1)), "double-id:4",
			chat(said, does, strings.NewReplacer(`"c1"`, `"c2"`, `"id":"fc1",`, "").Replace(does), out, strings.Replace(out, "c1", "c2", 1))},
		{"responses: one call id", chat(said, does, strings.Replace(does, "fc1", "fc2", 1), out, strings.Replace(out, "ok", "so", 1)), "double-call:4", ""},
		{"responses: reasoning alone", chat(said, strings.Replace(thinks, "rs1", "rs0", 1), said, thinks, answers), "reasoning-alone:3", chat(said, said, thinks, answers)},
		{"responses: reasoning at the end", chat(said, answers, thinks), "reasoning-alone:4", chat(said, answers)},
		{"responses: reasoning with a text", chat(said, strings.Replace(thinks, "}", `,"content":[{"type":"reasoning_text","text":"x"}]}`, 1), answers), "reasoning-content:3",
			chat(said, strings.Replace(thinks, "}", `,"content":[]}`, 1), answers)},
		{"anthropic: a system's words", chat(user, claudes, `{"role":"system","content":"now"}`), "unknown-role:5", chat(user, claudes, `{"role":"user","content":"now"}`)},
		{"anthropic: a system's first words", chat(`{"role":"system","content":"be"}`, user, claudes), "", ""},
	} {
		o := Options{}
		all(&o)
		faults, out, r := checkText(t, x.in, o)
		if faults != x.faults || r.Err != nil {
			t.Errorf("%s: %q, want %q (%v)", x.name, faults, x.faults, r.Err)
		}
		if want := strings.TrimRight(x.out, "\n"); x.out != "" && strings.Join(strings.Fields(strings.TrimRight(out, "\n")), " ") != strings.Join(strings.Fields(want), " ") {
			t.Errorf("%s:\n%q, want\n%q", x.name, out, x.out)
		}
		for _, f := range r.Faults {
			if len(r.Diff(f)) == 0 {
				t.Errorf("%s: %s shows nothing", x.name, f.Rule)
			}
		}
	}
}

// Records that share a line, or go over several, come onto a line each, and none is lost.
func TestRecordsThatLostTheirLines(t *testing.T) {
	list := []string{claudeU, claudeA, claudeR, claudeE}
	plain, spread := strings.Join(list, "\n")+"\n", ""
	for _, r := range list {
		var b bytes.Buffer
		if err := json.Indent(&b, []byte(r), "", "  "); err != nil {
			t.Fatal(err)
		}
		spread += b.String() + "\n"
	}
	cut := claudeE[:80]
	for name, in := range map[string]string{
		"on one line": strings.Join(list, ""), "with spaces": strings.Join(list, "  ") + "\n", "ends of an old kind": strings.ReplaceAll(plain, "\n", "\r"),
		"spread": spread, "spread and glued": strings.ReplaceAll(spread, "\n}\n", "\n}"), "one cut": claudeU + claudeA + cut + claudeR + claudeE,
		"the last cut": strings.Join(list, "") + cut, "two": claudeU + "\n" + claudeA + claudeR + claudeE, "with a mark": "\ufeff" + spread,
	} {
		_, out, r := checkText(t, in, Options{})
		lines := strings.Split(strings.TrimSpace(out), "\n")
		same := len(lines) == len(list)
		for i := 0; same && i < len(lines); i++ {
			var b bytes.Buffer
			same = json.Compact(&b, []byte(lines[i])) == nil && b.String() == list[i]
		}
		if !same || r.Err != nil || r.Worst() > Harmless {
			t.Errorf("%s: %v\n%s", name, r.Err, out)
		}
	}
}

// Of two whole sessions in a file of one, neither is taken out; a rest of an older one is.
func TestSecondSessions(t *testing.T) {
	list := `[{"role":"user","content":"go"},{"role":"assistant","content":"yes"}]`
	asked := `{"model":"m","messages":` + list + `}`
	for _, x := range []struct{ in, out string }{
		{list + list, ""}, {list + "\n\n" + list + "\n", ""}, {asked + asked, ""}, {asked + " " + list, ""},
		{list + list[20:], list + "\n"}, {asked + asked[30:], asked + "\n"}, {asked + "}", asked + "\n"},
	} {
		faults, out, r := checkText(t, x.in, Options{Mend: func(*Fault) bool { return true }})
		if want := cmp.Or(x.out, x.in); !strings.HasPrefix(faults, "text-after:") || out != want || (r.Worst() == Stops) != (x.out == "") {
			t.Errorf("%s: %s, %v\n%s", x.in, faults, r.Worst(), out)
		}
	}
}

// The note that a call without a result gets is read as its result, and what followed the call follows it.
func TestAddedResultsHoldTheChainTogether(t *testing.T) {
	text := strings.Join([]string{claudeU, claudeA, strings.Replace(claudeE, `"r1"`, `"a1"`, 1)}, "\n") + "\n"
	faults, out, r := checkText(t, text, Options{Only: []string{"call-without-result"}, Mend: func(*Fault) bool { return true }})
	if faults != "call-without-result:2" || r.Err != nil {
		t.Fatal(faults, r.Err)
	}
	if got := strings.Join(said(reading(t, out)), "; "); got != "user go; assistant f {}; tool result No result was recorded.; assistant done" {
		t.Error(got)
	}
}

// The files of the reports: what is found in each, and what is left.
func TestReportedFiles(t *testing.T) {
	dir := filepath.Join(filepath.Dir(filepath.Dir(realdata.Transcripts(t))), "data", "reports3")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the reported files are not beside the project")
	}
	want := map[string]string{
		"c01_lone_surrogate.jsonl": "half-character:19 half-character:39 half-character:40", "c17a_copilot_negative_removed.jsonl": "number-range:24",
		"c17d_copilot_raw_newline.jsonl": "number-range:24 split-record:36", "handled/c02_nul.jsonl": "nul-bytes:10 nul-bytes:26",
		"handled/c03_boundary_without_metadata.jsonl": "no-metadata:17", "handled/c12_langchain_mixed_orphans.json": "result-without-call:7 result-without-call:236",
		"handled/c17c_copilot_u2028.jsonl": "number-range:24 line-separator:32", "handled/c18_cc_chain.jsonl": "missing-parent:23",
		"handled/c22_duplicate_result_and_inflight.json": "second-result:38 open-call:98", "c08b_responses_opaque_checkpoint.json": "sealed-checkpoint:4",
		"../transcripts/malformed/cc_parent_cycle.jsonl": "parent-loop:2", "../transcripts/malformed/cc_invalid_utf8.jsonl": "not-utf8:2",
		"../transcripts/malformed/cc_bad_lines_between.jsonl":   "no-record:3 no-record:5 no-record:6 cut-line:8",
		"../transcripts/malformed/cc_truncated_last_line.jsonl": "cut-line:26", "../transcripts/malformed/codex_two_sessions_truncated.jsonl": "cut-line:60",
		"../transcripts/malformed/cc_lone_surrogate_escape.jsonl": "half-character:2", "c40_cc_result_before_call.jsonl": "", "handled/c20_identical.json": "",
	}
	var files []string
	for _, g := range []string{"c*", "handled/c*", "../transcripts/malformed/*"} {
		l, _ := filepath.Glob(filepath.Join(dir, g))
		files = append(files, l...)
	}
	for _, p := range files {
		b, err := os.ReadFile(p)
		if err != nil {
			continue // a folder
		}
		name, _ := filepath.Rel(dir, p)
		faults, _, r := checkText(t, string(b), Options{})
		if w, ok := want[filepath.ToSlash(name)]; ok && faults != w {
			t.Errorf("%s: %s, want %s", name, faults, w)
		}
		if r.Err != nil {
			continue
		}
		if why := proven(t, b, r); why != "" {
			t.Errorf("%s: %s", name, why)
		}
		if r.Worst() > Harmless {
			t.Errorf("%s: harm is left", name)
		}
	}
}

// Real sessions have no fault that stops them, but those that are known to.
func TestRealFilesAreQuiet(t *testing.T) {
	stops := 0
	files := realdata.Files(t)
	for _, p := range files {
		f, err := os.Open(p)
		if err != nil {
			t.Fatal(err)
		}
		st, _ := f.Stat()
		r, err := Check(t.Context(), p, f, st.Size(), Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range r.Faults {
			if x.Does.Harm() > Harmless {
				t.Logf("%s line %d: %s %q %s", filepath.Base(p), x.Line, x.Rule, x.Found, x.NoMend)
			}
		}
		if r.Count(Stops) > 0 && r.Err == nil {
			stops++
		}
		f.Close()
	}
	t.Logf("%d of %d can't be resumed", stops, len(files))
}

// Bad input of other kinds ends in a sentence, or in nothing to mend.
func TestBadInput(t *testing.T) {
	for name, text := range map[string]string{
		"nothing": "", "zeros": strings.Repeat("\x00", 5000), "a page": "<html><body>no</body></html>", "numbers": "[1,2,3]",
		"a fault a line": strings.Repeat(`{"type":"user","message":{"role":"user","content":"x\ud83d`+"\n", 20000),
		"deep":           strings.Repeat("[", 100000), "a long word": `{"a":"` + strings.Repeat("x", 1<<20), "noise": strings.Repeat("\xfe\xca", 40000),
	} {
		r, err := Check(t.Context(), name, strings.NewReader(text), int64(len(text)), Options{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else if r.Err == nil {
			t.Errorf("%s is read as %s", name, r.Doc.Format)
		}
	}
}

// The line of a place is found without reading the lines before it.
func TestLinesOfPlaces(t *testing.T) {
	text := []byte(strings.Repeat("\n", 3) + strings.Repeat("x", 200<<10) + "\n" + strings.Repeat("short\n", 30000) + strings.Repeat("y", 130<<10) + "\nend")
	src := &reads{ReaderAt: bytes.NewReader(text)}
	x, line := lineIndex{src: src}, 1
	if err := eachLine(t.Context(), bytes.NewReader(text), int64(len(text)), func(off, _ int64, _ []byte) { x.add(off) }); err != nil {
		t.Fatal(err)
	}
	for off := range text {
		if off%101 == 0 || text[off] == 'e' {
			src.read = 0
			if got := x.at(int64(off)); got != line || src.read > 64<<10 {
				t.Fatalf("%d is on line %d, want %d; %d bytes were read", off, got, line, src.read)
			}
		}
		if text[off] == '\n' {
			line++
		}
	}
}

// reads counts the bytes that are read.
type reads struct {
	io.ReaderAt
	read int
}

func (c *reads) ReadAt(b []byte, off int64) (int, error) {
	c.read += len(b)
	return c.ReaderAt.ReadAt(b, off)
}

// Who is told to stop does so within a line, too.
func TestStopsWithinALine(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	read := 0
	src := readerAt(func(b []byte, _ int64) (int, error) {
		copy(b, bytes.Repeat([]byte{'{'}, len(b)))
		if read += len(b); read > 8<<20 {
			cancel()
		}
		return len(b), nil
	})
	if _, err := Check(ctx, "test", src, 1<<40, Options{}); !errors.Is(err, context.Canceled) || read > 64<<20 {
		t.Error(err, read)
	}
}

// A file of zeros is refused at once, however large it is.
func TestZerosAreRefusedAtOnce(t *testing.T) {
	read := 0
	src := readerAt(func(b []byte, _ int64) (int, error) { clear(b); read += len(b); return len(b), nil })
	if r, err := Check(t.Context(), "test", src, 1<<40, Options{}); err != nil || r.Err == nil || !strings.Contains(r.Err.Error(), "zero bytes") || read > 4<<20 {
		t.Error(r, err, read)
	}
}

type readerAt func(b []byte, off int64) (int, error)

func (f readerAt) ReadAt(b []byte, off int64) (int, error) { return f(b, off) }

// A view reads as the file that it would be, from any place on, and leads back to its source.
func TestViews(t *testing.T) {
	src := "0123456789abcdef"
	v := newView(strings.NewReader(src), int64(len(src)), []transcript.Splice{
		{Span: model.Span{Off: 12, Len: 2}, Bytes: nil}, {Span: model.Span{Off: 3, Len: 1}, Bytes: []byte("XYZ")},
		{Span: model.Span{Off: 3, Len: 5}, Bytes: []byte("no")}, {Span: model.Span{Off: 16}, Bytes: []byte("!")}, {Span: model.Span{Off: 0}, Bytes: []byte("^")}})
	want := "^012XYZ456789abef!"
	for from := range want {
		for to := from; to <= len(want); to++ {
			b := make([]byte, to-from)
			if n, err := v.ReadAt(b, int64(from)); err != nil && err != io.EOF || string(b[:n]) != want[from:to] {
				t.Fatalf("%d to %d: %q %v, want %q", from, to, b[:n], err, want[from:to])
			}
		}
	}
	for at, below := range map[int64]int64{0: 0, 1: 0, 4: 3, 6: 3, 7: 4, 15: 14, 17: 16} {
		if got := v.down(at); got != below {
			t.Errorf("%d leads to %d, want %d", at, got, below)
		}
	}
}

// A copy stays where nothing has to be mended, and goes, unasked, with a mend of what it is a copy of.
func TestCopiesGoWithMends(t *testing.T) {
	session := strings.Join([]string{claudeU, claudeA, claudeR, claudeE}, "\n") + "\n"
	if _, out, _ := checkText(t, session+claudeE+"\n", Options{}); out != session+claudeE+"\n" {
		t.Error("a harmless copy went unasked")
	}
	critic := strings.Replace(claudeE, `"role":"assistant"`, `"role":"critic"`, 1)
	text := strings.Replace(session, claudeE, critic, 1) + critic + "\n"
	_, out, r := checkText(t, text, Options{})
	if why := proven(t, []byte(text), r); why != "" || r.Mended() != 2 || out != strings.Replace(session, claudeE, strings.Replace(critic, "critic", "user", 1), 1) {
		t.Errorf("%s: %d mends\n%s", why, r.Mended(), out)
	}
}

// Where a line stays broken, since its mend was not ticked, nothing in it is taken for a fault.
func TestBrokenLinesStay(t *testing.T) {
	text := strings.Join([]string{claudeU, claudeA, strings.Replace(claudeR, "ok", "o\nk Infinity NaN", 1), claudeE}, "\n") + "\n"
	if _, out, r := checkText(t, text, Options{Mend: func(f *Fault) bool { return f.Rule != "split-record" && f.Proposed }}); !strings.Contains(out, "o\nk Infinity NaN") {
		t.Errorf("%v\n%s", r.ByRule(), out)
	}
}
