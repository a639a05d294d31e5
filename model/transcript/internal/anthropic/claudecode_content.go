package anthropic

import (
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// user gives a record its messages: one for each tool result in it, and one for what
// else it holds.
func (r *ccReader) user(rec *ccRecord, v jspan.Value) {
	content := v.Get("message")
	if content.Kind == jspan.Object {
		if role := content.Get("role").TextN(20); role != "user" && role != "" && rec.kind == ccUser {
			r.Note("unknown-role", "a user record whose message has the role "+role)
		}
		content = content.Get("content")
	}
	blocks, results := 0, 0
	for _, b := range content.Items {
		blocks++
		if b.Get("type").Is("tool_result") {
			results++
		}
	}
	switch {
	case results == 0:
		rec.add(r.userMessage(rec, v, content, rec.piece))
		return
	case blocks == 1:
		rec.add(r.result(content.Index(0), rec.piece))
	default:
		r.results(rec, v, content)
	}
	if id := v.Get("toolUseResult", "agentId").Text(); id != "" {
		r.agents[id] = r.Text(v.Get("toolUseResult", "agentType"))
		if t := r.byCall[rec.messages[0].Answers]; t != nil && r.agents[id] == "" {
			r.agents[id] = t.name
		}
	}
}

// results gives a record of several blocks its messages.
func (r *ccReader) results(rec *ccRecord, v jspan.Value, content jspan.Value) {
	at, rest := r.Array(content, rec.piece), -1
	for i, b := range content.Items {
		switch piece := r.Elem(at, i); {
		case b.Get("type").Is("tool_result"):
			rec.add(r.result(b, piece))
		case rest < 0:
			rest = len(rec.messages)
			rec.add(r.userMessage(rec, v, content, piece))
		default:
			m := &rec.messages[rest]
			m.Pieces = append(m.Pieces, piece)
		}
	}
}

func (r *ccReader) result(b jspan.Value, piece model.Piece) model.Message {
	m := model.Message{Role: model.RoleTool, Kind: model.KindResult, Error: b.Get("is_error").Bool(),
		Preview: r.Preview(codec.FirstText(b.Get("content"))), Pieces: []model.Piece{piece}}
	m.Answers, m.Name = r.called(b.Get("tool_use_id"))
	if model.Asks(m.Name) && !m.Error {
		m.Origin = model.OriginTyped
	}
	return m
}

// userMessage is what a record says beside tool results.
func (r *ccReader) userMessage(rec *ccRecord, v jspan.Value, content jspan.Value, piece model.Piece) model.Message {
	m := model.Message{Role: model.RoleUser, Kind: model.KindUser, Origin: model.OriginInjected, Pieces: []model.Piece{piece}}
	typed, first, image := "", "", false
	each := func(text jspan.Value) {
		if first == "" {
			first = text.TextN(codec.PreviewScan)
		}
		if typed == "" {
			typed = codec.TypedHead(text)
		}
	}
	if content.Kind == jspan.String {
		each(content)
	}
	for _, b := range content.Items {
		switch {
		case b.Kind == jspan.String:
			each(b)
		case b.Get("type").Is("text"):
			each(b.Get("text"))
		case b.Get("type").Is("image"):
			image = true
		}
	}
	switch {
	case v.Get("isCompactSummary").Bool() || codec.IsSummaryText(first):
		m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
	case v.Get("isMeta").Bool() || v.Get("origin").Has("kind") && v.Get("origin", "kind").TextN(8) != "human":
	case typed != "" || image && first == "":
		m.Origin = model.OriginTyped
		first = typed
	}
	if rec.side { // the main agent's own words are asked for by no call
		text := content
		if text.Kind != jspan.String {
			text = text.Index(0).Get("text")
		}
		rec.prompt = r.promptHash(text.Text())
	}
	if first == "" && image {
		first = "[image]"
	}
	m.Preview = codec.Preview(first)
	return m
}

// called is the id of a call, and the name of its tool if it is known.
func (r *ccReader) called(id jspan.Value) (kept, tool string) {
	kept = r.Text(id)
	return kept, r.tools[kept]
}

// assistant gives a record the message of an answer, of which it mostly holds one block.
func (r *ccReader) assistant(rec *ccRecord, v jspan.Value) {
	m := model.Message{Role: model.RoleAssistant, Kind: model.KindAssistant, Pieces: []model.Piece{rec.piece}}
	content := v.Get("message")
	if content.Kind == jspan.Object {
		r.answered(rec, &m, content)
		content = content.Get("content")
	}
	m.Preview = r.Preview(codec.FirstText(content))
	blank := strings.TrimSpace(m.Preview) == ""
	reasoning, call := "", ""
	for _, b := range content.Items {
		switch kind := b.Get("type").TextN(60); kind {
		case "tool_use":
			m.Calls = append(m.Calls, r.call(b))
			if by := b.Get("caller", "tool_id"); by.Kind == jspan.String {
				r.link(&m, by, false)
			}
			if blank && call == "" {
				call = m.Calls[len(m.Calls)-1].Name + " " + codec.RawHead(b.Get("input"))
			}
		case "server_tool_use", "mcp_tool_use":
			m.Calls = append(m.Calls, r.call(b))
		case "thinking", "redacted_thinking":
			m.Signed = m.Signed || codec.SignedThinking(b)
			if blank {
				reasoning = b.Get("thinking").TextN(codec.PreviewScan)
			}
		default:
			if of := b.Get("tool_use_id"); of.Kind == jspan.String && codec.IsServedResult(kind) {
				r.link(&m, of, true)
			}
		}
	}
	switch {
	case !blank:
		rec.weight = 3
	case call != "":
		rec.weight, m.Preview = 2, codec.Preview(call)
	case reasoning != "":
		rec.weight, m.Preview = 1, codec.Preview(reasoning)
	default:
		m.Preview = ""
	}
	if m.Model == SyntheticModel && v.Get("isApiErrorMessage").Bool() {
		m.Kind = model.KindOther // it is shown, and not sent
	}
	rec.add(m)
}

// answered takes over who answered, and what the answer took.
func (r *ccReader) answered(rec *ccRecord, m *model.Message, msg jspan.Value) {
	if id := msg.Get("id").Bytes(); codec.ViewOf(id) == r.msgID {
		rec.msgID = r.msgID
	} else {
		rec.msgID = string(id)
	}
	r.msgID = rec.msgID
	if use := ccUsage(msg.Get("usage")); use != (model.Usage{}) {
		m.Usage = &use
	}
	switch m.Model = r.Text(msg.Get("model")); {
	case m.Model == "", m.Model == SyntheticModel: // an answer the program made itself
	case rec.side:
		r.sideModel = m.Model
	default:
		r.model = m.Model
	}
}

// link joins an answer to a call.
func (r *ccReader) link(m *model.Message, id jspan.Value, result bool) {
	kept, _ := r.called(id)
	m.Links = append(m.Links, model.Link{ID: kept, Result: result})
}

func (r *ccReader) call(b jspan.Value) model.Call {
	c := model.Call{ID: r.Text(b.Get("id")), Name: r.Text(b.Get("name"))}
	r.tools[c.ID] = c.Name
	if c.Name == "Task" || c.Name == "Agent" { // which start agents
		input := b.Get("input")
		t := &ccTask{call: c.ID, name: r.Text(input.Get("subagent_type")), rec: int32(len(r.recs))}
		r.byCall[c.ID] = t
		if prompt := r.promptHash(input.Get("prompt").Text()); prompt != 0 {
			r.tasks[prompt] = t
		}
	}
	return c
}

// ccUsage reads a usage object.
func ccUsage(v jspan.Value) model.Usage {
	m := codec.MembersOf(v, "input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens", "output_tokens")
	u := model.Usage{CacheRead: int(m[1].Int()), CacheWrite: int(m[2].Int()), Output: int(m[3].Int())}
	u.Input = int(m[0].Int()) + u.CacheRead + u.CacheWrite
	return u
}
