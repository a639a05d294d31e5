package transcript

import (
	"context"
	"strconv"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// claudeAI reads exports of claude.ai: one conversation or an array of them,
// each with chat_messages. An answer is one element, with its calls and their
// results in content; text repeats what it says. Where the elements name their
// parents they are a tree, of which the line to the active leaf is the
// conversation. A result that came in an element of its own is a message; one
// that stands in an element with other words and answers no call there is told
// with them.
//
// The value in [formats] is empty; that of a document knows its trees.
type claudeAI struct {
	trees map[*model.Conversation]*tree
}

func (claudeAI) info() Info {
	return Info{model.FormatClaudeAI, "claude.ai export", "conversations with chat_messages, whose sender is human or assistant"}
}

func isClaudeAI(v jspan.Value) bool {
	list := v.Get("chat_messages")
	return list.Kind == jspan.Array && list.Index(0).Get("sender").Kind == jspan.String
}

func (claudeAI) recognise(s *sniff) (int, string) {
	if shape := s.talkShape(isClaudeAI, "chat_messages with a sender"); shape != "" {
		return 94, shape
	}
	// an export also holds conversations in which nothing was said
	empty := func(v jspan.Value) bool { return v.Get("chat_messages").Kind == jspan.Array }
	if shape := s.talkShape(empty, "chat_messages"); shape != "" && s.whole.Kind == jspan.Array {
		return 90, shape
	}
	return 0, ""
}

func (f claudeAI) read(ctx context.Context, b *builder) error {
	f.trees = map[*model.Conversation]*tree{}
	b.doc.Codec = f
	hasList := func(v jspan.Value) bool { return v.Get("chat_messages").Kind == jspan.Array }
	return b.readTalks(ctx, hasList, func(v jspan.Value) {
		c := b.newChat()
		defer c.finish()
		c.conv.ID = v.Get("uuid").TextN(200)
		for _, key := range []string{"title", "name"} {
			if name := v.Get(key).TextN(previewScan); name != "" {
				c.conv.Title = title(preview(name))
			}
		}
		c.conv.Model = v.Get("model").TextN(200)
		f.messages(c, v)
	})
}

// messages reads the list as a tree, or as the one line it is.
func (f claudeAI) messages(c *chat, v jspan.Value) {
	b, elems := c.b, v.Get("chat_messages")
	leaf := v.Get("current_leaf_message_uuid")
	t := &tree{leaf: leaf.TextN(200), parentKey: "parent_message_uuid", leafKey: "current_leaf_message_uuid"}
	if leaf.Exists() {
		t.at = b.span(leaf)
	}
	list := b.array(elems, model.Piece{})
	var values []jspan.Value
	linked := false
	elems.Items(func(i int, e jspan.Value) bool {
		b.doc.Items++
		n := treeNode{id: e.Get("uuid").TextN(200), piece: b.elem(list, i)}
		if p := e.Get("parent_message_uuid"); p.Kind == jspan.String {
			n.parent, n.parentAt, linked = p.TextN(200), b.span(p), true
		}
		t.add(n)
		values = append(values, e)
		return true
	})
	if !linked {
		for i := range values {
			f.element(c, values[i], t.nodes[i])
		}
		return
	}
	f.trees[c.conv] = t
	main, branches := t.lines()
	for _, k := range main {
		f.element(c, values[k], t.nodes[k])
	}
	for _, nodes := range branches {
		line := c.branch()
		for _, k := range nodes {
			f.element(line, values[k], t.nodes[k])
		}
	}
}

// element adds a message, and the results of its calls, which lie in it.
func (claudeAI) element(c *chat, v jspan.Value, n treeNode) {
	content := v.Get("content")
	head := v.Get("text").TextN(previewScan)
	if head == "" && onlyResults(content) {
		list := c.b.array(content, n.piece)
		content.Items(func(i int, e jspan.Value) bool {
			m := claudeAIResult(c, v, e)
			m.Pieces = []model.Piece{c.b.elem(list, i)}
			if i == 0 {
				m.ID, m.ParentID = n.id, n.parent
			}
			c.add(m, e)
			return true
		})
		return
	}
	if head == "" {
		head = contentHead(content)
	}
	m := model.Message{ID: n.id, ParentID: n.parent, Time: millis(v.Get("created_at")), Preview: preview(head), Pieces: []model.Piece{n.piece}}
	switch sender := v.Get("sender").TextN(20); sender {
	case "human":
		m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginTyped
		if isInjectedText(head) {
			m.Origin = model.OriginInjected
		}
		summaryItself(&m, head)
	case "assistant":
		m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
	default:
		m.Role, m.Kind = model.RoleOther, model.KindOther
		c.b.noteAt(v, "unknown-role", "unknown sender "+string(quote(c.b.doc, sender))+"; the message is kept")
	}
	var results []jspan.Value
	own := answeredWithin(content)
	content.Items(func(i int, e jspan.Value) bool {
		switch e.Get("type").TextN(12) {
		case "tool_use":
			id := e.Get("id").TextN(200)
			if id == "" {
				id = "#" + strconv.Itoa(len(m.Calls)+1)
			}
			m.Calls = append(m.Calls, model.Call{ID: id, Name: c.b.intern(e.Get("name").TextN(200))})
		case "tool_result":
			if own[i] {
				results = append(results, e)
			}
		}
		return true
	})
	if m.Preview == "" && len(m.Calls) > 0 {
		m.Preview = preview(m.Calls[0].Name)
	}
	c.add(m, v)
	for _, e := range results {
		m := claudeAIResult(c, v, e)
		m.Pieces = []model.Piece{c.b.inner(e)}
		c.add(m, e)
	}
}

// claudeAIResult is the message of a result in an element, without its place.
func claudeAIResult(c *chat, element, block jspan.Value) model.Message {
	return model.Message{Role: model.RoleTool, Kind: model.KindResult, Answers: block.Get("tool_use_id").TextN(200), Name: c.b.intern(block.Get("name").TextN(200)),
		Error: block.Get("is_error").Bool(), Time: millis(element.Get("created_at")), Preview: preview(blockHead(block))}
}

// onlyResults reports whether a content is one or more tool results and nothing
// else.
func onlyResults(content jspan.Value) bool {
	n, only := 0, true
	content.Items(func(_ int, e jspan.Value) bool {
		n++
		only = e.Get("type").TextN(12) == "tool_result"
		return only
	})
	return only && n > 0 && content.Kind == jspan.Array
}

// answeredWithin gives the places of the results in a content that answer a call
// before them in it.
func answeredWithin(content jspan.Value) map[int]bool {
	open, calls, own := map[string]int{}, 0, map[int]bool{}
	content.Items(func(i int, e jspan.Value) bool {
		switch e.Get("type").TextN(12) {
		case "tool_use":
			open[e.Get("id").TextN(200)]++
			calls++
		case "tool_result":
			id := e.Get("tool_use_id").TextN(200)
			if own[i] = calls > 0 && (id == "" || open[id] > 0); own[i] {
				open[id]--
				calls--
			}
		}
		return true
	})
	return own
}

// Parts implements [model.Codec]. A piece is a message or one of its results.
func (claudeAI) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	v, err := parseAt(d, m.Pieces[0].Span)
	if err != nil {
		return nil, err
	}
	if m.Kind == model.KindResult {
		out := resultParts(v, nil)
		out[0].CallID, out[0].Name = m.Answers, m.Name
		return out, nil
	}
	var out []model.Part
	content := v.Get("content")
	own := answeredWithin(content)
	content.Items(func(i int, e jspan.Value) bool {
		if !own[i] {
			out = blockPart(e, out)
		}
		return true
	})
	if text := v.Get("text").Text(); len(out) == 0 && text != "" {
		out = append(out, model.Part{Kind: model.PartText, Text: text}) // older exports have nothing else
	}
	k := 0
	for i := range out {
		if out[i].Kind == model.PartCall && k < len(m.Calls) {
			out[i].CallID = m.Calls[k].ID
			k++
		}
	}
	v.Get("attachments").Items(func(_ int, e jspan.Value) bool {
		if t := e.Get("extracted_content"); t.Kind == jspan.String {
			out = append(out, model.Part{Kind: model.PartText, Text: t.Text()})
		}
		return true
	})
	for _, key := range []string{"files", "files_v2"} {
		v.Get(key).Items(func(_ int, e jspan.Value) bool {
			out = append(out, model.Part{Kind: model.PartMedia, Name: e.Get("file_name").TextN(200), Bytes: e.Len()})
			return key == "files"
		})
		if v.Get(key).Count() > 0 {
			break // the second list tells the same again
		}
	}
	return out, nil
}

