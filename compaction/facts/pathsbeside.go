package facts

import (
	"slices"
	"sync"
)

// seenIn bounds the messages of a name that are searched for paths.
const seenIn = 8

// mostBeside is how many names may follow a path on its line: minified code
// would put hundreds behind whatever path it names.
const mostBeside = 12

// pathsBeside finds for names the listed path that the agent and its tools most had them
// together with. What it knows of names serves all texts that are tried for one ledger.
type pathsBeside struct {
	x      *Index
	names  *namesBeside
	groups []alikePlaced // by number

	// Of the texts that are written, each with fewer paths than the one before.
	round int32
	paths []ID    // of the first of them
	stays []int32 // the last round that each was in
	slots []int32 // of each fact: 1 + its place in paths; 0: it is none of them now
	lists [][]ID  // of names beside each of them, in the text that was parted last
	rest  []ID
	shown []shownPaths
	list  []int32
	marks []pathMark // of each path, in best alone
	met   []int32    // paths that have a weight
}

// pathMark is what a path weighs in some messages, and how many of them hold it.
type pathMark struct {
	weight float64
	times  int32
}

// namesBeside are the names of an index at one place of its history, in groups that are in
// the same messages. Ledgers of that place share it.
type namesBeside struct {
	x  *Index
	at int

	mu    sync.RWMutex
	group []int32                  // of each name: 1 + the number of its group; 0: not known yet
	known map[[seenIn]uint32]int32 // numbers, by messages
	msgs  [][]uint32               // of each group
}

// alikePlaced is where names go that are in the same messages.
type alikePlaced struct {
	round int32 // in which best was found; 0: it was not yet
	best  int32 // the place of their path; -1: none
}

// shownPaths are the paths that a message holds: a part of the list.
type shownPaths struct {
	round, from, to int32 // round: in which they were listed; 0: they were not yet
	changed         int32 // the last round in which one of them left
}

func newNamesBeside(x *Index, at int) *namesBeside {
	return &namesBeside{x: x, at: at, group: make([]int32, len(x.facts)), known: map[[seenIn]uint32]int32{}}
}

func newPathsBeside(n *namesBeside, t *tables) *pathsBeside {
	clear(t.slots)
	clear(t.shown)
	return &pathsBeside{x: n.x, names: n, slots: t.slots, shown: t.shown, list: t.list[:0]}
}

// split puts names beside the path that they were most together with: in two messages at
// least, or in all that hold them. Messages count by how few of the paths they hold. What
// has no such path is given back, until the next call. The paths are a part of those of
// the call before.
func (p *pathsBeside) split(paths, names []ID) (rest []ID) {
	p.listed(paths)
	rest = p.rest[:0]
	p.names.place(names)
	p.names.mu.RLock()
	defer p.names.mu.RUnlock()
	p.groups = append(p.groups, make([]alikePlaced, len(p.names.msgs)-len(p.groups))...)
	for _, name := range names {
		n := p.names.group[name] - 1
		g, msgs := &p.groups[n], p.names.msgs[n]
		if g.round == 0 || slices.ContainsFunc(msgs, func(m uint32) bool { return p.shown[m].changed > g.round }) {
			g.round, g.best = p.round, p.best(msgs)
		}
		if g.best >= 0 && len(p.lists[g.best]) < mostBeside {
			p.lists[g.best] = append(p.lists[g.best], name)
			continue
		}
		rest = append(rest, name)
	}
	p.rest = rest
	return rest
}

// beside are the names beside a path.
func (p *pathsBeside) beside(path ID) []ID {
	if p == nil || p.slots[path] == 0 {
		return nil
	}
	return p.lists[p.slots[path]-1]
}

// listed begins a text with some paths, and notes which messages hold one that left.
func (p *pathsBeside) listed(paths []ID) {
	if p.round++; p.round == 1 {
		n := len(paths)
		p.paths, p.lists, p.stays = slices.Clone(paths), make([][]ID, n), make([]int32, n)
		p.marks = make([]pathMark, n)
		for i, id := range paths {
			p.slots[id] = int32(i) + 1
		}
		return
	}
	for i := range p.lists {
		p.lists[i] = p.lists[i][:0]
	}
	for _, id := range paths {
		p.stays[p.slots[id]-1] = p.round
	}
	for i, id := range p.paths {
		if p.slots[id] == 0 || p.stays[i] == p.round {
			continue
		}
		p.slots[id] = 0
		for _, m := range p.x.msgs[p.x.starts[id]:p.x.starts[id+1]] {
			p.shown[m].changed = p.round
		}
	}
}

// place finds the groups of names.
func (n *namesBeside) place(names []ID) {
	n.mu.RLock()
	fresh := slices.ContainsFunc(names, func(name ID) bool { return n.group[name] == 0 })
	n.mu.RUnlock()
	if !fresh {
		return
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, name := range names {
		if n.group[name] > 0 {
			continue
		}
		end, _ := n.x.between(name, n.at, n.at+1)
		msgs := n.x.msgs[max(n.x.starts[name], end-min(end, seenIn)):end]
		var key [seenIn]uint32
		for i, m := range msgs {
			key[i] = m + 1
		}
		if _, ok := n.known[key]; !ok {
			n.msgs = append(n.msgs, msgs)
			n.known[key] = int32(len(n.msgs))
		}
		n.group[name] = n.known[key]
	}
}

// in lists the places of the paths that a message holds.
func (p *pathsBeside) in(m uint32) []int32 {
	s := &p.shown[m]
	if s.round == 0 || s.changed > s.round {
		from := len(p.list)
		for _, id := range p.x.list[p.x.from[m]:p.x.from[m+1]] {
			if i := p.slots[id]; i > 0 {
				p.list = append(p.list, i-1)
			}
		}
		s.round, s.from, s.to = p.round, int32(from), int32(len(p.list))
	}
	return p.list[s.from:s.to]
}

// best is the place of the path that weighs most in some messages, of several the one that
// the history had first; -1: it is in too few of them.
func (p *pathsBeside) best(msgs []uint32) int32 {
	if len(msgs) == 1 { // all paths weigh the same
		best := int32(-1)
		for _, i := range p.in(msgs[0]) {
			if best < 0 || p.paths[i] < p.paths[best] {
				best = i
			}
		}
		return best
	}
	met := p.met[:0]
	for _, m := range msgs {
		list := p.in(m)
		share := 1 / float64(len(list))
		for _, i := range list {
			mark := &p.marks[i]
			if mark.times == 0 {
				met = append(met, i)
			}
			mark.weight += share
			mark.times++
		}
	}
	best, times := int32(-1), int32(0)
	top := 0.0
	for _, i := range met {
		mark := &p.marks[i]
		if w := mark.weight; w > top || w == top && p.paths[i] < p.paths[best] {
			best, times, top = i, mark.times, w
		}
		*mark = pathMark{}
	}
	p.met = met
	if times >= 2 || best >= 0 && int(times) == len(msgs) {
		return best
	}
	return -1
}
