package recorded

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session/figures"
	"palimpsest/compaction/session/recorded"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// Screen shows one compaction at a time:
//
//	what is counted
//	three results, by kind │ their summary │ our ledger, or both
//	needed later           │ the fact that is selected
type Screen struct {
	d *desk.Desk
	w fyne.Window
	c *commands.Table

	Open bool
	obj  *fyne.Container

	title, where *kit.Text
	id           *kit.Tag
	count        *kit.Text
	left, right  *kit.Button
	head         *fyne.Container

	scores *scores
	List   *kit.List
	filter *kit.Segments
	needed *kit.Pane
	rows   []int // of the page, that pass the filter
	theirs *textPane
	ours   *textPane
	Which  *kit.Segments // the ledger, or their summary with it behind
	detail [2]*kit.Paragraph
	draft  *kit.Button
	state  *kit.Text
	body   *fyne.Container
	work   *fyne.Container

	page   int
	wanted string         // the UID of the compaction to begin with; "": any
	file   *recorded.File // that is shown
}

// Filters of the list.
const (
	All = iota
	missedByTheirs
	missedByOurs
	Differ
)

// compared are the columns that the screen sets beside each other.
var compared = []recorded.Column{recorded.Theirs, recorded.Ledger, recorded.Plus500}

// New makes the screen and binds its command.
func New(d *desk.Desk, w fyne.Window, c *commands.Table) *Screen {
	p := &Screen{d: d, w: w, c: c}
	p.scores = newScores(p)
	needs := p.needs()
	p.List = needs.NewList(24, func() int { return len(p.rows) })
	p.List.OnSelect = func(int) { p.selected() }
	p.List.OnOpen = p.goToUse
	p.filter = kit.NewSegments([]string{"", "", "", ""}, All, func(int) { p.listRows(); p.selected() }).Folding()
	p.needed = kit.NewPane(words.T("recorded.needed"), kit.Column(0, kit.Sized(0, 24, needs.Head()), kit.NewRule(),
		kit.Stretch(p.List)), p.filter)
	p.theirs, p.ours = newTextPane(d.Scheduler(), words.T("recorded.theirs")), newTextPane(d.Scheduler(), "")
	p.Which = kit.NewSegments([]string{words.T("recorded.ledger"), words.T("recorded.plus500")}, 0, func(int) { p.texts(); p.selected() })
	p.ours.pane.SetLeft(p.Which, kit.Means(p.ours.size, "recorded.size.means"))
	p.detail = [2]*kit.Paragraph{kit.NewParagraph("", kit.ColorText, 13, 3), kit.NewParagraph("", kit.ColorMuted, 13, 3)}
	p.draft = kit.NewButton(words.T("recorded.draft"), kit.Primary, p.toDraft)
	p.draft.SetTip(words.T("recorded.draft.tip"))
	table := kit.NewButton(words.T("recorded.copy"), kit.Secondary, p.copyTable)
	table.SetTip(words.T("recorded.copy.tip"))
	foot := kit.NewPane("", kit.Pad(8, 12, 8, 12, kit.Flow(4, p.detail[0], kit.Means(p.detail[1], "recorded.fate.means"), kit.Lines(8,
		kit.NewText(words.T("recorded.keys"), kit.ColorFaint, 12), kit.Spring(), table, p.draft))))
	p.state = kit.NewText("", kit.ColorMuted, 14).Center().Fit()
	lists := kit.NewSplit(true, kit.Sized(390, 0, p.scores.pane), p.needed, kit.KeepShare, .42)
	texts := kit.NewSplit(false, p.theirs.pane, p.ours.pane, kit.KeepShare, .5)
	p.work = container.NewStack(kit.NewSplit(false, lists, kit.Column(6, kit.Stretch(texts), foot), kit.KeepShare, .42))
	p.body = kit.Column(0)
	p.obj = kit.Panes(kit.Sized(0, 74, p.header()), kit.Stretch(p.body))
	d.Listen(desk.TopicFacts, p.update)
	d.Listen(desk.TopicSession, func() {
		if p.Open {
			p.close()
		}
	})
	c.Kept = p.Show
	c.Bind(commands.Recorded, p.found, func() {
		if !p.Open {
			p.Show(-1)
		}
	})
	return p
}

// found reports whether the history holds a compaction.
func (p *Screen) found() bool { return p.d.Session() != nil && len(p.d.Session().Thread().Found) > 0 }

