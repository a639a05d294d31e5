package anthropic

import (
	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
)

// user gives a record its messages: one for each tool result in it, and one for what
// else it holds.
func (r *ccReader) user(rec *ccRecord, x *ccSeen) {
	if x.role != "" {
		r.Note("unknown-role", "a user record whose message has the role "+x.role)
	}
	rec.prompt = x.prompt
	if x.results == 0 || x.blocks == 1 {
		m := x.said[0].message
		if x.results > 0 {
			m = r.result(&x.said[0])
		}
		m.Pieces = []model.Piece{rec.piece}
		r.add(rec, m)
	} else {
		r.results(rec, x)
	}
	if id := string(x.agentID); id != "" {
		r.agents[id] = r.TextOf(x.agentType)
		if t := r.byCall[r.messages(rec)[0].Answers]; t != nil && r.agents[id] == "" {
			r.agents[id] = t.name
		}
	}
}

// results gives a record of several blocks its messages.
func (r *ccReader) results(rec *ccRecord, x *ccSeen) {
	at, rest := r.Array(x.content, rec.piece), -1
	for i, b := range x.content.Items {
		if b.Get("type").Is("tool_result") {
			m := r.result(&x.said[rec.messages])
			m.Pieces = []model.Piece{r.Elem(at, i)}
			r.add(rec, m)
			continue
		}
		if rest < 0 {
			rest = int(rec.messages)
			r.add(rec, x.said[rest].message)
		}
		m := &r.messages(rec)[rest]
		m.Pieces = append(m.Pieces, r.Elem(at, i))
	}
}

func (r *ccReader) result(x *ccSaid) model.Message {
	m := x.message
	m.Answers, m.Name = r.called(x.answers)
	if model.Asks(m.Name) && !m.Error {
		m.Origin = model.OriginTyped
	}
	return m
}

// called is the id of a call, and the name of its tool if it is known.
func (r *ccReader) called(id []byte) (kept, tool string) {
	if n := r.callID.FindBytes(id); n >= 0 {
		return r.callID.IDs[n], r.tools[n]
	}
	return r.TextOf(id), ""
}

// assistant gives a record the message of an answer.
func (r *ccReader) assistant(rec *ccRecord, x *ccSeen) {
	m := x.said[0].message
	m.Pieces = []model.Piece{rec.piece}
	rec.weight = x.weight
	if x.named {
		if id := codec.ViewOf(x.id); id == r.text(r.msgID) {
			rec.msgID = r.msgID
		} else {
			rec.msgID = r.keep(string(x.id))
		}
		r.msgID = rec.msgID
		if x.usage != (model.Usage{}) {
			use := x.usage // the record's own is read into again
			m.Usage = &use
		}
		if m.Model = r.TextOf(x.model); m.Model != "" {
			switch {
			case m.Model == SyntheticModel: // an answer the program made itself
			case rec.side:
				r.sideModel = m.Model
			default:
				r.model = m.Model
			}
		}
	}
	for i := range x.calls {
		m.Calls = append(m.Calls, r.call(&x.calls[i]))
	}
	for _, l := range x.links {
		id, _ := r.called(l.id)
		m.Links = append(m.Links, model.Link{ID: id, Result: l.result})
	}
	r.add(rec, m)
}

func (r *ccReader) call(x *ccCallSeen) model.Call {
	c := model.Call{Name: r.TextOf(x.name)}
	n, fresh := r.callID.FindOrAdd(codec.ViewOf(x.id))
	if fresh {
		r.tools = append(r.tools, "")
	}
	c.ID, r.tools[n] = r.callID.IDs[n], c.Name
	if startsAgent(c.Name) {
		t := &ccTask{call: c.ID, name: r.TextOf(x.agent), rec: int32(len(r.recs))}
		r.byCall[c.ID] = t
		if x.prompt != 0 {
			r.tasks[x.prompt] = t
		}
	}
	return c
}
