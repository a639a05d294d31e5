package show

import (
	"strings"
	"testing"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"

	"palimpsest/gui/kit"
)

// A line that is wrapped goes on beside the marks.
func TestWrappedLinesKeepOffTheMarks(t *testing.T) {
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	v := kit.NewTextView(false)
	test.NewTempWindow(t, v).Resize(fyne.NewSize(300, 200))
	text := strings.Repeat("the parser groups to the left ", 6)
	lines := Marked(v, "−", text, kit.LineRemoved)
	if len(lines) < 3 {
		t.Fatalf("%d lines", len(lines))
	}
	var all strings.Builder
	for i, l := range lines {
		mark := noMark
		if i == 0 {
			mark = "−"
		}
		rest, ok := strings.CutPrefix(l.Text, mark+" ")
		if !ok || l.Kind != kit.LineRemoved {
			t.Errorf("line %d is %q", i, l.Text)
		}
		all.WriteString(strings.TrimSpace(rest) + " ")
	}
	if strings.TrimSpace(all.String()) != strings.TrimSpace(text) {
		t.Errorf("%q", all.String())
	}
}
