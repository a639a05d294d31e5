package body

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// Either text can be read back from the body of two, line by line, and what lies outside its
// changes is the same in both.
func TestADiffHoldsBothTexts(t *testing.T) {
	line := rapid.SampledFrom([]string{"one", "two", "", "三", "four\t"})
	rapid.Check(t, func(t *rapid.T) {
		old := strings.Join(rapid.SliceOfN(line, 1, 12).Draw(t, "old"), "\n")
		new := strings.Join(rapid.SliceOfN(line, 1, 12).Draw(t, "new"), "\n")
		d := Compared(old, new, "")
		var a, b []string
		from, changes := 0, d.Changes()
		for i, l := range strings.Split(d.Blocks[0].Text, "\n") {
			to := from + len(l)
			sign := byte(' ')
			if i < len(d.Blocks[0].Marks) {
				sign = d.Blocks[0].Marks[i].Sign
			}
			in := false
			for _, c := range changes {
				in = in || c.From <= from && to <= c.To
			}
			if in != (sign != ' ') {
				t.Fatalf("line %d of %q is %q, in a change: %v", i, d.Blocks[0].Text, sign, in)
			}
			if sign != '+' {
				a = append(a, l)
			}
			if sign != '-' {
				b = append(b, l)
			}
			from = to + 1
		}
		whole := func(s string) string { return strings.TrimRight(s, "\n") }
		if whole(strings.Join(a, "\n")) != whole(old) || whole(strings.Join(b, "\n")) != whole(new) {
			t.Fatalf("%q and %q came back as %q and %q", old, new, a, b)
		}
	})
}
