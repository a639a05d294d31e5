package repair

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript"
	"palimpsest/model/transcript/jspan"
)

// request looks at the messages that a request would hold: calls and results, roles, texts.
type request struct {
	*check
	d     *model.Document
	first bool // what needs to be said once is said
	th    *model.Thread
	how   form

	children map[string][]model.Span // values that name a record as the one before, by its id
	linked   map[model.Span]*Fault   // the mend that puts new results after a record
}

func newRequest(c *check, d *model.Document, first bool) *request {
	return &request{check: c, d: d, first: first, how: forms[d.Format], linked: map[model.Span]*Fault{}}
}

// run goes over the main thread of each conversation: who says something comes before what
// belongs to it.
func (r *request) run() {
	for _, conv := range r.d.Conversations {
		r.th = conv.Main()
		live := r.th.Live(len(r.th.History))
		if !r.first {
			r.pairs(live)
			continue
		}
		r.sealed(live)
		r.roles(live)
		if r.how.Begins {
			r.begins(live)
		}
		if r.how.Blocks {
			r.texts(live)
		}
		r.items(live)
	}
}

// record reads the record that a message is in.
func (r *request) record(m *model.Message) (model.Piece, jspan.Value) {
	if len(m.Pieces) == 0 {
		return model.Piece{}, jspan.Value{}
	}
	return r.recordOf(m.Pieces[0])
}

func (r *request) recordOf(p model.Piece) (model.Piece, jspan.Value) {
	p = transcript.Outermost(r.d, p)
	if p.End() > r.d.Size { // inside a packed text
		return p, jspan.Value{}
	}
	b, err := r.d.Bytes(p.Span)
	if err != nil {
		return p, jspan.Value{}
	}
	v, err := jspan.Parse(b, 0)
	if err != nil {
		return p, jspan.Value{}
	}
	return p, v
}

// openCall is a call of a message, by its place in the live list, that no result is of yet.
type openCall struct {
	at int
	id string
}

// pairs matches the results of a live list with its calls.
func (r *request) pairs(live []int32) {
	var pairs model.NamedPairing
	calls, seen, named := map[openCall]bool{}, map[string]int{}, r.byOrder(live)
	found := len(r.found)
	var results []func() // which call each is of is sure once no two have one id
	for i, at := range live {
		m := &r.th.Messages[at]
		for _, call := range m.Calls {
			if call.ID == "" {
				continue
			}
			before, again := seen[call.ID]
			waits := calls[openCall{before, call.ID}]
			if again && (before == i || r.how.Items || !waits && r.how.Blocks) && r.how.CallID != "" {
				r.twice(live, i, call.ID, before == i, waits)
			}
			seen[call.ID] = i
			if pairs.Call(pairs.ID(call.ID), int32(i)) < 0 {
				calls[openCall{i, call.ID}] = true
			}
		}
		for _, l := range m.Links {
			if !l.Result {
				continue
			}
			if at, tie := pairs.Link(pairs.ID(l.ID), true, int32(i)); tie == model.TieFirst {
				delete(calls, openCall{int(at), l.ID})
			}
		}
		if m.Kind == model.KindResult && m.Answers != "" {
			id := cmp.Or(named[i], m.Answers)
			if r.how.Calls != "" {
				r.unnamed(m, id)
			}
			call, tie := pairs.Result(pairs.ID(id), int32(i))
			if tie == model.TieFirst {
				delete(calls, openCall{int(call), id})
			}
			results = append(results, func() { r.result(live, i, int(call), tie) })
		}
	}
	if len(r.found) > found {
		return
	}
	for _, look := range results {
		look()
	}
	r.opens(live, calls)
}

// opens looks at the calls that no result is of.
func (r *request) opens(live []int32, calls map[openCall]bool) {
	for i, at := range live {
		m := &r.th.Messages[at]
		for _, call := range m.Calls {
			if !calls[openCall{i, call.ID}] {
				continue
			}
			if !slices.ContainsFunc(m.Links, func(l model.Link) bool { return l.ID == call.ID }) { // else the provider runs it
				r.open(live, i, call)
			}
		}
	}
}

