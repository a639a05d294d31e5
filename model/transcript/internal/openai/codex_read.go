package openai

import (
	"bytes"
	"hash/maphash"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// codexReader builds the one conversation of a rollout.
type codexReader struct {
	*codec.Builder
	Th     *model.Thread
	Conv   *model.Conversation
	model  string
	window int

	branch  []int32              // stored index → 0 main line, n the n-th rolled-back branch
	rolled  int32                // branches so far
	answer  int32                // stored index of the assistant message that items are added to; -1: none
	calls   map[string]codexCall // by id
	pairs   model.NamedPairing
	seed    maphash.Seed
	scratch []byte // for texts that are only hashed

	eventTexts map[uint64][]model.Piece // events that came before what they repeat
	itemTexts  map[uint64][]int32       // messages with texts that no event has repeated yet, in their order
	byCall     map[string][]model.Piece // events about a call that has no result yet
	search     []model.Piece            // events about a web search whose item comes next
	typed      map[int32]bool           // user messages that an event repeats
	events     bool                     // there are user_message events

	usage  *model.Usage  // reported before the answer it belongs to
	counts []model.Piece // the events that reported it
	early  bool          // usage comes before the answer (2025)
	totals uint64        // of the usage reported last, to know a repetition
}

// codexCall is what is known of a call id. Messages are given by stored index plus
// one; 0 is none.
type codexCall struct {
	name   string // of the tool
	by     int32  // the message that makes the call
	result int32  // the latest result
}

// NewCodexReader begins an empty conversation. Its thread may be replaced before
// the first item.
func NewCodexReader(b *codec.Builder) *codexReader {
	r := &codexReader{Builder: b, Th: &model.Thread{}, Conv: &model.Conversation{}, answer: -1, seed: maphash.MakeSeed(),
		eventTexts: map[uint64][]model.Piece{}, itemTexts: map[uint64][]int32{}, byCall: map[string][]model.Piece{},
		typed: map[int32]bool{}, calls: map[string]codexCall{}}
	return r
}

// Record takes in one record of a rollout.
func (r *codexReader) Record(v jspan.Value, p model.Piece) {
	payload, when := v.Get("payload"), codec.Millis(v.Get("timestamp"))
	if payload.Kind != jspan.Object {
		if IsBareItem(v) || codec.KindOfItem(v) != codec.ItemOther {
			r.Doc.Items++
			r.Item(v, p, when)
		} else if v.Has("instructions") && v.Has("id") {
			r.meta(v)
		}
		return
	}
	switch string(v.Get("type").Bytes()) {
	case "session_meta":
		r.meta(payload)
	case "turn_context":
		if m := payload.Get("model").Text(); m != "" {
			r.model = r.Intern(m)
		}
		if r.Conv.Dir == "" {
			r.Conv.Dir = payload.Get("cwd").Text()
		}
	case "response_item", "inter_agent_communication":
		r.Doc.Items++
		r.Item(payload, p, when)
	case "event_msg":
		r.event(payload, p)
	case "compacted":
		r.compacted(payload, p, when)
	}
}

func (r *codexReader) meta(v jspan.Value) {
	if r.Conv.ID != "" {
		return // a resume repeats it
	}
	r.Conv.ID = codec.FirstOf(v.Get("id").Text(), v.Get("session_id").Text())
	r.Th.ID, r.Th.AgentID = r.Conv.ID, r.Conv.ID
	if cwd := v.Get("cwd").Text(); cwd != "" {
		r.Conv.Dir = cwd
	}
	a := model.Agent{ID: r.Conv.ID, Name: codec.FirstOf(v.Get("agent_nickname").Text(), v.Get("agent_role").Text())}
	if sub := v.Get("source", "subagent"); sub.Kind == jspan.String {
		a.Name = codec.FirstOf(a.Name, sub.Text())
	} else if sub.Exists() {
		spawn := sub.Get("thread_spawn")
		a.Parent = spawn.Get("parent_thread_id").Text()
		a.Name = codec.FirstOf(a.Name, spawn.Get("agent_nickname").Text(), spawn.Get("agent_role").Text())
	}
	a.Parent = codec.FirstOf(a.Parent, v.Get("parent_thread_id").Text())
	r.Conv.Agents = []model.Agent{a}
}

// add stores a message.
func (r *codexReader) add(m model.Message) int32 {
	r.Th.Messages = append(r.Th.Messages, m)
	r.branch = append(r.branch, 0)
	return int32(len(r.Th.Messages) - 1)
}

// Item takes a response item into the history.
func (r *codexReader) Item(v jspan.Value, p model.Piece, when int64) {
	kind := codec.KindOfItem(v)
	m := model.Message{ID: r.ID(v.Get("id")), Time: when}
	if kind == codec.ItemAnswer || kind == codec.ItemMessage && v.Get("role").Is("assistant") {
		r.answerItem(v, kind, p, m)
		return
	}
	m.Pieces = []model.Piece{p}
	if kind != codec.ItemOther {
		r.answer = -1
	}
	switch kind {
	case codec.ItemResult:
		r.result(v, m)
	case codec.ItemMessage:
		r.messageItem(v, m)
	case codec.ItemAgent:
		m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginInjected
		m.Name, m.Preview = r.Intern(v.Get("author").Text()), codec.Preview(itemText(v))
		r.history(r.add(m))
	case codec.ItemSummary:
		summaryItem(v, &m)
		r.summary(r.add(m))
	default:
		m.Role, m.Kind = model.RoleOther, model.KindOther
		m.Preview = codec.Preview(v.Get("type").TextN(80))
		r.add(m) // kept, and not sent to the model
	}
}

// summaryItem makes a message of an item that stands for others. Most are encrypted.
func summaryItem(v jspan.Value, m *model.Message) {
	m.Role, m.Kind, m.Preview, m.Sealed = model.RoleAssistant, model.KindSummary, codec.EncryptedSummary, true
	for _, p := range codec.ItemParts(v, nil) {
		if p.Kind == model.PartText && p.Text != "" {
			m.Preview, m.Sealed = codec.Preview(codec.HeadOf(p.Text)), false
			break
		}
	}
}

func (r *codexReader) history(at int32) { r.Th.History = append(r.Th.History, at) }

// summary is one more message of the live list when it is among the items.
func (r *codexReader) summary(at int32) {
	here := len(r.Th.History)
	r.Th.Found = append(r.Th.Found, model.Found{At: here, Summary: int(at), Time: r.Th.Messages[at].Time})
	r.Th.Resets = append(r.Th.Resets, model.Reset{At: here, Base: append(r.Th.Live(here), at)})
}

func (r *codexReader) messageItem(v jspan.Value, m model.Message) {
	r.shape(v, &m)
	at := r.add(m)
	if m.Kind == model.KindSummary {
		r.summary(at)
		return
	}
	r.history(at)
	if m.Kind == model.KindUser {
		h := r.textHash('u', r.joinedText(v))
		if pieces := r.eventTexts[h]; len(pieces) > 0 {
			r.duplicate(at, pieces[0])
			r.eventTexts[h], r.typed[at] = pieces[1:], true
			return
		}
		r.itemTexts[h] = append(r.itemTexts[h], at)
	}
}

// shape fills in role and kind of a message item that is not the assistant's.
func (r *codexReader) shape(v jspan.Value, m *model.Message) {
	text := itemText(v)
	m.Preview = codec.Preview(text)
	role := v.Get("role").TextN(20)
	switch role {
	case "user":
		codec.SetUser(m, text)
	case "developer":
		m.Role, m.Kind = model.RoleDeveloper, model.KindSystem
	case "system":
		m.Role, m.Kind = model.RoleSystem, model.KindSystem
	case "assistant":
		m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
	default:
		m.Role, m.Kind = model.RoleOther, model.KindOther
		r.Note("unknown-role", "a message of the role "+role+"; kept as it is")
	}
	if codec.IsSummaryText(text) && m.Kind != model.KindAssistant {
		m.Kind, m.Origin = model.KindSummary, model.OriginUnknown
	}
}

// answerItem adds an item to the assistant message that is open.
func (r *codexReader) answerItem(v jspan.Value, kind codec.ItemKind, p model.Piece, m model.Message) {
	at := r.answer
	if at < 0 {
		m.Pieces = []model.Piece{p}
		m.Role, m.Kind, m.Model, m.Usage = model.RoleAssistant, model.KindAssistant, r.model, r.usage
		at = r.add(m)
		r.duplicates(at, r.counts)
		r.usage, r.counts = nil, nil
		r.answer = at
		r.history(at)
	} else {
		r.Th.Messages[at].Pieces = append(r.Th.Messages[at].Pieces, p)
	}
	a := &r.Th.Messages[at]
	if kind == codec.ItemMessage {
		if text := r.joinedText(v); len(text) > 0 {
			a.Preview = codec.Preview(codec.ViewOf(text))
			r.matchText(r.textHash('a', text), at)
		}
		return
	}
	if c, calls := r.CallOf(v); calls {
		a.Calls = append(a.Calls, c)
		if c.ID != "" {
			known := r.calls[c.ID]
			known.name, known.by = c.Name, at+1
			r.calls[c.ID] = known
			r.pairs.Call(r.pairs.ID(c.ID), at)
		}
		if a.Preview == "" {
			a.Preview = codec.Preview(c.Name + " " + codec.SpelledHead(codec.CallArguments(v)))
		}
		if c.Name == "web_search" {
			r.duplicates(at, r.search)
			r.search = nil
		}
		return
	}
	if v.Get("type").Is("reasoning") {
		for _, k := range []string{"summary", "content"} {
			for _, s := range v.Get(k).Items {
				r.matchText(r.textHash('r', s.Get("text").Bytes()), at)
			}
		}
	}
}

func (r *codexReader) result(v jspan.Value, m model.Message) {
	m.Role, m.Kind, m.Error, m.Loads = model.RoleTool, model.KindResult, r.Failed(v), codec.LoadsTools(v)
	if o := codec.OutputOf(v); o.Kind == jspan.String {
		m.Preview = r.Preview(o)
	} else if p := codec.OutputParts(v, nil); len(p) > 0 {
		m.Preview = codec.Preview(codec.HeadOf(p[0].Text))
	}
	id := r.Text(v.Get("call_id"))
	if id == "" { // no call asked for it: another agent handed over
		m.Name = r.Text(v.Get("name"))
		r.history(r.add(m))
		return
	}
	call := r.calls[id]
	m.Answers, m.Name = id, call.name
	at := r.add(m)
	r.history(at)
	switch _, tie := r.pairs.Result(r.pairs.ID(id), at); tie {
	case model.TieNone:
		r.Note("orphan-result", "the output of a call that is not before it")
	case model.TieFurther:
		r.Note("second-result", "a further output of a call that has one")
	}
	call.result = at + 1
	r.calls[id] = call
	if events := r.byCall[id]; events != nil {
		r.duplicates(at, events)
		delete(r.byCall, id)
	}
}

// itemText is the head of the first text of an item.
func itemText(v jspan.Value) string {
	c := v.Get("content")
	if c.Kind == jspan.String {
		return c.TextN(codec.PreviewScan)
	}
	for _, p := range c.Items {
		if text := p.Get("text").TextN(codec.PreviewScan); text != "" {
			return text
		}
	}
	return ""
}

func (r *codexReader) textHash(what byte, text []byte) uint64 {
	var h maphash.Hash
	h.SetSeed(r.seed)
	h.WriteByte(what)
	h.Write(bytes.TrimSpace(text))
	return h.Sum64()
}

// joinedText is all text of a message item, as events repeat it: without the tags around an
// image. It is good until the next call.
func (r *codexReader) joinedText(v jspan.Value) []byte {
	content := v.Get("content")
	if content.Kind == jspan.String {
		return content.Bytes()
	}
	r.scratch = r.scratch[:0]
	for _, c := range content.Items {
		if t, ok := codec.ContentText(c); ok && !bytes.HasPrefix(t.Bytes(), []byte("<image name=")) && !t.Is("</image>") {
			r.scratch = t.AppendText(r.scratch)
		}
	}
	return r.scratch
}
