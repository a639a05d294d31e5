package facts

import (
	"cmp"
	"slices"
	"strings"
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
	of     map[ID]int32     // the unit that a path is the whole of
	byText map[string]int32 // the same, by what it is
	open   []bool           // groups that something chosen is in
	items  []int32          // units in groups, the most wanted first
}

// groupUnit is a path in a plan.
type groupUnit struct {
	cand   int32   // of the offer
	chance float64 // of all facts that stand where it is written
	wanted float64
	cost   int    // of its own part
	own    string // its own part
	group  int32  // the innermost that it is in; -1: none
	joined bool   // it stands where another unit or a group does
	short  []shortForm
}

// shortForm is a unit that is what a unit is in a group.
type shortForm struct{ unit, group int32 }

// braces is a folder that is written once.
type braces struct {
	folder string
	cost   int
	outer  int32   // the group that it is in; -1: none
	self   []int32 // the units that are the folder itself
}

// How many groups a ledger has at most, and what the brackets of one cost.
const (
	mostFolders   = 8
	mostInner     = 6 // in each of them
	groupBrackets = 2
)

// plan makes groups of what may be taken; nil: none is worth it.
func (l *Lister) plan(o *offer, free []bool, left int) *groupPlan {
	p := &groupPlan{l: l, o: o, of: map[ID]int32{}, byText: map[string]int32{}}
	var all []int32
	for _, i := range o.wanted {
		if !free[i] {
			continue
		}
		c := &o.all[i]
		if left -= int(c.cost); left >= 0 || p.price == 0 {
			p.price = c.wanted
		}
		if f := l.x.facts[c.id]; f.Kind == Path {
			n := int32(len(p.units))
			all = append(all, n)
			p.of[c.id], p.byText[f.Text] = n, n
			p.units = append(p.units, groupUnit{cand: i, chance: c.score, cost: int(c.cost), own: f.Text, group: -1})
		}
	}
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

// level puts units into the groups that gain most, and those of each folder into groups
// within it.
func (p *groupPlan) level(units []int32, outer int32, most int) {
	all, places := p.folders(units, outer)
	gains, some := make([]float64, len(all)), make([]bool, len(all))
	for range most {
		clear(gains)
		clear(some)
		for k, i := range units {
			if p.free(i, outer) {
				p.addGains(i, places[k], all, gains, some)
			}
		}
		best, top := -1, 0.0
		for n := range all {
			if !some[n] {
				continue
			}
			f, g := &all[n], gains[n]
			for _, i := range f.self {
				if p.free(i, outer) {
					g += min(p.units[i].chance, p.price*float64(p.units[i].cost))
				}
			}
			if g -= p.price * float64(f.cost+groupBrackets); g > top || g == top && g > 0 && f.name < all[best].name {
				best, top = n, g
			}
		}
		if best < 0 {
			return
		}
		f := &all[best]
		self := slices.DeleteFunc(slices.Clone(f.self), func(i int32) bool { return !p.free(i, outer) })
		p.group(units, braces{folder: f.name, cost: f.cost + groupBrackets, outer: outer, self: self})
	}
}

// folderPlan is a folder that a level may write once.
type folderPlan struct {
	name string
	cost int
	self []int32 // the units that are the folder itself, with its slash or without
}

// placeBelow is a folder that a unit is in, and the unit that is what is left of it there; -1: none.
type placeBelow struct{ folder, rest int32 }

// folders are the folders that units are in, and which those of each unit are.
func (p *groupPlan) folders(units []int32, outer int32) (all []folderPlan, places [][]placeBelow) {
	number, places := map[string]int32{}, make([][]placeBelow, len(units))
	for k, i := range units {
		eachFolder(p.units[i].own, func(folder, own string) {
			n, ok := number[folder]
			if !ok {
				n = int32(len(all))
				number[folder] = n
				all = append(all, folderPlan{name: folder, cost: p.l.count(" " + folder), self: p.itself(folder, outer)})
			}
			rest, ok := p.byText[own]
			if !ok {
				rest = -1
			}
			places[k] = append(places[k], placeBelow{n, rest})
		})
	}
	return all, places
}

// addGains adds to each folder of a unit what a group would bring the unit.
func (p *groupPlan) addGains(i int32, places []placeBelow, all []folderPlan, gains []float64, some []bool) {
	u := &p.units[i]
	alone := p.gain(u.chance, u.cost)
	for _, in := range places {
		some[in.folder] = true
		if t := in.rest; p.twin(i, t) {
			v := &p.units[t]
			gains[in.folder] += p.gain(u.chance+v.chance, v.cost) - alone - p.gain(v.chance, v.cost)
			continue
		}
		gains[in.folder] += p.gain(u.chance, max(1, u.cost-all[in.folder].cost+1)) - alone
	}
}

// free reports whether a unit is in no group within outer, and stands for itself.
func (p *groupPlan) free(i, outer int32) bool { return p.units[i].group == outer && !p.units[i].joined }

// gain is what facts bring beyond the price of their tokens.
func (p *groupPlan) gain(chance float64, cost int) float64 {
	return max(0, chance-p.price*float64(cost))
}

// eachFolder calls yield with each folder of a path and with the rest.
func eachFolder(path string, yield func(folder, own string)) {
	for j := 1; j < len(path)-1; j++ {
		if path[j] == '/' && (word(path[j-1]) || strings.IndexByte("-)]", path[j-1]) >= 0) {
			yield(path[:j+1], path[j+1:])
		}
	}
}

// twin reports whether a unit is what another is in a group.
func (p *groupPlan) twin(of, t int32) bool {
	return t >= 0 && t != of && p.units[t].group < 0 && !p.units[t].joined
}

// itself are the units that stand where a group does: a folder, with its slash or
// without.
func (p *groupPlan) itself(folder string, outer int32) (list []int32) {
	if outer >= 0 {
		folder = p.groups[outer].folder + folder
	}
	for _, text := range []string{folder, folder[:len(folder)-1]} {
		if i, ok := p.byText[text]; ok {
			list = append(list, i)
		}
	}
	return list
}

// group puts those of the units into a group that folder like it.
func (p *groupPlan) group(units []int32, g braces) {
	n, whole := int32(len(p.groups)), g.folder
	if g.outer >= 0 {
		whole = p.groups[g.outer].folder + whole
	}
	for _, i := range g.self {
		p.units[i].joined = true
	}
	p.groups = append(p.groups, g)
	var in []int32
	for _, i := range units {
		u := &p.units[i]
		own, ok := strings.CutPrefix(u.own, g.folder)
		if u.group != g.outer || u.joined || !ok || own == "" || !readAgain(whole, own) {
			continue
		}
		if t, ok := p.byText[own]; ok && p.twin(i, t) {
			p.units[t].joined = true
			u.chance += p.units[t].chance
			u.short = append(u.short, shortForm{t, n})
		}
		u.group, u.own, u.cost = n, own, max(1, p.l.count(" "+own))
		in = append(in, i)
	}
	if g.outer < 0 {
		p.level(in, n, mostInner)
	}
}

// readAgain reports whether a path is found in a group.
func readAgain(folder, own string) (found bool) {
	if !wholePath(folder + own) {
		return false
	}
	Grouped(folder+"{"+own+" x}", func(t string, _, _ int) { found = found || t == folder+own })
	return found
}

// grouped reports whether a path is in a group.
func (p *groupPlan) grouped(id ID) bool {
	if p == nil {
		return false
	}
	i, ok := p.of[id]
	return ok && p.units[i].group >= 0 && !p.units[i].joined
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
