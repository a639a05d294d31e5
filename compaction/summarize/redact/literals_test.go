package redact

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// What is found of many texts is what is found when each of them is looked for at every
// place, the longest first.
func TestLiteralsAreThoseOfASlowSearch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[ab]{4,12}`), 0, 12).Draw(t, "words")
		text := rapid.StringMatching(`[abc]{0,120}`).Draw(t, "text")
		var l literals
		for _, w := range words {
			l.add(w)
		}
		var got, want []string
		l.each(text, func(from int, s string) { got = append(got, fmt.Sprint(from, s)) })
		slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) })
		for i := 0; i < len(text); i++ {
			for _, w := range words {
				if len(w) >= minRandom && strings.HasPrefix(text[i:], w) {
					want = append(want, fmt.Sprint(i, w))
					i += len(w) - 1
					break
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q in %q: %v, want %v", words, text, got, want)
		}
	})
}

// A piece of an identifier is no secret where it stands in the identifier, and is one
// elsewhere.
func TestAPieceOfAnIdentifier(t *testing.T) {
	piece := githubKey
	id := "run-" + piece + "-7"
	r, err := New(id, "run-other")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]int{"see " + id + " there": 0, "see " + piece + " there": 1, id: 0, "run-" + piece + "-8": 1} {
		if got := r.Scan(text); len(got) != want {
			t.Errorf("%q: %d found, want %d", text, len(got), want)
		}
	}
}
