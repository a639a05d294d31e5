package workbench

import (
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/figure"
)

// Name is what the line is of.
func (l surviveLine) Name() string {
	if l.Kind == facts.Kinds {
		return words.T("fact.all")
	}
	return show.KindWords(l.Kind)
}

// survives is the share of what goes that is still held.
func (l surviveLine) survives() float64 {
	if l.Gone == 0 {
		return 1
	}
	return float64(l.Survived) / float64(l.Gone)
}

// share is it as a figure, a bound while the summary is not made.
func (l surviveLine) share() figure.Figure {
	f := figure.Ratio("survives", int64(l.Survived), int64(l.Gone), figures.NoFacts)
	if l.lower {
		f.Bound, f.Reason = figure.AtLeast, figures.AfterSummary
	}
	return f
}

// low reports whether little of it survives. While the summary is not made,
// nobody knows.
func (l surviveLine) low() bool { return !l.lower && l.survives() < show.LowShare }

// keptWords say what share of what was needed was still there.
func keptWords(v *desk.Survival) string {
	n := v.Needed
	f := figure.Ratio("recall", int64(n.Met), int64(n.Needs.Needs), figures.NoNeeds)
	if n.Lower {
		f.Bound, f.Reason = figure.AtLeast, figures.AfterSummary
	}
	if !f.Known() {
		return show.WhyMissing(f)
	}
	return words.T("needed.keptShare", "share", words.Figure(f))
}

// bound is a count that is a bound where the summary is not made.
func bound(is bool, n int, side figure.Bound) figure.Figure {
	f := figure.Figure{Value: float64(n), Unit: figure.Count, Kind: figure.Counted}
	if is {
		f.Bound = side
	}
	return f
}

// SurvivalWords names the kinds of which little survives, and describes how much of what
// is lost of them was needed later; where none is low, of all that is lost. While
// the summary is not made there is nothing to say.
func SurvivalWords(v *desk.Survival) string {
	if v.Lower {
		return ""
	}
	var low []string
	var lost, missed int
	for _, l := range SurviveLines(v) {
		if !l.low() || l.Kind == facts.Kinds {
			continue
		}
		low = append(low, l.Name()+" "+words.Figure(l.share()))
		lost += l.Gone - l.Survived
		if l.Needed != nil {
			missed += l.Needed.Needs - l.Needed.Met
		}
	}
	lowest := words.T("needed.low", "kinds", strings.Join(low, words.T("needed.and")))
	switch {
	case len(low) > 0 && v.Needed == nil:
		return lowest
	case len(low) > 0 && missed == 0:
		return words.T("needed.lowAnd", "low", lowest, "of", words.T("needed.ofTheseNone", "lost", lost))
	case len(low) > 0:
		return words.T("needed.lowAnd", "low", lowest, "of", words.T("needed.ofThese", "count", missed, "value", missed, "lost", lost))
	case v.Needed == nil:
		return ""
	}
	all := v.All()
	lost, missed = all.Gone-all.Survived, v.Needed.Needs.Needs-v.Needed.Met
	switch {
	case lost == 0:
		return words.T("needed.nothingLost")
	case missed == 0:
		return words.T("needed.ofLostNone", "lost", lost)
	}
	return words.T("needed.ofLost", "count", missed, "value", missed, "lost", lost)
}

// surviveFoot is what is below the table: in words what is low and what of it
// was needed, and the way to the lists.
type surviveFoot struct {
	obj          *fyne.Container
	Said         *kit.Text
	saidRow      *fyne.Container
	links        *fyne.Container // to the lists; behind them what the head and the first line don't say
	aside        *kit.Text
	lost, Misses *kit.Link
}

func newSurviveFoot(lost, misses func()) *surviveFoot {
	f := &surviveFoot{Said: kit.NewText("", kit.ColorMuted, 12).Fit(), aside: kit.NewText("", kit.ColorFaint, 12).Right().Fit(),
		lost: kit.NewLink("", lost), Misses: kit.NewLink("", misses)}
	f.saidRow = kit.Sized(0, 18, f.Said)
	f.links = kit.Row(14, f.lost, f.Misses, kit.Stretch(f.aside))
	f.obj = kit.Pad(2, 10, 4, 10, kit.Column(0, f.saidRow, kit.Sized(0, 20, f.links)))
	return f
}

// update shows what is below the table of a survival. Where nothing is known
// of needs, all of it goes on the line of the links: the head reports that then, and
// a small window has few lines to spare.
func (f *surviveFoot) update(v *desk.Survival) {
	if v == nil {
		return
	}
	said, aside := SurvivalWords(v), ""
	if v.Needed == nil {
		if aside = boundWords(v); said != "" {
			aside = said + " · " + aside
		}
	}
	f.Said.SetText(said)
	show.SetVisible(f.saidRow, v.Needed != nil)
	f.aside.SetText(aside)
	show.SetVisible(f.lost, len(v.Lost) > 0)
	f.lost.SetText(words.T("needed.listLost", "count", len(v.Lost)))
	missed := 0
	if v.Needed != nil {
		missed = len(v.Needed.Misses)
	}
	show.SetVisible(f.Misses, missed > 0)
	f.Misses.SetText(words.T("needed.listMisses", "count", missed))
	f.links.Refresh()
}
