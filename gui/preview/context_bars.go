package preview

import (
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// contextBars are both contexts on one scale, and what their colours mean.
type contextBars struct {
	d             *State
	obj           fyne.CanvasObject
	before, after *kit.Figure
	beforeN       *kit.Text
	afterN        *kit.Text
	change        *kit.Figure
	beforeBar     *kit.StackBar
	afterBar      *kit.StackBar
	rows          [2]*fyne.Container
}

func newContextBars(d *State) *contextBars {
	b := &contextBars{d: d}
	number := func() *kit.Figure { return kit.NewFigure(kit.ColorText, 16).Bold().Right().Fit() }
	b.before, b.after = number(), number()
	b.beforeN, b.afterN = kit.NewText("", kit.ColorMuted, 12).Right(), kit.NewText("", kit.ColorMuted, 12).Right()
	b.change = kit.NewFigure(kit.ColorKept, 13).Bold()
	b.beforeBar, b.afterBar = kit.NewStackBar(24), kit.NewStackBar(24)
	line := func(i int, name string, n *kit.Figure, bar *kit.StackBar, end ...fyne.CanvasObject) fyne.CanvasObject {
		b.rows[i] = kit.Row(12, kit.Sized(64, 0, kit.NewText(name, kit.ColorMuted, 13)), kit.Sized(100, 26, n),
			kit.Stretch(kit.Means(bar, "preview.bar.means")),
			kit.Sized(170, 26, kit.Row(8, append([]fyne.CanvasObject{kit.Spring()}, end...)...)))
		return b.rows[i]
	}
	b.obj = kit.NewPane("", kit.Pad(8, 14, 8, 14, kit.Column(5,
		line(0, words.T("preview.before"), b.before, b.beforeBar, kit.Means(b.beforeN, "preview.counts.means")),
		line(1, words.T("preview.after"), b.after, b.afterBar, b.change, kit.Means(b.afterN, "preview.counts.means")))))
	return b
}

func (b *contextBars) update(pl *compaction.Plan) {
	c, _ := b.d.CompactionFigures()
	show.PutFigure(b.before, b.d, c.Before, "", kit.ColorText)
	show.PutFigure(b.after, b.d, c.After, "", kit.ColorText)
	b.beforeN.SetText(words.T("count.messages", "count", pl.Before.Messages))
	b.afterN.SetText(words.T("count.messages", "count", pl.After.Messages))
	full := float64(pl.Before.Tokens)
	saved, note := pl.Before.Tokens-pl.After.Tokens, ""
	if b.change.Clear(); saved > 0 && c.Change.Known() {
		note = words.T("preview.saved", "tokens", show.TokenCount(b.d, saved))
		show.PutFigure(b.change, b.d, c.Change, "", kit.ColorKept)
	}
	b.beforeBar.Set(b.beforeParts(pl), full, "")
	b.afterBar.Set(labelled(b.d, show.AfterParts(pl)), full, note)
	for _, r := range b.rows {
		r.Refresh()
	}
}

// maxBarRuns is how many runs a bar shows one by one; more are summed by fate.
const maxBarRuns = 24

// outsideKey names what no message holds: the fixed part, or more than that.
func outsideKey(pl *compaction.Plan) string {
	return "preview." + show.OutsideName(pl.Line.Fixed(), int64(pl.Policy.Fixed))
}

// beforeParts are the runs of the context as it was, in their order.
func (b *contextBars) beforeParts(pl *compaction.Plan) []kit.BarPart {
	parts := []kit.BarPart{{Value: float64(pl.Line.Fixed()), Color: kit.ColorFaint,
		Text: words.T(outsideKey(pl)+".short", "tokens", show.TokenCount(b.d, pl.Line.Fixed()))}}
	if pl.Runs.Len() <= maxBarRuns {
		for _, r := range pl.Runs.All() {
			parts = append(parts, kit.BarPart{Value: float64(r.Tokens), Color: kit.FateColor(r.Fate.Letter()),
				Text: r.Fate.Letter() + " " + numbersOf(pl, r.From, r.To) + "  " + show.TokenCount(b.d, r.Tokens)})
		}
		return parts
	}
	var sums [len(model.Fates)]int64
	for _, r := range pl.Runs.All() {
		sums[show.FateIndex(r.Fate)] += r.Tokens
	}
	for _, f := range []model.Fate{model.Pinned, model.Summarised, model.Dropped, model.Cleared, model.Kept} {
		n := sums[show.FateIndex(f)]
		parts = append(parts, kit.BarPart{Value: float64(n), Color: kit.FateColor(f.Letter()),
			Text: f.Letter() + "  " + show.TokenCount(b.d, n)})
	}
	return parts
}

// labelled writes its tokens into each part of a bar, behind its letter.
func labelled(d *State, parts []kit.BarPart) []kit.BarPart {
	for i := range parts {
		parts[i].Text = strings.TrimSpace(parts[i].Text + "  " + show.TokenCount(d, int64(parts[i].Value)))
	}
	return parts
}
