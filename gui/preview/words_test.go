package preview

import (
	"testing"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/model"
)

// The other side of the preview is moved in proportion between two places that belong
// together, and no further than the last.
func TestBetween(t *testing.T) {
	from, to := []float64{0, 10, 10, 30}, []float64{0, 100, 120, 120}
	for x, want := range map[float64]float64{-5: 0, 0: 0, 5: 50, 10: 100, 20: 120, 30: 120, 99: 120} {
		if got := between(from, to, x); got != want {
			t.Errorf("%v is %v, want %v", x, got, want)
		}
	}
}

// A block is named in the language of the window, with its lines; facts that are listed side
// by side count each.
func TestBlockTitle(t *testing.T) {
	for want, b := range map[string]blocks.Block{
		"Names   3":         {Kind: blocks.Facts, Fact: facts.Identifier, Title: "名称", Lines: []blocks.Line{{Text: "a b c", Listed: true}}},
		"Tests   1":         {Kind: blocks.Facts, Fact: facts.Identifier, Title: "Tests", Lines: []blocks.Line{{Text: "TestA"}}},
		"Files   2":         {Kind: blocks.Facts, Fact: facts.Path, Lines: []blocks.Line{{Text: "a.go"}, {Text: "b.go"}, {Text: "below it", Depth: 1}, {Fixed: true}}},
		"Open to-dos   1":   {Kind: blocks.Section, Title: "Open to-dos", Lines: []blocks.Line{{Text: "x"}}},
		"Done, by turn   0": {Kind: blocks.Turns},
	} {
		if got := blockTitle(&b); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A line names its messages; of many the first two.
func TestSourceWords(t *testing.T) {
	for want, x := range map[string]struct {
		named   model.Range
		sources []int
	}{
		"#3–5": {model.Range{From: 2, To: 5}, []int{7}}, "#8": {model.Range{}, []int{7}}, "#8 #10": {model.Range{}, []int{7, 9}},
		"#8 #10 …": {model.Range{}, []int{7, 9, 11}}, "": {},
	} {
		if got := sourceWords(x.named, x.sources); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A lost fact says where it is, where it was held last, and where it was needed.
func TestPlaceWords(t *testing.T) {
	for want, x := range map[string]struct {
		f      lostFact
		pinned bool
	}{
		"back: #5 is pinned":  {lostFact{at: 4, use: 8, pin: 4}, true},
		"back in the summary": {lostFact{at: 4, use: 8, back: true}, false},
		"needed at #9":        {lostFact{at: -1, use: 8}, false},
		"#5":                  {lostFact{at: 4, use: -1}, false},
		"in a former summary": {lostFact{at: -1, use: -1}, false},
	} {
		if got := placeWords(x.f, x.pinned); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if exact, most := lossWords(3, false), lossWords(3, true); exact != "3" || most == exact {
		t.Errorf("%q are lost, %q before the text is made", exact, most)
	}
}
