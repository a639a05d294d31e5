package study

import (
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// matterBars tell how much of what a metric varies over a grid each of the two
// settings explains, and how it follows each of them.
type matterBars struct {
	pane   *kit.Pane
	tabs   *kit.Segments
	Slices *sliceCurves
	names  [3]*kit.Text
	bars   [3]*kit.Bar
	shares [3]*kit.Text
	Mean   *kit.Paragraph
}

func newMatterBars() *matterBars {
	b := &matterBars{Mean: kit.NewParagraph(words.T("sweep.matters.none"), kit.ColorMuted, 12, 4)}
	rows := kit.Flow(7)
	for i := range b.bars {
		b.names[i], b.bars[i] = kit.NewText("", kit.ColorText, 13).Fit(), kit.NewBar(0, kit.ColorAccent)
		b.shares[i] = kit.NewText("", kit.ColorMuted, 12).Right()
		rows.Add(kit.Row(10, kit.Sized(130, 18, b.names[i]), kit.Stretch(kit.Sized(0, 9, b.bars[i])), kit.Sized(48, 0, b.shares[i])))
	}
	rows.Add(kit.Pad(4, 0, 0, 0, b.Mean))
	shares := kit.Pad(10, 12, 8, 12, rows)
	b.Slices = newSliceCurves()
	b.Slices.obj.Hide()
	b.tabs = kit.NewSegments([]string{words.T("sweep.matters.shares"), words.T("sweep.matters.curves")}, 0, func(i int) {
		show.SetVisible(shares, i == 0)
		show.SetVisible(b.Slices.obj, i == 1)
	})
	b.pane = kit.NewPane(words.T("sweep.matters"), container.NewStack(shares, b.Slices.obj), b.tabs)
	return b
}

// set shows the shares of a sweep's metric, the larger one first; what can't be
// told is not.
func (b *matterBars) set(v *sweepView) {
	s, known := v.W.Grid.Matters(v.metric)
	names, shares := []string{axisName(v.W.X.Param), axisName(v.W.Y.Param), words.T("sweep.both")}, []float64{s.X, s.Y, s.Both}
	if s.Y > s.X {
		names[0], names[1], shares[0], shares[1] = names[1], names[0], shares[1], shares[0]
	}
	for i := range b.bars {
		name, share := names[i], words.Percent(shares[i])
		if !known {
			name, share = "", ""
		}
		b.names[i].SetText(name)
		b.shares[i].SetText(share)
		ink := kit.ColorAccent
		if i > 0 {
			ink = kit.ColorMuted
		}
		b.bars[i].Set(shares[i], ink)
		show.SetVisible(b.bars[i], known)
	}
	where := words.T("sweep.matters.one")
	switch {
	case !v.W.Grid.Complete:
		where = words.T("sweep.matters.partial")
	case !known:
		where = words.T("sweep.matters.same", "metric", show.MetricName(v.metric))
	case len(v.W.Over) > 1:
		where = words.T("sweep.matters.many", "count", len(v.W.Over))
	}
	b.Mean.Set(where, kit.ColorMuted)
}

// slice draws the curves through a cell.
func (b *matterBars) slice(v *sweepView, chosen, current int) {
	cell := chosen
	if cell < 0 {
		cell = current
	}
	b.Slices.set(v, max(cell, 0))
}
