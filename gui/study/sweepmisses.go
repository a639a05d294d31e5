package study

import (
	"strconv"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// sweepMisses lists what the present settings miss of what was needed later, and which
// suggestion keeps it.
type sweepMisses struct {
	pane   *kit.Pane
	List   *kit.List
	Rows   []desk.SweepMiss
	count  *kit.Text
	heads  [3]*kit.Text
	jump   func(at int)
	Missed *kit.Link // of the chosen cell
}

func newSweepMisses(jump func(at int), missed func()) *sweepMisses {
	m := &sweepMisses{jump: jump, count: kit.NewText("", kit.ColorMuted, 12).Fit()}
	m.Missed = kit.NewLink(words.T("sweep.missed"), missed).WithTip("sweep.missed.tip")
	head := []fyne.CanvasObject{kit.Stretch(kit.NewText(words.T("sweep.misses.fact"), kit.ColorMuted, 11)),
		kit.Sized(48, 0, kit.NewText(words.T("sweep.misses.at"), kit.ColorMuted, 11).Right())}
	for i := range m.heads {
		m.heads[i] = kit.NewText("", kit.ColorAccent, 11).Bold().Right()
		head = append(head, kit.Sized(22, 0, kit.Means(m.heads[i], "sweep.misses.means")))
	}
	m.List = kit.NewList(24, func() int { return len(m.Rows) }, func() kit.ListRow { return newMissLine(m) }).WithTip("sweep.misses.means")
	m.List.OnSelect = func(i int) { m.jump(m.Rows[i].Use) }
	m.pane = kit.NewPane(words.T("sweep.misses"), kit.Column(0, kit.Sized(0, 24, kit.Pad(0, 12, 0, 12, kit.Row(6, head...))),
		kit.NewRule(), kit.Stretch(m.List)), m.Missed)
	m.pane.SetLeft(kit.Sized(120, 0, kit.Means(m.count, "sweep.misses.means")))
	return m
}

// clear empties the list until it is known what is missed.
func (m *sweepMisses) clear() {
	m.set(nil, 0)
	m.count.SetText("")
}

// set lists the misses of a session; kept has the suggestions' columns.
func (m *sweepMisses) set(rows []desk.SweepMiss, suggestions int) {
	m.Rows = rows
	for i, h := range m.heads {
		text := ""
		if i < suggestions {
			text = strconv.Itoa(i + 1)
		}
		h.SetText(text)
	}
	m.count.SetText(words.T("sweep.misses.count", "count", len(rows)))
	m.List.Select(-1)
	m.List.Update()
}

type missLine struct {
	m     *sweepMisses
	obj   fyne.CanvasObject
	fact  *kit.Text
	at    *kit.Text
	ticks [3]*kit.Sign
}

func newMissLine(m *sweepMisses) *missLine {
	r := &missLine{m: m, fact: kit.NewText("", kit.ColorText, 12).Mono().Fit(), at: kit.NewText("", kit.ColorAccent, 12).Right()}
	line := []fyne.CanvasObject{kit.Stretch(r.fact), kit.Sized(48, 0, r.at)}
	for i := range r.ticks {
		r.ticks[i] = kit.NewSign(kit.GlyphNone, kit.ColorKept, 12)
		line = append(line, kit.Sized(22, 0, kit.Row(0, kit.Spring(), r.ticks[i])))
	}
	r.obj = kit.Pad(0, 12, 0, 12, kit.Row(6, line...))
	return r
}

// Object is what the list shows.
func (r *missLine) Object() fyne.CanvasObject { return r.obj }

// Fill shows a line.
func (r *missLine) Fill(i int, _ bool) {
	x := &r.m.Rows[i]
	r.fact.SetText(kit.Clean(x.Text))
	r.at.SetText(words.Int(int64(x.Use + 1)))
	for k, t := range r.ticks {
		switch {
		case k >= len(x.Kept):
			t.Set(kit.GlyphNone, kit.ColorMuted)
		case x.Kept[k]:
			t.Set(kit.GlyphTick, kit.ColorKept)
		default:
			t.Set(kit.GlyphClose, kit.ColorFaint)
		}
	}
}

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

// misses looks up what the present settings miss.
func (p *SweepSheet) lookMisses() {
	v := p.View
	p.Misses.clear()
	if v == nil || v.W.Running() || p.d.Session() == nil {
		return
	}
	var cells []int
	for _, s := range v.suggestions() {
		cells = append(cells, s.Cell)
	}
	p.d.SweepMisses(cells, func(rows []desk.SweepMiss) {
		if p.View == v {
			p.Misses.set(rows, len(cells))
		}
	})
}
