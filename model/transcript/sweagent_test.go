package transcript

import (
	"strings"
	"testing"

	"palimpsest/model"
)

func TestSWEAgentFiles(t *testing.T) {
	for _, s := range samples(t, "swe_agent") {
		t.Run(s.File, func(t *testing.T) {
			t.Parallel()
			d := checkRealFile(t, s, model.FormatSWEAgent)
			th := d.Conversations[0].Main()
			typed := 0
			for i := range th.Messages {
				if m := &th.Messages[i]; m.Typed() {
					typed++
				} else if m.Kind == model.KindUser && m.Origin == model.OriginTyped {
					t.Errorf("message %d has no origin", i)
				}
			}
			if typed != 1 {
				t.Errorf("%d messages count as typed, the task alone is", typed)
			}
			if len(d.Notes) > 0 || d.Conversations[0].Agents[0].Name == "" {
				t.Errorf("notes %s, agent %+v", noteCodes(d), d.Conversations[0].Agents)
			}
			if strings.Contains(s.File, "pydantic") && d.Conversations[0].Model == "" {
				t.Error("no model, which replay_config names")
			}
		})
	}
}

// The log of the run repeats the conversation; it is not touched.
func TestSWEAgentTrajectoryStays(t *testing.T) {
	for _, s := range samples(t, "swe_agent") {
		d := openSample(t, s.Path)
		th := d.Conversations[0].Main()
		live := th.Live(len(th.History))
		cuts := legalCuts(th, live, 1)
		got := string(written(t, mustRewrite(t, d, live, 1, cuts[len(cuts)/2]).Edits))
		before := string(sourceBytes(t, d))
		log := before[strings.Index(before, `"trajectory":`):]
		if end := strings.Index(log, `"history":`); end > 0 {
			log = log[:end]
		}
		if !strings.Contains(got, log) {
			t.Errorf("%s: the trajectory changed", s.File)
		}
	}
}

func TestSWEAgentShapes(t *testing.T) {
	checkOutlines(t, model.FormatSWEAgent, []outlineCase{
		{"text actions, a demonstration, no demonstration's turn",
			`{"environment":"e","trajectory":[{"action":"ls","observation":"a","response":"r"}],"history":[{"role":"system","content":"S","agent":"primary"},{"agent":"primary","content":"demo","is_demo":true,"role":"user"},{"role":"user","content":"task","agent":"primary"},{"role":"assistant","content":"do ls","thought":"do","action":"ls","agent":"primary"},{"role":"user","content":"a","agent":"primary"},{"role":"assistant","content":"done","agent":"primary"}],"info":{}}`,
			"system | text S\nuser injected | text demo\nuser typed | text task\nassistant | text do ls\nuser observed | text a\nassistant | text done\n"},
		{"tool calls, thinking, a message of the environment",
			`{"trajectory":[],"history":[{"role":"user","content":[{"type":"text","text":"task","cache_control":{"type":"ephemeral"}}],"agent":"main","message_type":"observation"},{"role":"assistant","content":"t","thought":"t","action":"ls","agent":"main","tool_calls":[{"id":"a","type":"function","function":{"name":"bash","arguments":"{}"}}],"thinking_blocks":[{"type":"thinking","thinking":"hm","signature":"c2ln"}],"message_type":"action"},{"role":"tool","content":[{"type":"text","text":"out"}],"agent":"main","message_type":"observation","tool_call_ids":["a"]},{"role":"user","content":"no call in that","agent":"main","message_type":"observation"}],"info":{}}`,
			"user typed | text task\nassistant →a:bash | reasoning hm | opaque  | text t | tool call a {}\ntool result bash ←a | tool result a out\nuser observed | text no call in that\n"},
		{"after a compaction", // the summary replaces the task
			`{"trajectory":[],"history":[{"role":"user","content":"[Conversation summary - earlier context]\nS","agent":"main","message_type":"observation","tags":["keep_output"]},{"role":"assistant","content":"a","agent":"main","message_type":"action"},{"role":"user","content":"o","agent":"main","message_type":"observation"}]}`,
			"summary | text [Conversation summary - earlier context]\nS\nassistant | text a\nuser observed | text o\n"},
	})
}

