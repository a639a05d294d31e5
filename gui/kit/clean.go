package kit

import (
	"io"
	"log"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"fyne.io/fyne/v2"
	"github.com/go-text/typesetting/fontscan"
	"github.com/go-text/typesetting/language"

	"palimpsest/gui/kit/faces"
	"palimpsest/model/visible"
)

// placeholder replaces what can't be drawn.
const placeholder = '\uFFFD'

// escapeMark is the sign of the key Escape (ISO 9995-7), which every font here has: the
// control pictures of Unicode are in none.
const escapeMark = '\u238B'

// tabWidth is how far a tab reaches at most.
const tabWidth = 4

// Clean makes text safe for one line of a widget, and hides nothing of it: tabs and line
// ends become spaces, an escape character becomes a mark, and characters that no font
// here has or that are not seen (controls, directions, zero width, private use,
// unassigned, scripts without a face) become a visible placeholder. A sequence that only
// sets colours has no words and is left out; the words in others are read by a model, and
// so by a person. Characters without a face would not only be missing: each one makes
// Fyne slower for good.
func Clean(s string) string { return clean(s, false) }

// cleanBlock is Clean for text of several lines: line feeds stay, and tabs
// reach to the next stop.
func cleanBlock(s string) string { return clean(s, true) }

func clean(s string, block bool) string {
	if plain(s, block) {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	col, before := 0, rune(0)
	for i := 0; i < len(s); {
		if n := colours(s[i:]); n > 0 {
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
		case r == '\r' && i < len(s) && s[i] == '\n', i == n && r == '\uFEFF':
			continue // the line feed says it, and a file begins so
		case r == '\t' && block:
			n := tabWidth - col%tabWidth
			b.WriteString("    "[:n])
			col += n
			continue
		case r == '\n', r == '\t', r == '\r', r == '\u2028', r == '\u2029':
			r = ' '
		case r == 0x1B:
			r = escapeMark
		case r == '\u200D' || unicode.Is(unicode.Variation_Selector, r):
			if unicode.In(before, unicode.S, unicode.M) || strings.ContainsRune("0123456789#*!?", before) {
				continue // of an emoji, the sign of a keycap or of letters, which it changes
			}
			r = placeholder
		case !drawable(r):
			r = placeholder
		}
		b.WriteRune(r)
		if before = r; r == placeholder {
			before = 0
		}
		col++
	}
	return b.String()
}

// Copy puts a text on the clipboard as it is seen: what is pasted into a terminal or a
// chat neither acts nor hides words. Colours are left out, other controls are marks.
func Copy(s string) { fyne.CurrentApp().Clipboard().SetContent(copied(s)) }

func copied(s string) string {
	var b strings.Builder
	for {
		at := strings.IndexByte(s, 0x1B)
		if at < 0 {
			b.WriteString(s)
			return visible.Text(b.String())
		}
		b.WriteString(s[:at])
		s = s[at:]
		n := colours(s)
		if n == 0 {
			b.WriteByte(0x1B)
			n = 1
		}
		s = s[n:]
	}
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

// colours is the length of a sequence at the start of the text that sets colours and
// nothing else (ECMA-48 SGR), 0 if there is none.
func colours(s string) int {
	if !strings.HasPrefix(s, "\x1B[") {
		return 0
	}
	n := len(s) - len(strings.TrimLeft(s[2:], "0123456789;:"))
	if n < len(s) && s[n] == 'm' {
		return n + 1
	}
	return 0
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

var coverCache sync.Map // of rune to bool

// covered reports whether the fonts have a character.
func covered(r rune) bool {
	if v, ok := coverCache.Load(r); ok {
		return v.(bool)
	}
	v := faces.Brought(r) || inSystem(r)
	coverCache.Store(r, v)
	return v
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
