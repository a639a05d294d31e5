package sessions

import (
	"path/filepath"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/grid"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// sum is what a group comes to.
type sum struct {
	messages, found int
	size            int64
}

func sumOf(list []*desk.Entry) (s sum) {
	for _, e := range list {
		s.messages, s.found, s.size = s.messages+e.Messages, s.found+e.Found+e.Made, s.size+e.Size
	}
	return s
}

func (s sum) cell(column string) string {
	switch {
	case column == "messages":
		return words.Int(int64(s.messages))
	case column == "compactions" && s.found > 0:
		return words.Int(int64(s.found))
	case column == "size" && s.size > 0:
		return words.Bytes(s.size)
	}
	return ""
}

func (t *Table) columns() []grid.Column {
	at := func(f func(e *desk.Entry) string) func(int) string {
		return func(row int) string { return f(t.rows[row]) }
	}
	muted := func(int) fyne.ThemeColorName { return kit.ColorMuted }
	name := func(key string) string { return words.T("sessions.column." + key) }
	list := []grid.Column{
		{ID: "title", Title: name("title"), Width: 220, Grow: true, Sort: true, Keep: true, Text: at(t.title)},
		{ID: "file", Title: name("file"), Width: 214, Hide: 2, Ink: t.fileInk, Text: at(t.fileText)},
		{ID: "format", Title: name("format"), Width: 130, Hide: 1, Ink: muted, Text: at(func(e *desk.Entry) string {
			if e.Format == "" {
				return ""
			}
			return show.FormatTitle(e.Format)
		})},
		{ID: "messages", Title: name("messages"), Width: 84, Right: true, Sort: true, Text: at(func(e *desk.Entry) string {
			if e.Messages == 0 {
				return "–"
			}
			return words.Int(int64(e.Messages))
		})},
		{ID: "peak", Title: name("peak"), Width: 120, Sort: true, Text: at(t.peakText), Cell: t.peakCell, Room: 76,
			Card: t.peakCard},
		{ID: "compactions", Title: name("compactions"), Width: 104, Right: true, Sort: true, Hide: 4, Text: at(func(e *desk.Entry) string {
			if e.Found+e.Made == 0 {
				return "–"
			}
			return words.Int(int64(e.Found + e.Made))
		})},
		{ID: "changed", Title: name("changed"), Width: 118, Right: true, Sort: true, Hide: 5, Ink: muted,
			Text: at(func(e *desk.Entry) string {
				changed := e.Changed
				if s, runs := t.live[e]; runs {
					changed = s.Changed.Local()
				}
				if changed.IsZero() {
					return ""
				}
				return show.RecordTime(changed)
			})},
		{ID: "size", Title: name("size"), Width: 76, Right: true, Sort: true, Hide: 3, Text: at(sizeText), Cell: t.sizeCell},
	}
	for i := range list {
		list[i].Means = name(list[i].ID + ".means")
	}
	return list
}

func sizeText(e *desk.Entry) string {
	if e.Size == 0 {
		return ""
	}
	return words.Bytes(e.Size)
}

// sizeCell is the size of the file; of a session that a gateway serves, the button that
// pauses its compaction.
func (t *Table) sizeCell() (fyne.CanvasObject, func(row int)) {
	size, of := kit.NewText("", kit.ColorMuted, 13).Fit().Right(), model.LiveSession{}
	pause := kit.NewButton("", kit.Secondary, func() { t.d.Steer(of, !of.Paused, "") }).Small()
	button := kit.Row(0, kit.Spring(), pause)
	return container.NewStack(size, button), func(row int) {
		s, runs := t.live[t.rows[row]]
		of, size.Hidden, button.Hidden = s, s.Steered(), !runs || !s.Steered()
		size.SetText(sizeText(t.rows[row]))
		key := "live.pause"
		if s.Paused {
			key = "live.resume"
		}
		pause.SetText(words.T(key + ".short"))
		pause.SetTip(words.T(key))
	}
}

func (t *Table) title(e *desk.Entry) string {
	text := show.EntryTitle(e)
	if t.deep[e] {
		text = "└  " + text
	}
	if tags := e.Tags(); len(tags) > 0 { // before the title, of which the end is cut
		text = strings.Join(tags, " ") + "  " + text
	}
	if e.Star {
		text = "★ " + text
	}
	if s, runs := t.live[e]; runs {
		text = dialogs.LiveSource(&s) + " · " + text
	}
	return text
}

// fileText is the name of the file, or how much of it could be read; of a session that
// runs, when it is compacted.
func (t *Table) fileText(e *desk.Entry) string {
	if s, runs := t.live[e]; runs {
		return dialogs.LiveState(&s)
	}
	switch {
	case e.State == desk.Unavailable:
		return show.UnavailableWords(e)
	case e.Damaged > 0:
		return filepath.Base(e.Path) + " · " + words.T("sessions.linesRead", "read", e.Lines-e.Damaged, "total", e.Lines)
	}
	return filepath.Base(e.Path)
}

func (t *Table) fileInk(row int) fyne.ThemeColorName {
	e := t.rows[row]
	s, runs := t.live[e]
	switch {
	case runs && !s.Paused:
		return kit.ColorText
	case runs, e.Damaged > 0, e.State == desk.Unavailable:
		return kit.ColorWarning
	}
	return kit.ColorMuted
}

// peakText is the largest call as a share of the context window, and the latest of a session
// that runs.
func (t *Table) peakText(e *desk.Entry) string {
	if s, runs := t.live[e]; runs && s.Window > 0 {
		return words.Percent(float64(s.Used) / float64(s.Window))
	}
	return words.Figure(e.PeakFigure())
}

// peakCard explains that share.
func (t *Table) peakCard(row int) kit.Card {
	e := t.rows[row]
	if s, runs := t.live[e]; runs {
		return kit.Card{Name: words.T("live.title") + " · " + dialogs.LiveSource(&s), Value: t.peakText(e), About: dialogs.LiveTip(&s)}
	}
	return show.CellCard(t.d, e.PeakFigure())
}

// peakCell is a bar with the share behind it.
func (t *Table) peakCell() (fyne.CanvasObject, func(row int)) {
	bar, text := kit.NewBar(0, kit.ColorFaint), kit.NewText("", kit.ColorText, 12).Right()
	return kit.Row(8, kit.Stretch(kit.Sized(40, 5, bar)), kit.Sized(46, 18, text)), func(row int) {
		e := t.rows[row]
		if s, runs := t.live[e]; runs {
			bar.Hidden = false
			dialogs.ShowGauge(bar, text, &s)
			text.SetColor(kit.ColorText)
			return
		}
		bar.SetTick(-1)
		share, ok := e.PeakShare()
		color, ink := kit.ColorFaint, kit.ColorText
		if share >= show.HighPeak {
			color, ink = kit.ColorWarning, kit.ColorWarning
		}
		if !ok {
			ink = kit.ColorMuted
		}
		bar.Set(min(1, share), color)
		bar.Hidden = !ok
		text.SetText(t.peakText(e))
		text.SetColor(ink)
	}
}
