// Package faces has the fonts that texts are drawn with.
//
// For each style of text that it meets Fyne reads five font files: the theme's, its own,
// one of emoji, one of signs and the system's for the language; and all of them anew after
// each change of the theme. A style of ours has its faces in the same order, but reads a
// file when a character asks for it, once for all styles ([Use]).
package faces

import (
	"bytes"
	"sync"
	_ "unsafe" // for go:linkname

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/shaping"
)

// Of is the face of the theme for a style, with the characters that Fyne's own lacks.
func Of(s fyne.TextStyle) fyne.Resource {
	if s.Monospace {
		return cjkMono
	}
	return cjkProportional
}

// Read reads the fonts of most texts ahead of the first one, and if asked to that for Chinese,
// Japanese and Korean, which takes three times as long.
func Read(cjk bool) {
	for _, i := range []int{0, 1, 4} { // regular, bold, monospaced
		latin[i]()
	}
	if cjk {
		cjkProportional.face()
	}
}

// face is a font file that is read when it is asked for.
type face func() *font.Face

func fileOf(r func() fyne.Resource) face {
	return sync.OnceValue(func() *font.Face {
		file := r()
		if file == nil { // a build may leave it out
			return nil
		}
		return parse(file.Name(), file.Content())
	})
}

func parse(name string, file []byte) *font.Face {
	f, err := font.ParseTTF(bytes.NewReader(file))
	if err != nil {
		fyne.LogError("font "+name, err)
		return nil
	}
	return f
}

func (f face) has(r rune) bool {
	it := f()
	if it == nil {
		return false
	}
	_, ok := it.Font.NominalGlyph(r) // the Face's own keeps what it found, and is for one goroutine
	return ok
}

var (
	emoji = fileOf(theme.DefaultEmojiFont)
	signs = fileOf(theme.DefaultSymbolFont)
)

// style is the faces of a style of text.
type style struct {
	latin  face
	cjk    *cjkFont
	family string
	aspect font.Aspect
	once   sync.Once // the system's face of the language was asked for
	others []*font.Face
}

var _ shaping.Fontmap = (*style)(nil)

func styleOf(s fyne.TextStyle) *style {
	out := &style{latin: latin[0], cjk: cjkProportional, family: fontscan.SansSerif, aspect: font.Aspect{Style: font.StyleNormal}}
	if s.Italic {
		out.aspect.Style, out.latin = font.StyleItalic, latin[2]
	}
	if s.Bold {
		out.aspect.Weight, out.latin = font.WeightBold, latin[1]
		if s.Italic {
			out.latin = latin[3]
		}
	}
	if s.Monospace {
		out.latin, out.cjk, out.family = latin[4], cjkMono, fontscan.Monospace
	}
	return out
}

// latin are Fyne's own faces: regular, bold, italic, both, monospaced.
var latin = [...]face{fileOf(theme.DefaultTextFont), fileOf(theme.DefaultTextBoldFont), fileOf(theme.DefaultTextItalicFont),
	fileOf(theme.DefaultTextBoldItalicFont), fileOf(theme.DefaultTextMonospaceFont)}

// ResolveFace implements shaping.Fontmap: the face that Fyne would find first.
func (s *style) ResolveFace(r rune) *font.Face {
	switch {
	case isSpace(r):
		return s.cjk.space()
	case r < CJKFirst && s.latin.has(r):
		return s.latin()
	case r >= signsFirst && s.cjk.has(r):
		return s.cjk.face()
	}
	for _, f := range [...]face{s.latin, emoji, signs} {
		if f.has(r) {
			return f()
		}
	}
	s.once.Do(func() { s.add(lookupLangFont(s.family, s.aspect)) })
	for _, f := range s.others {
		if _, ok := f.NominalGlyph(r); ok {
			return f
		}
	}
	if f := lookupRuneFont(r, s.family, font.Aspect{}); f != nil {
		s.add(f)
		return f
	}
	return s.cjk.face() // whose sign for what is missing Fyne knows
}

func (s *style) add(f *font.Face) {
	if f != nil {
		s.others = append(s.others, f)
	}
}

// Brought reports whether regular, bold and monospaced text alike have a character in the
// fonts that the program brings along.
func Brought(r rune) bool {
	if latin[0].has(r) && latin[1].has(r) && latin[4].has(r) {
		return true
	}
	return signs.has(r) || r >= signsFirst && cjkProportional.has(r) || emoji.has(r)
}

// Fyne's search in the fonts of the system, which knows their index.
//
//go:linkname lookupLangFont fyne.io/fyne/v2/internal/painter.lookupLangFont
func lookupLangFont(family string, aspect font.Aspect) *font.Face

//go:linkname lookupRuneFont fyne.io/fyne/v2/internal/painter.lookupRuneFont
func lookupRuneFont(r rune, family string, aspect font.Aspect) *font.Face
