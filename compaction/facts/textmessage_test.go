package facts_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"palimpsest/compaction/facts"
)

// What a text holds is what the extractor lifts from it, whatever words were seen before
// and whatever is around them.
func TestFactsInKnownWords(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	around := []string{" ", " ", " ", "\n", "\t", "(", "<", "*", "`", ":", "..", ",", "/", "-", "~", "5", "@", "文"}
	found := 0
	for range 30 {
		x := hardHistory(r, t)
		words := hardWords[:len(hardWords):len(hardWords)]
		for id := range x.Len() {
			f := x.Fact(facts.ID(id))
			words = append(words, f.Text)
			if at := strings.LastIndexByte(f.Text, '/'); f.Kind == facts.Path && at > 0 {
				words = append(words, f.Text[:at+1]+"{"+f.Text[at+1:]+" other.go}", f.Text[:at+1]+"{\n- "+f.Text[at+1:]+": a b\nother.go\n}")
			}
		}
		for range 40 {
			var b strings.Builder
			for range r.IntN(40) {
				b.WriteString(words[r.IntN(len(words))] + around[r.IntN(len(around))])
			}
			got, want := x.FactsIn(b.String()), facts.PlainFactsIn(x, b.String())
			if found += len(want); !slices.Equal(got, want) {
				t.Fatalf("%q holds %v, by the extractor %v", b.String(), got, want)
			}
		}
	}
	if found < 5000 {
		t.Errorf("%d facts", found)
	}
}
