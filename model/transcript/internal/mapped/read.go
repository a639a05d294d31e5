package mapped

import (
	"cmp"
	"context"
	"slices"
	"strconv"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
)

// reader reads one source by rules.
type reader struct {
	Format
	b      *codec.Builder
	ctx    context.Context
	chats  map[string]*chat // by what the elements say they belong to
	order  []*chat
	unread map[string]int // elements that no rule is for, by their type
	leaves *leaves        // the texts of the source

	root    jspan.Value // the element that is being read
	skipped bool        // a rule passes over it
	key     string      // by which the value that is being read was looked up
}

// source finds the conversations and their elements.
func (r *reader) source() error {
	if r.b.Whole.Kind == jspan.Array && r.Talks.elements() && !r.isTalk() {
		return r.b.EachValue(r.ctx, r.talk)
	}
	if r.isTalk() {
		r.talk(r.b.Whole)
		return nil
	}
	if r.b.Whole.Exists() && (len(r.List)+len(r.Talks) > 0 || r.b.Whole.Kind == jspan.Array) {
		r.Talks.all(r.b.Whole, r.unpack, func(v, _ jspan.Value, _ int) { r.talk(v) })
		return nil
	}
	line := func(v jspan.Value) error {
		if r.Lone || r.holds(v) {
			r.talk(v)
			return nil
		}
		r.element(r.chatOf(v), v, r.b.Record(v))
		return nil
	}
	if r.b.Whole.Exists() {
		return line(r.b.Whole)
	}
	if r.Tree != nil && len(r.List) == 0 {
		return r.linked()
	}
	return r.b.Lines(r.ctx, func(v jspan.Value) error {
		r.leaves.take("", v)
		return line(v)
	})
}

// isTalk reports whether the source, an array, is a conversation, where it could be a list of them.
func (r *reader) isTalk() bool {
	bare := slices.ContainsFunc(r.List, func(p place) bool { return len(p) == 0 })
	return bare && r.b.Whole.Kind == jspan.Array && r.Talks.elements() && !r.holds(r.b.Whole.Index(0))
}

// holds reports whether a line is a conversation, and not an element of one.
func (r *reader) holds(v jspan.Value) bool {
	for _, p := range r.List {
		if len(p) > 0 && (places{p}).one(v).Exists() {
			return true
		}
	}
	return false
}

func (r *reader) unpack(v jspan.Value) (jspan.Value, bool) {
	return r.b.UnpackString(v, len(r.Rules.Summary) > 0)
}

// talk reads a conversation that holds its elements.
func (r *reader) talk(v jspan.Value) {
	if r.Tree != nil {
		r.branches(v)
		return
	}
	var only *chat
	if len(r.By) == 0 || r.holds(v) {
		only = r.chat(v)
	}
	arrays := map[int]int32{}
	r.List.all(v, r.unpack, func(e, list jspan.Value, i int) {
		c := only
		if c == nil && e.Kind != jspan.Array {
			c = r.chatOf(e)
		}
		if list.Kind != jspan.Array {
			if e.Kind != jspan.Array {
				r.element(c, e, r.b.InnerPiece(e))
				return
			}
			r.listed(c, e)
			return
		}
		at, known := arrays[list.Off]
		if !known {
			at = r.b.Array(list, model.Piece{})
			arrays[list.Off] = at
		}
		r.element(c, e, r.b.Elem(at, i))
	})
	if only != nil {
		only.flush()
		r.agents(only, v)
	}
}

// agents reads the conversations of sub-agents as threads of the one that holds them.
func (r *reader) agents(c *chat, v jspan.Value) {
	if len(r.Talk.Agents) == 0 {
		return
	}
	r.Talk.Agents.all(v, parsed, func(in, _ jspan.Value, _ int) {
		k := len(r.order)
		r.talk(in)
		for _, sub := range r.order[k:] {
			sub.settle()
			th := sub.Th
			th.ID, th.AgentID, th.Kind = sub.Conv.ID, sub.Conv.ID, model.ThreadSubagent
			c.Conv.Threads = append(c.Conv.Threads, th)
			c.Conv.Agents = append(c.Conv.Agents, model.Agent{ID: th.ID, Name: sub.Conv.Agents[0].Name, Parent: "main"})
			r.b.Doc.Conversations = r.b.Doc.Conversations[:len(r.b.Doc.Conversations)-1]
		}
		r.order = r.order[:k]
	})
}

