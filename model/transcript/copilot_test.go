package transcript

import (
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/coders"
	"palimpsest/model/transcript/internal/edit"
)

func TestCopilotFile(t *testing.T) {
	for _, s := range samples(t, "copilot_cli") {
		d := checkSample(t, s, model.FormatCopilot, 15)
		th := d.Conversations[0].Main()
		if s.Made {
			continue
		}
		kinds := map[model.Kind]int{}
		for i := range th.Messages {
			kinds[th.Messages[i].Kind]++
		}
		// four tellings of one system prompt are one message
		if kinds[model.KindSystem] != 1 || kinds[model.KindUser] != 4 || kinds[model.KindAssistant] != 56 || kinds[model.KindResult] != 61 {
			t.Errorf("%v", kinds)
		}
		if n := strings.Count(liveShape(th), "typed"); n != 4 {
			t.Errorf("%d typed", n)
		}
		// every record but those of the session and an interruption belongs to a message
		pieces := 0
		for i := range th.Messages {
			pieces += len(th.Messages[i].Pieces)
		}
		if pieces != 470-4 {
			t.Errorf("%d records belong to messages", pieces)
		}
		live := th.Live(len(th.History))
		r, err := Rewrite(d, &edit.Change{Drop: live[1:], Summaries: []edit.Summary{{Text: testSummary, Before: live[1], UID: testUID}}})
		if err != nil {
			t.Fatal(err)
		}
		back := mustRead(t, string(written(t, r.Edits)))
		records := 0
		for _, x := range back.Segments {
			if x.Kind == model.SegmentRecord {
				records++
			}
		}
		if records != 4+4+1 { // the session's, the system prompt's tellings, the summary
			t.Errorf("%d records are left", records)
		}
		checkCopilotChain(t, back)
	}
}

// checkCopilotChain demands that every record follows one that is there.
func checkCopilotChain(t *testing.T, d *model.Document) {
	t.Helper()
	l, err := edit.ReadLinks(d, edit.NewEdits(d), coders.CopilotIDs)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range l.Recs {
		if _, ok := l.ByID[r.Parent]; r.Parent != "" && !ok {
			t.Errorf("line %d follows %s, which is not there", r.Line, r.Parent)
		}
	}
}

// copilotSession follows the producer's schema of session events: a sub-agent,
// a failing tool, a hook at the end, an interruption, a compaction.
const copilotSession = `{"type":"session.start","data":{"sessionId":"s","context":{"cwd":"/w"}},"id":"1","timestamp":"2026-01-01T10:00:00.000Z","parentId":null}
{"type":"system.message","data":{"role":"system","content":"sys"},"id":"2","timestamp":"2026-01-01T10:00:01.000Z","parentId":"1"}
{"type":"user.message","data":{"content":"do","transformedContent":"<now/>\n\ndo","attachments":[],"interactionId":"i"},"id":"3","timestamp":"2026-01-01T10:00:02.000Z","parentId":"2"}
{"type":"assistant.turn_start","data":{"turnId":"0"},"id":"4","timestamp":"2026-01-01T10:00:02.000Z","parentId":"3"}
{"type":"assistant.message","data":{"messageId":"m","content":"","reasoningText":"hm","toolRequests":[{"toolCallId":"c1","name":"task","arguments":{"prompt":"p"}},{"toolCallId":"c2","name":"apply","arguments":"raw text"}]},"id":"5","timestamp":"2026-01-01T10:00:03.000Z","parentId":"4"}
{"type":"tool.execution_start","data":{"toolCallId":"c1","toolName":"task"},"id":"6","timestamp":"2026-01-01T10:00:03.000Z","parentId":"5"}
{"type":"subagent.started","data":{"toolCallId":"c1","agentName":"explore","agentDisplayName":"Explorer"},"id":"7","timestamp":"2026-01-01T10:00:03.000Z","parentId":"6"}
{"type":"assistant.message","data":{"messageId":"n","content":"inside","parentToolCallId":"c1","toolRequests":[{"toolCallId":"c9","name":"view","arguments":{}}]},"id":"8","timestamp":"2026-01-01T10:00:04.000Z","parentId":"7"}
{"type":"tool.execution_complete","data":{"toolCallId":"c9","parentToolCallId":"c1","success":true,"result":{"content":"seen"}},"id":"9","timestamp":"2026-01-01T10:00:05.000Z","parentId":"8"}
{"type":"tool.execution_complete","data":{"toolCallId":"c2","success":false,"error":{"message":"no","code":"failure"}},"id":"10","timestamp":"2026-01-01T10:00:05.000Z","parentId":"9"}
{"type":"hook.start","data":{"hookInvocationId":"h","hookType":"postToolUse","input":{"toolResult":{"textResultForLlm":"found","sessionLog":"found it"}}},"id":"11","timestamp":"2026-01-01T10:00:06.000Z","parentId":"10"}
{"type":"hook.end","data":{"hookInvocationId":"h","hookType":"postToolUse","success":true},"id":"12","timestamp":"2026-01-01T10:00:06.000Z","parentId":"11"}
{"type":"tool.execution_complete","data":{"toolCallId":"c1","success":true,"result":{"content":"found","detailedContent":"found it"}},"id":"13","timestamp":"2026-01-01T10:00:06.000Z","parentId":"12"}
{"type":"assistant.turn_end","data":{"turnId":"0"},"id":"14","timestamp":"2026-01-01T10:00:06.000Z","parentId":"13"}
{"type":"session.compaction_start","data":{},"id":"15","timestamp":"2026-01-01T10:00:07.000Z","parentId":"14"}
{"type":"session.compaction_complete","data":{"success":true,"preCompactionTokens":900,"postCompactionTokens":90,"summaryContent":"they did"},"id":"16","timestamp":"2026-01-01T10:00:08.000Z","parentId":"15"}
{"type":"user.message","data":{"content":"a skill","source":"skill-x"},"id":"17","timestamp":"2026-01-01T10:00:09.000Z","parentId":"16"}
{"type":"assistant.turn_start","data":{"turnId":"1"},"id":"18","timestamp":"2026-01-01T10:00:09.000Z","parentId":"17"}
{"type":"abort","data":{"reason":"user_initiated"},"id":"19","timestamp":"2026-01-01T10:00:09.000Z","parentId":"18"}
{"type":"user.message","data":{"content":"again"},"id":"20","timestamp":"2026-01-01T10:00:10.000Z","parentId":"19"}
{"type":"assistant.message","data":{"messageId":"o","content":"done"},"id":"21","timestamp":"2026-01-01T10:00:11.000Z","parentId":"20"}
{"type":"hook.start","data":{"hookInvocationId":"g","hookType":"agentStop","input":{}},"id":"22","timestamp":"2026-01-01T10:00:11.000Z","parentId":"21"}
{"type":"hook.end","data":{"hookInvocationId":"g","hookType":"agentStop","success":true},"id":"23","timestamp":"2026-01-01T10:00:11.000Z","parentId":"22"}
`

