package workbench

import (
	"slices"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// LedgerPane is the list of messages with their fates, and above it what
// filters them.
type LedgerPane struct {
	d   *desk.Desk
	w   fyne.Window
	c   *commands.Table
	obj fyne.CanvasObject

	beside *reading.View // where the selected message is read; nil: nowhere
	List   *kit.Ledger
	filter *kit.TextField
	chips  []*kit.FateChip
	Shown  *kit.Text
	Total  *kit.Figure // of the context looked at
	news   *kit.Link   // to the messages that came since a person looked
	Clear  *kit.Link
	head   *fyne.Container
	empty  *kit.Text
	all    *kit.Link // under those words: all messages again
	wider  *kit.Link // beside it: the same search in all sessions
	bar    *rangeBar
	search *searchStrip

	scale show.BarScale
	entry *desk.Entry // whose rows are shown, and of which thread
	ref   session.Ref
	num   int // the message that is selected; 0: another row, or none
	by    desk.Filter
	top   int // the message that is to be at the top of the first plan; 0: the selected one
	above float32
	tops  map[leftRows]topRow // where a person left the rows of other histories
}

// leftRows are the rows of one thread of a history, and topRow is the message at their
// top, from 1, and how much of it is above the edge.
type (
	leftRows struct {
		entry *desk.Entry
		ref   session.Ref
	}
	topRow struct {
		num   int
		above float32
	}
)

// headWho is the column of who speaks, among the captions.
const headWho = 3

// StartAt says which message is to be at the top when the present history is
// shown, and how much of its row is above the edge.
func (p *LedgerPane) StartAt(num int, above float32) {
	if p.top, p.above = num, above; num == 1 && above == 0 {
		p.top = 0
	}
	p.entry = nil
	p.update()
}

func NewLedgerPane(d *desk.Desk, w fyne.Window, c *commands.Table) *LedgerPane {
	p := &LedgerPane{d: d, w: w, c: c, tops: map[leftRows]topRow{}}
	p.List = kit.NewLedger(show.LedgerCaptions())
	p.List.OnSelect = d.SelectRow
	p.List.OnFate = func(i int) {
		d.SelectRow(i)
		d.TogglePinSelected()
	}
	p.List.OnMenu = p.menu
	p.List.OnLink = func(i int) {
		d.SelectRow(i)
		c.Run(commands.Note)
	}
	p.List.OnOpen = p.read
	c.Read = func(history int) {
		d.SelectMessage(history)
		p.read(d.RowOfMessage(history))
	}
	p.List.HeadTip = words.T("ledger.head.tip")
	p.List.OnHead = p.orderBy
	p.List.OnScroll = p.noteTop
	p.bar = newRangeBar(p)
	p.List.OnRange = p.bar.update
	p.List.Tip = p.rowTip
	p.List.Explain = func(i int, total bool) func() kit.Card {
		if i >= d.RowCount() {
			return nil
		}
		f, ok := d.RowFigure(d.Row(i), total)
		if !ok {
			return nil
		}
		return func() kit.Card { return show.CellCard(d, f) }
	}
	p.empty = kit.NewText("", kit.ColorMuted, 13).Center().Fit()
	p.all = kit.NewLink(words.T("do.clearFilter"), func() { d.SetFilter(desk.Filter{}) }).WithTip("ledger.clear.tip")
	p.wider = kit.NewLink(words.T("find.title"), nil).Does(c, commands.FindAll)
	p.List.Empty = kit.Column(6, kit.Spring(), p.empty, kit.Row(16, kit.Spring(), p.all, p.wider, kit.Spring()), kit.Spring())
	p.filter = kit.NewFilter(words.T("ledger.filter"), func(s string) { p.setFilter(func(f *desk.Filter) { f.Text = s }) })
	p.filter.SetTip(words.T("ledger.filter.tip", "key", c.Key(commands.Find)))
	p.filter.OnSubmitted = func(string) {
		if d.Selected() < 0 || d.RowCount() == 0 {
			d.StepHit(1)
		}
		p.focus()
	}
	p.search = newSearchStrip(p)
	items := []fyne.CanvasObject{kit.Elastic(120, 212, 420, 24, p.filter)}
	for i, f := range model.Fates {
		chip := kit.NewFateChip(f.Letter(), words.T("ledger.only", "fate", show.FateWord(f)), func() { p.ToggleFate(i) })
		p.chips = append(p.chips, chip)
		items = append(items, chip)
	}
	p.Shown, p.Total = kit.NewText("", kit.ColorMuted, 12), kit.NewFigure(kit.ColorMuted, 12)
	p.news = kit.NewLink("", nil).Does(c, commands.NewMessages)
	p.news.Hide()
	p.Clear = kit.NewLink(words.T("ledger.clear"), func() { d.SetFilter(desk.Filter{}) }).WithTip("ledger.clear.tip")
	p.head = kit.Row(4, append(items, kit.Spring(), kit.Pad(0, 8, 0, 4, p.news),
		kit.Spared(kit.Row(4, kit.Means(p.Shown, "ledger.shown.means"), p.Total)), kit.Pad(0, 2, 0, 4, p.Clear))...)
	body := kit.Column(0, kit.Pad(4, 8, 4, 8, p.head), p.search.obj, kit.NewRule(), kit.Stretch(p.List), p.bar.obj)
	p.obj = kit.NewPane("", body)

	d.Listen(desk.TopicPlan, p.update)
	d.Listen(desk.TopicSession, p.update)
	d.Listen(desk.TopicSelect, p.selected)
	d.Listen(desk.TopicFiles, p.showNews)
	chosen := func() bool { return d.Selected() >= 0 && d.Selected() < d.RowCount() }
	c.Bind(commands.CopyText, chosen, func() { p.copySelected(false) })
	c.Bind(commands.CopyRedacted, chosen, func() { p.copySelected(true) })
	p.update()
	return p
}

// Find puts the cursor into the field that filters the list.
func (p *LedgerPane) Find() { p.filter.Focus() }

// ReadBeside says where the selected message is read; what is not in its text is looked
// for in the list.
func (p *LedgerPane) ReadBeside(v *reading.View) {
	p.beside = v
	v.OnFindMore = func(s string) {
		p.d.SetFilter(desk.Filter{Text: s})
		p.filter.Focus()
	}
}

// noteTop remembers which message is at the top, to be there again when a person comes
// back from another history.
func (p *LedgerPane) noteTop(offset float32) {
	if e := p.d.Current(); e == nil || e != p.entry || e.Ref != p.ref || p.d.Planning.Plan() == nil || p.d.Filter() != (desk.Filter{}) {
		return
	}
	from, to := p.List.Shown()
	for i := from; i < min(to, p.d.RowCount()); i++ {
		if num := p.d.Row(i).Num; num > 0 { // the others come and go with the plan
			p.tops[leftRows{p.entry, p.ref}] = topRow{num, offset - float32(i)*p.List.Pitch()}
			return
		}
	}
}

// Object is what is in the window.
func (p *LedgerPane) Object() fyne.CanvasObject { return p.obj }

// focus gives the list the keyboard.
func (p *LedgerPane) focus() { p.w.Canvas().Focus(p.List) }

func (p *LedgerPane) setFilter(change func(f *desk.Filter)) {
	f := p.d.Filter()
	change(&f)
	p.d.SetFilter(f)
}

// orderBy orders the rows by a column, or again as they were said.
func (p *LedgerPane) orderBy(col int) {
	by, ok := map[int]desk.Sort{headWho: desk.ByWho, len(show.LedgerCaptions()) - 1: desk.Largest}[col]
	if !ok {
		return
	}
	p.setFilter(func(f *desk.Filter) {
		if f.Sort == by {
			by = desk.AsSaid
		}
		f.Sort = by
	})
}

// rowTip is why a row has its fate.
func (p *LedgerPane) rowTip(i int) string {
	if i >= p.d.RowCount() {
		return ""
	}
	switch r := p.d.Row(i); r.Kind {
	case session.RowFound:
		return words.T("ledger.found.means")
	case session.RowDamaged:
		return words.T("ledger.damaged.means")
	default:
		return show.FateReason(p.d, r)
	}
}

// ToggleFate shows only one fate, or all again.
func (p *LedgerPane) ToggleFate(i int) {
	p.setFilter(func(f *desk.Filter) {
		if f.Fate == i+1 {
			f.Fate = 0
		} else {
			f.Fate = i + 1
		}
	})
}

func (p *LedgerPane) update() {
	s, f := p.d.Session(), p.d.Filter()
	p.measure(s)
	p.filter.SetText(f.Text)
	p.search.update()
	p.List.SetTicks(p.d.HitRows())
	p.showCounts(f)
	p.showNews()
	digits := 3
	if s != nil {
		digits = max(3, len(words.Int(int64(len(s.Thread().History)))))
	}
	p.List.SetNumberWidth(digits)
	p.showEmpty(s, f)
	from, to := p.List.Shown()
	seen := p.List.Selected() >= from && p.List.Selected() < to || f != p.by
	p.by = f
	anchor := p.bar.anchor // the source may have other rows in their places
	p.List.SetSource((*LedgerRows)(p))
	at := -1
	if anchor > 0 && p.selectedNum() == p.num {
		at = p.d.RowOfMessage(anchor - 1)
	}
	if at >= 0 {
		p.List.SelectRange(at, p.d.Selected())
	} else if num := p.selectedNum(); num > 0 && num == p.num && !seen {
		p.List.Keep(p.d.Selected()) // a person has scrolled away from it
	} else {
		p.List.Select(p.d.Selected())
		p.num = num
	}
	p.begin()
}

// showEmpty says why there are no rows.
func (p *LedgerPane) showEmpty(s *session.Session, f desk.Filter) {
	switch {
	case s == nil:
		p.empty.SetText("")
	case p.d.Searching():
		p.empty.SetText(words.T("find.running"))
	case f != (desk.Filter{}):
		p.empty.SetText(words.T("ledger.nothing"))
	default:
		p.empty.SetText(words.T("ledger.empty"))
	}
	hide, nowhere := s == nil || f == (desk.Filter{}), f.Text == ""
	if hide != p.all.Hidden || nowhere != p.wider.Hidden {
		p.all.Hidden, p.wider.Hidden = hide, nowhere
		p.List.Empty.Refresh()
	}
}

// begin scrolls a history that is shown anew, when its first plan is there, to where it
// was left, or else to the message that is selected.
func (p *LedgerPane) begin() {
	if e := p.d.Current(); e != nil && (p.entry != e || p.ref != e.Ref) && p.d.Planning.Plan() != nil {
		p.entry, p.ref = e, e.Ref
		if left, ok := p.tops[leftRows{e, e.Ref}]; ok && p.top == 0 && p.d.RowOfMessage(left.num-1) >= 0 {
			p.top, p.above = left.num, left.above
		}
		to := float32(p.d.Selected()-2) * p.List.Pitch()
		if p.top > 0 {
			to = float32(p.d.RowOfMessage(p.top-1))*p.List.Pitch() + p.above
		}
		p.top = 0
		p.List.ScrollTo(to)
	}
}

// selectedNum is the number of the selected message; 0 if there is none.
func (p *LedgerPane) selectedNum() int {
	if i := p.d.Selected(); i >= 0 && i < p.d.RowCount() {
		return p.d.Row(i).Num
	}
	return 0
}

func (p *LedgerPane) selected() {
	p.num = p.selectedNum()
	p.search.selected()
	if p.List.Selected() != p.d.Selected() {
		p.List.Select(p.d.Selected())
	}
}

// showCounts writes how many messages have each fate, and how many rows pass
// the filter.
func (p *LedgerPane) showCounts(f desk.Filter) {
	var counts [len(model.Fates)]int
	if pl := p.d.Planning.Plan(); pl != nil {
		counts = pl.Counts()
	}
	for i, chip := range p.chips {
		chip.Set(words.Int(int64(counts[i])), f.Fate == i+1)
		show.SetVisible(chip, counts[i] > 0 || f.Fate == i+1)
	}
	p.Total.Clear()
	switch {
	case f.Sort != desk.AsSaid && !f.Hides():
		p.Shown.SetText(words.T(map[desk.Sort]string{desk.Largest: "ledger.byTokens", desk.ByWho: "ledger.byWho"}[f.Sort]))
		p.Clear.SetText(words.T("ledger.inOrder"))
		p.Clear.Show()
	case f == (desk.Filter{}):
		p.Shown.SetText("")
		p.Clear.Hide()
		p.showTotal()
	default:
		p.Clear.SetText(words.T("ledger.clear"))
		p.Shown.SetText(words.T("ledger.shown", "n", p.d.RowCount(), "m", p.d.LedgerLen()))
		p.Clear.Show()
	}
	p.head.Refresh()
}

// showTotal writes what the context looked at holds, before anything is compacted.
func (p *LedgerPane) showTotal() {
	c, ok := p.d.CompactionFigures()
	if !ok {
		return
	}
	f := c.Before
	f.Name = "live"
	text := words.T("count.messages", "count", p.d.Planning.Plan().Before.Messages) + " · " + words.Figure(f)
	if p.head.Size().Width < kit.Px(700) {
		text = words.Figure(f)
	}
	show.PutFigure(p.Total, p.d, f, text, kit.ColorMuted)
}

// showNews describes how many messages came while the file grew.
func (p *LedgerPane) showNews() {
	text := ""
	if e := p.d.Current(); e != nil && e.New > 0 {
		text = words.T("follow.new", "count", e.New)
	}
	if p.news.Text() != text {
		p.news.SetText(text)
		p.news.Hidden = text == ""
		p.head.Refresh()
	}
}

// measure finds the longest bar of a session.
func (p *LedgerPane) measure(s *session.Session) {
	if s == nil || p.scale.Of == s {
		return
	}
	p.scale = show.BarScale{Of: s}
	for i := range s.Thread().Messages {
		p.scale.Largest = max(p.scale.Largest, int64(s.Tokens(int32(i))))
	}
}

// LedgerRows puts the desk's rows into words, when they are to be seen.
type LedgerRows LedgerPane

// Len is the number of rows.
func (l *LedgerRows) Len() int { return l.d.RowCount() }

// Row is one row in words.
func (l *LedgerRows) Row(i int) kit.LedgerRow {
	r := l.d.Row(i)
	out := show.RowInWords(show.Of(l.d), r)
	out.Bar = l.scale.Share(int64(r.Tokens))
	if r.Kind == session.RowFound {
		out.Bar = 0
	}
	if f, ok := l.d.FoundIn(i); ok {
		out.First, out.Hits = f.Snippet.Text, l.d.Lit()
	}
	if f := l.d.Filter(); f.Sort == desk.AsSaid && (!f.Hides() || f.Around == desk.HitsInAll) {
		out.Joined = l.joined(i, r)
	}
	return out
}

// joined says how a row hangs together with its neighbours as a call with its
// results.
func (l *LedgerRows) joined(i int, r session.Row) kit.Bracket {
	if r.Msg == nil {
		return kit.BracketNone
	}
	at := func(i int) *model.Message {
		if i < 0 || i >= l.d.RowCount() {
			return nil
		}
		return l.d.Row(i).Msg
	}
	result := func(m *model.Message) bool { return m != nil && m.Kind == model.KindResult }
	next := result(at(i + 1))
	switch {
	case len(r.Msg.Calls) > 0 && next && answers(at(i+1), r.Msg):
		return kit.BracketTop
	case !result(r.Msg):
		return kit.BracketNone
	}
	before := at(i - 1)
	switch above := result(before) || before != nil && answers(r.Msg, before); {
	case above && next:
		return kit.BracketMiddle
	case above:
		return kit.BracketBottom
	}
	return kit.BracketNone
}

func answers(result, call *model.Message) bool {
	return slices.ContainsFunc(call.Calls, func(c model.Call) bool { return c.ID == result.Answers })
}
