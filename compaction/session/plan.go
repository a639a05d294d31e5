package session

import (
	"palimpsest/compaction"
	"palimpsest/model"
)

// Plan is what a policy would do to the session now. It is cheap enough for
// every move of a slider.
func (s *Session) Plan(p model.Policy, o compaction.Options) *compaction.Plan {
	return s.lineFor(p).Plan(p, o)
}

// lineFor gives the line of the present live list; it is built again only when
// the list, the position or the fixed part changed.
func (s *Session) lineFor(p model.Policy) *compaction.Line {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := lineKey{s.version, p.Fixed}
	if s.line == nil || s.lineOf != key {
		s.line, s.lineOf = s.buildLine(p.Fixed), key
		s.position = entryPositions(s.line, len(s.thread.History))
	}
	return s.line
}

func (s *Session) buildLine(fixed int) *compaction.Line {
	items := s.liveItems(s.stack, s.at)
	return compaction.NewLine(compaction.Source{
		Thread: s.thread, At: s.at, Items: items, Fixed: fixed,
		Tokens:        s.itemTokens,
		SummaryTokens: func(id string) int32 { return s.summaryTokens(s.stack, id) },
	})
}

func (s *Session) itemTokens(stored int32, cleared bool) int32 {
	n := s.Tokens(stored)
	if cleared {
		n = min(n, compaction.NoteTokens)
	}
	return int32(n)
}

func (s *Session) summaryTokens(stack []*model.Record, id string) int32 {
	for _, r := range stack {
		if r.UID == id {
			return int32(s.CountText(r.Summary))
		}
	}
	return 0
}

// liveItems is the live list before history message at with the records of a
// stack applied.
func (s *Session) liveItems(stack []*model.Record, at int) []model.Item {
	for k := len(stack) - 1; k >= 0; k-- {
		r := stack[k]
		if r.At > at {
			continue
		}
		items := append([]model.Item(nil), r.Live...)
		for _, m := range s.thread.History[r.At:at] {
			items = append(items, model.Item{Msg: m})
		}
		return items
	}
	live := s.thread.Live(at)
	items := make([]model.Item, len(live))
	for i, m := range live {
		items[i] = model.Item{Msg: m}
	}
	return items
}

// entryPositions maps history positions to entries of the line; -1: not live.
func entryPositions(l *compaction.Line, n int) []int32 {
	pos := make([]int32, n)
	for i := range pos {
		pos[i] = -1
	}
	for i := range l.Len() {
		if h := l.History(i); h >= 0 {
			pos[h] = int32(i)
		}
	}
	return pos
}
