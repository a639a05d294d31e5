package transcript

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// tau2 reads the results of tau2-bench: {simulations:[{task_id, messages}]}, or
// simulations alone. Agent and user simulator share one list and both call
// tools; the conversation is the agent's, who sees of the user only the words.
// The user's calls and their results are kept in the stored view.
type tau2 struct{ openAI }

func (tau2) info() Info {
	return Info{model.FormatTau2, "tau2-bench results", "an object with simulations that have task_id and messages, or such simulations"}
}

// isTau2Run recognises a simulation; one of speech has ticks in the place of
// messages.
func isTau2Run(v jspan.Value) bool {
	m := members(v, "task_id", "messages", "termination_reason", "reward_info", "ticks")
	return m[0].Exists() && (looksLikeMessages(m[1]) || m[4].Kind == jspan.Array) && (m[2].Exists() || m[3].Exists())
}

func isTau2(v jspan.Value) bool {
	found := false
	v.Get("simulations").Items(func(i int, e jspan.Value) bool {
		found = isTau2Run(e)
		return !found && i < sniffLines
	})
	return found
}

func (tau2) recognise(s *sniff) (int, string) {
	if shape := s.talkShape(isTau2, "simulations of tau2-bench"); shape != "" {
		return 93, shape
	}
	if shape := s.talkShape(isTau2Run, "task_id, messages and how a tau2 simulation ended"); shape != "" {
		return 91, shape
	}
	return 0, ""
}

func (f tau2) read(ctx context.Context, b *builder) error {
	return b.readTalks(ctx, func(v jspan.Value) bool { return isTau2(v) || isTau2Run(v) }, func(v jspan.Value) {
		if !v.Has("simulations") {
			f.run(b, v, "")
			return
		}
		name := v.Get("info", "agent_info", "llm").TextN(200)
		v.Get("simulations").Items(func(_ int, e jspan.Value) bool {
			f.run(b, e, name)
			return ctx.Err() == nil
		})
	})
}

func (f tau2) run(b *builder, v jspan.Value, name string) {
	if !looksLikeMessages(v.Get("messages")) {
		why := "a simulation without messages; it is kept where it stands"
		if v.Get("ticks").Count() > 0 {
			why = "a simulation of speech, told in ticks; it is kept where it stands"
		}
		b.noteAt(v, "unknown-record", why)
		return
	}
	c := b.newChat()
	defer c.finish()
	c.conv.ID, c.conv.Model = numeral(v.Get("task_id")), name
	if n := v.Get("trial"); n.Exists() {
		c.conv.ID += "." + numeral(n)
	}
	b.eachElement(v.Get("messages"), func(e jspan.Value, p model.Piece) { f.element(c, e, p) })
}

// element adds a message, or keeps one that the agent does not see.
func (f tau2) element(c *chat, v jspan.Value, p model.Piece) {
	m := f.message(c, v)
	m.Pieces = []model.Piece{p}
	users := v.Get("requestor").TextN(8) == "user"
	switch m.Kind {
	case model.KindResult: // its id is that of the call
		m.ID, m.Answers = "", m.ID
		m.Error = v.Get("error").Bool()
	case model.KindUser:
		users = len(m.Calls) > 0
		if t := v.Get("content"); t.Kind == jspan.String && t.Len() > 2 { // words as well, for the agent to see
			users, m.Calls = false, nil
		}
	}
	if users {
		m.Origin = model.OriginInjected
		c.store(m)
		return
	}
	c.add(m, v)
}

// Parts implements [model.Codec]. The calls of a user whose words the agent sees
// are none of the agent's.
func (f tau2) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	list, err := f.openAI.Parts(d, m)
	if m.Kind == model.KindUser && len(m.Calls) == 0 {
		for i := range list {
			if list[i].Kind == model.PartCall {
				list[i] = model.Part{Kind: model.PartOpaque, Name: "call of the user", Bytes: len(list[i].Text)}
			}
		}
	}
	return list, err
}
