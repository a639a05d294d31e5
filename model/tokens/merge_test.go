package tokens

import (
	"testing"

	"pgregory.net/rapid"
)

// sameShort holds the two ways of counting to each other: merging by ranks, and
// looking for the one sequence in which all neighbours are allowed.
func sameShort(t interface{ Fatalf(string, ...any) }, s string) {
	for _, e := range []*encoder{loadO200k(), loadCl100k()} {
		w := e.scratch.Get().(*scratch)
		if merged, encoded := e.mergeShort(s), e.encode(w, s); merged != encoded {
			t.Fatalf("%s: %q merges to %d tokens, %d are one after the other", e.name, s, merged, encoded)
		}
		e.scratch.Put(w)
	}
}

// TestMergeShortPairs counts every piece of two bytes.
func TestMergeShortPairs(t *testing.T) {
	for pair := range 1 << 16 {
		sameShort(t, string([]byte{byte(pair), byte(pair >> 8)}))
	}
}

func TestMergeShort(t *testing.T) {
	any := rapid.SliceOfN(rapid.Byte(), 2, maxShort)
	base64 := rapid.SliceOfN(rapid.SampledFrom([]byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")), 2, maxShort)
	repeated := rapid.SliceOfN(rapid.SampledFrom([]byte("a -")), 2, maxShort)
	rapid.Check(t, func(t *rapid.T) {
		sameShort(t, string(rapid.OneOf(any, base64, repeated).Draw(t, "piece")))
	})
}

// TestMergeShortReal counts the short pieces of the real transcripts.
func TestMergeShortReal(t *testing.T) {
	e := loadO200k()
	seen := make(map[string]bool)
	for _, s := range realStrings(t) {
		for i := 0; i < len(s); {
			end := e.splitAt(e.classes, s, i)
			if piece := s[i:end]; len(piece) > 1 && len(piece) <= maxShort && !seen[piece] {
				seen[piece] = true
				sameShort(t, piece)
			}
			i = end
		}
	}
	t.Logf("%d pieces", len(seen))
}
