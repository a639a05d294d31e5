package workbench

import (
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// WarningRow is a warning in a sentence and, where there is one, a change of
// the parameters that does away with it: one click, undoable.
type WarningRow struct {
	d    *desk.Desk
	Obj  *fyne.Container
	text *kit.Paragraph
	Foot *fyne.Container
	Use  *kit.Link
}

func NewWarningRow(d *desk.Desk) *WarningRow {
	w := &WarningRow{d: d, text: kit.NewParagraph("", kit.ColorMuted, 11, 4), Use: kit.NewLink("", nil).WithTip("param.fix.tip")}
	w.Foot = kit.Row(0, w.Use, kit.Spring())
	w.Foot.Hide()
	w.Obj = kit.Flow(1, w.text, w.Foot)
	return w
}

// Show fills the row with a warning. A remedy that is offered by a row above,
// by its words, is not offered twice. While the warning is one of former
// parameters, what was offered stays: a remedy of that warning for the present
// ones would be none.
func (w *WarningRow) Show(r compaction.Reason, offered map[string]bool) {
	w.text.Set(show.UpperFirst(show.ReasonWords(show.Of(w.d), r)), kit.ColorMuted)
	if !w.d.Settled() {
		return
	}
	p := w.d.Planning.Params()
	better, ok := compaction.Remedy(p, r)
	text := ""
	if ok {
		text = remedyWords(p, better)
	}
	if ok = ok && !offered[text]; ok {
		offered[text] = true
	}
	if show.SetVisible(w.Foot, ok); ok {
		w.use(text, better)
	}
}

// Offer fills the row with a sentence and a change of the parameters.
func (w *WarningRow) Offer(text string, better model.Policy) {
	w.text.Set(text, kit.ColorMuted)
	w.Foot.Show()
	w.use(remedyWords(w.d.Planning.Params(), better), better)
}

func (w *WarningRow) use(text string, better model.Policy) {
	w.Use.SetText(text)
	w.Use.OnTapped = func() { w.d.Planning.Set(func(q *model.Policy) { *q = better }) }
	w.Foot.Refresh()
}

// remedyWords names every value that a remedy sets: "Use window 3 steps · batch 3 steps".
func remedyWords(p, better model.Policy) string {
	if p.Sliding() && better.Sliding() { // whose threshold is the window
		p.Triggers = better.Triggers
	}
	var sets []string
	for _, r := range show.SettingRows(p, better) {
		sets = append(sets, strings.ToLower(r.Name)+" "+r.B)
	}
	if len(sets) == 0 {
		return words.T("warning.legal")
	}
	return words.T("warning.use", "what", strings.Join(sets, " · "))
}
