package query

import (
	"bytes"
	"testing"

	"pgregory.net/rapid"
)

// A scan finds the first place that looking at every byte finds, whatever the case of
// the letters.
func TestAScanFindsWhatASearchFinds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		letters := rapid.SampledFrom([]byte("abKs@`\\u0\xe2\x84\xaa\n"))
		var alts [][]byte
		for range rapid.IntRange(1, 3).Draw(t, "needles") {
			a := rapid.SliceOfN(letters, leastScanned, 12).Draw(t, "needle")
			Lower(a, a)
			alts = append(alts, a)
		}
		text := rapid.SliceOfN(letters, 0, 60).Draw(t, "text")
		for range rapid.IntRange(0, 2).Draw(t, "put in") {
			a := bytes.Clone(rapid.SampledFrom(alts).Draw(t, "which"))
			if rapid.Bool().Draw(t, "large") {
				a = bytes.ToUpper(a)
			}
			at := rapid.IntRange(0, len(text)).Draw(t, "at")
			text = append(text[:at:at], append(a, text[at:]...)...)
		}
		from := rapid.IntRange(0, len(text)).Draw(t, "from")
		low := make([]byte, len(text))
		Lower(low, text)
		want := -1
		for _, a := range alts {
			if i := bytes.Index(low[from:], a); i >= 0 && (want < 0 || from+i < want) {
				want = from + i
			}
		}
		at, alt := NewScan(alts...).Next(text, from)
		if at != want || at >= 0 && !bytes.HasPrefix(low[at:], alts[alt]) {
			t.Fatalf("%q in %q from %d: %d (%d), want %d", alts, text, from, at, alt, want)
		}
	})
}

// What is too short is not scanned for.
func TestAScanNeedsLength(t *testing.T) {
	if NewScan() != nil || NewScan([]byte("abcdefg"), []byte("abcde")) != nil || NewScan([]byte("abcdef")) == nil {
		t.Error("a scan of the wrong needles")
	}
}

// Whatever the place, it is found.
func TestAScanFindsEveryPlace(t *testing.T) {
	for at := range 100 {
		for _, needle := range []string{"ledger", "of the harbour"} {
			text := append(bytes.Repeat([]byte{'.'}, at), bytes.ToUpper([]byte(needle))...)
			text = append(text, "...."...)
			if got, alt := NewScan([]byte("other needle"), []byte(needle)).Next(text, 0); got != at || alt != 1 {
				t.Errorf("%s: %d (%d), want %d", needle, got, alt, at)
			}
		}
		text := append(bytes.Repeat([]byte(`u\`), at), "n u"...)
		if got := indexEscape(text); got != -1 && got != bytes.Index(text, []byte(`\u`)) {
			t.Errorf("%q: %d", text, got)
		}
		text = append(bytes.Repeat([]byte{'u'}, at), `\u....`...)
		if got := indexEscape(text); got != at {
			t.Errorf("%q: %d, want %d", text, got, at)
		}
		text = append(text, bytes.Repeat([]byte{'u'}, 64)...)
		if got := indexEscape(text); got != at {
			t.Errorf("%q: %d, want %d", text, got, at)
		}
	}
}