// byOrder pairs calls with the results after them by their names, in order, where one side has
// no ids and the reader numbered it: the id of the call of each such result.
func (r *request) byOrder(live []int32) map[int]string {
	out := map[int]string{}
	for i, at := range live {
		m := &r.th.Messages[at]
		var results []int
		for k := i + 1; k < len(live) && len(m.Calls) > 0 && r.th.Messages[live[k]].Kind == model.KindResult; k++ {
			results = append(results, k)
		}
		answers := func(k int, id string) bool { return r.th.Messages[live[k]].Answers == id }
		for _, c := range m.Calls {
			if slices.ContainsFunc(results, func(k int) bool { return answers(k, c.ID) }) {
				continue
			}
			n := slices.IndexFunc(results, func(k int) bool {
				res := &r.th.Messages[live[k]]
				return (strings.HasPrefix(c.ID, "#") || strings.HasPrefix(res.Answers, "#")) && (res.Name == c.Name || res.Name == "") &&
					!slices.ContainsFunc(m.Calls, func(o model.Call) bool { return o.ID == res.Answers })
			})
			if n >= 0 {
				out[results[n]] = c.ID
				results = slices.Delete(results, n, n+1)
			}
		}
	}
	return out
}

// result looks at a result and the call that it is tied to, by their places in the live list.
func (r *request) result(live []int32, i, call int, tie model.Tie) {
	m := &r.th.Messages[live[i]]
	switch tie {
	case model.TieFirst:
		if r.how.Sent && r.apart(live, call, i) {
			r.move(m, live, call)
		}
	case model.TieFurther:
		r.orphan("second-result", m)
	default:
		if later := r.callOf(live[i+1:], m.Answers); later >= 0 && (r.how.Sent || r.how.Ordered) {
			r.move(m, live, i+1+later)
		} else if later < 0 {
			r.orphan("result-without-call", m)
		}
	}
}

// callOf is the place of the message that makes a call.
func (r *request) callOf(live []int32, id string) int {
	return slices.IndexFunc(live, func(at int32) bool {
		return slices.ContainsFunc(r.th.Messages[at].Calls, func(c model.Call) bool { return c.ID == id })
	})
}

// apart reports whether another message than results is between a call and its result.
func (r *request) apart(live []int32, call, result int) bool {
	record := r.outermost(&r.th.Messages[live[result]])
	for _, at := range live[call+1 : result] {
		switch m := &r.th.Messages[at]; m.Kind {
		case model.KindResult, model.KindOther, model.KindBoundary:
		case model.KindAssistant:
			if r.how.Results == "" && r.outermost(m) != record { // there the API joins turns of one side
				return true
			}
		default:
			if r.outermost(m) != record {
				return true
			}
		}
	}
	return false
}

// outermost is the record that a message is in.
func (r *request) outermost(m *model.Message) model.Span {
	if len(m.Pieces) == 0 {
		return model.Span{}
	}
	return transcript.Outermost(r.d, m.Pieces[0]).Span
}

