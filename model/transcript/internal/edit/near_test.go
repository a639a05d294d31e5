package edit

import (
	"bytes"
	"io"
	"pgregory.net/rapid"
	"testing"
)

// However a source is read, the bytes and the end are its own.
func TestNearGivesWhatTheSourceGives(t *testing.T) {
	content := make([]byte, 3*NearSize+17)
	for i := range content {
		content[i] = byte(i * 7 >> 3)
	}
	src := bytes.NewReader(content)
	rapid.Check(t, func(t *rapid.T) {
		r := NewNear(src)
		for range 20 {
			off := rapid.IntRange(0, len(content)+10).Draw(t, "off")
			n := rapid.OneOf(rapid.IntRange(0, 5000), rapid.IntRange(0, len(content))).Draw(t, "n")
			got, want := make([]byte, n), make([]byte, n)
			gn, gerr := r.ReadAt(got, int64(off))
			wn, werr := src.ReadAt(want, int64(off))
			if n == 0 { // an empty read may succeed anywhere
				continue
			}
			if gn != wn || !bytes.Equal(got[:gn], want[:wn]) || gn < n && gerr != io.EOF || gn == n && gerr != nil && werr == nil {
				t.Fatalf("%d bytes at %d: %d, %v; the source gives %d, %v", n, off, gn, gerr, wn, werr)
			}
		}
	})
}
