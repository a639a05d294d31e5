package kit

import (
	"strings"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	eastasian "golang.org/x/text/width"
)

// advances holds how far each character moves the pen, for one size and style.
// Sums of it differ from a shaped line by the kerning only, which is enough to
// cut and wrap by, and cost nothing. UI goroutine only.
type advances struct {
	ascii [utf8.RuneSelf]float32
	other map[rune]float32
	size  float32
	style fyne.TextStyle
}

type fontKey struct {
	size       float32
	bold, mono bool
}

var advanceTables = map[fontKey]*advances{}

func advancesFor(size float32, style fyne.TextStyle) *advances {
	k := fontKey{size, style.Bold, style.Monospace}
	if a := advanceTables[k]; a != nil {
		return a
	}
	a := &advances{other: map[rune]float32{}, size: size, style: style}
	advanceTables[k] = a
	return a
}

func (a *advances) of(r rune) float32 {
	if r >= 0 && r < utf8.RuneSelf {
		if a.ascii[r] == 0 {
			a.ascii[r] = a.measure(r)
		}
		return a.ascii[r]
	}
	w, ok := a.other[r]
	if !ok {
		w = a.measure(r)
		a.other[r] = w
	}
	return w
}

func (a *advances) measure(r rune) float32 {
	return fyne.MeasureText(string(r), a.size, a.style).Width
}

// maxMeasured bounds how many characters of a line are looked at; no line on a
// screen is longer.
const maxMeasured = 400

// Ellipsize cuts a line so that it fits a width, with an ellipsis where it was
// cut. It looks at no more than some hundred characters, whatever the length.
func Ellipsize(s string, room, size float32, style fyne.TextStyle) string {
	if s == "" || room <= 0 {
		return ""
	}
	a := advancesFor(size, style)
	dots := a.of('…')
	var sum float32
	keep, n := 0, 0 // how much fits together with the ellipsis
	for i, r := range s {
		if n++; n > maxMeasured {
			return s[:keep] + "…"
		}
		sum += a.of(r)
		if sum > room {
			if a.fits(s, sum, i+utf8.RuneLen(r), room) {
				return s
			}
			return s[:keep] + "…"
		}
		if sum+dots <= room {
			keep = i + utf8.RuneLen(r)
		}
	}
	return s
}

// EllipsizeAround cuts a line so that it fits a width and that its bytes from a place to
// another are seen: where they would not be, its begin is left out up to a word.
//
//revive:disable-next-line:argument-limit a place, and what Ellipsize takes
func EllipsizeAround(s string, place [2]int, room, size float32, style fyne.TextStyle) string {
	begin := Ellipsize(s, room, size, style)
	if begin == s || len(begin)-len("…") >= place[1] {
		return begin
	}
	a := advancesFor(size, style)
	sum, cut := 2*a.of('…'), place[1]
	for cut > 0 {
		r, n := utf8.DecodeLastRuneInString(s[:cut])
		if sum += a.of(r); sum > room {
			break
		}
		cut -= n
	}
	if cut = min(cut, place[0]); cut == 0 {
		return begin
	}
	if word := strings.IndexByte(s[cut:place[0]], ' '); word >= 0 {
		cut += word + 1
	}
	return Ellipsize("…"+s[cut:], room, size, style)
}

// kerned is how much narrower than the sum of its characters a shaped line may
// be.
const kerned = .06

// fits reports whether a line whose characters overrun the room fits it when it
// is shaped; sum is how wide they are up to a place in it.
func (a *advances) fits(s string, sum float32, place int, room float32) bool {
	n := 0
	for _, r := range s[place:] {
		if n++; n > maxMeasured || sum*(1-kerned) > room {
			return false
		}
		sum += a.of(r)
	}
	return sum*(1-kerned) <= room && fyne.MeasureText(s, a.size, a.style).Width <= room
}

// Measure holds the widths of characters read from a font once, so that text
// can be wrapped outside the UI goroutine. It is a value; see [NewMeasure].
type Measure struct {
	ascii [utf8.RuneSelf]float32
	size  float32
}

// NewMeasure reads the widths of a style at a size of the design. UI goroutine
// only; the result may be used by any.
func NewMeasure(size float32, mono bool) Measure {
	return MeasureOf(size, fyne.TextStyle{Monospace: mono})
}

// MeasureOf is [NewMeasure] for any style.
func MeasureOf(size float32, style fyne.TextStyle) Measure {
	a := advancesFor(FontPx(size), style)
	m := Measure{size: FontPx(size)}
	for r := rune(' '); r < utf8.RuneSelf; r++ {
		m.ascii[r] = a.of(r)
	}
	return m
}

// Rune is the width of a character in units of the canvas.
func (m *Measure) Rune(r rune) float32 {
	if r >= 0 && r < utf8.RuneSelf {
		return m.ascii[r]
	}
	switch eastasian.LookupRune(r).Kind() {
	case eastasian.EastAsianWide, eastasian.EastAsianFullwidth:
		return m.size
	}
	// The widest ordinary letter is taken for all others, so that a line that is
	// said to fit does.
	return max(m.ascii['m'], .6*m.size)
}
