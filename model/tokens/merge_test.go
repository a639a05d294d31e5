package tokens

import (
	"testing"

	"pgregory.net/rapid"
)

// same holds the two ways of merging to each other, one that looks through all neighbours
// and one with a queue of them.
func same(t interface{ Fatalf(string, ...any) }, s string) {
	for _, e := range []*encoder{loadO200k(), loadCl100k()} {
		w := e.scratch.Get().(*scratch)
		queued := e.mergeLong(w, s)
		if paired := e.mergePairs(s); paired != queued {
			t.Fatalf("%s: %q merges by pairs to %d tokens, by the queue to %d", e.name, s, paired, queued)
		}
		e.scratch.Put(w)
	}
}

// TestMergeShortPairs counts every piece of two bytes.
func TestMergeShortPairs(t *testing.T) {
	for pair := range 1 << 16 {
		same(t, string([]byte{byte(pair), byte(pair >> 8)}))
	}
}

func TestMergeShort(t *testing.T) { mergesOfUpTo(t, maxShort) }

func TestMergePairs(t *testing.T) { mergesOfUpTo(t, longPiece) }

func mergesOfUpTo(t *testing.T, most int) {
	any := rapid.SliceOfN(rapid.Byte(), 2, most)
	base64 := rapid.SliceOfN(rapid.SampledFrom([]byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")), 2, most)
	repeated := rapid.SliceOfN(rapid.SampledFrom([]byte("a -")), 2, most)
	letters := rapid.SliceOfN(rapid.SampledFrom([]byte("etaoinshrdlu ETAOIN_")), 2, most)
	rapid.Check(t, func(t *rapid.T) {
		same(t, string(rapid.OneOf(any, base64, repeated, letters).Draw(t, "piece")))
	})
}

// TestMergeShortReal counts the pieces of the real transcripts that are not long.
func TestMergeShortReal(t *testing.T) {
	e := loadO200k()
	seen := make(map[string]bool)
	for _, s := range realStrings(t) {
		for i := 0; i < len(s); {
			end := e.splitAt(e.classes, s, i)
			if piece := s[i:end]; len(piece) > 1 && len(piece) <= longPiece && !seen[piece] {
				seen[piece] = true
				same(t, piece)
			}
			i = end
		}
	}
	t.Logf("%d pieces", len(seen))
}
