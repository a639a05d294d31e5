package transcript

import (
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

func TestPiFile(t *testing.T) {
	for _, s := range samples(t, "pi") {
		d := checkSample(t, s, model.FormatPi, 12)
		th := d.Conversations[0].Main()
		if s.Made {
			continue // the figures are those of a real file
		}
		if len(th.Found) != 2 || *th.Found[0].Before != 175004 || *th.Found[1].Before != 185014 {
			t.Fatalf("found %+v", th.Found)
		}
		// The live list is the last summary and the entries from the one it names on:
		// line 552, a call-free answer that pi kept, as its own loader has it.
		live := th.Live(len(th.History))
		if m := th.Messages[live[0]]; m.Kind != model.KindSummary || int(live[0]) != th.Found[1].Summary {
			t.Errorf("a %s leads", m.Kind)
		}
		if p := th.Messages[live[1]].Pieces[0]; segmentLine(d, p) != 552 {
			t.Errorf("kept from line %d", segmentLine(d, p))
		}
		if d.Conversations[0].Dir == "" || d.Conversations[0].Model == "" {
			t.Errorf("%+v", d.Conversations[0])
		}
	}
}

// segmentLine is the line on which a piece starts.
func segmentLine(d *model.Document, p model.Piece) int {
	for _, s := range d.Segments {
		if s.Off == p.Off {
			return int(s.Line)
		}
	}
	return 0
}

// piTree is a session of version 3 after the producer's documentation: a tree
// with an abandoned branch, a compaction, a label, and entries of extensions.
const piTree = `{"type":"session","version":3,"id":"s","timestamp":"2026-01-01T10:00:00.000Z","cwd":"/w"}
{"type":"message","id":"a1","parentId":null,"timestamp":"2026-01-01T10:00:01.000Z","message":{"role":"user","content":"first","timestamp":1767261601000}}
{"type":"message","id":"a2","parentId":"a1","timestamp":"2026-01-01T10:00:02.000Z","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm","thinkingSignature":"xyz"},{"type":"toolCall","id":"c1","name":"bash","arguments":{"command":"ls"}},{"type":"toolCall","id":"c2","name":"read","arguments":{"path":"a"}}],"api":"x","provider":"p","model":"m","usage":{"input":10,"output":2,"cacheRead":30,"cacheWrite":4,"totalTokens":46},"stopReason":"toolUse","timestamp":1767261602000}}
{"type":"message","id":"a3","parentId":"a2","timestamp":"2026-01-01T10:00:03.000Z","message":{"role":"toolResult","toolCallId":"c2","toolName":"read","content":[{"type":"text","text":"two"},{"type":"image","data":"aGk=","mimeType":"image/png"}],"isError":false,"timestamp":1767261603000}}
{"type":"message","id":"a4","parentId":"a3","timestamp":"2026-01-01T10:00:03.000Z","message":{"role":"toolResult","toolCallId":"c1","toolName":"bash","content":[{"type":"text","text":"one"}],"isError":true,"timestamp":1767261603000}}
{"type":"label","id":"l1","parentId":"a4","timestamp":"2026-01-01T10:00:03.000Z","targetId":"a2","label":"here"}
{"type":"message","id":"b1","parentId":"a4","timestamp":"2026-01-01T10:00:04.000Z","message":{"role":"user","content":"a way not taken","timestamp":1767261604000}}
{"type":"message","id":"b2","parentId":"b1","timestamp":"2026-01-01T10:00:05.000Z","message":{"role":"assistant","content":[{"type":"text","text":"lost"}],"stopReason":"stop","timestamp":1767261605000}}
{"type":"branch_summary","id":"a5","parentId":"l1","timestamp":"2026-01-01T10:00:06.000Z","fromId":"b2","summary":"it led nowhere"}
{"type":"message","id":"a6","parentId":"a5","timestamp":"2026-01-01T10:00:07.000Z","message":{"role":"assistant","content":[{"type":"text","text":"done"}],"stopReason":"stop","timestamp":1767261607000}}
{"type":"message","id":"a7","parentId":"a6","timestamp":"2026-01-01T10:00:08.000Z","message":{"role":"user","content":[{"type":"text","text":"second"}],"timestamp":1767261608000}}
{"type":"compaction","id":"k1","parentId":"a7","timestamp":"2026-01-01T10:00:09.000Z","summary":"what was","firstKeptEntryId":"a6","tokensBefore":500}
{"type":"custom","id":"x1","parentId":"k1","timestamp":"2026-01-01T10:00:09.000Z","customType":"ext","data":{}}
{"type":"message","id":"a8","parentId":"x1","timestamp":"2026-01-01T10:00:10.000Z","message":{"role":"bashExecution","command":"make","output":"ok","exitCode":0,"cancelled":false,"truncated":false,"timestamp":1767261610000}}
{"type":"message","id":"a9","parentId":"a8","timestamp":"2026-01-01T10:00:10.000Z","message":{"role":"bashExecution","command":"secret","output":"no","exitCode":0,"excludeFromContext":true,"timestamp":1767261610000}}
{"type":"custom_message","id":"aa","parentId":"a9","timestamp":"2026-01-01T10:00:11.000Z","customType":"ext","content":"told by an extension","display":false}
{"type":"session_info","id":"ab","parentId":"aa","timestamp":"2026-01-01T10:00:11.000Z","name":"A named session"}
{"type":"message","id":"ac","parentId":"ab","timestamp":"2026-01-01T10:00:12.000Z","message":{"role":"user","content":"third","timestamp":1767261612000}}
{"type":"message","id":"ad","parentId":"ac","timestamp":"2026-01-01T10:00:13.000Z","message":{"role":"assistant","content":[{"type":"text","text":"end"}],"stopReason":"stop","timestamp":1767261613000}}
`

func TestPiTree(t *testing.T) {
	d := checkFixture(t, piTree, model.FormatPi, 60)
	c := d.Conversations[0]
	th := c.Main()
	if got, want := liveShape(th), "summary, assistant, typed, injected, injected, typed, assistant"; got != want {
		t.Errorf("live    %s\nwant    %s", got, want)
	}
	if got, want := shapeOf(th, th.History), "typed, assistant bash read, result c2, result c1, injected, assistant, typed, injected, injected, typed, assistant"; got != want {
		t.Errorf("history %s\nwant    %s", got, want)
	}
	if c.Title != "A named session" || c.Dir != "/w" || len(c.Threads) != 2 || c.Threads[1].Kind != model.ThreadBranch || len(c.Threads[1].Messages) != 2 {
		t.Errorf("%+v with %d threads", c, len(c.Threads))
	}
	if u := th.Messages[1].Usage; u == nil || *u != (model.Usage{Input: 44, CacheRead: 30, CacheWrite: 4, Output: 2}) {
		t.Errorf("usage %+v", u)
	}
	if !th.Messages[3].Error || th.Messages[2].Name != "read" {
		t.Errorf("results %+v", th.Messages[2:4])
	}
}

// What pi's loader needs of the chain after a rewrite: every parent is there, a
// compaction keeps from an entry on the way to it, and what it hid stays hidden.
func TestPiRelinks(t *testing.T) {
	d := mustRead(t, piTree)
	th := d.Conversations[0].Main()
	live := th.Live(len(th.History))
	for _, x := range []struct {
		name     string
		from, to int
		want     []string
	}{
		{"the kept entries after the summary", 1, 3, []string{`"parentId":"UID"`, `"id":"UID","parentId":"a5"`, `"firstKeptEntryId":"UID"`, `"parentId":"UID","timestamp":"2026-01-01T10:00:09.000Z","summary":"what was"`}},
		{"the summary and the first kept", 0, 2, []string{`"summary":"S","firstKeptEntryId":"a7"`, `"id":"a7","parentId":"a5"`}},
		{"the summary and all kept", 0, 3, []string{`"summary":"S","firstKeptEntryId":"k1"`, `"id":"k1","parentId":"a5"`}},
		{"the end", 3, 7, []string{`"id":"UID","parentId":"x1"`}},
	} {
		r, err := Rewrite(d, &edit.Change{Drop: live[x.from:x.to], Summaries: []edit.Summary{{Text: "S", Before: live[x.from], UID: "UID"}}})
		if err != nil {
			t.Fatal(err)
		}
		got := string(written(t, r.Edits))
		for _, w := range x.want {
			if !strings.Contains(got, w) {
				t.Errorf("%s: no %s in\n%s", x.name, w, got)
			}
		}
		back := mustRead(t, got)
		if n := len(back.Conversations[0].Threads); n != 2 {
			t.Errorf("%s: %d threads", x.name, n)
		}
	}
	// without a summary in its place, its text is empty
	r, err := Rewrite(d, &edit.Change{Drop: live[:2]})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(written(t, r.Edits)); !strings.Contains(got, `"summary":"","firstKeptEntryId":"a7"`) {
		t.Error(got)
	} else if l := liveShape(mustRead(t, got).Conversations[0].Main()); l != "typed, injected, injected, typed, assistant" {
		t.Errorf("live %s", l)
	}
}

// Entries without ids count by their place in the file.
func TestPiIndices(t *testing.T) {
	lines := []string{`{"type":"session","id":"s","timestamp":"2025-01-01T10:00:00Z","cwd":"/w"}`}
	for _, s := range []string{"m1", "m2", "m3"} {
		lines = append(lines, `{"type":"message","timestamp":"2025-01-01T10:00:00Z","message":{"role":"user","content":"`+s+`"}}`)
	}
	lines = append(lines, "not json", `{"type":"compaction","timestamp":"2025-01-01T10:00:00Z","summary":"old","firstKeptEntryIndex":2,"tokensBefore":9}`,
		`{"type":"message","timestamp":"2025-01-01T10:00:00Z","message":{"role":"assistant","content":[{"type":"text","text":"m4"}]}}`)
	d := mustRead(t, strings.Join(lines, "\n"))
	checkDocument(t, d)
	checkRewrites(t, d, 30)
	th := d.Conversations[0].Main()
	if got := liveShape(th); got != "summary, typed, typed, assistant" {
		t.Fatal(got)
	}
	live := th.Live(len(th.History))
	for k, want := range map[int]string{1: `"old","firstKeptEntryIndex":2`, 0: `"S","firstKeptEntryIndex":2`} {
		r, err := Rewrite(d, &edit.Change{Drop: live[k:2], Summaries: []edit.Summary{{Text: "S", Before: live[k]}}})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(written(t, r.Edits)); !strings.Contains(got, want) {
			t.Errorf("no %s in\n%s", want, got)
		}
	}
	// two of the kept ones go: the number stays on what follows them
	r, err := Rewrite(d, &edit.Change{Drop: live[1:3]})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(written(t, r.Edits)); !strings.Contains(got, `"firstKeptEntryIndex":2`) || len(r.Relinked) != 0 {
		t.Errorf("%s\n%+v", got, r.Relinked)
	}
}

func TestPiOddities(t *testing.T) {
	d := mustRead(t, `{"type":"session","id":"s","timestamp":"2026-01-01T10:00:00Z"}
{"type":"message","id":"a","parentId":"b","message":{"role":"user","content":"x"}}
{"type":"message","id":"b","parentId":"a","message":{"role":"toolResult","toolCallId":"none","content":"y"}}
{"type":"message","id":"b","parentId":"a","message":{"role":"martian","content":"z"}}
{"type":"novelty","id":"n","parentId":"b"}
{"type":"novelty","id":"o","parentId":"n"}
`)
	codes := map[string]int{}
	for _, n := range d.Notes {
		codes[n.Code]++
	}
	for _, c := range []string{"cycle", "orphan-result", "unknown-role", "duplicate-id", "unknown-record"} {
		if codes[c] != 1 {
			t.Errorf("%d notes of %s: %+v", codes[c], c, d.Notes)
		}
	}
	checkDocument(t, d)
}

func FuzzReadPi(f *testing.F) {
	fuzzRead(f, model.FormatPi, []string{piTree, `{"type":"session","id":"s","timestamp":"x"}` + "\n" +
		`{"type":"message","message":{"role":"user","content":[{"type":"image"}]}}` + "\n" +
		`{"type":"compaction","summary":"","firstKeptEntryIndex":0}` + "\n" + `{"type":"compaction","summary":"x","firstKeptEntryIndex":-1}`})
}
