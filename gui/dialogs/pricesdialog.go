package dialogs

import (
	"strconv"
	"strings"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/online"
	"palimpsest/gui/kit"
	"palimpsest/gui/screen"
	"palimpsest/gui/words"
)

// pricesDialog is the table of what models cost, each with the day on which it
// was entered. Costs are written in money only for models that are in it.
type pricesDialog struct {
	w     *screen.Host
	Dlg   *kit.Dialog
	Rows  []*priceRow
	table *fyne.Container
	done  func()
}

// usualCurrency is in a new line: most providers charge in it.
const usualCurrency = "USD"

// priceRow is one model of the table.
type priceRow struct {
	was                            online.ModelPrice
	model, Input, output, currency *kit.TextField
}

// ShowPrices opens the table; done is called when it was changed.
func ShowPrices(w *screen.Host, suggest string, done func()) *pricesDialog {
	x := &pricesDialog{w: w, table: kit.Column(4), done: done}
	p := w.Desk.Provider()
	known := suggest == ""
	for _, m := range p.Prices {
		x.Rows = append(x.Rows, newPriceRow(m))
		known = known || m.Model == suggest
	}
	if !known || len(x.Rows) == 0 {
		x.Rows = append(x.Rows, newPriceRow(online.ModelPrice{Model: suggest, Price: session.Price{Currency: usualCurrency}}))
	}
	caption := func(key string) fyne.CanvasObject { return kit.Caption(words.T(key)) }
	head := priceCells(caption("prices.model"), caption("prices.in"), caption("prices.out"), caption("prices.currency"),
		caption("prices.date"), kit.Caption(""))
	body := kit.Pad(12, 16, 12, 16, kit.Column(6, head, kit.Sized(0, 168, container.NewVScroll(x.table)),
		kit.Row(10, kit.NewButton(words.T("prices.add"), kit.Secondary, x.add),
			kit.Stretch(kit.NewText(words.T("prices.note"), kit.ColorMuted, 12).Fit()))))
	x.Dlg = kit.NewDialog(words.T("prices.title"), words.T("prices.perMillion"), body, 680, 0)
	x.Dlg.SetCaption(words.T("prices.caption"))
	x.Dlg.SetButtons(kit.NewButton(words.T("do.cancel"), kit.Secondary, x.Dlg.Close),
		kit.NewButton(words.T("prices.keep"), kit.Primary, x.Use))
	x.list()
	x.Dlg.ShowOn(w.Win.Canvas())
	return x
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
var priceWidths = []float32{84, 84, 64, 84, 26}

// priceCells puts the cells of a line beside each other; the model takes what is
// left.
func priceCells(model fyne.CanvasObject, cells ...fyne.CanvasObject) fyne.CanvasObject {
	row := []fyne.CanvasObject{kit.Stretch(model)}
	for i, c := range cells {
		row = append(row, kit.Sized(priceWidths[i], 24, c))
	}
	return kit.Row(8, row...)
}

func (x *pricesDialog) list() {
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

func (x *pricesDialog) add() {
	x.Rows = append(x.Rows, newPriceRow(online.ModelPrice{Price: session.Price{Currency: usualCurrency}}))
	x.list()
	x.Rows[len(x.Rows)-1].model.FocusOn(x.w.Win.Canvas())
}

func (x *pricesDialog) remove(r *priceRow) {
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

// Use keeps the table.
func (x *pricesDialog) Use() {
	var list []online.ModelPrice
	good := true
	for _, r := range x.Rows {
		m, ok := r.read()
		if good = good && ok; ok && m.Model != "" && m.Known() {
			list = append(list, m)
		}
	}
	if !good {
		return
	}
	p := x.w.Desk.Provider()
	p.Prices = list
	x.w.Desk.SetProvider(p)
	x.Dlg.Hide()
	x.done()
}
