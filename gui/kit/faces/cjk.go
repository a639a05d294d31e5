package faces

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"sort"
	"sync"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/theme"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/font/opentype/tables"

	"palimpsest/assets"
)

// CJKFirst is the first character of the CJK blocks.
const CJKFirst = 0x2E80

// Fyne asks the theme's font for every character before its own. The CJK file
// would therefore draw Latin text too, in one weight and with taller lines. So
// the file is patched once: its character map keeps what is above [CJKFirst]
// and those signs (arrows, say) that the Latin font lacks, its line measures
// become those of Noto Sans, and the space, which Fyne takes from the first font
// and which sets the line height, gets the width of the Latin font's space.
const (
	signsFirst = 0x2010 // first of the punctuation, arrows, technical signs …
	ascent     = 1069   // Noto Sans, per 1000 em
	descent    = 293
	spaceText  = 260 // width of the space in Noto Sans
	spaceFixed = 602 // and in the monospaced face
)

// cjkFile is the CJK file as it is. Fyne reads it for each face, one after the other, when
// the program starts and when the theme has changed, and then never again. To unpack it
// takes 10 ms and to keep it 4 MB, so it is kept until nobody has asked for a while.
var cjkFile unpacked

type unpacked struct {
	mu   sync.Mutex
	file []byte // not to be written to
	drop *time.Timer
}

// keptFor is how long the file is kept after it was asked for.
const keptFor = 5 * time.Second

// content is the file, which the caller must not change.
func (u *unpacked) content() []byte {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.drop != nil {
		u.drop.Stop()
	}
	if u.file == nil {
		u.file = assets.CJK()
	}
	u.drop = time.AfterFunc(keptFor, u.forget)
	return u.file
}

func (u *unpacked) forget() {
	u.mu.Lock()
	u.file, u.drop = nil, nil
	u.mu.Unlock()
}

// cjkFont is the CJK file beside a Latin one. Of it the map alone is kept.
type cjkFont struct {
	name  string
	wide  uint16 // width of the space
	cmap  func() (table []byte, space font.GID)
	face  face // of Content
	space face // of the space alone
}

// has reports whether the file, as it is, has a character.
func (f *cjkFont) has(r rune) bool {
	if m := cjkMap(); m != nil {
		_, ok := m.Lookup(r)
		return ok
	}
	return false
}

// isSpace reports whether a character is one of those which every text is measured with.
func isSpace(r rune) bool { return r == ' ' || r == '\u00A0' }

// cjkMap is the character map of the CJK file as it is, nil should it not be readable.
var cjkMap = sync.OnceValue(func() font.Cmap {
	m, err := cmapOf(cjkFile.content())
	if err != nil {
		fyne.LogError("font for Chinese, Japanese and Korean", err)
	}
	return m
})

func newCJKFont(name string, wide uint16, latin func() fyne.Resource) *cjkFont {
	f := &cjkFont{name: name, wide: wide}
	f.cmap = sync.OnceValues(func() ([]byte, font.GID) {
		l, err := cmapOf(latin().Content())
		if m := cjkMap(); err == nil && m != nil {
			return cmapFrom(m, l)
		}
		return nil, 0
	})
	f.face = fileOf(func() fyne.Resource { return f })
	f.space = sync.OnceValue(func() *font.Face { return parse(name, spaceAlone(wide)) })
	return f
}

// spaceAlone is an OpenType file that has the space and nothing else, with the measures of
// a patched CJK file. All text is measured with it, also where the rest of that is not
// needed.
func spaceAlone(wide uint16) []byte {
	be := binary.BigEndian
	head := make([]byte, 54)
	be.PutUint32(head, 1<<16)
	be.PutUint32(head[12:], 0x5F0F3CF5)
	be.PutUint16(head[18:], 1000) // units per em
	hhea := make([]byte, 36)
	be.PutUint32(hhea, 1<<16)
	be.PutUint16(hhea[4:], ascent)
	be.PutUint16(hhea[6:], -descent&0xFFFF)
	be.PutUint16(hhea[34:], 2) // glyphs: what is missing, and the space
	hmtx := be.AppendUint32(be.AppendUint32(nil, 1000<<16), uint32(wide)<<16)
	maxp := be.AppendUint16(be.AppendUint32(nil, 0x5000), 2)
	tables := []struct {
		tag  string
		data []byte
	}{{"cmap", cmapTable([]uint32{' ', ' ', 1, '\u00A0', '\u00A0', 1})}, {"glyf", make([]byte, 4)}, {"head", head},
		{"hhea", hhea}, {"hmtx", hmtx}, {"loca", make([]byte, 6)}, {"maxp", maxp}} // neither glyph has an outline
	out := be.AppendUint16(be.AppendUint32(nil, 1<<16), uint16(len(tables)))
	out = append(out, make([]byte, 6)...)
	at := len(out) + 16*len(tables)
	for _, t := range tables {
		out = be.AppendUint32(append(out, t.tag...), 0)
		out = be.AppendUint32(be.AppendUint32(out, uint32(at)), uint32(len(t.data)))
		at += (len(t.data) + 3) &^ 3
	}
	for _, t := range tables {
		out = append(append(out, t.data...), make([]byte, -len(t.data)&3)...)
	}
	return out
}

