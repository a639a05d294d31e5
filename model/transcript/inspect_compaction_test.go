package transcript

import (
	"testing"

	"palimpsest/model"
)

// No log with a compaction is at hand: these follow Inspect's compaction handler,
// which appends the summary to the messages and sends what it kept, and its
// recorder, which writes requests in full or as ranges of a pool.

// inspectCompacted was compacted by a summary; another agent, whose messages are
// in events only, compacted too.
const inspectCompacted = `{"version":2,"status":"success","eval":{"model":"p/m"},"samples":[{"id":1,"epoch":1,"input":"q","target":"","messages":[
  {"id":"m1","role":"system","content":"sys"},
  {"id":"m2","role":"user","content":"the task","source":"input"},
  {"id":"m3","role":"assistant","content":"","tool_calls":[{"id":"c1","function":"bash","arguments":{"cmd":"ls"}}]},
  {"id":"m4","role":"tool","content":"a b","tool_call_id":"c1","function":"bash"},
  {"id":"m5","role":"user","content":"[CONTEXT COMPACTION SUMMARY]\n\nfiles a and b","metadata":{"summary":true}},
  {"id":"m6","role":"assistant","content":"","tool_calls":[{"id":"c2","function":"bash","arguments":{"cmd":"cat a"}}]},
  {"id":"m7","role":"tool","content":"x","tool_call_id":"c2","function":"bash"},
  {"id":"m8","role":"assistant","content":"done"}],
  "output":{"choices":[]},"attachments":{},"events":[
  {"event":"model","input":[{"id":"m1"},{"id":"m2"}],"output":{"choices":[{"message":{"id":"m3"}}]}},
  {"event":"model","input":[{"id":"s1"}],"output":{"choices":[{"message":{"id":"s2"}}]}},
  {"event":"compaction","type":"trim","tokens_before":9,"tokens_after":8},
  {"event":"model","input":[{"id":"s1"}],"output":{"choices":[{"message":{"id":"s4"}}]}},
  {"event":"model","input":[{"id":"m1"},{"id":"m2"},{"id":"m3"},{"id":"m4","tool_call_id":"c1"},{"id":"p"}],"output":{"choices":[{"message":{"id":"o"}}]}},
  {"event":"compaction","type":"summary","tokens_before":100,"tokens_after":20,"timestamp":"2026-01-01T10:00:00+00:00"},
  {"event":"model","input":[{"id":"m1"},{"id":"m2"},{"id":"m5"}],"output":{"choices":[{"message":{"id":"m6"}}]}},
  {"event":"model","input":[{"id":"m1"},{"id":"m2"},{"id":"m5"},{"id":"m6"},{"id":"m7","tool_call_id":"c2"}],"output":{"choices":[{"message":{"id":"m8"}}]}}]}]}`

// inspectTrimmed kept the later half; the requests are ranges of a pool. The
// result that is kept was edited, so it was sent under another id.
const inspectTrimmed = `{"version":2,"status":"success","eval":{"model":"p/m"},"samples":[{"id":1,"epoch":1,"input":"q","target":"","messages":[
  {"id":"m1","role":"system","content":"sys"},
  {"id":"m2","role":"user","content":"the task"},
  {"id":"m3","role":"assistant","content":"one"},
  {"id":"m4","role":"user","content":"go on"},
  {"id":"m5","role":"assistant","content":"","tool_calls":[{"id":"c1","function":"bash","arguments":{}}]},
  {"id":"m6","role":"tool","content":"long","tool_call_id":"c1","function":"bash"},
  {"id":"m7","role":"assistant","content":"two"},
  {"id":"m8","role":"user","content":"and on"},
  {"id":"m9","role":"assistant","content":"three"}],
  "output":{"choices":[]},"message_pool":[{"id":"m1"},{"id":"m2"},{"id":"m3"},{"id":"m4"},{"id":"m5"},{"id":"e6","role":"tool","tool_call_id":"c1"},{"id":"m7"},{"id":"m8"}],"events":[
  {"event":"model","input":[],"input_refs":[[0,2]],"output":{"choices":[{"message":{"id":"m3"}}]}},
  {"event":"model","input":[],"input_refs":[[0,4]],"output":{"choices":[{"message":{"id":"m5"}}]}},
  {"event":"compaction","type":"edit","tokens_before":50,"tokens_after":20},
  {"event":"model","input":[],"input_refs":[[0,1],[3,6]],"output":{"choices":[{"message":{"id":"m7"}}]}},
  {"event":"model","input":[],"input_refs":[[0,1],[3,8]],"output":{"choices":[{"message":{"id":"m9"}}]}}]}]}`

// What a compaction left is not read from the events: a note says that the live view is all of it.
func TestInspectCompactions(t *testing.T) {
	for text, want := range map[string]string{
		inspectCompacted: "system, typed, assistant bash, result c1, summary, assistant bash, result c2, assistant",
		inspectTrimmed:   "system, typed, assistant, typed, assistant bash, result c1, assistant, typed, assistant",
	} {
		d := checkFixture(t, text, model.FormatInspect, 80)
		if got := liveShape(d.Conversations[0].Main()); got != want || noteCodes(d) != "map[live-unproven:1]" {
			t.Errorf("live    %s\nwant    %s\nnotes %s", got, want, noteCodes(d))
		}
	}
}
