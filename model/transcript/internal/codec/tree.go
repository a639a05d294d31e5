package codec

import (
	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/jspan"
)

// Branch begins a conversation's branch, whose messages are its own.
func (c *Chat) Branch() *Chat {
	th := &model.Thread{ID: "branch", AgentID: c.Th.AgentID, Kind: model.ThreadBranch}
	c.Conv.Threads = append(c.Conv.Threads, th)
	return &Chat{B: c.B, Conv: c.Conv, Th: th, Served: c.Served}
}

// members registers an object whose members belong to different messages, as
// array does: the elements are the members, names included.
func (b *Builder) members(v jspan.Value, holder model.Piece) int32 {
	a := model.Array{Span: b.Span(v), Holder: holder}
	at := v.Off + 1
	for _, val := range v.Each {
		if at = jspan.Space(v.Buf, at); v.Buf[at] == ',' {
			at = jspan.Space(v.Buf, at+1)
		}
		a.Elems = append(a.Elems, model.Span{Off: b.Base + int64(at), Len: int64(val.End - at)})
		at = val.End
	}
	b.Doc.Arrays = append(b.Doc.Arrays, a)
	return int32(len(b.Doc.Arrays) - 1)
}

// ReadNodes reads the tree of a conversation and the message of each node.
func (b *Builder) ReadNodes(v jspan.Value) (t *edit.Tree, messages []jspan.Value) {
	current, mapping := v.Get("current_node"), v.Get("mapping")
	t = &edit.Tree{Leaf: current.TextN(200), ParentKey: "parent", LeafKey: "current_node"}
	if current.Exists() {
		t.At = b.Span(current)
	}
	list := b.members(mapping, model.Piece{})
	t.Nodes = make([]edit.TreeNode, 0, len(b.Doc.Arrays[list].Elems))
	i := 0
	for key, n := range mapping.Each {
		node := edit.TreeNode{ID: n.Get("id").TextN(200), Parent: n.Get("parent").TextN(200), Piece: b.Elem(list, i)}
		if node.ID == "" {
			node.ID = string(key)
		}
		if p := n.Get("parent"); p.Exists() {
			node.ParentAt = b.Span(p)
		}
		if children := n.Get("children"); children.Kind == jspan.Array {
			node.ChildrenAt = b.Span(children)
		}
		t.Nodes = append(t.Nodes, node)
		messages = append(messages, n.Get("message"))
		if messages[i].Kind == jspan.Object {
			b.Doc.Items++
		}
		i++
	}
	return t, messages
}

// DropEmptyBranches takes out branches of nodes that hold no message.
func (c *Chat) DropEmptyBranches() {
	kept := c.Conv.Threads[:1]
	for _, th := range c.Conv.Threads[1:] {
		if len(th.Messages) > 0 {
			kept = append(kept, th)
		}
	}
	c.Conv.Threads = kept
}