// open has a result added that says that none was recorded.
func (r *request) open(live []int32, i int, call model.Call) {
	m := &r.th.Messages[live[i]]
	f := &Fault{Rule: "call-without-result", Found: call.Name + " " + call.ID}
	if i == len(live)-1 && !r.how.Session && !r.cut {
		f.Rule = "open-call"
	}
	at, v := r.holding(m, call.ID)
	f.span = at.Span
	if strings.HasPrefix(call.ID, "#") && r.how.Results == "" && i+1 < len(live) && r.th.Messages[live[i+1]].Kind == model.KindResult {
		return // calls without ids, and a result after them, which may answer all
	}
	for _, b := range blocksOf(v) {
		if b.Get("id").Is(call.ID) && r.how.Blocks && !b.Get("type").Is("tool_use") { // the provider runs it
			return
		}
	}
	x := &spelled{d: r.d, like: v, at: at, call: call, uid: newID(r.d.Format, "result of "+call.ID), text: noResult}
	if text, link := x.record(r.how.Answer); text != nil && v.Exists() {
		elem, end := listed(text, r.how.Results)
		f.ops = append(f.ops, op{kind: inserts, at: at, text: text, elem: elem, end: end})
		if beside := r.beside(live, i); beside.Off > 0 {
			f.ops = []op{put(beside, append(elem, ','))}
		} else if link != "" {
			if first := r.linked[at.Span]; first != nil {
				r.after(first, f, v.Get(link), x.uid)
				return
			}
			f.ops = append(f.ops, r.rehang(v.Get(link).Text(), x.uid, call.ID)...)
			r.linked[at.Span] = f
			f.last = x.uid
		}
	} else if f.ops = x.changes(r.how.Answer); f.ops == nil {
		f.NoMend = unspelled(r.d, "How a result of this kind is written is not known.")
	}
	r.add(f)
}

// after has one more new result follow the last one that is put after a call, in the same mend.
func (r *request) after(f, more *Fault, call jspan.Value, uid string) {
	o := more.ops[0]
	was, is := jspan.AppendQuote(nil, f.last, r.d.Style.ASCII), jspan.AppendQuote(nil, uid, r.d.Style.ASCII)
	for i := range f.ops {
		if o := &f.ops[i]; o.kind == replaces && bytes.Equal(o.text, was) {
			o.text = is
		}
	}
	v, err := jspan.Parse(o.text, 0)
	if parent := v.Get(r.how.Parent); err == nil && parent.Exists() && bytes.Equal(parent.Raw(), call.Raw()) {
		o.text = slices.Concat(o.text[:parent.Off], was, o.text[parent.End:])
	}
	f.ops, f.last, f.Found = append(f.ops, o), uid, f.Found+"; "+more.Found
}

// beside is where a result goes in the list of the results that are recorded after a message:
// before them, as nothing else may be.
func (r *request) beside(live []int32, i int) (at model.Span) {
	if r.how.Results == "" || i+1 == len(live) || r.th.Messages[live[i+1]].Kind != model.KindResult {
		return at
	}
	record, v := r.record(&r.th.Messages[live[i+1]])
	if list := pathOf(v, r.how.Results); list.Count() > 0 {
		at = model.Span{Off: record.Off + int64(list.Off) + 1}
	}
	return at
}

// listed is the first element of a record's list, and where the list ends.
func listed(record []byte, list string) (elem []byte, end int) {
	v, err := jspan.Parse(record, 0)
	if at := pathOf(v, list); err == nil && at.Kind == jspan.Array {
		elem, end = slices.Clone(at.Index(0).Raw()), at.End-1
	}
	return elem, end
}

// unspelled is why something can't be written: in a format that is only read for that reason.
func unspelled(d *model.Document, why string) string { return cmp.Or(transcript.ReadOnly(d), why) }

// holding is the record of a message that makes a call: of one that goes over several, the
// one with the call's id in it.
func (r *request) holding(m *model.Message, id string) (at model.Piece, v jspan.Value) {
	quoted := jspan.AppendQuote(nil, id, true)
	for _, p := range m.Pieces {
		if p.Duplicate {
			continue
		}
		piece, value := r.recordOf(p)
		names := value.Exists() && bytes.Contains(value.Raw(), quoted)
		if names || !v.Exists() {
			at, v = piece, value
		}
		if names {
			break
		}
	}
	return at, v
}

