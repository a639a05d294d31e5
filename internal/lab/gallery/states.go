package main

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/kit"
)

// controls shows each control in each of its states.
func controls(w fyne.Window) fyne.CanvasObject {
	off := func(o interface {
		fyne.CanvasObject
		Disable()
	}) fyne.CanvasObject {
		o.Disable()
		return o
	}
	line := func(name string, objs ...fyne.CanvasObject) fyne.CanvasObject {
		return kit.Row(12, append([]fyne.CanvasObject{kit.Sized(110, 0, kit.NewText(name, kit.ColorMuted, 12))}, objs...)...)
	}
	radios := func() (out []fyne.CanvasObject) {
		for _, r := range kit.NewRadio([]string{"Compacted transcript", "Full history", "Records only"}, 0, nil) {
			out = append(out, r)
		}
		return out
	}
	wide := func(o fyne.CanvasObject) fyne.CanvasObject { return kit.Sized(200, 24, o) }
	bad := kit.NewTextField("", nil)
	bad.SetText("localhost:11434")
	bad.SetBad(true)
	glyphs := []fyne.CanvasObject{}
	for g := kit.GlyphReset; g <= kit.GlyphCorner; g++ {
		glyphs = append(glyphs, kit.NewSign(g, kit.ColorText, 16))
	}
	bar := kit.NewStackBar(26)
	bar.Set([]kit.BarPart{{Value: 14.2, Color: kit.ColorFaint, Text: "fixed 14.2K"}, {Value: 1.8, Color: kit.ColorPinned},
		{Value: 59, Color: kit.ColorSummarised, Text: "3–58  59.0K"}, {Value: 8.4, Color: kit.ColorCleared, Text: "8.4K"},
		{Value: 21.3, Color: kit.ColorKept, Text: "tail 21.3K"}}, 130, "saved 117.6K")
	rows := kit.Column(10,
		line("Buttons", kit.NewButton("Export…", kit.Secondary, nil),
			kit.NewButton("Compact now", kit.Primary, nil), kit.NewButton("Cancel", kit.Danger, nil),
			off(kit.NewButton("Disabled", kit.Secondary, nil)), off(kit.NewButton("Disabled", kit.Primary, nil)),
			kit.NewButton("Small", kit.Secondary, nil).Small(), kit.NewButton("Large", kit.Primary, nil).Large(),
			kit.NewButton("Previous change", kit.Secondary, nil).WithGlyph(kit.GlyphLeft)),
		line("Signs", glyphs...),
		line("Fates", kit.NewBadge("K"), kit.NewBadge("P"), kit.NewBadge("C"), kit.NewBadge("S"), kit.NewBadge("D"), kit.NewBadge("+")),
		line("Segments", kit.NewSegments([]string{"All", "Linked", "Only changes", "Only S", "Only C"}, 1, nil),
			kit.NewSegments([]string{"1", "2", "3"}, 2, nil)),
		line("Checks", kit.NewCheck("Summary", true, nil), kit.NewCheck("Thinking", false, nil),
			off(kit.NewCheck("Disabled", true, nil))),
		line("Radio", radios()...),
		line("Fields", wide(kit.NewTextField("http://localhost:11434/v1", nil)), wide(bad), wide(kit.NewFilter("Filter", nil)),
			wide(kit.NewSecret("Key", nil)), wide(off(kit.NewTextField("disabled", nil)))),
		line("Select", wide(kit.NewSelect([]string{"small-model", "large-model", "混合语言"}, 2, nil)),
			wide(off(kit.NewSelect([]string{"off"}, 0, nil)))),
		line("Tags", kit.NewTag("Balanced (modified)", kit.ColorMuted), kit.NewTag("draft 3, not applied", kit.ColorWarning),
			kit.NewTag("Fact ledger", kit.ColorText)),
		line("Links", kit.NewLink("show more", nil), kit.NewMenuLink("newest", nil), kit.NewLink("List 84 lost facts", nil)),
		line("Bars", kit.Sized(160, 10, kit.NewBar(.65, kit.ColorKept)), kit.Sized(160, 10, kit.NewBar(.35, kit.ColorCleared))),
		line("Stack", kit.Sized(900, 26, bar)),
		line("Text", kit.Label("Ordinary"), kit.NewText("muted 12", kit.ColorMuted, 12), kit.NewText("faint 11", kit.ColorFaint, 11),
			kit.Label("Bold 会话").Bold(), kit.Label("mono 0123 会话").Mono(), kit.Label("日本語 한국어 … · × “quotes”"),
			kit.Label("private \ue0b0 control \x07 emoji 🙂 العربية हिन्दी")),
	)
	open := kit.Row(8, kit.NewButton("Dialog", kit.Secondary, func() { showDialog(w) }),
		kit.NewButton("Ask", kit.Secondary, func() {
			kit.Ask(w.Canvas(), "Delete record", "The record R-0007 and its originals will be deleted. "+
				"This can't be undone. Other records keep what they share with it.", "Delete", "Cancel", kit.Danger, func() {})
		}),
		kit.NewButton("Toast", kit.Secondary, func() {
			w.Content().(*kit.Host).Toast("Saved compacted/long-coding-run.jsonl", "Undo", nil)
		}))
	return kit.NewPane("Controls", kit.Pad(16, 16, 16, 16, kit.Column(16, rows, open)))
}

