package gui

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"palimpsest/gui/commands"
	"palimpsest/gui/words"
)

// brickedSession can't be resumed: half an emoji, a negative number, a call without a result.
const brickedSession = `{"type":"session.start","data":{"sessionId":"s","version":1},"id":"e0","timestamp":"2026-07-12T10:00:00.000Z","parentId":null}
{"type":"user.message","data":{"content":"Look at the ports."},"id":"e1","timestamp":"2026-07-12T10:00:01.000Z","parentId":"e0"}
{"type":"assistant.message","data":{"content":"All 14 tests pass \ud83d","toolRequests":[{"toolCallId":"c1","name":"view","arguments":{}}]},"id":"e2","timestamp":"2026-07-12T10:00:02.000Z","parentId":"e1"}
{"type":"session.compaction_complete","data":{"success":false,"tokensRemoved":-2098},"id":"e4","timestamp":"2026-07-12T10:00:04.000Z","parentId":"e2"}
{"type":"user.message","data":{"content":"And?"},"id":"e6","timestamp":"2026-07-12T10:00:06.000Z","parentId":"e4"}
{"type":"assistant.message","data":{"content":"I will now ch
`

// The screen shows the faults with their mends; what is ticked is written beside the file,
// and the mended session is opened.
func TestASessionIsRepairedInTheWindow(t *testing.T) {
	s := newStage(t)
	path := filepath.Join(t.TempDir(), "events.jsonl")
	if err := os.WriteFile(path, []byte(brickedSession), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, time.Now().Add(-time.Hour)); err != nil {
		t.Fatal(err)
	}
	s.Desk.Add(path)
	s.settle()
	s.sees(words.T("repair.mark", "count", 4))
	s.Commands.Run(commands.Repair)
	s.settle()
	s.sees(words.T("repair.stops", "count", 4), words.T("repair.rule.half-character"), words.T("repair.does.refuses-call"),
		words.T("repair.mend.number-range"), words.T("repair.ticked", "n", 4, "all", 4), words.T("repair.clean"))
	s.tap(words.T("repair.write"))
	s.settle()
	got, err := os.ReadFile(strings.TrimSuffix(path, ".jsonl") + ".repaired.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`pass \ufffd"`, `"tokensRemoved":0`, "No result was recorded."} {
		if !strings.Contains(string(got), want) {
			t.Errorf("%q is not in\n%s", want, got)
		}
	}
	if now, _ := os.ReadFile(path); string(now) != brickedSession {
		t.Error("the session itself was changed")
	}
	if e := s.Desk.Current(); e == nil || !strings.HasSuffix(e.Path, ".repaired.jsonl") {
		t.Error("the repaired session was not opened")
	}
	s.Commands.Run(commands.Repair)
	s.settle()
	s.sees(words.T("repair.ticked", "n", 0, "all", 0))
}