var (
	cjkProportional = newCJKFont("palimpsest-cjk.otf", spaceText, theme.DefaultTextFont)
	cjkMono         = newCJKFont("palimpsest-cjk-mono.otf", spaceFixed, theme.DefaultTextMonospaceFont)
)

// Name implements fyne.Resource.
func (f *cjkFont) Name() string { return f.name }

// Content is the patched file; the file as it is, should it ever not be readable
// as a font.
func (f *cjkFont) Content() []byte {
	table, space := f.cmap()
	if table == nil {
		return cjkFile.content()
	}
	return patchCJK(cjkFile.content(), table, space, f.wide)
}

// patchCJK returns an OpenType file with the tables cmap, hhea, OS/2 and hmtx rewritten,
// and the rest as it is.
func patchCJK(file, cmap []byte, spaceGlyph font.GID, space uint16) []byte {
	out := append(make([]byte, 0, len(file)+4+len(cmap)), file...)
	for len(out)%4 != 0 {
		out = append(out, 0)
	}
	be := binary.BigEndian
	tables := int(be.Uint16(out[4:]))
	for i := range tables {
		dir := out[12+16*i:]
		off := be.Uint32(dir[8:])
		set := func(at uint32, v int) { be.PutUint16(out[off+at:], uint16(int16(v))) }
		switch string(dir[:4]) {
		case "hmtx":
			set(uint32(spaceGlyph)*4, int(space))
		case "hhea":
			set(4, ascent)
			set(6, -descent)
			set(8, 0)
		case "OS/2":
			set(68, ascent)
			set(70, -descent)
			set(72, 0)
			set(74, ascent)
			set(76, descent)
		case "cmap":
			be.PutUint32(dir[8:], uint32(len(out)))
			be.PutUint32(dir[12:], uint32(len(cmap)))
		}
	}
	return append(out, cmap...)
}

// cmapFrom writes a character map of the characters that the face
// is to draw, and returns the glyph of the space. A sign that the Latin font lacks
// is better drawn here than by Fyne's font of symbols: that one has no space,
// and the space after a sign is drawn by the font of the sign.
func cmapFrom(cjk, latin font.Cmap) ([]byte, font.GID) {
	type entry struct {
		r rune
		g font.GID
	}
	var list []entry
	var space font.GID
	for it := cjk.Iter(); it.Next(); {
		r, g := it.Char()
		if r == ' ' {
			space = g
		}
		_, has := latin.Lookup(r)
		if r >= CJKFirst || isSpace(r) || r >= signsFirst && !has {
			list = append(list, entry{r, g})
		}
	}
	sort.Slice(list, func(i, j int) bool { return list[i].r < list[j].r })
	var groups []uint32 // first character, last character, first glyph
	for _, e := range list {
		n := len(groups)
		if n > 0 && uint32(e.r) == groups[n-2]+1 && uint32(e.g) == groups[n-1]+groups[n-2]-groups[n-3]+1 {
			groups[n-2]++
			continue
		}
		groups = append(groups, uint32(e.r), uint32(e.r), uint32(e.g))
	}
	return cmapTable(groups), space
}

// cmapTable writes a character map (format 12) of groups: first character, last character,
// first glyph.
func cmapTable(groups []uint32) []byte {
	be := binary.BigEndian
	b := be.AppendUint16(nil, 0) // table version
	b = be.AppendUint16(b, 1)    // one subtable
	b = be.AppendUint16(b, 3)    // for Windows,
	b = be.AppendUint16(b, 10)   // all of Unicode,
	b = be.AppendUint32(b, 12)   // at this offset
	b = be.AppendUint16(b, 12)   // format
	b = be.AppendUint16(b, 0)    // reserved
	b = be.AppendUint32(b, uint32(16+4*len(groups)))
	b = be.AppendUint32(b, 0) // language
	b = be.AppendUint32(b, uint32(len(groups)/3))
	for _, v := range groups {
		b = be.AppendUint32(b, v)
	}
	return b
}

// cmapOf reads the character map of a font file and nothing else of it: to parse
// a whole font takes longer than anything else at the start.
func cmapOf(file []byte) (font.Cmap, error) {
	l, err := opentype.NewLoader(bytes.NewReader(file))
	if err != nil {
		return nil, fmt.Errorf("open font: %w", err)
	}
	raw, err := l.RawTable(opentype.MustNewTag("cmap"))
	if err != nil {
		return nil, fmt.Errorf("find the font's character map: %w", err)
	}
	table, _, err := tables.ParseCmap(raw)
	if err != nil {
		return nil, fmt.Errorf("read the font's character map: %w", err)
	}
	m, _, err := font.ProcessCmap(table, tables.FPNone)
	if err != nil {
		return nil, fmt.Errorf("read the font's character map: %w", err)
	}
	return m, nil
}
