package workbench

import (
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// Name is what the line is of.
func (l surviveLine) Name() string {
	if l.Kind == facts.Kinds {
		return words.T("fact.all")
	}
	return show.KindWords(l.Kind)
}

// survives is the share that stands of what goes.
func (l surviveLine) survives() float64 {
	if l.Gone == 0 {
		return 1
	}
	return float64(l.Survived) / float64(l.Gone)
}

// low reports whether little of one kind survives.
func (l surviveLine) low() bool { return l.Kind != facts.Kinds && l.survives() < show.LowShare }

// atLeast marks a lower bound as one.
func atLeast(bound bool, s string) string {
	if bound {
		return words.T("number.atLeast", "value", s)
	}
	return s
}

// atMost marks an upper bound as one.
func atMost(bound bool, s string) string {
	if bound {
		return words.T("number.atMost", "value", s)
	}
	return s
}

// keptWords tells what share of what was needed still stood.
func keptWords(n *session.Needed) string {
	if n.Needs.Needs == 0 {
		return words.T("needed.noNeeds")
	}
	return words.T("needed.keptShare", "share", atLeast(n.Lower, words.Percent(n.Share())))
}

// SurvivalWords names the kinds of which little survives, and tells how much of what
// is lost of them was needed later; where none is low, of all that is lost.
func SurvivalWords(v *desk.Survival) string {
	var low []string
	var lost, missed int
	for _, l := range SurviveLines(v) {
		if !l.low() {
			continue
		}
		low = append(low, l.Name()+" "+atLeast(l.lower, words.Percent(l.survives())))
		lost += l.Gone - l.Survived
		if l.Needed != nil {
			missed += l.Needed.Needs - l.Needed.Met
		}
	}
	value := atMost(v.Lower, words.Int(int64(missed)))
	lowest := words.T("needed.low", "kinds", strings.Join(low, words.T("needed.and")))
	switch {
	case len(low) > 0 && v.Needed == nil:
		return lowest
	case len(low) > 0 && missed == 0:
		return words.T("needed.lowAnd", "low", lowest, "of", words.T("needed.ofTheseNone", "lost", lost))
	case len(low) > 0:
		return words.T("needed.lowAnd", "low", lowest, "of", words.T("needed.ofThese", "count", missed, "value", value, "lost", lost))
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
	return words.T("needed.ofLost", "count", missed, "value", atMost(v.Lower, words.Int(int64(missed))), "lost", lost)
}

// surviveFoot is what stands below the table: in words what is low and what of it
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

// update shows what stands below the table of a survival. Where nothing is known
// of needs, all of it goes on the line of the links: the head tells that then, and
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