func (p *Screen) header() fyne.CanvasObject {
	p.title, p.id = kit.Label(words.T("recorded.title")).Bold(), kit.NewTag("", kit.ColorText)
	p.where = kit.NewText("", kit.ColorMuted, 13).Fit()
	p.count = kit.NewText("", kit.ColorText, 12)
	p.left = kit.NewButton("", kit.Secondary, func() { p.Step(-1) }).WithGlyph(kit.GlyphLeft).Small()
	p.right = kit.NewButton("", kit.Secondary, func() { p.Step(1) }).WithGlyph(kit.GlyphRight).Small()
	p.left.SetTip(words.T("recorded.previous"))
	p.right.SetTip(words.T("recorded.next"))
	back := kit.NewButton(words.T("preview.back"), kit.Secondary, p.close).WithTip("preview.back.tip").Small()
	p.head = kit.Lines(10, p.title, p.id, kit.Stretch(kit.Sized(190, 0, p.where)), p.left,
		kit.Means(p.count, "recorded.count.means"), p.right, back)
	caption := func(key string) fyne.CanvasObject { return kit.NewParagraph(words.T(key), kit.ColorMuted, 12, 3) }
	return kit.NewPane("", kit.Pad(6, 10, 6, 10, kit.Flow(4, p.head, caption("recorded.caption1"),
		caption("recorded.caption2"))))
}

// Show opens the screen at a compaction of the thread, by its place among those that
// were found; −1: at the last one.
func (p *Screen) Show(found int) {
	if r := p.d.RecordView.Record(); found < 0 && r != nil && r.Cause == model.CauseFound {
		p.wanted = r.UID
	}
	p.Open, p.page, p.file = true, found, nil
	p.d.MeasureRecorded()
	p.c.Show(p.obj, p.close)
	p.update()
	p.w.Canvas().Focus(p.List)
}

func (p *Screen) close() {
	p.Open = false
	p.c.Hide()
}

// Page is the compaction that is shown; nil: none yet.
func (p *Screen) Page() *recorded.Page {
	if p.file == nil || p.page < 0 || p.page >= len(p.file.Pages) {
		return nil
	}
	return &p.file.Pages[p.page]
}

// Step shows the next compaction of the file, or with −1 the one before.
func (p *Screen) Step(by int) {
	if p.file != nil && p.page+by >= 0 && p.page+by < len(p.file.Pages) {
		p.page += by
		p.show()
	}
}

// StepDifference selects the next fact that theirs and ours do not both hold or lose.
func (p *Screen) StepDifference(by int) {
	page := p.Page()
	if page == nil {
		return
	}
	for i := range show.RoundFrom(p.List.Selected(), by, len(p.rows)) {
		if h := page.Rows[p.rows[i]].Holds; h[recorded.Theirs] != h[recorded.Ledger] {
			p.List.Select(i)
			p.selected()
			return
		}
	}
}

func (p *Screen) update() {
	if !p.Open {
		return
	}
	f, err := p.d.Recorded()
	switch {
	case err != nil:
		head, rest, _ := show.ErrorWords(err)
		p.say(head + " " + rest)
	case f == nil:
		p.say(words.T("recorded.measuring"))
	case len(f.Pages) == 0:
		p.say(words.T("recorded.none"))
	case f != p.file:
		if p.file = f; p.page >= 0 {
			p.page = slices.IndexFunc(f.Pages, func(x recorded.Page) bool { return x.Found >= p.page })
		}
		if at := slices.IndexFunc(f.Pages, func(x recorded.Page) bool { return p.wanted != "" && x.UID == p.wanted }); at >= 0 {
			p.page = at
		}
		if p.wanted = ""; p.page < 0 {
			p.page = len(f.Pages) - 1
		}
		p.show()
	}
}

func (p *Screen) say(text string) {
	p.state.SetText(text)
	p.body.Objects = []fyne.CanvasObject{kit.Stretch(kit.Column(0, kit.Spring(), p.state, kit.Spring()))}
	p.body.Refresh()
}

// show shows the page.
func (p *Screen) show() {
	page := p.Page()
	p.id.Set(page.ID, kit.ColorText)
	p.where.SetText(p.whereWords(page))
	p.count.SetText(words.T("recorded.of", "n", p.page+1, "all", len(p.file.Pages)))
	p.left.SetEnabled(p.page > 0)
	p.right.SetEnabled(p.page < len(p.file.Pages)-1)
	p.head.Refresh()
	p.body.Objects = []fyne.CanvasObject{kit.Stretch(p.work)}
	p.body.Refresh()
	p.scores.update()
	p.texts()
	p.listRows()
	p.List.Select(min(0, len(p.rows)-1))
	p.selected()
	p.w.Canvas().Focus(p.List)
	p.draft.SetEnabled(page.State == recorded.Readable && !p.d.Planning.Params().Strategy.Asks())
}

