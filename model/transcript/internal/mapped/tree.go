package mapped

import (
	"bytes"
	"fmt"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// linked reads lines that name the lines before them.
func (r *reader) linked() error {
	t := &nodes{at: map[string]*node{}}
	var first jspan.Value
	err := r.b.Lines(r.ctx, func(v jspan.Value) error {
		r.leaves.take("", v)
		own, err := jspan.Parse(bytes.Clone(v.Raw()), 0) // the line's own bytes are read into again
		if err != nil {
			return err
		}
		if !first.Exists() {
			first = own
		}
		t.take(r.Tree, own, spot{own, r.b.Record(v), r.b.Base + int64(v.Off), r.b.Line}, "")
		return nil
	})
	if err == nil && len(t.ids) > 0 {
		r.branch(first, t)
	}
	return err
}

// node is an element of a tree; its record may go on in another one of the same id.
type node struct {
	spots  []spot
	parent string
	used   bool
}

// spot is a value with its place in the source.
type spot struct {
	v     jspan.Value
	piece model.Piece
	base  int64
	line  int
}

// nodes are the elements of a tree in their order.
type nodes struct {
	at  map[string]*node
	ids []string
}

// take adds an element, and what is below it.
func (t *nodes) take(by *tree, e jspan.Value, s spot, parent string) {
	id := by.ID.text(e)
	if id == "" {
		id = fmt.Sprintf("#%d", s.base+int64(e.Off))
	}
	if len(by.Parent) > 0 {
		parent = by.Parent.text(e)
	}
	if n := t.at[id]; n != nil {
		if by.Children == "" && s.line > 0 {
			n.spots = append(n.spots, s)
		}
		return
	}
	t.at[id] = &node{spots: []spot{s}, parent: parent}
	t.ids = append(t.ids, id)
	if by.Children == "" {
		return
	}
	for _, in := range e.Get(by.Children).Items {
		if in.Kind == jspan.Object {
			t.take(by, in, spot{v: in}, id)
		}
	}
}

// branches reads a conversation whose elements name their parents, or hold what comes
// after them.
func (r *reader) branches(v jspan.Value) {
	t := &nodes{at: map[string]*node{}}
	r.List.all(v, r.unpack, func(e, _ jspan.Value, _ int) {
		if e.Kind == jspan.Array {
			for _, in := range e.Items {
				t.take(r.Tree, in, spot{v: in}, "")
			}
			return
		}
		t.take(r.Tree, e, spot{v: e}, "")
	})
	r.branch(v, t)
}

// chain links elements of which none names a parent: they are a list.
func (t *nodes) chain() {
	for _, id := range t.ids {
		if t.at[id].parent != "" {
			return
		}
	}
	for k := 1; k < len(t.ids); k++ {
		t.at[t.ids[k]].parent = t.ids[k-1]
	}
}

// branch reads the line to the leaf as the conversation, and the others as branches.
func (r *reader) branch(v jspan.Value, t *nodes) {
	t.chain()
	inner := map[string]bool{}
	for _, id := range t.ids {
		inner[t.at[id].parent] = true
	}
	leaf := r.Tree.Leaf.text(v)
	if t.at[leaf] == nil {
		leaf = ""
	}
	for k := len(t.ids) - 1; k >= 0 && leaf == ""; k-- { // the newest end
		if !inner[t.ids[k]] {
			leaf = t.ids[k]
		}
	}
	main := r.chat(v)
	r.line(main, t, leaf)
	for _, id := range t.ids {
		if !inner[id] && id != leaf {
			c := &chat{Chat: main.Branch(), seen: main.seen, model: main.model, hidden: map[int32]bool{}}
			r.line(c, t, id)
			c.settle()
		}
	}
	main.DropEmptyBranches()
}

// line reads the way from the root to a leaf, as far as no other line has it.
func (r *reader) line(c *chat, t *nodes, leaf string) {
	var way []*node
	for n := t.at[leaf]; n != nil && !n.used; n = t.at[n.parent] {
		n.used = true
		way = append(way, n)
	}
	slices.Reverse(way)
	for _, n := range way {
		for _, s := range n.spots {
			if s.line == 0 {
				r.element(c, s.v, r.b.InnerPiece(s.v))
				continue
			}
			r.b.Base, r.b.Line = s.base, s.line
			if c.Conv.Title == "" {
				r.about(c, s.v)
			}
			r.element(c, s.v, s.piece)
		}
	}
	c.flush()
}