// rehang has what followed a record follow another one: all that name it as the one before and
// do not hold a result.
func (r *request) rehang(id, to, call string) (ops []op) {
	if r.children == nil {
		r.children = map[string][]model.Span{}
		parent := r.how.Parent
		for _, s := range r.d.Segments {
			if s.Kind != model.SegmentRecord || parent == "" {
				continue
			}
			_, v := r.recordOf(model.Piece{Span: s.Span, Array: -1})
			if p := v.Get(parent); p.Kind == jspan.String && !v.Get("isSidechain").Bool() && !answers(v) {
				r.children[p.Text()] = append(r.children[p.Text()], within(s.Span, p))
			}
		}
	}
	for _, s := range r.children[id] {
		ops = append(ops, put(s, jspan.AppendQuote(nil, to, r.d.Style.ASCII)))
	}
	delete(r.children, id)
	r.children[to] = nil
	return ops
}

// answers reports whether a record of Claude Code holds a result: it stays with its call.
func answers(v jspan.Value) bool {
	for _, b := range v.Get("message", "content").Items {
		if b.Get("type").Is("tool_result") {
			return true
		}
	}
	return false
}

// elsewhere reports whether a request goes on with what its provider holds: the calls may be there.
func elsewhere(d *model.Document, pattern string) bool {
	if pattern == "" || d.Size > mostWhole {
		return false
	}
	text, err := d.Bytes(model.Span{Len: d.Size})
	return err == nil && regexp.MustCompile(pattern).Match(text)
}

const notSaid = "How its text is written as a message in this format is not known."

// orphan has a result that no call is before become a message with its text.
func (r *request) orphan(rule string, m *model.Message) {
	f := &Fault{Rule: rule, Found: m.Name + " " + m.Answers}
	if len(m.Pieces) == 0 || rule == "result-without-call" && elsewhere(r.d, r.how.Elsewhere) {
		return
	}
	f.span = r.outermost(m)
	if len(r.how.Said) == 0 || f.span.End() > r.d.Size {
		f.NoMend = unspelled(r.d, notSaid)
		r.add(f)
		return
	}
	parts, err := r.d.Parts(m)
	if err != nil {
		return
	}
	text := ""
	for _, p := range parts {
		if p.Kind == model.PartMedia {
			f.NoMend = "It holds an image or a file, which can't be kept without its call."
			r.add(f)
			return
		}
		text += p.Text
	}
	text = ofTool + cmp.Or(text, noContent)
	at, v := r.record(m)
	x := &spelled{d: r.d, like: v, call: model.Call{ID: m.Answers, Name: m.Name}, at: at, piece: m.Pieces[0].Span, text: text}
	f.ops = x.changes(r.how.Said)
	if last := r.lastResult(m); len(f.ops) == 1 && f.ops[0].at.Span == x.piece && last.Len > 0 { // a text may not be before results
		f.ops = []op{{kind: drops, at: m.Pieces[0]}, {kind: inserts, at: last, text: f.ops[0].text}}
	}
	if f.ops == nil {
		f.NoMend = unspelled(r.d, notSaid)
	}
	r.add(f)
}

// lastResult is the last result in the list that a result is in, if it is after that one.
func (r *request) lastResult(m *model.Message) (last model.Piece) {
	if p := m.Pieces[0]; r.how.Results != "" && r.outermost(m) != p.Span {
		for _, other := range r.th.Messages {
			if o := other.Pieces; other.Kind == model.KindResult && len(o) > 0 && o[0].Array == p.Array && o[0].Off > max(p.Off, last.Off) {
				last = o[0]
			}
		}
	}
	return last
}