func TestSWEAgentSpelling(t *testing.T) {
	checkSpelling(t, []spellingCase{
		{"1.0", 0, 1, []int32{2},
			`{"trajectory":[],"history":[{"role":"user","content":"task","agent":"main","message_type":"observation"},{"role":"assistant","content":"t","agent":"main","tool_calls":[{"id":"a","function":{"name":"bash","arguments":"{}"}}],"message_type":"action"},{"role":"tool","content":"long","agent":"main","message_type":"observation","tool_call_ids":["a"]}]}`,
			`{"trajectory":[],"history":[{"role":"user","content":"S é","agent":"main","message_type":"observation","tags":["keep_output"]},{"role":"assistant","content":"t","agent":"main","tool_calls":[{"id":"a","function":{"name":"bash","arguments":"{}"}}],"message_type":"action"},{"role":"tool","content":"cleared","agent":"main","message_type":"observation","tool_call_ids":["a"]}]}`},
		{"0.x", 0, 2, nil,
			`{"trajectory": [], "history": [{"role": "user", "content": "task", "agent": "primary"}, {"role": "assistant", "content": "a", "agent": "primary"}, {"role": "user", "content": "o", "agent": "primary"}]}`,
			`{"trajectory": [], "history": [{"role": "user", "content": "S é", "agent": "primary"}, {"role": "user", "content": "o", "agent": "primary"}]}`},
	})
}

func TestSWEAgentProperties(t *testing.T) {
	propTalks(t, model.FormatSWEAgent, true, genTalk, func(s spelling, talk []saying) any {
		var history []any
		for _, m := range talk {
			more := []member{{"content", m.text}, {"agent", "main"}, {"message_type", "observation"}}
			if len(m.calls) > 0 {
				more = append(more, member{"tool_calls", functionCalls(m.calls)})
			}
			role := m.role
			if role == "result" {
				role, more = "tool", append(more, member{"tool_call_ids", []string{m.answers}})
			}
			history = append(history, s.message(role, more...))
		}
		return ordered{{"trajectory", []any{ordered{{"action", "ls"}, {"observation", "x"}, {"query", history}}}}, {"history", history}, {"info", ordered{}}}
	})
}

// functionCalls spells calls as OpenAI does, with arguments that were cut.
func functionCalls(ids []string) []any {
	var list []any
	for _, id := range ids {
		list = append(list, ordered{{"id", id}, {"type", "function"}, {"function", ordered{{"name", "run"}, {"arguments", `{"cmd": "`}}}})
	}
	return list
}

func FuzzReadSWEAgent(f *testing.F) {
	fuzzRead(f, model.FormatSWEAgent, []string{
		`{"trajectory":[{"query":[]}],"history":[{"role":"system","content":"S","agent":"a"},{"role":"user","content":"d","is_demo":true},{"role":"assistant","content":"t","tool_calls":[{"id":"a"}]},{"role":"tool","content":[{"type":"text","text":"o"}],"tool_call_ids":["a"]}],"replay_config":"{\"agent\":{\"model\":{\"name\":\"m\"}}}"}`,
		`[{"trajectory":[],"history":[{"role":"tool","agent":1,"tool_call_ids":[]}],"replay_config":"{"}]`,
		`[{'':'',"trajectory":[],"history":[{"role":"user","content":"u"}],"agent":1}]`, // as Python prints it
	})
}

func TestMiniSWEAgentFiles(t *testing.T) {
	for _, s := range samples(t, "mini_swe_agent") {
		t.Run(s.File, func(t *testing.T) {
			t.Parallel()
			d := checkRealFile(t, s, model.FormatMiniSWEAgent)
			c := d.Conversations[0]
			if c.ID == "" || c.Model == "" || !c.Main().Observations || len(d.Notes) > 0 {
				t.Errorf("%q of %q, %s", c.ID, c.Model, noteCodes(d))
			}
			for i := range c.Main().Messages {
				switch m := &c.Main().Messages[i]; {
				case m.Typed() != (i == 1):
					t.Errorf("message %d: typed %v", i, m.Typed())
				case m.Kind == model.KindAssistant && m.Usage == nil:
					t.Errorf("message %d has no usage, which its raw answer tells", i)
				}
			}
		})
	}
}

