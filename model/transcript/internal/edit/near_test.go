package edit

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"palimpsest/model"
	"palimpsest/model/transcript/jspan"
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

// The texts of pieces, near and far, stay as they are until they are forgotten.
func TestNearKeepsTextsUntilTheyAreForgotten(t *testing.T) {
	var content bytes.Buffer
	var pieces []model.Piece
	var texts []string
	for i := 0; content.Len() < 6*NearSize; i++ {
		text := strings.Repeat(fmt.Sprint(i, " "), 1+i*i%3000)
		if i%40 == 0 {
			text = strings.Repeat(text, 8)
		}
		pieces = append(pieces, model.Piece{Span: model.Span{Off: int64(content.Len()), Len: int64(len(text) + 2)}, Array: -1})
		texts = append(texts, text)
		content.WriteString(`"` + text + "\"\n")
	}
	near := NewNear(bytes.NewReader(content.Bytes()))
	d := &model.Document{Source: near, Size: int64(content.Len())}
	rapid.Check(t, func(t *rapid.T) {
		near.Forget()
		var got, want []string
		at := rapid.IntRange(0, len(pieces)-1).Draw(t, "at")
		for range rapid.IntRange(1, 8).Draw(t, "pieces") {
			if err := WithPiece(d, pieces[at], func(v jspan.Value) { got = append(got, v.Text()) }); err != nil {
				t.Fatal(err)
			}
			want = append(want, texts[at])
			at = rapid.OneOf(rapid.IntRange(0, len(pieces)-1), rapid.Just(min(at+1, len(pieces)-1))).Draw(t, "next")
		}
		if !slices.Equal(got, want) {
			t.Fatal("a text was overwritten")
		}
	})
}
