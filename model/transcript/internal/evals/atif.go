package evals

import (
	"context"
	"fmt"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// ATIF reads the Agent Trajectory Interchange Format of Harbor: an object with
// steps, each with a source, and an agent's with its calls and what came of
// them. A step of an agent is one message and one for each result; trajectories
// of sub-agents that are embedded are threads.
type ATIF struct{}

func (ATIF) Info() codec.Info {
	return codec.Info{Format: model.FormatATIF, Title: "ATIF trajectory",
		How: "an object whose schema_version begins with ATIF-, with steps"}
}

func isATIF(v jspan.Value) bool {
	m := codec.MembersOf(v, "steps", "schema_version")
	if m[0].Kind != jspan.Array {
		return false
	}
	if strings.HasPrefix(m[1].TextN(8), "ATIF-") {
		return true
	}
	first := m[0].Index(0)
	return first.Has("step_id") && first.Get("source").Kind == jspan.String && first.Has("message")
}

func (ATIF) Recognise(s *codec.Sniff) (int, string) {
	if s.JSONLines {
		if s.Share(isATIF) >= 0.5 {
			return 92, "trajectories with steps in ATIF, one a line"
		}
		return 0, ""
	}
	switch {
	case isATIF(s.Whole):
		return 95, "schema_version and steps, as in ATIF"
	case s.Whole.Kind == jspan.Array && isATIF(s.Whole.Index(0)):
		return 93, "an array of trajectories in ATIF"
	}
	return 0, ""
}

func (ATIF) Read(ctx context.Context, b *codec.Builder) error {
	return b.EachValue(ctx, func(v jspan.Value) { readATIF(b, v) })
}

// readATIF reads one trajectory with those embedded in it.
func readATIF(b *codec.Builder, v jspan.Value) {
	if !isATIF(v) {
		b.NoteAt(v, "unknown-record", "not a trajectory; it is kept in place")
		return
	}
	c := b.NewChat()
	c.Conv.ID = codec.FirstOf(v.Get("session_id").TextN(200), v.Get("trajectory_id").TextN(200))
	c.Conv.Agents[0].Name = v.Get("agent", "name").TextN(200)
	r := atifReader{c, v.Get("agent", "model_name").TextN(200)}
	r.steps(v.Get("steps"))
	for _, sub := range v.Get("subagent_trajectories").Items {
		if !isATIF(sub) {
			continue
		}
		id := codec.FirstOf(sub.Get("trajectory_id").TextN(200), sub.Get("session_id").TextN(200))
		th := &model.Thread{ID: id, AgentID: id, Kind: model.ThreadSubagent}
		r := atifReader{c.Sibling(th), sub.Get("agent", "model_name").TextN(200)}
		r.steps(sub.Get("steps"))
		if len(th.Messages) > 0 {
			c.Conv.Threads = append(c.Conv.Threads, th)
			c.Conv.Agents = append(c.Conv.Agents, model.Agent{ID: id, Name: sub.Get("agent", "name").TextN(200), Parent: "main"})
		}
	}
	if len(c.Conv.Threads) == 1 {
		c.Finish()
	}
}

type atifReader struct {
	*codec.Chat
	model string
}

func (r atifReader) steps(list jspan.Value) {
	at := r.B.Array(list, model.Piece{})
	for i, e := range list.Items {
		r.B.Doc.Items++
		r.step(e, r.B.Elem(at, i))
	}
}

// step adds the messages of a step. What a step of another source than an
// agent's observed is part of it.
func (r atifReader) step(v jspan.Value, p model.Piece) {
	m := model.Message{ID: edit.IDText(v.Get("step_id")), Time: codec.Millis(v.Get("timestamp")), Pieces: []model.Piece{p}}
	head := codec.ContentHead(v.Get("message"))
	switch source := v.Get("source").TextN(40); {
	case source == "agent", source != "user" && source != "system" && atifActs(v):
		r.agentStep(v, p, m, head)
		return
	case source == "user":
		codec.SetUser(&m, head)
	case source == "system":
		m.Role, m.Kind = model.RoleSystem, model.KindSystem
	default:
		m.Role, m.Kind = model.RoleOther, model.KindOther
		r.B.NoteAt(v, "unknown-role", "unknown source "+string(edit.Quote(r.B.Doc, source))+"; the step is kept")
	}
	codec.MarkSummary(&m, head)
	m.Preview = codec.Preview(head)
	r.Add(m, v)
}

// atifActs reports whether a step has what only an agent's has. It decides where
// the source does not.
func atifActs(v jspan.Value) bool {
	return v.Has("tool_calls") || v.Has("metrics") || v.Has("reasoning_content") || v.Has("llm_call_count")
}

func (r atifReader) agentStep(v jspan.Value, p model.Piece, m model.Message, head string) {
	m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
	m.Model = r.B.Intern(codec.FirstOf(v.Get("model_name").TextN(200), r.model))
	if !v.Get("is_copied_context").Bool() { // that one was counted in another trajectory
		m.Usage = atifUsage(v.Get("metrics"))
	}
	for _, e := range v.Get("tool_calls").Items {
		m.Calls = append(m.Calls, model.Call{ID: e.Get("tool_call_id").TextN(200), Name: r.B.Intern(e.Get("function_name").TextN(200))})
	}
	results := v.Get("observation", "results")
	answers := atifAnswers(&m, results)
	if head == "" && len(m.Calls) > 0 {
		head = m.Calls[0].Name + " " + codec.SpelledHead(v.Get("tool_calls").Index(0).Get("arguments"))
	}
	m.Preview = codec.Preview(head)
	r.Add(m, v)
	if results.Kind != jspan.Array {
		return
	}
	at := r.B.Array(results, p)
	for i, e := range results.Items {
		r.Add(model.Message{Role: model.RoleTool, Kind: model.KindResult, Time: m.Time, Pieces: []model.Piece{r.B.Elem(at, i)},
			Answers: answers[i], Preview: codec.Preview(codec.ContentHead(e.Get("content")))}, e)
	}
}

// atifAnswers gives for each thing that a step observed the call that it belongs
// to: the one it names, else the first that none names. What is left (an action in
// the text has no call) gets a call of its own, which keeps it together with its
// step.
func atifAnswers(m *model.Message, results jspan.Value) []string {
	open := map[string]int{}
	for _, c := range m.Calls {
		open[c.ID]++
	}
	var ids []string
	for _, e := range results.Items {
		id := e.Get("source_call_id").TextN(200)
		if open[id] > 0 {
			open[id]--
		} else {
			id = ""
		}
		ids = append(ids, id)
	}
	named := m.Calls
	for i, e := range results.Items {
		if ids[i] != "" {
			continue
		}
		if e.Get("source_call_id").TextN(200) == "" {
			ids[i] = firstOpen(named, open)
		}
		if ids[i] == "" {
			ids[i] = fmt.Sprintf("observed %d", i+1)
			m.Calls = append(m.Calls, model.Call{ID: ids[i], Name: "action"})
		}
	}
	return ids
}

// firstOpen is the first call that waits for a result, which it then has.
func firstOpen(calls []model.Call, open map[string]int) string {
	for _, c := range calls {
		if c.ID != "" && open[c.ID] > 0 {
			open[c.ID]--
			return c.ID
		}
	}
	return ""
}

func atifUsage(v jspan.Value) *model.Usage {
	n := codec.Tokens(v.Get("prompt_tokens"))
	if n == 0 {
		return nil
	}
	return &model.Usage{Input: n, Output: codec.Tokens(v.Get("completion_tokens")), CacheRead: codec.Tokens(v.Get("cached_tokens"))}
}

// Parts implements [model.Codec].
func (ATIF) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	return codec.ReadParts(d, m, func(p *codec.Parts, v jspan.Value) {
		if m.Kind == model.KindResult {
			p.Content(m, v.Get("content"))
			p.EnsureResult(m)
			return
		}
		p.Reasoning(v.Get("reasoning_content").Text())
		p.Content(m, v.Get("message"))
		for _, e := range v.Get("tool_calls").Items {
			p.Call(m, e.Get("function_name").TextN(200), e.Get("arguments"))
		}
		if m.Kind != model.KindAssistant {
			for _, e := range v.Get("observation", "results").Items {
				p.Content(m, e.Get("content"))
			}
		}
	})
}
