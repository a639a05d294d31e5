package evals

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/openai"
	"palimpsest/model/transcript/jspan"
)

// Tau2 reads the results of tau2-bench: {simulations:[{task_id, messages}]}, or
// simulations alone. Agent and user simulator share one list and both call
// tools; the conversation is the agent's, who sees of the user only the words.
// The user's calls and their results are kept in the stored view.
type Tau2 struct{ openai.Chat }

func (Tau2) Info() codec.Info {
	return codec.Info{Format: model.FormatTau2, Title: "tau2-bench results",
		How: "an object with simulations that have task_id and messages, or such simulations"}
}

// isTau2Run recognises a simulation; one of speech has ticks in the place of
// messages.
func isTau2Run(v jspan.Value) bool {
	m := codec.MembersOf(v, "task_id", "messages", "termination_reason", "reward_info", "ticks")
	return m[0].Exists() && (codec.LooksLikeMessages(m[1]) || m[4].Kind == jspan.Array) && (m[2].Exists() || m[3].Exists())
}

func isTau2(v jspan.Value) bool {
	found := false
	for i, e := range v.Get("simulations").Items {
		found = isTau2Run(e)
		if found || i >= codec.SniffLines {
			break
		}
	}
	return found
}

func (Tau2) Recognise(s *codec.Sniff) (int, string) {
	if shape := s.Layout(isTau2, "simulations of tau2-bench"); shape != "" {
		return 93, shape
	}
	return s.ScoreLayout(91, isTau2Run, "task_id, messages and how a tau2 simulation ended")
}

func (f Tau2) Read(ctx context.Context, b *codec.Builder) error {
	return b.ReadConversations(ctx, func(v jspan.Value) bool { return isTau2(v) || isTau2Run(v) }, func(v jspan.Value) {
		if !v.Has("simulations") {
			f.run(b, v, "")
			return
		}
		name := v.Get("info", "agent_info", "llm").TextN(200)
		for _, e := range v.Get("simulations").Items {
			f.run(b, e, name)
			if ctx.Err() != nil {
				break
			}
		}
	})
}

func (f Tau2) run(b *codec.Builder, v jspan.Value, name string) {
	if !codec.LooksLikeMessages(v.Get("messages")) {
		why := "a simulation without messages; it is kept in place"
		if v.Get("ticks").Count() > 0 {
			why = "a simulation of speech, written in ticks; it is kept in place"
		}
		b.NoteAt(v, "unknown-record", why)
		return
	}
	c := b.NewChat()
	defer c.Finish()
	c.Conv.ID, c.Conv.Model = codec.NumberText(v.Get("task_id")), name
	if n := v.Get("trial"); n.Exists() {
		c.Conv.ID += "." + codec.NumberText(n)
	}
	b.EachMessage(v.Get("messages"), func(e jspan.Value, p model.Piece) { f.Element(c, e, p) })
}

// Element adds a message, or keeps one that the agent does not see.
func (f Tau2) Element(c *codec.Chat, v jspan.Value, p model.Piece) {
	m := f.Message(c, v)
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
		c.Store(m)
		return
	}
	c.Add(m, v)
}

// Parts implements [model.Codec]. The calls of a user whose words the agent sees
// are none of the agent's.
func (f Tau2) Parts(d *model.Document, m *model.Message) ([]model.Part, error) {
	list, err := f.Chat.Parts(d, m)
	if m.Kind == model.KindUser && len(m.Calls) == 0 {
		for i := range list {
			if list[i].Kind == model.PartCall {
				list[i] = model.Part{Kind: model.PartOpaque, Name: "call of the user", Bytes: len(list[i].Text)}
			}
		}
	}
	return list, err
}
