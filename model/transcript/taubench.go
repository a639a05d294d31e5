package transcript

import (
	"context"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
)

// tauBench reads tau-bench runs: an array of runs, each with its OpenAI
// messages in traj. The user is a model that plays one; its words count as
// typed. A compaction of one run leaves all others byte for byte.
type tauBench struct{ openAI }

func (tauBench) info() Info {
	return Info{model.FormatTauBench, "tau-bench runs", "objects with task_id and traj, a list of OpenAI messages"}
}

func isTauRun(v jspan.Value) bool {
	return v.Has("task_id") && looksLikeMessages(v.Get("traj"))
}

func (tauBench) recognise(s *sniff) (int, string) {
	if shape := s.talkShape(isTauRun, "task_id and traj"); shape != "" {
		return 92, shape
	}
	return 0, ""
}

func (f tauBench) read(ctx context.Context, b *builder) error {
	return b.readTalks(ctx, isTauRun, func(v jspan.Value) {
		c := b.newChat()
		defer c.finish()
		c.conv.ID = numeral(v.Get("task_id"))
		if n := v.Get("trial"); n.Exists() {
			c.conv.ID += "." + numeral(n)
		}
		b.eachElement(v.Get("traj"), func(e jspan.Value, p model.Piece) { f.element(c, e, p) })
	})
}
