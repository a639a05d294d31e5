package facts

import (
	"cmp"
	"slices"
	"strings"
)

// listedPath is a path as it is written, or a group of some, with the names behind it.
type listedPath struct {
	text  string
	names []ID
	id    ID // of one that is written alone
}

// listedFolder is a group of paths as it is written.
type listedFolder struct {
	folder string
	paths  []listedPath
}

// arranging parts chosen paths into those that are written alone and groups. A group needs
// two paths; what is in a smaller one is written whole.
type arranging struct {
	*groupPlan
	near    *pathsBeside
	chosen  []bool
	size    []int  // paths of each group
	written []bool // with another
	inner   [][]string
	lists   [][]listedPath
	alone   []listedPath
}

// arrange parts chosen paths.
func (p *groupPlan) arrange(x *Index, ids []ID, near *pathsBeside, t *tables) (alone []listedPath, folders []listedFolder) {
	alone = slices.Grow(t.alone[:0], len(ids))
	defer func() { t.alone = alone }()
	if p == nil {
		for _, id := range ids {
			alone = append(alone, listedPath{x.facts[id].Text, near.beside(id), id})
		}
		return alone, nil
	}
	a := arranging{groupPlan: p, near: near, chosen: make([]bool, len(p.units)), size: make([]int, len(p.groups)),
		alone: alone, written: make([]bool, len(p.units)),
		inner: make([][]string, len(p.groups)), lists: make([][]listedPath, len(p.groups))}
	for _, id := range ids {
		i := p.unit(id)
		if i < 0 {
			a.alone = append(a.alone, listedPath{x.facts[id].Text, near.beside(id), id})
			continue
		}
		a.chosen[i] = true
		for g := p.units[i].group; g >= 0; g = p.groups[g].outer {
			a.size[g]++
		}
	}
	for g := range p.groups {
		if a.size[g] >= groupHolds {
			for _, i := range p.groups[g].self {
				a.stands(i)
			}
		}
	}
	for i, chosen := range a.chosen {
		if chosen && p.units[i].group >= 0 && !a.written[i] {
			a.place(int32(i))
		}
	}
	for i, chosen := range a.chosen {
		if u := &p.units[i]; chosen && u.group < 0 && !a.written[i] {
			a.alone = append(a.alone, listedPath{u.own, near.beside(p.o.all[u.cand].id), p.o.all[u.cand].id})
		}
	}
	return a.alone, a.folders()
}

// stands notes what is written with a unit: itself, and what it is in groups of two.
func (a *arranging) stands(i int32) {
	a.written[i] = true
	for _, s := range a.units[i].short {
		if a.size[s.group] >= groupHolds {
			a.written[s.unit] = true
		}
	}
}

// place puts a unit where it is written, with the names beside it and its short forms.
func (a *arranging) place(i int32) {
	a.stands(i)
	u := &a.units[i]
	id := a.o.all[u.cand].id
	names := a.near.beside(id)
	for _, s := range u.short {
		if a.chosen[s.unit] && a.written[s.unit] {
			names = append(names[:len(names):len(names)], a.near.beside(a.o.all[a.units[s.unit].cand].id)...)
		}
	}
	g, own := u.group, u.own
	outer := a.groups[g].outer
	if outer >= 0 && (a.size[g] < groupHolds || len(names) > 0) {
		g, own, outer = outer, a.groups[g].own+own, -1
	}
	switch {
	case a.size[g] < groupHolds:
		a.alone = append(a.alone, listedPath{a.groups[g].own + own, names, id})
	case outer >= 0:
		a.inner[g] = append(a.inner[g], own)
	default:
		a.lists[g] = append(a.lists[g], listedPath{own, names, id})
	}
}

// folders are the groups, in the order of their folders, with those within them.
func (a *arranging) folders() (out []listedFolder) {
	for g, own := range a.inner {
		if len(own) == 0 {
			continue
		}
		slices.Sort(own)
		text := a.groups[g].own + own[0]
		if len(own) > 1 {
			text = a.groups[g].own + "{" + strings.Join(own, " ") + "}"
		}
		outer := a.groups[g].outer
		a.lists[outer] = append(a.lists[outer], listedPath{text: text})
	}
	for g, list := range a.lists {
		if len(list) > 0 {
			slices.SortFunc(list, func(a, b listedPath) int { return cmp.Compare(a.text, b.text) })
			out = append(out, listedFolder{a.groups[g].own, list})
		}
	}
	slices.SortFunc(out, func(a, b listedFolder) int { return cmp.Compare(a.folder, b.folder) })
	return out
}

// below are those of some paths that are no folder of a group: names may follow them.
func (p *groupPlan) below(ids []ID) []ID {
	if p == nil {
		return ids
	}
	return slices.DeleteFunc(slices.Clone(ids), func(id ID) bool {
		i := p.unit(id)
		return i >= 0 && p.units[i].folder
	})
}
