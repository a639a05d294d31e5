package jspan

import "testing"

// A text from the table of words costs no memory, and is the one that stands
// there.
func TestWordsCostNothing(t *testing.T) {
	b := []byte(`["assistant","tool_use","tool_usex","assist\u0061nt"]`)
	v, err := Parse(b, 0)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"assistant", "tool_use", "tool_usex", "assistant"} {
		if got := v.Index(i).Text(); got != want {
			t.Errorf("element %d is %q, want %q", i, got, want)
		}
	}
	word := v.Index(1)
	if n := testing.AllocsPerRun(100, func() { _ = word.TextN(8) }); n != 0 {
		t.Errorf("%v allocations for a word of the table", n)
	}
}
