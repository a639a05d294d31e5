package facts

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

// groupPlan says which paths a ledger may write below a folder that it writes once, see
// [Grouped]. What is left of a path below the folder is often a fact itself; both stand
// then, and so does the folder.
//
//	folder           own part         facts that stand
//	/srv/app/        cmd/main.go      /srv/app/cmd/main.go, cmd/main.go, /srv/app
//	└ cmd/           main.go          main.go, cmd as well
type groupPlan struct {
	l      *Lister
	o      *offer
	price  float64 // of a token: the chance that it could bring elsewhere
	units  []groupUnit
	groups []braces
	number []int32    // of each fact: 1 + the unit that it is the whole of
	local  [2][]int32 // scratch of folders, of each depth
	open   []bool     // groups that something chosen is in
	items  []int32    // units in groups, the most wanted first
}

// groupUnit is a path in a plan.
type groupUnit struct {
	cand   int32   // of the offer
	chance float64 // of all facts that stand where it is written
	wanted float64
	cost   int // of its own part
	places []placeBelow
	own    string // its own part
	group  int32  // the innermost that it is in; -1: none
	joined bool   // it stands where another unit or a group does
	folder bool   // it is that of a group
	short  []shortForm
}

// shortForm is a unit that is what a unit is in a group.
type shortForm struct{ unit, group int32 }

// braces is a folder that is written once.
type braces struct {
	*folder
	own   string  // its own part
	cost  int     // of that, with the brackets
	outer int32   // the group that it is in; -1: none
	self  []int32 // the units that are the folder itself
}

// How many groups a ledger has at most, and what the brackets of one cost.
const (
	mostFolders   = 8
	mostInner     = 6 // in each of them
	groupBrackets = 2
)

// plan makes groups of what may be taken; nil: none is worth it.
func (l *Lister) plan(o *offer, free []bool, left int, t *tables) *groupPlan {
	clear(t.number)
	p := &groupPlan{l: l, o: o, number: t.number, units: slices.Grow(t.units[:0], o.paths)}
	defer func() { t.units = p.units }()
	below := l.folders()
	var all []int32
	for _, i := range o.wanted {
		if !free[i] {
			continue
		}
		c := &o.all[i]
		if left -= int(c.cost); left >= 0 || p.price == 0 {
			p.price = c.wanted
		}
		if c.kind == Path {
			n := int32(len(p.units))
			all = append(all, n)
			p.number[c.id] = n + 1
			p.units = append(p.units, groupUnit{cand: i, chance: c.score, cost: int(c.cost), own: l.x.facts[c.id].Text, group: -1})
			p.units[n].places = below.below(c.id)
		}
	}
	p.local = [2][]int32{make([]int32, below.many()), make([]int32, below.many())}
	p.level(all, -1, mostFolders)
	if len(p.groups) == 0 {
		return nil
	}
	p.open = make([]bool, len(p.groups))
	for i := range p.units {
		if u := &p.units[i]; u.group >= 0 && !u.joined {
			u.wanted = u.chance / float64(u.cost)
			p.items = append(p.items, int32(i))
		}
	}
	slices.SortFunc(p.items, func(i, j int32) int {
		a, b := &p.units[i], &p.units[j]
		return cmp.Or(cmp.Compare(b.wanted, a.wanted), cmp.Compare(o.all[b.cand].id, o.all[a.cand].id))
	})
	return p
}

// unit is the unit that a fact is the whole of; -1: none.
func (p *groupPlan) unit(id ID) int32 {
	if id < 0 {
		return -1
	}
	return p.number[id] - 1
}

