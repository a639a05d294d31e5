//go:build migrated_fynedo

package faces

import (
	"reflect"
	_ "unsafe" // for go:linkname

	"fyne.io/fyne/v2"
	"github.com/go-text/typesetting/shaping"
)

// fontCache is where Fyne keeps the faces of each style (seen in Fyne 2.8.1). The keys are
// of a type that only Fyne can name.
//
//go:linkname fontCache fyne.io/fyne/v2/internal/painter.fontCache
var fontCache struct{ m map[any]*kept }

// kept and key are laid out as Fyne's own types of fontCache.
type (
	kept struct{ Fonts shaping.Fontmap }
	key  struct {
		style fyne.TextStyle
		scope string
	}
)

// keyType is Fyne's, nil until it is known and if it is not as expected.
var keyType reflect.Type

// ours are the faces of all styles.
var ours = map[fyne.TextStyle]*kept{}

func init() {
	for i := range 1 << 5 {
		s := fyne.TextStyle{Bold: i&1 != 0, Italic: i&2 != 0, Monospace: i&4 != 0, Underline: i&8 != 0,
			Strikethrough: i&16 != 0}
		ours[s] = &kept{Fonts: styleOf(s)}
	}
}

// Use has Fyne draw texts with our faces. It forgets that when the theme changes, so it is
// called again before anything is measured then.
func Use() {
	if keyType == nil && !learnKey() {
		return // Fyne reads the files itself
	}
	for s, k := range ours {
		v := reflect.New(keyType)
		*(*key)(v.UnsafePointer()) = key{style: s}
		fontCache.m[v.Elem().Interface()] = k
	}
}

// cachedFontFace has Fyne read the faces of a style.
//
//go:linkname cachedFontFace fyne.io/fyne/v2/internal/painter.CachedFontFace
func cachedFontFace(fyne.TextStyle, fyne.Resource, fyne.CanvasObject) *kept

// learnKey finds the type of Fyne's keys, with the style whose font is the smallest.
func learnKey() bool {
	cachedFontFace(fyne.TextStyle{Symbol: true}, nil, nil)
	for k := range fontCache.m {
		t, want := reflect.TypeOf(k), reflect.TypeFor[key]()
		if t.Kind() != reflect.Struct || t.NumField() != want.NumField() || t.Size() != want.Size() {
			return false
		}
		for i := range t.NumField() {
			if t.Field(i).Name != want.Field(i).Name || t.Field(i).Type != want.Field(i).Type {
				return false
			}
		}
		keyType = t
	}
	return keyType != nil
}
