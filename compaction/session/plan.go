package session

import (
	"unicode/utf8"

	"palimpsest/compaction"
	"palimpsest/model"
)

// Plan is what a policy would do to the session now. It is cheap enough for
// every move of a slider.
func (s *Session) Plan(p model.Policy, o compaction.Options) *compaction.Plan {
	line, _, _ := s.lineFor(p)
	return line.Plan(p, o)
}

// lineFor gives the line of the present live list, with the version and the
// stack it belongs to; it is built again only when the list, the position or
// the fixed part changed.
func (s *Session) lineFor(p model.Policy) (*compaction.Line, int, []*model.Record) {
	fixed := max(0, p.Fixed)
	s.mu.Lock()
	defer s.mu.Unlock()
	key := lineKey{s.version, fixed}
	if s.line == nil || s.lineOf != key {
		s.line, s.lineOf = s.buildLine(fixed), key
		s.position = entryPositions(s.line, len(s.thread.History))
	}
	return s.line, s.version, append([]*model.Record(nil), s.stack...)
}

func (s *Session) buildLine(fixed int) *compaction.Line {
	items := s.liveItems(s.stack, s.at)
	return compaction.NewLine(compaction.Source{
		Thread: s.thread, At: s.at, Items: items, Fixed: fixed,
		Tokens:        s.itemTokens,
		SummaryTokens: func(id string) int32 { return s.summaryTokens(s.stack, id) },
		SummaryChars:  func(it model.Item) int { return s.summaryChars(s.stack, it) },
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

// summaryChars counts the code points of a summary, of a record or found in the
// file.
func (s *Session) summaryChars(stack []*model.Record, it model.Item) int {
	if it.Msg < 0 {
		if r := recordOf(stack, it.Record); r != nil {
			return utf8.RuneCountInString(r.Summary)
		}
		return 0
	}
	n := 0
	parts, _ := s.file.Doc.Parts(&s.thread.Messages[it.Msg]) // a source that can't be read shows when it is summarised
	for _, p := range parts {
		n += utf8.RuneCountInString(p.Text)
	}
	return n
}

// liveItems is the live list before history message at with the records of a
// stack applied. It is never nil: an empty list is not an unknown one.
func (s *Session) liveItems(stack []*model.Record, at int) []model.Item {
	for k := len(stack) - 1; k >= 0; k-- {
		r := stack[k]
		if r.At > at {
			continue
		}
		if s.thread.LiveFrom(at) > r.At {
			return s.overlaid(stack[:k+1], at)
		}
		items := make([]model.Item, 0, len(r.Live)+at-r.At)
		items = append(items, r.Live...)
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

// overlaid is the live list at a position behind a later compaction or rewind
// of the file: what the records left out stays out, and a summary stands there
// only if the message it stands before was still live.
func (s *Session) overlaid(stack []*model.Record, at int) []model.Item {
	c := s.change(stack)
	dropped, cleared := map[int32]bool{}, map[int32]bool{}
	for _, m := range c.Drop {
		dropped[m] = true
	}
	for _, m := range c.Clear {
		cleared[m] = true
	}
	live := s.thread.Live(at)
	items := make([]model.Item, 0, len(live))
	for _, m := range live {
		for _, sum := range c.Summaries {
			if sum.Before == m {
				items = append(items, model.Item{Msg: -1, Record: sum.UID})
			}
		}
		if !dropped[m] {
			items = append(items, model.Item{Msg: m, Cleared: cleared[m]})
		}
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
