package workbench

import (
	"testing"

	"fyne.io/fyne/v2/test"

	"palimpsest/compaction/replay"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/model/figure"
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

// What was left out at the context window without a summary is no compaction: the words
// count as the figure and the verb do.
func TestWhatIsLeftOutIsNoFiring(t *testing.T) {
	kit.Use(test.NewTempApp(t), kit.Dark, 1)
	tl := &replay.Timeline{Firings: []replay.Firing{{At: 9}, {At: 19, LeftOut: 4, AtLimit: true}, {At: 29, AtLimit: true}}}
	if got := FiresWords(tl, figure.Figure{}); got != "2 times, at 10, 30" {
		t.Errorf("%q", got)
	}
}
