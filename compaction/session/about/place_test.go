package about

import (
	"strings"
	"testing"

	"palimpsest/model"
)

func TestPlacesOfLinesOfSummaries(t *testing.T) {
	text := strings.Split(`[Conversation summary - earlier context]
Messages 420–456: turns 39–42, 16 calls, 2 failed.

Earlier:
- Turn 36 (message 409)
  - User: Any other place where we compare names?
(98 earlier lines left out; 3 messages)
第 2 轮（消息 12-15）
{"messages": "7-9",
 "turns": []}`, "\n")
	for line, want := range map[int]model.Range{
		1: {From: 419, To: 456}, 3: {From: 419, To: 456}, 4: {From: 408, To: 409}, 5: {From: 408, To: 409}, 6: {From: 408, To: 409},
		7: {From: 11, To: 15}, 8: {From: 6, To: 9}, 9: {From: 6, To: 9}, 99: {From: 6, To: 9},
	} {
		if got, ok := Place(text, line); !ok || got != want {
			t.Errorf("line %d: %v, %v; not %v", line, got, ok, want)
		}
	}
	for _, lines := range [][]string{nil, {"Goal", "no places"}, {"messages 0", "messages 9-3"}} {
		if got, ok := Place(lines, len(lines)-1); ok {
			t.Errorf("%q: %v", lines, got)
		}
	}
}
