package compaction

import (
	"slices"

	"palimpsest/model"
)

// inRanges reports whether a history index is in one of the ranges.
func inRanges(rs []model.Range, h int32) bool {
	return h >= 0 && slices.ContainsFunc(rs, func(r model.Range) bool { return r.From <= int(h) && int(h) < r.To })
}

// pinned is every entry of a group with a pinned member.
func (b *Planner) pinned() []int {
	l := b.l
	if l.pins != nil {
		return l.pins.entries
	}
	b.leads = l.pinnedLeads(b.leads[:0], b.p.Pins)
	leads, out := b.leads, b.pinMembers[:0]
	for k := 0; k < len(leads); {
		from := leads[k]
		to := l.legal[firstAtLeast(l.legal, int(from)+1)] // no group goes on behind it
		for k < len(leads) && leads[k] < to {
			k++
		}
		for i := from; i < to; i++ {
			if _, ok := slices.BinarySearch(leads, l.leader[i]); ok {
				out = append(out, int(i))
			}
		}
	}
	b.pinMembers = out
	return out
}

// pinnedLeads appends the first entries of the groups that have a member in the
// ranges, ascending, each once.
func (l *Line) pinnedLeads(out []int32, ranges []model.Range) []int32 {
	for i, h := range l.hist {
		if inRanges(ranges, h) {
			out = append(out, l.leader[i])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// pinTrack keeps the pinned entries of a track's line up to date, so that a plan
// does not search the whole list for them.
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
	lead, pinned := l.leader[i], inRanges(p.ranges, l.hist[i])
	switch {
	case l.joined, pinned && !p.hit[lead] && int(lead) < i: // a late member pins those before it
		p.again(l)
	case pinned, p.hit[lead]:
		p.hit[lead] = true
		p.entries = append(p.entries, i)
	}
}

// again looks at the whole line.
func (p *pinTrack) again(l *Line) {
	p.reset()
	l.joined = false
	for _, lead := range l.pinnedLeads(nil, p.ranges) {
		p.hit[lead] = true
	}
	for k, lead := range l.leader {
		if p.hit[lead] {
			p.entries = append(p.entries, k)
		}
	}
}
