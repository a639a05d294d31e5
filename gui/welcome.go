package gui

import (
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/gui/chart"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// firstSteps is what a person meets who has opened nothing yet: what the program is for, a
// sample that shows it, the sessions found where agents keep them, and a place to drop one.
// Of these sessions only the names of their files are read.
type firstSteps struct {
	w     *window
	obj   fyne.CanvasObject
	curve *chart.Spark
	found *fyne.Container
	foot  *fyne.Container

	places []desk.Place // with the sessions found in them
}

// showFirstSteps shows them in the place of the panes.
func (w *window) showFirstSteps() {
	f := &firstSteps{w: w, curve: chart.NewSpark(), found: kit.Column(0), foot: kit.Row(8)}
	f.foot.Objects = []fyne.CanvasObject{kit.Stretch(kit.NewText(words.T("first.names"), kit.ColorMuted, 12).Fit())}
	place := kit.NewPane(words.T("first.found"), kit.Column(0,
		kit.Stretch(kit.Roomy(kit.Pad(4, 14, 4, 14, f.found))), kit.NewRule(), kit.Pad(8, 14, 8, 14, f.foot)))
	drop := kit.NewPane("", kit.Pad(8, 14, 10, 14, kit.Column(8, kit.Spring(),
		kit.NewText(words.T("first.drop"), kit.ColorText, 15).Bold().Center().Fit(),
		kit.NewText(words.T("first.or"), kit.ColorMuted, 12).Center(),
		kit.Row(8, kit.Spring(), kit.NewButton(words.T("do.openFile"), kit.Secondary, nil).Does(w.Commands, commands.OpenFile),
			kit.NewButton(words.T("do.openFolder"), kit.Secondary, nil).Does(w.Commands, commands.OpenFolder), kit.Spring()),
		kit.Spring(), kit.Row(8, kit.NewText(words.T("first.noSession"), kit.ColorMuted, 12),
			kit.NewLink(words.T("first.sample"), w.HideSheet).WithTip("first.sample.tip"), kit.Spring()))))
	f.obj = kit.Column(6, f.top(), kit.Stretch(kit.Row(6, kit.Stretch(place), kit.Stretch(drop))))
	w.ShowSheet(f.obj, nil)
	w.Desk.Listen(desk.TopicSession, f.draw)
	w.Desk.Listen(desk.TopicFiles, f.fill)
	f.draw()
	w.Desk.AgentPlaces(func(list []desk.Place) { f.places = list; f.fill() })
}

// top is the sentence, the steps and the sample.
func (f *firstSteps) top() fyne.CanvasObject {
	steps := kit.Row(24)
	for i, name := range []string{"one", "two", "three"} {
		text := kit.Column(1, kit.NewText(words.T("welcome."+name), kit.ColorText, 13).Bold().Fit(),
			kit.NewText(words.T("welcome."+name+".more"), kit.ColorMuted, 12).Fit())
		steps.Add(kit.Stretch(kit.Row(10, kit.NewTag(strconv.Itoa(i+1), kit.ColorAccent), kit.Stretch(text))))
	}
	said := func(key string, ink fyne.ThemeColorName) fyne.CanvasObject {
		return kit.Stretch(kit.NewText(words.T(key), ink, 12).Center().Fit())
	}
	picture := kit.Column(4, kit.Row(8, kit.Stretch(kit.NewText(words.T("first.curve"), kit.ColorMuted, 12).Fit()),
		kit.NewText(words.T("first.limit"), kit.ColorAccent, 12)),
		kit.Sized(0, 170, f.curve),
		kit.Row(8, said("first.order", kit.ColorText), said("first.full", kit.ColorText), said("first.choose", kit.ColorText)))
	return kit.NewPane("", kit.Pad(16, 20, 12, 20, kit.Column(10,
		kit.NewText(words.T("first.purpose"), kit.ColorText, 22).Bold().Fit(),
		kit.NewText(words.T("first.whom"), kit.ColorMuted, 13).Fit(), steps, kit.NewRule(), picture)))
}

// draw shows the sample as its calls reported it: it fills up, and falls where its tool compacted.
func (f *firstSteps) draw() {
	s := f.w.Desk.Session()
	if s == nil || !f.w.Showing(f.obj) || f.w.Desk.Current().Sample == "" {
		return
	}
	limit := float64(f.w.Desk.Planning.Params().Window)
	d := chart.SparkData{To: float64(len(s.Thread().History)), Top: limit * 1.04, Line: limit, Color: kit.ColorText}
	for _, q := range f.w.Desk.Curve() {
		if y := float64(max(q.Recorded, q.Counted)); y > 0 {
			if n := len(d.Points); n > 0 && y < d.Points[n-1].Y/2 { // it was compacted
				d.Points = append(d.Points, chart.Point{X: d.Points[n-1].X, Y: y})
			}
			d.Points = append(d.Points, chart.Point{X: float64(q.History + 1), Y: y})
		}
	}
	f.curve.Set(d)
}

// fill lists the conversations that the database holds, the places in which there are sessions,
// and the newest of these.
func (f *firstSteps) fill() {
	var rows []fyne.CanvasObject
	head := func(key string) {
		rows = append(rows, kit.Pad(8, 0, 2, 0, kit.NewText(words.T(key), kit.ColorFaint, 12).Bold()))
	}
	link := func(name, path string, changed time.Time) {
		rows = append(rows, kit.Sized(0, 24, kit.Row(8, kit.Stretch(kit.Row(0,
			kit.NewLink(show.Shortened(name, 60), func() { dialogs.OpenPaths(f.w.Host, path) }).WithTip("first.open.tip"), kit.Spring())),
			kit.NewText(show.Day(changed), kit.ColorMuted, 12))))
	}
	groups, _ := f.w.Desk.Shelf(model.ConversationPrefix, desk.ByAdded)
	for _, g := range groups {
		head("first.recorded")
		for _, r := range g.Recents {
			link(strings.TrimPrefix(r.Path, model.ConversationPrefix), r.Path, r.Changed)
		}
	}
	var newest []desk.Newest
	var paths, nowhere []string
	total := 0
	for _, p := range f.places {
		if p.Count == 0 {
			nowhere = append(nowhere, words.T("files."+p.Key))
			continue
		}
		total += p.Count
		paths = append(paths, p.Path)
		newest = append(newest, p.Newest...)
		rows = append(rows, kit.Sized(0, 36, kit.Row(10, kit.Sized(120, 0, kit.Label(words.T("files."+p.Key)).Bold().Fit()),
			kit.Stretch(kit.NewText(show.ShortHome(p.Path), kit.ColorMuted, 12).Fit()),
			kit.NewText(words.T("watched.sessions", "count", p.Count), kit.ColorText, 12),
			kit.Sized(96, 0, kit.NewText(show.Day(p.Newest[0].Changed), kit.ColorMuted, 12).Right()),
			kit.NewButton(words.T("do.open"), kit.Secondary, func() { dialogs.OpenPaths(f.w.Host, p.Path) }).Small())), kit.NewRule())
	}
	slices.SortFunc(newest, func(a, b desk.Newest) int { return b.Changed.Compare(a.Changed) })
	for i, n := range newest[:min(3, len(newest))] {
		if i == 0 {
			head("first.newest")
		}
		link(filepath.Base(filepath.Dir(n.Path))+" · "+filepath.Base(n.Path), n.Path, n.Changed)
	}
	if len(rows) == 0 {
		rows = append(rows, kit.NewText(words.T("first.none"), kit.ColorMuted, 13))
	}
	if len(nowhere) > 0 {
		empty := words.T("first.empty", "names", strings.Join(nowhere, ", "))
		rows = append(rows, kit.Pad(8, 0, 0, 0, kit.NewText(empty, kit.ColorFaint, 12).Fit()))
	}
	f.found.Objects = rows
	f.found.Refresh()
	first := kit.NewButton(words.T("do.openFile"), kit.Primary, nil).Does(f.w.Commands, commands.OpenFile)
	if total > 0 {
		first = kit.NewButton(words.T("first.all", "count", total), kit.Primary, func() { dialogs.OpenPaths(f.w.Host, paths...) })
	}
	f.foot.Objects = []fyne.CanvasObject{f.foot.Objects[0], first}
	f.foot.Refresh()
}
