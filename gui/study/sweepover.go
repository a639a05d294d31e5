package study

import (
	"path/filepath"
	"slices"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// Histories are those that a sweep goes over: the ticked ones, else the one
// looked at.
func (p *SweepSheet) Histories() []*desk.Entry {
	if len(p.chosen) > 0 {
		return p.chosen
	}
	if list := p.d.Sweepable(); len(list) > 0 && list[0] == p.d.Current() {
		return list[:1]
	}
	return nil
}

// mostTicks bounds the sessions that the menu lists one by one.
const mostTicks = 20

// overMenu chooses histories: those of one of the folders, all, or single ones.
func (p *SweepSheet) overMenu() {
	all := p.d.Sweepable()
	choose := func(list []*desk.Entry) func() {
		return func() { p.chosen = list; p.buttons() }
	}
	var items []kit.MenuItem
	if e := p.d.Current(); e != nil && len(all) > 0 && all[0] == e {
		items = append(items, kit.MenuItem{Text: words.T("sweep.over.this"), Checked: len(p.Histories()) == 1, Run: choose(nil)})
	}
	listed := map[*desk.Entry]bool{}
	for _, e := range all {
		near := p.beside(e)
		if listed[near[0]] || len(near) < 2 || len(near) == len(all) {
			continue
		}
		listed[near[0]] = true
		text := words.T("sweep.over.folder", "count", len(near), "folder", filepath.Base(filepath.Dir(e.Path)))
		if e.Sample != "" {
			text = words.T("sweep.over.samples", "count", len(near))
		}
		items = append(items, kit.MenuItem{Text: text, Checked: slices.Equal(p.chosen, near), Run: choose(near)})
	}
	if len(all) > 1 {
		items = append(items, kit.MenuItem{Text: words.T("sweep.over.all", "count", len(all)), Run: choose(all)}, kit.Rule)
	}
	for _, e := range all[:min(len(all), mostTicks)] {
		on := slices.Contains(p.Histories(), e)
		items = append(items,
			kit.MenuItem{Text: kit.Clean(show.Shortened(show.EntryTitle(e), 60)), Checked: on, Run: func() { p.Tick(e, !on) }})
	}
	items = append(items, kit.Rule, kit.MenuItem{Text: words.T("sweep.openMore"), Disabled: true})
	kit.ShowMenuUnder(p.over, items)
}

// beside lists the histories in the folder of one of them.
func (p *SweepSheet) beside(e *desk.Entry) (near []*desk.Entry) {
	for _, x := range p.d.Sweepable() {
		if filepath.Dir(x.Path) == filepath.Dir(e.Path) && (x.Sample == "") == (e.Sample == "") {
			near = append(near, x)
		}
	}
	return near
}

// OverFolder sweeps over the histories that lie beside the one looked at.
func (p *SweepSheet) OverFolder() {
	if e := p.d.Current(); e != nil {
		p.OverThese(p.beside(e))
	}
}

// EnterWith opens the sheet with a sweep over histories of the list; those that can't
// be read are left out. The first is looked at unless another of them is.
func (p *SweepSheet) EnterWith(list []*desk.Entry) {
	can := p.d.Sweepable()
	list = slices.DeleteFunc(slices.Clone(list), func(e *desk.Entry) bool { return !slices.Contains(can, e) })
	if len(list) == 0 {
		return
	}
	enter := func() { p.Enter(); p.OverThese(list) }
	if p.d.Session() != nil && slices.Contains(list, p.d.Current()) {
		enter()
		return
	}
	p.then = enter
	p.w.LeaveSheet()
	p.d.Select(list[0])
}

// OverThese sweeps over histories of the list.
func (p *SweepSheet) OverThese(list []*desk.Entry) {
	p.d.StopSweep()
	p.chosen = list
	p.buttons()
	if p.Can() {
		p.Start()
	}
}

// Tick takes a history in or out; the last one stays.
func (p *SweepSheet) Tick(e *desk.Entry, on bool) {
	list := slices.Clone(p.Histories())
	if on {
		list = append(list, e)
	} else if list = slices.DeleteFunc(list, func(x *desk.Entry) bool { return x == e }); len(list) == 0 {
		return
	}
	p.chosen = list
	p.buttons()
}
