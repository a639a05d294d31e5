package gui

import (
	"palimpsest/compaction/session"
	"palimpsest/gui/words"
)

// showMissed lists what the agent of the history looked at would have needed
// later and missed under the chosen cell.
func (p *sweepSheet) showMissed() {
	cell := p.heat.Selected()
	if !p.loadable() {
		return
	}
	at := p.view.pair(cell)
	p.d.CellNeeds(cell, func(n *session.Needed) {
		if p.open {
			showMissesOf(p.d, p.w.win, n, words.T("sweep.missedAt", "at", at), p.close)
		}
	})
}
