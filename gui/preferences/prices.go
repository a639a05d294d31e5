package preferences

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/online"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/words"
)

// priceTable is the table of what models cost, each with the day on which it
// was entered. Costs are written in money only for models that are in it.
type priceTable struct {
	w     *screen.Host
	Rows  []*priceRow
	table *fyne.Container
}

// usualCurrency is in a new line: most providers charge in it.
const usualCurrency = "USD"

// priceRow is one model of the table.
type priceRow struct {
	was                            online.ModelPrice
	model, Input, output, currency *kit.TextField
}

func newPriceTable(w *screen.Host) *priceTable {
	x := &priceTable{w: w, table: kit.Column(4)}
	p := w.Desk.Provider()
	known := p.Model == ""
	for _, m := range p.Prices {
		x.Rows = append(x.Rows, newPriceRow(m))
		known = known || m.Model == p.Model
	}
	if !known || len(x.Rows) == 0 {
		x.Rows = append(x.Rows, newPriceRow(online.ModelPrice{Model: p.Model, Price: session.Price{Currency: usualCurrency}}))
	}
	x.list()
	return x
}

func (x *priceTable) object() fyne.CanvasObject {
	caption := func(key string) fyne.CanvasObject { return kit.Caption(words.T(key)) }
	head := priceCells(caption("prices.model"), caption("prices.in"), caption("prices.out"), caption("prices.currency"),
		caption("prices.date"), kit.Caption(""))
	return kit.Column(6, pageHead("prices.title", words.T("prices.perMillion")), head, x.table,
		kit.Row(10, kit.NewButton(words.T("prices.add"), kit.Secondary, x.add).WithTip("prices.add.tip"),
			kit.Stretch(kit.NewParagraph(words.T("prices.note"), kit.ColorMuted, 12, 3))))
}

func newPriceRow(m online.ModelPrice) *priceRow {
	field := func(text, hint string) *kit.TextField {
		f := kit.NewTextField(hint, nil).Plain()
		f.SetText(text)
		return f
	}
	return &priceRow{was: m, model: field(m.Model, words.T("provider.modelHint")), Input: field(numberText(m.Input), "–"),
		output: field(numberText(m.Output), "–"), currency: field(m.Currency, usualCurrency)}
}

// priceWidths are those of the cells behind the model: input, output, currency,
// date, and the button that removes the line.
var priceWidths = []float32{84, 84, 80, 84, 26}

// priceCells puts the cells of a line beside each other; the model takes what is
// left.
func priceCells(model fyne.CanvasObject, cells ...fyne.CanvasObject) fyne.CanvasObject {
	row := []fyne.CanvasObject{kit.Stretch(model)}
	for i, c := range cells {
		row = append(row, kit.Sized(priceWidths[i], 24, c))
	}
	return kit.Row(8, row...)
}

func (x *priceTable) list() {
	x.table.Objects = nil
	for _, r := range x.Rows {
		date := r.was.Date
		if date == "" {
			date = words.T("prices.today")
		}
		x.table.Add(priceCells(r.model, r.Input, r.output, r.currency, kit.NewText(date, kit.ColorMuted, 12),
			kit.NewIconButton(kit.GlyphClose, words.T("prices.remove"), func() { x.remove(r) })))
	}
	x.table.Refresh()
}

func (x *priceTable) add() {
	x.Rows = append(x.Rows, newPriceRow(online.ModelPrice{Price: session.Price{Currency: usualCurrency}}))
	x.list()
	x.Rows[len(x.Rows)-1].model.FocusOn(x.w.Win.Canvas())
}

func (x *priceTable) remove(r *priceRow) {
	for i := range x.Rows {
		if x.Rows[i] == r {
			x.Rows = append(x.Rows[:i], x.Rows[i+1:]...)
			break
		}
	}
	x.list()
}

// read is what a line says; false when a field holds no price. A line without a
// model is none.
func (r *priceRow) read() (online.ModelPrice, bool) {
	m, ok := r.was, true
	m.Model, m.Currency = strings.TrimSpace(r.model.Text()), strings.TrimSpace(r.currency.Text())
	for _, f := range []struct {
		field *kit.TextField
		to    *float64
	}{{r.Input, &m.Input}, {r.output, &m.Output}} {
		v, good := amountIn(f.field)
		f.field.SetBad(!good)
		*f.to, ok = v, ok && good
	}
	if m != r.was || m.Date == "" {
		m.Date = time.Now().Format(time.DateOnly)
	}
	return m, ok
}

// amountIn is a price in a field; an empty field is none, and 0.
func amountIn(f *kit.TextField) (float64, bool) {
	text := strings.Replace(strings.TrimSpace(f.Text()), ",", ".", 1)
	if text == "" {
		return 0, true
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil && v >= 0 && v < 1e9
}

// keep keeps the table; false: a line holds no price.
func (x *priceTable) keep() bool {
	var list []online.ModelPrice
	good := true
	for _, r := range x.Rows {
		m, ok := r.read()
		if good = good && ok; ok && m.Model != "" && m.Known() {
			list = append(list, m)
		}
	}
	if !good {
		return false
	}
	p := x.w.Desk.Provider()
	if !slices.Equal(list, p.Prices) {
		p.Prices = list
		x.w.Desk.SetProvider(p)
	}
	return true
}
