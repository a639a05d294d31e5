package report

import (
	"fmt"
	"math"
	"strings"
)

// Heat is a map of numbers in shades.
type Heat struct {
	Title   string
	Head    string // above the map
	Columns []string
	Rows    []string   // the lowest first
	Cells   []HeatCell // row by row, the lowest first
}

// HeatCell is one number.
type HeatCell struct {
	Text  string
	Shade float64 // 0–1; below 0: there is nothing to measure
	Mark  string  // a word in its corner: the present settings, a suggestion
}

// The measures of a map and the colours of a picture.
const (
	heatWide, heatHigh = 60, 30
	heatLeft, heatTop  = 64, 40
	inkAccent          = "#4b63d6"
	inkBeaten          = "#9aa3b2"
	inkWorst           = "#c2571a"
)

// SVG draws the map.
func (h *Heat) SVG() string {
	var b strings.Builder
	nx, ny := len(h.Columns), len(h.Rows)
	start(&b, h.Title, heatLeft+nx*heatWide+24, heatTop+ny*heatHigh+28)
	words(&b, spot{heatLeft, 24, "start"}, inkText, h.Head)
	for y, name := range h.Rows {
		words(&b, spot{heatLeft - 8, heatTop + (ny-1-y)*heatHigh + 19, "end"}, inkText, name)
	}
	for x, name := range h.Columns {
		words(&b, spot{heatLeft + x*heatWide + heatWide/2, heatTop + ny*heatHigh + 16, "middle"}, inkText, name)
	}
	for i, c := range h.Cells {
		x, y := heatLeft+i%nx*heatWide, heatTop+(ny-1-i/nx)*heatHigh
		ink, opacity, frame := inkAfter, .12+.8*c.Shade, "none"
		if c.Shade < 0 {
			ink, opacity = inkGone, .3
		}
		if c.Mark != "" {
			frame = inkAccent
		}
		fmt.Fprintf(&b, `<rect x="%d" y="%d" width="%d" height="%d" fill="%s" fill-opacity="%.2f" stroke="%s" stroke-width="2"/>`,
			x, y, heatWide-2, heatHigh-2, ink, opacity, frame)
		text := c.Text
		if c.Mark != "" {
			text += " (" + c.Mark + ")"
		}
		words(&b, spot{x + heatWide/2 - 1, y + 19, "middle"}, "currentColor", text)
	}
	return b.String() + "</svg>\n"
}

// Dots is a plane of settings by two values.
type Dots struct {
	Title, X, Y string
	FormatX     func(float64) string
	FormatY     func(float64) string
	Dots        []Dot
}

// Dot is one setting.
type Dot struct {
	X, Y float64
	Best bool
	Mark string // its name: the present settings, a suggestion
}

// SVG draws the plane.
func (d *Dots) SVG() string {
	const wide, high, left, top = 620, 300, 70, 34
	var b strings.Builder
	start(&b, d.Title, left+wide+40, top+high+44)
	xs, ys := scaleOf(d.Dots, func(p Dot) float64 { return p.X }), scaleOf(d.Dots, func(p Dot) float64 { return p.Y })
	at := func(p Dot) (float64, float64) { return left + xs.at(p.X)*wide, top + (1-ys.at(p.Y))*high }
	for k := range 5 {
		share := float64(k) / 4
		x, y := left+share*wide, top+(1-share)*high
		fmt.Fprintf(&b, `<path d="M%d %.1fH%d" stroke="%s"/>`, left, y, left+wide, inkGone)
		words(&b, spot{left - 8, int(y) + 4, "end"}, inkText, d.FormatY(ys.value(share)))
		words(&b, spot{int(x), top + high + 16, "middle"}, inkText, d.FormatX(xs.value(share)))
	}
	words(&b, spot{left, 16, "start"}, inkText, d.Y)
	words(&b, spot{left + wide, top + high + 36, "end"}, inkText, d.X)
	for _, p := range d.Dots {
		x, y := at(p)
		switch {
		case p.Mark != "":
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="6" fill="%s"/>`, x, y, inkAccent)
			words(&b, spot{int(x) + 10, int(y) - 6, "start"}, "currentColor", p.Mark)
		case p.Best:
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="5" fill="none" stroke="%s" stroke-width="2"/>`, x, y, inkAfter)
		default:
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`, x, y, inkBeaten)
		}
	}
	return b.String() + "</svg>\n"
}

// Strip is one setting over several sessions: a dot for each, and a box from quartile
// to quartile with the median.
type Strip struct {
	Name                   string
	Values                 []float64
	Worst                  float64
	Quarter, Median, Upper float64
}

// Strips draws settings under each other on one scale.
func Strips(title string, format func(float64) string, list []Strip) string {
	const wide, high, left = 560, 46, 110
	var b strings.Builder
	start(&b, title, left+wide+60, high*len(list)+34)
	var all []Dot
	for _, s := range list {
		for _, v := range s.Values {
			all = append(all, Dot{X: v})
		}
	}
	xs := scaleOf(all, func(p Dot) float64 { return p.X })
	at := func(v float64) float64 { return left + xs.at(v)*wide }
	for k := range 5 {
		share := float64(k) / 4
		words(&b, spot{left + int(share*wide), high*len(list) + 22, "middle"}, inkText, format(xs.value(share)))
	}
	for i, s := range list {
		y := float64(i*high + high/2)
		words(&b, spot{left - 10, int(y) + 4, "end"}, "currentColor", s.Name)
		fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="22" fill="none" stroke="%s"/>`+
			`<path d="M%.1f %.1fv22" stroke="%s" stroke-width="2"/>`,
			at(s.Quarter), y-11, max(1, at(s.Upper)-at(s.Quarter)), inkAccent, at(s.Median), y-11, inkAccent)
		for k, v := range s.Values {
			ink := inkBeaten
			if v == s.Worst {
				ink = inkWorst
			}
			fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="3" fill="%s"/>`, at(v), y+float64(k%5-2)*3, ink)
		}
	}
	return b.String() + "</svg>\n"
}

func start(b *strings.Builder, title string, width, height int) {
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img" `+
		`font-family="sans-serif" font-size="12"><title>%s</title>`, width, height, width, height, label(title))
}

// spot is where a text is, and at which of its ends.
type spot struct {
	x, y   int
	anchor string
}

func words(b *strings.Builder, at spot, ink, text string) {
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="%s" fill="%s">%s</text>`, at.x, at.y, at.anchor, ink, label(text))
}

// scale is a range of values with a little room on both sides.
type scale struct{ low, high float64 }

func scaleOf(dots []Dot, of func(Dot) float64) scale {
	s := scale{math.Inf(1), math.Inf(-1)}
	for _, d := range dots {
		s.low, s.high = min(s.low, of(d)), max(s.high, of(d))
	}
	if s.low > s.high {
		return scale{0, 1}
	}
	room := max((s.high-s.low)*.05, math.Abs(s.high)*.001, 1e-9)
	out := scale{s.low - room, s.high + room}
	if s.low >= 0 {
		if out.low = max(0, out.low); s.high <= 1 {
			out.high = min(1, out.high) // shares
		}
	}
	return out
}

func (s scale) at(v float64) float64        { return (v - s.low) / (s.high - s.low) }
func (s scale) value(share float64) float64 { return s.low + share*(s.high-s.low) }
