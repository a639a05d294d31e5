package mapped

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/generic"
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

	root    jspan.Value // the element that is being read
	skipped bool        // a rule passes over it
	key     string      // by which the value that is being read was looked up
}

// chat is a conversation that is being read. The last message waits: what comes may
// belong to it.
type chat struct {
	*codec.Chat
	model string
	open  *model.Message
	by    *rule // what made the open one
	at    jspan.Value
	seen  map[string]bool // agents

	hidden map[int32]bool  // messages that the next compaction hides
	inside bool            // what is read is in a compaction
	live   map[string]bool // ids of the messages that the model sees; nil: not said

	unapplied bool // it holds a compaction that is not read

	texts jspan.Value // the long texts
	used  map[string][]*model.Usage
}

func (r *reader) chat(v jspan.Value) *chat {
	c := &chat{Chat: r.b.NewChat(), seen: map[string]bool{}, hidden: map[int32]bool{}, used: map[string][]*model.Usage{}}
	c.Served = r.Served
	r.order = append(r.order, c)
	r.about(c, v)
	for _, u := range r.Talk.Used {
		r.reports(c, u, v)
	}
	return c
}

// reports reads what a provider reported for answers.
func (r *reader) reports(c *chat, u used, v jspan.Value) {
	if !hold(u.If, v) {
		return
	}
	u.At.all(v, parsed, func(in, _ jspan.Value, _ int) {
		if use := u.Usage.of(in); use != nil {
			id := u.ID.text(in)
			c.used[id] = append(c.used[id], use)
		}
	})
}

// about reads what is said about a conversation.
func (r *reader) about(c *chat, v jspan.Value) {
	set := func(to *string, at places) {
		if s := at.text(v); s != "" && len(at) > 0 {
			*to = s
		}
	}
	set(&c.Conv.ID, r.Talk.ID)
	set(&c.Conv.Dir, r.Talk.Dir)
	set(&c.Conv.Title, r.Talk.Title)
	c.Conv.Title = codec.Title(codec.Preview(c.Conv.Title))
	if len(r.Talk.Outer) > 0 {
		c.Conv.Model = cmp.Or(r.Talk.Outer.text(r.b.Whole), c.Conv.Model)
	}
	set(&c.Conv.Model, r.Talk.Model)
	set(&c.Conv.Agents[0].Name, r.Talk.Agent)
	if len(r.Talk.Live) > 0 {
		r.Talk.Live.all(v, parsed, func(id, _ jspan.Value, _ int) {
			if c.live == nil {
				c.live = map[string]bool{}
			}
			c.live[id.Text()] = true
		})
	}
	c.model = c.Conv.Model
	c.texts = r.Talk.Texts.one(v)
	c.unapplied = holdAny(r.Talk.Unapplied, v)
	if s := r.Talk.System.one(v); len(r.Talk.System) > 0 && s.Exists() && said(s) != "" {
		p := r.b.InnerPiece(s)
		r.plan[keyOf(p, false, model.RoleSystem)] = planned{of: []part{{As: "text"}}}
		c.Add(model.Message{Role: model.RoleSystem, Kind: model.KindSystem, Preview: codec.Preview(codec.HeadOf(said(s))),
			Pieces: []model.Piece{p}}, s)
	}
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
	return r.b.Lines(r.ctx, line)
}

// isTalk reports whether the source, an array, is a conversation, where it could be a list of them.
func (r *reader) isTalk() bool {
	bare := slices.ContainsFunc(r.List, func(p place) bool { return len(p) == 0 })
	return bare && r.b.Whole.Kind == jspan.Array && r.Talks.elements() && !r.holds(r.b.Whole.Index(0))
}