// place puts the summary where the first message stood that it replaces.
func (claudeAI) place(d *model.Document, th *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return outermost(d, heldBy(d, th, m)), false
}

// relink mends the tree, if there is one.
func (f claudeAI) relink(d *model.Document, th *model.Thread, c *Change, e *Edits) ([]Relink, error) {
	t := f.trees[conversationOf(d, th)]
	if t == nil || len(c.Drop) == 0 {
		return nil, nil
	}
	e.promote()
	return t.mend(d, th, c, e)
}

// summary spells a message of the human, with the members that its neighbour
// has.
func (claudeAI) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	when := s.Time.UTC().Format("2006-01-02T15:04:05.000000Z")
	o := spellLike(d, v).str("uuid", s.UID).str("text", s.Text)
	if v.Has("content") {
		o.raw("content", textBlocks(d, "text", s.Text))
	}
	o.str("sender", "human").str("created_at", when)
	if v.Has("updated_at") {
		o.str("updated_at", when)
	}
	for _, key := range []string{"attachments", "files", "files_v2"} {
		if v.Has(key) {
			o.raw(key, []byte("[]"))
		}
	}
	if v.Has("parent_message_uuid") && len(s.parent) > 0 {
		o.raw("parent_message_uuid", s.parent)
	}
	return o.done(), nil
}

// resultContent is the content of the result block.
func (claudeAI) resultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return anthropic{}.resultContent(d, m)
}
