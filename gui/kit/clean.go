package kit

import (
	"io"
	"log"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/language"

	"palimpsest/assets"
)

// placeholder replaces what can't be drawn.
const placeholder = '\uFFFD'

// tabWidth is how far a tab reaches at most.
const tabWidth = 4

// Clean makes text safe for one line of a widget: escape sequences of
// terminals go, tabs and line ends become spaces, and characters that no font
// here has (controls, private use, unassigned, scripts without a face) become
// a visible placeholder. Such characters would not only be missing: each one
// makes Fyne slower for good.
func Clean(s string) string { return clean(s, false) }

// CleanBlock is Clean for text of several lines: line feeds stay, and tabs
// reach to the next stop.
func CleanBlock(s string) string { return clean(s, true) }

func clean(s string, block bool) string {
	if plain(s, block) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	col := 0
	for i := 0; i < len(s); {
		if n := escape(s[i:]); n > 0 {
			i += n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		i += n
		switch {
		case r == '\n' && block:
			b.WriteByte('\n')
			col = 0
			continue
		case r == '\r' && i < len(s) && s[i] == '\n':
			continue // the line feed says it
		case r == '\t' && block:
			n := tabWidth - col%tabWidth
			b.WriteString("    "[:n])
			col += n
			continue
		case r == '\n', r == '\t', r == '\r', r == '\u2028', r == '\u2029':
			r = ' '
		case r == '\u200D', r == '\uFE0E', r == '\uFE0F', r == '\uFEFF':
			continue // join and style marks that show nothing
		case !drawable(r):
			r = placeholder
		}
		b.WriteRune(r)
		col++
	}
	return b.String()
}

// plain reports whether the text needs no change: printable ASCII only.
func plain(s string, block bool) bool {
	for i := range len(s) {
		if c := s[i]; (c < ' ' && (c != '\n' || !block)) || c > '~' {
			return false
		}
	}
	return true
}

// escape is the length of the terminal sequence at the start of the text, 0 if
// there is none.
func escape(s string) int {
	const esc = 0x1B
	if len(s) < 2 || s[0] != esc {
		return 0
	}
	switch k := s[1]; {
	case k == '[': // control sequence: parameters, then one final byte
		for i := 2; i < len(s); i++ {
			if s[i] >= 0x40 && s[i] <= 0x7E {
				return i + 1
			}
			if s[i] < 0x20 || s[i] > 0x7E {
				return i
			}
		}
		return len(s)
	case k == ']':
		return osCommand(s)
	case k >= 0x20 && k <= 0x2F && len(s) > 2:
		return 3
	case k >= 0x30 && k <= 0x7E:
		return 2
	}
	return 0
}

// osCommand is the length of an operating system command: up to BEL or ESC \.
func osCommand(s string) int {
	for i := 2; i < len(s); i++ {
		switch {
		case s[i] == 7:
			return i + 1
		case s[i] == '\n':
			return i
		case strings.HasPrefix(s[i:], "\x1B\\"):
			return i + 2
		}
	}
	return len(s)
}

// drawable reports whether a character can be shown.
func drawable(r rune) bool {
	if r < utf8.RuneSelf {
		return r >= ' ' && r != 0x7F
	}
	if unicode.In(r, unicode.C) || !unicode.In(r, unicode.L, unicode.M, unicode.N, unicode.P, unicode.S, unicode.Z) {
		return false
	}
	return covered(r)
}

// cmaps are the character maps of the fonts that every build has. A character
// is drawn in regular, bold and monospaced text alike, so all of those must
// have it, or one of the fonts that all of them fall back to.
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