// No trajectory of version 2 is at hand: these follow its documentation of
// output files and the messages its interactive agent makes.
func TestMiniSWEAgentShapes(t *testing.T) {
	checkOutlines(t, model.FormatMiniSWEAgent, []outlineCase{
		{"tool calls, an interruption, an exit",
			`{"info":{"config":{"model":{"model_name":"m"}}},"messages":[{"role":"system","content":"S"},{"role":"user","content":"task"},{"role":"assistant","content":"t","tool_calls":[{"id":"a","type":"function","function":{"name":"bash","arguments":"{}"}}],"extra":{"actions":[{"command":"ls"}],"cost":0.1}},{"role":"tool","tool_call_id":"a","content":"no","extra":{"returncode":1,"timestamp":1763511545.5}},{"role":"user","content":"no tool call found","extra":{"interrupt_type":"FormatError"}},{"role":"user","content":"stop that","extra":{"interrupt_type":"UserInterruption"}},{"role":"assistant","content":"ok"},{"role":"exit","content":"patch","extra":{"exit_status":"Submitted"}}],"trajectory_format":"mini-swe-agent-1.1"}`,
			"system | text S\nuser typed | text task\nassistant →a:bash | text t | tool call a {}\ntool result bash ←a failed | tool result a no\nuser observed | text no tool call found\nuser typed | text stop that\nassistant | text ok\nother | text patch\n"},
	})
	checkSpelling(t, []spellingCase{{"a user's summary", 1, 3, nil,
		`{"messages":[{"role":"system","content":"S"},{"role":"user","content":"t"},{"role":"assistant","content":"a","extra":{}},{"role":"user","content":"o"},{"role":"exit","content":""}],"trajectory_format":"mini-swe-agent-1"}`,
		`{"messages":[{"role":"system","content":"S"},{"role":"user","content":"S é"},{"role":"user","content":"o"},{"role":"exit","content":""}],"trajectory_format":"mini-swe-agent-1"}`}})
}

func TestMiniSWEAgentProperties(t *testing.T) {
	propTalks(t, model.FormatMiniSWEAgent, true, genTalk, func(s spelling, talk []saying) any {
		return ordered{{"info", ordered{}}, {"messages", chatMessages(s, talk)}, {"trajectory_format", "mini-swe-agent-1.1"}}
	})
}

// chatMessages spells a conversation as OpenAI does.
func chatMessages(s spelling, talk []saying) []any {
	var list []any
	for _, m := range talk {
		more := []member{{"content", m.text}}
		if len(m.calls) > 0 {
			more = append(more, member{"tool_calls", functionCalls(m.calls)})
		}
		role := m.role
		if role == "result" {
			role, more = "tool", append(more, member{"tool_call_id", m.answers})
		}
		list = append(list, s.message(role, more...))
	}
	return list
}

func FuzzReadMiniSWEAgent(f *testing.F) {
	fuzzRead(f, model.FormatMiniSWEAgent, []string{
		`{"messages":[{"role":"user","content":"t"},{"role":"assistant","content":"a","extra":{"response":{"model":"m","usage":{"prompt_tokens":1}}}},{"role":"exit"}],"trajectory_format":"mini-swe-agent-1"}`,
	})
}

func TestTauBenchFiles(t *testing.T) {
	for _, s := range samples(t, "tau_bench") {
		d := checkRealFile(t, s, model.FormatTauBench)
		if n := len(d.Conversations); n != 200 || d.Conversations[0].ID != "0.0" {
			t.Errorf("%d conversations, the first is %q", n, d.Conversations[0].ID)
		}
	}
}

func TestTauBenchProperties(t *testing.T) {
	propTalks(t, model.FormatTauBench, true, genTalk, func(s spelling, talk []saying) any {
		return ordered{{"task_id", 3}, {"reward", 1.0}, {"traj", chatMessages(s, talk)}, {"trial", 0}}
	})
}

func FuzzReadTauBench(f *testing.F) {
	fuzzRead(f, model.FormatTauBench, []string{
		`[{"task_id":0,"reward":0.0,"traj":[{"role":"system","content":"S"},{"role":"user","content":"u"},{"role":"assistant","content":null,"tool_calls":[{"id":"a","function":{"name":"f","arguments":"{}"}}]},{"role":"tool","tool_call_id":"a","name":"f","content":"1"}],"trial":0},{"task_id":1}]`,
	})
}
