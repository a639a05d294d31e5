package transcript

import (
	"strings"
	"testing"

	"palimpsest/model"
)

func TestOpenHandsFiles(t *testing.T) {
	for _, s := range samples(t, "openhands") {
		t.Run(s.File, func(t *testing.T) {
			if strings.HasPrefix(s.File, "openhands/sdk_events_") {
				t.Skip("an event of a folder, which opens as a whole")
			}
			if strings.HasSuffix(s.File, "sdk_goal_events.jsonl") {
				t.Skip("begins in the middle: see TestOpenHandsCutStream")
			}
			d := checkSample(t, s, model.FormatOpenHands, 9)
			for _, c := range d.Conversations {
				if c.Main().Messages[0].Model == "" && c.Model == "" && !s.Made {
					t.Error("no model")
				}
			}
		})
	}
}

// The rows of an evaluation: their three histories, typed once each, with the
// usage of every answer.
func TestOpenHandsRows(t *testing.T) {
	for _, s := range samples(t, "openhands") {
		if !strings.HasSuffix(s.File, "output_multi_swe_bench.jsonl") {
			continue
		}
		d := openSample(t, s.Path)
		if len(d.Conversations) != 3 {
			t.Fatalf("%d conversations", len(d.Conversations))
		}
		for _, c := range d.Conversations {
			th := c.Main()
			got := liveShape(th)
			if !strings.HasPrefix(got, "system, typed, injected, assistant execute_bash, result toolu_01") || strings.Count(got, "typed") != 1 {
				t.Errorf("%s: %.200s", c.ID, got)
			}
			for i := range th.Messages {
				if m := &th.Messages[i]; m.Kind == model.KindAssistant && (m.Usage == nil || m.Usage.Input == 0) {
					t.Errorf("%s: message %d has no usage", c.ID, i)
				}
			}
		}
	}
}

// A stream that begins in the middle has a result without its call.
func TestOpenHandsCutStream(t *testing.T) {
	for _, s := range samples(t, "openhands") {
		if !strings.HasSuffix(s.File, "sdk_goal_events.jsonl") {
			continue
		}
		d := openSample(t, s.Path)
		n := count(d)
		if n.Items != s.Messages || n.Calls != s.Calls || len(d.Notes) != 1 || d.Notes[0].Code != "orphan-result" {
			t.Errorf("%v, notes %+v", n, d.Notes)
		}
		th := d.Conversations[0].Main()
		if u := th.Messages[0].Usage; u == nil || u.Input != 35299 || u.CacheRead != 1115 {
			t.Errorf("usage %+v", u)
		}
		checkDocument(t, d)
		checkOnlyRead(t, d)
	}
}

// ohSDK follows the SDK's event types: two actions of one response, an error,
// a rejection, states, and a condensation that leaves the first two events.
const ohSDK = `{"id":"e0","timestamp":"2026-01-01T10:00:00.000001","source":"agent","system_prompt":{"type":"text","text":"be good"},"tools":[],"kind":"SystemPromptEvent"}
{"id":"e1","timestamp":"2026-01-01T10:00:01.000001","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"do it"}]},"extended_content":[{"type":"text","text":"a skill"}],"kind":"MessageEvent"}
{"id":"e2","timestamp":"2026-01-01T10:00:02.000001","source":"agent","thought":[{"type":"text","text":"both"}],"thinking_blocks":[{"type":"thinking","thinking":"hm","signature":"sig"}],"tool_name":"terminal","tool_call_id":"c1","tool_call":{"id":"c1","name":"terminal","arguments":"{\"command\":\"ls\"}"},"llm_response_id":"r1","kind":"ActionEvent"}
{"id":"e3","timestamp":"2026-01-01T10:00:02.000001","source":"agent","thought":[],"tool_name":"terminal","tool_call_id":"c2","tool_call":{"id":"c2","name":"terminal","arguments":"{\"command\":\"pwd\"}"},"llm_response_id":"r1","kind":"ActionEvent"}
{"id":"e4","timestamp":"2026-01-01T10:00:03.000001","source":"environment","tool_name":"terminal","tool_call_id":"c1","observation":{"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"is_error":false,"kind":"TerminalObservation"},"action_id":"e2","kind":"ObservationEvent"}
{"id":"e5","timestamp":"2026-01-01T10:00:03.000001","source":"agent","error":"no such","tool_name":"terminal","tool_call_id":"c2","kind":"AgentErrorEvent"}
{"id":"e6","timestamp":"2026-01-01T10:00:04.000001","source":"environment","key":"execution_status","value":"running","kind":"ConversationStateUpdateEvent"}
{"id":"e7","timestamp":"2026-01-01T10:00:05.000001","source":"agent","llm_message":{"role":"assistant","content":[{"type":"text","text":"one done"}]},"llm_response_id":"r2","kind":"MessageEvent"}
{"id":"e8","timestamp":"2026-01-01T10:00:06.000001","source":"environment","forgotten_event_ids":["e2","e3","e4","e5"],"summary":"they looked around","summary_offset":2,"llm_response_id":"r3","kind":"Condensation"}
{"id":"e9","timestamp":"2026-01-01T10:00:07.000001","source":"user","llm_message":{"role":"user","content":[{"type":"text","text":"more"}]},"kind":"MessageEvent"}
{"id":"ea","timestamp":"2026-01-01T10:00:08.000001","source":"agent","thought":[],"tool_name":"terminal","tool_call_id":"c3","tool_call":{"id":"c3","name":"terminal","arguments":"{}"},"llm_response_id":"r4","kind":"ActionEvent"}
{"id":"eb","timestamp":"2026-01-01T10:00:09.000001","source":"user","rejection_reason":"not now","tool_name":"terminal","tool_call_id":"c3","action_id":"ea","kind":"UserRejectObservation"}
{"id":"ec","timestamp":"2026-01-01T10:00:10.000001","source":"agent","what":1,"kind":"BrandNewEvent"}
`

