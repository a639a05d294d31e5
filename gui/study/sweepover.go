package study

import (
	"slices"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/gui/workbench"
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

// overMenu ticks histories.
func (p *SweepSheet) overMenu() {
	var items []kit.MenuItem
	for _, e := range p.d.Sweepable() {
		on := slices.Contains(p.Histories(), e)
		items = append(items,
			kit.MenuItem{Text: kit.Clean(show.Shortened(show.EntryTitle(e), 60)), Checked: on, Run: func() { p.Tick(e, !on) }})
	}
	items = append(items, kit.Rule, kit.MenuItem{Text: words.T("sweep.openMore"), Disabled: true})
	workbench.ShowMenuUnder(p.w.Win, p.over, items)
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
