package transcript

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// anthropic reads Anthropic Messages: arrays, requests, responses and arrays of
// both.
type anthropic struct{}

func (anthropic) info() Info {
	return Info{model.FormatAnthropic, "Anthropic Messages",
		"messages whose content holds tool_use, tool_result or thinking blocks, or a system prompt beside user and assistant messages"}
}

func (anthropic) recognise(s *sniff) (int, string) {
	g := s.requests()
	switch {
	case g.shape == "":
		return 0, ""
	case g.anthropic > g.openai:
		return 75, g.shape + " with " + g.what
	case g.anthropic+g.openai == 0 && !s.jsonl && !g.otherRoles && besideSystem(s.whole):
		return 72, g.shape + " beside a system prompt, with roles user and assistant only"
	case g.anthropic+g.openai == 0 && !g.otherRoles && g.blocks:
		return 66, g.shape + " with assistant text in blocks, as the Anthropic API answers"
	case g.anthropic+g.openai == 0 && !g.otherRoles && g.claude:
		return 66, g.shape + " for a model of Anthropic's"
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

func (f anthropic) read(ctx context.Context, b *builder) error { return readRequests(ctx, b, f) }

func (anthropic) system(c *chat, v jspan.Value) {
	if v.Kind == jspan.String || v.Kind == jspan.Array && v.Count() > 0 {
		addSystem(c, v)
	}
}

// response adds the answer of a response object. Its blocks are the elements
// that edits take hold of, so that the object stays what it is.
func (f anthropic) response(c *chat, v jspan.Value, held model.Piece) {
	content := v.Get("content")
	if content.Kind != jspan.Array {
		return
	}
	c.b.doc.Items++
	m := f.members(c, v)
	runs := blockRuns(m, content)
	found := len(c.th.Found)
	f.split(c, v, m, runs, c.b.array(content, held))
	if it := v.Get("usage", "iterations").Index(0); it.Get("type").TextN(12) == "compaction" && len(c.th.Found) > found {
		before := anthropicUsage(it).Input
		c.th.Found[len(c.th.Found)-1].Before = &before
	}
}

// element adds the messages that one element of a list holds: each tool result
// and each compaction block is one of its own.
func (f anthropic) element(c *chat, v jspan.Value, p model.Piece) {
	f.elementOf(c, v, f.members(c, v), p)
}

// elementOf adds the messages of an element of which m is known.
func (f anthropic) elementOf(c *chat, v jspan.Value, m model.Message, p model.Piece) {
	content := v.Get("content")
	runs := blockRuns(m, content)
	if len(runs) <= 1 {
		r := blockRun{kind: m.Kind}
		if len(runs) == 1 {
			r = runs[0]
		}
		m.Pieces = []model.Piece{p}
		f.addRun(c, v, m, r)
		return
	}
	f.split(c, v, m, runs, c.b.array(content, p))
}

// split adds one message for every run of blocks.
func (f anthropic) split(c *chat, v jspan.Value, m model.Message, runs []blockRun, list int32) {
	usage := m.Usage
	for k, r := range runs {
		m.Usage = nil
		if k == len(runs)-1 {
			m.Usage = usage
		}
		m.Pieces = nil
		for i := r.from; i < r.to; i++ {
			m.Pieces = append(m.Pieces, c.b.elem(list, i))
		}
		f.addRun(c, v, m, r)
	}
}

// addRun completes the message of one run and adds it.
func (anthropic) addRun(c *chat, v jspan.Value, m model.Message, r blockRun) {
	content := v.Get("content")
	m.Kind = r.kind
	if m.Kind == model.KindResult {
		m.Role = model.RoleTool
	}
	head, injected, texts := "", 0, 0
	each := func(e jspan.Value) {
		text := blockHead(e)
		if text != "" {
			texts++
			if isInjectedText(text) {
				injected++
			}
			if head == "" || injected == texts-1 && isInjectedText(head) {
				head = text // the first words of a person before those of a program
			}
		}
		switch e.Get("type").TextN(12) {
		case "tool_use":
			m.Calls = append(m.Calls, model.Call{ID: e.Get("id").TextN(200), Name: c.b.intern(e.Get("name").TextN(200))})
		case "tool_result":
			m.Answers, m.Error = e.Get("tool_use_id").TextN(200), e.Get("is_error").Bool()
			m.Name = c.b.intern(e.Get("name").TextN(200))
		}
	}
	if content.Kind == jspan.Array {
		content.Items(func(i int, e jspan.Value) bool {
			if i >= r.from && (i < r.to || r.to == 0) {
				each(e)
			}
			return true
		})
	} else {
		each(content)
	}
	if m.Kind == model.KindUser && m.Origin == model.OriginUnknown {
		m.Origin = model.OriginTyped
		if texts > 0 && injected == texts {
			m.Origin = model.OriginInjected
		} else if c.userOrigin(head) == model.OriginObservation {
			m.Origin = model.OriginObservation
		}
	}
	if m.Preview = preview(head); m.Preview == "" && len(m.Calls) > 0 {
		m.Preview = preview(m.Calls[0].Name)
	}
	if r.compaction {
		c.summarises()
	}
	c.add(m, v)
}

// members reads what a message tells beside its content.
func (anthropic) members(c *chat, v jspan.Value) (m model.Message) {
	var role jspan.Value
	v.Each(func(key []byte, val jspan.Value) bool {
		switch string(key) {
		case "role":
			role = val
		case "id", "_uuid", "uuid":
			m.ID = val.TextN(200)
		case "ts", "timestamp", "created_at":
			m.Time = millis(val)
		case "model":
			m.Model = c.b.intern(val.TextN(200))
		case "modelInfo":
			m.Model = c.b.intern(val.Get("id").TextN(200))
		case "usage", "metrics", "_tokens":
			if u := anthropicUsage(val); u != nil {
				m.Usage = u
			}
		case "tool_call_id", "tool_use_id":
			m.Answers = val.TextN(200)
		case "_harness_notice":
			if val.Bool() {
				m.Origin = model.OriginInjected
			}
		}
		return true
	})
	m.Role, m.Kind = roleOf(role)
	if m.Kind == model.KindOther {
		c.b.noteAt(v, "unknown-role", "unknown role "+string(quote(c.b.doc, role.TextN(40)))+"; the message is kept")
	}
	return m
}

// blockRun is a run of content blocks that is one message.
type blockRun struct {
	from, to   int // half-open; 0, 0: all of it
	kind       model.Kind
	compaction bool
}

// blockRuns cuts a content value into messages. A string, and anything that is
// one message as a whole, gives one run or none.
func blockRuns(m model.Message, content jspan.Value) []blockRun {
	if content.Kind == jspan.String {
		if k := m.Kind; (k == model.KindUser || k == model.KindSystem) && isSummaryText(content.TextN(markScan)) {
			return []blockRun{{kind: model.KindSummary}}
		}
		return nil
	}
	var runs []blockRun
	content.Items(func(i int, e jspan.Value) bool {
		r := blockRun{from: i, to: i + 1, kind: m.Kind}
		alone := true
		switch e.Get("type").TextN(12) {
		case "tool_result":
			r.kind = model.KindResult
		case "compaction":
			r.kind, r.compaction = model.KindSummary, true
		case "text":
			if alone = isSummaryText(e.Get("text").TextN(markScan)); alone {
				r.kind = model.KindSummary
			}
		default:
			alone = false
		}
		if n := len(runs); !alone && n > 0 && runs[n-1].kind == m.Kind {
			runs[n-1].to = i + 1
			return true
		}
		runs = append(runs, r)
		return true
	})
	return runs
}

// blockHead is the beginning of what a block says.
func blockHead(e jspan.Value) string {
	switch e.Kind {
	case jspan.String:
		return e.TextN(previewScan)
	case jspan.Object:
		if t := e.Get("text"); t.Kind == jspan.String {
			return t.TextN(previewScan)
		}
		switch c := e.Get("content"); c.Kind {
		case jspan.String:
			return c.TextN(previewScan)
		case jspan.Array:
			return c.Index(0).Get("text").TextN(previewScan)
		}
	}
	return ""
}

// anthropicUsage reads the spellings of the API, of Cline and of others. The
// API counts cached input beside input_tokens; the others within.
func anthropicUsage(v jspan.Value) *model.Usage {
	switch {
	case v.Has("input_tokens"):
		u := &model.Usage{CacheRead: tokens(v.Get("cache_read_input_tokens")), CacheWrite: tokens(v.Get("cache_creation_input_tokens")),
			Output: tokens(v.Get("output_tokens"))}
		u.Input = tokens(v.Get("input_tokens")) + u.CacheRead + u.CacheWrite
		return u
	case v.Has("inputTokens"):
		return &model.Usage{Input: tokens(v.Get("inputTokens")), CacheRead: tokens(v.Get("cacheReadTokens")),
			CacheWrite: tokens(v.Get("cacheWriteTokens")), Output: tokens(v.Get("outputTokens"))}
	case v.Has("input") && v.Has("output"):
		return &model.Usage{Input: tokens(v.Get("input")), CacheRead: tokens(v.Get("cache_read")),
			CacheWrite: tokens(v.Get("cache_write")), Output: tokens(v.Get("output"))}
	}
	return nil
}
