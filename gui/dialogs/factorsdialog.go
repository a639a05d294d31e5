package dialogs

import (
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/tokens"
)

// factorsDialog is the table of families whose vocabulary is not public, with
// the factor their tokens are estimated with.
type factorsDialog struct {
	w    *screen.Host
	Dlg  *kit.Dialog
	Rows []*factorRow
}

// factorRow is one family of the table.
type factorRow struct {
	family tokens.Family
	Field  *kit.TextField
}

func ShowFactors(w *screen.Host) *factorsDialog {
	x := &factorsDialog{w: w}
	caption := func(key string) fyne.CanvasObject { return kit.Caption(words.T(key)) }
	table := kit.Column(4, factorCells(caption("factors.family"), caption("factors.factor"), caption("factors.default"), kit.Caption("")))
	for _, f := range tokens.Families() {
		r := &factorRow{family: f, Field: kit.NewTextField(factorText(f.Factor), nil).Plain()}
		r.Field.SetText(factorText(w.Desk.Factors().Of(f)))
		x.Rows = append(x.Rows, r)
		table.Add(factorCells(kit.Label(show.UpperFirst(show.FamilyWords(f.Name))).Fit(), r.Field,
			kit.NewText(factorText(f.Factor), kit.ColorMuted, 12),
			kit.NewReset(words.T("factors.reset"), r.Reset)))
	}
	body := kit.Column(10, table,
		kit.NewText(words.T("factors.how"), kit.ColorMuted, 12).Fit(),
		kit.NewText(presentFactor(w.Desk), kit.ColorMuted, 12).Fit())
	x.Dlg = kit.NewDialog(words.T("factors.title"), "", kit.Pad(12, 16, 12, 16, body), 560, 0)
	x.Dlg.SetCaption(words.T("factors.caption"))
	x.Dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, x.Dlg.Close),
		kit.NewButton(words.T("factors.keep"), kit.Primary, x.Use))
	x.Dlg.ShowOn(w.Win.Canvas())
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

// Reset puts the usual factor into the field.
func (r *factorRow) Reset() {
	r.Field.SetText(factorText(r.family.Factor))
	r.Field.SetBad(false)
}

// Use keeps the table; a field that holds no factor is marked. An empty one
// means the usual factor.
func (x *factorsDialog) Use() {
	set, good := tokens.Factors{}, true
	for _, r := range x.Rows {
		v, err := r.family.Factor, error(nil)
		if text := strings.Replace(strings.TrimSpace(r.Field.Text()), ",", ".", 1); text != "" {
			v, err = strconv.ParseFloat(text, 64)
		}
		if err == nil {
			set, err = set.With(r.family.Name, v)
		}
		r.Field.SetBad(err != nil)
		good = good && err == nil
	}
	if !good {
		x.Dlg.SetCaption(words.T("factors.bad", "least", factorText(tokens.LeastFactor), "most", factorText(tokens.MostFactor)))
		return
	}
	x.w.Desk.SetFactors(set)
	x.Dlg.Hide()
}

// presentFactor describes how the tokens of the history looked at are made.
func presentFactor(d *desk.Desk) string {
	s := d.Session()
	switch {
	case s == nil:
		return ""
	case s.Counter().Method() == tokens.Counted:
		return words.T("factors.exact", "encoding", string(s.Counter().Encoding()))
	}
	return words.T("factors.present", "method", show.CounterOf(s))
}
