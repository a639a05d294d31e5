package workbench

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/query"
)

// searchStrip is below the head of the ledger while something is looked for: the
// terms of the query as chips, what may go on, and how many were found.
//
//	[role:tool ×] [tokens>2k ×] [column ×]  Tab: tool:Read 14 · tool:Bash 6    3 of 41 · 94 places  ▲ ▼  Hits|All  Filters ▾
type searchStrip struct {
	p     *ledgerPane
	obj   fyne.CanvasObject
	box   *fyne.Container
	row   *fyne.Container
	chips *fyne.Container
	count *kit.Text
	whole *kit.Segments
	saved *kit.Link
	shown string // the chips, as they are
	offer []query.Offer
	facts query.Facts
	of    any // what the facts are of
}

// mostOffers is how many completions have room.
const mostOffers = 5

func newSearchStrip(p *ledgerPane) *searchStrip {
	s := &searchStrip{p: p, count: kit.NewText("", kit.ColorMuted, 12), chips: kit.Row(4)}
	s.whole = kit.NewSegments([]string{words.T("find.hits"), words.T("find.all")}, 0, func(i int) {
		p.setFilter(func(f *desk.Filter) { f.Whole = i == 1 })
	})
	s.saved = kit.NewMenuLink(words.T("find.saved"), nil)
	s.saved.OnTapped = s.menu
	up := kit.NewIconButton(kit.GlyphUp, words.T("command.previousHit"), func() { p.c.Run(commands.PreviousHit) })
	down := kit.NewIconButton(kit.GlyphDown, words.T("command.nextHit"), func() { p.c.Run(commands.NextHit) })
	s.row = kit.Row(8, kit.Stretch(container.NewHScroll(s.chips)), s.count, up, down, s.whole, s.saved)
	s.box = kit.Column(0, kit.NewRule(), kit.Pad(4, 8, 4, 8, s.row))
	s.obj = s.box
	p.filter.OnTab, p.filter.TakesTab = s.take, func() bool { return len(s.offer) > 0 }
	return s
}

// update shows the present query.
func (s *searchStrip) update() {
	d := s.p.d
	f := d.Filter()
	show.SetVisible(s.box, f.Text != "")
	s.p.filter.SetBad(false)
	if f.Text == "" {
		s.offer = nil
		return
	}
	q, wrong := d.Query()
	s.p.filter.SetBad(wrong != nil)
	s.complete(f.Text)
	if now := f.Text + "\x00" + q.String(); now != s.shown {
		s.shown = now
		s.chips.Objects = s.parts(q, wrong)
	}
	i := 0
	if f.Whole {
		i = 1
	}
	s.whole.Select(i)
	s.counted()
	s.row.Refresh()
}

// counted says how many were found, and which of them is looked at.
func (s *searchStrip) counted() {
	d := s.p.d
	n, places, at := d.Hits()
	text := words.T("find.messages", "count", n)
	switch {
	case at > 0:
		text = words.T("find.at", "n", at, "count", n)
	case n == 0 && d.Searching():
		text = words.T("find.running")
	}
	if places > 0 {
		text += " · " + words.T("find.places", "count", places)
	}
	if n > 0 && d.Searching() {
		text += " …"
	}
	if s.count.Text() != text {
		s.count.SetText(text)
		s.row.Refresh()
	}
}

// parts are the chips of a query, and behind them what is wrong with it or may go on.
func (s *searchStrip) parts(q query.Query, wrong *query.Error) (list []fyne.CanvasObject) {
	for i, t := range q.Terms {
		chip := kit.NewTag(t.String()+" ×", kit.ColorAccent)
		chip.OnTapped = func() { s.chipMenu(chip, q, i) }
		list = append(list, chip)
	}
	if wrong != nil && len(s.offer) == 0 {
		list = append(list, kit.NewText(show.QueryProblem(wrong), kit.ColorWarning, 12))
	}
	for i, o := range s.offer[:min(len(s.offer), mostOffers)] {
		text := o.Text
		if o.N > 0 {
			text += " " + words.Int(int64(o.N))
		}
		if i == 0 {
			text = "Tab " + text
		}
		tag := kit.NewTag(text, kit.ColorMuted)
		tag.OnTapped = func() { s.put(o) }
		list = append(list, tag)
	}
	return list
}

// complete finds what may go on at the cursor.
func (s *searchStrip) complete(text string) {
	if of := s.p.d.Plan(); s.of != of {
		s.of, s.facts = of, s.p.d.QueryFacts()
	}
	s.offer = query.Complete(text, s.p.filter.Cursor(), s.facts)
	if len(s.offer) == 1 && s.offer[0].Text == text[s.offer[0].From:s.offer[0].To] {
		s.offer = nil // it is there
	}
}

// take puts in the first of what may go on.
func (s *searchStrip) take() {
	if len(s.offer) > 0 {
		s.put(s.offer[0])
	}
}

func (s *searchStrip) put(o query.Offer) {
	text := s.p.filter.Text()
	if o.From > len(text) || o.To > len(text) {
		return
	}
	end := o.Text
	if o.Value != "" && text[o.To:] == "" {
		end += " "
	}
	s.p.filter.Put(text[:o.From] + end + text[o.To:])
	s.p.filter.Continue(s.p.w.Canvas())
}

// chipMenu takes a term away or turns it round.
func (s *searchStrip) chipMenu(chip *kit.Tag, q query.Query, i int) {
	set := func(q query.Query) func() {
		return func() { s.p.setFilter(func(f *desk.Filter) { f.Text = q.String() }) }
	}
	turn := words.T("find.not")
	if q.Terms[i].Not {
		turn = words.T("find.only")
	}
	kit.ShowMenu(s.p.w.Canvas(), []kit.MenuItem{
		{Text: words.T("find.remove"), Run: set(q.Drop(i))},
		{Text: turn, Run: set(q.Turn(i))},
		{Text: words.T("find.alone"), Run: set(query.Query{Terms: q.Terms[i : i+1]})},
	}, below(chip), 0)
}

// menu offers the filters that were kept, and to keep this one.
func (s *searchStrip) menu() {
	d := s.p.d
	text := d.Filter().Text
	var items []kit.MenuItem
	kept := false
	for _, f := range d.SavedFilters() {
		kept = kept || f == text
		items = append(items, kit.MenuItem{Text: f, Checked: f == text, Run: func() { s.p.setFilter(func(x *desk.Filter) { x.Text = f }) }})
	}
	if len(items) > 0 {
		items = append(items, kit.Rule)
	}
	if kept {
		items = append(items, kit.MenuItem{Text: words.T("find.forget"), Run: func() { d.KeepFilter(text, false) }})
	} else {
		items = append(items, kit.MenuItem{Text: words.T("find.keep"), Disabled: text == "", Run: func() { d.KeepFilter(text, true) }})
	}
	kit.ShowMenu(s.p.w.Canvas(), items, below(s.saved), 0)
}

// below is where a menu of an object is opened.
func below(o fyne.CanvasObject) fyne.Position {
	return fyne.CurrentApp().Driver().AbsolutePositionForObject(o).AddXY(0, o.Size().Height)
}
