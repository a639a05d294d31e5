package session

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
)

// A sidechain whose first records go begins behind another one, and is told
// behind it: the check of an export finds it there.
func TestExportOfAThreadThatComesInAnotherPlace(t *testing.T) {
	var b strings.Builder
	say := func(id, parent, role, text, side string) {
		if parent != "null" {
			parent = `"` + parent + `"`
		}
		b.WriteString(`{"type":"` + role + `","uuid":"` + id + `","parentUuid":` + parent + `,"sessionId":"s","isSidechain":` + side +
			`,"message":{"id":"m-` + id + `","role":"` + role + `","content":"` + text + `"}}` + "\n")
	}
	say("a", "null", "user", "Ask two agents.", "false")
	say("p", "null", "user", "The first task. "+strings.Repeat("word ", 200), "true")
	say("p1", "p", "assistant", "On it.", "true")
	say("q", "null", "user", "The second task.", "true")
	say("q1", "q", "assistant", "Done with the second.", "true")
	say("p2", "p1", "user", "And?", "true")
	say("p3", "p2", "assistant", "Done with the first.", "true")
	say("b", "a", "assistant", "Both are done.", "false")
	ctx := context.Background()
	d, err := read("two.jsonl", []byte(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewFile(d, Options{}).Session(ctx, Ref{Thread: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	rec, err := s.Records.Compact(ctx, s.adopt(onlyTheLast().Policy), compaction.Options{Manual: true}, nil)
	if err != nil || rec.Outcome != model.Applied {
		t.Fatalf("%v, %+v", err, rec)
	}
	out := filepath.Join(t.TempDir(), "out.jsonl")
	if _, err := s.Overlay().ExportFile(ctx, Output{Path: out}); err != nil {
		t.Fatal(err)
	}
	back, err := s.file.readBack(ctx, out)
	if err != nil {
		t.Fatal(err)
	}
	defer back.Close()
	threads := back.Doc.Conversations[0].Threads
	if len(threads) != 3 || len(threads[1].Messages) != 2 || len(threads[2].Messages) != 1 || threads[2].Messages[0].ID != "p3" {
		t.Errorf("%d threads; the last: %+v", len(threads), threads[len(threads)-1].Messages)
	}
	if err := s.Overlay().check(d); err == nil { // the source holds no such list
		t.Error("the check takes any thread for the compacted one")
	}
}
