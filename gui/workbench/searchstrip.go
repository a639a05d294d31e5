package workbench

import (
	"fmt"

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
//	[role:tool ×] [tokens>2k ×] [column ×]  narrow to tool:Read 14    Aa word .*  3 of 41 · 94 places  ▲ ▼  All|Hits|Hits ± 2  Filters ▾
type searchStrip struct {
	p     *LedgerPane
	obj   fyne.CanvasObject
	box   *fyne.Container
	row   *fyne.Container
	chips *fyne.Container
	count *kit.Text
	less  *kit.Link // to the query without the term that stands in the way
	match *show.MatchSwitches
	which *kit.Segments
	saved *kit.Link
	shown string // the chips, as they are
	offer []query.Offer
}

// mostOffers is how many completions have room.
const mostOffers = 5

func newSearchStrip(p *LedgerPane) *searchStrip {
	s := &searchStrip{p: p, count: kit.NewText("", kit.ColorMuted, 12), chips: kit.Row(4)}
	s.which = kit.NewSegments([]string{words.T("find.hits"), words.T("find.near"), words.T("find.all")}, 0, func(i int) {
		p.setFilter(func(f *desk.Filter) { f.Around = desk.Around(i) })
	})
	s.less = kit.NewLink("", func() {
		if w, ok := p.d.Without(); ok {
			p.setFilter(func(f *desk.Filter) { f.Text = w.Text })
		}
	}).WithTip("find.less.tip")
	s.match = show.NewMatchSwitches(func(text string) { p.setFilter(func(f *desk.Filter) { f.Text = text }) })
	s.saved = kit.NewMenuLink(words.T("find.saved"), nil)
	s.saved.OnTapped = s.menu
	up := kit.NewIconButton(kit.GlyphUp, words.T("command.previousHit"), func() { p.c.Run(commands.PreviousHit) })
	down := kit.NewIconButton(kit.GlyphDown, words.T("command.nextHit"), func() { p.c.Run(commands.NextHit) })
	s.row = kit.Row(8, kit.Stretch(container.NewHScroll(s.chips)), kit.Spared(s.match.Obj), s.count, s.less, up, down,
		s.which, kit.Spared(s.saved))
	s.box = kit.Column(0, kit.NewRule(), kit.Pad(4, 8, 4, 8, s.row))
	s.obj = s.box
	p.filter.TakesTab = func() bool { return len(s.offer) > 0 }
	p.filter.OnTab = func() {
		if len(s.offer) > 0 {
			s.put(s.offer[0])
		}
	}
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
	s.which.Select(int(f.Around))
	s.match.Set(f.Text)
	s.terms(q, wrong)
	s.counted()
	s.row.Refresh()
}

// terms shows the chips again if one of them changed.
func (s *searchStrip) terms(q query.Query, wrong *query.Error) {
	text := s.p.d.Filter().Text
	s.offer = query.Complete(text, s.p.filter.Cursor(), s.p.d.QueryFacts()) // what may go on at the cursor
	if len(s.offer) == 1 && s.offer[0].Text == text[s.offer[0].From:s.offer[0].To] {
		s.offer = nil // it is there
	}
	narrow := s.p.d.Narrowing()
	if now := fmt.Sprint(text, "\x00", q.String(), s.offer, narrow); now != s.shown {
		s.shown = now
		s.chips.Objects = s.parts(q, wrong, narrow)
		s.row.Refresh()
	}
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
	less := ""
	if w, ok := d.Without(); ok {
		less = words.T("find.without", "term", w.Term, "count", w.N)
	}
	if s.count.Text() != text || s.less.Text() != less {
		s.count.SetText(text)
		s.less.SetText(less)
		show.SetVisible(s.less, less != "")
		s.row.Refresh()
	}
}

// selected shows what was found out since.
func (s *searchStrip) selected() {
	if s.p.d.Filter().Text != "" {
		s.terms(s.p.d.Query())
		s.counted()
	}
}

// parts are the chips of a query, and behind them what is wrong with it, may go on or
// narrows it.
func (s *searchStrip) parts(q query.Query, wrong *query.Error, narrow []query.Offer) (list []fyne.CanvasObject) {
	for i, t := range q.Terms {
		if t.Kind == query.Clause && t.Key == query.Match {
			continue // the switches show it
		}
		chip := kit.NewTag(t.String()+" ×", kit.ColorAccent)
		chip.OnTapped = func() { s.chipMenu(chip, q, i) }
		chip.SetTip(words.T("find.chip.tip"))
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
		tag.SetTip(words.T("find.put.tip"))
		list = append(list, tag)
	}
	if len(s.offer) == 0 && len(narrow) > 0 {
		list = append(list, show.Narrowing(narrow, func(o query.Offer) { s.p.d.Narrow(o.Key, o.Value, false) })...)
	}
	return list
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
	show.FilterMenu(s.p.d, s.saved, s.p.d.Filter().Text, func(text string) {
		s.p.setFilter(func(f *desk.Filter) { f.Text = text })
	})
}

// below is where a menu of an object is opened.
func below(o fyne.CanvasObject) fyne.Position {
	return fyne.CurrentApp().Driver().AbsolutePositionForObject(o).AddXY(0, o.Size().Height)
}
