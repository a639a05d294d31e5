package dialogs

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// readingRow makes the row of a way to read a file, or of a heading.
func (r *readAsDialog) readingRow() (fyne.CanvasObject, func(int)) {
	heading := kit.NewText("", kit.ColorFaint, 11).Bold().Fit()
	title, why, sure := kit.Label("").Fit(), kit.NewText("", kit.ColorMuted, 12).Fit(), kit.NewText("", kit.ColorMuted, 12).Right()
	group := kit.Pad(6, 8, 0, 12, heading)
	one := kit.Pad(4, 10, 0, 12, kit.Column(1, kit.Row(6, kit.Stretch(title), sure), why))
	return container.NewStack(group, one), func(i int) {
		l, share := r.lines[i], ""
		if l.confidence > 0 {
			share = words.Percent(float64(l.confidence) / 100)
		}
		group.Hidden, one.Hidden, why.Hidden = l.heading == "", l.heading != "", l.why == ""
		heading.SetText(show.Upper(l.heading))
		title.SetText(l.title)
		why.SetText(l.why)
		sure.SetText(share)
	}
}

// trialRow makes the row of a message as it would be read.
func (r *readAsDialog) trialRow() (fyne.CanvasObject, func(int)) {
	num, who, first := kit.NewText("", kit.ColorFaint, 12).Right(), kit.NewText("", kit.ColorMuted, 13).Fit(), kit.Label("").Fit()
	row := kit.Pad(0, 12, 0, 4, kit.Row(10, kit.Sized(46, 0, num), kit.Sized(120, 0, who), kit.Stretch(first)))
	return row, func(i int) {
		m := r.trial.Row(i)
		num.SetText(words.Int(int64(m.Num)))
		who.SetText(show.WhoSays(m))
		first.SetText(m.First)
	}
}

// askName keeps the field map under a name.
func (r *readAsDialog) askName() {
	text := r.form.text()
	kit.AskLine(r.w.Win.Canvas(), kit.LineQuestion{
		Title: words.T("readas.saveTitle"), Hint: words.T("preset.name"), Text: r.lines[r.at].saved, Do: words.T("do.save"),
		Right: func(name string) bool { return name != "" },
		Caption: func(name string) string {
			if slices.ContainsFunc(r.saved, func(m store.FieldMap) bool { return m.Name == name }) {
				return words.T("readas.replaces", "name", name)
			}
			return words.T("readas.saveAbout")
		},
		Done: func(name string) {
			r.w.Desk.SaveFieldMap(store.FieldMap{Name: name, Map: text}, func() { r.reload(name) })
		},
	})
}

// askDelete forgets the saved map that is chosen.
func (r *readAsDialog) askDelete() {
	name := r.lines[r.at].saved
	kit.Ask(r.w.Win.Canvas(), words.T("readas.deleteTitle"), words.T("readas.deleteMeans", "name", name), words.T("do.delete"),
		words.T("do.cancel"), kit.Danger,
		func() { r.w.Desk.DeleteFieldMap(name, func() { r.reload("") }) })
}

// reload lists the saved maps anew and chooses one; "" for the file's own.
func (r *readAsDialog) reload(name string) {
	r.w.Desk.FieldMaps(func(list []store.FieldMap) {
		if !r.dlg.Shown() {
			return
		}
		r.fill(list)
		at := slices.IndexFunc(r.lines, func(l readingLine) bool { return l.isMap() && l.saved == name })
		r.list.Select(at)
		r.choose(at)
	})
}

// NewReadingAsker returns a function that opens the dialog by itself, once for
// each history: when two formats fit it, or when none does and a map can be proposed.
func NewReadingAsker(w *screen.Host) func() {
	asked := map[*desk.Entry]bool{}
	return func() {
		e := w.Desk.Current()
		if e == nil || asked[e] || w.InSheet() || w.Win.Canvas().Overlays().Top() != nil {
			return
		}
		unknown := e.State == desk.Unavailable && show.ProblemCode(e.Err) == "unknown-format"
		if !unknown && !e.Unsure() {
			return
		}
		asked[e] = true
		why := words.T("readas.close")
		switch {
		case unknown:
			w.Desk.Readings(e, func(look *transcript.Survey, err error) {
				if err == nil && look.Map != nil && w.Desk.Current() == e && w.Win.Canvas().Overlays().Top() == nil {
					readAs(w, e, words.T("readas.proposed"))
				}
			})
			return
		case e.File.Doc.Unconfirmed:
			why = words.T("readas.unknown")
		}
		readAs(w, e, why)
	}
}
