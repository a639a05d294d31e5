package records

import (
	"fyne.io/fyne/v2"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// recordAgain shows what the agent did again after a compaction that a file shows
// of: how much of what it read and ran, beside as many messages before; then what.
type recordAgain struct {
	list *kit.List
	Rows []againLine
}

// againLine is a line of it.
type againLine struct {
	text, share, Count string
	Head               bool
}

func newRecordAgain() *recordAgain {
	a := &recordAgain{}
	a.list = kit.NewList(24, func() int { return len(a.Rows) }, func() kit.ListRow { return newAgainRow(a) }).WithTip("recordFacts.means")
	a.list.Choosable = func(int) bool { return false }
	return a
}

// update reports a compaction; nil: of none.
func (a *recordAgain) update(b *session.CutBehaviour) {
	a.Rows = nil
	if b != nil {
		a.tally("again.after", b.After)
		if b.Before.Messages > 0 {
			a.tally("again.before", b.Before)
		}
		a.things("again.read", b.After.Reread)
		a.things("again.ran", b.After.Rerun)
	}
	a.list.Update()
}

// tally describes how much was done again in some messages.
func (a *recordAgain) tally(head string, b facts.Behaviour) {
	a.Rows = append(a.Rows, againLine{text: words.T(head, "count", b.Messages), Head: true},
		doneAgain("again.reads", len(b.Reread), b.Read), doneAgain("again.runs", len(b.Rerun), b.Run))
}

func doneAgain(key string, again, all int) againLine {
	l := againLine{text: words.T(key), Count: words.T("result.of", "n", words.Int(int64(again)), "m", words.Int(int64(all)))}
	if all > 0 {
		l.share = words.Percent(float64(again) / float64(all))
	}
	return l
}

// things lists what was done again.
func (a *recordAgain) things(head string, list []facts.Again) {
	if len(list) > 0 {
		a.Rows = append(a.Rows, againLine{text: words.T(head), Head: true})
	}
	for _, g := range list {
		a.Rows = append(a.Rows, againLine{text: g.Text, Count: words.T("again.times", "count", g.Times)})
	}
}

// againRow shows a line.
type againRow struct {
	a                  *recordAgain
	obj                *fyne.Container
	text, share, count *kit.Text
}

func newAgainRow(a *recordAgain) *againRow {
	r := &againRow{a: a, text: kit.Label("").Fit(), share: kit.Label("").Right().Fit(),
		count: kit.NewText("", kit.ColorMuted, 12).Right().Fit()}
	r.obj = kit.Pad(0, 12, 0, 12, kit.Row(10, kit.Stretch(r.text), kit.Sized(54, 0, r.share), kit.Sized(110, 0, r.count)))
	return r
}

// Object is what the list shows.
func (r *againRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows a line.
func (r *againRow) Fill(i int, _ bool) {
	l := r.a.Rows[i]
	ink := kit.ColorText
	if l.Head {
		ink = kit.ColorMuted
	}
	r.text.SetText(l.text)
	r.text.SetColor(ink)
	r.share.SetText(l.share)
	r.count.SetText(l.Count)
}
