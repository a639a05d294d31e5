package session

import (
	"palimpsest/compaction"
	"palimpsest/model"
)

// Plan is what a policy would do to the session now. It is cheap enough for
// every move of a slider.
func (s *Session) Plan(p model.Policy, o compaction.Options) *compaction.Plan {
	line, _, _ := s.lineFor(p)
	return line.Plan(p, o)
}

// lineFor returns the line of the present live list, with the version and the
// overlay it belongs to; it is built again only when the list, the position or
// the fixed part changed.
func (s *Session) lineFor(p model.Policy) (*compaction.Line, int, Overlay) {
	fixed := max(0, p.Fixed)
	s.mu.Lock()
	defer s.mu.Unlock()
	key := lineKey{s.version, fixed}
	if s.line == nil || s.lineOf != key {
		s.line, s.lineOf = s.overlayLocked().newLine(fixed), key
		s.position = entryPositions(s.line, len(s.thread.History))
	}
	return s.line, s.version, s.overlayLocked()
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