// listed reads the elements of an array, which may begin with the newest.
func (r *reader) listed(c *chat, list jspan.Value) {
	at := r.b.Array(list, model.Piece{})
	var elems []jspan.Value
	var pieces []model.Piece
	for i, e := range list.Items {
		elems, pieces = append(elems, e), append(pieces, r.b.Elem(at, i))
	}
	if n := len(elems); n > 1 && len(r.Newest) > 0 && later(r.Newest.one(elems[0]), r.Newest.one(elems[n-1])) {
		slices.Reverse(elems)
		slices.Reverse(pieces)
	}
	for i, e := range elems {
		one := c
		if one == nil {
			one = r.chatOf(e)
		}
		r.element(one, e, pieces[i])
	}
}

// later reports whether a time is after another.
func later(a, b jspan.Value) bool {
	if a.Kind == jspan.Number && b.Kind == jspan.Number {
		x, _ := strconv.ParseFloat(string(a.Raw()), 64)
		y, _ := strconv.ParseFloat(string(b.Raw()), 64)
		return x > y
	}
	return codec.Millis(a) > codec.Millis(b)
}

// element applies the rules to one element.
func (r *reader) element(c *chat, v jspan.Value, p model.Piece) {
	r.root, r.skipped = v, false
	if !r.rules(c, r.Each(), v, p) {
		r.unread[kindOf(v)]++
		return
	}
	if !r.skipped || r.Tree == nil { // a tree may begin at a node that says nothing
		r.b.Doc.Items++
	}
}

// kindOf is what a record is called that is not read.
func kindOf(v jspan.Value) string { return cmp.Or(v.Get("type").TextN(40), v.Kind.String()) }

// rules applies every rule that fits, and reports whether one did.
func (r *reader) rules(c *chat, list []rule, v jspan.Value, p model.Piece) bool {
	fits := false
	for k := range list {
		u := &list[k]
		if !hold(u.If, v) {
			continue
		}
		fits = true
		if u.Skip {
			r.skipped = true
			continue
		}
		array := int32(-1)
		u.At.all(v, r.unpack, func(in, list jspan.Value, i int) {
			at := p
			r.key = ""
			switch {
			case len(u.Look) > 0:
				r.key = u.Key.text(in)
				if in = u.Look.one(r.root).Get(r.key); !in.Exists() {
					return
				}
				at = r.b.InnerPiece(in)
			case len(u.At) > 0 && list.Kind == jspan.Array && len(r.Rules.Summary) > 0:
				if array < 0 {
					array = r.b.Array(list, p)
				}
				at = r.b.Elem(array, i)
			case len(u.At) > 0:
				at = r.b.InnerPiece(in)
			}
			switch {
			case len(u.Each) > 0 && holdAny(u.Compact, in):
				r.snapshot(c, u, in, at)
			case len(u.Each) > 0:
				r.rules(c, u.Each, in, at)
			case u.Role.none():
				r.aside(c, u, in)
			default:
				r.message(c, u, in, at)
			}
		})
	}
	return fits
}

// aside reads a record that is about the conversation or its last answer.
func (r *reader) aside(c *chat, u *rule, v jspan.Value) {
	if u.Change != "" {
		c.flush()
		c.change(u, v)
	}
	if s := u.Model.text(v); s != "" {
		c.model = s
		c.Conv.Model = s
	}
	if use := u.Usage.of(v); use != nil {
		c.flush()
		for i := len(c.Th.Messages) - 1; i >= 0; i-- {
			if m := &c.Th.Messages[i]; m.Kind == model.KindAssistant {
				m.Usage = use
				break
			}
		}
	}
}

func (u *usage) of(v jspan.Value) *model.Usage {
	if u == nil {
		return nil
	}
	n := func(p places) int { return codec.Tokens(p.one(v)) }
	out := model.Usage{Input: n(u.Input), Output: n(u.Output), CacheRead: n(u.CacheRead), CacheWrite: n(u.CacheWrite),
		Reasoning: n(u.Reasoning)}
	total := n(u.Total)
	if u.Beside || total > 0 && total >= out.Input+out.Output+out.CacheRead+out.CacheWrite {
		out.Input += out.CacheRead + out.CacheWrite
	}
	if out == (model.Usage{}) {
		return nil
	}
	return &out
}
