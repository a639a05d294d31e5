package coders

import (
	"context"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/edit"
	"palimpsest/model/transcript/internal/openai"
	"palimpsest/model/transcript/jspan"
)

// MiniSWEAgent reads mini-swe-agent's trajectories: OpenAI messages with what
// the program noted of each in extra, where the raw answer of the model repeats
// the message. Version 1 has its commands in the text and their output in user
// messages; version 2 calls tools. User messages behind the task are
// observations, but for those in which a person interrupted.
//
// The oldest files are bare arrays of messages: those are OpenAI Chat.
type MiniSWEAgent struct{ openai.Chat }

func (MiniSWEAgent) Info() codec.Info {
	return codec.Info{Format: model.FormatMiniSWEAgent, Title: "mini-swe-agent trajectory",
		How: "an object with trajectory_format mini-swe-agent and messages"}
}

func isMiniSWEAgent(v jspan.Value) bool {
	return strings.HasPrefix(v.Get("trajectory_format").TextN(20), "mini-swe-agent") && v.Get("messages").Kind == jspan.Array
}

func (MiniSWEAgent) Recognise(s *codec.Sniff) (int, string) {
	return s.ScoreLayout(95, isMiniSWEAgent, "a trajectory_format of mini-swe-agent")
}

func (f MiniSWEAgent) Read(ctx context.Context, b *codec.Builder) error {
	return b.ReadChats(ctx, isMiniSWEAgent, func(c *codec.Chat, v jspan.Value) {
		c.Th.Observations = true
		c.Conv.ID = v.Get("instance_id").TextN(200)
		c.Conv.Model = v.Get("info", "config", "model", "model_name").TextN(200)
		b.EachMessage(v.Get("messages"), func(e jspan.Value, p model.Piece) { f.item(c, e, p) })
	})
}

func (f MiniSWEAgent) item(c *codec.Chat, v jspan.Value, p model.Piece) {
	if v.Get("role").TextN(8) == "exit" { // how the run ended; no model gets it
		c.Store(model.Message{Role: model.RoleOther, Kind: model.KindOther, Time: codec.Millis(v.Get("extra", "timestamp")),
			Preview: codec.Preview(v.Get("content").TextN(codec.PreviewScan)), Pieces: []model.Piece{p}})
		return
	}
	m := f.Message(c, v)
	m.Pieces = []model.Piece{p}
	extra := v.Get("extra")
	if m.Time == 0 {
		m.Time = codec.Millis(extra.Get("timestamp"))
	}
	switch m.Kind {
	case model.KindUser:
		if m.Origin = c.TaskOrigin(); strings.HasPrefix(extra.Get("interrupt_type").TextN(20), "User") {
			m.Origin = model.OriginTyped
		}
	case model.KindAssistant:
		m.Model = c.B.Intern(extra.Get("response", "model").TextN(200))
	case model.KindResult:
		m.Error = m.Error || extra.Get("returncode").Int() != 0
	}
	c.Add(m, v)
}

// Summary spells a user message: what the agent gets is the user's.
func (MiniSWEAgent) Summary(d *model.Document, _ *model.Thread, s edit.Summary, like jspan.Value) ([]byte, error) {
	return edit.SpellLike(d, like).Str("role", "user").Str("content", s.Text).Done(), nil
}
