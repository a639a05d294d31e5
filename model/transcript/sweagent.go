package transcript

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// sweAgent reads SWE-agent's .traj files of both generations: tool calls with
// role tool (1.0 and later), or actions in the text with observations as user
// messages (0.x).
//
// history is the conversation. trajectory tells the same run again, step by
// step, each step with the whole prompt as it was sent (messages, later query):
// that is the log of a run, which no compaction changes, so it stays as it is.
// What replays a run takes the assistant items of history, hence the summary is
// a user's item. Messages are OpenAI's with members beside them; thought and
// action repeat parts of the content.
type sweAgent struct{ openAI }

func (sweAgent) info() Info {
	return Info{model.FormatSWEAgent, "SWE-agent trajectory",
		"an object with history (messages with agent or message_type) and trajectory; history is the conversation, trajectory its log"}
}

func isSWEAgent(v jspan.Value) bool {
	history := v.Get("history")
	if history.Kind != jspan.Array || v.Get("trajectory").Kind != jspan.Array {
		return false
	}
	good := false
	history.Items(func(i int, e jspan.Value) bool {
		good = e.Get("role").Kind == jspan.String && (e.Has("agent") || e.Has("message_type"))
		return !good && i < sniffLines
	})
	return good
}

func (sweAgent) recognise(s *sniff) (int, string) {
	if shape := s.talkShape(isSWEAgent, "history and trajectory"); shape != "" {
		return 92, shape + ", as SWE-agent writes them"
	}
	return 0, ""
}

func (f sweAgent) read(ctx context.Context, b *builder) error {
	return b.readTalks(ctx, isSWEAgent, func(v jspan.Value) {
		c := b.newChat()
		defer c.finish()
		c.th.Observations = true
		c.conv.ID = v.Get("environment").TextN(200)
		c.conv.Model = replayedModel(v.Get("replay_config"))
		b.eachElement(v.Get("history"), func(e jspan.Value, p model.Piece) { f.item(c, e, p) })
	})
}

// replayedModel finds the model's name in the settings of the run, which are
// JSON in a string.
func replayedModel(v jspan.Value) string {
	if v.Kind == jspan.String {
		var err error
		if v, err = jspan.Parse([]byte(v.Text()), 0); err != nil {
			return ""
		}
	}
	return v.Get("agent", "model", "name").TextN(200)
}

// item adds one item of the history.
func (f sweAgent) item(c *chat, v jspan.Value, p model.Piece) {
	m := f.message(c, v)
	m.Pieces = []model.Piece{p}
	switch {
	case m.Kind == model.KindResult && m.Answers == "":
		m.Answers = v.Get("tool_call_ids").Index(0).TextN(200)
	case m.Kind == model.KindUser && v.Get("is_demo").Bool():
		m.Origin = model.OriginInjected // a demonstration of how to work
	case m.Kind == model.KindUser:
		m.Origin = c.taskOrigin()
	}
	if name := v.Get("agent").TextN(100); name != "" && c.conv.Agents[0].Name == "" {
		c.conv.Agents[0].Name = c.b.intern(name)
	}
	c.add(m, v)
}

// taskOrigin calls the first user message of an agent's run typed, and all
// others observations. The task may be in a summary by now; a demonstration is
// not it.
func (c *chat) taskOrigin() model.Origin {
	if len(c.th.Found) > 0 {
		return model.OriginObservation
	}
	for _, i := range c.th.History {
		if c.th.Messages[i].Typed() {
			return model.OriginObservation
		}
	}
	return model.OriginTyped
}

// summary spells a user's item that a processor of old observations leaves
// alone (tag keep_output).
func (sweAgent) summary(d *model.Document, th *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	o := spellLike(d, v).str("role", "user").str("content", s.Text)
	if agent := v.Get("agent"); agent.Exists() {
		o.raw("agent", agent.Raw())
	}
	if v.Has("message_type") {
		o.str("message_type", "observation").raw("tags", []byte(`["keep_output"]`))
	}
	return o.done(), nil
}
