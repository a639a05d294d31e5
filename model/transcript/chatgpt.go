package transcript

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// chatGPT reads ChatGPT's exports: one conversation or an array of them, each a
// tree of nodes in mapping, of which the line to current_node is the
// conversation and the others are branches. What the model says in one go
// (thoughts, a call, a recap, the answer) is several nodes and one message. A
// message to a recipient calls it; the next one of role tool answers.
//
// The value in [formats] is empty; that of a document knows its trees.
type chatGPT struct {
	trees map[*model.Conversation]*tree
}

func (chatGPT) info() Info {
	return Info{model.FormatChatGPT, "ChatGPT export", "conversations with mapping, a tree of nodes, and current_node"}
}

func isChatGPT(v jspan.Value) bool {
	mapping, good := v.Get("mapping"), false
	mapping.Each(func(_ []byte, n jspan.Value) bool {
		good = n.Has("message") && (n.Has("parent") || n.Has("children"))
		return false
	})
	return good
}

func (chatGPT) recognise(s *sniff) (int, string) {
	if shape := s.talkShape(isChatGPT, "mapping, a tree of messages"); shape != "" {
		return 94, shape
	}
	return 0, ""
}

func (f chatGPT) read(ctx context.Context, b *builder) error {
	f.trees = map[*model.Conversation]*tree{}
	b.doc.Codec = f
	return b.readTalks(ctx, isChatGPT, func(v jspan.Value) {
		c := b.newChat()
		defer c.finish()
		c.conv.ID, c.conv.Model = v.Get("conversation_id").TextN(200), v.Get("default_model_slug").TextN(200)
		if c.conv.ID == "" {
			c.conv.ID = v.Get("id").TextN(200)
		}
		c.conv.Title = title(preview(v.Get("title").TextN(previewScan)))
		t, messages := b.nodesOf(v)
		f.trees[c.conv] = t
		main, branches := t.lines()
		(&chatGPTReader{c: c, t: t}).line(main, messages)
		for _, nodes := range branches {
			(&chatGPTReader{c: c.branch(), t: t}).line(nodes, messages)
		}
		c.withoutEmpty()
	})
}

// nodesOf reads the tree of a conversation and the message of each node.
func (b *builder) nodesOf(v jspan.Value) (t *tree, messages []jspan.Value) {
	current, mapping := v.Get("current_node"), v.Get("mapping")
	t = &tree{leaf: current.TextN(200), parentKey: "parent", leafKey: "current_node"}
	if current.Exists() {
		t.at = b.span(current)
	}
	list := b.members(mapping, model.Piece{})
	i := 0
	mapping.Each(func(key []byte, n jspan.Value) bool {
		node := treeNode{id: n.Get("id").TextN(200), parent: n.Get("parent").TextN(200), piece: b.elem(list, i)}
		if node.id == "" {
			node.id = string(key)
		}
		if p := n.Get("parent"); p.Exists() {
			node.parentAt = b.span(p)
		}
		if children := n.Get("children"); children.Kind == jspan.Array {
			node.childrenAt = b.span(children)
		}
		t.add(node)
		messages = append(messages, n.Get("message"))
		if messages[i].Kind == jspan.Object {
			b.doc.Items++
		}
		i++
		return true
	})
	return t, messages
}

// members registers an object whose members belong to different messages, as
// array does: the elements are the members, names included.
func (b *builder) members(v jspan.Value, holder model.Piece) int32 {
	a := model.Array{Span: b.span(v), Holder: holder}
	at := v.Off + 1
	v.Each(func(_ []byte, val jspan.Value) bool {
		if at = jspan.Space(v.Buf, at); v.Buf[at] == ',' {
			at = jspan.Space(v.Buf, at+1)
		}
		a.Elems = append(a.Elems, model.Span{Off: b.base + int64(at), Len: int64(val.End - at)})
		at = val.End
		return true
	})
	b.doc.Arrays = append(b.doc.Arrays, a)
	return int32(len(b.doc.Arrays) - 1)
}

// parseMember reads the value of a member back; spans of it are relative to the
// piece, as those of parseAt are.
func parseMember(d *model.Document, s model.Span) (jspan.Value, error) {
	b, err := d.Bytes(s)
	if err != nil {
		return jspan.Value{}, err
	}
	key, err := jspan.Parse(b, 0)
	if err != nil {
		return jspan.Value{}, err
	}
	return jspan.Parse(b, jspan.Space(b, jspan.Space(b, key.End)+1))
}

// withoutEmpty takes out branches of nodes that hold no message.
func (c *chat) withoutEmpty() {
	kept := c.conv.Threads[:1]
	for _, th := range c.conv.Threads[1:] {
		if len(th.Messages) > 0 {
			kept = append(kept, th)
		}
	}
	c.conv.Threads = kept
}

// chatGPTReader gathers the nodes of one line into messages.
type chatGPTReader struct {
	c    *chat
	t    *tree
	open *model.Message // the assistant message that nodes are added to
	at   jspan.Value
}

func (r *chatGPTReader) line(nodes []int, messages []jspan.Value) {
	for _, k := range nodes {
		if v := messages[k]; v.Kind == jspan.Object {
			r.node(v, r.t.nodes[k])
		}
	}
	r.flush()
}

func (r *chatGPTReader) flush() {
	if r.open != nil {
		r.c.add(*r.open, r.at)
		r.open = nil
	}
}

func (r *chatGPTReader) node(v jspan.Value, n treeNode) {
	content := v.Get("content")
	head := chatGPTHead(content)
	m := model.Message{ID: v.Get("id").TextN(200), ParentID: n.parent, Time: millis(v.Get("create_time")), Preview: preview(head),
		Model: r.c.b.intern(v.Get("metadata", "model_slug").TextN(200)), Pieces: []model.Piece{n.piece}}
	role := v.Get("author", "role")
	m.Role, m.Kind = roleOf(role)
	if m.Kind == model.KindAssistant {
		r.answer(v, m, n)
		return
	}
	r.flush()
	switch m.Kind {
	case model.KindUser:
		m.Origin = model.OriginTyped
		if content.Get("content_type").TextN(24) == "user_editable_context" || isInjectedText(head) || v.Get("metadata", "is_visually_hidden_from_conversation").Bool() {
			m.Origin = model.OriginInjected
		}
	case model.KindResult:
		m.Name = r.c.b.intern(v.Get("author", "name").TextN(200))
		m.Error = content.Get("content_type").TextN(16) == "system_error"
		if !r.c.awaits() { // a tool that was not called tells something
			m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginInjected
		}
	case model.KindOther:
		r.c.b.noteAt(v, "unknown-role", "unknown role "+string(quote(r.c.b.doc, role.TextN(40)))+"; the message is kept")
	}
	summaryItself(&m, head)
	r.c.add(m, v)
}

// answer adds a node to the assistant message that is open.
func (r *chatGPTReader) answer(v jspan.Value, m model.Message, n treeNode) {
	if to := v.Get("recipient").TextN(200); to != "" && to != "all" {
		m.Calls = []model.Call{{ID: n.id, Name: r.c.b.intern(to)}}
	}
	if r.open == nil {
		r.open, r.at = &m, v
		return
	}
	r.open.Pieces = append(r.open.Pieces, m.Pieces...)
	r.open.Calls = append(r.open.Calls, m.Calls...)
	if m.Preview != "" {
		r.open.Preview = m.Preview
	}
}
