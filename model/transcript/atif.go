package transcript

import (
	"context"
	"fmt"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// atif reads the Agent Trajectory Interchange Format of Harbor: an object with
// steps, each with a source, and an agent's with its calls and what came of
// them. A step of an agent is one message and one for each result; trajectories
// of sub-agents that are embedded are threads.
type atif struct{}

func (atif) info() Info {
	return Info{model.FormatATIF, "ATIF trajectory",
		"an object whose schema_version begins with ATIF-, with steps"}
}

func isATIF(v jspan.Value) bool {
	m := members(v, "steps", "schema_version")
	if m[0].Kind != jspan.Array {
		return false
	}
	if strings.HasPrefix(m[1].TextN(8), "ATIF-") {
		return true
	}
	first := m[0].Index(0)
	return first.Has("step_id") && first.Get("source").Kind == jspan.String && first.Has("message")
}

func (atif) recognise(s *sniff) (int, string) {
	if s.jsonl {
		if s.share(isATIF) >= 0.5 {
			return 92, "trajectories with steps in ATIF, one a line"
		}
		return 0, ""
	}
	switch {
	case isATIF(s.whole):
		return 95, "schema_version and steps, as in ATIF"
	case s.whole.Kind == jspan.Array && isATIF(s.whole.Index(0)):
		return 93, "an array of trajectories in ATIF"
	}
	return 0, ""
}

func (atif) read(ctx context.Context, b *builder) error {
	if !b.whole.Exists() {
		return b.lines(ctx, func(v jspan.Value) error {
			readATIF(b, v)
			return nil
		})
	}
	if b.whole.Kind == jspan.Object {
		readATIF(b, b.whole)
		return ctx.Err()
	}
	b.whole.Items(func(_ int, v jspan.Value) bool {
		readATIF(b, v)
		return ctx.Err() == nil
	})
	return ctx.Err()
}

// readATIF reads one trajectory with those embedded in it.
func readATIF(b *builder, v jspan.Value) {
	if !isATIF(v) {
		b.noteAt(v, "unknown-record", "not a trajectory; it is kept where it stands")
		return
	}
	c := b.newChat()
	c.conv.ID = firstOf(v.Get("session_id").TextN(200), v.Get("trajectory_id").TextN(200))
	c.conv.Agents[0].Name = v.Get("agent", "name").TextN(200)
	r := atifReader{c, v.Get("agent", "model_name").TextN(200)}
	r.steps(v.Get("steps"))
	v.Get("subagent_trajectories").Items(func(_ int, sub jspan.Value) bool {
		if !isATIF(sub) {
			return true
		}
		id := firstOf(sub.Get("trajectory_id").TextN(200), sub.Get("session_id").TextN(200))
		th := &model.Thread{ID: id, AgentID: id, Kind: model.ThreadSubagent}
		r := atifReader{c.sibling(th), sub.Get("agent", "model_name").TextN(200)}
		r.steps(sub.Get("steps"))
		if len(th.Messages) > 0 {
			c.conv.Threads = append(c.conv.Threads, th)
			c.conv.Agents = append(c.conv.Agents, model.Agent{ID: id, Name: sub.Get("agent", "name").TextN(200), Parent: "main"})
		}
		return true
	})
	if len(c.conv.Threads) == 1 {
		c.finish()
	}
}

type atifReader struct {
	*chat
	model string
}

func (r atifReader) steps(list jspan.Value) {
	at := r.b.array(list, model.Piece{})
	list.Items(func(i int, e jspan.Value) bool {
		r.b.doc.Items++
		r.step(e, r.b.elem(at, i))
		return true
	})
}

// step adds the messages of a step. What a step of another source than an
// agent's observed is told with it.
func (r atifReader) step(v jspan.Value, p model.Piece) {
	m := model.Message{ID: idText(v.Get("step_id")), Time: millis(v.Get("timestamp")), Pieces: []model.Piece{p}}
	head := contentHead(v.Get("message"))
	switch source := v.Get("source").TextN(40); {
	case source == "agent", source != "user" && source != "system" && atifActs(v):
		r.agentStep(v, p, m, head)
		return
	case source == "user":
		m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginTyped
		if isInjectedText(head) {
			m.Origin = model.OriginInjected
		}
	case source == "system":
		m.Role, m.Kind = model.RoleSystem, model.KindSystem
	default:
		m.Role, m.Kind = model.RoleOther, model.KindOther
		r.b.noteAt(v, "unknown-role", "unknown source "+string(quote(r.b.doc, source))+"; the step is kept")
	}
	if isSummaryText(head) && m.Kind != model.KindOther {
		m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
	}
	m.Preview = preview(head)
	r.add(m, v)
}

// atifActs reports whether a step has what only an agent's has. It tells where
// the source does not.
func atifActs(v jspan.Value) bool {
	return v.Has("tool_calls") || v.Has("metrics") || v.Has("reasoning_content") || v.Has("llm_call_count")
}

func (r atifReader) agentStep(v jspan.Value, p model.Piece, m model.Message, head string) {
	m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
	m.Model = r.b.intern(firstOf(v.Get("model_name").TextN(200), r.model))
	if !v.Get("is_copied_context").Bool() { // that one was counted in another trajectory
		m.Usage = atifUsage(v.Get("metrics"))
	}
	v.Get("tool_calls").Items(func(_ int, e jspan.Value) bool {
		m.Calls = append(m.Calls, model.Call{ID: e.Get("tool_call_id").TextN(200), Name: r.b.intern(e.Get("function_name").TextN(200))})
		return true
	})
	results := v.Get("observation", "results")
	answers := atifAnswers(&m, results)
	if head == "" && len(m.Calls) > 0 {
		head = m.Calls[0].Name + " " + spelledHead(v.Get("tool_calls").Index(0).Get("arguments"))
	}
	m.Preview = preview(head)
	r.add(m, v)
	if results.Kind != jspan.Array {
		return
	}
	at := r.b.array(results, p)
	results.Items(func(i int, e jspan.Value) bool {
		r.add(model.Message{Role: model.RoleTool, Kind: model.KindResult, Time: m.Time, Pieces: []model.Piece{r.b.elem(at, i)},
			Answers: answers[i], Preview: preview(contentHead(e.Get("content")))}, e)
		return true
	})
}

// atifAnswers gives for each thing that a step observed the call that it belongs
// to. What belongs to none of the step's calls (an action in the text, an
// observation that names no source) gets a call of its own, which keeps it
// together with the step that it stands in.
func atifAnswers(m *model.Message, results jspan.Value) []string {
	open := map[string]int{}
	for _, c := range m.Calls {
		open[c.ID]++
	}
	var ids []string
	results.Items(func(i int, e jspan.Value) bool {
		id := e.Get("source_call_id").TextN(200)
		if open[id] == 0 {
			id = fmt.Sprintf("observed %d", i+1)
			m.Calls = append(m.Calls, model.Call{ID: id, Name: "action"})
		} else {
			open[id]--
		}
		ids = append(ids, id)
		return true
	})
	return ids
}

func atifUsage(v jspan.Value) *model.Usage {
	n := tokens(v.Get("prompt_tokens"))
	if n == 0 {
		return nil
	}
	return &model.Usage{Input: n, Output: tokens(v.Get("completion_tokens")), CacheRead: tokens(v.Get("cached_tokens"))}
}

// Parts implements [model.Codec].
func (atif) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	v, err := parseAt(d, m.Pieces[0].Span)
	if err != nil {
		return nil, err
	}
	var p parts
	if m.Kind == model.KindResult {
		p.atifContent(m, v.Get("content"))
		if p.result == 0 {
			p.text(m, "")
		}
		return p.done(), nil
	}
	p.reasoning(v.Get("reasoning_content").Text())
	p.atifContent(m, v.Get("message"))
	v.Get("tool_calls").Items(func(_ int, e jspan.Value) bool {
		p.call(m, e.Get("function_name").TextN(200), e.Get("arguments"))
		return true
	})
	if m.Kind != model.KindAssistant {
		v.Get("observation", "results").Items(func(_ int, e jspan.Value) bool {
			p.atifContent(m, e.Get("content"))
			return true
		})
	}
	return p.done(), nil
}

// atifContent reads a text or a list of parts.
func (p *parts) atifContent(m *model.Message, content jspan.Value) {
	if content.Kind == jspan.String {
		p.text(m, content.Text())
	}
	content.Items(func(_ int, e jspan.Value) bool {
		p.openAIPart(m, e, true)
		return true
	})
}
