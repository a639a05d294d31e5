package coders

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/internal/openai"
	"palimpsest/model/transcript/jspan"
)

// TauBench reads tau-bench runs: an array of runs, each with its OpenAI
// messages in traj. The user is a model that plays one; its words count as
// typed. A compaction of one run leaves all others byte for byte.
type TauBench struct{ openai.Chat }

func (TauBench) Info() codec.Info {
	return codec.Info{Format: model.FormatTauBench, Title: "tau-bench runs",
		How: "objects with task_id and traj, a list of OpenAI messages"}
}

func isTauRun(v jspan.Value) bool {
	return v.Has("task_id") && codec.LooksLikeMessages(v.Get("traj"))
}

func (TauBench) Recognise(s *codec.Sniff) (int, string) {
	return s.ScoreLayout(92, isTauRun, "task_id and traj")
}

func (f TauBench) Read(ctx context.Context, b *codec.Builder) error {
	return b.ReadChats(ctx, isTauRun, func(c *codec.Chat, v jspan.Value) {
		c.Conv.ID = codec.NumberText(v.Get("task_id"))
		if n := v.Get("trial"); n.Exists() {
			c.Conv.ID += "." + codec.NumberText(n)
		}
		b.EachMessage(v.Get("traj"), func(e jspan.Value, p model.Piece) { f.Element(c, e, p) })
	})
}
