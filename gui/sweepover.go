package gui

import (
	"slices"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// histories are those that a sweep goes over: the ticked ones, else the one
// looked at.
func (p *sweepSheet) histories() []*desk.Entry {
	if len(p.chosen) > 0 {
		return p.chosen
	}
	if list := p.d.Sweepable(); len(list) > 0 && list[0] == p.d.Current() {
		return list[:1]
	}
	return nil
}

// overMenu ticks histories.
func (p *sweepSheet) overMenu() {
	var items []kit.MenuItem
	for _, e := range p.d.Sweepable() {
		on := slices.Contains(p.histories(), e)
		items = append(items, kit.MenuItem{Text: kit.Clean(shortened(entryTitle(e), 60)), Checked: on, Run: func() { p.tick(e, !on) }})
	}
	items = append(items, kit.Rule, kit.MenuItem{Text: words.T("sweep.openMore"), Disabled: true})
	showMenuUnder(p.w.win, p.over, items)
}

// tick takes a history in or out; the last one stays.
func (p *sweepSheet) tick(e *desk.Entry, on bool) {
	list := slices.Clone(p.histories())
	if on {
		list = append(list, e)
	} else if list = slices.DeleteFunc(list, func(x *desk.Entry) bool { return x == e }); len(list) == 0 {
		return
	}
	p.chosen = list
	p.buttons()
}
