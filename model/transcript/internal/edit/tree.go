package edit

import (
	"bytes"
	"slices"

	"palimpsest/model"
)

// Chat exports hold trees: every edited question and every second answer is a
// branch. The line from the root to the active leaf is the conversation.

// Tree is how the records of one conversation hang together.
type Tree struct {
	Nodes []TreeNode
	Leaf  string     // id of the active leaf; "" if the source does not say
	At    model.Span // of the value that names it

	ParentKey, LeafKey string // what the source calls the references
}

// TreeNode is a record of the tree.
type TreeNode struct {
	ID, Parent           string
	Piece                model.Piece
	ParentAt, ChildrenAt model.Span // of the values that name its neighbours; zero: none
}

// byID is where nodes are. Of nodes with one ID the first counts. It is made when it is
// asked for: a file may hold 100,000 trees.
func (t *Tree) byID() map[string]int {
	at := make(map[string]int, len(t.Nodes))
	for k, n := range t.Nodes {
		if _, twice := at[n.ID]; !twice {
			at[n.ID] = k
		}
	}
	return at
}

// Lines returns the nodes from the root to the active leaf, and those of each
// branch, from where it leaves an earlier line. If no leaf is known, the last
// node counts as it.
func (t *Tree) Lines() (main []int, branches [][]int) {
	if len(t.Nodes) == 0 {
		return nil, nil
	}
	byID := t.byID()
	leaf, ok := byID[t.Leaf]
	if !ok {
		leaf = len(t.Nodes) - 1
	}
	placed := make([]bool, len(t.Nodes))
	line := func(k int) (path []int) {
		for ok := true; ok && !placed[k]; { // also stops where a cycle closes
			placed[k] = true
			path = append(path, k)
			k, ok = byID[t.Nodes[k].Parent]
		}
		slices.Reverse(path)
		return path
	}
	main = line(leaf)
	parent := make([]bool, len(t.Nodes))
	for _, n := range t.Nodes {
		if k, ok := byID[n.Parent]; ok {
			parent[k] = true
		}
	}
	for _, inner := range []bool{false, true} { // leaves first; then what only cycles hold
		for k := range t.Nodes {
			if !placed[k] && parent[k] == inner {
				branches = append(branches, line(k))
			}
		}
	}
	return main, branches
}

// treeRelinker mends a tree from which nodes go.
type treeRelinker struct {
	*Tree
	byID      map[string]int
	d         *model.Document
	e         *Edits
	gone      []bool
	summaries map[int]*Summary // by the node whose place they take
	links     []Relink
}

// Relink repairs references to dropped nodes, and gives the summaries their places
// in the tree.
func (t *Tree) Relink(d *model.Document, th *model.Thread, c *Change, e *Edits) ([]Relink, error) {
	x := treeRelinker{Tree: t, byID: t.byID(), d: d, e: e, gone: make([]bool, len(t.Nodes)), summaries: map[int]*Summary{}}
	bySpan := make(map[model.Span]int, len(t.Nodes))
	for k, n := range t.Nodes {
		x.gone[k] = e.Dropped(n.Piece)
		bySpan[n.Piece.Span] = k
	}
	for k := range c.Summaries {
		if n, ok := bySpan[Outermost(d, EditablePiece(d, th, &th.Messages[c.Summaries[k].Before])).Span]; ok {
			x.summaries[n] = &c.Summaries[k]
		}
	}
	for k, n := range t.Nodes {
		if s := x.summaries[k]; s != nil {
			s.Parent = x.named(x.up(n.Parent))
			list, err := x.children(k)
			if err != nil {
				return nil, err
			}
			s.Children = x.list(list)
		}
		if !x.gone[k] {
			if err := x.relink(k, n); err != nil {
				return nil, err
			}
		}
	}
	if k, ok := x.byID[t.Leaf]; ok && t.At.Len > 0 && x.gone[k] {
		err := x.replace(t.At, t.LeafKey, x.named(x.up(t.Leaf)))
		return x.links, err
	}
	return x.links, nil
}

// relink mends the references of a kept node.
func (x *treeRelinker) relink(k int, n TreeNode) error {
	if p, ok := x.byID[n.Parent]; ok && n.ParentAt.Len > 0 && x.gone[p] {
		if err := x.replace(n.ParentAt, x.ParentKey, x.named(x.up(n.Parent))); err != nil {
			return err
		}
	}
	if n.ChildrenAt.Len == 0 {
		return nil
	}
	list, err := x.children(k)
	if err != nil || list == nil {
		return err
	}
	return x.replace(n.ChildrenAt, "children", x.list(list))
}

// replace writes a reference anew and notes it, if it changes.
func (x *treeRelinker) replace(at model.Span, field string, to []byte) error {
	from, err := x.d.Bytes(at)
	if err == nil && !bytes.Equal(from, to) {
		x.e.Replace(at, to)
		x.links = append(x.links, Relink{Off: at.Off, Field: field, From: string(from), To: string(to)})
	}
	return err
}

// up is the node in the place of one that may be gone: itself, the summary in
// its place, or what replaces its parent.
func (x *treeRelinker) up(id string) string {
	for range x.Nodes { // a cycle ends too
		k, ok := x.byID[id]
		if !ok {
			return id
		}
		if s := x.summaries[k]; s != nil {
			return s.UID
		}
		if !x.gone[k] {
			return id
		}
		id = x.Nodes[k].Parent
	}
	return ""
}

// children lists the children of a node as they are named after the edit; nil
// if none of a kept node's is gone.
func (x *treeRelinker) children(k int) ([]string, error) {
	changed := x.gone[k]
	var out []string
	seen := map[int]bool{}
	var walk func(k int) error
	walk = func(k int) error {
		if seen[k] || x.Nodes[k].ChildrenAt.Len == 0 {
			return nil
		}
		seen[k] = true
		v, err := ParseAt(x.d, x.Nodes[k].ChildrenAt)
		if err != nil {
			return err
		}
		for _, e := range v.Items {
			id := e.Text()
			n, ok := x.byID[id]
			switch {
			case ok && x.summaries[n] != nil:
				out, changed = append(out, x.summaries[n].UID), true
			case ok && x.gone[n]:
				changed = true
				err = walk(n)
			default:
				out = append(out, id)
			}
			if err != nil {
				break
			}
		}
		return err
	}
	if err := walk(k); err != nil || !changed {
		return nil, err
	}
	if out == nil {
		out = []string{}
	}
	return out, nil
}

// named spells an id, or null for none.
func (x *treeRelinker) named(id string) []byte {
	if id == "" {
		return []byte("null")
	}
	return Quote(x.d, id)
}

func (x *treeRelinker) list(ids []string) []byte {
	out := []byte{'['}
	for i, id := range ids {
		if i > 0 {
			out = append(out, ',')
			if x.d.Style.Spaced {
				out = append(out, ' ')
			}
		}
		out = append(out, Quote(x.d, id)...)
	}
	return append(out, ']')
}
