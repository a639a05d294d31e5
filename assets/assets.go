// Package assets holds the files that are built into the program: the font for
// Chinese, Japanese and Korean, the translations, the icon and the sample
// histories. It imports nothing of this module and does no work at start.
package assets

import (
	"embed"

	"github.com/klauspost/compress/zstd"
)

//go:embed fonts/NotoSansCJK-subset.otf.zst
var packedCJK []byte

// CJK unpacks a subset of Noto Sans CJK (SIL Open Font License 1.1, text beside the
// file): one OpenType face with the ideographs, kana, hangul and full-width forms that
// common text uses. It takes about 10 ms and 4 MB, which are the caller's.
func CJK() []byte { return unpack(packedCJK) }

// unpack panics where the program was built from a damaged file; the tests read each.
func unpack(packed []byte) []byte {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic(err)
	}
	defer d.Close()
	b, err := d.DecodeAll(packed, nil)
	if err != nil {
		panic(err)
	}
	return b
}

// Icon is the program's icon, a PNG of 256×256 pixels: it is unpacked before the first frame.
//
//go:embed icon/icon-256.png
var Icon []byte

// Lang holds the translations: files lang/AREA.LANGUAGE.json in the format of
// go-i18n, one pair of languages for each area of the window.
//
//go:embed lang/*.json
var Lang embed.FS