// move has a result follow its call.
func (r *request) move(m *model.Message, live []int32, call int) {
	f := &Fault{Rule: "result-apart", Found: m.Name + " " + m.Answers}
	from, v := r.record(m)
	to, _ := r.holding(&r.th.Messages[live[call]], m.Answers)
	f.span = from.Span
	parent := r.how.Parent
	switch {
	case len(m.Pieces) != 1 || m.Pieces[0].Span != from.Span || !v.Exists():
		f.NoMend = "It shares its record with others."
	case parent == "":
		f.ops = []op{{kind: drops, at: from}, {kind: inserts, at: to, text: slices.Clone(v.Raw())}}
	default: // what followed it follows what was before it, and what followed the call follows it
		_, c := r.recordOf(to)
		id, callID := v.Get("id"), c.Get("id")
		was := v.Get(parent)
		text := slices.Clone(v.Raw())
		if was.Kind == jspan.String && callID.Kind == jspan.String {
			text = slices.Concat(v.Buf[v.Off:was.Off], callID.Raw(), v.Buf[was.End:v.End])
		}
		f.ops = []op{{kind: drops, at: from}, {kind: inserts, at: to, text: text}}
		r.rehang("", "", "")
		if was.Text() != callID.Text() {
			for _, s := range r.children[id.Text()] {
				f.ops = append(f.ops, put(s, slices.Clone(was.Raw())))
			}
			for _, s := range r.children[callID.Text()] {
				f.ops = append(f.ops, put(s, slices.Clone(id.Raw())))
			}
			delete(r.children, id.Text())
			delete(r.children, callID.Text())
		}
	}
	r.add(f)
}

// twice has the second of two calls with one id get another one, with its result. same: both
// calls are in one message; waits: the first one has no result so far, and the next is its.
func (r *request) twice(live []int32, i int, id string, same, waits bool) {
	f := &Fault{Rule: "double-call", Found: id}
	next := jspan.AppendQuote(nil, newID(r.d.Format, fmt.Sprint("again ", i, id)), true)
	rename := func(m *model.Message, results bool, keep *bool) (done bool) {
		seen := map[int64]bool{}
		for _, p := range m.Pieces {
			at, v := r.recordOf(p)
			for _, was := range r.idsOf(v, results) {
				switch {
				case !was.Is(id) || seen[at.Off+int64(was.Off)]:
				case *keep: // the first of them keeps it
					*keep = false
				default:
					f.ops, done = append(f.ops, put(within(at.Span, was), next)), true
				}
				seen[at.Off+int64(was.Off)] = true
			}
		}
		return done
	}
	rename(&r.th.Messages[live[i]], false, &same)
	for _, k := range live[i+1:] {
		if m := &r.th.Messages[k]; m.Answers == id && rename(m, true, &waits) {
			break
		}
	}
	r.add(f)
}

// sealed finds checkpoints that only their provider can read, and signed thinking that a
// compaction parted from what was before it.
func (r *request) sealed(live []int32) {
	for i, at := range live {
		m := &r.th.Messages[at]
		if m.Sealed && len(m.Pieces) > 0 {
			r.add(&Fault{Rule: "sealed-checkpoint", Found: m.Preview, span: r.outermost(m),
				NoMend: "What it stands for is in the messages before it: a compaction of these makes a note that can be read."})
		}
		if from := r.th.LiveFrom(len(r.th.History)); len(r.th.Resets) > 0 && i < len(live)-(len(r.th.History)-from) {
			r.signature(m)
		}
	}
}

// signature finds signed thinking in a message that a compaction kept.
func (r *request) signature(m *model.Message) {
	if m.Kind != model.KindAssistant {
		return
	}
	for _, p := range m.Pieces {
		at, v := r.recordOf(p)
		blocks := blocksOf(v)
		for k, b := range blocks {
			t := b.Get("type")
			signed := max(b.Get("signature").Len(), b.Get("thinkingSignature").Len(), b.Get("data").Len())
			if !t.Is("thinking") && !t.Is("redacted_thinking") || signed <= 2 {
				continue
			}
			f := &Fault{Rule: "stale-signature", Found: excerpt([]byte(b.Get("thinking").TextN(60))), span: at.Span}
			if len(blocks) == 1 {
				f.NoMend = "It is all that its record holds."
			} else {
				cut := within(at.Span, b)
				if k > 0 {
					from := int64(blocks[k-1].End) + at.Off
					cut = model.Span{Off: from, Len: cut.End() - from}
				} else {
					cut.Len = int64(blocks[1].Off) + at.Off - cut.Off
				}
				f.ops = []op{put(cut, nil)}
			}
			r.add(f)
		}
	}
}

