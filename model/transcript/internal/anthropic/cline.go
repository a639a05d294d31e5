package anthropic

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Cline reads what Cline and its descendants Roo and Kilo keep of a task: the
// list of Anthropic messages they send, with a time on each
// (api_conversation_history.json), and the session states of Cline's SDK, which
// hold such a list.
//
// Roo takes nothing out of its list when it condenses: a message names the
// summary (condenseParent) or the marker of a cut (truncationParent) that hides
// it, and is hidden as long as that one is there. A bare reasoning entry belongs
// to the answer behind it.
//
// The value in the registry is empty; that of a document knows who hides whom.
type Cline struct {
	Messages
	notes map[*model.Thread]*clineNotes
}

// clineNotes is what the messages of one thread say of each other.
type clineNotes struct {
	hiddenBy  map[int32]string // stored index → id of a summary or marker
	id        map[int32]string // stored index → its own id as one
	reasoning []model.Piece    // entries that wait for their answer
}

func (Cline) Info() codec.Info {
	return codec.Info{Format: model.FormatCline, Title: "Cline, Roo, Kilo",
		How: "Anthropic messages with ts (api_conversation_history.json), or a session with sessionId, agent and messages"}
}

func (Cline) Recognise(s *codec.Sniff) (int, string) {
	if s.JSONLines {
		return 0, ""
	}
	if s.Whole.Has("sessionId") && s.Whole.Has("agent") && codec.LooksLikeMessages(s.Whole.Get("messages")) && s.Requests().OpenAI == 0 {
		return 80, "a session with sessionId, agent and messages"
	}
	if g := s.Requests(); s.Whole.Kind != jspan.Array || g.Shape == "" || g.OtherRoles {
		return 0, ""
	}
	seen, timed, blocks := 0, 0, false
	for _, e := range s.Whole.Items {
		seen++
		if e.Get("ts").Kind == jspan.Number {
			timed++
		}
		blocks = blocks || e.Get("content").Kind == jspan.Array
		if seen >= codec.SniffLines {
			break
		}
	}
	if blocks && timed*2 >= seen {
		return 80, "an array of messages of blocks with ts"
	}
	return 0, ""
}

func (f Cline) Read(ctx context.Context, b *codec.Builder) error {
	f.notes = map[*model.Thread]*clineNotes{}
	b.Doc.Codec = f
	err := codec.ReadRequests(ctx, b, f)
	for th, n := range f.notes {
		n.addLiveReset(th)
	}
	return err
}

// Element adds what one element of the list holds.
func (f Cline) Element(c *codec.Chat, v jspan.Value, p model.Piece) {
	n := f.notes[c.Th]
	if n == nil {
		n = &clineNotes{hiddenBy: map[int32]string{}, id: map[int32]string{}}
		f.notes[c.Th] = n
	}
	if v.Get("type").TextN(12) == "reasoning" {
		n.reasoning = append(n.reasoning, p)
		return
	}
	m, first := f.members(c, v), len(c.Th.Messages)
	switch {
	case v.Get("isSummary").Bool():
		m.Kind = model.KindSummary
		n.hide(c, v.Get("condenseId").TextN(200))
	case v.Get("isTruncationMarker").Bool():
		n.hide(c, v.Get("truncationId").TextN(200))
		m.Origin, m.Pieces = model.OriginInjected, []model.Piece{p}
		m.Preview = codec.Preview(codec.ContentHead(v.Get("content")))
		c.Insert(m)
	default:
		f.compaction(c, v, &m)
	}
	if len(c.Th.Messages) == first {
		f.elementOf(c, v, m, p)
	}
	if u := v.Get("metadata", "tokensBefore"); m.Kind == model.KindSummary && u.Exists() {
		before := codec.Tokens(u)
		c.Th.Found[len(c.Th.Found)-1].Before = &before
	}
	n.added(c, v, int32(first))
}

