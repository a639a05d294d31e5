package anthropic

import (
	"context"
	"strconv"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// ClaudeAI reads exports of claude.ai: one conversation or an array of them,
// each with chat_messages. An answer is one element, with its calls and their
// results in content; text repeats what it says. Where the elements name their
// parents they are a tree, of which the line to the active leaf is the
// conversation. A result that came in an element of its own is a message; one
// that is in an element with other words and answers no call there is shown
// with them.
//
// The value in the registry is empty; that of a document knows its trees.
type ClaudeAI struct {
	trees map[*model.Conversation]*edit.Tree
}

func (ClaudeAI) Info() codec.Info {
	return codec.Info{Format: model.FormatClaudeAI, Title: "claude.ai export",
		How: "conversations with chat_messages, whose sender is human or assistant"}
}

func isClaudeAI(v jspan.Value) bool {
	list := v.Get("chat_messages")
	return list.Kind == jspan.Array && list.Index(0).Get("sender").Kind == jspan.String
}

func (ClaudeAI) Recognise(s *codec.Sniff) (int, string) {
	if shape := s.Layout(isClaudeAI, "chat_messages with a sender"); shape != "" {
		return 94, shape
	}
	// an export also holds conversations in which nothing was said
	empty := func(v jspan.Value) bool { return v.Get("chat_messages").Kind == jspan.Array }
	if shape := s.Layout(empty, "chat_messages"); shape != "" && s.Whole.Kind == jspan.Array {
		return 90, shape
	}
	return 0, ""
}

func (f ClaudeAI) Read(ctx context.Context, b *codec.Builder) error {
	f.trees = map[*model.Conversation]*edit.Tree{}
	b.Doc.Codec = f
	hasList := func(v jspan.Value) bool { return v.Get("chat_messages").Kind == jspan.Array }
	return b.ReadChats(ctx, hasList, func(c *codec.Chat, v jspan.Value) {
		c.Conv.ID = v.Get("uuid").TextN(200)
		for _, key := range []string{"title", "name"} {
			if name := v.Get(key).TextN(codec.PreviewScan); name != "" {
				c.Conv.Title = codec.Title(codec.Preview(name))
			}
		}
		c.Conv.Model = v.Get("model").TextN(200)
		f.messages(c, v)
	})
}

// messages reads the list as a tree, or as the one line it is.
func (f ClaudeAI) messages(c *codec.Chat, v jspan.Value) {
	b, elems := c.B, v.Get("chat_messages")
	leaf := v.Get("current_leaf_message_uuid")
	t := &edit.Tree{Leaf: leaf.TextN(200), ParentKey: "parent_message_uuid", LeafKey: "current_leaf_message_uuid"}
	if leaf.Exists() {
		t.At = b.Span(leaf)
	}
	list := b.Array(elems, model.Piece{})
	var values []jspan.Value
	linked := false
	for i, e := range elems.Items {
		b.Doc.Items++
		n := edit.TreeNode{ID: e.Get("uuid").TextN(200), Piece: b.Elem(list, i)}
		if p := e.Get("parent_message_uuid"); p.Kind == jspan.String {
			n.Parent, n.ParentAt, linked = p.TextN(200), b.Span(p), true
		}
		t.Nodes = append(t.Nodes, n)
		values = append(values, e)
	}
	if !linked {
		for i := range values {
			f.element(c, values[i], t.Nodes[i])
		}
		return
	}
	f.trees[c.Conv] = t
	main, branches := t.Lines()
	for _, k := range main {
		f.element(c, values[k], t.Nodes[k])
	}
	for _, nodes := range branches {
		line := c.Branch()
		for _, k := range nodes {
			f.element(line, values[k], t.Nodes[k])
		}
	}
}

// element adds a message, and the results of its calls, which lie in it.
func (ClaudeAI) element(c *codec.Chat, v jspan.Value, n edit.TreeNode) {
	content := v.Get("content")
	head := v.Get("text").TextN(codec.PreviewScan)
	if head == "" && onlyResults(content) {
		list := c.B.Array(content, n.Piece)
		for i, e := range content.Items {
			m := claudeAIResult(c, v, e)
			m.Pieces = []model.Piece{c.B.Elem(list, i)}
			if i == 0 {
				m.ID, m.ParentID = n.ID, n.Parent
			}
			c.Add(m, e)
		}
		return
	}
	if head == "" {
		head = codec.ContentHead(content)
	}
	m := model.Message{ID: n.ID, ParentID: n.Parent, Time: codec.Millis(v.Get("created_at")), Preview: codec.Preview(head),
		Pieces: []model.Piece{n.Piece}}
	switch sender := v.Get("sender").TextN(20); sender {
	case "human":
		codec.SetUser(&m, head)
	case "assistant":
		m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
	default:
		m.Role, m.Kind = model.RoleOther, model.KindOther
		c.B.NoteRole(v, "sender", sender)
	}
	var results []jspan.Value
	own := answeredWithin(content)
	for i, e := range content.Items {
		switch e.Get("type").TextN(12) {
		case "tool_use":
			id := e.Get("id").TextN(200)
			if id == "" {
				id = "#" + strconv.Itoa(len(m.Calls)+1)
			}
			m.Calls = append(m.Calls, model.Call{ID: id, Name: c.B.Intern(e.Get("name").TextN(200))})
		case "tool_result":
			if own[i] {
				results = append(results, e)
			}
		}
	}
	if m.Preview == "" && len(m.Calls) > 0 {
		m.Preview = codec.Preview(m.Calls[0].Name)
	}
	c.Add(m, v)
	for _, e := range results {
		m := claudeAIResult(c, v, e)
		m.Pieces = []model.Piece{c.B.InnerPiece(e)}
		c.Add(m, e)
	}
}

// claudeAIResult is the message of a result in an element, without its place.
func claudeAIResult(c *codec.Chat, element, block jspan.Value) model.Message {
	return model.Message{Role: model.RoleTool, Kind: model.KindResult, Answers: block.Get("tool_use_id").TextN(200),
		Name:  c.B.Intern(block.Get("name").TextN(200)),
		Error: block.Get("is_error").Bool(), Time: codec.Millis(element.Get("created_at")), Preview: codec.Preview(blockHead(block))}
}

// onlyResults reports whether a content is one or more tool results and nothing
// else.
func onlyResults(content jspan.Value) bool {
	n, only := 0, true
	for _, e := range content.Items {
		n++
		only = e.Get("type").TextN(12) == "tool_result"
		if !only {
			break
		}
	}
	return only && n > 0 && content.Kind == jspan.Array
}

// answeredWithin gives the places of the results in a content that answer a call
// before them in it.
func answeredWithin(content jspan.Value) map[int]bool {
	open, calls, own := map[string]int{}, 0, map[int]bool{}
	for i, e := range content.Items {
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
	}
	return own
}

// Parts implements [model.Codec]. A piece is a message or one of its results.
func (ClaudeAI) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	v, err := edit.ParseAt(d, m.Pieces[0].Span)
	if err != nil {
		return nil, err
	}
	if m.Kind == model.KindResult {
		out := codec.ResultParts(v, nil)
		out[0].CallID, out[0].Name = m.Answers, m.Name
		return out, nil
	}
	var out []model.Part
	content := v.Get("content")
	own := answeredWithin(content)
	for i, e := range content.Items {
		if !own[i] {
			out = codec.BlockPart(e, out)
		}
	}
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
	for _, e := range v.Get("attachments").Items {
		if t := e.Get("extracted_content"); t.Kind == jspan.String {
			out = append(out, model.Part{Kind: model.PartText, Text: t.Text()})
		}
	}
	for _, key := range []string{"files", "files_v2"} {
		for _, e := range v.Get(key).Items {
			out = append(out, model.Part{Kind: model.PartMedia, Name: e.Get("file_name").TextN(200), Bytes: e.Len()})
			if key != "files" {
				break
			}
		}
		if v.Get(key).Count() > 0 {
			break // the second list repeats it
		}
	}
	return out, nil
}

