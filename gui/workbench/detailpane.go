package workbench

import (
	"context"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/sched"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// detailPane is the text of the selected row: readable, or as the source spells
// it, a page at a time.
type detailPane struct {
	d *desk.Desk
	c *commands.Table

	pane   *kit.Pane
	View   *kit.TextView
	chip   *kit.Tag
	tokens *kit.Text
	modes  *kit.Segments
	pin    *kit.Button
	edit   *kit.Button

	headed [5]any // what the head shows
	raw    bool
	Blocks []Block // of the detail shown
	shown  *desk.Detail
	pages  int
	inLine bool // what is shown ends inside a line
}

func NewDetailPane(d *desk.Desk, _ fyne.Window, c *commands.Table) *detailPane {
	p := &detailPane{d: d, c: c, pages: 1}
	p.View = kit.NewTextView(false, true)
	p.View.OnMore = p.showMore
	p.View.OnMetrics = func() { p.wrap(true) }
	p.chip = kit.NewTag("", kit.ColorMuted)
	p.tokens = kit.NewText("", kit.ColorFaint, 12)
	p.modes = kit.NewSegments([]string{words.T("detail.rendered"), words.T("detail.raw")}, 0, func(i int) { p.SetRaw(i == 1) })
	p.pin = kit.NewButton(words.T("do.pin"), kit.Secondary, d.TogglePinSelected).Small()
	p.edit = kit.NewButton(words.T("do.editDraft"), kit.Secondary, func() { c.Run(commands.Preview) }).Small()
	p.pane = kit.NewPane("", p.View)
	d.Listen(desk.TopicSelect, p.selected)
	d.Listen(desk.TopicPlan, p.selected)
	d.Listen(desk.TopicSession, p.selected)
	d.Listen(desk.TopicDetail, p.update)
	c.Bind(commands.Raw, func() bool { return p.row() != nil }, func() { p.SetRaw(!p.raw) })
	p.selected()
	return p
}

// Object is what is in the window.
func (p *detailPane) Object() fyne.CanvasObject { return p.pane }

func (p *detailPane) row() *session.Row {
	if i := p.d.Selected(); i >= 0 && i < p.d.RowCount() {
		r := p.d.Row(i)
		return &r
	}
	return nil
}

// showMore shows the next page, or the rest of a line that is longer than one.
func (p *detailPane) showMore() {
	if p.inLine {
		p.pages += RestPages
	} else {
		p.pages++
	}
	p.wrap(true)
}

func (p *detailPane) SetRaw(raw bool) {
	p.raw = raw
	i := 0
	if raw {
		i = 1
	}
	p.modes.Select(i)
	p.d.LoadDetail(raw)
}

func (p *detailPane) selected() {
	p.head()
	p.d.LoadDetail(p.raw)
}

// head shows what the row is, why it has its fate, and what it weighs.
func (p *detailPane) head() {
	r := p.row()
	if r == nil {
		p.headed = [5]any{}
		p.pane.SetLeft()
		p.pane.SetRight()
		p.pane.SetTitle(words.T("detail.none"))
		return
	}
	title := show.RowTitle(*r)
	now := [5]any{title, *r, p.d.Draft(), p.d.Session(), show.FateReason(p.d, *r)}
	if now == p.headed {
		return
	}
	p.headed = now
	if r.Num > 0 {
		title = "#" + words.Int(int64(r.Num)) + "  " + title
	}
	if r.Kind == session.RowFound {
		title += "  " + show.FoundWords(r.Found)
	}
	why := show.FateReason(p.d, *r)
	p.chip.Set(why, kit.ColorMuted)
	left := []fyne.CanvasObject{p.chip}
	if why == "" {
		left = nil
	}
	p.tokens.SetText(p.weight(*r))
	right := []fyne.CanvasObject{p.tokens, p.modes}
	if r.Stored < 0 {
		right = right[:1] // nothing in the source to look at
	}
	if r.Kind == session.RowSummary && p.d.Draft() != nil {
		right = append(right, p.edit)
	}
	if r.Num > 0 {
		text := words.T("do.pin")
		if r.Pinned {
			text = words.T("do.unpin")
		}
		p.pin.SetText(text)
		right = append(right, p.pin)
	}
	p.pane.SetTitle(title)
	p.pane.SetLeft(left...)
	p.pane.SetRight(right...)
}

// weight is the tokens of a row and how they were counted.
func (p *detailPane) weight(r session.Row) string {
	s := p.d.Session()
	if r.Kind == session.RowFound || s == nil {
		return ""
	}
	n := int64(r.Tokens)
	if r.Kind == session.RowSummary && p.d.Draft() == nil {
		return words.T("detail.expected", "tokens", words.Estimate(n))
	}
	if s.Estimated() {
		return words.T("detail.estimated", "tokens", words.Estimate(n), "method", show.CounterOf(s))
	}
	return words.T("detail.counted", "tokens", words.Tokens(n), "method", show.CounterOf(s))
}

// update shows the text that was read.
func (p *detailPane) update() {
	t := p.d.Detail()
	p.shown, p.pages = t, 1
	p.Blocks = nil
	if t != nil {
		p.Blocks = blocksOf(t)
	}
	p.View.SetMono(monospaced(t))
	p.wrap(false)
}

// monospaced distinguishes texts that are laid out by columns from prose.
func monospaced(t *desk.Detail) bool {
	if t == nil {
		return false // nothing is shown, and no face has to be loaded for it
	}
	if t.Raw {
		return true
	}
	for _, x := range t.Texts {
		if x.Kind == model.PartCall || x.Kind == model.PartResult {
			return true
		}
	}
	return false
}

type Wrapped struct {
	Lines  []kit.Line
	Foot   string
	More   bool // there is more
	InLine bool // the end shown lies inside a line
}

// wrap breaks the pages that are shown into lines of the view's width.
func (p *detailPane) wrap(keep bool) {
	m, room := p.View.Metrics()
	if room <= 0 && len(p.Blocks) > 0 {
		room = 600 // not laid out yet: it shows again when it is
	}
	blocks, pages := p.Blocks, p.pages
	if len(blocks) == 0 {
		p.d.Scheduler().Cancel("detail.wrap")
		p.View.SetLines(nil, false)
		p.View.SetFoot("", "")
		return
	}
	sched.Run(p.d.Scheduler(), "detail.wrap", func(context.Context, func(sched.Progress)) (Wrapped, error) {
		return WrapPages(blocks, pages, m, room), nil
	}, func(w Wrapped, err error) {
		if err != nil {
			p.d.Fail(err)
			return
		}
		p.View.SetLines(w.Lines, keep)
		more := ""
		switch p.inLine = w.InLine; {
		case w.InLine:
			more = words.T("detail.rest")
		case w.More:
			more = words.T("kit.more")
		}
		p.View.SetFoot(w.Foot, more)
	})
}
