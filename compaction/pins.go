package compaction

import "palimpsest/model"

// inRanges reports whether a history index is in one of the ranges.
func inRanges(rs []model.Range, h int32) bool {
	for _, r := range rs {
		if h >= 0 && int(h) >= r.From && int(h) < r.To {
			return true
		}
	}
	return false
}

// pinTrack keeps the pinned entries of a line that grows under one policy, so
// that a plan does not look for them in the whole list.
type pinTrack struct {
	ranges  []model.Range
	hit     map[int32]bool // leaders of pinned groups
	entries []int
}

// reset begins with an empty line.
func (p *pinTrack) reset() {
	clear(p.hit)
	p.entries = p.entries[:0]
}

// add notes the latest entry of the line.
func (p *pinTrack) add(l *Line) {
	i := len(l.leader) - 1
	lead := l.leader[i]
	if p.hit[lead] {
		p.entries = append(p.entries, i)
		return
	}
	if !inRanges(p.ranges, l.hist[i]) {
		return
	}
	p.hit[lead] = true
	if int(lead) == i {
		p.entries = append(p.entries, i)
		return
	}
	p.entries = p.entries[:0] // a late member pins those before it
	for k := range l.leader {
		if p.hit[l.leader[k]] {
			p.entries = append(p.entries, k)
		}
	}
}