// whereWords say which compaction it is and what it reports itself.
func (p *Screen) whereWords(page *recorded.Page) string {
	title := ""
	if e := p.d.Current(); e != nil {
		title = show.Shortened(show.EntryTitle(e), 40)
	}
	cause := page.Cause
	if cause != "" {
		cause = words.T("recorded.cause", "cause", cause)
	}
	text := words.T("recorded.at", "title", title, "n", page.At, "cause", cause)
	if page.Before != nil && page.After != nil {
		text += ", " + words.T("recorded.reported", "before", words.Tokens(int64(*page.Before)), "after", words.Tokens(int64(*page.After)))
	}
	return text
}

// texts shows both texts of the page.
func (p *Screen) texts() {
	page := p.Page()
	if page == nil {
		return
	}
	theirs := page.Columns[recorded.Theirs]
	note := ""
	switch page.State {
	case recorded.Encrypted:
		note = words.T("recorded.encrypted", "count", len(page.Rows))
	case recorded.NoText:
		note = words.T("recorded.noText")
	case recorded.NothingAt:
		note = words.T("recorded.nothing")
	}
	p.theirs.set(page, recorded.Theirs, theirs, note)
	p.ours.set(page, p.column(), page.Columns[p.column()], "")
}

// column is the one that the right text shows.
func (p *Screen) column() recorded.Column { return compared[1+p.Which.Selected()] }

// listRows makes the rows that pass the filter, and counts those of the others.
func (p *Screen) listRows() {
	page := p.Page()
	if page == nil {
		return
	}
	var counts [Differ + 1]int
	p.rows = p.rows[:0]
	for i := range page.Rows {
		r := &page.Rows[i]
		if !r.Counts() {
			continue
		}
		theirs, ours := r.Holds[recorded.Theirs], r.Holds[recorded.Ledger]
		for f, in := range [...]bool{true, !theirs, !ours, theirs != ours} {
			if !in {
				continue
			}
			counts[f]++
			if f == p.filter.Selected() {
				p.rows = append(p.rows, i)
			}
		}
	}
	names := make([]string, len(counts))
	for f, key := range []string{"recorded.all", "recorded.missedTheirs", "recorded.missedOurs", "recorded.differ"} {
		names[f] = words.T(key, "n", counts[f])
	}
	p.filter.SetNames(names)
	p.needed.SetRight(p.filter)
	p.List.Update()
}

// Row is the selected row; nil: none.
func (p *Screen) Row() *recorded.Row {
	if i := p.List.Selected(); p.Page() != nil && i >= 0 && i < len(p.rows) {
		return &p.Page().Rows[p.rows[i]]
	}
	return nil
}

// selected shows the selected fact in both texts and below them.
func (p *Screen) selected() {
	r := p.Row()
	text, fact, fate := "", "", ""
	if r != nil {
		text, fact, fate = r.Text, factWords(r), fateWords(r, p.column())
	}
	p.detail[0].Set(fact, kit.ColorText)
	p.detail[1].Set(fate, kit.ColorMuted)
	p.theirs.light(text)
	p.ours.light(text)
}

// goToUse leads to where a fact was written again.
func (p *Screen) goToUse(i int) {
	if i >= 0 && i < len(p.rows) {
		use := p.Page().Rows[p.rows[i]].Uses[0]
		p.close()
		show.LookAt(p.d, use)
	}
}

// toDraft opens the preview with their summary and 500 tokens of ledger as a draft at
// this place. Nothing is applied.
func (p *Screen) toDraft() {
	page := p.Page()
	if page == nil {
		return
	}
	text := page.Columns[recorded.Plus500].Text
	th, at := p.d.Session().Thread(), page.At
	for after := th.LiveFrom(at); at > 0 && th.LiveFrom(at) == after; { // at the cut itself it has been compacted
		at--
	}
	p.close()
	p.d.DraftSet.DraftAt(at, text)
	p.c.Run(commands.Preview)
}

// share is a column's result as a figure.
func share(s recorded.Score) figure.Figure {
	v, ok := s.Share()
	if !ok {
		return figure.Figure{Reason: figures.NoNeeds, Unit: figure.Share}
	}
	return figure.Figure{Value: v, Unit: figure.Share, Kind: figure.Counted}
}
