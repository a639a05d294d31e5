package preview

import (
	"slices"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/show"
	"palimpsest/gui/state/undo"
	"palimpsest/gui/words"
	"palimpsest/model/body"
)

// diffView sets the draft beside another one, line by line, and takes blocks of that
// one over.
type diffView struct {
	d       *State
	p       *Screen
	obj     fyne.CanvasObject
	body    *fyne.Container
	against *kit.Select
	take    *kit.Link
	beside  *kit.Check
	view    *reading.View
	none    *kit.Text
	list    []*session.Draft
	at      int            // which of them
	chosen  *session.Draft // that a person chose, or took a block from
}

func newDiffView(d *State, p *Screen) *diffView {
	v := &diffView{d: d, p: p, at: -1, view: reading.New(d.Scheduler())}
	v.against = kit.NewSelect(nil, -1, func(i int) { v.at, v.chosen = i, v.list[i]; v.compare() })
	v.take = kit.NewMenuLink(words.T("preview.take"), v.takeMenu)
	v.take.SetTip(words.T("preview.take.tip"))
	v.beside = kit.NewCheck(words.T("preview.beside"), false, func(on bool) { v.view.SetLook(reading.Look{Sides: on}) })
	v.view.OnLook = func(l reading.Look) { v.beside.SetOn(l.Sides) }
	v.none = kit.NewText(words.T("preview.oneDraft"), kit.ColorMuted, 13).Center().Fit()
	v.body = kit.Column(0)
	v.obj = kit.Column(0, kit.Sized(0, 32, kit.Pad(0, 10, 0, 10, kit.Row(8, kit.NewText(words.T("preview.against"), kit.ColorMuted, 12),
		kit.Sized(210, 24, v.against), v.take, kit.Spring(), v.beside))), kit.NewRule(), kit.Stretch(v.body))
	return v
}

// former is what the draft is set beside unless a person chose: what it was made
// from, else the one before it.
func (v *diffView) former() *session.Draft {
	if u := v.d.DraftSet.Unedited(); u != nil {
		return u
	}
	list := v.d.DraftSet.Drafts()
	for i, dr := range list {
		if dr == v.d.DraftSet.Draft() && len(list) > 1 {
			return list[max(i-1, map[bool]int{true: 1, false: 0}[i == 0])]
		}
	}
	return nil
}

// update shows the drafts that can be chosen.
func (v *diffView) update() {
	former := v.former()
	var names []string
	v.list = v.list[:0]
	for i, dr := range v.d.DraftSet.Drafts() {
		if dr == v.d.DraftSet.Draft() {
			continue
		}
		v.list = append(v.list, dr)
		names = append(names, draftName(i, dr))
	}
	if v.at = slices.Index(v.list, v.chosen); v.at < 0 {
		v.at = slices.Index(v.list, former)
	}
	if v.at < 0 && former != nil { // what a model wrote before it was edited
		v.list, names = append(v.list, former), append(names, words.T("preview.unedited"))
		v.at = len(v.list) - 1
	}
	v.against.SetNames(names, v.at)
	show.SetVisible(v.take, former != nil && v.p.Edits.canEdit())
	var o fyne.CanvasObject = v.view
	if former == nil {
		o = kit.Column(0, kit.Spring(), v.none, kit.Spring())
	}
	v.body.Objects = []fyne.CanvasObject{kit.Stretch(o)}
	v.body.Refresh()
	v.compare()
}

// compare shows both texts.
func (v *diffView) compare() {
	dr := v.d.DraftSet.Draft()
	if dr == nil || v.at < 0 || v.at >= len(v.list) {
		return
	}
	was, now := v.list[v.at].Text.Text, dr.Text.Text
	v.view.Compare(func() *body.Doc { return body.Compared(was, now, "") })
}

// takeMenu offers the blocks of the other draft.
func (v *diffView) takeMenu() {
	if v.at < 0 || v.at >= len(v.list) {
		return
	}
	from := blocks.Parse(v.list[v.at].Text.Text)
	var items []kit.MenuItem
	for b := range from.Blocks {
		if from.Blocks[b].Kind == blocks.Frame || len(from.Blocks[b].Lines) == 0 {
			continue
		}
		title := blockTitle(&from.Blocks[b])
		take := func(o *blocks.Outline) (string, error) { return o.Take(from, b) }
		items = append(items, kit.MenuItem{Text: title, Run: func() {
			v.chosen = v.list[v.at]
			v.d.DraftSet.ChangeDraft(undo.DraftTake, show.Shortened(title, 30), 1, take)
		}})
	}
	kit.ShowMenuUnder(v.take, items)
}

// Beside is the draft that the shown one is set beside; nil: none.
func (p *Screen) Beside() *session.Draft {
	if v := p.diff; v.at >= 0 && v.at < len(v.list) {
		return v.list[v.at]
	}
	return nil
}

// ShowDiff shows the drafts against each other, one below or beside the other.
func (p *Screen) ShowDiff(beside bool) {
	p.diff.beside.SetOn(beside)
	p.diff.view.SetLook(reading.Look{Sides: beside})
	p.head.Mode.Select(ModeDiff)
	p.showMode()
}
