package gui

import (
	"path/filepath"
	"sort"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// choice is one line of the palette.
type choice struct {
	text, hint, key string
	also            string // other words it is looked for by
	glyph           kit.Glyph
	run             func()
}

// palette searches commands, histories and recent files.
type palette struct {
	w     *Host
	all   []choice
	shown []choice
	field *kit.TextField
	list  *kit.List
	none  *kit.Paragraph // in the list's place when nothing is found
	dlg   *kit.Dialog
}

func showPalette(w *Host) { showPaletteOf(w, &palette{w: w}) }

func showPaletteOf(w *Host, p *palette) {
	p.all = choices(w)
	p.field = kit.NewFilter(words.T("do.search"), func(string) { p.search() })
	p.field.OnSubmitted = func(string) { p.run(p.list.Selected()) }
	p.list = kit.NewList(28, func() int { return len(p.shown) }, func() kit.ListRow { return newChoiceRow(p) })
	p.list.OnOpen = p.run
	p.none = kit.NewParagraph("", kit.ColorMuted, 13, 3)
	p.none.Hide()
	body := kit.Column(8, p.field, kit.Stretch(container.NewStack(p.list, kit.Pad(10, 10, 0, 10, kit.Flow(0, p.none)))))
	p.dlg = kit.NewDialog(words.T("palette.title"), "", kit.Pad(10, 12, 10, 12, body), 660, 470)
	p.dlg.OnKey = func(e *fyne.KeyEvent) bool { return p.list.Key(e.Name) }
	p.dlg.SetCaption(words.T("palette.caption"))
	p.search()
	p.dlg.ShowOn(w.win.Canvas())
	p.field.FocusOn(w.win.Canvas())
}

// choices is all that can be done or looked at now.
func choices(w *Host) []choice {
	var list []choice
	for _, c := range w.c.list {
		if c.ID == "palette" || !c.enabled() {
			continue
		}
		hint := ""
		if c.Menu != "" {
			hint = words.T("menu." + c.Menu)
		}
		list = append(list, choice{text: c.title(), hint: hint, key: c.key(), also: otherWords(c.ID), run: c.Run})
	}
	for _, e := range w.d.Entries() {
		hint := words.T("sessions.samples")
		if e.Sample == "" {
			hint = shortFolder(filepath.Dir(e.Path))
		}
		list = append(list, choice{text: entryTitle(e), hint: hint, glyph: kit.GlyphDot, run: func() { w.leaveSheet(); w.d.Select(e) }})
	}
	groups, _ := w.d.Shelf("", desk.ByAdded)
	for _, g := range groups {
		for _, r := range g.Recents {
			if !r.Gone {
				list = append(list, choice{text: r.Title, hint: shortFolder(r.Path), glyph: kit.GlyphRing, run: func() { openPaths(w, r.Path) }})
			}
		}
	}
	return list
}

// otherWords are those a command is looked for by beside its title.
func otherWords(id string) string {
	key := "also." + id
	if s := words.T(key); s != key {
		return s
	}
	return ""
}

// search shows the choices that every typed word leads to, the best first; a
// path can be opened.
func (p *palette) search() {
	text := strings.TrimSpace(p.field.Text())
	p.shown = nil
	if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~/") || len(text) > 2 && text[1] == ':' {
		p.shown = append(p.shown, choice{text: words.T("palette.openPath", "path", text), glyph: kit.GlyphRing, run: func() { openPaths(p.w, home(text)) }})
	}
	paths, worth := len(p.shown), []int{}
	for _, c := range p.all {
		if n, ok := desk.Match(text, c.text, c.hint, c.also); ok {
			p.shown, worth = append(p.shown, c), append(worth, n)
		}
	}
	sort.Stable(byWorth{p.shown[paths:], worth})
	p.none.Set("", kit.ColorMuted)
	if len(p.shown) == 0 {
		p.none.Set(words.T("palette.none", "text", text), kit.ColorMuted)
	}
	setVisible(p.none, len(p.shown) == 0)
	p.list.Update()
	p.list.Select(min(0, len(p.shown)-1))
}

// byWorth sorts choices by what they are worth to a search, the best first.
type byWorth struct {
	list  []choice
	worth []int
}

func (b byWorth) Len() int           { return len(b.list) }
func (b byWorth) Less(i, j int) bool { return b.worth[i] > b.worth[j] }
func (b byWorth) Swap(i, j int) {
	b.list[i], b.list[j] = b.list[j], b.list[i]
	b.worth[i], b.worth[j] = b.worth[j], b.worth[i]
}

func (p *palette) run(i int) {
	if i < 0 || i >= len(p.shown) {
		return
	}
	do := p.shown[i].run
	p.dlg.Hide()
	do()
}

// choiceRow is one line of the palette.
type choiceRow struct {
	obj             *fyne.Container
	p               *palette
	sign            *kit.Sign
	text, hint, key *kit.Text
}

func newChoiceRow(p *palette) *choiceRow {
	r := &choiceRow{p: p, sign: kit.NewSign(kit.GlyphRight, kit.ColorFaint, 12)}
	r.text, r.hint, r.key = kit.Label("").Fit(), kit.NewText("", kit.ColorFaint, 12), kit.NewText("", kit.ColorMuted, 12).Right()
	r.obj = kit.Pad(0, 10, 0, 8, kit.Row(8, r.sign, kit.Stretch(r.text), r.hint, kit.Sized(90, 0, r.key)))
	return r
}

// Object is what the list shows.
func (r *choiceRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows a choice.
func (r *choiceRow) Fill(i int, _ bool) {
	c := r.p.shown[i]
	g := c.glyph
	if g == kit.GlyphNone {
		g = kit.GlyphRight
	}
	r.sign.Set(g, kit.ColorFaint)
	r.text.SetText(c.text)
	r.hint.SetText(c.hint)
	r.key.SetText(c.key)
	r.obj.Refresh()
}
