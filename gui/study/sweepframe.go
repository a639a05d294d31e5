package study

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/replay"
	"palimpsest/gui/chart"
	"palimpsest/gui/commands"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

func (p *SweepSheet) header() fyne.CanvasObject {
	p.title, p.Count = kit.NewText("", kit.ColorMuted, 13).Fit(), kit.NewText("", kit.ColorMuted, 12)
	p.how = kit.NewTag(words.T("sweep.noModel"), kit.ColorMuted)
	p.bar = kit.NewBar(0, kit.ColorKept)
	p.Stop = kit.NewButton(words.T("sweep.stop"), kit.Secondary, nil).Does(p.w.Commands, commands.StopSweep)
	p.Run = kit.NewButton(words.T("sweep.run"), kit.Primary, nil).Does(p.w.Commands, commands.RunSweep)
	back := kit.NewButton(words.T("preview.back"), kit.Secondary, p.close).WithTip("preview.back.tip").WithGlyph(kit.GlyphLeft)
	p.headRow = kit.Lines(10, back, kit.Label(words.T("sweep.title")).Bold(), kit.Stretch(p.title), p.how,
		kit.Means(p.Count, "sweep.done.means"), kit.Sized(104, 4, p.bar), kit.Sized(64, 0, p.Stop), kit.Sized(64, 0, p.Run))
	return kit.NewPane("", kit.Pad(5, 10, 5, 10, p.headRow))
}

func (p *SweepSheet) axes() fyne.CanvasObject {
	p.X, p.Y = newAxisPicker(p.d, words.T("sweep.across"), p.buttons), newAxisPicker(p.d, words.T("sweep.up"), p.buttons)
	p.over = kit.NewMenuLink("", p.overMenu)
	p.texts = kit.NewCheck(words.T("sweep.texts"), true, func(bool) { p.buttons() })
	p.texts.SetTip(words.T("sweep.texts.tip"))
	p.axisRow = kit.Lines(12, p.X.obj, p.Y.obj, kit.Spring(), p.texts, p.over)
	return kit.NewPane("", kit.Pad(5, 10, 5, 10, container.NewHScroll(p.axisRow)))
}

func (p *SweepSheet) body() fyne.CanvasObject {
	p.metric = kit.NewSelect(nil, -1, func(int) { p.pick(p.metric, p.against) })
	p.against = kit.NewSelect(nil, -1, func(int) { p.pick(p.against, p.metric) })
	p.heatMean = kit.NewText("", kit.ColorMuted, 12).Fit()
	p.Told = kit.NewParagraph("", kit.ColorText, 12, 2)
	p.low, p.high = kit.NewText("", kit.ColorMuted, 12), kit.NewText("", kit.ColorMuted, 12)
	p.scale = kit.Row(0, kit.Means(kit.Row(6, p.low, kit.Sized(96, 11, chart.NewRamp()), p.high), "sweep.scale.means"))
	p.legend = kit.Lines(16,
		p.scale,
		kit.Row(6, kit.NewSign(kit.GlyphDot, kit.ColorText, 10), kit.NewText(words.T("sweep.current"), kit.ColorMuted, 11)),
		kit.Row(6, kit.NewSign(kit.GlyphCorner, kit.ColorWarning, 11),
			kit.Means(kit.NewText(words.T("sweep.thrash", "n", replay.Soon), kit.ColorMuted, 11), "sweep.thrash.means")),
		kit.Row(6, kit.NewText("×", kit.ColorMuted, 13), kit.NewText(words.T("sweep.impossible"), kit.ColorMuted, 11)),
		kit.Row(6, kit.NewText("·", kit.ColorMuted, 13).Bold(), kit.NewText(words.T("sweep.notDone"), kit.ColorMuted, 11)))
	p.heatPane = kit.NewPane("",
		kit.Pad(10, 12, 8, 12,
			kit.Column(6, kit.Stretch(p.Heat), kit.Sized(0, 18, p.legend),
				kit.NewRule(),
				kit.Sized(0, 20, kit.Means(p.Told, "sweep.told.means")))))
	p.heatPane.SetLeft(kit.Sized(170, 24, p.metric), kit.Sized(230, 0, p.heatMean))
	p.plotCount = kit.NewText("", kit.ColorMuted, 12).Fit()
	key := func(g kit.Glyph, ink fyne.ThemeColorName, text string) fyne.CanvasObject {
		return kit.Row(6, kit.NewSign(g, ink, 10), kit.NewText(words.T(text), kit.ColorMuted, 11))
	}
	dots := kit.Lines(16, key(kit.GlyphRing, kit.ColorKept, "sweep.front"), key(kit.GlyphDot, kit.ColorFaint, "sweep.beaten"),
		key(kit.GlyphDot, kit.ColorText, "sweep.current"), key(kit.GlyphRing, kit.ColorAccent, "sweep.chosen"))
	plotPane := kit.NewPane(words.T("sweep.tradeOff"),
		kit.Pad(8, 8, 10, 8,
			kit.Column(6, kit.Stretch(p.Plot),
				kit.Sized(0, 18, kit.Pad(0, 4, 0, 4,
					dots)))), kit.NewText(words.T("sweep.against"), kit.ColorMuted, 12), kit.Sized(170, 24, p.against))
	plotPane.SetLeft(kit.Sized(150, 0, kit.Means(p.plotCount, "sweep.best.means")))
	upper := p.w.Split("sweep", false, p.heatPane, plotPane, kit.KeepShare, .56)
	p.Missed = kit.NewLink(words.T("sweep.missed"), p.ShowMissed).WithTip("sweep.missed.tip")
	lower := p.w.Split("sweepLower", false, kit.NewPane(words.T("sweep.beside"), p.table.Obj, p.Missed), p.Many.pane, kit.KeepShare, .38)
	return p.w.Split("sweepDown", true, upper, lower, kit.KeepShare, .66)
}

func (p *SweepSheet) foot() fyne.CanvasObject {
	p.copied = kit.NewButton(words.T("sweep.copy"), kit.Secondary, p.CopyTable).WithTip("sweep.copy.tip")
	p.saved = kit.NewButton(words.T("sweep.save"), kit.Secondary, nil).Does(p.w.Commands, "saveSweep")
	p.candidate = kit.NewButton(words.T("command.cellCandidate"), kit.Secondary, nil).Does(p.w.Commands, commands.CellCandidate)
	p.useIn = kit.NewButton(words.T("command.useCell"), kit.Secondary, nil).Does(p.w.Commands, commands.UseCell)
	p.Load = kit.NewButton(words.T("command.loadCell"), kit.Primary, nil).Does(p.w.Commands, commands.LoadCell).Large()
	p.Note = kit.NewText("", kit.ColorMuted, 12).Fit().Right()
	note := kit.Stretch(kit.Means(p.Note, "sweep.note.tip"))
	return kit.NewPane("", kit.Pad(5, 10, 5, 10, kit.Lines(10, p.copied, p.saved, note, p.useIn, p.candidate, kit.Sized(170, 0, p.Load))))
}
