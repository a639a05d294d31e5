package preview

import "palimpsest/model"

// stop is a row that F7 goes to, of one of the three lists; −1 in the others.
type stop struct{ left, right, lost int }

// stops are those of the lists that a mode shows.
func (p *Screen) stops(mode int) (stops []stop) {
	last := -1
	for i, l := range p.originals.Lines {
		f := p.originals.Plan.Runs.At(l.Run).Fate
		if mode != ModeColumns && l.Run != last && f != model.Kept && f != model.Pinned {
			stops = append(stops, stop{i, -1, -1})
		}
		last = l.Run
	}
	for j, r := range p.after.Rows {
		if mode == ModeRendered && r.Kind == AfterBlock {
			stops = append(stops, stop{-1, j, -1})
		}
	}
	for i, r := range p.Lost.rows {
		if r.kind == lostItem && !p.narrow {
			stops = append(stops, stop{-1, -1, i})
		}
	}
	return stops
}

// Step goes to the next change, or with −1 to the one before, round at the ends: runs
// that do not stay, blocks of the summary, lost facts; beside another draft the lines that
// differ.
func (p *Screen) Step(by int) {
	mode := p.head.Mode.Selected()
	switch {
	case p.originals == nil || p.after == nil:
		return
	case mode == ModeDiff:
		p.diff.view.StepChange(by)
		return
	}
	stops := p.stops(mode)
	if len(stops) == 0 {
		return
	}
	if p.stop < 0 && by < 0 {
		p.stop = 0
	}
	p.stop = ((p.stop+by)%len(stops) + len(stops)) % len(stops)
	switch s := stops[p.stop]; {
	case s.left >= 0:
		p.Before.Select(s.left)
		p.lights.keepLeft(s.left)
		p.lights.level(true)
		p.w.Canvas().Focus(p.Before)
	case s.right >= 0:
		p.After.Select(s.right)
		p.lights.keepRight(s.right)
		p.lights.level(false)
		p.w.Canvas().Focus(p.After)
	default:
		p.Lost.List.Select(s.lost)
		p.lights.showFact(p.Lost.factAt(s.lost))
		p.w.Canvas().Focus(p.Lost.List)
	}
}
