package workbench

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"palimpsest/compaction/replay"
	"palimpsest/gui/kit"
	"palimpsest/model/figure"
)

// What was left out at the context window without a summary is no compaction: the words
// count as the figure and the verb do.
func TestWhatIsLeftOutIsNoFiring(t *testing.T) {
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	tl := &replay.Timeline{Firings: []replay.Firing{{At: 9}, {At: 19, LeftOut: 4, AtLimit: true}, {At: 29, AtLimit: true}}}
	if got := compactionsWords(tl, figure.Figure{}); got != "2 compactions, before #10, #30" {
		t.Errorf("%q", got)
	}
}
