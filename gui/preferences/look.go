package preferences

import (
	"fyne.io/fyne/v2"

	"palimpsest/gui/commands"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// appearancePage is theme, room of the rows and text size. What is chosen is a command of the window, so
// that menus and palette do the same.
type appearancePage struct {
	held
	body fyne.CanvasObject
}

// choices is a segment for each command; the one whose command is ticked is chosen.
func choices(x *Window, ids, names []string) *kit.Segments {
	at := 0
	for i, id := range ids {
		if c := x.W.Commands.ByID[id]; c != nil && c.Checked != nil && c.Checked() {
			at = i
		}
	}
	return kit.NewSegments(names, at, func(i int) { x.do(ids[i]) })
}

// do runs a command that builds the main window anew, and comes back to the same page.
func (x *Window) do(id string) {
	x.W.Commands.Run(id)
	x.Dlg.Hide() // the main window was built anew
	Show(x.W, x.at)
}

func newAppearancePage(x *Window) page {
	var ids, names []string
	for _, m := range kit.Modes {
		ids, names = append(ids, "theme."+string(m)), append(names, words.T("theme."+string(m)))
	}
	var rooms, roomNames []string
	for _, d := range kit.Densities {
		rooms, roomNames = append(rooms, "density."+string(d)), append(roomNames, words.T("density."+string(d)))
	}
	size := kit.NewText(words.Percent(float64(x.W.Settings.Scale())), kit.ColorText, 13).Center()
	step := func(text, id string) *kit.Button {
		b := kit.NewButton(text, kit.Secondary, nil).Does(x.W.Commands, id)
		b.OnTapped = func() { x.do(id) }
		b.SetEnabled(x.W.Commands.Enabled(id))
		return b
	}
	form := kit.NewFormOf(120, 30, 6).
		Row(words.T("settings.theme"), choices(x, ids, names)).
		Row(words.T("settings.density"), choices(x, rooms, roomNames)).
		Row(words.T("settings.text"), step("A−", "textSmaller"), kit.Sized(54, 24, size), step("A+", "textLarger"),
			step(words.T("settings.textNormal"), "textNormal")).
		Add(kit.NewRule()).
		Wide(words.T("settings.sample"), sampleRows())
	return &appearancePage{body: scrolled(form.Rows())}
}

func (p *appearancePage) object() fyne.CanvasObject { return p.body }

// sampleRows show how rows of the ledger look: one for each fate, in the chosen room.
func sampleRows() fyne.CanvasObject {
	rows, height := kit.Column(0), kit.RowPx(24)/kit.Px(1)
	for i, f := range model.Fates {
		rows.Add(kit.Sized(0, height, kit.Row(10, kit.Sized(36, 18, kit.NewText(words.Int(int64(141+i)), kit.ColorMuted, 12).Right()),
			kit.NewBadge(f.Letter()), kit.Stretch(kit.Label(words.T("fate."+f.String())).Fit()),
			kit.NewText("~"+words.Int(int64(406*(i+1))), kit.ColorMuted, 12))))
	}
	return rows
}

// languagePage is the language of the window.
type languagePage struct {
	held
	body fyne.CanvasObject
}

func newLanguagePage(x *Window) page {
	ids, names := []string{commands.Language}, []string{words.T("language.system")}
	for _, l := range words.Languages {
		ids, names = append(ids, commands.Language+l), append(names, words.Name(l))
	}
	form := kit.NewFormOf(120, 30, 6).
		Row(words.T("settings.language"), choices(x, ids, names)).
		Help(kit.NewText(words.T("settings.language.note"), kit.ColorMuted, 12).Fit())
	return &languagePage{body: scrolled(form.Rows())}
}

func (p *languagePage) object() fyne.CanvasObject { return p.body }
