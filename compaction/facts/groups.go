package facts

import (
	"cmp"
	"slices"
	"strings"
)

// How many folders a ledger writes once at most, and what the braces of one cost.
const (
	mostFolders   = 8
	groupBrackets = 2
)

// groups are the folders that a ledger writes once, see [Grouped].
type groups struct {
	of   map[ID]*folderGroup // of the paths below them
	list []*folderGroup
}

// folderGroup is a folder that is written once, with the paths below it.
type folderGroup struct {
	folder string // with its slash
	cost   int    // of the folder and the braces
	open   bool   // a path in it was chosen
}

// grouping finds groups.
type grouping struct {
	*groups
	l     *Lister
	price float64 // of a token: the chance that it could bring elsewhere
	paths []ID    // that may be listed
	by    map[ID]*candidate
	costs map[string]int // of folders
}

// groups finds the folders that gain most. All paths below them that may be listed are in a
// group then.
func (l *Lister) groups(o *offer, free []bool, left int) *groups {
	p := grouping{groups: &groups{of: map[ID]*folderGroup{}}, l: l, by: map[ID]*candidate{}, costs: map[string]int{}}
	for _, i := range o.wanted {
		if left -= int(o.all[i].cost); free[i] && (left >= 0 || p.price == 0) {
			p.price = o.all[i].wanted
		} else if !free[i] {
			left += int(o.all[i].cost)
		}
	}
	for _, i := range o.wanted {
		c := &o.all[i]
		if free[i] && c.kind == Path && c.chance > leastOwn*p.price && groupable(l.x.facts[c.id].Text) {
			p.paths, p.by[c.id] = append(p.paths, c.id), c
		}
	}
	for range mostFolders {
		if best := p.best(); best != nil {
			p.add(best)
		}
	}
	return p.groups
}

// leastOwn is the least that a path in a group costs: a token and a comma.
const leastOwn = 2

// worth is what a chance brings beyond the price of its tokens.
func (p *grouping) worth(chance float64, cost int) float64 {
	return max(0, chance-p.price*float64(cost))
}

// best is the folder that gains most where it is written once for all paths below it that
// are in no group yet; nil: none gains anything. Where what is left of a path is a fact that
// may be listed, it stands as well.
func (p *grouping) best() *folderGroup {
	gains := map[string]float64{}
	for _, id := range p.paths {
		if p.of[id] != nil {
			continue
		}
		c, path := p.by[id], p.l.x.facts[id].Text
		alone := p.worth(c.chance, int(c.cost))
		foldersOf(path, func(folder string) {
			chance, without := c.chance, alone
			if twin := p.by[p.l.x.below(folder, path)]; twin != nil {
				chance, without = chance+twin.chance, without+p.worth(twin.chance, int(twin.cost))
			}
			own := max(leastOwn, int(c.cost)-p.cost(folder)+leastOwn)
			gains[folder] += p.worth(chance, own) - without
		})
	}
	var best *folderGroup
	most := 0.0
	for folder, gain := range gains {
		cost := p.cost(folder) + groupBrackets
		gain -= p.price * float64(cost)
		if gain > most || best != nil && gain == most && folder < best.folder {
			best, most = &folderGroup{folder: folder, cost: cost}, gain
		}
	}
	return best
}

// cost is what a folder takes.
func (p *grouping) cost(folder string) int {
	n, ok := p.costs[folder]
	if !ok {
		n = p.l.count(" " + folder)
		p.costs[folder] = n
	}
	return n
}

// add puts the paths below a folder into its group.
func (p *grouping) add(of *folderGroup) {
	p.list = append(p.list, of)
	for _, id := range p.paths {
		if path := p.l.x.facts[id].Text; p.of[id] == nil && strings.HasPrefix(path, of.folder) && len(path) > len(of.folder) {
			p.of[id] = of
			delete(p.by, p.l.x.below(of.folder, path))
		}
	}
	p.paths = slices.DeleteFunc(p.paths, func(id ID) bool { return p.by[id] == nil })
}

// below is the fact that is left of a path below a folder; -1: none.
func (x *Index) below(folder, path string) ID {
	if id, ok := x.ids[Fact{Path, path[len(folder):]}]; ok {
		return id
	}
	return -1
}

// groupable reports whether a path is found again where it is written in a group.
func groupable(path string) bool {
	for i := range len(path) {
		if !inGroup(path[i]) {
			return false
		}
	}
	return wholePath(path)
}

// foldersOf calls yield with each folder of a path that may be written once.
func foldersOf(path string, yield func(folder string)) {
	for i := 1; i < len(path)-1; i++ {
		if path[i] == '/' && (word(path[i-1]) || strings.IndexByte("-)]", path[i-1]) >= 0) {
			yield(path[:i+1])
		}
	}
}

// below parts chosen paths into those that are written whole and, for each group that holds
// two or more, what of them is below its folder.
func (g *groups) below(x *Index, ids []ID) (whole []string, lines []string) {
	in := map[*folderGroup][]string{}
	for _, id := range ids {
		path := x.facts[id].Text
		if of := g.of[id]; of != nil {
			in[of] = append(in[of], path[len(of.folder):])
			continue
		}
		whole = append(whole, path)
	}
	for _, of := range g.list {
		own := in[of]
		slices.Sort(own)
		if len(own) >= groupHolds {
			lines = append(lines, of.folder+"{"+strings.Join(own, ", ")+"}")
			continue
		}
		for _, path := range own {
			whole = append(whole, of.folder+path)
		}
	}
	slices.SortFunc(whole, func(a, b string) int { return cmp.Or(cmp.Compare(pathSort(a), pathSort(b)), cmp.Compare(a, b)) })
	slices.Sort(lines)
	return whole, lines
}
