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

// crossCheckRow is the line under the chart that holds our estimate of the last call
// against its reported usage, aloud where they differ.
//
//	▲ The last call is estimated at ~118.9K, reported at 94.4K (+26 %). They differ from …      Show calls   Plan as of message 212
type crossCheckRow struct {
	Obj  fyne.CanvasObject
	Said *kit.Text
	Why  *kit.Text
	Show *kit.Link
	Here *kit.Link // plans at the selected message
	sign *kit.Sign
	row  *fyne.Container

	texts *fyne.Container
}

// crossCheckHeight is that of the row, in units of the design.
const crossCheckHeight = 27

func newCrossCheckRow(show, planHere func()) *crossCheckRow {
	r := &crossCheckRow{sign: kit.NewSign(kit.GlyphWarning, kit.ColorWarning, 14),
		Said: kit.NewText("", kit.ColorText, 12).Bold().Fit(), Why: kit.NewText("", kit.ColorMuted, 12).Fit(),
		Show: kit.NewLink(words.T("check.show"), show).WithTip("check.show.tip")}
	r.texts = kit.SaidFirst(r.Said, r.Why)
	r.Here = kit.NewLink("", planHere)
	r.Here.SetTip(words.T("chart.planAt.tip"))
	r.row = kit.Row(8, r.sign, kit.Stretch(kit.Hinted(r.texts, func() string { return words.T("check.tip") })), r.Show, r.Here)
	r.Obj = kit.Column(0, kit.NewRule(), kit.Sized(0, crossCheckHeight, kit.Pad(0, 12, 0, 12, r.row)))
	r.offer("")
	r.set(nil)
	return r
}

// offer shows the way to plan at the selected message; "": that is where the plan is.
func (r *crossCheckRow) offer(text string) {
	if text == r.Here.Text() && r.Here.Visible() == (text != "") {
		return
	}
	r.Here.SetText(text)
	if r.Here.Show(); text == "" { // a link without words is no stop of the keyboard
		r.Here.Hide()
	}
	r.row.Refresh()
}

// set shows a check; nil: there is no history.
func (r *crossCheckRow) set(c *session.CrossCheck) {
	var said, why string
	var shorter []string
	switch {
	case c == nil:
	case c.Loud():
		said, why = checkWords(*c, "check.last"), checkCause(*c)
	case c.At < 0:
		why = words.T("check.none")
	default:
		why, shorter = checkWords(*c, "check.last"), []string{checkWords(*c, "check.last.short")}
	}
	r.Said.SetText(said)
	r.Why.SetTexts(why, shorter...)
	for _, o := range []fyne.CanvasObject{r.sign, r.Show} {
		if said == "" {
			o.Hide()
		} else {
			o.Show()
		}
	}
	r.texts.Refresh()
}

// checkWords are both numbers of a check and how far apart they are.
func checkWords(c session.CrossCheck, key string) string {
	off := words.PercentChange(c.Off())
	if c.Off() > 2 {
		off = words.T("check.times", "times", words.Decimal(c.Off()+1, 1))
	}
	return words.T(key, "estimated", words.Estimate(c.Estimated), "reported", words.Tokens(c.Reported), "off", off)
}

// checkCause is from where both differ, and the cause if one is known.
func checkCause(c session.CrossCheck) string {
	s := words.T("check.from", "n", c.From+1)
	if x := c.Cause; x.Code != "" {
		s += " " + words.T("check.cause."+string(x.Code), "n", x.At+1, "record", x.Record)
	}
	return s
}

// crossCheck is the check of the session under its parameters; nil without one.
func crossCheck(d *desk.Desk) *session.CrossCheck {
	s := d.Session()
	if s == nil {
		return nil
	}
	c := s.CrossCheck(d.Planning.Params().Fixed)
	return &c
}

// shadeStray shades the stretch of the chart in which estimate and report differ.
func shadeStray(out *chart.Data, c *session.CrossCheck) {
	if c != nil && c.Loud() {
		out.Bands = append(out.Bands, chart.Band{ID: "stray", From: float64(c.From),
			To: math.Max(float64(c.At+1), float64(c.From)+1), Color: kit.ColorWarning})
	}
}

// showStray selects the first call of that stretch and shows it in the chart from
// edge to edge, with as much before it.
func (p *chartPane) showStray() {
	c := crossCheck(p.d)
	if c == nil || !c.Loud() {
		return
	}
	p.d.SelectMessage(c.From)
	width := math.Max(float64(c.At+1-c.From), 8)
	p.Plot.SetView(math.Max(0, float64(c.From)-width), math.Min(float64(c.At)+1+width/4, p.Plot.Data().XMax))
}
