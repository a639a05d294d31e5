package anthropic

import (
	"hash/maphash"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// ccSeen is what can be known of a record without those before it. Its bytes are good
// until the record is taken.
type ccSeen struct {
	kind   ccKind
	side   bool
	root   bool // it says that nothing is before it
	titled bool // it holds a title, or may
	weight uint8
	when   int64
	prompt uint64

	agent, uuid, parent, session, dir []byte
	message                           jspan.Value

	// of what a person, a tool or the model said
	content         jspan.Value
	blocks, results int    // of the content
	role            string // another one than the record's kind names; "" if it is that
	said            []ccSaid

	// of an answer
	answer    bool // it is the model's
	named     bool // it can have an id
	id, model []byte
	usage     model.Usage
	calls     []ccCallSeen
	links     []ccLinkSeen

	agentID, agentType []byte // of the agent whose result it is
}

// ccSaid is a message without its pieces.
type ccSaid struct {
	message model.Message
	answers []byte // the call whose result it is
}

// ccCallSeen is a call that an answer makes.
type ccCallSeen struct {
	id, name []byte
	provided bool // run by the provider, mostly with its result in the same message
	agent    []byte
	prompt   uint64 // that an agent is started with
}

// ccLinkSeen is a link of an answer.
type ccLinkSeen struct {
	id     []byte
	result bool
}

// ccSeer looks at records.
type ccSeer struct {
	codec.Texts
	seed  maphash.Seed
	seen  []ccSeen
	taken int          // of the records that were seen
	said  []ccSaid     // of which records have parts
	calls []ccCallSeen // of which records have parts
}

// Reset implements [codec.Seer].
func (s *ccSeer) Reset() { s.seen, s.taken, s.said, s.calls = s.seen[:0], 0, s.said[:0], s.calls[:0] }

// next is what was seen of the record that comes next.
func (s *ccSeer) next() *ccSeen {
	s.taken++
	return &s.seen[s.taken-1]
}

// See implements [codec.Seer].
func (s *ccSeer) See(v jspan.Value) {
	var f ccFields
	f.fill(v)
	s.seen = append(s.seen, ccSeen{kind: ccKindOf(f.kind), side: f.side.Bool(), root: f.parent.Kind == jspan.Null,
		when: codec.Millis(f.time), agent: f.agent.Bytes(), uuid: f.uuid.Bytes(), parent: f.parent.Bytes(),
		session: f.session.Bytes(), dir: f.cwd.Bytes(), message: f.message})
	x := &s.seen[len(s.seen)-1]
	x.titled = x.kind == ccLoose || f.customTitle.Exists()
	said, calls := len(s.said), len(s.calls)
	switch x.kind {
	case ccUser:
		s.user(x, &f)
	case ccAssistant:
		// Some programs keep what a tool said as what the model does.
		if x.answer = !f.message.Get("content").Index(0).Get("type").Is("tool_result"); x.answer {
			s.assistant(x, &f)
		} else {
			s.user(x, &f)
		}
	}
	x.said, x.calls = s.said[said:], s.calls[calls:]
}

// user looks at a user record: a message for each tool result in it, and one for what
// else it holds.
func (s *ccSeer) user(x *ccSeen, f *ccFields) {
	x.content = f.message
	if x.content.Kind == jspan.Object {
		if role := x.content.Get("role"); !role.Is("user") && x.kind == ccUser {
			x.role = role.TextN(20)
		}
		x.content = x.content.Get("content")
	}
	for _, b := range x.content.Items {
		x.blocks++
		if b.Get("type").Is("tool_result") {
			x.results++
		}
	}
	if x.results == 0 {
		s.said = append(s.said, ccSaid{message: s.userMessage(x, f)})
		return
	}
	rest := false
	for _, b := range x.content.Items {
		switch {
		case b.Get("type").Is("tool_result"):
			s.said = append(s.said, ccSaid{model.Message{Role: model.RoleTool, Kind: model.KindResult, Error: b.Get("is_error").Bool(),
				Preview: s.Preview(codec.FirstText(b.Get("content")))}, b.Get("tool_use_id").Bytes()})
		case !rest:
			rest = true
			s.said = append(s.said, ccSaid{message: s.userMessage(x, f)})
		}
	}
	x.agentID, x.agentType = f.result.Get("agentId").Bytes(), f.result.Get("agentType").Bytes()
}

func (s *ccSeer) userMessage(x *ccSeen, f *ccFields) model.Message {
	m := model.Message{Role: model.RoleUser, Kind: model.KindUser, Origin: model.OriginInjected}
	typed, first, image := "", "", false
	each := func(text jspan.Value) {
		if first == "" {
			first = text.TextN(codec.PreviewScan)
		}
		if typed == "" {
			typed = codec.TypedHead(text)
		}
	}
	if x.content.Kind == jspan.String {
		each(x.content)
	}
	for _, b := range x.content.Items {
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
	if x.side { // for the main agent's own words nobody asks
		text := x.content
		if text.Kind != jspan.String {
			text = text.Index(0).Get("text")
		}
		x.prompt = s.promptHash(text.Text())
	}
	if first == "" && image {
		first = "[image]"
	}
	m.Preview = codec.Preview(first)
	return m
}

func (s *ccSeer) promptHash(text string) uint64 {
	if text = strings.TrimSpace(text); text == "" {
		return 0
	}
	return maphash.String(s.seed, text) | 1
}

// assistant looks at an assistant record, which mostly holds one block of the model's
// answer.
func (s *ccSeer) assistant(x *ccSeen, f *ccFields) {
	msg := f.message
	m := model.Message{Role: model.RoleAssistant, Kind: model.KindAssistant}
	content := msg
	if msg.Kind == jspan.Object {
		content = msg.Get("content")
		x.named, x.id, x.model = true, msg.Get("id").Bytes(), msg.Get("model").Bytes()
		x.usage = ccUsage(msg.Get("usage"))
	}
	m.Preview = s.Preview(codec.FirstText(content))
	blank := strings.TrimSpace(m.Preview) == ""
	reasoning, call := "", ""
	for _, b := range content.Items {
		switch string(b.Get("type").Bytes()) {
		case "tool_use":
			c := s.call(b)
			s.calls = append(s.calls, c)
			if by := b.Get("caller", "tool_id"); by.Kind == jspan.String {
				x.links = append(x.links, ccLinkSeen{by.Bytes(), false})
			}
			if blank && call == "" {
				call = string(c.name) + " " + codec.RawHead(b.Get("input"))
			}
		case "server_tool_use", "mcp_tool_use":
			s.calls = append(s.calls, ccCallSeen{id: b.Get("id").Bytes(), name: b.Get("name").Bytes(), provided: true})
		case "thinking", "redacted_thinking":
			m.Signed = m.Signed || codec.SignedThinking(b)
			if blank {
				reasoning = b.Get("thinking").TextN(codec.PreviewScan)
			}
		default:
			if of := b.Get("tool_use_id"); of.Kind == jspan.String && codec.IsServedResult(b.Get("type").TextN(60)) {
				x.links = append(x.links, ccLinkSeen{of.Bytes(), true})
			}
		}
	}
	if blank {
		m.Preview = codec.Preview(codec.FirstOf(call, reasoning))
	}
	switch {
	case !blank:
		x.weight = 3
	case call != "":
		x.weight = 2
	case reasoning != "":
		x.weight = 1
	}
	s.said = append(s.said, ccSaid{message: m})
}

func (s *ccSeer) call(b jspan.Value) ccCallSeen {
	c := ccCallSeen{id: b.Get("id").Bytes(), name: b.Get("name").Bytes()}
	if startsAgent(string(c.name)) {
		input := b.Get("input")
		c.agent, c.prompt = input.Get("subagent_type").Bytes(), s.promptHash(input.Get("prompt").Text())
	}
	return c
}

// startsAgent reports whether a call of that name starts an agent.
func startsAgent(name string) bool { return name == "Task" || name == "Agent" }

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
