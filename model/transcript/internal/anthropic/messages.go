package anthropic

import (
	"context"
	"strconv"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// Messages reads Anthropic Messages: arrays, requests, responses and arrays of
// both.
type Messages struct{}

func (Messages) Info() codec.Info {
	return codec.Info{Format: model.FormatAnthropic, Title: "Anthropic Messages",
		How: "messages whose content holds tool_use, tool_result or thinking blocks, or a system prompt beside user and assistant messages"}
}

func (Messages) Recognise(s *codec.Sniff) (int, string) {
	g := s.Requests()
	switch {
	case g.Shape == "":
		return 0, ""
	case g.Anthropic > g.OpenAI:
		return 75, g.Shape + " with " + g.What
	case g.Anthropic+g.OpenAI == 0 && !s.JSONLines && !g.OtherRoles && besideSystem(s.Whole):
		return 72, g.Shape + " beside a system prompt, with roles user and assistant only"
	case g.Anthropic+g.OpenAI == 0 && !g.OtherRoles && g.Blocks:
		return 66, g.Shape + " with assistant text in blocks, as the Anthropic API answers"
	case g.Anthropic+g.OpenAI == 0 && !g.OtherRoles && g.Claude:
		return 66, g.Shape + " for a model of Anthropic's"
	}
	return 0, ""
}

// besideSystem reports a system prompt of its own, in the object or in the
// first element of a collection.
func besideSystem(v jspan.Value) bool {
	if v.Kind == jspan.Array {
		v = v.Index(0)
	}
	k := v.Get("system").Kind
	return k == jspan.String || k == jspan.Array
}

func (f Messages) Read(ctx context.Context, b *codec.Builder) error {
	return codec.ReadRequests(ctx, b, f)
}

// System adds a system prompt that is a string or a list of blocks.
func (Messages) System(c *codec.Chat, v jspan.Value) {
	if v.Kind == jspan.String || v.Kind == jspan.Array && v.Count() > 0 {
		codec.AddSystem(c, v)
	}
}

// Response adds the answer of a response object. Its blocks are the elements
// that edits change, so that the object stays what it is.
func (f Messages) Response(c *codec.Chat, v jspan.Value, held model.Piece) {
	content := v.Get("content")
	if content.Kind != jspan.Array {
		return
	}
	c.B.Doc.Items++
	m := f.members(c, v)
	runs := codec.BlockRuns(m, content)
	found := len(c.Th.Found)
	f.split(c, v, m, runs, c.B.Array(content, held))
	if it := v.Get("usage", "iterations").Index(0); it.Get("type").TextN(12) == "compaction" && len(c.Th.Found) > found {
		if u := UsageOf(it); u != nil {
			c.Th.Found[len(c.Th.Found)-1].Before = &u.Input
		}
	}
}

// Element adds the messages that one element of a list holds: each tool result
// and each compaction block is one of its own.
func (f Messages) Element(c *codec.Chat, v jspan.Value, p model.Piece) {
	f.elementOf(c, v, f.members(c, v), p)
}

// elementOf adds the messages of an element of which m is known.
func (f Messages) elementOf(c *codec.Chat, v jspan.Value, m model.Message, p model.Piece) {
	content := v.Get("content")
	runs := codec.BlockRuns(m, content)
	alone := len(runs) == 1 && runs[0].Compaction // is still a block, in whose place another can be
	if len(runs) <= 1 && !alone {
		r := codec.BlockRun{Kind: m.Kind}
		if len(runs) == 1 {
			r = runs[0]
		}
		m.Pieces = []model.Piece{p}
		f.addRun(c, v, m, r)
		return
	}
	f.split(c, v, m, runs, c.B.Array(content, p))
}

// split adds one message for every run of blocks.
func (f Messages) split(c *codec.Chat, v jspan.Value, m model.Message, runs []codec.BlockRun, list int32) {
	usage := m.Usage
	for k, r := range runs {
		m.Usage = nil
		if k == len(runs)-1 {
			m.Usage = usage
		}
		m.Pieces = nil
		for i := r.From; i < r.To; i++ {
			m.Pieces = append(m.Pieces, c.B.Elem(list, i))
		}
		f.addRun(c, v, m, r)
	}
}

// note takes in what a block is to its message.
func (Messages) note(c *codec.Chat, m *model.Message, e jspan.Value) {
	switch kind := e.Get("type").TextN(60); kind {
	case "tool_use", "server_tool_use", "mcp_tool_use":
		call := model.Call{ID: e.Get("id").TextN(200), Name: c.B.Intern(e.Get("name").TextN(200))}
		if call.ID == "" && kind == "tool_use" {
			call.ID = "#" + strconv.Itoa(len(m.Calls)+1)
		}
		m.Calls = append(m.Calls, call)
		if by := e.Get("caller", "tool_id").TextN(200); by != "" {
			m.Links = append(m.Links, model.Link{ID: by})
		}
	case "tool_result":
		m.Answers, m.Error = e.Get("tool_use_id").TextN(200), e.Get("is_error").Bool()
		m.Name = c.B.Intern(e.Get("name").TextN(200))
	case "compaction":
		m.Sealed = m.Kind == model.KindSummary && codec.HoldsCheckpoint(e) && e.Get("content").TextN(1) == ""
	default:
		m.Signed = m.Signed || codec.SignedThinking(e)
		if codec.IsServedResult(kind) {
			m.Links = append(m.Links, model.Link{ID: e.Get("tool_use_id").TextN(200), Result: true})
		}
	}
}

// addRun completes the message of one run and adds it.
func (f Messages) addRun(c *codec.Chat, v jspan.Value, m model.Message, r codec.BlockRun) {
	content := v.Get("content")
	m.Kind = r.Kind
	if m.Kind == model.KindResult {
		m.Role = model.RoleTool
	}
	var head codec.Headline
	each := func(e jspan.Value) {
		head.Add(blockHead(e))
		f.note(c, &m, e)
	}
	if content.Kind == jspan.Array {
		for i, e := range content.Items {
			if i >= r.From && (i < r.To || r.To == 0) {
				each(e)
			}
		}
	} else {
		each(content)
	}
	c.Served = true
	if m.Kind == model.KindUser && m.Origin == model.OriginUnknown {
		if m.Origin = head.Origin(); m.Origin == model.OriginTyped && c.UserOrigin(head.Text) == model.OriginObservation {
			m.Origin = model.OriginObservation
		}
	}
	if r.Compaction {
		c.HidePast()
	}
	c.AddHeaded(m, &head, v)
}

// members reads what a message has beside its content.
func (Messages) members(c *codec.Chat, v jspan.Value) (m model.Message) {
	var role jspan.Value
	for key, val := range v.Each {
		switch string(key) {
		case "role":
			role = val
		case "id", "_uuid", "uuid":
			m.ID = val.TextN(200)
		case "ts", "timestamp", "created_at":
			m.Time = codec.Millis(val)
		case "model":
			m.Model = c.B.Intern(val.TextN(200))
		case "modelInfo":
			m.Model = c.B.Intern(codec.FirstOf(val.Get("id").TextN(200), val.Get("modelId").TextN(200)))
		case "usage", "metrics", "_tokens":
			if u := UsageOf(val); u != nil {
				m.Usage = u
			}
		case "tool_call_id", "tool_use_id":
			m.Answers = val.TextN(200)
		case "_harness_notice":
			if val.Bool() {
				m.Origin = model.OriginInjected
			}
		}
	}
	m.Role, m.Kind = codec.RoleOf(role)
	if m.Kind == model.KindOther {
		c.B.NoteRole(v, "role", role.TextN(40))
	}
	return m
}

// blockHead is the beginning of what a block says.
func blockHead(e jspan.Value) string {
	switch e.Kind {
	case jspan.String:
		return e.TextN(codec.PreviewScan)
	case jspan.Object:
		if t := e.Get("text"); t.Kind == jspan.String {
			return t.TextN(codec.PreviewScan)
		}
		switch c := e.Get("content"); c.Kind {
		case jspan.String:
			return c.TextN(codec.PreviewScan)
		case jspan.Array:
			return c.Index(0).Get("text").TextN(codec.PreviewScan)
		}
	}
	return ""
}

// UsageOf reads the spellings of the API, of Cline and of others. The
// API counts cached input beside input_tokens; the others within.
func UsageOf(v jspan.Value) *model.Usage {
	switch {
	case v.Has("input_tokens"):
		u := &model.Usage{CacheRead: codec.Tokens(v.Get("cache_read_input_tokens")),
			CacheWrite: codec.Tokens(v.Get("cache_creation_input_tokens")),
			Output:     codec.Tokens(v.Get("output_tokens"))}
		u.Input = codec.Tokens(v.Get("input_tokens")) + u.CacheRead + u.CacheWrite
		return u
	case v.Has("inputTokens"):
		return &model.Usage{Input: codec.Tokens(v.Get("inputTokens")), CacheRead: codec.Tokens(v.Get("cacheReadTokens")),
			CacheWrite: codec.Tokens(v.Get("cacheWriteTokens")), Output: codec.Tokens(v.Get("outputTokens"))}
	case v.Get("tokens").Kind == jspan.Object:
		t := v.Get("tokens")
		return &model.Usage{Input: codec.Tokens(t.Get("prompt")), CacheRead: codec.Tokens(t.Get("cached")),
			Output: codec.Tokens(t.Get("completion"))}
	case v.Has("input") && v.Has("output"):
		return &model.Usage{Input: codec.Tokens(v.Get("input")), CacheRead: codec.Tokens(v.Get("cache_read")),
			CacheWrite: codec.Tokens(v.Get("cache_write")), Output: codec.Tokens(v.Get("output"))}
	}
	return nil
}

// Parts implements [model.Codec]. A piece is a message, one of its blocks, or
// the value of a system prompt.
func (Messages) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	var out []model.Part
	err := codec.EachPiece(d, m, func(v jspan.Value) {
		switch {
		case v.Kind != jspan.Object:
			out = codec.BlockParts(v, out)
		case v.Has("role"):
			out = messageParts(m, v.Get("content"), out)
		default:
			out = codec.BlockPart(v, out)
		}
	})
	if err != nil {
		return nil, err
	}
	k := 0
	for i := range out {
		p := &out[i]
		switch p.Kind {
		case model.PartResult:
			p.Name = m.Name
			if p.CallID == "" {
				p.CallID = m.Answers
			}
		case model.PartCall:
			if p.CallID != "" {
				continue
			}
			for k < len(m.Calls) && !strings.HasPrefix(m.Calls[k].ID, "#") {
				k++
			}
			if k < len(m.Calls) {
				p.CallID = m.Calls[k].ID
				k++
			}
		}
	}
	return out, nil
}

// messageParts decodes a whole message. A result of role tool has its text as
// plain content.
func messageParts(m *model.Message, content jspan.Value, out []model.Part) []model.Part {
	if m.Kind == model.KindResult && content.Kind == jspan.String {
		return append(out, model.Part{Kind: model.PartResult, CallID: m.Answers, Text: content.Text(), Error: m.Error})
	}
	return codec.BlockParts(content, out)
}
