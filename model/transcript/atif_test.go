package transcript

import (
	"testing"

	"palimpsest/model"
)

// The real file has every string redacted: whose a step is follows from what it
// holds, and what remains unclear is kept and noted.
func TestATIFFile(t *testing.T) {
	for _, s := range samples(t, "atif") {
		d := openSample(t, s.Path)
		n := count(d)
		if d.Format != "atif" || n.Items != s.Messages || n.Calls != s.Calls {
			t.Errorf("%s, %v; the manifest says %d items and %d calls", d.Format, n, s.Messages, s.Calls)
		}
		for _, x := range d.Notes {
			if x.Code != "unknown-record" && x.Code != "orphan-result" {
				t.Errorf("%+v", x)
			}
		}
		checkDocument(t, d)
		th := d.Conversations[0].Main()
		if u := th.Messages[2].Usage; u == nil || u.Input != 8983 || u.Output != 7 {
			t.Errorf("%+v", u)
		}
		checkOnlyRead(t, d)
	}
}

// atifRun follows the format's documentation: parallel calls with results out
// of order, parts, an action in the text, copied context, an embedded sub-agent.
const atifRun = `{
  "schema_version": "ATIF-v1.7",
  "session_id": "s",
  "agent": {"name": "a", "version": "1", "model_name": "m"},
  "steps": [
    {"step_id": 1, "timestamp": "2026-01-01T10:00:00Z", "source": "system", "message": "sys"},
    {"step_id": 2, "timestamp": "2026-01-01T10:00:01Z", "source": "user", "message": [{"type": "text", "text": "do"}, {"type": "image", "source": {"media_type": "image/png", "path": "x.png"}}]},
    {"step_id": 3, "source": "agent", "message": "both", "reasoning_content": "hm", "tool_calls": [{"tool_call_id": "c1", "function_name": "f", "arguments": {"a": 1}}, {"tool_call_id": "c2", "function_name": "g", "arguments": {}}], "observation": {"results": [{"source_call_id": "c2", "content": "two"}, {"source_call_id": "c1", "content": "one"}]}, "metrics": {"prompt_tokens": 100, "completion_tokens": 5, "cached_tokens": 90}},
    {"step_id": 4, "source": "agent", "message": "ls", "observation": {"results": [{"content": "a"}, {"content": "b"}]}},
    {"step_id": 5, "source": "agent", "message": "copied", "is_copied_context": true, "metrics": {"prompt_tokens": 100}},
    {"step_id": 6, "source": "user", "message": "thanks"},
    {"step_id": 7, "source": "agent", "message": "bye"}
  ],
  "subagent_trajectories": [{"schema_version": "ATIF-v1.7", "trajectory_id": "sub", "agent": {"name": "helper"}, "steps": [{"step_id": 1, "source": "user", "message": "help"}, {"step_id": 2, "source": "agent", "message": "ok"}]}],
  "final_metrics": {"total_steps": 7}
}`

func TestATIF(t *testing.T) {
	d := checkFixture(t, atifRun, "atif", 60)
	c := d.Conversations[0]
	th := c.Main()
	if got, want := liveShape(th), "system, typed, assistant f g, result c2, result c1, assistant action action, result #1, result #2, assistant, typed, assistant"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if th.Messages[2].Usage.CacheRead != 90 || th.Messages[8].Usage != nil || th.Messages[2].Model != "m" {
		t.Errorf("%+v", th.Messages)
	}
	if len(c.Threads) != 2 || c.Threads[1].Kind != model.ThreadSubagent || c.Agents[1].Name != "helper" {
		t.Errorf("%+v", c)
	}
}

func FuzzReadATIF(f *testing.F) { fuzzRead(f, "atif", []string{atifRun}) }
