package study

import (
	"slices"
	"time"

	"palimpsest/compaction/replay"
	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

func (p *SweepSheet) buttons() {
	if !p.Open {
		return
	}
	w := p.d.Sweep()
	running := w.Running()
	p.Run.SetEnabled(p.Can() && !running)
	p.Stop.SetEnabled(running)
	p.Load.SetEnabled(p.Loadable())
	p.Missed.SetEnabled(p.Loadable() && slices.Contains(p.View.W.Over, p.d.Current()))
	p.candidate.SetEnabled(p.Loadable())
	p.useIn.SetEnabled(p.Loadable())
	p.copied.SetEnabled(p.View != nil)
	p.saved.SetEnabled(w != nil && !running && w.Grid != nil)
	p.over.SetText(words.T("sweep.over", "count", max(1, len(p.Histories()))))
	p.state(w)
	if p.View != nil && p.View.stale != (p.outdated() != "") {
		p.draw()
	}
	p.headRow.Refresh()
	p.axisRow.Refresh()
	if p.axisRow.MinSize().Height > p.axisRow.Size().Height { // it goes on in another line
		p.obj.Refresh()
	}
}

// outdated says what of the sweep that is shown is not as it was, or is chosen otherwise for
// the next one; "" where all is.
func (p *SweepSheet) outdated() string {
	w := p.d.Sweep()
	if p.View == nil || p.View.W != w || w.Running() {
		return ""
	}
	same := p.texts.On() == w.Texts && slices.Equal(p.Histories(), w.Over)
	for k, a := range p.axesChosen() {
		same = same && a.Param == w.Axes[k].Param && a.Unit == w.Axes[k].Unit && desk.AxisText(a) == desk.AxisText(w.Axes[k])
	}
	if !same {
		return "chosen"
	}
	return desk.Outdated(p.d)
}

// note says what is to be known of the axes or of the sweep that is shown.
func (p *SweepSheet) note(w *desk.Sweep) string {
	switch {
	case w.Running():
		return ""
	case p.axesChosen().Cells() > desk.MostSweepCells:
		return words.T("sweep.tooMany", "most", desk.MostSweepCells)
	case desk.CheckSweep(p.axesChosen()) != nil:
		return words.T("sweep.sameAxis")
	case w == nil || w.Grid == nil:
		return words.T("sweep.press")
	}
	if why := p.outdated(); why != "" {
		return words.T("sweep.outdated." + why)
	}
	if p.View != nil && p.View.W == w {
		if why := p.View.unranked(); why != "" {
			return why
		}
		if p.View.nowUnbeaten(p.Current()) {
			return words.T("sweep.nowUnbeaten")
		}
	}
	switch {
	case len(w.Over) > 1 && p.View != nil && p.View.metric == replay.MetricRecall:
		return words.T("sweep.onManyNeeds", "count", len(w.Grid.Subjects))
	case len(w.Over) > 1 && p.View != nil && p.View.metric.Averaged():
		return words.T("sweep.onManyMean", "count", len(w.Grid.Subjects))
	case len(w.Over) > 1:
		return words.T("sweep.onMany", "count", len(w.Grid.Subjects))
	}
	return words.T("sweep.onOne")
}

// state says how far the sweep is, on what, and how much it may be trusted.
func (p *SweepSheet) state(w *desk.Sweep) {
	cells := p.axesChosen().Cells()
	count, share, ink := words.T("sweep.cells", "count", cells), 0.0, kit.ColorKept
	switch {
	case w == nil:
	case w.Running():
		count, share, ink = words.T("sweep.running", "done", w.Done, "total",
			w.Total), float64(w.Done)/float64(max(1, w.Total)), kit.ColorAccent
	case w.Grid != nil && !w.Grid.Complete && len(w.Over) > 1:
		done := len(w.Grid.Subjects)
		count, share, ink = words.T("sweep.partialSessions", "done", done, "total", len(w.Over)),
			float64(done)/float64(len(w.Over)), kit.ColorWarning
	case w.Grid != nil && !w.Grid.Complete:
		done := doneCells(w.Grid)
		count, share, ink = words.T("sweep.partial", "done", done, "total",
			len(w.Grid.Cells)), float64(done)/float64(len(w.Grid.Cells)), kit.ColorWarning
	case w.Grid != nil:
		count, share = words.T("sweep.done", "count", len(w.Grid.Cells), "time",
			words.Duration(w.Ended.Sub(w.Started).Round(time.Millisecond))), 1
	}
	p.Count.SetText(count)
	p.bar.Set(share, ink)
	p.Note.SetText(p.note(w))
	p.Note.SetColor(kit.ColorMuted)
	if p.outdated() != "" {
		p.Note.SetColor(kit.ColorWarning)
	}
	how := words.T("sweep.noModel")
	switch {
	case p.texts.On() && session.StandIn(p.d.Planning.Params().Strategy) != "":
		how = words.T("sweep.standIn")
	case p.texts.On():
		how = words.T("sweep.realTexts")
	}
	p.how.Set(how, kit.ColorMuted)
	if e := p.d.Current(); e != nil && p.d.Session() != nil {
		p.title.SetText(words.T("sweep.of", "session",
			kit.Clean(show.Shortened(show.EntryTitle(e), 40)), "n", len(p.d.Session().Thread().History)))
	}
}
