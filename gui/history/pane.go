// Package history is the pane of what a person did: its steps, the newest on top,
// and the two buttons that undo and redo.
package history

import (
	"slices"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/state/undo"
	"palimpsest/gui/words"
)

// Pane shows the steps of the history looked at.
//
//	Today, 11-21
//	○ Apply R-0009 again            undone: faint
//	● Restore R-0009        11:57   now: filled
//	  22 messages back
//	○ Delete R-0001         11:52
//	[Undo restore R-0009   Ctrl+Z]
//	[Redo apply R-0009     Ctrl+Y]
type Pane struct {
	d     *desk.Desk
	c     *commands.Table
	list  *kit.List
	lines []line
	none  *kit.Text
	undo  *kit.Button
	redo  *kit.Button
	obj   fyne.CanvasObject
}

// line is one of the list: a step, or the day of those below it.
type line struct {
	step *undo.Step
	day  string
}

// The heights of a step and of a day.
const (
	stepHeight = 40
	dayHeight  = 24
)

// New makes the pane.
func New(d *desk.Desk, c *commands.Table) *Pane {
	p := &Pane{d: d, c: c, none: kit.NewText("", kit.ColorMuted, 12).Center().Fit()}
	p.list = kit.NewRows(stepHeight, func() int { return len(p.lines) }, p.row).WithTip("history.row.tip")
	p.list.Choosable = func(i int) bool { return p.lines[i].step != nil }
	p.list.OnOpen = func(i int) { d.GoTo(p.lines[i].step) }
	p.list.OnSelect = func(i int) { d.GoTo(p.lines[i].step) }
	p.undo = kit.NewButton("", kit.Secondary, nil).Fit().Does(c, commands.Undo)
	p.redo = kit.NewButton("", kit.Secondary, nil).Fit().Does(c, commands.Redo)
	hint := kit.NewParagraph(words.T("history.hint"), kit.ColorFaint, 11, 3)
	foot := kit.Pad(8, 8, 8, 8, kit.Column(6, hint, p.undo, p.redo))
	body := kit.Column(0, kit.Stretch(container.NewStack(p.list, p.none)), kit.NewRule(), foot)
	p.obj = kit.NewPane(words.T("history.title"), body, kit.NewText(words.T("history.scope"), kit.ColorMuted, 12))
	d.Listen(desk.TopicHistory, p.update)
	d.Listen(desk.TopicSession, p.update)
	d.Listen(desk.TopicJob, p.update)
	p.update()
	return p
}

// Object is what the window shows.
func (p *Pane) Object() fyne.CanvasObject { return p.obj }

func (p *Pane) update() {
	p.lines = p.lines[:0]
	day, now := "", p.d.NextUndo()
	at := -1
	for _, s := range slices.Backward(p.d.Steps()) {
		if d := dayWords(s.Time.Local()); d != day {
			day = d
			p.lines = append(p.lines, line{day: day})
		}
		if s == now {
			at = len(p.lines)
		}
		p.lines = append(p.lines, line{step: s})
	}
	p.none.SetText("")
	if len(p.lines) == 0 {
		p.none.SetText(words.T("history.none"))
	}
	p.undo.SetText(UndoWords(p.d))
	p.redo.SetText(RedoWords(p.d))
	p.undo.SetEnabled(p.d.CanUndo())
	p.redo.SetEnabled(p.d.CanRedo())
	p.list.SetHeights(func(i int) float32 {
		if p.lines[i].step == nil {
			return dayHeight
		}
		return stepHeight
	})
	p.list.Select(at)
}

// UndoWords is what undoing does, with the name of the step.
func UndoWords(d *desk.Desk) string {
	if s := d.NextUndo(); s != nil {
		return words.T("undo.name", "step", show.StepName(s))
	}
	return words.T("command.undo")
}

// RedoWords is UndoWords for redo.
func RedoWords(d *desk.Desk) string {
	if s := d.NextRedo(); s != nil {
		return words.T("redo.name", "step", show.StepName(s))
	}
	return words.T("command.redo")
}

// dayWords names a day: today with its date, another one by its date, with the year
// where that is another one.
func dayWords(t time.Time) string {
	now := time.Now()
	switch {
	case t.Format(time.DateOnly) == now.Format(time.DateOnly):
		return words.T("history.today", "date", t.Format("01-02"))
	case t.Year() == now.Year():
		return t.Format("01-02")
	}
	return t.Format(time.DateOnly)
}

// row is a step or a day.
func (p *Pane) row() (fyne.CanvasObject, func(int)) {
	sign, name := kit.NewSign(kit.GlyphRing, kit.ColorMuted, 10), kit.Label("").Fit()
	below, at := kit.NewText("", kit.ColorMuted, 11).Fit(), kit.NewText("", kit.ColorMuted, 11)
	day := kit.NewText("", kit.ColorMuted, 11).Bold().Fit()
	first := kit.Row(8, kit.Stretch(name), at)
	step := kit.Pad(3, 16, 3, 12, kit.Row(10, sign, kit.Stretch(kit.Column(1, kit.Spring(), first, below, kit.Spring()))))
	return container.NewStack(step, kit.Pad(0, 12, 0, 12, day)), func(i int) {
		if i >= len(p.lines) {
			return
		}
		l := p.lines[i]
		s := l.step
		day.SetText(l.day)
		if s == nil {
			step.Hide()
			return
		}
		step.Show()
		ink, faint, detail := kit.ColorText, kit.ColorMuted, show.StepDetail(s)
		if s.Undone {
			ink, faint, detail = kit.ColorFaint, kit.ColorFaint, words.T("history.undone")
		}
		sign.Set(kit.GlyphRing, faint)
		if s == p.d.NextUndo() {
			sign.Set(kit.GlyphDot, kit.ColorAccent)
		}
		name.SetText(show.UpperFirst(show.StepName(s)))
		name.SetColor(ink)
		below.SetText(detail)
		if below.Show(); detail == "" {
			below.Hide()
		}
		at.SetText(s.Time.Local().Format("15:04"))
		step.Refresh()
	}
}
