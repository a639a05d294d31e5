package histories

import (
	"bytes"
	"context"
	"hash/maphash"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/internal/openai"
	"palimpsest/model/transcript/jspan"
)

// AgentState reads the persisted conversation of a token-share compactor:
// the full history, the compressed list that is sent, and a record of
// each compression.
//
// The full history is the History of the thread; the compressed list is its
// live view. A message that is in both is stored once, and its piece is the
// one in the compressed list: the full history is never edited.
//
// The value in the registry is empty; that of a document knows its lists.
type AgentState struct {
	codec.InPlace
	lists map[*model.Thread]stateLists
}

// stateLists is where the lists of one conversation are.
type stateLists struct {
	object        model.Span // the conversation
	full, runtime int32      // indices of arrays; runtime is -1 when there is no compressed list yet
	compressions  int32      // index of an array; -1 when there is none
}

func (AgentState) Info() codec.Info {
	return codec.Info{Format: model.FormatAgentState, Title: "Agent state (full and compressed list)",
		How: "an object with agentId, messages, runtimeMessages and compressions"}
}

func isAgentState(v jspan.Value) bool {
	return v.Kind == jspan.Object && v.Has("agentId") && v.Get("messages").Kind == jspan.Array &&
		(v.Get("runtimeMessages").Kind == jspan.Array || v.Get("compressions").Kind == jspan.Array)
}

func (AgentState) Recognise(s *codec.Sniff) (int, string) {
	const why = "agentId, messages and runtimeMessages"
	if s.JSONLines {
		if s.Share(isAgentState) >= 0.5 {
			return 95, "one object a line with " + why
		}
		return 0, ""
	}
	if isAgentState(s.Whole) || s.Whole.Kind == jspan.Array && isAgentState(s.Whole.Index(0)) {
		return 95, "an object with " + why
	}
	return 0, ""
}

func (f AgentState) Read(ctx context.Context, b *codec.Builder) error {
	f.lists = map[*model.Thread]stateLists{}
	b.Doc.Codec = f
	return b.EachValue(ctx, func(v jspan.Value) { f.state(b, v) })
}

// state reads one agent's conversation.
func (f AgentState) state(b *codec.Builder, v jspan.Value) {
	if !isAgentState(v) {
		b.NoteAt(v, "unknown-record", "not an agent's conversation; it is kept in place")
		return
	}
	c := b.NewChat()
	defer c.Finish()
	id := v.Get("agentId").TextN(200)
	c.Conv.ID, c.Th.AgentID = id, id
	c.Conv.Agents = []model.Agent{{ID: id, Name: id}}
	full, runtime := v.Get("messages"), v.Get("runtimeMessages")
	if x := v.Get("config"); x.Exists() {
		c.Th.Saved = b.Span(x)
	}
	if n := v.Get("tokenUsage", "maxTokens"); n.Exists() {
		c.Conv.Window = codec.Tokens(n)
	}
	lists := stateLists{object: b.Span(v), full: b.Array(full, model.Piece{}), runtime: -1, compressions: -1}
	for i, e := range full.Items {
		b.Doc.Items++
		f.element(c, e, b.Elem(lists.full, i))
	}
	if runtime.Count() > 0 && runtime.Kind == jspan.Array {
		lists.runtime = b.Array(runtime, model.Piece{})
		f.readRuntimeList(c, full, runtime, lists.runtime)
	}
	if list := v.Get("compressions"); list.Kind == jspan.Array {
		lists.compressions = b.Array(list, model.Piece{})
		f.readCompressions(c, list)
	}
	f.lists[c.Th] = lists
	if u := v.Get("tokenUsage", "usedTokens"); u.Exists() {
		f.lastUsage(c, codec.Tokens(u))
	}
}

// element reads a message in OpenAI's form.
func (AgentState) element(c *codec.Chat, v jspan.Value, p model.Piece) {
	m := openai.Chat{}.Message(c, v)
	m.Pieces = []model.Piece{p}
	if m.Kind == model.KindSummary { // in the full history it is a message like others
		m.Kind = model.KindSystem
	}
	c.Add(m, v)
}

// readRuntimeList matches the compressed list with both ends of the full one. What
// matches is live in its place; what is between is stored besides.
func (AgentState) readRuntimeList(c *codec.Chat, full, readRuntimeList jspan.Value, list int32) {
	b, th := c.B, c.Th
	have, all := hashes(readRuntimeList), hashes(full)
	n, k := len(have), len(all)
	tail := 0
	for tail < n && tail < k && have[n-1-tail] == all[k-1-tail] {
		tail++
	}
	head := 0
	for head < n-tail && head < k-tail && have[head] == all[head] {
		head++
	}
	for i := range head {
		th.Messages[th.History[i]].Pieces = []model.Piece{b.Elem(list, i)}
	}
	for i := range tail {
		th.Messages[th.History[k-1-i]].Pieces = []model.Piece{b.Elem(list, n-1-i)}
	}
	if tail == k && tail == n {
		return // nothing was compressed yet
	}
	base := append([]int32(nil), th.History[:head]...)
	own := *c
	own.ForgetCalls()
	readRuntimeList.Items(func(i int, e jspan.Value) bool {
		if i < head || i >= n-tail {
			return i < n-tail
		}
		m := openai.Chat{}.Message(&own, e)
		m.Pieces = []model.Piece{b.Elem(list, i)}
		own.Pair(&m, e)
		base = append(base, int32(len(th.Messages)))
		th.Messages = append(th.Messages, m)
		return true
	})
	th.Resets = []model.Reset{{At: k - tail, Base: base}}
}

