package visible

import (
	"strings"
	"testing"
)

func TestAControlIsShown(t *testing.T) {
	const text, want = "\xe6a\x1b[2J\x00\r\nover\rit\u202e\u009b\x7f 漢\tend\r\xe6\xbc", "\ufffda␛[2J␀\nover␍it\ufffd\ufffd␡ 漢\tend␍\ufffd"
	for size := 1; size < 6; size++ {
		var b strings.Builder
		v := To(&b)
		for rest := text; rest != ""; {
			n := min(size, len(rest))
			if _, err := v.Write([]byte(rest[:n])); err != nil {
				t.Fatal(err)
			}
			rest = rest[n:]
		}
		if err := v.Close(); err != nil || b.String() != want {
			t.Errorf("in pieces of %d: %q, %v", size, b.String(), err)
		}
	}
}