// Place puts the summary where the first message stood that it replaces.
func (ClaudeAI) Place(d *model.Document, th *model.Thread, m *model.Message, _ func(model.Piece) bool) (model.Piece, bool) {
	return edit.Outermost(d, edit.EditablePiece(d, th, m)), false
}

// Relink mends the tree, if there is one.
func (f ClaudeAI) Relink(d *model.Document, th *model.Thread, c *edit.Change, e *edit.Edits) ([]edit.Relink, error) {
	t := f.trees[edit.ConversationOf(d, th)]
	if t == nil || len(c.Drop) == 0 {
		return nil, nil
	}
	e.Promote()
	return t.Relink(d, th, c, e)
}

// Summary spells a message of the human, with the members that its neighbour
// has.
func (ClaudeAI) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	when := s.Time.UTC().Format("2006-01-02T15:04:05.000000Z")
	o := edit.SpellLike(d, like).Str("uuid", s.UID).Str("text", s.Text)
	if like.Has("content") {
		o.Raw("content", edit.TextBlocks(d, "text", s.Text))
	}
	o.Str("sender", "human").Str("created_at", when)
	if like.Has("updated_at") {
		o.Str("updated_at", when)
	}
	for _, key := range []string{"attachments", "files", "files_v2"} {
		if like.Has(key) {
			o.Raw(key, []byte("[]"))
		}
	}
	if like.Has("parent_message_uuid") && len(s.Parent) > 0 {
		o.Raw("parent_message_uuid", s.Parent)
	}
	return o.Done(), nil
}

// ResultContent is the content of the result block.
func (ClaudeAI) ResultContent(d *model.Document, m *model.Message) ([]model.Span, error) {
	return Messages{}.ResultContent(d, m)
}