func TestOpenHandsSDK(t *testing.T) {
	d := checkFixture(t, ohSDK, model.FormatOpenHands, 60)
	th := d.Conversations[0].Main()
	if got, want := liveShape(th), "system, typed, summary, assistant, typed, assistant terminal, result c3"; got != want {
		t.Errorf("live    %s\nwant    %s", got, want)
	}
	if got, want := shapeOf(th, th.History), "system, typed, assistant terminal terminal, result c1, result c2, assistant, typed, assistant terminal, result c3"; got != want {
		t.Errorf("history %s\nwant    %s", got, want)
	}
	if len(d.Notes) != 1 || d.Notes[0].Code != "unknown-record" {
		t.Errorf("notes %+v", d.Notes)
	}
	if len(th.Found) != 1 || th.Found[0].At != 6 {
		t.Errorf("found %+v", th.Found)
	}
	parts, err := d.Parts(&th.Messages[2])
	if err != nil || len(parts) != 5 || parts[0].Kind != model.PartReasoning || parts[3].Text != `{"command":"ls"}` || parts[4].CallID != "c2" {
		t.Errorf("%+v %v", parts, err)
	}
}

// ohV0 follows the V0 event types, in pairs and in an array: parallel calls,
// an agent without tool calling, a recall, and a condensation by range.
const ohV0 = `[
 {"id":0,"timestamp":"2025-01-01T10:00:00.000001","source":"agent","action":"system","args":{"content":"sys","tools":[]}},
 {"id":1,"timestamp":"2025-01-01T10:00:01.000001","source":"user","message":"task","action":"message","args":{"content":"task","image_urls":["data:x"]}},
 {"id":2,"timestamp":"2025-01-01T10:00:01.000001","source":"user","action":"recall","args":{"query":"task"}},
 {"id":3,"timestamp":"2025-01-01T10:00:01.000001","source":"environment","cause":2,"observation":"recall","content":"Added","extras":{"repo_instructions":"be neat","microagent_knowledge":[{"name":"k","content":"know this"}]}},
 {"id":4,"timestamp":"2025-01-01T10:00:02.000001","source":"agent","action":"run","args":{"command":"ls","thought":"look"}},
 {"id":5,"timestamp":"2025-01-01T10:00:03.000001","source":"agent","cause":4,"observation":"run","content":"a b","extras":{"command":"ls"},"success":false},
 {"id":6,"timestamp":"2025-01-01T10:00:04.000001","source":"environment","observation":"agent_state_changed","content":"","extras":{}},
 {"id":7,"timestamp":"2025-01-01T10:00:05.000001","source":"agent","action":"condensation","args":{"forgotten_events_start_id":4,"forgotten_events_end_id":5,"summary":"listed","summary_offset":4}},
 {"id":8,"timestamp":"2025-01-01T10:00:06.000001","source":"environment","cause":5,"observation":"error","content":"bad","extras":{}},
 {"id":9,"timestamp":"2025-01-01T10:00:07.000001","source":"agent","action":"message","args":{"content":"well"}},
 {"id":10,"timestamp":"2025-01-01T10:00:08.000001","source":"user","action":"message","args":{"content":"go on"}},
 {"id":11,"timestamp":"2025-01-01T10:00:09.000001","source":"user","cause":10,"observation":"null","content":"","extras":{}},
 {"id":12,"timestamp":"2025-01-01T10:00:10.000001","source":"agent","action":"finish","args":{"final_thought":"bye"}}
]
`

func TestOpenHandsV0(t *testing.T) {
	d := checkFixture(t, ohV0, model.FormatOpenHands, 60)
	th := d.Conversations[0].Main()
	if got, want := liveShape(th), "system, typed, injected, summary, observation, assistant, typed, assistant"; got != want {
		t.Errorf("live    %s\nwant    %s", got, want)
	}
	if got, want := shapeOf(th, th.History), "system, typed, injected, assistant run, result event 4, observation, assistant, typed, assistant"; got != want {
		t.Errorf("history %s\nwant    %s", got, want)
	}
	if !th.Messages[4].Error {
		t.Error("a failed command is an error")
	}
}

func TestOpenHandsPairs(t *testing.T) {
	checkFixture(t, `{"instance_id":"x","history":[
  [{"id":0,"source":"user","action":"message","args":{"content":"task"}},{"id":1,"source":"user","observation":"null","content":"","cause":0}],
  [{"id":2,"source":"agent","action":"run","args":{"command":"ls","thought":"t"}},{"id":3,"source":"agent","observation":"run","content":"out","cause":2}],
  [{"id":4,"source":"agent","action":"run","args":{"command":"pwd"}},{"id":5,"source":"agent","observation":"run","content":"/","cause":4}]]}`,
		model.FormatOpenHands, 20)
}

func FuzzReadOpenHands(f *testing.F) { fuzzRead(f, model.FormatOpenHands, []string{ohSDK, ohV0}) }
