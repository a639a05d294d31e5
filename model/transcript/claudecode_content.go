package transcript

import (
	"hash/maphash"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// user makes the messages of a user record: one for each tool result in it, and
// one for what else it holds.
func (r *ccReader) user(rec *ccRecord, f *ccFields) {
	content := f.message
	if content.Kind == jspan.Object {
		if role := content.Get("role"); !role.Is("user") && role.TextN(20) != "" {
			r.note("unknown-role", "a user record whose message has the role "+role.TextN(20))
		}
		content = content.Get("content")
	}
	n, results := 0, 0
	content.Items(func(_ int, b jspan.Value) bool {
		n++
		if b.Get("type").Is("tool_result") {
			results++
		}
		return true
	})
	if results == 0 {
		rec.messages = r.single(r.userMessage(rec, f, content))
		return
	}
	pieces := func(int) model.Piece { return rec.piece }
	if n > 1 {
		at := r.array(content, rec.piece)
		pieces = func(i int) model.Piece { return r.elem(at, i) }
	}
	rest := -1
	content.Items(func(i int, b jspan.Value) bool {
		if b.Get("type").Is("tool_result") {
			m := r.result(b)
			m.Pieces = r.pieces(pieces(i))
			rec.messages = append(rec.messages, m)
			return true
		}
		if rest < 0 {
			rest = len(rec.messages)
			rec.messages = append(rec.messages, r.userMessage(rec, f, content))
			rec.messages[rest].Pieces = nil
		}
		rec.messages[rest].Pieces = append(rec.messages[rest].Pieces, pieces(i))
		return true
	})
	if id := f.result.Get("agentId").Text(); id != "" {
		r.agents[id] = r.text(f.result.Get("agentType"))
		if t := r.byCall[rec.messages[0].Answers]; t != nil && r.agents[id] == "" {
			r.agents[id] = t.name
		}
	}
}

func (r *ccReader) result(b jspan.Value) model.Message {
	m := model.Message{Role: model.RoleTool, Kind: model.KindResult, Error: b.Get("is_error").Bool(), Preview: r.preview(firstText(b.Get("content")))}
	if n := r.callID.findBytes(b.Get("tool_use_id").Bytes()); n >= 0 {
		m.Answers, m.Name = r.callID.ids[n], r.tools[n]
	} else {
		m.Answers = r.text(b.Get("tool_use_id"))
	}
	return m
}

func (r *ccReader) userMessage(rec *ccRecord, f *ccFields, content jspan.Value) model.Message {
	m := model.Message{Role: model.RoleUser, Kind: model.KindUser, Origin: model.OriginInjected, Pieces: r.pieces(rec.piece)}
	typed, first, image := "", "", false
	each := func(text jspan.Value) {
		if first == "" {
			first = text.TextN(previewScan)
		}
		if typed == "" {
			typed = typedHead(text)
		}
	}
	if content.Kind == jspan.String {
		each(content)
	}
	content.Items(func(_ int, b jspan.Value) bool {
		switch {
		case b.Kind == jspan.String:
			each(b)
		case b.Get("type").Is("text"):
			each(b.Get("text"))
		case b.Get("type").Is("image"):
			image = true
		}
		return true
	})
	switch {
	case f.summary.Bool() || isSummaryText(first):
		m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
	case f.meta.Bool() || f.origin.Has("kind") && f.origin.Get("kind").TextN(8) != "human":
	case typed != "" || image && first == "":
		m.Origin = model.OriginTyped
		first = typed
	}
	switch {
	case !rec.side: // nobody asked for it
	case content.Kind == jspan.String:
		rec.prompt = r.promptHash(content.Text())
	default:
		rec.prompt = r.promptHash(content.Index(0).Get("text").Text())
	}
	if first == "" && image {
		first = "[image]"
	}
	m.Preview = preview(first)
	return m
}

// typedHead is the beginning of what is left of a text when the context that
// the program wrapped into it is taken off; "" if nothing is.
func typedHead(text jspan.Value) string {
	head := text.TextN(previewScan)
	if !isInjectedText(head) {
		return strings.TrimSpace(head)
	}
	s := strings.TrimSpace(text.Text())
	for isInjectedText(s) && strings.HasPrefix(s, "<") {
		tag, _, _ := strings.Cut(s[1:], ">")
		tag, _, _ = strings.Cut(tag, " ")
		_, rest, ok := strings.Cut(s, "</"+tag+">")
		if !ok {
			return ""
		}
		s = strings.TrimSpace(rest)
	}
	if isInjectedText(s) {
		return ""
	}
	return s[:cutRunes(s, previewScan)]
}

// cutRunes is the length of the first n code points of s.
func cutRunes(s string, n int) int {
	for i := range s {
		if n == 0 {
			return i
		}
		n--
	}
	return len(s)
}

func (r *ccReader) promptHash(s string) uint64 {
	if s = strings.TrimSpace(s); s == "" {
		return 0
	}
	return maphash.String(r.seed, s) | 1
}

// firstText is the first text of a content value that is not empty.
func firstText(content jspan.Value) (text jspan.Value) {
	if content.Kind == jspan.String {
		return content
	}
	content.Items(func(_ int, b jspan.Value) bool {
		if text = b; b.Kind != jspan.String {
			text = jspan.Value{}
			if b.Get("type").Is("text") {
				text = b.Get("text")
			}
		}
		return text.Kind != jspan.String || text.Len() <= len(`""`)
	})
	return text
}

// assistant makes the message of an assistant record, which mostly holds one
// block of the model's answer.
func (r *ccReader) assistant(rec *ccRecord, f *ccFields) {
	msg := f.message
	m := model.Message{Role: model.RoleAssistant, Kind: model.KindAssistant, Pieces: r.pieces(rec.piece)}
	content := msg
	if msg.Kind == jspan.Object {
		content = msg.Get("content")
		if id := msg.Get("id"); id.Is(r.msgID) {
			rec.msgID = r.msgID
		} else {
			rec.msgID = r.id(id)
		}
		r.msgID = rec.msgID
		if u := ccUsage(msg.Get("usage")); u != (model.Usage{}) {
			m.Usage = r.keepUsage(u)
		}
		if m.Model = r.text(msg.Get("model")); m.Model != "" {
			switch {
			case m.Model == syntheticModel: // an answer the program made itself
			case rec.side:
				r.sideModel = m.Model
			default:
				r.model = m.Model
			}
		}
	}
	m.Preview = r.preview(firstText(content))
	blank := strings.TrimSpace(m.Preview) == ""
	reasoning, call := "", ""
	content.Items(func(_ int, b jspan.Value) bool {
		switch b.Get("type").TextN(20) {
		case "tool_use":
			c := r.call(b)
			m.Calls = r.withCall(m.Calls, c)
			if blank && call == "" {
				call = c.Name + " " + rawHead(b.Get("input"))
			}
		case "server_tool_use", "mcp_tool_use": // run by the provider: its result is in the same message
			m.Calls = r.withCall(m.Calls, model.Call{Name: r.text(b.Get("name"))})
		case "thinking":
			if blank {
				reasoning = b.Get("thinking").TextN(previewScan)
			}
		}
		return true
	})
	if blank {
		m.Preview = preview(firstOf(call, reasoning))
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

// rawHead is the beginning of a value as it is spelled.
func rawHead(v jspan.Value) string {
	if !v.Exists() {
		return ""
	}
	return strings.ToValidUTF8(string(v.Raw()[:min(v.Len(), previewScan)]), "")
}

func firstOf(texts ...string) string {
	for _, s := range texts {
		if strings.TrimSpace(s) != "" {
			return s
		}
	}
	return ""
}

func (r *ccReader) call(b jspan.Value) model.Call {
	c := model.Call{Name: r.text(b.Get("name"))}
	n, fresh := r.callID.findOrAdd(viewOf(b.Get("id").Bytes()), &r.kept)
	if fresh {
		r.tools = append(r.tools, "")
	}
	c.ID, r.tools[n] = r.callID.ids[n], c.Name
	if c.Name == "Task" || c.Name == "Agent" {
		input := b.Get("input")
		t := &ccTask{call: c.ID, name: r.text(input.Get("subagent_type")), rec: int32(len(r.recs))}
		r.byCall[c.ID] = t
		if h := r.promptHash(input.Get("prompt").Text()); h != 0 {
			r.tasks[h] = t
		}
	}
	return c
}

// ccUsage reads a usage object.
func ccUsage(v jspan.Value) (u model.Usage) {
	v.Each(func(key []byte, n jspan.Value) bool {
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
		return true
	})
	return u
}
