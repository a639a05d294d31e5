package kit

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"unicode"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/font"

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
	for _, root := range []string{"..", "../../model/figure", "../../model/report", "../../compaction/session/figures"} {
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

// Fyne reads all fonts anew after each change of the look; those before are not kept.
func TestChangesOfTheLookKeepNoFonts(t *testing.T) {
	a := test.NewTempApp(t)
	heap := func() int64 {
		runtime.GC()
		runtime.GC() // what pools hold lives for two
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	change := func(m Mode) {
		Use(a, m, 1)
		for _, style := range []fyne.TextStyle{{}, {Bold: true}, {Monospace: true}} {
			fyne.MeasureText("tokens 压缩", 12, style)
		}
	}
	change(Dark)
	before := heap()
	for range 4 {
		change(Light)
		change(Dark)
	}
	if grown := (heap() - before) >> 20; grown > 20 { // one set of fonts has about as much
		t.Errorf("8 changes of the look keep %d MB", grown)
	}
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
