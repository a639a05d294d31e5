package transcript

import (
	"bytes"
	"slices"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// Chat exports hold trees: every edited question and every second answer is a
// branch. The line from the root to the active leaf is the conversation.

// tree is how the records of one conversation hang together.
type tree struct {
	nodes []treeNode
	byID  map[string]int
	leaf  string     // id of the active leaf; "" if the source does not tell
	at    model.Span // of the value that tells it

	parentKey, leafKey string // what the source calls the references
}

type treeNode struct {
	id, parent           string
	piece                model.Piece
	parentAt, childrenAt model.Span // of the values that name its neighbours; zero: none
}

func (t *tree) add(n treeNode) {
	if t.byID == nil {
		t.byID = map[string]int{}
	}
	if _, twice := t.byID[n.id]; !twice {
		t.byID[n.id] = len(t.nodes)
	}
	t.nodes = append(t.nodes, n)
}

// lines gives the nodes from the root to the leaf, and those of each branch,
// from where it leaves a line told before. Without a leaf the last node is it.
func (t *tree) lines() (main []int, branches [][]int) {
	if len(t.nodes) == 0 {
		return nil, nil
	}
	leaf, ok := t.byID[t.leaf]
	if !ok {
		leaf = len(t.nodes) - 1
	}
	told := make([]bool, len(t.nodes))
	line := func(k int) (path []int) {
		for ok := true; ok && !told[k]; { // also stops where a cycle closes
			told[k] = true
			path = append(path, k)
			k, ok = t.byID[t.nodes[k].parent]
		}
		slices.Reverse(path)
		return path
	}
	main = line(leaf)
	parent := make([]bool, len(t.nodes))
	for _, n := range t.nodes {
		if k, ok := t.byID[n.parent]; ok {
			parent[k] = true
		}
	}
	for _, inner := range []bool{false, true} { // leaves first; then what only cycles hold
		for k := range t.nodes {
			if !told[k] && parent[k] == inner {
				branches = append(branches, line(k))
			}
		}
	}
	return main, branches
}

// treeEdit mends a tree from which nodes go.
type treeEdit struct {
	*tree
	d         *model.Document
	gone      []bool
	summaries map[int]*Summary // by the node whose place they take
}

// mend re-links what named dropped nodes, and tells the summaries their places
// in the tree.
func (t *tree) mend(d *model.Document, th *model.Thread, c *Change, e *Edits) ([]Relink, error) {
	x := treeEdit{tree: t, d: d, gone: make([]bool, len(t.nodes)), summaries: map[int]*Summary{}}
	bySpan := make(map[model.Span]int, len(t.nodes))
	for k, n := range t.nodes {
		x.gone[k] = e.Dropped(n.piece)
		bySpan[n.piece.Span] = k
	}
	for k := range c.Summaries {
		if n, ok := bySpan[outermost(d, heldBy(d, th, &th.Messages[c.Summaries[k].Before])).Span]; ok {
			x.summaries[n] = &c.Summaries[k]
		}
	}
	var links []Relink
	replace := func(at model.Span, field string, to []byte) error {
		from, err := d.Bytes(at)
		if err == nil && !bytes.Equal(from, to) {
			e.Replace(at, to)
			links = append(links, Relink{Off: at.Off, Field: field, From: string(from), To: string(to)})
		}
		return err
	}
	for k, n := range t.nodes {
		s := x.summaries[k]
		if s != nil {
			s.parent = x.named(x.up(n.parent))
			list, err := x.children(k)
			if err != nil {
				return nil, err
			}
			s.children = x.list(list)
		}
		if x.gone[k] {
			continue
		}
		if p, ok := t.byID[n.parent]; ok && n.parentAt.Len > 0 && x.gone[p] {
			if err := replace(n.parentAt, t.parentKey, x.named(x.up(n.parent))); err != nil {
				return nil, err
			}
		}
		if n.childrenAt.Len > 0 {
			list, err := x.children(k)
			if err != nil {
				return nil, err
			}
			if list != nil {
				if err := replace(n.childrenAt, "children", x.list(list)); err != nil {
					return nil, err
				}
			}
		}
	}
	if k, ok := t.byID[t.leaf]; ok && t.at.Len > 0 && x.gone[k] {
		return links, replace(t.at, t.leafKey, x.named(x.up(t.leaf)))
	}
	return links, nil
}

// up is the node that stands for one that may be gone: itself, the summary in
// its place, or what stands for its parent.
func (x *treeEdit) up(id string) string {
	for range x.nodes { // a cycle ends too
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
		id = x.nodes[k].parent
	}
	return ""
}

// children lists the children of a node as they are named after the edit; nil
// if none of a kept node's is gone.
func (x *treeEdit) children(k int) ([]string, error) {
	changed := x.gone[k]
	var out []string
	seen := map[int]bool{}
	var walk func(k int) error
	walk = func(k int) error {
		if seen[k] || x.nodes[k].childrenAt.Len == 0 {
			return nil
		}
		seen[k] = true
		v, err := parseAt(x.d, x.nodes[k].childrenAt)
		if err != nil {
			return err
		}
		v.Items(func(_ int, e jspan.Value) bool {
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
			return err == nil
		})
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
func (x *treeEdit) named(id string) []byte {
	if id == "" {
		return []byte("null")
	}
	return quote(x.d, id)
}

func (x *treeEdit) list(ids []string) []byte {
	out := []byte{'['}
	for i, id := range ids {
		if i > 0 {
			out = append(out, ',')
			if x.d.Style.Spaced {
				out = append(out, ' ')
			}
		}
		out = append(out, quote(x.d, id)...)
	}
	return append(out, ']')
}

// branch begins a conversation's branch, whose messages are its own.
func (c *chat) branch() *chat {
	th := &model.Thread{ID: "branch", AgentID: c.th.AgentID, Kind: model.ThreadBranch}
	c.conv.Threads = append(c.conv.Threads, th)
	return &chat{b: c.b, conv: c.conv, th: th, served: c.served, open: map[string][]int32{}}
}