// linked reads lines that name the lines before them.
func (r *reader) linked() error {
	t := &nodes{at: map[string]*node{}}
	var first jspan.Value
	err := r.b.Lines(r.ctx, func(v jspan.Value) error {
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

// holds reports whether a line is a conversation, and not an element of one.
func (r *reader) holds(v jspan.Value) bool {
	for _, p := range r.List {
		if len(p) > 0 && (places{p}).one(v).Exists() {
			return true
		}
	}
	return false
}

func (r *reader) unpack(v jspan.Value) (jspan.Value, bool) { return r.b.UnpackString(v) }

// chatOf is the conversation that an element belongs to.
func (r *reader) chatOf(v jspan.Value) *chat {
	key := ""
	if len(r.By) > 0 {
		key = r.By.text(v)
	}
	c := r.chats[key]
	if c == nil {
		c = r.chat(v)
		r.chats[key] = c
	} else if c.Conv.ID == "" || c.Conv.Dir == "" || c.Conv.Title == "" {
		r.about(c, v)
	}
	return c
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

// run is the parts of an element that are one message.
type run struct {
	parts  []spoken
	result bool
}

// runsOf cuts parts into messages: each result is one, and so is what is said between them. In
// steps the results that calls hold come at the end of each, and so it is as a request has them.
func runsOf(list []spoken, steps bool) (runs []run) {
	var late []run
	summary := false
	for _, s := range list {
		to, result, after := &runs, s.ofResult(), summary
		if summary = steps && s.isSummary(); s.step || summary {
			runs, late = append(runs, late...), nil
		} else if steps && result && s.beside {
			to = &late
		}
		alone := s.step || summary || after || s.Kind == model.PartResult
		if n := len(*to); n > 0 && !alone && (*to)[n-1].result == result {
			(*to)[n-1].parts = append((*to)[n-1].parts, s)
			continue
		}
		*to = append(*to, run{[]spoken{s}, result})
	}
	return append(runs, late...)
}

// message adds what an element says: each result is a message of its own.
func (r *reader) message(c *chat, u *rule, v jspan.Value, p model.Piece) {
	m := model.Message{ID: u.ID.text(v), ParentID: u.Parent.text(v), Time: codec.Millis(u.Time.one(v)), Model: r.b.Intern(u.Model.text(v)),
		Usage: u.Usage.of(v), Sealed: codec.HoldsCheckpoint(v)}
	r.role(c, u, &m, v)
	if list := c.used[m.ID]; m.Kind == model.KindAssistant && m.Usage == nil && len(list) > 0 {
		m.Usage, c.used[m.ID] = list[0], list[1:]
	}
	list := speak(u.Parts, v)
	fill(list, c.texts, r.Talk.Mark)
	if slices.ContainsFunc(list, func(s spoken) bool { return s.made }) {
		if c.flush(); c.AwaitsResult() {
			list = slices.DeleteFunc(list, func(s spoken) bool { return s.made })
		}
	}
	c.take(&m, list)
	runs := runsOf(list, u.Steps)
	if len(runs) == 0 {
		runs = []run{{}}
	}
	use := m.Usage
	last := len(runs) - 1 // that is no result
	for last > 0 && runs[last].result {
		last--
	}
	l := layout{reader: r, rule: u, v: v, p: p, array: r.blocks(runs, p), runs: len(runs)}
	for _, one := range runs {
		if !one.result {
			l.said++
		}
	}
	if c.texts.Exists() {
		l.texts = r.b.Span(c.texts)
	}
	for k, one := range runs {
		if m.Usage = nil; k == last {
			m.Usage = use
		}
		m.Pieces = l.pieces(one, m.Role)
		r.add(c, u, m, one, v)
	}
}

// layout is where the messages of an element have their pieces.
type layout struct {
	*reader
	rule  *rule
	v     jspan.Value // the element
	p     model.Piece // its place
	texts model.Span  // the long texts of the conversation
	array int32       // in which all runs have their values; -1: none
	next  int         // the first value of the array that no message has
	runs  int
	said  int // of the runs: no results
}

// pieces are the places of a run, of which the reader notes how they are read.
func (l *layout) pieces(one run, who model.Role) []model.Piece {
	list, how := []model.Piece{l.p}, planned{rule: l.rule, texts: l.texts}
	within := one.result && len(one.parts) > 0 && one.parts[0].at.Off != l.v.Off && len(l.rule.At) > 0
	switch {
	case l.runs == 1 && !within:
	case l.array >= 0:
		list, how.of = l.elements(one), one.parts[0].of
	case l.said == 1 && !one.result: // all of it, but for the results
	case sameBuffer(one.parts, l.v):
		list = nil
		for _, s := range one.parts {
			q := l.b.InnerPiece(s.at)
			l.plan[keyOf(q, one.result, who)] = planned{of: s.of, texts: l.texts}
			if !slices.Contains(list, q) {
				list = append(list, q)
			}
		}
		return list
	}
	for _, q := range list {
		l.plan[keyOf(q, one.result, who)] = how
	}
	return list
}

// elements are the values of the array that a run has, with what says nothing in front of it.
func (l *layout) elements(one run) (list []model.Piece) {
	from, to := one.parts[0].i, one.parts[len(one.parts)-1].i
	if !one.result {
		from, l.next = min(l.next, from), to+1
	}
	for i := from; i <= to; i++ {
		list = append(list, l.b.Elem(l.array, i))
	}
	return list
}

// take makes texts of results that no call waits for.
func (c *chat) take(m *model.Message, list []spoken) {
	if !slices.ContainsFunc(list, func(s spoken) bool { return s.unasked }) {
		return
	}
	asked := slices.ContainsFunc(list, func(s spoken) bool { return s.Kind == model.PartCall })
	if c.flush(); asked || c.AwaitsResult() {
		return
	}
	for i := range list {
		if list[i].unasked {
			list[i].Kind, m.Origin = model.PartText, model.OriginInjected
		}
	}
}

// blocks is the array in which all runs have their values, if it is one; -1 else.
func (r *reader) blocks(runs []run, p model.Piece) int32 {
	if len(runs) < 2 || len(r.Rules.Summary) == 0 {
		return -1
	}
	list := runs[0].parts[0].list
	for _, one := range runs {
		for _, s := range one.parts {
			if s.list.Kind != jspan.Array || s.list.Off != list.Off || s.at.Off < list.Off {
				return -1
			}
		}
	}
	return r.b.Array(list, p)
}

func sameBuffer(list []spoken, v jspan.Value) bool {
	for _, s := range list {
		if len(s.at.Buf) == 0 || &s.at.Buf[0] != &v.Buf[0] {
			return false
		}
	}
	return true
}

// role says who speaks, and why.
func (r *reader) role(c *chat, u *rule, m *model.Message, v jspan.Value) {
	word := u.Role.of(v)
	if !u.First.none() && c.open == nil && len(c.Th.Messages) == 0 {
		word = u.First.of(v)
	}
	if to, ok := r.Roles[word]; ok {
		word = to
	}
	m.Name = r.b.Intern(u.Name.text(v))
	known := generic.RoleOf(word)
	if word == "other" {
		m.Role, m.Kind = model.RoleOther, model.KindOther
		return
	}
	switch known {
	case model.RoleUser:
		m.Role, m.Kind = known, model.KindUser
	case model.RoleSystem, model.RoleDeveloper:
		m.Role, m.Kind = known, model.KindSystem
	case model.RoleTool:
		m.Role, m.Kind, m.Origin = model.RoleUser, model.KindUser, model.OriginObservation
	case model.RoleAssistant:
		m.Role, m.Kind = known, model.KindAssistant
	default:
		m.Role, m.Kind = model.RoleAssistant, model.KindAssistant
		if m.Name == "" {
			m.Name = r.b.Intern(word)
		}
	}
	if m.Kind == model.KindAssistant && m.Model == "" {
		m.Model = c.model
	}
	switch {
	case holdAny(u.Compact, v), holdAny(u.Summary, v):
		m.Kind = model.KindSummary
	case holdAny(u.Injected, v):
		m.Origin = model.OriginInjected
	case holdAny(u.Observed, v):
		m.Origin = model.OriginObservation
	}
	if name := u.Agent.text(v); name != "" {
		if r.Until != "" {
			name, _, _ = strings.Cut(name, r.Until)
		}
		m.Name = r.b.Intern(name)
		c.Author(c.seen, m.Name)
	}
}

// parts gives a message the calls and the result of a run, and returns the beginnings of
// its text and of its first call.
func (r *reader) parts(m *model.Message, one run) (head, callHead string) {
	for _, s := range one.parts {
		switch s.Kind {
		case model.PartCall:
			m.Calls = append(m.Calls, model.Call{ID: r.b.Intern(s.CallID), Name: r.b.Intern(s.Name)})
			if callHead == "" {
				callHead = s.Name + " " + codec.HeadOf(s.Text)
			}
		case model.PartResult:
			m.Role, m.Kind, m.Origin, m.Answers, m.Error = model.RoleTool, model.KindResult, model.OriginUnknown, s.answers, s.failed
			if m.Answers == "" {
				m.Answers = r.key
			}
			m.Calls, m.Name = nil, r.b.Intern(s.Name)
			m.Model = ""
		}
		if head == "" && (s.Kind == model.PartText || s.Kind == model.PartResult) {
			head = codec.HeadOf(s.Text)
		}
	}
	return head, callHead
}

// add completes the message of a run, and adds it to what waits or in its place.
func (r *reader) add(c *chat, u *rule, m model.Message, one run, v jspan.Value) {
	head, callHead := r.parts(&m, one)
	if m.Kind == model.KindUser && m.Origin == model.OriginUnknown {
		codec.SetUser(&m, head)
	}
	if codec.MarkSummary(&m, head); u.Steps && len(one.parts) == 1 && one.parts[0].isSummary() {
		m.Kind = model.KindSummary
	}
	if m.Preview = codec.Preview(head); m.Preview == "" {
		m.Preview = codec.Preview(callHead)
	}
	if u.Join && c.open != nil && c.open.Kind == m.Kind && m.Kind != model.KindResult && c.by.Join {
		c.join(m)
		return
	}
	c.flush()
	switch {
	case m.Kind == model.KindOther:
		c.Store(m)
		r.unread[kindOf(v)]++
		return
	case c.inside:
		c.insert(m, v)
		return
	case m.Kind == model.KindSummary && holdAny(u.Compact, v):
		c.compact(u, m, v)
		return
	}
	if holdAny(u.Hidden, v) {
		c.hidden[int32(len(c.Th.Messages))] = true
	}
	c.open, c.by, c.at = &m, u, v
	if !u.Join || m.Kind == model.KindResult {
		c.flush()
	}
}

// join takes a message into the one that waits.
func (c *chat) join(m model.Message) {
	c.open.Pieces = append(c.open.Pieces, m.Pieces...)
	c.open.Calls = append(c.open.Calls, m.Calls...)
	if c.open.Preview == "" {
		c.open.Preview = m.Preview
	} else if c.by.Glue && len([]rune(c.open.Preview)) < model.PreviewRunes/2 {
		c.open.Preview = codec.Preview(c.open.Preview + m.Preview)
	}
	if m.Usage != nil {
		c.open.Usage = m.Usage
	}
	if m.Model != "" {
		c.open.Model = m.Model
	}
}

func (c *chat) flush() {
	if c.open != nil {
		m, at := *c.open, c.at
		c.open, c.at = nil, jspan.Value{}
		c.Add(m, at)
	}
}

// finish adds what waits, drops conversations in which nothing is said, and notes what
// was not read.
func (r *reader) finish() {
	for _, c := range r.order {
		c.flush()
		c.settle()
		if c.unapplied {
			codec.Say(r.b.Doc, model.Note{Code: "live-unproven",
				Reason: "it holds compactions that are not applied: all messages count as what the model sees"})
		}
	}
	r.b.Doc.Conversations = slices.DeleteFunc(r.b.Doc.Conversations, func(c *model.Conversation) bool {
		return len(c.Threads[0].Messages) == 0
	})
	named := map[string]int{}
	for _, c := range r.b.Doc.Conversations { // several runs of one task
		if named[c.ID]++; c.ID != "" && named[c.ID] > 1 {
			c.ID += fmt.Sprintf(" %d", named[c.ID])
		}
	}
	var kinds []string
	n := 0
	for k, times := range r.unread {
		kinds = append(kinds, k)
		n += times
	}
	if n > 0 {
		slices.Sort(kinds)
		codec.Say(r.b.Doc, model.Note{Code: "unknown-record",
			Reason: fmt.Sprintf("%d records are of kinds that are not read (%s); they are kept", n,
				strings.Join(kinds[:min(len(kinds), 8)], ", "))})
	}
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
