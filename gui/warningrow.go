package gui

import (
	"fyne.io/fyne/v2"

	"palimpsest/compaction"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// warningRow is a warning in a sentence and, where there is one, a change of
// the parameters that does away with it: one click, undoable.
type warningRow struct {
	d    *desk.Desk
	obj  *fyne.Container
	text *kit.Paragraph
	foot *fyne.Container
	use  *kit.Link
}

func newWarningRow(d *desk.Desk) *warningRow {
	w := &warningRow{d: d, text: kit.NewParagraph("", kit.ColorMuted, 11, 4), use: kit.NewLink("", nil)}
	w.foot = kit.Row(0, w.use, kit.Spring())
	w.foot.Hide()
	w.obj = kit.Flow(1, w.text, w.foot)
	return w
}

// show fills the row with a warning. A remedy that is offered by a row above,
// by its words, is not offered twice. While the warning is one of former
// parameters, what was offered stands: a remedy of that warning for the present
// ones would be none.
func (w *warningRow) show(r compaction.Reason, offered map[string]bool) {
	w.text.Set(upperFirst(reasonWords(r)), kit.ColorMuted)
	if !w.d.Settled() {
		return
	}
	p := w.d.Params()
	better, ok := compaction.Remedy(p, r)
	text := ""
	if ok {
		text = remedyWords(p, better)
	}
	if ok = ok && !offered[text]; ok {
		offered[text] = true
	}
	if setVisible(w.foot, ok); !ok {
		return
	}
	w.use.SetText(text)
	w.use.OnTapped = func() { w.d.Set(func(q *model.Policy) { *q = better }) }
	w.foot.Refresh()
}

// remedyWords names the value that a remedy sets: "Use window 22,000 tok".
func remedyWords(p, better model.Policy) string {
	use := func(key, value string) string { return words.T("warning.use", "what", words.T(key), "value", value) }
	switch {
	case len(better.Triggers) != len(p.Triggers):
		return use("warning.trigger", clauseWords(better.Triggers[0]))
	case better.Tail != p.Tail:
		return use("warning.tail", fieldWords(better.Tail))
	case better.Budget != p.Budget:
		return use("warning.budget", fieldWords(better.Budget))
	case better.Target != p.Target:
		return words.T("warning.noTarget")
	}
	for k, c := range better.Triggers {
		if c != p.Triggers[k] {
			return use("warning.trigger", clauseWords(c))
		}
	}
	return words.T("warning.legal")
}