// states shows banners, notices and an empty list.
func states(fyne.Window) fyne.CanvasObject {
	narrow := func(n int) fyne.CanvasObject {
		l := kit.NewLedger([6]string{"total", "fate", "#", "who · tool", "first words", "tokens"})
		l.SetSource(ledgerRows()[:n])
		return l
	}
	empty := kit.Column(8, kit.Spring(), kit.NewText("No sessions yet", kit.ColorText, 16).Bold().Center(),
		kit.NewText("Drop a file or a folder here, or open a sample.", kit.ColorMuted, 13).Center(),
		kit.Row(8, kit.Spring(), kit.NewButton("Open file…", kit.Primary, nil), kit.NewButton("Open folder…", kit.Secondary, nil),
			kit.NewButton("Samples", kit.Secondary, nil), kit.Spring()), kit.Spring())
	details := func() fyne.CanvasObject { return kit.NewButton("Copy details", kit.Secondary, nil).Small() }
	left := kit.Panes(kit.Sized(0, 200, kit.NewPane("Sessions", empty, kit.NewText("0", kit.ColorMuted, 12))),
		kit.Stretch(kit.NewPane("", kit.Column(0,
			kit.NewBanner(kit.Warning, "2 of 9,410 lines were skipped", "(812 and 4,077). The rest is loaded.",
				kit.NewButton("Show lines", kit.Secondary, nil).Small(), details()),
			kit.NewBanner(kit.Failure, "The model server did not answer",
				"http://localhost:11434 refused the connection. Nothing was changed.", details()),
			kit.NewBanner(kit.Info, "Welcome.", "This is a sample session; nothing leaves this computer."),
			kit.Stretch(narrow(17))))))
	notice := kit.NewNotice(kit.Warning, "The window of this model, 128,000, is smaller than your trigger, 160,000.",
		"Long spans will be sent in 2 parts.")
	right := kit.Panes(kit.Sized(0, 100, notice), kit.Stretch(kit.NewPane("After", narrow(14))))
	return kit.Margin(6, 6, 6, 6, kit.NewSplit(false, left, right, kit.KeepShare, .58))
}

func showDialog(w fyne.Window) {
	what := []fyne.CanvasObject{kit.Sized(90, 0, kit.NewText("What", kit.ColorMuted, 13))}
	for _, r := range kit.NewRadio([]string{"Compacted transcript", "Full history", "Both, linked", "Records only"}, 0, nil) {
		what = append(what, r)
	}
	field := kit.NewTextField("", nil)
	field.SetText("compacted/long-coding-run.jsonl")
	to := kit.Row(12, kit.Sized(90, 0, kit.NewText("To", kit.ColorMuted, 13)), kit.Stretch(kit.Sized(0, 24, field)),
		kit.NewButton("Choose…", kit.Secondary, nil))
	ok := kit.Row(6, kit.Sized(96, 0, kit.NewText("Result", kit.ColorMuted, 13)), kit.NewSign(kit.GlyphOK, kit.ColorSuccess, 14),
		kit.Label("Tool pairs complete"))
	body := kit.Pad(12, 16, 12, 16, kit.Column(10, kit.Row(14, what...), kit.NewRule(), ok, to,
		kit.NewNotice(kit.Warning, "The window of this model, 128,000, is smaller than your trigger, 160,000.",
			"Long spans will be sent in 2 parts.")))
	d := kit.NewDialog("Export", "Long coding run, after-view of R-0007", body, 780, 0)
	d.SetCaption("An existing file is never overwritten without asking.")
	d.SetButtons(kit.NewButton("Copy to clipboard", kit.Secondary, nil), kit.NewButton("Cancel", kit.Secondary, d.Close),
		kit.NewButton("Export", kit.Primary, d.Hide))
	d.ShowOn(w.Canvas())
}
