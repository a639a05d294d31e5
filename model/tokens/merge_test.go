package tokens

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"
)

// sameShort holds the three ways of counting to each other: merging by ranks, merging
// by the table of pairs, and looking for the one sequence in which all neighbours are
// allowed.
func sameShort(t interface{ Fatalf(string, ...any) }, s string) {
	for _, e := range []*encoder{loadO200k(), loadCl100k()} {
		e.begin()
		w := e.scratch.Get().(*scratch)
		encoded := e.encode(w, s)
		if len(s) <= maxShort {
			if merged := e.mergeShort(s); merged != encoded {
				t.Fatalf("%s: %q merges to %d tokens, %d are one after the other", e.name, s, merged, encoded)
			}
		}
		if paired := e.mergePairs(s); paired != encoded {
			t.Fatalf("%s: %q merges by pairs to %d tokens, %d are one after the other", e.name, s, paired, encoded)
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

func TestMergeShort(t *testing.T) { mergesOfUpTo(t, maxShort) }

func TestMergePairs(t *testing.T) { mergesOfUpTo(t, longPiece) }

func mergesOfUpTo(t *testing.T, most int) {
	any := rapid.SliceOfN(rapid.Byte(), 2, most)
	base64 := rapid.SliceOfN(rapid.SampledFrom([]byte("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")), 2, most)
	repeated := rapid.SliceOfN(rapid.SampledFrom([]byte("a -")), 2, most)
	letters := rapid.SliceOfN(rapid.SampledFrom([]byte("etaoinshrdlu ETAOIN_")), 2, most)
	rapid.Check(t, func(t *rapid.T) {
		sameShort(t, string(rapid.OneOf(any, base64, repeated, letters).Draw(t, "piece")))
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
				sameShort(t, piece)
			}
			i = end
		}
	}
	t.Logf("%d pieces", len(seen))
}

// A few short pieces are counted without the trie, by any number of goroutines; a long
// piece has it built, and so have many short ones.
func TestTheTrieIsBuiltWhenNeeded(t *testing.T) {
	fresh := func() *encoder { return newEncoder(O200k, packedO200k, endO200k) }
	text := "The agent reads a file, then runs the tests again: go test ./... -run TestCount"
	want := Count(O200k, text)
	e := fresh()
	if got := e.count(text); got != want || e.built.Load() {
		t.Errorf("%d tokens with the trie %v, want %d without", got, e.built.Load(), want)
	}
	long := strings.Repeat("a", longPiece+1)
	if got := e.count(long); got != Count(O200k, long) || !e.built.Load() {
		t.Errorf("a long piece has %d tokens, the trie %v", got, e.built.Load())
	}
	e = fresh()
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for i := range fewBytes / 16 {
				word := strings.Map(func(r rune) rune { return 'a' + r%26 }, fmt.Sprintf("%08x", uint32(4*i+k)*2654435761))
				if s := text + " " + word; e.count(s) != Count(O200k, s) {
					t.Errorf("%q is counted wrong", s)
					return
				}
			}
		})
	}
	all.Wait()
	if !e.built.Load() {
		t.Error("the trie was never built")
	}
}
