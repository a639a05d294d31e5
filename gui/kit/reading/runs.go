package reading

import (
	"cmp"
	"image/color"
	"slices"
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"golang.org/x/text/unicode/bidi"

	"palimpsest/gui/kit"
	"palimpsest/model/body"
)

// stretch is a range of text of one style.
type stretch struct {
	from, to int
	st       body.Style
	link     string
	hit      int // 1: of a hit, 2: of the current one
	tab      bool
}

// split cuts a range of text where its look changes.
func (r *row) split(b *body.Block, from, to int) (out []stretch) {
	k := sort.Search(len(b.Spans), func(i int) bool { return b.Spans[i].To > from })
	for from < to {
		s := stretch{from: from, to: to}
		if k < len(b.Spans) {
			if sp := b.Spans[k]; sp.From > from {
				s.to = min(to, sp.From)
			} else {
				s.to, s.st, s.link = min(to, sp.To), sp.Style, sp.Link
				if sp.To <= to {
					k++
				}
			}
		}
		if i := strings.IndexByte(b.Text[from:s.to], '\t'); i == 0 {
			s.to, s.tab = from+1, true
		} else if i > 0 {
			s.to = from + i
		}
		if k > 0 && b.Spans[k-1].To > s.to && b.Spans[k-1].From <= s.from {
			k--
		}
		out = append(out, s)
		from = s.to
	}
	return out
}

// lit cuts stretches at the ends of hits.
func (r *row) lit(block int, list []stretch) (out []stretch) {
	hits := r.v.hits
	for _, s := range list {
		k := sort.Search(len(hits), func(i int) bool {
			return hits[i].Block > block || hits[i].Block == block && hits[i].To > s.from
		})
		for s.from < s.to {
			p := s
			if k < len(hits) && hits[k].Block == block && hits[k].From < s.to {
				if h := hits[k]; h.From > s.from {
					p.to = h.From
				} else {
					p.to = min(s.to, h.To)
					p.hit = 1
					if k == r.v.current {
						p.hit = 2
					}
					k++
				}
			}
			out = append(out, p)
			s.from = p.to
		}
	}
	return out
}

// letters are the size and the face of a style.
func (r *row) letters(b *body.Block, st body.Style) (float32, fyne.TextStyle) {
	style := fyne.TextStyle{Bold: st.Bold, Italic: st.Italic}
	switch {
	case b.Kind.Mono() && !b.Prose:
		return kit.FontPx(monoSize), fyne.TextStyle{Monospace: true, Bold: st.Bold}
	case st.Code:
		return kit.FontPx(monoSize), fyne.TextStyle{Monospace: true}
	case b.Kind == body.Heading:
		style.Bold = true
		return kit.FontPx(textSize) * body.HeadingScale(b.Level), style
	case b.Kind == body.Label:
		return kit.FontPx(11), fyne.TextStyle{Bold: true}
	}
	return kit.FontPx(textSize), style
}

// run draws a range of a block's text from x on, and returns where it ends.
func (r *row) run(block, from, to int, x, room float32) float32 {
	b := &r.v.doc.Blocks[block]
	list := r.lit(block, r.split(b, from, to))
	order, right := visual(b.Text, list)
	if right && !b.Kind.Mono() {
		x = max(x, x+room-r.measure(b, from, to))
	}
	start := x
	for _, o := range order {
		x += r.piece(block, o, x, start)
	}
	return x
}

