package openai

import (
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

	branch  []int32 // stored index → 0 main line, n the n-th rolled-back branch
	rolled  int32   // branches so far
	answer  int32   // stored index of the assistant message that items are added to; -1: none
	callIDs codec.IDTable
	calls   []codexCall // by number of the id
	pairs   model.Pairing
	alone   codexSeer // of records that come alone

	eventTexts map[uint64][]model.Piece // events that came before what they repeat
	itemTexts  map[uint64]textQueue     // texts that no event has repeated yet
	queued     []queuedText             // of which queues are made
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
	r := &codexReader{Builder: b, Th: &model.Thread{}, Conv: &model.Conversation{}, answer: -1, alone: codexSeer{seed: maphash.MakeSeed()},
		eventTexts: map[uint64][]model.Piece{}, itemTexts: map[uint64]textQueue{}, byCall: map[string][]model.Piece{},
		typed: map[int32]bool{}}
	return r
}

// call is what is known of the call of an id, which is noted if it is new. It is
// good until the next one is.
func (r *codexReader) call(id string) (number int32, call *codexCall) {
	n, fresh := r.callIDs.FindOrAdd(id)
	if fresh {
		r.calls = append(r.calls, codexCall{})
	}
	return n, &r.calls[n]
}

// known is what is known of the call of an id, if anything is.
func (r *codexReader) known(id string) codexCall {
	if n := r.callIDs.Find(id); n >= 0 {
		return r.calls[n]
	}
	return codexCall{}
}

// callID is the text of the id of a call.
func (r *codexReader) callID(id []byte) string {
	if n := r.callIDs.FindBytes(id); n >= 0 {
		return r.callIDs.IDs[n]
	}
	return string(id)
}

// seer makes one that looks at the records of a few lines.
func (r *codexReader) seer() codec.Seer { return &codexSeer{seed: r.alone.seed} }

// Record takes in one record of a rollout.
func (r *codexReader) Record(v jspan.Value, p model.Piece) {
	r.alone.Reset()
	r.alone.See(v)
	r.take(v, r.alone.next(), p)
}

// take takes in a record that was looked at.
func (r *codexReader) take(v jspan.Value, x *codexSeen, p model.Piece) {
	switch x.kind {
	case codexBare:
		if v.Has("instructions") && v.Has("id") {
			r.meta(v)
		}
	case codexMeta:
		r.meta(x.payload)
	case codexTurn:
		if m := x.payload.Get("model").Text(); m != "" {
			r.model = r.Intern(m)
		}
		if r.Conv.Dir == "" {
			r.Conv.Dir = x.payload.Get("cwd").Text()
		}
	case codexItemRecord:
		r.Doc.Items++
		r.takeItem(x.payload, &x.item, p, x.when)
	case codexSaid:
		r.said(x, p)
	case codexCounted:
		r.tokenCount(&x.count, p)
	case codexEvent:
		r.event(x.payload, p)
	case codexCompacted:
		r.compacted(x.payload, p, x.when)
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
	var x codexItem
	r.alone.item(v, &x)
	r.takeItem(v, &x, p, when)
}

func (r *codexReader) takeItem(v jspan.Value, x *codexItem, p model.Piece, when int64) {
	m := model.Message{ID: x.id, Time: when}
	if x.assistant {
		r.answerItem(v, x, p, m)
		return
	}
	m.Pieces = []model.Piece{p}
	switch x.kind {
	case codec.ItemResult:
		r.answer = -1
		r.result(x, m)
	case codec.ItemMessage:
		r.answer = -1
		r.messageItem(v, m)
	case codec.ItemAgent:
		r.answer = -1
		m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginInjected
		m.Name, m.Preview = r.Intern(v.Get("author").Text()), codec.Preview(itemText(v))
		r.history(r.add(m))
	case codec.ItemSummary:
		r.answer = -1
		summaryItem(v, &m)
		r.summary(r.add(m))
	default:
		m.Role, m.Kind = model.RoleOther, model.KindOther
		m.Preview = codec.Preview(v.Get("type").TextN(80))
		r.add(m) // kept, and not sent to the model
	}
}

// EncryptedSummary is shown for a summary that only the provider can read.
const EncryptedSummary = "[encrypted summary]"

// summaryItem makes a message of an item that stands for others. Most are encrypted.
func summaryItem(v jspan.Value, m *model.Message) {
	m.Role, m.Kind, m.Preview, m.Sealed = model.RoleAssistant, model.KindSummary, EncryptedSummary, true
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
		h := r.alone.textHash('u', r.alone.joinedText(v))
		if pieces := r.eventTexts[h]; len(pieces) > 0 {
			r.duplicate(at, pieces[0])
			r.eventTexts[h], r.typed[at] = pieces[1:], true
			return
		}
		r.queue(h, at)
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
func (r *codexReader) answerItem(v jspan.Value, x *codexItem, p model.Piece, m model.Message) {
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
	if x.kind == codec.ItemMessage {
		if x.words {
			a.Preview = x.preview
			r.matchText(x.hash, at)
		}
		return
	}
	if c := x.call; x.calls {
		c.Name = r.Intern(c.Name)
		a.Calls = append(a.Calls, c)
		if c.ID != "" {
			n, x := r.call(c.ID)
			x.name, x.by = c.Name, at+1
			r.pairs.Call(n, at)
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
				r.matchText(r.alone.textHash('r', s.Get("text").Bytes()), at)
			}
		}
	}
}

func (r *codexReader) result(x *codexItem, m model.Message) {
	m.Role, m.Kind, m.Name = model.RoleTool, model.KindResult, x.call.Name
	m.Error, m.Loads, m.Preview = x.failed, x.loads, x.preview
	if len(x.callID) == 0 { // nobody called for it: another agent handed over
		r.history(r.add(m))
		return
	}
	id := r.callID(x.callID)
	n, call := r.call(id)
	m.Answers, m.Name = id, call.name
	at := r.add(m)
	r.history(at)
	switch _, tie := r.pairs.Result(n, at); tie {
	case model.TieNone:
		r.Note("orphan-result", "the output of a call that is not before it")
	case model.TieFurther:
		r.Note("second-result", "a further output of a call that has one")
	}
	call.result = at + 1
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
	text := ""
	for _, p := range c.Items {
		text = p.Get("text").TextN(codec.PreviewScan)
		if text != "" {
			break
		}
	}
	return text
}
