package gui

import (
	"math"
	"strconv"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// ledgerPane is the list of messages with their fates, and above it what
// filters them.
type ledgerPane struct {
	d   *desk.Desk
	w   fyne.Window
	c   *commands
	obj fyne.CanvasObject

	list   *kit.Ledger
	filter *kit.TextField
	chips  []*kit.FateChip
	shown  *kit.Text
	news   *kit.Link // to the messages that came since a person looked
	clear  *kit.Link
	head   *fyne.Container
	empty  *kit.Text

	scale barScale
	entry *desk.Entry // whose rows are shown, and of which thread
	ref   session.Ref
	num   int // the message that is selected; 0: another row, or none
	top   int // the message that is to stand at the top of the first plan; 0: the selected one
	above float32
}

// startAt says which message is to stand at the top when the present history is
// shown, and how much of its row is above the edge.
func (p *ledgerPane) startAt(num int, above float32) {
	if p.top, p.above = num, above; num == 1 && above == 0 {
		p.top = 0
	}
	p.entry = nil
	p.update()
}

// barScale is what the bars of one session are drawn to.
type barScale struct {
	of      *session.Session
	largest int64
}

func newLedgerPane(d *desk.Desk, w fyne.Window, c *commands) *ledgerPane {
	p := &ledgerPane{d: d, w: w, c: c}
	p.list = kit.NewLedger(ledgerCaptions())
	p.list.OnSelect = d.SelectRow
	p.list.OnFate = func(i int) {
		d.SelectRow(i)
		d.TogglePinSelected()
	}
	p.list.OnMenu = p.menu
	p.list.Tip = func(i int) string {
		if i >= d.RowCount() {
			return ""
		}
		return fateReason(d, d.Row(i))
	}
	p.empty = kit.NewText("", kit.ColorMuted, 13).Center().Fit()
	p.list.Empty = p.empty
	p.filter = kit.NewFilter(words.T("ledger.filter"), func(s string) { p.setFilter(func(f *desk.Filter) { f.Text = s }) })
	p.filter.OnSubmitted = func(string) { p.focus() }
	items := []fyne.CanvasObject{kit.Sized(190, 24, p.filter)}
	for i, f := range model.Fates {
		chip := kit.NewFateChip(f.Letter(), words.T("ledger.only", "fate", fateWord(f)), func() { p.toggleFate(i) })
		p.chips = append(p.chips, chip)
		items = append(items, chip)
	}
	p.shown = kit.NewText("", kit.ColorMuted, 12)
	p.news = kit.NewLink("", func() { c.run("newMessages") })
	p.clear = kit.NewLink(words.T("ledger.clear"), func() { d.SetFilter(desk.Filter{}) })
	p.head = kit.Row(4, append(items, kit.Spring(), kit.Pad(0, 8, 0, 4, p.news), p.shown, kit.Pad(0, 2, 0, 4, p.clear))...)
	body := kit.Column(0, kit.Pad(4, 8, 4, 8, p.head), kit.NewRule(), kit.Stretch(p.list))
	p.obj = kit.NewPane("", body)

	d.Listen(desk.TopicPlan, p.update)
	d.Listen(desk.TopicSession, p.update)
	d.Listen(desk.TopicSelect, p.selected)
	d.Listen(desk.TopicFiles, p.showNews)
	c.bind("find", nil, p.filter.Focus)
	c.bind("copyText", func() bool { return d.Selected() >= 0 && d.Selected() < d.RowCount() }, func() { p.copy(d.Selected()) })
	p.update()
	return p
}

func ledgerCaptions() [6]string {
	return [6]string{words.T("column.total"), words.T("column.fate"), words.T("column.number"),
		words.T("column.who"), words.T("column.first"), words.T("column.tokens")}
}

// Object is what stands in the window.
func (p *ledgerPane) Object() fyne.CanvasObject { return p.obj }

// focus gives the list the keyboard.
func (p *ledgerPane) focus() { p.w.Canvas().Focus(p.list) }

func (p *ledgerPane) setFilter(change func(f *desk.Filter)) {
	f := p.d.Filter()
	change(&f)
	p.d.SetFilter(f)
}

// toggleFate shows only one fate, or all again.
func (p *ledgerPane) toggleFate(i int) {
	p.setFilter(func(f *desk.Filter) {
		if f.Fate == i+1 {
			f.Fate = 0
		} else {
			f.Fate = i + 1
		}
	})
}

func (p *ledgerPane) update() {
	s, f := p.d.Session(), p.d.Filter()
	p.measure(s)
	p.filter.SetText(f.Text)
	p.showCounts(f)
	p.showNews()
	p.list.SetNumberWidth(p.numberWidth(s))
	switch {
	case s == nil:
		p.empty.SetText("")
	case f != (desk.Filter{}):
		p.empty.SetText(words.T("ledger.nothing"))
	default:
		p.empty.SetText(words.T("ledger.empty"))
	}
	from, to := p.list.InView()
	seen := p.list.Selected() >= from && p.list.Selected() < to
	p.list.SetSource((*ledgerRows)(p))
	if num := p.selectedNum(); num > 0 && num == p.num && !seen {
		p.list.Keep(p.d.Selected()) // a person has scrolled away from it
	} else {
		p.list.Select(p.d.Selected())
		p.num = num
	}
	if e := p.d.Current(); e != nil && (p.entry != e || p.ref != e.Ref) && p.d.Plan() != nil {
		p.entry, p.ref = e, e.Ref // the first plan of another history
		to := float32(p.d.Selected()-2) * p.list.Pitch()
		if p.top > 0 {
			to = float32(p.d.RowOfMessage(p.top-1))*p.list.Pitch() + p.above
		}
		p.top = 0
		p.list.ScrollTo(to)
	}
}

// selectedNum is the number of the selected message; 0 if there is none.
func (p *ledgerPane) selectedNum() int {
	if i := p.d.Selected(); i >= 0 && i < p.d.RowCount() {
		return p.d.Row(i).Num
	}
	return 0
}

func (p *ledgerPane) selected() {
	p.num = p.selectedNum()
	if p.list.Selected() != p.d.Selected() {
		p.list.Select(p.d.Selected())
	}
}

// showCounts writes how many messages have each fate, and how many rows pass
// the filter.
func (p *ledgerPane) showCounts(f desk.Filter) {
	var counts [len(model.Fates)]int
	if pl := p.d.Plan(); pl != nil {
		counts = pl.Counts()
	}
	for i, chip := range p.chips {
		chip.Set(words.Int(int64(counts[i])), f.Fate == i+1)
		chip.SetEnabled(counts[i] > 0 || f.Fate == i+1)
	}
	if f == (desk.Filter{}) {
		p.shown.SetText("")
		p.clear.Hide()
	} else {
		p.shown.SetText(words.T("ledger.shown", "n", p.d.RowCount(), "m", p.d.LedgerLen()))
		p.clear.Show()
	}
	p.head.Refresh()
}

// showNews tells how many messages came while the file grew.
func (p *ledgerPane) showNews() {
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

func (p *ledgerPane) numberWidth(s *session.Session) int {
	if s == nil {
		return 3
	}
	return max(3, len(words.Int(int64(len(s.Thread().History)))))
}

// measure finds the longest bar of a session.
func (p *ledgerPane) measure(s *session.Session) {
	if s == nil || p.scale.of == s {
		return
	}
	p.scale = barScale{of: s}
	for i := range s.Thread().Messages {
		p.scale.largest = max(p.scale.largest, int64(s.Tokens(int32(i))))
	}
}

// share is the length of a bar. The square root lets small messages be seen
// beside large ones.
func (b barScale) share(tokens int64) float32 {
	if b.largest <= 0 || tokens <= 0 {
		return 0
	}
	return float32(math.Sqrt(math.Min(1, float64(tokens)/float64(b.largest))))
}

// ledgerRows puts the desk's rows into words, when they are to be seen.
type ledgerRows ledgerPane

// Len is the number of rows.
func (l *ledgerRows) Len() int { return l.d.RowCount() }

// Row is one row in words.
func (l *ledgerRows) Row(i int) kit.LedgerRow {
	r := l.d.Row(i)
	out := rowInWords(l.d, r)
	out.Bar = l.scale.share(int64(r.Tokens))
	if r.Kind == session.RowFound {
		out.Bar = 0
	}
	if l.d.Filter() == (desk.Filter{}) {
		out.Joined = l.joined(i, r)
	}
	return out
}

// rowInWords is a row of the ledger without its bar.
func rowInWords(d *desk.Desk, r session.Row) kit.LedgerRow {
	out := kit.LedgerRow{Who: whoSays(r), First: r.First, Tokens: tokenCount(d, int64(r.Tokens))}
	if r.Num > 0 {
		out.Num = words.Int(int64(r.Num))
	} else {
		out.Num = "§"
	}
	if r.Total >= 0 {
		out.Total = tokenCount(d, r.Total)
	}
	if r.Live {
		out.Fate = r.Fate.Letter()
	}
	switch {
	case r.Kind == session.RowFound:
		out.Mark, out.Num, out.Tokens, out.First = true, foundNumber(d, r), "", foundWords(r.Found)
	case r.Kind == session.RowSummary:
		if dr := d.Draft(); dr != nil {
			out.First = firstOf(dr.Text.Text)
		} else {
			out.First, out.Dim, out.Tokens = words.T(toCome(d)), true, words.Estimate(int64(r.Tokens))
		}
	case r.Msg == nil:
		out.First = firstOf(d.Session().SummaryText(r.Record))
		out.Dim = r.Fate == model.Summarised
	case !r.Live:
		out.Past, out.Faded = true, true
	case r.Fate == model.Summarised || r.Fate == model.Dropped:
		out.Dim = true
	}
	return out
}

// foundNumber is the number under which the chart marks a found compaction.
func foundNumber(d *desk.Desk, r session.Row) string {
	list := d.Session().Thread().Found
	for i := range list {
		if &list[i] == r.Found {
			return strconv.Itoa(i + 1)
		}
	}
	return ""
}

// joined says how a row hangs together with its neighbours as a call with its
// results.
func (l *ledgerRows) joined(i int, r session.Row) kit.Bracket {
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
	for _, c := range call.Calls {
		if c.ID == result.Answers {
			return true
		}
	}
	return false
}

// toCome tells why the row of a summary has no text: it is being made, or a model
// is to be asked for it.
func toCome(d *desk.Desk) string {
	if d.Params().Strategy.Asks() && !d.Asking().Running() {
		return "row.notAsked"
	}
	return "row.summaryToCome"
}
