package preferences

import (
	"maps"
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

// factorTable is the table of families whose vocabulary is not public, with
// the factor their tokens are estimated with.
type factorTable struct {
	w    *screen.Host
	Rows []*factorRow
	note *kit.Paragraph // of what is wrong
}

// factorRow is one family of the table.
type factorRow struct {
	family tokens.Family
	Field  *kit.TextField
}

func newFactorTable(w *screen.Host) *factorTable {
	x := &factorTable{w: w, note: kit.NewParagraph(words.T("factors.caption"), kit.ColorMuted, 12, 3)}
	for _, f := range tokens.Families() {
		r := &factorRow{family: f, Field: kit.NewTextField(factorText(f.Factor), nil).Plain()}
		r.Field.SetText(factorText(w.Desk.Factors().Of(f)))
		x.Rows = append(x.Rows, r)
	}
	return x
}

func (x *factorTable) object() fyne.CanvasObject {
	caption := func(key string) fyne.CanvasObject { return kit.Caption(words.T(key)) }
	table := kit.Column(4, pageHead("factors.title", words.T("factors.how")),
		factorCells(caption("factors.family"), caption("factors.factor"), caption("factors.default"), kit.Caption("")))
	for _, r := range x.Rows {
		table.Add(factorCells(kit.Label(show.UpperFirst(show.FamilyWords(r.family.Name))).Fit(), r.Field,
			kit.NewText(factorText(r.family.Factor), kit.ColorMuted, 12),
			kit.NewReset(words.T("factors.reset"), r.Reset)))
	}
	table.Add(kit.NewParagraph(presentFactor(x.w.Desk), kit.ColorMuted, 12, 3))
	table.Add(x.note)
	return table
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

// keep keeps the table; a field that holds no factor is marked, and it returns false.
// An empty one means the usual factor.
func (x *factorTable) keep() bool {
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
		x.note.Set(words.T("factors.bad", "least", factorText(tokens.LeastFactor), "most", factorText(tokens.MostFactor)), kit.ColorError)
		return false
	}
	x.note.Set(words.T("factors.caption"), kit.ColorMuted)
	if !maps.Equal(set, x.w.Desk.Factors()) {
		x.w.Desk.SetFactors(set)
	}
	return true
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

// TokensPage holds both tables: what a token is, and what it costs.
type TokensPage struct {
	Factors *factorTable
	Prices  *priceTable
	body    fyne.CanvasObject
}

// ShowTokens opens the settings at the page of tokens and prices.
func ShowTokens(w *screen.Host) *TokensPage { return Show(w, Tokens).made[Tokens].(*TokensPage) }

func newTokensPage(x *Window) page {
	t := &TokensPage{Factors: newFactorTable(x.W), Prices: newPriceTable(x.W)}
	t.body = scrolled(kit.Column(14, t.Factors.object(), kit.NewRule(), t.Prices.object()))
	return t
}

func (t *TokensPage) object() fyne.CanvasObject { return t.body }

func (t *TokensPage) leave() bool {
	factors, prices := t.Factors.keep(), t.Prices.keep()
	return factors && prices
}

// pageHead is the heading of a part of a page, with what is said of it.
func pageHead(key, about string) fyne.CanvasObject {
	return kit.Row(10, kit.Label(words.T(key)).Bold(), kit.Stretch(kit.NewParagraph(about, kit.ColorMuted, 12, 3)))
}
