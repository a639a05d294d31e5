package transcript

import (
	"strings"
	"testing"
	"time"

	"palimpsest/model/transcript/internal/edit"
)

// queued is a session in which a person types while the agent works: shown to the model
// (early), taken back (wrong), a command, what a task says, a turn of its own (later), and one that an
// attachment has as well (shown).
const queued = `{"type":"user","uuid":"a","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"first"}}
{"type":"queue-operation","operation":"enqueue","timestamp":"2026-01-05T15:05:09.690Z","sessionId":"s","content":"early words"}
{"type":"assistant","uuid":"b","parentUuid":"a","sessionId":"s","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"I look"}]}}
{"type":"queue-operation","operation":"remove","timestamp":"2026-01-05T15:05:10.690Z","sessionId":"s"}
{"type":"assistant","uuid":"c","parentUuid":"b","sessionId":"s","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Read","input":{}}]}}
{"type":"queue-operation","operation":"enqueue","timestamp":"2026-01-05T15:05:11.690Z","sessionId":"s","content":"wrong words"}
{"type":"queue-operation","operation":"popAll","timestamp":"2026-01-05T15:05:12.690Z","sessionId":"s","content":"wrong words"}
{"type":"user","uuid":"d","parentUuid":"c","sessionId":"s","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"text"}]}}
{"type":"assistant","uuid":"e","parentUuid":"d","sessionId":"s","message":{"id":"m2","role":"assistant","content":[{"type":"text","text":"done"}]}}
{"type":"queue-operation","operation":"enqueue","timestamp":"2026-01-05T15:05:13.690Z","sessionId":"s","content":"/clear"}
{"type":"queue-operation","operation":"remove","timestamp":"2026-01-05T15:05:14.690Z","sessionId":"s"}
{"type":"queue-operation","operation":"enqueue","timestamp":"2026-01-05T15:05:14.790Z","sessionId":"s","content":"{\"task_id\":\"a1\",\"task_type\":\"local_agent\"}"}
{"type":"queue-operation","operation":"remove","timestamp":"2026-01-05T15:05:14.890Z","sessionId":"s"}
{"type":"queue-operation","operation":"enqueue","timestamp":"2026-01-05T15:05:15.690Z","sessionId":"s","content":"later words"}
{"type":"queue-operation","operation":"dequeue","timestamp":"2026-01-05T15:05:16.690Z","sessionId":"s"}
{"type":"user","uuid":"f","parentUuid":"e","sessionId":"s","message":{"role":"user","content":"later words"}}
{"type":"queue-operation","operation":"enqueue","timestamp":"2026-01-05T15:05:17.690Z","sessionId":"s","content":"shown words"}
{"type":"queue-operation","operation":"remove","timestamp":"2026-01-05T15:05:18.690Z","sessionId":"s"}
{"type":"attachment","uuid":"g","parentUuid":"f","sessionId":"s","attachment":{"type":"queued_command","prompt":"shown words","commandMode":"prompt"}}
{"type":"assistant","uuid":"h","parentUuid":"g","sessionId":"s","message":{"id":"m3","role":"assistant","content":[{"type":"text","text":"end"}]}}
`

func TestWordsTypedWhileTheAgentWorks(t *testing.T) {
	const want = "first|I look|text|early words|done|later words|shown words|end"
	d := mustRead(t, queued)
	checkDocument(t, d)
	th := d.Conversations[0].Main()
	live := th.Live(len(th.History))
	if got := strings.Join(liveTexts(t, d), "|"); got != want {
		t.Fatalf("live: %s\nwant  %s", got, want)
	}
	for _, i := range []int{0, 3, 5, 6} {
		if !th.Messages[live[i]].Typed() {
			t.Errorf("message %d was typed by a person", i)
		}
	}
	for from := range live {
		for to := from + 1; to <= len(live); to++ {
			if from == 2 || to == 2 || from == 3 && to == 4 {
				continue // a call without its result; a line that no other follows
			}
			r, err := Rewrite(d, &edit.Change{Drop: live[from:to],
				Summaries: []edit.Summary{{Text: testSummary, Before: live[from], UID: testUID, Time: time.Unix(0, 0)}}})
			if err != nil {
				t.Fatal(err)
			}
			list := strings.Split(want, "|")
			kept := strings.Join(append(append(append([]string{}, list[:from]...), testSummary), list[to:]...), "|")
			if got := strings.Join(liveTexts(t, mustRead(t, string(written(t, r.Edits)))), "|"); got != kept {
				t.Errorf("%d–%d went: %s\nwant %s", from, to, got, kept)
			}
		}
	}
}
