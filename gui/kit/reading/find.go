package reading

import (
	"context"
	"regexp"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/kit"
	"palimpsest/gui/sched"
	"palimpsest/gui/words"
	"palimpsest/model/body"
)

// findBar finds words within the body.
type findBar struct {
	v     *View
	box   *fyne.Container
	field *kit.TextField
	count *kit.Text
	more  *kit.Link // looks elsewhere for what is not here
	words string
}

func newFindBar(v *View) *findBar {
	f := &findBar{v: v, count: kit.NewText("", kit.ColorMuted, 12)}
	f.field = kit.NewFilter(words.T("reading.find.hint"), f.look)
	f.field.OnSubmitted = func(string) { f.step(1) }
	f.field.StepBy(f.step)
	f.field.OnEscape = f.close
	f.more = kit.NewLink(words.T("reading.find.more"), func() {
		s := f.words
		f.close()
		v.OnFindMore(s)
	}).WithTip("reading.find.more.tip")
	row := kit.Row(6, kit.Sized(260, 24, f.field), f.count, f.more, kit.Spring(),
		kit.NewIconButton(kit.GlyphUp, words.T("reading.find.previous"), func() { f.step(-1) }),
		kit.NewIconButton(kit.GlyphDown, words.T("reading.find.next"), func() { f.step(1) }),
		kit.NewIconButton(kit.GlyphClose, words.T("reading.find.close"), f.close))
	f.box = kit.Column(0, container.NewStack(kit.NewFill(kit.ColorRaised, 0), kit.Pad(4, 10, 4, 10, row)), kit.NewRule())
	return f
}

// Find opens the find bar, with what is selected as its words.
func (v *View) Find() {
	f := v.find
	if s := v.selected(); s != "" && len(s) < 200 {
		f.field.SetText(s)
	}
	f.box.Show()
	v.Refresh()
	if c := fyne.CurrentApp().Driver().CanvasForObject(v); c != nil {
		f.field.FocusOn(c)
	}
	f.look(f.field.Text())
}

func (f *findBar) close() {
	f.box.Hide()
	f.words = ""
	f.v.sched.Cancel(f.v.key + ".find")
	f.v.highlight(nil, -1)
	f.v.focus()
}

// again looks in another body for the same words, or lights what [View.Mark] says.
func (f *findBar) again() {
	switch {
	case f.box.Visible() && f.words != "":
		f.look(f.words)
	case f.box.Visible():
	case f.v.marked != nil:
		f.v.light()
	case f.v.lights != nil:
		f.v.highlight(f.v.lights, f.v.lightAt)
	}
}

// Light lights ranges of the body that is shown, or that is being read, one of them more
// than the others; −1: none. The find bar goes before it.
func (v *View) Light(list []body.Hit, current int) {
	if v.lights, v.lightAt = list, current; v.reading == nil {
		v.find.again()
	}
}

// Mark lights what an expression matches in this body and in those that come, as a
// search beside the view found it; nil: nothing. The find bar goes before it.
func (v *View) Mark(re *regexp.Regexp) {
	if v.marked != re {
		v.marked = re
		if !v.find.box.Visible() {
			v.light()
		}
	}
}

// StepMark goes to the next marked place, or with −1 to the one before, and reports
// whether there is one. Where there is none, the next text that comes begins at the
// end from which it is walked into.
func (v *View) StepMark(by int) bool {
	at := v.current + by
	v.fromEnd = by < 0
	if len(v.hits) == 0 || at < 0 || at >= len(v.hits) {
		return false
	}
	v.highlight(v.hits, at)
	return true
}

// light finds the marked places in the background, and shows the first.
func (v *View) light() {
	doc, re := v.doc, v.marked
	if re == nil || doc == nil {
		v.sched.Cancel(v.key + ".find")
		v.highlight(nil, -1)
		return
	}
	sched.Run(v.sched, v.key+".find", func(context.Context, func(sched.Progress)) ([]body.Hit, error) {
		return doc.FindAll(re), nil
	}, func(hits []body.Hit, err error) {
		if err == nil && doc == v.doc {
			at := min(0, len(hits)-1)
			if v.fromEnd {
				at = len(hits) - 1
			}
			v.highlight(hits, at)
		}
	})
}

// look finds words in the background.
func (f *findBar) look(s string) {
	f.words = s
	doc, from := f.v.doc, f.v.sel.from
	if from == f.v.sel.to {
		from, _ = f.v.topPlace()
	}
	sched.Run(f.v.sched, f.v.key+".find", func(context.Context, func(sched.Progress)) ([]body.Hit, error) {
		return doc.Find(s), nil
	}, func(hits []body.Hit, err error) {
		if err != nil || doc != f.v.doc {
			return
		}
		current := -1
		if len(hits) > 0 {
			current = 0
		}
		for i, h := range hits {
			if !h.Start().Before(from) {
				current = i
				break
			}
		}
		f.show(hits, current)
	})
}

func (f *findBar) show(hits []body.Hit, current int) {
	said := ""
	switch {
	case f.words == "":
	case len(hits) == 0:
		said = words.T("reading.find.none")
	default:
		said = words.T("reading.find.place", "n", current+1, "count", len(hits))
	}
	f.count.SetText(said)
	none := f.words != "" && len(hits) == 0
	f.field.SetBad(none)
	if none && f.v.OnFindMore != nil {
		f.more.Show()
	} else {
		f.more.Hide()
	}
	f.box.Refresh()
	f.v.highlight(hits, current)
}

// step goes to the next place, or with −1 to the one before; around the ends.
func (f *findBar) step(by int) {
	if n := len(f.v.hits); n > 0 {
		f.show(f.v.hits, (f.v.current+by+n)%n)
	}
}