// piece draws one stretch and returns its width.
func (r *row) piece(block int, s visualStretch, x, start float32) float32 {
	b := &r.v.doc.Blocks[block]
	size, style := r.letters(b, s.st)
	p := piece{from: s.from, to: s.to, x: x, link: s.link, rtl: s.rtl, face: faceOf(b, style)}
	said := b.Text[s.from:s.to]
	if s.tab {
		p.w = body.TabStop(x-start, r.v.faces[p.face].Rune(' ')) - (x - start)
	} else {
		said = kit.Clean(strings.TrimSuffix(said, "\r"))
		if b.Kind == body.Label {
			said = strings.ToUpper(said)
		}
		p.w = fyne.MeasureText(said, size, style).Width
	}
	r.pieces = append(r.pieces, p)
	h := r.v.paper.Pitch
	behind := r.ground
	switch {
	case s.hit == 2:
		behind = kit.Color(kit.ColorAccent)
		r.rect(x, 1, p.w, h-2, behind).CornerRadius = 2
	case s.hit == 1:
		behind = kit.Blend(r.ground, kit.Color(cmp.Or(r.v.HitInk, kit.ColorAccent)), hitShare)
		r.rect(x, 1, p.w, h-2, behind).CornerRadius = 2
	case s.st.Changed && r.changed != "":
		behind = kit.Blend(r.ground, kit.Color(r.changed), changedShare)
		r.rect(x, 0, p.w, h, behind)
	case s.st.Code && strings.TrimSpace(said) != "":
		behind = kit.Color(kit.ColorRaised)
		r.rect(x-1, 1, p.w+2, h-2, behind).CornerRadius = 3
	case s.st.Invert:
		behind = colorOf(r.inkOf(b, s.st), r.ground)
		r.rect(x, 0, p.w, h, behind)
	case s.st.Back != 0:
		behind = color.NRGBA{uint8(s.st.Back >> 16), uint8(s.st.Back >> 8), uint8(s.st.Back), 255}
		r.rect(x, 0, p.w, h, behind)
	}
	if a, z, ok := r.v.sel.within(block, s.from, s.to); ok {
		behind = kit.Color(kit.ColorSelection)
		from, to := r.xIn(b, p, a), r.xIn(b, p, z)
		r.rect(min(from, to), 0, max(from, to)-min(from, to), h, behind)
	}
	if s.tab || strings.TrimSpace(said) == "" {
		return p.w
	}
	c := colorOf(r.inkOf(b, s.st), behind)
	switch s.hit {
	case 1:
		c = readable(kit.Color(kit.ColorText), behind)
	case 2:
		c = readable(kit.Color(kit.ColorOnAccent), behind)
	}
	r.text(said, x, size, style, c)
	for run, at := range kit.Bolder(said, size, style) {
		r.text(run, x+at, size, style, c)
	}
	if s.link != "" || s.st.Under {
		r.rect(x, h-kit.Px(3), p.w, 1, c)
	}
	if s.st.Strike {
		r.rect(x, h/2, p.w, 1, c)
	}
	return p.w
}

// inkOf is the style of a text, by its block where it has no colour of its own.
func (r *row) inkOf(b *body.Block, st body.Style) body.Style {
	if st.Ink != body.InkText || st.RGB != 0 {
		return st
	}
	switch {
	case b.Warn:
		st.Ink = body.InkWarn
	case b.Kind == body.Label:
		st.Ink = body.InkFaint
	case b.Kind == body.Picture, b.Quote > 0:
		st.Ink = body.InkMuted
	}
	return st
}

func faceOf(b *body.Block, style fyne.TextStyle) body.Face {
	switch {
	case style.Monospace:
		return body.FaceMono
	case style.Bold:
		return body.FaceBold
	}
	return body.FaceText
}

type visualStretch struct {
	stretch
	rtl bool
}

// visual puts stretches in the order in which they are seen, and reports whether the
// line runs from right to left. A line without letters of such scripts stays as it
// is.
func visual(text string, list []stretch) (out []visualStretch, right bool) {
	if len(list) == 0 {
		return nil, false
	}
	from := list[0].from
	line := text[from:list[len(list)-1].to]
	if !strings.ContainsFunc(line, rightToLeft) || !utf8.ValidString(line) {
		for _, s := range list {
			out = append(out, visualStretch{stretch: s})
		}
		return out, false
	}
	var p bidi.Paragraph
	if _, err := p.SetString(line); err != nil {
		return out, false
	}
	order, err := p.Order()
	if err != nil {
		return out, false
	}
	right = !p.IsLeftToRight()
	done := 0
	for i := range order.NumRuns() {
		run := order.Run(i)
		n := len(run.String()) // runs follow each other; their positions count characters
		a, z := done, done+n-1
		done += n
		var part []visualStretch
		for _, s := range list {
			s.from, s.to = max(s.from, from+a), min(s.to, from+z+1)
			if s.from >= s.to {
				continue
			}
			if run.Direction() != bidi.RightToLeft {
				part = append(part, visualStretch{stretch: s})
				continue
			}
			for _, s := range spaced(text, s) { // a space alone keeps its side of the words
				part = append(part, visualStretch{stretch: s, rtl: true})
			}
		}
		if run.Direction() == bidi.RightToLeft {
			slices.Reverse(part)
		}
		if right {
			out = append(part, out...)
		} else {
			out = append(out, part...)
		}
	}
	return out, right
}

// spaced parts a stretch from the spaces before and behind it.
func spaced(text string, s stretch) (out []stretch) {
	in := text[s.from:s.to]
	a := s.from + len(in) - len(strings.TrimLeft(in, " "))
	z := max(a, s.from+len(strings.TrimRight(in, " ")))
	for _, r := range [][2]int{{s.from, a}, {a, z}, {z, s.to}} {
		if r[0] < r[1] {
			p := s
			p.from, p.to = r[0], r[1]
			out = append(out, p)
		}
	}
	return out
}

func rightToLeft(r rune) bool {
	return unicode.In(r, unicode.Arabic, unicode.Hebrew, unicode.Syriac, unicode.Thaana, unicode.Nko)
}