// compaction reads what the SDK says of a compaction in the message's metadata.
func (Cline) compaction(c *codec.Chat, v jspan.Value, m *model.Message) {
	switch meta := v.Get("metadata"); meta.Get("kind").TextN(20) {
	case "compaction_summary":
		m.Kind = model.KindSummary
	case "compaction": // old turns were taken out; a note in this one says so
		found := model.Found{At: len(c.Th.History), Summary: -1, Time: m.Time}
		switch meta.Get("reason").TextN(40) {
		case "manual_compaction", "manual":
			found.Cause = "manual"
		case "auto_compaction", "auto":
			found.Cause = "auto"
		}
		c.Th.Found = append(c.Th.Found, found)
	}
}

// hide takes what a summary or marker hides out of the live list.
func (n *clineNotes) hide(c *codec.Chat, id string) {
	if id == "" {
		return
	}
	c.Live = slices.DeleteFunc(slices.Clone(c.Live), func(i int32) bool { return n.hiddenBy[i] == id })
}

// added notes what the messages from first on, all of one element, say of
// others, gives the answer its reasoning, and separates a person's words from the
// results of tools that are called in the text.
func (n *clineNotes) added(c *codec.Chat, v jspan.Value, first int32) {
	msgs := c.Th.Messages[first:]
	if len(msgs) == 0 {
		return
	}
	msgs[0].Pieces = append(n.reasoning, msgs[0].Pieces...)
	n.reasoning = nil
	for i := range msgs {
		at := first + int32(i)
		for _, key := range []string{"condenseParent", "truncationParent"} {
			if id := v.Get(key).TextN(200); id != "" {
				n.hiddenBy[at] = id
			}
		}
		for _, key := range []string{"condenseId", "truncationId"} {
			if id := v.Get(key).TextN(200); id != "" {
				n.id[at] = id
			}
		}
		if msgs[i].Typed() && isClineResult(v.Get("content")) {
			msgs[i].Origin = model.OriginObservation
			if len(msgs) == 1 && c.AwaitsOne(at) {
				msgs[i].Role, msgs[i].Kind, msgs[i].Origin = model.RoleTool, model.KindResult, model.OriginUnknown
				c.Pair(&msgs[i], v)
			}
		}
	}
}

// isClineResult recognises the results of tools that are called in the text,
// unless a person answers in them.
func isClineResult(content jspan.Value) bool {
	result, answer := false, false
	text := func(v jspan.Value) {
		head := strings.TrimSpace(v.TextN(codec.PreviewScan))
		result = result || strings.HasPrefix(head, "[") && strings.Contains(head, "] Result:") || strings.HasPrefix(head, "[ERROR]")
		answer = answer || codec.HasMark(head, []string{"<answer>", "<feedback>", "<user_message>"})
	}
	text(content)
	for _, e := range content.Items {
		text(e.Get("text"))
	}
	return result && !answer
}

// addLiveReset makes the live view what the program sends: everything whose summary
// or marker is not there. That is what the resets give, unless hidden messages
// are behind what hides them.
func (n *clineNotes) addLiveReset(th *model.Thread) {
	if len(n.hiddenBy) == 0 {
		return
	}
	there := map[string]bool{}
	for _, id := range n.id {
		there[id] = true
	}
	var live []int32
	for i := range th.Messages {
		if !there[n.hiddenBy[int32(i)]] {
			live = append(live, int32(i))
		}
	}
	if end := len(th.History); !slices.Equal(th.Live(end), live) {
		th.Resets = append(th.Resets, model.Reset{At: end, Base: live})
	}
}

// Parts implements [model.Codec].
func (f Cline) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	out, err := f.Messages.Parts(d, m)
	if err == nil && m.Kind == model.KindResult {
		out = clineResult(m, out)
	}
	if err != nil || m.Kind != model.KindAssistant {
		return out, err
	}
	err = codec.EachPiece(d, m, func(v jspan.Value) { // reasoning of models that Anthropic's form has no block for
		if r := v.Get("reasoning_content"); r.Kind == jspan.String {
			out = append([]model.Part{{Kind: model.PartReasoning, Text: r.Text()}}, out...)
		}
	})
	return out, err
}