// hashes gives one hash an element; equal messages are spelled the same within a
// file but for their indent.
func hashes(v jspan.Value) []uint64 {
	var out []uint64
	var h maphash.Hash
	h.SetSeed(hashSeed)
	for _, e := range v.Items {
		h.Reset()
		for _, line := range bytes.Split(e.Raw(), []byte("\n")) {
			h.Write(bytes.TrimSpace(line))
		}
		out = append(out, h.Sum64())
	}
	return out
}

var hashSeed = maphash.MakeSeed()

// readCompressions lists the compressions that the file records. Where in the full
// history they took effect, and what they left, follows from their ranges and counts.
func (AgentState) readCompressions(c *codec.Chat, list jspan.Value) {
	th := c.Th
	end, base := len(th.History), []int32(nil)
	if len(th.Resets) > 0 {
		end, base = th.Resets[0].At, th.Resets[0].Base
	}
	var summaries []int32
	for _, i := range base {
		if th.Messages[i].Kind == model.KindSummary {
			summaries = append(summaries, i)
		}
	}
	count, covered := list.Count(), 0
	for i, e := range list.Items {
		// the first replaces n messages by one; a later one also takes the summary before it
		if gone := codec.Tokens(e.Get("originalCount")) - codec.Tokens(e.Get("newCount")); gone > 0 {
			covered += gone
		}
		at := min(covered+2, end) // the system prompt, and the message the summary replaces
		if given := e.Get("historyRange", "end"); given.Exists() {
			at = min(codec.Tokens(given), end)
		}
		if i == count-1 {
			at = end
		}
		before := 0
		if n := len(th.Found); n > 0 {
			before = th.Found[n-1].At
		}
		summary := int32(-1)
		if k := len(summaries) - (count - i); k >= 0 {
			summary = summaries[k] // the newest ones are still there
		}
		cut := at
		if start := e.Get("compressedRange", "start"); start.Exists() {
			from := min(codec.Tokens(start), cut)
			stayed := max(codec.Tokens(e.Get("newCount"))-from-1, 0) // after the summary
			at = max(min(cut+stayed, len(th.History)), before)
			switch k := len(th.Resets) - 1; {
			case k < 0:
			case i == count-1:
				th.Resets[k].Base = append(th.Resets[k].Base, th.History[cut:at]...)
				th.Resets[k].At = at
			case e.Get("summary").Kind == jspan.String:
				if summary < 0 {
					summary = int32(len(th.Messages))
					th.Messages = append(th.Messages, formerSummary(c, e))
				}
				left := slices.Concat(th.History[:from], []int32{summary}, th.History[cut:at])
				th.Resets = slices.Insert(th.Resets, k, model.Reset{At: at, Base: left})
			}
		}
		th.Found = append(th.Found, model.Found{At: max(at, before), Summary: int(summary), Time: codec.Millis(e.Get("timestamp"))})
	}
}

// formerSummary is the summary of a compression that is in its record alone.
func formerSummary(c *codec.Chat, record jspan.Value) model.Message {
	text := record.Get("summary")
	return model.Message{Kind: model.KindSummary, Role: model.RoleSystem, Preview: codec.Preview(text.TextN(codec.PreviewScan)),
		Time: codec.Millis(record.Get("timestamp")), Pieces: []model.Piece{c.B.Record(text)}}
}

// lastUsage gives the reported size of the context to the last answer.
func (AgentState) lastUsage(c *codec.Chat, n int) {
	if n == 0 {
		return
	}
	for k := len(c.Th.History) - 1; k >= 0; k-- {
		if m := &c.Th.Messages[c.Th.History[k]]; m.Kind == model.KindAssistant {
			if m.Usage == nil {
				m.Usage = &model.Usage{Input: n}
			}
			return
		}
	}
}

// Parts implements [model.Codec].
func (AgentState) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	if m.Kind == model.KindSummary {
		v, err := edit.ParseAt(d, m.Pieces[0].Span)
		if err != nil || v.Kind == jspan.String {
			return []model.Part{{Kind: model.PartText, Text: v.Text()}}, err
		}
	}
	return openai.Chat{}.Parts(d, m)
}
