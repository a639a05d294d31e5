package show

import (
	"math"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model/figure"
)

// Measured is the history that figures are of.
type Measured interface {
	Session() *session.Session // nil: none
	FigureError() float64      // share by which estimated tokens may be off; 0: not known
}

// PutFigure shows a figure of the history looked at, in its own notation or, where
// it is in a sentence, with that text.
func PutFigure(w *kit.Figure, d Measured, f figure.Figure, text string, ink fyne.ThemeColorName) {
	if text == "" {
		text = words.Figure(f)
	}
	w.Copied = func(full string) string { return words.T("figure.copied", "value", full) }
	full := ""
	if f.Known() {
		full = FullWords(f)
	}
	w.Set(text, full, ink, func() kit.Card { return FigureCard(d, f) })
}

// FullWords is a figure with all its digits; of a share also how many of how many.
func FullWords(f figure.Figure) string {
	s := words.FigureFull(f)
	if f.Unit == figure.Share && f.Of > 0 && f.Known() {
		s += " (" + words.T("result.of", "n", words.Int(f.N), "m", words.Int(f.Of)) + ")"
	}
	return s
}

// FigureCard explains a figure.
func FigureCard(d Measured, f figure.Figure) kit.Card {
	c := kit.Card{Name: words.T("figure.name." + f.Name), Value: FullWords(f), About: aboutFigure(d, f), Foot: words.T("figure.copies")}
	if !f.Known() {
		c.Foot = ""
	}
	for _, p := range f.Parts {
		part := figure.Figure{Value: p.Value, Kind: f.Kind}
		c.Parts = append(c.Parts, [2]string{partName(p), part.Full()})
	}
	for _, m := range f.Methods {
		c.Methods = append(c.Methods, [2]string{words.T("figure.method." + m.Name), howWords(d, m)})
	}
	return c
}

// CellCard explains a figure in a cell of a list, whose row a click selects.
func CellCard(d Measured, f figure.Figure) kit.Card {
	c := FigureCard(d, f)
	c.Foot = ""
	return c
}

// aboutFigure is what a figure speaks of, how it was come by, how far off it may
// be, and why it is a bound or not known.
func aboutFigure(d Measured, f figure.Figure) string {
	var parts []string
	switch f.Scope {
	case figure.OfCompaction:
		parts = append(parts, words.T("figure.scope.compaction"))
	case figure.OfRun:
		parts = append(parts, words.T("figure.scope.run"))
	case figure.OfCall:
		parts = append(parts, words.T("figure.scope.call", "n", f.At))
	case figure.OfRecord:
		parts = append(parts, words.T("figure.scope.record"))
	}
	if f.Known() {
		kind := words.T("figure.kind." + f.Kind.String())
		if f.Bound != figure.None {
			kind += ", " + words.T("figure.kind.bound")
		}
		parts = append(parts, kind)
	}
	weighed := f.Kind == figure.Estimated && f.Unit == figure.Tokens && f.Scope != figure.OfRecord
	if off := d.FigureError(); weighed && off > 0 && f.Value > 0 {
		parts = append(parts, words.T("figure.error", "percent", words.PercentTenths(off), "tokens", int64(math.Round(off*f.Value))))
	}
	text := Joined(parts)
	if f.Reason != "" && (f.Bound != figure.None || !f.Known()) {
		text += ". " + words.T("figure.reason."+f.Reason)
	}
	return text
}

// Joined is parts of a line with points between them.
func Joined(parts []string) string {
	text := ""
	for i, p := range parts {
		if i > 0 {
			text += " · "
		}
		text += p
	}
	return text
}

// partName is what adds to a figure, with the messages it is in.
func partName(p figure.Part) string {
	name := words.T("figure.part." + p.Name)
	if name == "figure.part."+p.Name {
		name = words.T("reason." + p.Name)
	}
	if p.From < p.To {
		name += " " + SpanWords(p.From+1, p.To)
	}
	if p.Of > 0 {
		name += ", " + words.T("figure.allowed", "n", p.Of)
	}
	return name
}

// howWords say how a part of a figure was counted.
func howWords(d Measured, m figure.Method) string {
	if m.How == "named" {
		return counterNamed(m.Text)
	}
	if m.How == "counter" {
		if s := d.Session(); s != nil {
			return CounterNote(s)
		}
	}
	return words.T("figure.how."+m.How, "count", m.N)
}

// WhyMissing is a figure that is not known with the reason in a few words: "–
// nothing follows yet".
func WhyMissing(f figure.Figure) string {
	if f.Reason == "" {
		return figure.Missing
	}
	return figure.Missing + " " + words.T("figure.short."+f.Reason)
}

// ShareInk is the colour of a figure: faint while it is not known.
func ShareInk(f figure.Figure) fyne.ThemeColorName {
	if !f.Known() {
		return kit.ColorFaint
	}
	return kit.ColorText
}

// DraftWord is how a draft was made, in a word or two.
func DraftWord(dr *session.Draft) string {
	if dr.Edited {
		return words.T("preview.editedTab")
	}
	return words.T("strategy.short." + string(dr.Plan.Policy.Strategy))
}
