package dialogs

import (
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/find"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// choice is one line of the palette.
type choice struct {
	Text, hint, key string
	also            string // other words it is looked for by
	glyph           kit.Glyph
	run             func() // nil: it can't be done now
	worth           int    // to what is looked for
}

func (c choice) off() bool { return c.run == nil }
func (c choice) can() bool { return c.run != nil }

// Palette searches commands, histories and recent files.
type Palette struct {
	W     *screen.Host
	all   []choice
	Shown []choice
	Field *kit.TextField
	list  *kit.List
	None  *kit.Paragraph // in the list's place when nothing is found
	dlg   *kit.Dialog
}

func ShowPalette(w *screen.Host) { ShowPaletteOf(w, &Palette{W: w}) }

func ShowPaletteOf(w *screen.Host, p *Palette) {
	p.all = choices(w)
	p.Field = kit.NewFilter(words.T("do.search"), func(string) { p.Search() })
	p.Field.OnSubmitted = func(string) { p.run(p.list.Selected()) }
	p.list = kit.NewRows(28, func() int { return len(p.Shown) }, p.row)
	p.list.OnOpen = p.run
	p.None = kit.NewParagraph("", kit.ColorMuted, 13, 3)
	p.None.Hide()
	body := kit.Column(8, p.Field, kit.Stretch(container.NewStack(p.list, kit.Pad(10, 10, 0, 10, kit.Flow(0, p.None)))))
	p.dlg = kit.NewDialog(words.T("palette.title"), "", kit.Pad(10, 12, 10, 12, body), 660, 470)
	p.dlg.Types = p.Field
	p.dlg.OnKey = func(e *fyne.KeyEvent) bool { return p.list.Key(e.Name) }
	p.dlg.SetCaption(words.T("palette.caption"))
	p.Search()
	p.dlg.ShowOn(w.Win.Canvas())
	p.Field.FocusOn(w.Win.Canvas())
}

// choices is all that can be done or looked at now.
func choices(w *screen.Host) []choice {
	var list []choice
	for _, c := range w.Commands.List {
		if c.ID == "palette" || c.Run == nil {
			continue
		}
		x := choice{Text: c.Title(), key: c.Key(), also: otherWords(c.ID), run: c.Run}
		if c.Menu != "" {
			x.hint = words.T("menu." + c.Menu)
		} else if key, is := strings.CutPrefix(c.ID, commands.Param); is {
			x.hint = words.T("parameters.title")
			x.also += " " + strings.Join(model.ParamOf(key).Also, " ")
		}
		if !c.Can() {
			x.hint, x.run = c.Reason(), nil
		}
		list = append(list, x)
	}
	for _, e := range w.Desk.Entries() {
		hint := words.T("sessions.samples")
		if e.Sample == "" {
			hint = show.ShortFolder(filepath.Dir(e.Path))
		}
		list = append(list, choice{Text: show.EntryTitle(e), hint: hint, glyph: kit.GlyphDot,
			run: func() { w.LeaveSheet(); w.Desk.Select(e) }})
	}
	groups, _ := w.Desk.Shelf("", desk.ByAdded)
	for _, g := range groups {
		for _, r := range g.Recents {
			list = append(list, choice{Text: r.Title, hint: show.ShortFolder(r.Path), glyph: kit.GlyphRing,
				run: func() { OpenPaths(w, r.Path) }})
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

// Search shows the choices that every typed word leads to, the best first; a
// path can be opened.
func (p *Palette) Search() {
	text := strings.TrimSpace(p.Field.Text())
	p.Shown = nil
	if strings.HasPrefix(text, "/") || strings.HasPrefix(text, "~/") || len(text) > 2 && text[1] == ':' {
		p.Shown = append(p.Shown,
			choice{Text: words.T("palette.openPath", "path", text), glyph: kit.GlyphRing, run: func() { OpenPaths(p.W, show.Home(text)) }})
	}
	paths := len(p.Shown)
	for _, c := range p.all {
		var ok bool
		if c.worth, ok = desk.Match(text, c.Text, c.hint, c.also); ok {
			p.Shown = append(p.Shown, c)
		}
	}
	slices.SortStableFunc(p.Shown[paths:], func(a, b choice) int { return b.worth - a.worth })
	if text == "" { // what can be done comes first; a search finds what fits best
		p.Shown = append(slices.DeleteFunc(slices.Clone(p.Shown), choice.off), slices.DeleteFunc(p.Shown, choice.can)...)
	}
	if text != "" && paths == 0 { // and what is in the messages
		if p.W.Desk.Session() != nil {
			p.Shown = append(p.Shown, choice{Text: words.T("find.inSession", "text", text), glyph: kit.GlyphSearch, run: func() {
				p.W.LeaveSheet()
				p.W.Desk.SetFilter(desk.Filter{Text: text})
			}})
		}
		if p.W.FindAll != nil {
			p.Shown = append(p.Shown, choice{Text: words.T("find.inAll", "text", text), glyph: kit.GlyphSearch,
				run: func() { p.W.FindAll(desk.Asked{Text: text}) }})
		}
	}
	p.show()
	if len(text) > 1 && paths == 0 {
		p.W.Desk.Glance(text, func(list []find.Match) {
			if strings.TrimSpace(p.Field.Text()) == text {
				p.messages(text, list)
			}
		})
	}
}

// mostMessages is how many messages the palette has room for.
const mostMessages = 8

// messages adds those of the present history that a text was found in.
func (p *Palette) messages(text string, list []find.Match) {
	for i := range list[:min(len(list), mostMessages)] {
		m := &list[i]
		p.Shown = append(p.Shown, choice{Text: kit.Clean(m.Snippet.Text), glyph: kit.GlyphSearch,
			hint: "#" + words.Int(int64(m.Num)) + " " + show.WhoSays(session.Row{Msg: m.Msg}), run: func() {
				p.W.LeaveSheet()
				p.W.Desk.SetFilter(desk.Filter{Text: text, Around: desk.HitsInAll})
				p.W.Desk.SelectMessage(m.Num - 1)
			}})
	}
	p.list.Update()
}

// show lists the choices anew, the first of them selected.
func (p *Palette) show() {
	text := strings.TrimSpace(p.Field.Text())
	p.None.Set("", kit.ColorMuted)
	if len(p.Shown) == 0 {
		p.None.Set(words.T("palette.none", "text", text), kit.ColorMuted)
	}
	show.SetVisible(p.None, len(p.Shown) == 0)
	p.list.Update()
	p.list.Select(min(0, len(p.Shown)-1))
}

func (p *Palette) run(i int) {
	if i < 0 || i >= len(p.Shown) || p.Shown[i].off() {
		return
	}
	do := p.Shown[i].run
	p.dlg.Hide()
	do()
}

// row makes a line of the palette.
func (p *Palette) row() (fyne.CanvasObject, func(int)) {
	sign, text := kit.NewSign(kit.GlyphRight, kit.ColorFaint, 12), kit.Label("").Fit()
	hint, key := kit.NewText("", kit.ColorFaint, 12).Right().Fit(), kit.NewText("", kit.ColorMuted, 12).Right()
	row := kit.Pad(0, 10, 0, 8, kit.Row(8, sign, kit.Stretch(kit.SaidFirst(text, hint)), kit.Sized(90, 0, key)))
	return row, func(i int) {
		c, ink := p.Shown[i], kit.ColorText
		if c.off() {
			ink = kit.ColorFaint
		}
		glyph := c.glyph
		if glyph == kit.GlyphNone {
			glyph = kit.GlyphRight
		}
		sign.Set(glyph, kit.ColorFaint)
		text.SetColor(ink)
		text.SetText(c.Text)
		hint.SetText(c.hint)
		key.SetText(c.key)
		row.Refresh()
	}
}