// level puts units into the groups that gain most, and those of each folder into groups
// within it.
func (p *groupPlan) level(units []int32, outer int32, most int) {
	in := p.folders(units, outer)
	for range most {
		for n := range in.all {
			in.all[n].gain, in.all[n].some = 0, false
		}
		for _, i := range units {
			if p.free(i, outer) {
				p.addGains(i, in)
			}
		}
		best, top := -1, 0.0
		for n := range in.all {
			f := &in.all[n]
			if !f.some {
				continue
			}
			g := f.gain
			for _, id := range f.self {
				if i := p.unit(id); i >= 0 && p.free(i, outer) {
					g += min(p.units[i].chance, p.price*float64(p.units[i].cost))
				}
			}
			if g -= p.price * float64(f.cost+groupBrackets); g > top || g == top && g > 0 && f.name < in.all[best].name {
				best, top = n, g
			}
		}
		if best < 0 {
			return
		}
		f := &in.all[best]
		g := braces{folder: f.folder, own: f.name[in.above:], cost: f.cost + groupBrackets, outer: outer}
		for _, id := range f.self {
			if i := p.unit(id); i >= 0 && p.free(i, outer) {
				g.self = append(g.self, i)
			}
		}
		p.group(units, g)
	}
}

// above is how long the folder of a group is, whole.
func (p *groupPlan) above(g int32) int {
	if g < 0 {
		return 0
	}
	return len(p.groups[g].name)
}

// folderPlan is a folder that a level may write once.
type folderPlan struct {
	*folder
	cost int     // of its own part
	gain float64 // of what units are in it
	some bool    // there are any
}

// folderPlans are the folders that the units of a level are in.
type folderPlans struct {
	above int // how long the folder is that they are in
	all   []folderPlan
	local []int32 // 1 + the place of each in all, by its number
}

// folders are the folders that units are in, within a group.
func (p *groupPlan) folders(units []int32, outer int32) *folderPlans {
	in := &folderPlans{above: p.above(outer), local: p.local[min(1, outer+1)]}
	clear(in.local)
	for _, i := range units {
		for k := range p.units[i].places {
			f := p.units[i].places[k].folder
			if len(f.name) <= in.above || in.local[f.number] > 0 {
				continue
			}
			plan := folderPlan{folder: f, cost: f.cost}
			if in.above > 0 {
				plan.cost = p.l.count(" " + f.name[in.above:])
			}
			in.all = append(in.all, plan)
			in.local[f.number] = int32(len(in.all))
		}
	}
	return in
}

// addGains adds to each folder of a unit what a group would bring the unit.
func (p *groupPlan) addGains(i int32, in *folderPlans) {
	u := &p.units[i]
	alone := p.gain(u.chance, u.cost)
	for k := range u.places {
		place := &u.places[k]
		if len(place.name) <= in.above {
			continue
		}
		f := &in.all[in.local[place.number]-1]
		f.some = true
		if t := p.unit(place.rest); p.twin(i, t) {
			v := &p.units[t]
			f.gain += p.gain(u.chance+v.chance, v.cost) - alone - p.gain(v.chance, v.cost)
			continue
		}
		f.gain += p.gain(u.chance, max(1, u.cost-f.cost+1)) - alone
	}
}

// free reports whether a unit is in no group within outer, and stands for itself.
func (p *groupPlan) free(i, outer int32) bool { return p.units[i].group == outer && !p.units[i].joined }

// gain is what facts bring beyond the price of their tokens.
func (p *groupPlan) gain(chance float64, cost int) float64 {
	return max(0, chance-p.price*float64(cost))
}

// twin reports whether a unit is what another is in a group.
func (p *groupPlan) twin(of, t int32) bool {
	return t >= 0 && t != of && p.units[t].group < 0 && !p.units[t].joined
}

// group puts those of the units into a group that folder like it.
func (p *groupPlan) group(units []int32, g braces) {
	n := int32(len(p.groups))
	for _, i := range g.self {
		p.units[i].joined, p.units[i].folder = true, true
	}
	p.groups = append(p.groups, g)
	var in []int32
	for _, i := range units {
		u := &p.units[i]
		k := slices.IndexFunc(u.places, func(b placeBelow) bool { return b.folder == g.folder })
		if u.group != g.outer || u.joined || k < 0 || !u.places[k].found {
			continue
		}
		if t := p.unit(u.places[k].rest); p.twin(i, t) {
			p.units[t].joined = true
			u.chance += p.units[t].chance
			u.short = append(u.short, shortForm{t, n})
		}
		u.group, u.cost = n, u.places[k].cost
		u.own = p.l.x.facts[p.o.all[u.cand].id].Text[len(g.name):]
		in = append(in, i)
	}
	if g.outer < 0 {
		p.level(in, n, mostInner)
	}
}

