package faces

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"

	"palimpsest/assets"
)

// A character map that is read alone is that of the whole font.
func TestACharacterMapAlone(t *testing.T) {
	for name, file := range map[string][]byte{
		"cjk": assets.CJK(), "text": theme.DefaultTextFont().Content(), "symbols": theme.DefaultSymbolFont().Content(),
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
	if _, err := cmapOf(assets.CJK()[:200]); err == nil {
		t.Error("half a font was read")
	}
}

// Every character that the program itself shows is in one of the faces it brings along:
// those of the translations, and those of the texts in the source of the window, of the
// figures and of reports.
func TestEveryCharacterHasAGlyph(t *testing.T) {
	test.NewTempApp(t)
	shown := map[rune]string{}
	note := func(text, where string) {
		for _, r := range text {
			if r > '~' && unicode.IsPrint(r) {
				shown[r] = where
			}
		}
	}
	files, err := assets.Lang.ReadDir("lang")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		b, err := assets.Lang.ReadFile("lang/" + f.Name())
		if err != nil {
			t.Fatal(err)
		}
		note(string(b), f.Name())
	}
	for _, root := range []string{"../..", "../../../model/figure", "../../../compaction/session/figures"} {
		if err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, "_test.go") &&
				!strings.Contains(filepath.ToSlash(path), "kit/gallery/") { // which is no part of the program
				err = notesOf(path, note)
			}
			return err
		}); err != nil {
			t.Fatal(err)
		}
	}
	if shown['−'] == "" || len(shown) < 700 {
		t.Fatalf("only %d characters were found", len(shown))
	}
	for _, latin := range []fyne.Resource{theme.DefaultTextFont(), theme.DefaultTextBoldFont(), theme.DefaultTextMonospaceFont()} {
		var faces []font.Cmap
		for _, r := range []fyne.Resource{latin, cjkProportional, theme.DefaultSymbolFont(), theme.DefaultEmojiFont()} {
			m, err := cmapOf(r.Content())
			if err != nil {
				t.Fatal(r.Name(), err)
			}
			faces = append(faces, m)
		}
		for r, where := range shown {
			if !slices.ContainsFunc(faces, func(m font.Cmap) bool { _, ok := m.Lookup(r); return ok }) {
				t.Errorf("neither %s nor a face beside it has %q, %U, of %s", latin.Name(), r, r, where)
			}
		}
	}
}

// notesOf calls note with the texts in a Go file.
func notesOf(path string, note func(text, where string)) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if l, ok := n.(*ast.BasicLit); ok && (l.Kind == token.STRING || l.Kind == token.CHAR) {
			note(l.Value, path)
		}
		return true
	})
	return nil
}

// The faces that are read one after the other share one unpacked file, which none of them
// changes; it is let go when nobody asks any more.
func TestFacesShareTheUnpackedFile(t *testing.T) {
	var u unpacked
	file := u.content()
	if again := u.content(); &again[0] != &file[0] {
		t.Error("the file was unpacked twice")
	}
	cjkProportional.Content()
	cjkMono.Content()
	if shared := cjkFile.content(); !bytes.Equal(shared, assets.CJK()) {
		t.Error("a face changed the file that the others read")
	}
	u.forget()
	if u.file != nil {
		t.Error("the file is kept for ever")
	}
}

func TestPatchedFontDrawsNoLatin(t *testing.T) {
	test.NewTempApp(t)
	for _, c := range []struct {
		data  []byte
		space float32
	}{{cjkProportional.Content(), spaceText}, {cjkMono.Content(), spaceFixed}} {
		f, err := font.ParseTTF(bytes.NewReader(c.data))
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range "会話한국，。ー " {
			if _, ok := f.NominalGlyph(r); !ok {
				t.Errorf("lacks %q", r)
			}
		}
		for _, r := range "Aé0%…·×“”" {
			if _, ok := f.NominalGlyph(r); ok {
				t.Errorf("would draw %q", r)
			}
		}
		g, _ := f.NominalGlyph(' ')
		if got := f.HorizontalAdvance(g); got != c.space {
			t.Errorf("space is %v wide, want %v", got, c.space)
		}
	}
}

