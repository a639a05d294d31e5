package kit

import (
	"io"
	"log"
	"sync"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/language"

	"palimpsest/assets"
)

// cmaps are the character maps of the fonts that every build has. A character
// is drawn in regular, bold and monospaced text alike, so all of those must
// have it, or one of the fonts that stand behind all of them.
var cmaps = sync.OnceValue(func() (c struct{ all, each []font.Cmap }) {
	add := func(to *[]font.Cmap, data []byte) {
		if m, err := cmapOf(data); err == nil {
			*to = append(*to, m)
		}
	}
	add(&c.all, assets.CJK)
	for _, r := range []fyne.Resource{theme.DefaultEmojiFont(), theme.DefaultSymbolFont()} {
		if r != nil {
			add(&c.all, r.Content())
		}
	}
	for _, r := range []fyne.Resource{theme.DefaultTextFont(), theme.DefaultTextBoldFont(), theme.DefaultTextMonospaceFont()} {
		add(&c.each, r.Content())
	}
	return c
})

var coverCache sync.Map // of rune to bool

// covered reports whether the fonts have a character.
func covered(r rune) bool {
	if v, ok := coverCache.Load(r); ok {
		return v.(bool)
	}
	v := inFonts(r)
	coverCache.Store(r, v)
	return v
}

// inFonts asks our own fonts, then those of the system.
func inFonts(r rune) bool {
	c := cmaps()
	for i, m := range c.all {
		if _, ok := m.Lookup(r); ok && (i > 0 || r >= signsFirst) {
			return true
		}
	}
	for _, m := range c.each {
		if _, ok := m.Lookup(r); !ok {
			return inSystem(r)
		}
	}
	return true
}

var systemFonts = sync.OnceValue(func() *fontscan.FontMap {
	m := fontscan.NewFontMap(log.New(io.Discard, "", 0))
	if m.UseSystemFonts("") != nil { // the index that Fyne keeps too
		return nil
	}
	return m
})

var systemLock sync.Mutex

// inSystem asks the system's fonts in the way Fyne does.
func inSystem(r rune) bool {
	systemLock.Lock()
	defer systemLock.Unlock()
	m := systemFonts()
	if m == nil {
		return false
	}
	m.SetQuery(fontscan.Query{Families: []string{fontscan.SansSerif}})
	m.SetScript(language.LookupScript(r))
	f := m.ResolveFace(r)
	if f == nil {
		return false
	}
	_, ok := f.NominalGlyph(r)
	return ok
}
