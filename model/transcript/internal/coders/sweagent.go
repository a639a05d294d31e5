package coders

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/internal/openai"
	"palimpsest/model/transcript/jspan"
)

// SWEAgent reads SWE-agent's .traj files of both generations: tool calls with
// role tool (1.0 and later), or actions in the text with observations as user
// messages (0.x).
//
// history is the conversation. trajectory is the same run again, step by
// step, each step with the whole prompt as it was sent (messages, later query):
// that is the log of a run, which no compaction changes, so it stays as it is.
// What replays a run takes the assistant items of history, hence the summary is
// a user's item. Messages are OpenAI's with members beside them; thought and
// action repeat parts of the content.
type SWEAgent struct{ openai.Chat }

func (SWEAgent) Info() codec.Info {
	return codec.Info{Format: model.FormatSWEAgent, Title: "SWE-agent trajectory",
		How: "an object with history (messages with agent or message_type) and trajectory; history is the conversation, trajectory its log"}
}

func isSWEAgent(v jspan.Value) bool {
	history := v.Get("history")
	if history.Kind != jspan.Array || v.Get("trajectory").Kind != jspan.Array {
		return false
	}
	good := false
	for i, e := range history.Items {
		good = e.Get("role").Kind == jspan.String && (e.Has("agent") || e.Has("message_type"))
		if good || i >= codec.SniffLines {
			break
		}
	}
	return good
}

func (SWEAgent) Recognise(s *codec.Sniff) (int, string) {
	if shape := s.Layout(isSWEAgent, "history and trajectory"); shape != "" {
		return 92, shape + ", as SWE-agent writes them"
	}
	return 0, ""
}

func (f SWEAgent) Read(ctx context.Context, b *codec.Builder) error {
	return b.ReadChats(ctx, isSWEAgent, func(c *codec.Chat, v jspan.Value) {
		c.Th.Observations = true
		c.Conv.ID = v.Get("environment").TextN(200)
		c.Conv.Model = replayedModel(v.Get("replay_config"))
		b.EachMessage(v.Get("history"), func(e jspan.Value, p model.Piece) { f.item(c, e, p) })
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
func (f SWEAgent) item(c *codec.Chat, v jspan.Value, p model.Piece) {
	m := f.Message(c, v)
	m.Pieces = []model.Piece{p}
	switch {
	case m.Kind == model.KindResult && m.Answers == "":
		m.Answers = v.Get("tool_call_ids").Index(0).TextN(200)
	case m.Kind == model.KindUser && v.Get("is_demo").Bool():
		m.Origin = model.OriginInjected // a demonstration of how to work
	case m.Kind == model.KindUser:
		m.Origin = c.TaskOrigin()
	}
	if name := v.Get("agent").TextN(100); name != "" && c.Conv.Agents[0].Name == "" {
		c.Conv.Agents[0].Name = c.B.Intern(name)
	}
	c.Add(m, v)
}

// Summary spells a user's item that a processor of old observations leaves
// alone (tag keep_output).
func (SWEAgent) Summary(d *model.Document, th *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	o := edit.SpellLike(d, like).Str("role", "user").Str("content", s.Text)
	if agent := like.Get("agent"); agent.Exists() {
		o.Raw("agent", agent.Raw())
	}
	if like.Has("message_type") {
		o.Str("message_type", "observation").Raw("tags", []byte(`["keep_output"]`))
	}
	return o.Done(), nil
}
