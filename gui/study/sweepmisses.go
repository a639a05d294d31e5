package study

import (
	"palimpsest/compaction/session"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// ShowMissed lists what the agent of the history looked at would have needed
// later and missed under the chosen cell.
func (p *SweepSheet) ShowMissed() {
	cell := p.Heat.Selected()
	if !p.Loadable() {
		return
	}
	at := p.View.pair(cell)
	p.d.CellNeeds(cell, func(n *session.Needed) {
		if p.Open {
			show.ShowMissesOf(p.d, p.w.Win, n, words.T("sweep.missedAt", "at", at), p.close)
		}
	})
}
