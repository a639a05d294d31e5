package desk

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestMatchFindsWordsInAnyOrderAndForm(t *testing.T) {
	for _, c := range []struct {
		query, title string
		beside       string
		ok           bool
	}{
		{"records", "Browse records", "", true},
		{"compaction records", "Browse records", "compaction history", true},
		{"records browse", "Browse records", "", true},
		{"RECORD", "Browse records", "", true},
		{"recording", "Browse records", "", true}, // another form
		{"cmpnow", "Compact now", "", true},       // letters in their order
		{"cn", "Compact now", "", false},          // two letters follow one another everywhere
		{"压缩", "立即压缩", "", true},
		{"records sweep", "Browse records", "compaction history", false},
		{"zzz", "Browse records", "compaction history", false},
		{"", "Browse records", "", true},
	} {
		if _, ok := Match(c.query, c.title, c.beside); ok != c.ok {
			t.Errorf("%q in %q and %q: %v", c.query, c.title, c.beside, ok)
		}
	}
}

// What begins a word goes before what is within one, a title before what is
// beside it.
func TestMatchRanks(t *testing.T) {
	titles := []string{"Compare two records…", "Undo the comparison"}
	worth := func(query, title string, beside ...string) int { n, _ := Match(query, title, beside...); return n }
	if worth("compare", titles[0]) <= worth("compare", titles[1]) {
		t.Error("a whole word is worth no more than another form")
	}
	if worth("record", titles[0]) <= worth("cord", titles[0]) {
		t.Error("a beginning is worth no more than a middle")
	}
	if worth("sweep", "Sweep two parameters…") <= worth("sweep", "Two parameters…", "sweep") {
		t.Error("a title is worth no more than a word beside it")
	}
}

// Every word of a title finds it, in whatever order and case.
func TestMatchFindsEveryTitleByItsWords(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.StringMatching(`[a-zé压缩]{1,9}`), 1, 5).Draw(t, "words")
		title := strings.Join(words, " ")
		some := rapid.SliceOfN(rapid.SampledFrom(words), 1, 4).Draw(t, "some")
		if _, ok := Match(strings.ToUpper(strings.Join(some, " ")), title); !ok {
			t.Fatalf("%q does not find %q", some, title)
		}
	})
}
