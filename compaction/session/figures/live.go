package figures

import (
	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/model"
)

// Live is a session as its transcript shows it while its agent runs: how full the
// context was at its last calls, as the file reports or as it is counted, and where
// the policy fires.
func Live(s *session.Session, p model.Policy) model.LiveSession {
	p = s.Adapt(p)
	t := s.Thread()
	out := model.LiveSession{Source: model.LiveFolder, Path: s.File().Doc.Path, Title: s.File().Title(s.Ref().Conversation),
		Model: s.Model(), Window: p.Window, Trigger: compaction.LowestTrigger(&p)}
	var calls []int // history positions with usage, the newest first
	for i := len(t.History) - 1; i >= 0 && len(calls) < model.LiveCourse; i-- {
		if u := t.Messages[t.History[i]].Usage; u != nil && u.Input > 0 {
			calls = append(calls, i)
		}
	}
	for i := len(calls) - 1; i >= 0; i-- {
		u := t.Messages[t.History[calls[i]]].Usage
		out.Called(int(u.Input+u.Output), calls[i]+1)
	}
	out.Messages = len(t.History)
	switch now := int(s.Plan(p, compaction.Options{}).Before.Tokens); {
	case len(calls) == 0:
		out.Used = now
	case len(s.Found()) > 0 && s.Found()[len(s.Found())-1].At > calls[0]:
		out.Called(now, out.Messages) // it was compacted since
		out.Calls--
	}
	return out
}
