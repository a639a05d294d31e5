package compaction

import (
	"slices"
	"sort"

	"palimpsest/model"
)

// inRanges reports whether a history index is in one of the ranges.
func inRanges(rs []model.Range, h int32) bool {
	for _, r := range rs {
		if h >= 0 && int(h) >= r.From && int(h) < r.To {
			return true
		}
	}
	return false
}

// pinned is every entry of a group with a pinned member.
func (b *planner) pinned() []int {
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
	for _, r := range ranges {
		k := sort.Search(len(l.inHistory), func(k int) bool { return int(l.hist[l.inHistory[k]]) >= r.From })
		for ; k < len(l.inHistory) && int(l.hist[l.inHistory[k]]) < r.To; k++ {
			out = append(out, l.leader[l.inHistory[k]])
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// historyEntries are the entries that are in the history, in its order.
func historyEntries(hist []int32) []int32 {
	out, ascend := make([]int32, 0, len(hist)), true
	for i, h := range hist {
		if h < 0 {
			continue
		}
		ascend = ascend && (len(out) == 0 || hist[out[len(out)-1]] <= h)
		out = append(out, int32(i))
	}
	if !ascend {
		slices.SortStableFunc(out, func(a, b int32) int { return int(hist[a] - hist[b]) })
	}
	return out
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
