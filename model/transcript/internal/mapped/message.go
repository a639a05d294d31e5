package mapped

import (
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/generic"
	"palimpsest/model/transcript/jspan"
)

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
	defer func(n int) { r.b.Packed = r.b.Packed[:n] }(len(r.b.Packed))
	list := speak(u.Parts, v, func(v jspan.Value) (jspan.Value, bool) {
		if in, ok := r.unpack(v); ok {
			return in, true
		}
		return parsed(v)
	})
	fill(list, c.texts, r.Talk.Mark)
	r.hear(c, u, list)
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

// hear marks what is said as read. What comes in many pieces waits until it is whole.
func (r *reader) hear(c *chat, u *rule, list []spoken) {
	for _, s := range list {
		if u.Glue {
			c.glued = append(c.glued, s.Text...)
		} else {
			r.leaves.read(s.Text)
		}
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

// pieces returns the places of a run, and notes how the reader reads each.
func (l *layout) pieces(one run, who model.Role) []model.Piece {
	list, how := []model.Piece{l.p}, planned{rule: l.rule, texts: l.texts}
	within := one.result && len(one.parts) > 0 && one.parts[0].at.Off != l.v.Off && len(l.rule.At) > 0
	switch {
	case l.runs == 1 && !within:
	case l.array >= 0:
		list, how.of = l.elements(one), one.parts[0].of
	case l.said == 1 && !one.result: // all of it, but for the results
	case !slices.ContainsFunc(one.parts, func(s spoken) bool { return !codec.Beside(l.b, s.at, l.v) }):
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

// elements are the values of the array that a run has, with what says nothing after it, and in
// front of the first.
func (l *layout) elements(one run) (list []model.Piece) {
	first := one.parts[0]
	from, to := first.i, one.parts[len(one.parts)-1].i
	if !one.result {
		from = min(l.next, from)
	}
	silent := func(v jspan.Value) bool { return v.Exists() && len(block(first.of, v)) == 0 }
	for !first.beside && silent(first.list.Index(to+1)) {
		to++
	}
	l.next = max(l.next, to+1)
	for i := from; i <= to; i++ {
		list = append(list, l.b.Elem(l.array, i))
	}
	return list
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

// takesIn gives a message to the one that waits, or lets it wait for the end of a step.
func (c *chat) takesIn(u *rule, m model.Message, v jspan.Value) bool {
	switch {
	case u.Join && c.open != nil && c.open.Kind == m.Kind && m.Kind != model.KindResult && c.by.Join:
		c.join(m)
	case c.step && !u.Join && !holdAny(u.Compact, v):
		c.late = append(c.late, waiting{m, v})
	default:
		return false
	}
	return true
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
	if c.takesIn(u, m, v) {
		return
	}
	if !c.step || !u.Join || c.open != nil {
		c.flush()
	}
	switch {
	case m.Kind == model.KindOther:
		c.Store(m)
		r.unread[kindOf(v)]++
		return
	case c.inside:
		c.insert(m, v)
		return
	case (m.Kind == model.KindSummary || m.Kind == model.KindResult) && holdAny(u.Compact, v):
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