// grouped reports whether a path is in a group.
func (p *groupPlan) grouped(id ID) bool {
	if p == nil {
		return false
	}
	i := p.unit(id)
	return i >= 0 && p.units[i].group >= 0 && !p.units[i].joined
}

// opening is what it costs to open a group that is not open yet.
func (p *groupPlan) opening(g int32) (cost int) {
	for ; g >= 0 && !p.open[g]; g = p.groups[g].outer {
		cost += p.groups[g].cost
	}
	return cost
}

// opened notes that a group is open, and calls yield with the candidates that stand by that.
func (p *groupPlan) opened(g int32, yield func(cand int32)) {
	for ; g >= 0 && !p.open[g]; g = p.groups[g].outer {
		p.open[g] = true
		for _, i := range p.groups[g].self {
			p.whole(i, yield)
		}
	}
}

// whole calls yield with the candidates that stand where a unit is written.
func (p *groupPlan) whole(i int32, yield func(cand int32)) {
	yield(p.units[i].cand)
	for _, s := range p.units[i].short {
		yield(p.units[s.unit].cand)
	}
}

// folderTable is the folders of an index's paths, worked out when a ledger first may list a
// path: each plan of groups looks at most of them again.
type folderTable struct {
	l  *Lister
	of []atomic.Pointer[[]placeBelow] // by fact, of paths that were asked for

	mu     sync.Mutex
	byName map[string]*folder
}

// folder is one that a ledger may write once.
type folder struct {
	name   string // with its slash
	number int32
	cost   int
	self   [2]ID // the facts that it is itself, with its slash and without; -1: none
}

// placeBelow is what a path is below one of its folders.
type placeBelow struct {
	*folder
	rest  ID   // the fact that what is left of the path is; -1: none
	cost  int  // of what is left
	found bool // the path is found again in a group below it
}

func newFolderTable(l *Lister) *folderTable {
	return &folderTable{l: l, of: make([]atomic.Pointer[[]placeBelow], len(l.x.facts)), byName: map[string]*folder{}}
}

// below is what a path is below each of its folders, the shortest folder first.
func (f *folderTable) below(id ID) []placeBelow {
	if known := f.of[id].Load(); known != nil {
		return *known
	}
	path := f.l.x.facts[id].Text
	list := []placeBelow{}
	for j := 1; j < len(path)-1; j++ {
		if path[j] == '/' && (word(path[j-1]) || strings.IndexByte("-)]", path[j-1]) >= 0) {
			name, own := path[:j+1], path[j+1:]
			list = append(list, placeBelow{f.named(name), f.path(own), max(1, f.l.count(" "+own)), readAgain(name, own)})
		}
	}
	f.of[id].Store(&list)
	return list
}

// named is a folder by its name.
func (f *folderTable) named(name string) *folder {
	f.mu.Lock()
	defer f.mu.Unlock()
	known := f.byName[name]
	if known == nil {
		known = &folder{name, int32(len(f.byName)), f.l.count(" " + name), [2]ID{f.path(name), f.path(name[:len(name)-1])}}
		f.byName[name] = known
	}
	return known
}

// many is how many folders there are by now.
func (f *folderTable) many() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.byName)
}

// path is the path of a text; -1: no fact.
func (f *folderTable) path(text string) ID {
	if id, ok := idOf(f.l.x, Fact{Path, text}); ok {
		return id
	}
	return -1
}

// readAgain reports whether a path is found in a group.
func readAgain(folder, own string) (found bool) {
	if !wholePath(folder + own) {
		return false
	}
	Grouped(folder+"{"+own+" x}", func(t string, _, _ int) { found = found || t == folder+own })
	return found
}
