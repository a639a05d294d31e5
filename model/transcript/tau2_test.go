package transcript

import (
	"testing"

	"palimpsest/model"
)

// No results of tau2-bench are at hand: these follow its data model, in which a
// result's id is that of its call, arguments are objects, and a requestor says
// which of the two called.
const tau2Results = `{
  "timestamp": "2026-01-01", "info": {"agent_info": {"llm": "p/m"}}, "tasks": [],
  "simulations": [
    {"id": "s1", "task_id": "7", "trial": 1, "termination_reason": "user_stop", "reward_info": {"reward": 1.0}, "messages": [
      {"role": "assistant", "content": "Hi! How can I help?", "tool_calls": null, "turn_idx": 0, "timestamp": "2026-01-01T10:00:00", "cost": 0.0, "usage": null},
      {"role": "user", "content": "My phone has no signal.", "tool_calls": null, "turn_idx": 1},
      {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "name": "get_line", "arguments": {"n": 1.0}, "requestor": "assistant"}], "turn_idx": 2, "usage": {"prompt_tokens": 10, "completion_tokens": 2}},
      {"id": "c1", "role": "tool", "content": "{\"line\": 1}", "requestor": "assistant", "error": false, "turn_idx": 3},
      {"role": "assistant", "content": "Please toggle airplane mode.", "turn_idx": 4},
      {"role": "user", "content": null, "tool_calls": [{"id": "u1", "name": "toggle", "arguments": {}, "requestor": "user"}], "turn_idx": 5},
      {"id": "u1", "role": "tool", "content": "done", "requestor": "user", "error": false, "turn_idx": 6},
      {"role": "user", "content": "It works.", "tool_calls": [{"id": "u2", "name": "check", "arguments": {}, "requestor": "user"}], "turn_idx": 7},
      {"id": "u2", "role": "tool", "content": "ok", "requestor": "user", "error": true, "turn_idx": 8},
      {"role": "assistant", "content": "", "tool_calls": [{"id": "c1", "name": "close", "arguments": {}, "requestor": "assistant"}], "turn_idx": 9},
      {"id": "c1", "role": "tool", "content": "no such case", "requestor": "assistant", "error": true, "turn_idx": 10}]},
    {"id": "s2", "task_id": "8", "termination_reason": "max_steps", "messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]},
    {"id": "s3", "task_id": "9", "termination_reason": "max_steps", "messages": [], "ticks": [{"agent_chunk": null}]}]
}`

func TestTau2Results(t *testing.T) {
	d := checkFixture(t, tau2Results, model.FormatTau2, 80)
	c := d.Conversations[0]
	th := c.Main()
	if got, want := liveShape(th), "assistant, typed, assistant get_line, result c1, assistant, typed, assistant close, result c1"; got != want {
		t.Errorf("live   %s\nwant   %s", got, want)
	}
	if len(th.Messages) != 11 || len(th.Live(len(th.History))) != 8 || c.ID != "7.1" || c.Model != "p/m" || len(d.Conversations) != 2 {
		t.Errorf("%d messages of %q by %q in %d conversations", len(th.Messages), c.ID, c.Model, len(d.Conversations))
	}
	if noteCodes(d) != "map[unknown-record:1]" {
		t.Errorf("notes %+v", d.Notes)
	}
	if u := th.Messages[2].Usage; u == nil || u.Input != 10 || !th.Messages[10].Error || th.Messages[3].Error {
		t.Errorf("usage %+v", u)
	}
	checkSpelling(t, []spellingCase{{"others stay", 0, 1, nil,
		`[{"id":"s","task_id":"8","termination_reason":"x","messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]},{"id":"t","task_id":"9","termination_reason":"x","messages":[{"role":"user","content":"c"}]}]`,
		`[{"id":"s","task_id":"8","termination_reason":"x","messages":[{"role":"system","content":"S é"},{"role":"assistant","content":"b"}]},{"id":"t","task_id":"9","termination_reason":"x","messages":[{"role":"user","content":"c"}]}]`}})
}

func TestTau2Properties(t *testing.T) {
	propTalks(t, model.FormatTau2, true, genTalk, func(s spelling, talk []saying) any {
		var list []any
		for _, m := range talk {
			extra := []member{{"content", m.text}}
			var calls []any
			for _, id := range m.calls {
				calls = append(calls, ordered{{"id", id}, {"name", "run"}, {"arguments", ordered{}}, {"requestor", "assistant"}})
			}
			if calls != nil {
				extra = append(extra, member{"tool_calls", calls})
			}
			role := m.role
			if role == "result" {
				role, extra = "tool", append(extra, member{"id", m.answers}, member{"requestor", "assistant"}, member{"error", false})
			}
			list = append(list, s.message(role, extra...))
		}
		return ordered{{"id", "s"}, {"task_id", "t"}, {"reward_info", nil}, {"messages", list}}
	})
}

func FuzzReadTau2(f *testing.F) {
	fuzzRead(f, model.FormatTau2, []string{tau2Results,
		`{"task_id":1,"termination_reason":"x","messages":[{"role":"user","content":"u","tool_calls":[{"id":"a"}]},{"role":"tool","id":"a","requestor":"user"},{"role":"x"}]}`})
}