// Each character is drawn by the face that Fyne's own rule finds in the files of a style, with
// the same glyph, as wide and as high.
func TestFacesAreThoseOfFynesRule(t *testing.T) {
	read := func(file []byte) *font.Face {
		f, err := font.ParseTTF(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	smile, sign := read(theme.DefaultEmojiFont().Content()), read(theme.DefaultSymbolFont().Content())
	for s, own := range map[fyne.TextStyle]fyne.Resource{
		{}: theme.DefaultTextFont(), {Bold: true}: theme.DefaultTextBoldFont(), {Italic: true}: theme.DefaultTextItalicFont(),
		{Bold: true, Italic: true}: theme.DefaultTextBoldItalicFont(), {Monospace: true}: theme.DefaultTextMonospaceFont(),
		{Monospace: true, Bold: true}: theme.DefaultTextMonospaceFont(),
	} {
		files := []*font.Face{read(Of(s).Content()), read(own.Content()), smile, sign}
		ours := styleOf(s)
		n := map[int]int{}
		for r := rune(0); r <= 0x1FFFF; r++ {
			which := slices.IndexFunc(files, func(f *font.Face) bool { _, ok := f.NominalGlyph(r); return ok })
			if which < 0 {
				continue // the system's fonts are asked
			}
			n[which]++
			f, want := ours.ResolveFace(r), files[which]
			got, _ := f.NominalGlyph(r)
			glyph, _ := want.NominalGlyph(r)
			if f.HorizontalAdvance(got) != want.HorizontalAdvance(glyph) {
				t.Fatalf("%+v %U is %v wide, want %v", s, r, f.HorizontalAdvance(got), want.HorizontalAdvance(glyph))
			}
			high, _ := f.FontHExtents()
			if as, _ := want.FontHExtents(); high != as || f.Upem() != want.Upem() {
				t.Fatalf("%+v %U is %+v high of %d, want %+v of %d", s, r, high, f.Upem(), as, want.Upem())
			}
			if isSpace(r) {
				if w := wideOf(f, r); w != wideOf(want, r) || w == 0 {
					t.Fatalf("%+v %U is shaped %v wide, want %v", s, r, w, wideOf(want, r))
				}
				continue
			}
			if got != glyph || r%16 == 0 && !reflect.DeepEqual(f.GlyphData(got), want.GlyphData(glyph)) {
				t.Fatalf("%+v %U is glyph %d, want %d of file %d", s, r, got, glyph, which)
			}
		}
		if n[0] < 20_000 || n[1] < 2_000 || n[2] < 500 || n[3] == 0 && !s.Monospace {
			t.Errorf("%+v: %v characters of each file", s, n)
		}
	}
}

// wideOf is the width of a text of one character, as Fyne measures it.
func wideOf(f *font.Face, r rune) fixed.Int26_6 {
	return new(shaping.HarfbuzzShaper).Shape(shaping.Input{Text: []rune{r}, RunEnd: 1, Face: f, Size: fixed.I(13)}).Advance
}

// Until a text has a character of it, the large files are not read.
func TestFilesAreReadWhenACharacterAsks(t *testing.T) {
	var asked []rune
	f := newCJKFont("test", spaceText, theme.DefaultTextFont)
	f.face = func() *font.Face { asked = append(asked, 0); return cjkProportional.face() }
	s := styleOf(fyne.TextStyle{})
	s.cjk = f
	for _, r := range "Tokens 1,204 · café…" {
		s.ResolveFace(r)
	}
	if asked != nil {
		t.Error("Latin text has the font for Chinese read")
	}
	if s.ResolveFace('压'); asked == nil {
		t.Error("Chinese text has not")
	}
}

type plainTheme struct{ fyne.Theme }

func (plainTheme) Font(s fyne.TextStyle) fyne.Resource { return Of(s) }

// Fyne draws every style with our faces, and with the same ones after the theme has changed.
func TestFyneUsesOurFaces(t *testing.T) {
	a := test.NewTempApp(t)
	for range 2 {
		a.Settings().SetTheme(plainTheme{theme.DefaultTheme()})
		Use()
		n := 0
		for i, s := range []fyne.TextStyle{{}, {Bold: true}, {Italic: true, Underline: true}, {Monospace: true}} {
			if w := fyne.MeasureText("压 tokens", 12.5+float32(i), s).Width; w < 50 {
				t.Errorf("%+v: %v wide", s, w)
			}
		}
		for k, v := range fontCache.m {
			if _, own := v.Fonts.(*style); !own && !strings.Contains(fmt.Sprintf("%+v", k), "Symbol:true") {
				t.Errorf("Fyne has read the files of %+v itself", k)
			}
			n++
		}
		if n < 16 {
			t.Errorf("%d styles", n)
		}
	}
}