// clineResult makes one result of the texts of a message that answers a call in words.
func clineResult(m *model.Message, parts []model.Part) []model.Part {
	var texts []string
	var rest []model.Part
	for _, p := range parts {
		switch p.Kind {
		case model.PartResult:
			return parts
		case model.PartText:
			texts = append(texts, p.Text)
		default:
			rest = append(rest, p)
		}
	}
	one := model.Part{Kind: model.PartResult, CallID: m.Answers, Name: m.Name, Error: m.Error, Text: strings.Join(texts, "\n")}
	return append([]model.Part{one}, rest...)
}

// ResultContent is what a tool said, without the words that name the tool.
func (f Cline) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	p := m.Pieces[len(m.Pieces)-1]
	v, err := edit.ParseAt(d, p.Span)
	if err != nil || !v.Has("role") || v.Get("content").Kind != jspan.Array || v.Get("content").Index(0).Get("type").TextN(12) != "text" {
		if err != nil {
			return nil, err
		}
		return f.Messages.ResultContent(d, m)
	}
	content := v.Get("content")
	var spans []model.Span
	for i, e := range content.Items {
		text := e.Get("text")
		if text.Kind != jspan.String || i == 0 && content.Count() > 1 || strings.HasPrefix(text.TextN(40), "<environment_details>") {
			continue
		}
		spans = append(spans, edit.Within(p.Span, text))
	}
	if len(spans) == 0 {
		return []model.Span{edit.Within(p.Span, content.Index(0).Get("text"))}, nil
	}
	return spans, nil
}

// SpellNote keeps the words that name the tool, by which the message is known.
func (f Cline) SpellNote(d *model.Document, at model.Span, note string) ([]byte, error) {
	was, err := edit.ParseAt(d, at)
	if err != nil {
		return nil, err
	}
	if head, _, ok := strings.Cut(was.TextN(codec.PreviewScan), "] Result:"); ok && strings.HasPrefix(head, "[") {
		return edit.Quote(d, head+"] Result:\n"+note), nil
	}
	return edit.Quote(d, note), nil
}

// Summary spells a user message as its neighbour is spelled: with an id where
// that has one, in blocks, with a time. It has no isSummary: some versions take
// that to hide all that is before, also what was kept.
func (Cline) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	o := edit.SpellLike(d, like)
	if !like.Has("role") && like.Get("type").TextN(12) != "reasoning" { // between kept blocks
		return o.Str("type", "text").Str("text", s.Text).Done(), nil
	}
	if like.Has("id") {
		o.Str("id", s.UID)
	}
	o.Str("role", "user")
	if like.Get("content").Kind == jspan.String {
		o.Str("content", s.Text)
	} else {
		o.Raw("content", edit.TextBlocks(d, "text", s.Text))
	}
	return o.Raw("ts", fmt.Append(nil, s.Time.UnixMilli())).Done(), nil
}

// Relink takes out what a summary or marker hid when that goes, or it would be
// sent again.
func (f Cline) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	n := f.notes[th]
	if n == nil {
		return nil, nil
	}
	gone := map[string]bool{}
	drop := c.Drop
	for len(drop) > 0 {
		fresh := false
		for _, i := range drop {
			if id := n.id[i]; id != "" && !gone[id] {
				gone[id], fresh = true, true
			}
		}
		drop = nil
		for i, id := range n.hiddenBy {
			if fresh && gone[id] {
				drop = append(drop, i)
				for _, p := range th.Messages[i].Pieces {
					e.Drop(p)
				}
			}
		}
	}
	return f.Messages.Relink(d, th, c, e)
}