// roles finds messages with a role that the API does not know.
func (r *request) roles(live []int32) {
	for i, k := range live {
		if len(r.how.Roles) == 0 {
			return
		}
		m := &r.th.Messages[k]
		at, v := r.record(m)
		role := pathOf(v, r.how.Role)
		if role.Kind != jspan.String || slices.Contains(r.how.Roles, role.Text()) || i == 0 && role.Is("system") {
			continue
		}
		to := "user"
		says := slices.Contains([]string{"model", "assistant", "ai", "bot"}, role.Text())
		if says || len(m.Calls) > 0 || bytes.Contains(v.Raw(), []byte(`"output_text"`)) {
			to = "assistant"
			if !slices.Contains(r.how.Roles, to) {
				to = "model"
			}
		}
		r.add(&Fault{Rule: "unknown-role", Found: role.Text(), ops: []op{put(within(at.Span, role), jspan.AppendQuote(nil, to, true))}})
	}
}

// begins finds a list that begins with an answer.
func (r *request) begins(live []int32) {
	for _, k := range live {
		m := &r.th.Messages[k]
		switch m.Kind {
		case model.KindSystem:
			continue
		case model.KindSummary: // what a provider's own compaction left may begin
			return
		}
		at, v := r.record(m)
		x := &spelled{d: r.d, like: v, text: noBeginning}
		if role := v.Get("role"); role.Is("assistant") || role.Is("model") {
			if text, _ := x.record(r.how.Note); text != nil {
				r.add(&Fault{Rule: "first-message", Found: m.Preview, ops: []op{{kind: precedes, at: at, text: text}}})
			}
		}
		return
	}
}

// texts finds texts that say nothing, and what is before the results in their message.
func (r *request) texts(live []int32) {
	blank := func(v jspan.Value) bool {
		return v.Kind == jspan.String && v.Len() < 1000 && strings.TrimSpace(v.Text()) == "" || v.Kind == jspan.Array && v.Count() == 0
	}
	for n, k := range live {
		m := &r.th.Messages[k]
		for _, p := range m.Pieces {
			at, v := r.recordOf(p)
			for _, b := range blocksOf(v) {
				if text := b.Get("text"); b.Get("type").Is("text") && blank(text) {
					r.add(&Fault{Rule: "empty-text", ops: []op{put(within(at.Span, text), []byte(`"`+noContent+`"`))}})
				}
			}
			if content := contentOf(v); blank(content) && (m.Kind == model.KindUser || n < len(live)-1) {
				with := []byte(`"` + noContent + `"`)
				if content.Kind == jspan.Array {
					with = []byte(`[{"type":"text","text":"` + noContent + `"}]`)
				}
				r.add(&Fault{Rule: "empty-text", ops: []op{put(within(at.Span, content), with)}})
			}
		}
		if len(m.Pieces) == 0 || m.Kind == model.KindResult || !r.how.Sent {
			continue
		}
		if last := r.lastResult(m); last.Len > 0 {
			f := &Fault{Rule: "result-apart", Found: m.Preview}
			for _, p := range m.Pieces {
				if b, err := r.d.Bytes(p.Span); err == nil {
					f.ops = append(f.ops, op{kind: drops, at: p}, op{kind: inserts, at: last, text: slices.Clone(b)})
				}
			}
			r.add(f)
		}
	}
}

