package transcript

import (
	"context"
	"strings"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// miniSWEAgent reads mini-swe-agent's trajectories: OpenAI messages with what
// the program noted of each in extra, where the raw answer of the model repeats
// the message. Version 1 has its commands in the text and their output in user
// messages; version 2 calls tools. User messages behind the task are
// observations, but for those in which a person interrupted.
//
// The oldest files are bare arrays of messages: those are OpenAI Chat.
type miniSWEAgent struct{ openAI }

func (miniSWEAgent) info() Info {
	return Info{model.FormatMiniSWEAgent, "mini-swe-agent trajectory", "an object with trajectory_format mini-swe-agent and messages"}
}

func isMiniSWEAgent(v jspan.Value) bool {
	return strings.HasPrefix(v.Get("trajectory_format").TextN(20), "mini-swe-agent") && v.Get("messages").Kind == jspan.Array
}

func (miniSWEAgent) recognise(s *sniff) (int, string) {
	if shape := s.talkShape(isMiniSWEAgent, "a trajectory_format of mini-swe-agent"); shape != "" {
		return 95, shape
	}
	return 0, ""
}

func (f miniSWEAgent) read(ctx context.Context, b *builder) error {
	return b.readTalks(ctx, isMiniSWEAgent, func(v jspan.Value) {
		c := b.newChat()
		defer c.finish()
		c.th.Observations = true
		c.conv.ID = v.Get("instance_id").TextN(200)
		c.conv.Model = v.Get("info", "config", "model", "model_name").TextN(200)
		b.eachElement(v.Get("messages"), func(e jspan.Value, p model.Piece) { f.item(c, e, p) })
	})
}

func (f miniSWEAgent) item(c *chat, v jspan.Value, p model.Piece) {
	if v.Get("role").TextN(8) == "exit" { // how the run ended; no model is told
		c.store(model.Message{Role: model.RoleOther, Kind: model.KindOther, Time: millis(v.Get("extra", "timestamp")),
			Preview: preview(v.Get("content").TextN(previewScan)), Pieces: []model.Piece{p}})
		return
	}
	m := f.message(c, v)
	m.Pieces = []model.Piece{p}
	extra := v.Get("extra")
	if m.Time == 0 {
		m.Time = millis(extra.Get("timestamp"))
	}
	switch m.Kind {
	case model.KindUser:
		if m.Origin = c.taskOrigin(); strings.HasPrefix(extra.Get("interrupt_type").TextN(20), "User") {
			m.Origin = model.OriginTyped
		}
	case model.KindAssistant:
		m.Model = c.b.intern(extra.Get("response", "model").TextN(200))
	case model.KindResult:
		m.Error = m.Error || extra.Get("returncode").Int() != 0
	}
	c.add(m, v)
}

// summary spells a user message: what the agent gets is the user's.
func (miniSWEAgent) summary(d *model.Document, _ *model.Thread, s Summary, like model.Piece) ([]byte, error) {
	v, err := parseAt(d, like.Span)
	if err != nil {
		return nil, err
	}
	return spellLike(d, v).str("role", "user").str("content", s.Text).done(), nil
}
