package openai

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// ChatGPT reads ChatGPT's exports: one conversation or an array of them, each a
// tree of nodes in mapping, of which the line to current_node is the
// conversation and the others are branches. What the model says in one go
// (thoughts, a call, a recap, the answer) is several nodes and one message. A
// message to a recipient calls it; the next one of role tool answers.
//
// The value in the registry is empty; that of a document knows its trees.
type ChatGPT struct {
	codec.InPlace
	trees map[*model.Conversation]*edit.Tree
}

func (ChatGPT) Info() codec.Info {
	return codec.Info{Format: model.FormatChatGPT, Title: "ChatGPT export",
		How: "conversations with mapping, a tree of nodes, and current_node"}
}

func isChatGPT(v jspan.Value) bool {
	mapping, good := v.Get("mapping"), false
	for _, n := range mapping.Each {
		good = n.Has("message") && (n.Has("parent") || n.Has("children"))
		break
	}
	return good
}

func (ChatGPT) Recognise(s *codec.Sniff) (int, string) {
	return s.ScoreLayout(94, isChatGPT, "mapping, a tree of messages")
}

func (f ChatGPT) Read(ctx context.Context, b *codec.Builder) error {
	f.trees = map[*model.Conversation]*edit.Tree{}
	b.Doc.Codec = f
	return b.ReadChats(ctx, isChatGPT, func(c *codec.Chat, v jspan.Value) {
		c.Conv.ID, c.Conv.Model = v.Get("conversation_id").TextN(200), v.Get("default_model_slug").TextN(200)
		if c.Conv.ID == "" {
			c.Conv.ID = v.Get("id").TextN(200)
		}
		c.Conv.Title = codec.Title(codec.Preview(v.Get("title").TextN(codec.PreviewScan)))
		t, messages := b.ReadNodes(v)
		f.trees[c.Conv] = t
		main, branches := t.Lines()
		(&chatGPTReader{c: c, t: t}).line(main, messages)
		for _, nodes := range branches {
			(&chatGPTReader{c: c.Branch(), t: t}).line(nodes, messages)
		}
		c.DropEmptyBranches()
	})
}

// chatGPTReader gathers the nodes of one line into messages.
type chatGPTReader struct {
	c    *codec.Chat
	t    *edit.Tree
	open *model.Message // the assistant message that nodes are added to
	at   jspan.Value
}

func (r *chatGPTReader) line(nodes []int, messages []jspan.Value) {
	for _, k := range nodes {
		if v := messages[k]; v.Kind == jspan.Object {
			r.node(v, r.t.Nodes[k])
		}
	}
	r.flush()
}

func (r *chatGPTReader) flush() {
	if r.open != nil {
		r.c.Add(*r.open, r.at)
		r.open = nil
	}
}

func (r *chatGPTReader) node(v jspan.Value, n edit.TreeNode) {
	content := v.Get("content")
	head := chatGPTHead(content)
	m := model.Message{ID: v.Get("id").TextN(200), ParentID: n.Parent, Time: codec.Millis(v.Get("create_time")),
		Preview: codec.Preview(head),
		Model:   r.c.B.Intern(v.Get("metadata", "model_slug").TextN(200)), Pieces: []model.Piece{n.Piece}}
	role := v.Get("author", "role")
	m.Role, m.Kind = codec.RoleOf(role)
	if m.Kind == model.KindAssistant {
		r.answer(v, m, n)
		return
	}
	r.flush()
	switch m.Kind {
	case model.KindUser:
		m.Origin = model.OriginTyped
		if content.Get("content_type").TextN(24) == "user_editable_context" || model.Injected(head) ||
			v.Get("metadata", "is_visually_hidden_from_conversation").Bool() {
			m.Origin = model.OriginInjected
		}
	case model.KindResult:
		m.Name = r.c.B.Intern(v.Get("author", "name").TextN(200))
		m.Error = content.Get("content_type").TextN(16) == "system_error"
		if !r.c.AwaitsResult() { // a tool that was not called says something
			m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginInjected
		}
	case model.KindOther:
		r.c.B.NoteRole(v, "role", role.TextN(40))
	}
	codec.MarkSummary(&m, head)
	r.c.Add(m, v)
}

// answer adds a node to the assistant message that is open.
func (r *chatGPTReader) answer(v jspan.Value, m model.Message, n edit.TreeNode) {
	if to := v.Get("recipient").TextN(200); to != "" && to != "all" {
		m.Calls = []model.Call{{ID: n.ID, Name: r.c.B.Intern(to)}}
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
