package dialogs

import (
	"fyne.io/fyne/v2"

	"palimpsest/compaction/session/filling"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// fillingRow is a line of what fills the context: the head of a group, or a part of it.
type fillingRow struct {
	head  string
	name  string
	color fyne.ThemeColorName
	part  filling.Part
	share float64 // of the whole context
}

// ShowFilling shows what fills the context at the selected message: by kind of message,
// by tool and by file. Enter on a part goes to its largest message.
//
//	What fills the context   at message 480 · ~144.3K tokens in 122 messages
//	▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▇▆▆▆▅▅
//	by kind of message                    tokens  share  messages  largest
//	  tool results         ▇▇▇▇▇▇▇▇▇     ~105.2K   73 %        61     #409
func ShowFilling(w *screen.Host) {
	w.Desk.Filling(func(f *filling.Filling) { showFilling(w, f) })
}

func showFilling(w *screen.Host, f *filling.Filling) {
	rows := fillingRows(f)
	estimated := w.Desk.Session().Estimated()
	var dlg *kit.Dialog
	columns := fillingColumns(rows, !estimated)
	list := columns.NewList(25, func() int { return len(rows) })
	list.Choosable = func(i int) bool { return rows[i].head == "" && rows[i].part.Largest >= 0 }
	list.OnOpen = func(i int) {
		if at := rows[i].part.Largest; list.Choosable(i) {
			dlg.Close()
			w.Desk.SelectMessage(at)
		}
	}
	var parts []kit.BarPart
	for _, r := range rows {
		if r.head == "" && r.part.Name == "" {
			parts = append(parts, kit.BarPart{Value: float64(max(r.part.Tokens, 0)), Color: r.color})
		}
	}
	bar := kit.NewStackBar(12)
	bar.Set(parts, 0, "")
	caption := words.T("filling.at", "n", f.At, "tokens", words.TokensOf(f.Whole(), true, !estimated),
		"messages", words.T("count.messages", "count", f.Messages))
	dlg = kit.NewDialog(words.T("filling.title"), caption, kit.Column(0,
		kit.Pad(12, 16, 10, 16, kit.Means(bar, "filling.bar.means")),
		kit.Sized(0, 23, columns.Head()), kit.NewRule(), kit.Stretch(list)), 760, 560)
	dlg.SetCaption(words.T("filling.caption"))
	dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Primary, func() { dlg.Close() }))
	dlg.ShowOn(w.Win.Canvas())
	w.Win.Canvas().Focus(list)
}

// fillingRows are the groups with their parts.
func fillingRows(f *filling.Filling) (rows []fillingRow) {
	whole := float64(max(1, f.Whole()))
	add := func(p filling.Part, name string, color fyne.ThemeColorName) {
		rows = append(rows, fillingRow{name: name, color: color, part: p, share: float64(p.Tokens) / whole})
	}
	rows = append(rows, fillingRow{head: words.T("filling.kinds")})
	for _, p := range f.Kinds {
		name, color := show.MessageKind(p.Kind)
		add(p, name, color)
	}
	if f.Beyond > 0 {
		add(filling.Part{Tokens: f.Beyond, Largest: -1}, words.T("filling.beyond"), kit.ColorFaint)
	}
	_, color := show.MessageKind(model.KindResult)
	for _, group := range []struct {
		key  string
		list []filling.Part
	}{{"filling.tools", f.Tools}, {"filling.files", f.Files}} {
		if len(group.list) > 0 {
			rows = append(rows, fillingRow{head: words.T(group.key, "count", len(group.list))})
		}
		for _, p := range group.list {
			add(p, kit.Clean(p.Name), color)
		}
	}
	return rows
}

func fillingColumns(rows []fillingRow, reported bool) *kit.Columns[fillingRow] {
	number := func(text func(r fillingRow) string) func(fillingRow) string {
		return func(r fillingRow) string {
			if r.head != "" {
				return ""
			}
			return text(r)
		}
	}
	return &kit.Columns[fillingRow]{
		At:  func(i int) (fillingRow, bool) { return rows[i], true },
		Gap: 12, Least: 160, MinWidth: 420, Left: 16, End: 16, TextSize: 13,
		List: []kit.Col[fillingRow]{
			{Title: words.T("filling.part"), Cell: fillingName},
			{Width: 130, Hide: 1, Cell: fillingBar},
			{Title: words.T("agents.tokens"), Width: 74, Right: true, Means: words.T("filling.tokens.means"),
				Text: number(func(r fillingRow) string {
					return words.TokensOf(r.part.Tokens, true, reported && r.part.Messages > 0)
				})},
			{Title: words.T("filling.share"), Width: 58, Right: true, Means: words.T("filling.share.means"),
				Text: number(func(r fillingRow) string { return words.Percent(r.share) })},
			{Title: words.T("filling.messages"), Width: 74, Right: true, Hide: 2, Ink: kit.Muted[fillingRow],
				Means: words.T("filling.messages.means"), Text: number(func(r fillingRow) string {
					if r.part.Messages == 0 {
						return "–"
					}
					return words.Int(int64(r.part.Messages))
				})},
			{Title: words.T("filling.largest"), Width: 64, Right: true, Means: words.T("filling.largest.means"),
				Ink: func(fillingRow) fyne.ThemeColorName { return kit.ColorAccent },
				Text: number(func(r fillingRow) string {
					if r.part.Largest < 0 {
						return ""
					}
					return "#" + words.Int(int64(r.part.Largest+1))
				})},
		},
	}
}

// fillingName is the head of a group, or the name of a part.
func fillingName() (fyne.CanvasObject, func(fillingRow)) {
	text := kit.Label("").Fit()
	return text, func(r fillingRow) {
		text.SetBold(r.head != "")
		text.SetText(r.head)
		if r.head == "" {
			text.SetText(r.name)
		}
	}
}

func fillingBar() (fyne.CanvasObject, func(fillingRow)) {
	bar := kit.NewBar(0, kit.ColorFaint)
	return kit.Sized(0, 6, bar), func(r fillingRow) {
		bar.Hidden = r.head != ""
		bar.Set(r.share, r.color)
	}
}
