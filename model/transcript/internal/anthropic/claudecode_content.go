package anthropic

import (
	"hash/maphash"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// user makes the messages of a user record: one for each tool result in it, and
// one for what else it holds.
func (r *ccReader) user(rec *ccRecord, f *ccFields) {
	content := f.message
	if content.Kind == jspan.Object {
		if role := content.Get("role"); !role.Is("user") && role.TextN(20) != "" && rec.kind == ccUser {
			r.Note("unknown-role", "a user record whose message has the role "+role.TextN(20))
		}
		content = content.Get("content")
	}
	n, results := 0, 0
	for _, b := range content.Items {
		n++
		if b.Get("type").Is("tool_result") {
			results++
		}
	}
	if results == 0 {
		rec.messages = r.single(r.userMessage(rec, f, content))
		return
	}
	pieces := func(int) model.Piece { return rec.piece }
	if n > 1 {
		at := r.Array(content, rec.piece)
		pieces = func(i int) model.Piece { return r.Elem(at, i) }
	}
	rest := -1
	for i, b := range content.Items {
		if b.Get("type").Is("tool_result") {
			m := r.result(b)
			m.Pieces = r.OnePiece(pieces(i))
			rec.messages = append(rec.messages, m)
			continue
		}
		if rest < 0 {
			rest = len(rec.messages)
			rec.messages = append(rec.messages, r.userMessage(rec, f, content))
			rec.messages[rest].Pieces = nil
		}
		rec.messages[rest].Pieces = append(rec.messages[rest].Pieces, pieces(i))
	}
	if id := f.result.Get("agentId").Text(); id != "" {
		r.agents[id] = r.Text(f.result.Get("agentType"))
		if t := r.byCall[rec.messages[0].Answers]; t != nil && r.agents[id] == "" {
			r.agents[id] = t.name
		}
	}
}

// answer makes the messages of an assistant record. Some programs keep what a tool said as
// what the model does.
func (r *ccReader) answer(rec *ccRecord, f *ccFields) {
	if f.message.Get("content").Index(0).Get("type").Is("tool_result") {
		r.user(rec, f)
		return
	}
	r.assistant(rec, f)
}

func (r *ccReader) result(b jspan.Value) model.Message {
	m := model.Message{Role: model.RoleTool, Kind: model.KindResult, Error: b.Get("is_error").Bool(),
		Preview: r.Preview(codec.FirstText(b.Get("content")))}
	if n := r.callID.FindBytes(b.Get("tool_use_id").Bytes()); n >= 0 {
		m.Answers, m.Name = r.callID.IDs[n], r.tools[n]
	} else {
		m.Answers = r.Text(b.Get("tool_use_id"))
	}
	return m
}

func (r *ccReader) userMessage(rec *ccRecord, f *ccFields, content jspan.Value) model.Message {
	m := model.Message{Role: model.RoleUser, Kind: model.KindUser, Origin: model.OriginInjected, Pieces: r.OnePiece(rec.piece)}
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
	case f.summary.Bool() || codec.IsSummaryText(first):
		m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
	case f.meta.Bool() || f.origin.Has("kind") && f.origin.Get("kind").TextN(8) != "human":
	case typed != "" || image && first == "":
		m.Origin = model.OriginTyped
		first = typed
	}
	if rec.side { // for the main agent's own words nobody asks
		text := content
		if content.Kind != jspan.String {
			text = content.Index(0).Get("text")
		}
		rec.prompt = r.promptHash(text.Text())
	}
	if first == "" && image {
		first = "[image]"
	}
	m.Preview = codec.Preview(first)
	return m
}

func (r *ccReader) promptHash(s string) uint64 {
	if s = strings.TrimSpace(s); s == "" {
		return 0
	}
	return maphash.String(r.seed, s) | 1
}

// assistant makes the message of an assistant record, which mostly holds one
// block of the model's answer.
func (r *ccReader) assistant(rec *ccRecord, f *ccFields) {
	msg := f.message
	m := model.Message{Role: model.RoleAssistant, Kind: model.KindAssistant, Pieces: r.OnePiece(rec.piece)}
	content := msg
	if msg.Kind == jspan.Object {
		content = msg.Get("content")
		if id := msg.Get("id"); id.Is(r.msgID) {
			rec.msgID = r.msgID
		} else {
			rec.msgID = r.ID(id)
		}
		r.msgID = rec.msgID
		if u := ccUsage(msg.Get("usage")); u != (model.Usage{}) {
			m.Usage = r.KeepUsage(u)
		}
		if m.Model = r.Text(msg.Get("model")); m.Model != "" {
			switch {
			case m.Model == SyntheticModel: // an answer the program made itself
			case rec.side:
				r.sideModel = m.Model
			default:
				r.model = m.Model
			}
		}
	}
	m.Preview = r.Preview(codec.FirstText(content))
	blank := strings.TrimSpace(m.Preview) == ""
	reasoning, call := "", ""
	for _, b := range content.Items {
		switch b.Get("type").TextN(20) {
		case "tool_use":
			c := r.call(b)
			m.Calls = r.AppendCall(m.Calls, c)
			if blank && call == "" {
				call = c.Name + " " + codec.RawHead(b.Get("input"))
			}
		case "server_tool_use", "mcp_tool_use": // run by the provider: its result is in the same message
			m.Calls = r.AppendCall(m.Calls, model.Call{Name: r.Text(b.Get("name"))})
		case "thinking":
			if blank {
				reasoning = b.Get("thinking").TextN(codec.PreviewScan)
			}
		}
	}
	if blank {
		m.Preview = codec.Preview(codec.FirstOf(call, reasoning))
	}
	switch {
	case !blank:
		rec.weight = 3
	case call != "":
		rec.weight = 2
	case reasoning != "":
		rec.weight = 1
	}
	rec.messages = r.single(m)
}

func (r *ccReader) call(b jspan.Value) model.Call {
	c := model.Call{Name: r.Text(b.Get("name"))}
	n, fresh := r.callID.FindOrAdd(codec.ViewOf(b.Get("id").Bytes()), &r.Arena)
	if fresh {
		r.tools = append(r.tools, "")
	}
	c.ID, r.tools[n] = r.callID.IDs[n], c.Name
	if c.Name == "Task" || c.Name == "Agent" {
		input := b.Get("input")
		t := &ccTask{call: c.ID, name: r.Text(input.Get("subagent_type")), rec: int32(len(r.recs))}
		r.byCall[c.ID] = t
		if h := r.promptHash(input.Get("prompt").Text()); h != 0 {
			r.tasks[h] = t
		}
	}
	return c
}

// ccUsage reads a usage object.
func ccUsage(v jspan.Value) (u model.Usage) {
	for key, n := range v.Each {
		switch string(key) {
		case "input_tokens":
			u.Input += int(n.Int())
		case "cache_read_input_tokens":
			u.CacheRead = int(n.Int())
			u.Input += u.CacheRead
		case "cache_creation_input_tokens":
			u.CacheWrite = int(n.Int())
			u.Input += u.CacheWrite
		case "output_tokens":
			u.Output = int(n.Int())
		}
	}
	return u
}
