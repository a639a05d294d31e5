package kit

import (
	"bytes"
	"testing"

	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/font"

	"palimpsest/assets"
)

// A character map that is read alone is that of the whole font.
func TestACharacterMapAlone(t *testing.T) {
	for name, file := range map[string][]byte{
		"cjk": assets.CJK, "text": theme.DefaultTextFont().Content(), "symbols": theme.DefaultSymbolFont().Content(),
		"emoji": theme.DefaultEmojiFont().Content(), "mono": theme.DefaultTextMonospaceFont().Content(),
	} {
		whole, err := font.ParseTTF(bytes.NewReader(file))
		if err != nil {
			t.Fatal(name, err)
		}
		m, err := cmapOf(file)
		if err != nil {
			t.Fatal(name, err)
		}
		n := 0
		for r := rune(0); r <= 0x3FFFF; r++ {
			g, ok := m.Lookup(r)
			if want, has := whole.Cmap.Lookup(r); g != want || ok != has {
				t.Fatalf("%s: %U is glyph %d %v, want %d %v", name, r, g, ok, want, has)
			}
			if ok {
				n++
			}
		}
		if n == 0 {
			t.Errorf("%s: %d characters", name, n)
		}
	}
	if _, err := cmapOf([]byte("no font")); err == nil {
		t.Error("no font was read")
	}
	if _, err := cmapOf(assets.CJK[:200]); err == nil {
		t.Error("half a font was read")
	}
}