// items looks at the records of a request one by one, in their order.
func (r *request) items(live []int32) {
	done, texts := map[int64]bool{}, map[string]string{}
	var thoughts []*Fault // of which nothing came so far
	for _, k := range live {
		for _, p := range r.th.Messages[k].Pieces {
			at, v := r.recordOf(p)
			if done[at.Off] || !v.Exists() {
				continue
			}
			done[at.Off] = true
			r.refused(at, v)
			if !r.how.Items || r.again(at, v, texts) {
				continue
			}
			role := v.Get("role").Text()
			switch id := v.Get("id").Text(); {
			case v.Get("type").Is("reasoning") && id != "":
				thoughts = append(thoughts, &Fault{Rule: "reasoning-alone", Found: id, ops: []op{{kind: drops, at: at}}})
			case role != "" && role != "assistant" || strings.HasSuffix(v.Get("type").Text(), "_output"):
				r.addAll(thoughts)
				fallthrough
			default:
				thoughts = nil
			}
		}
	}
	r.addAll(thoughts)
}

func (r *request) addAll(list []*Fault) {
	for _, f := range list {
		r.add(f)
	}
}

// refused finds what is refused in a record by itself.
func (r *request) refused(at model.Piece, v jspan.Value) {
	x := &spelled{d: r.d, like: v, at: at, text: noContent}
	for _, w := range r.how.Refused {
		m := pathOf(v, w.Member)
		has := func(path string) bool { return state(pathOf(v, path)) == "filled" }
		if !m.Exists() || state(m) != w.Is || !x.holds(v, w.If) || slices.ContainsFunc(w.Without, has) {
			continue
		}
		f := &Fault{Rule: w.Rule, ops: []op{put(within(at.Span, m), x.fillText(w.Put))}}
		if w.Put == nil {
			cut := member(v.Buf, m)
			cut.Off += at.Off
			f.ops = []op{put(cut, nil)}
		}
		r.add(f)
	}
}

// again finds an item with the id of one before it; true: it goes, as it is a copy.
func (r *request) again(at model.Piece, v jspan.Value, texts map[string]string) bool {
	id := v.Get("id")
	before, known := texts[id.Text()]
	switch {
	case id.Text() == "" || v.Get("type").Is("item_reference"):
	case !known:
		texts[id.Text()] = string(v.Raw())
	case before == string(v.Raw()):
		r.add(&Fault{Rule: "copied-record", Found: id.Text(), ops: []op{{kind: drops, at: at}}})
		return true
	case v.Get("type").Is("reasoning"):
		r.add(&Fault{Rule: "double-id", Found: id.Text(), span: at.Span, NoMend: "Which of the two counts is not in the file."})
	default:
		cut := member(v.Buf, id)
		cut.Off += at.Off
		r.add(&Fault{Rule: "double-id", Found: id.Text(), ops: []op{put(cut, nil)}})
	}
	return false
}

// idsOf are the ids of a record's calls, or of those that it has results of.
func (r *request) idsOf(v jspan.Value, results bool) (list []jspan.Value) {
	switch {
	case r.how.Blocks:
		name := map[bool]string{false: "id", true: "tool_use_id"}[results]
		for _, b := range blocksOf(v) {
			list = append(list, b.Get(name))
		}
	case results || r.how.Calls == "":
		list = append(list, v.Get(r.how.CallID))
	default:
		for _, c := range v.Get(r.how.Calls).Items {
			list = append(list, c.Get("id"))
		}
	}
	return list
}

// unnamed finds a result that does not say which call it is of.
func (r *request) unnamed(m *model.Message, call string) {
	at, v := r.record(m)
	if !v.Get("role").Is("tool") || v.Get(r.how.CallID).Text() != "" || strings.HasPrefix(call, "#") {
		return
	}
	f := &Fault{Rule: "no-call-id", Found: m.Preview}
	name := jspan.AppendQuote([]byte(", "), r.how.CallID, true)
	id := jspan.AppendQuote(nil, call, r.d.Style.ASCII)
	if was := v.Get(r.how.CallID); was.Exists() {
		f.ops = []op{put(within(at.Span, was), id)}
	} else {
		f.ops = []op{put(model.Span{Off: at.Off + int64(v.End-v.Off) - 1}, slices.Concat(name, []byte(": "), id))}
	}
	r.add(f)
}
