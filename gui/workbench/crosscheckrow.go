package workbench

import (
	"math"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/chart"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// crossCheckRow is the line under the chart that says aloud that our estimate of the
// last call and its reported usage differ. Its place is kept when there is nothing
// to say: nothing below it moves.
//
//	▲ The last call is estimated at ~118.9K, reported at 94.4K (+26 %). Likely cause: …      Show calls
type crossCheckRow struct {
	Obj  fyne.CanvasObject
	Said *kit.Text
	Why  *kit.Text
	Show *kit.Link
	sign *kit.Sign
}

// crossCheckHeight is that of the row, in units of the design.
const crossCheckHeight = 27

func newCrossCheckRow(show func()) *crossCheckRow {
	r := &crossCheckRow{sign: kit.NewSign(kit.GlyphWarning, kit.ColorWarning, 14),
		Said: kit.NewText("", kit.ColorText, 12).Bold().Fit(), Why: kit.NewText("", kit.ColorMuted, 12).Fit(),
		Show: kit.NewLink(words.T("check.show"), show)}
	r.Obj = kit.Column(0, kit.NewRule(), kit.Sized(0, crossCheckHeight,
		kit.Pad(0, 12, 0, 12, kit.Row(8, r.sign, r.Said, kit.Stretch(r.Why), r.Show))))
	r.set(session.CrossCheck{At: -1})
	return r
}

// set shows a check, or nothing where it is not loud.
func (r *crossCheckRow) set(c session.CrossCheck) {
	said, why := "", ""
	if c.Loud() {
		said, why = checkWords(c), checkCause(c)
	}
	r.Said.SetText(said)
	r.Why.SetText(why)
	for _, o := range []fyne.CanvasObject{r.sign, r.Show} {
		if said == "" {
			o.Hide()
		} else {
			o.Show()
		}
	}
	r.Obj.Refresh()
}

// checkWords are both numbers of a check and how far apart they are.
func checkWords(c session.CrossCheck) string {
	off := words.PercentChange(c.Off())
	if c.Off() > 2 {
		off = words.T("check.times", "times", words.Decimal(c.Off()+1, 1))
	}
	return words.T("check.last", "estimated", words.Estimate(c.Estimated), "reported", words.Tokens(c.Reported), "off", off)
}

// checkCause is the likely cause, how many others there are, and how good sizes are
// before the stretch.
func checkCause(c session.CrossCheck) string {
	x := c.Cause
	s := words.T("check.cause."+string(x.Code), "tokens", words.Estimate(x.Tokens), "n", x.At+1, "to", x.To+1, "count", x.N)
	if c.More > 0 {
		s += " " + words.T("check.more", "count", c.More)
	}
	if c.Before >= 0 {
		s += " " + words.T("check.before", "n", c.From+1, "percent", words.Percent(math.Ceil(100*c.Before)/100))
	}
	return s
}

// crossCheck is the check of the session under its parameters.
func crossCheck(d *desk.Desk) session.CrossCheck {
	s := d.Session()
	if s == nil {
		return session.CrossCheck{At: -1}
	}
	return s.CrossCheck(d.Params().Fixed)
}

// shadeStray shades the stretch of the chart in which estimate and report differ.
func shadeStray(out *chart.Data, c session.CrossCheck) {
	if c.Loud() {
		out.Bands = append(out.Bands, chart.Band{ID: "stray", From: float64(c.From), To: math.Max(float64(c.At+1), float64(c.From)+1), Color: kit.ColorWarning})
	}
}

// showStray selects the first call of that stretch and shows it in the chart from
// edge to edge, with as much before it.
func (p *chartPane) showStray() {
	c := crossCheck(p.d)
	if !c.Loud() {
		return
	}
	p.d.SelectMessage(c.From)
	width := math.Max(float64(c.At+1-c.From), 8)
	p.Plot.SetView(math.Max(0, float64(c.From)-width), math.Min(float64(c.At)+1+width/4, p.Plot.Data().XMax))
}
