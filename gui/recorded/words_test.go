package recorded

import (
	"strings"
	"testing"

	"palimpsest/compaction/session/recorded"
)

// A fact is found in a text as a whole: a name is not found in a longer one, and a path not in
// a part of another.
func TestWholeFacts(t *testing.T) {
	const text = "see src/a.go and b.go, v1.2 of x_y"
	for _, x := range []struct {
		fact string
		atom bool
		want bool
	}{{"src/a.go", true, true}, {"a.go", true, false}, {"b.go", true, true}, {"a.go", false, true}, {"v1", true, false}, {"v1.2", true, true},
		{"x", false, false}, {"x_y", true, true}, {"see", false, true}} {
		from := strings.Index(text, x.fact)
		if got := whole(text, from, from+len(x.fact), x.atom); got != x.want {
			t.Errorf("%q, an atom %v: %v", x.fact, x.atom, got)
		}
	}
}

// A fact says where it was used again and how the agent had it back.
func TestHowAFactCameBack(t *testing.T) {
	r := &recorded.Row{}
	r.Uses = []int{6}
	if got := usedWords(r) + " " + backWords(r); got != "#7 –" {
		t.Errorf("%q", got)
	}
	r.Uses = []int{6, 9, 1200}
	for want, b := range map[string]*recorded.Back{"asked again": {Person: true}, "Read, ~1.2K": {Tool: "Read", Tokens: 1200}, "a tool, ~5": {Tokens: 5}} {
		if r.Back = b; backWords(r) != want || usedWords(r) != "#7 ×3" {
			t.Errorf("%q, %q; want %q", usedWords(r), backWords(r), want)
		}
	}
	if place(-1) != "–" || place(1200) != "#1,201" {
		t.Errorf("%q, %q", place(-1), place(1200))
	}
}
