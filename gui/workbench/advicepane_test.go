package workbench

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"palimpsest/compaction/replay"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
)

// What a suggestion gives up of what was needed later is a difference of shares, in points as
// in a comparison, and not a share of the share.
func TestWhatASuggestionGivesUpIsInPoints(t *testing.T) {
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	now := replay.Suggestion{Recall: .9, Input: 1000, Firings: 2}
	for want, recall := range map[string]float64{"−0.4 pt kept": .896, "−5 pt kept": .85, "gives up nothing": .9} {
		x := replay.Suggestion{Recall: recall, Input: 900, Firings: 2}
		if got := givesUp(&desk.Advice{Advice: &replay.Advice{Now: now}}, &x); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}
