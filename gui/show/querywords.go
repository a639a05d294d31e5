package show

import (
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model/query"
)

// QueryProblem says what is wrong with a query, in the person's language.
func QueryProblem(e *query.Error) string {
	text := words.T("find.wrong."+e.Code, "key", string(e.Key), "found", e.Found)
	if e.Meant != "" {
		return text + " " + words.T("find.meant", "meant", e.Meant)
	}
	if k := e.Key.Info(); e.Code == query.BadValue && k != nil && len(k.Values) > 0 {
		var names []string
		for _, v := range k.Values {
			names = append(names, v.Name)
		}
		return text + " " + words.T("find.oneOf", "values", strings.Join(names, ", "))
	}
	return text
}

// Narrowing are chips of terms that narrow a search, with words before them.
func Narrowing(list []query.Offer, take func(query.Offer)) (out []fyne.CanvasObject) {
	out = append(out, kit.NewText(words.T("find.narrow"), kit.ColorFaint, 12))
	for _, o := range list {
		tag := kit.NewTag(o.Text+" "+words.Int(int64(o.N)), kit.ColorMuted)
		tag.OnTapped = func() { take(o) }
		out = append(out, tag)
	}
	return out
}

// FilterMenu offers, below an object, the filters that were kept, and to keep the
// present one or forget it.
func FilterMenu(c fyne.Canvas, d *desk.Desk, under fyne.CanvasObject, text string, take func(string)) {
	var items []kit.MenuItem
	kept := false
	for _, f := range d.SavedFilters() {
		kept = kept || f == text
		items = append(items, kit.MenuItem{Text: f, Checked: f == text, Run: func() { take(f) }})
	}
	if len(items) > 0 {
		items = append(items, kit.Rule)
	}
	if kept {
		items = append(items, kit.MenuItem{Text: words.T("find.forget"), Run: func() { d.KeepFilter(text, false) }})
	} else {
		items = append(items, kit.MenuItem{Text: words.T("find.keep"), Disabled: text == "", Run: func() { d.KeepFilter(text, true) }})
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(under)
	kit.ShowMenu(c, items, at.AddXY(0, under.Size().Height), 0)
}
