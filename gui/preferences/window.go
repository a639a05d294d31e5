package preferences

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/words"
)

// Pages of the window, in the order of its rail. They are parts of the keys of
// their words: "settings.page.models".
const (
	Models     = "models"
	Tokens     = "tokens"
	Folders    = "folders"
	Appearance = "appearance"
	Language   = "language"
	Keys       = "keys"
	Privacy    = "privacy"
	Storage    = "storage"
)

// Pages lists all of them.
var Pages = []string{Models, Tokens, Folders, Appearance, Language, Keys, Privacy, Storage}

// makers returns how each page is made.
func makers() map[string]func(*Window) page {
	return map[string]func(*Window) page{
		Models: newModelsPage, Tokens: newTokensPage, Folders: newFoldersPage, Appearance: newAppearancePage,
		Language: newLanguagePage, Keys: newKeysPage, Privacy: newPrivacyPage, Storage: newStoragePage,
	}
}

// page is one page of the window.
type page interface {
	object() fyne.CanvasObject
	// leave takes over what its fields say. It returns false, and marks the field,
	// where one says something that can't be kept.
	leave() bool
}

// held is a page whose choices hold at once.
type held struct{}

func (held) leave() bool { return true }

// Window is all settings in one frame over the main window: a rail of pages at the
// left, the page at the right.
//
//	┌ Settings ─────────────────────── [Find a setting] × ┐
//	│ Models        │ Models  who writes summaries …       │
//	│ Tokens …      │ ─────────────────────────────────── │
//	│ Folders       │ Server   [            ]              │
//	├───────────────┴──────────────────────────────────────┤
//	│ what is kept where                            [Done] │
//	└──────────────────────────────────────────────────────┘
type Window struct {
	W   *screen.Host
	Dlg *kit.Dialog

	rail   *kit.List
	lines  []railLine
	find   *kit.TextField
	body   *fyne.Container
	title  *kit.Text
	about  *kit.Text
	head   *fyne.Container
	at     string
	made   map[string]page
	urgent map[string]string // words of a page that needs attention
}

// railLine is a line of the rail: a page, or a setting that was searched for.
type railLine struct {
	page string
	term string // "" for the page itself
}

const (
	windowWidth, windowHeight = 1220, 752
	railWidth                 = 190
	edge                      = 24 // least room around the frame
)

// lastPage is the preference that remembers the page.
const lastPage = "settings.page"

// Show opens the settings at a page; "" is the one that was open last.
func Show(w *screen.Host, name string) *Window {
	if name == "" {
		name = w.Settings.P.String(lastPage)
	}
	if !slices.Contains(Pages, name) {
		name = Models
	}
	x := &Window{W: w, made: map[string]page{}, urgent: map[string]string{}}
	x.title, x.about = kit.NewText("", kit.ColorText, 15).Bold(), kit.NewText("", kit.ColorMuted, 12).Fit()
	x.rail = kit.NewRows(30, func() int { return len(x.lines) }, x.railRow)
	x.rail.OnSelect = func(i int) { x.Go(x.lines[i].page) }
	x.find = kit.NewFilter(words.T("settings.find"), func(string) { x.list() })
	x.find.OnSubmitted = func(string) {
		if len(x.lines) > 0 {
			x.Go(x.lines[0].page)
		}
	}
	x.body = container.NewStack()
	x.head = kit.Row(12, x.title, kit.Stretch(x.about))
	head := kit.Sized(0, 42, kit.Pad(0, 16, 0, 16, x.head))
	right := kit.Column(0, head, kit.NewRule(), kit.Stretch(x.body))
	left := kit.Sized(railWidth, 0, kit.Column(0, kit.Pad(8, 8, 6, 8, x.find), kit.Stretch(x.rail)))
	rule := kit.NewRule()
	body := container.NewBorder(nil, nil, container.NewBorder(nil, nil, nil, rule, left), nil, right)
	size := w.Win.Canvas().Size()
	x.Dlg = kit.NewDialog(words.T("do.settings"), "", body,
		min(windowWidth, (size.Width-2*edge)/kit.Scale()), min(windowHeight, (size.Height-2*edge)/kit.Scale()))
	x.Dlg.SetCaption(words.T("settings.caption"))
	x.Dlg.SetButtons(kit.NewButton(words.T("do.done"), kit.Primary, x.Done))
	x.Dlg.OnClose = func() { x.leave() }
	x.Dlg.OnFind = func() { x.find.FocusOn(w.Win.Canvas()) }
	x.Dlg.OnKey = func(e *fyne.KeyEvent) bool { return x.rail.Key(e.Name) }
	x.attend(Storage, storageUrgency(w.Desk))
	x.list()
	x.Go(name)
	x.Dlg.ShowOn(w.Win.Canvas())
	return x
}

// list fills the rail: with all pages, or with the settings that were searched for.
func (x *Window) list() {
	x.lines = x.lines[:0]
	text := strings.ToLower(strings.TrimSpace(x.find.Text()))
	for _, p := range Pages {
		name := words.T("settings.page." + p)
		if text == "" || strings.Contains(strings.ToLower(name), text) {
			x.lines = append(x.lines, railLine{page: p})
			continue
		}
		for term := range strings.SplitSeq(words.T("settings.terms."+p), "·") {
			if term = strings.TrimSpace(term); strings.Contains(strings.ToLower(term), text) {
				x.lines = append(x.lines, railLine{page: p, term: term})
			}
		}
	}
	x.rail.Update()
	x.mark()
}

// mark selects the line of the page that is shown.
func (x *Window) mark() {
	for i, l := range x.lines {
		if l.page == x.at {
			x.rail.Select(i)
			return
		}
	}
	x.rail.Select(-1)
}

// Go shows a page, unless a field of the present one holds what can't be kept.
func (x *Window) Go(name string) {
	if name == x.at || !x.leave() {
		x.mark()
		return
	}
	if x.made[name] == nil {
		x.made[name] = makers()[name](x)
	}
	x.at = name
	x.W.Settings.P.SetString(lastPage, name)
	x.title.SetText(words.T("settings.page." + name))
	x.about.SetText(words.T("settings.about." + name))
	x.head.Refresh()
	x.body.Objects = []fyne.CanvasObject{x.made[name].object()}
	x.body.Refresh()
	x.mark()
}

// leave takes over what the fields of the present page say.
func (x *Window) leave() bool { return x.made[x.at] == nil || x.made[x.at].leave() }

// Done closes the window, unless a field holds what can't be kept.
func (x *Window) Done() {
	if x.leave() {
		x.Dlg.Hide()
	}
}

// attend puts words beside a page in the rail that needs attention; "" takes them
// away.
func (x *Window) attend(name, say string) {
	x.urgent[name] = say
	x.rail.Update()
}

// scrolled is the body of a page that is as high as it needs to be.
func scrolled(o fyne.CanvasObject) fyne.CanvasObject {
	return container.NewVScroll(kit.Pad(14, 16, 14, 16, o))
}

// railRow makes a row of the rail.
func (x *Window) railRow() (fyne.CanvasObject, func(int)) {
	name, note := kit.Label("").Fit(), kit.NewText("", kit.ColorWarning, 11)
	return kit.Pad(0, 10, 0, 14, kit.Row(6, kit.Stretch(name), note)), func(i int) {
		l := x.lines[i]
		if l.term != "" {
			name.SetText(l.term)
			note.SetText("")
			return
		}
		name.SetText(words.T("settings.page." + l.page))
		note.SetText(x.urgent[l.page])
	}
}
