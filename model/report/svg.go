package report

import (
	"encoding/base64"
	"fmt"
	"html"
	"io"
	"strings"

	"palimpsest/model"
	"palimpsest/model/pattern"
	"palimpsest/model/visible"
)

// The charts are SVG. In Markdown they are images that hold their data: the places that
// show such images need no other file, and those that don't (GitHub among them, which would
// leave the words of a drawing written into the text without its lines) show instead that
// the figures are in the table, where all of them are repeated. Their colours are readable
// on light and dark paper.
const (
	inkBefore   = "#8b95a5"
	inkAfter    = "#2bb58d"
	inkStanding = "#2bb58d"
	inkGone     = "#c9cfd8"
	inkText     = "#667081"

	barWidth  = 420 // of the longest bar
	barHeight = 12
	rowHeight = 20
	nameWidth = 130
	sideWidth = 150 // for the figures behind a bar
)

// bar is one line of a chart: parts one after the other, as shares of the full
// width.
type bar struct {
	name  string
	note  string
	parts []part
}

type part struct {
	share float64
	ink   string
}

// svg draws bars under each other.
func svg(title string, bars []bar) string {
	var b strings.Builder
	height := rowHeight * len(bars)
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" role="img" `+
		`font-family="sans-serif" font-size="12"><title>%s</title>`,
		nameWidth+barWidth+sideWidth, height, label(title))
	for i, x := range bars {
		y := i * rowHeight
		fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="end" fill="%s">%s</text>`, nameWidth-8, y+14, inkText, label(x.name))
		at := float64(nameWidth)
		for _, p := range x.parts {
			w := min(1, max(0, p.share)) * barWidth
			fmt.Fprintf(&b, `<rect x="%.1f" y="%d" width="%.1f" height="%d" fill="%s"/>`, at, y+4, w, barHeight, p.ink)
			at += w
		}
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" fill="%s">%s</text>`, at+8, y+14, inkText, label(x.note))
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// tokensChart sets the context before and after a record side by side; ""
// when the record does not have both.
func tokensChart(r *model.Record) string {
	most := float64(max(r.Before.Tokens, r.After.Tokens))
	if r.Outcome != model.Applied || r.Before.Tokens <= 0 || r.After.Tokens <= 0 {
		return ""
	}
	return svg("Tokens before and after "+r.ID, []bar{
		{"before", tokens(r, r.Before.Tokens) + " tokens", []part{{float64(r.Before.Tokens) / most, inkBefore}}},
		{"after", tokens(r, r.After.Tokens) + " tokens", []part{{float64(r.After.Tokens) / most, inkAfter}}},
	})
}

// factsChart shows what survived by kind; "" when that was not recorded.
func factsChart(r *model.Record) string {
	var bars []bar
	for _, f := range r.Facts {
		if f.Gone > 0 {
			share := float64(f.Standing) / float64(f.Gone)
			note := fmt.Sprintf("%d of %d", f.Standing, f.Gone)
			bars = append(bars, bar{f.Kind, note, []part{{share, inkStanding}, {1 - share, inkGone}}})
		}
	}
	if len(bars) == 0 {
		return ""
	}
	return svg("What survived of "+r.ID, bars)
}

// overview is a chart of all records that changed a context, and how much they
// freed together.
type overview struct {
	points []point
}

type point struct {
	id, note      string
	before, after int64
}

func (o *overview) add(r *model.Record) {
	if r.Outcome == model.Applied && r.Cause != model.CauseRestore && r.Before.Tokens > 0 && r.After.Tokens > 0 {
		o.points = append(o.points, point{r.ID, tokenChange(r), r.Before.Tokens, r.After.Tokens})
	}
}

// chart draws one bar a record on one scale: what stayed, and what was freed.
func (o *overview) chart() string {
	var most int64
	for _, p := range o.points {
		most = max(most, p.before, p.after)
	}
	bars := make([]bar, len(o.points))
	for i, p := range o.points {
		bars[i] = bar{p.id, p.note, []part{
			{float64(min(p.before, p.after)) / float64(most), inkAfter}, {float64(max(0, p.before-p.after)) / float64(most), inkGone}}}
	}
	return svg("Tokens that stayed and that were freed", bars)
}

// image is a chart as an image in Markdown.
func image(svg string) string {
	var b strings.Builder
	_, _ = io.WriteString(visible.To(&b), strings.TrimSpace(svg))
	title := ""
	if m := titleExpr.FindStringSubmatch(b.String()); m != nil {
		title = m[1] + ": "
	}
	return fmt.Sprintf("<img alt=\"%snot shown here, the figures are in the tables\" src=\"data:image/svg+xml;base64,%s\">\n", title,
		base64.StdEncoding.EncodeToString([]byte(b.String())))
}

var titleExpr = pattern.New(`<title>([^<]*)</title>`)

// label is a text as it is written into a picture: on one line, and without marks that
// act where the picture is part of Markdown.
func label(s string) string {
	return noMarks.Replace(html.EscapeString(strings.Join(strings.Fields(s), " ")))
}

var noMarks = strings.NewReplacer("[", "&#91;", "`", "&#96;", "*", "&#42;", "_", "&#95;", `\`, "&#92;")
