package gui

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model/tokens"
)

// factorsDialog is the table of families whose vocabulary is not public, with
// the factor their tokens are estimated with.
type factorsDialog struct {
	w    *Host
	dlg  *kit.Dialog
	rows []*factorRow
}

// factorRow is one family of the table.
type factorRow struct {
	family tokens.Family
	field  *kit.TextField
}

func showFactors(w *Host) *factorsDialog {
	x := &factorsDialog{w: w}
	caption := func(key string) fyne.CanvasObject { return kit.Caption(words.T(key)) }
	table := kit.Column(4, factorCells(caption("factors.family"), caption("factors.factor"), caption("factors.default"), kit.Caption("")))
	for _, f := range tokens.Families() {
		r := &factorRow{family: f, field: kit.NewTextField(factorText(f.Factor), nil).Plain()}
		r.field.SetText(factorText(w.d.Factors().Of(f)))
		x.rows = append(x.rows, r)
		table.Add(factorCells(kit.Label(upperFirst(familyWords(f.Name))).Fit(), r.field, kit.NewText(factorText(f.Factor), kit.ColorMuted, 12),
			kit.NewReset(words.T("factors.reset"), r.reset)))
	}
	body := kit.Column(10, table,
		kit.NewText(words.T("factors.how"), kit.ColorMuted, 12).Fit(),
		kit.NewText(presentFactor(w.d), kit.ColorMuted, 12).Fit())
	x.dlg = kit.NewDialog(words.T("factors.title"), "", kit.Pad(12, 16, 12, 16, body), 560, 0)
	x.dlg.SetCaption(words.T("factors.caption"))
	x.dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, x.dlg.Close), kit.NewButton(words.T("factors.keep"), kit.Primary, x.use))
	x.dlg.ShowOn(w.win.Canvas())
	return x
}

// factorCells puts the cells of a line beside each other.
func factorCells(family, factor, usual, reset fyne.CanvasObject) fyne.CanvasObject {
	return kit.Row(8, kit.Stretch(family), kit.Sized(84, 24, factor), kit.Sized(84, 24, usual), kit.Sized(26, 24, reset))
}

// factorText spells a factor with two decimals, or with all it has.
func factorText(v float64) string {
	if s := strconv.FormatFloat(v, 'f', -1, 64); len(s) > len("1.18") {
		return s
	}
	return strconv.FormatFloat(v, 'f', 2, 64)
}

// reset puts the usual factor into the field.
func (r *factorRow) reset() {
	r.field.SetText(factorText(r.family.Factor))
	r.field.SetBad(false)
}

// use keeps the table; a field that holds no factor is marked. An empty one
// means the usual factor.
func (x *factorsDialog) use() {
	set, good := tokens.Factors{}, true
	for _, r := range x.rows {
		v, err := r.family.Factor, error(nil)
		if text := strings.Replace(strings.TrimSpace(r.field.Text()), ",", ".", 1); text != "" {
			v, err = strconv.ParseFloat(text, 64)
		}
		if err == nil {
			set, err = set.With(r.family.Name, v)
		}
		r.field.SetBad(err != nil)
		good = good && err == nil
	}
	if !good {
		x.dlg.SetCaption(words.T("factors.bad", "least", factorText(tokens.LeastFactor), "most", factorText(tokens.MostFactor)))
		return
	}
	x.w.d.SetFactors(set)
	x.dlg.Hide()
}

// presentFactor tells how the tokens of the history looked at are made.
func presentFactor(d *desk.Desk) string {
	s := d.Session()
	switch {
	case s == nil:
		return ""
	case s.Counter().Method() == tokens.Counted:
		return words.T("factors.exact", "encoding", string(s.Counter().Encoding()))
	}
	return words.T("factors.present", "method", counterOf(s))
}
