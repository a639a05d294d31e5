package body

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Either text can be read back from the diff, line by line.
func TestADiffHoldsBothTexts(t *testing.T) {
	line := rapid.SampledFrom([]string{"one", "two", "", "三", "four\t"})
	rapid.Check(t, func(t *rapid.T) {
		old := strings.Join(rapid.SliceOfN(line, 1, 12).Draw(t, "old"), "\n")
		new := strings.Join(rapid.SliceOfN(line, 1, 12).Draw(t, "new"), "\n")
		var a, b []string
		for _, l := range DiffLines(old, new) {
			if l.Old {
				a = append(a, l.Text)
			}
			if l.New {
				b = append(b, l.Text)
			}
		}
		whole := func(s string) string { return strings.TrimRight(s, "\n") }
		if whole(strings.Join(a, "\n")) != whole(old) || whole(strings.Join(b, "\n")) != whole(new) {
			t.Fatalf("%q and %q came back as %q and %q", old, new, a, b)
		}
	})
}