func TestCopilotSession(t *testing.T) {
	d := checkFixture(t, copilotSession, model.FormatCopilot, 60)
	c := d.Conversations[0]
	th := c.Main()
	if got, want := liveShape(th), "system, summary, injected, typed, assistant"; got != want {
		t.Errorf("live    %s\nwant    %s", got, want)
	}
	if got, want := shapeOf(th, th.History), "system, typed, assistant task apply, result c2, result c1, injected, typed, assistant"; got != want {
		t.Errorf("history %s\nwant    %s", got, want)
	}
	if len(th.Found) != 1 || *th.Found[0].Before != 900 || *th.Found[0].After != 90 || th.Found[0].At != 5 {
		t.Errorf("found %+v", th.Found)
	}
	if len(c.Threads) != 2 || shapeOf(c.Threads[1], c.Threads[1].History) != "assistant view, result c9" || c.Agents[1].Name != "Explorer" {
		t.Errorf("threads %d, agents %+v", len(c.Threads), c.Agents)
	}
	if text := messageText(t, d, &th.Messages[1]); text != "<now/>\n\ndo" {
		t.Errorf("the model got %q", text)
	}
	// what a hook said about a result is cleared with it
	var result int32
	for i := range th.Messages {
		if th.Messages[i].Answers == "c1" {
			result = int32(i)
		}
	}
	r, err := Rewrite(d, &edit.Change{Clear: []int32{result}, Note: func(int32) string { return "N" }})
	if err != nil {
		t.Fatal(err)
	}
	if got := string(written(t, r.Edits)); strings.Contains(got, "found") {
		t.Error("the output is still told somewhere")
	}
	// the compaction keeps hiding what it hid, whatever comes in its place
	live := th.Live(len(th.History))
	r, err = Rewrite(d, &edit.Change{Drop: live[1:2]})
	if err != nil {
		t.Fatal(err)
	}
	back := mustRead(t, string(written(t, r.Edits)))
	if got, want := liveShape(back.Conversations[0].Main()), "system, injected, typed, assistant"; got != want {
		t.Errorf("live    %s\nwant    %s", got, want)
	}
	checkCopilotChain(t, back)
}

func FuzzReadCopilot(f *testing.F) { fuzzRead(f, model.FormatCopilot, []string{copilotSession}) }
