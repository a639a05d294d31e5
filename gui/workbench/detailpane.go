package workbench

import (
	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/settings"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/body"
)

// detailPane is the text of the selected row: drawn to be read, as it is spelled,
// or as the source has it.
type detailPane struct {
	d *desk.Desk
	c *commands.Table

	pane   *kit.Pane
	View   *reading.View
	chip   *kit.Tag
	tokens *kit.Figure
	modes  *kit.Segments
	pin    *kit.Button
	edit   *kit.Button

	headed [5]any // what the head shows
	how    show.Reading
	shown  *desk.Detail
	save   func() // keeps how texts are shown; nil: nothing does
}

func NewDetailPane(d *desk.Desk, _ fyne.Window, c *commands.Table) *detailPane {
	p := &detailPane{d: d, c: c}
	p.View = reading.New(d.Scheduler())
	p.View.OnLink = func(to string) bool {
		at, ok := show.MessageOf(to)
		if ok {
			d.SelectMessage(at)
		}
		return ok
	}
	p.chip = kit.NewTag("", kit.ColorMuted)
	p.tokens = kit.NewFigure(kit.ColorFaint, 12)
	p.modes = kit.NewSegments(show.ReadingNames(), 0, func(i int) { p.SetHow(show.Reading(i)) })
	p.pin = kit.NewButton(words.T("do.pin"), kit.Secondary, nil).Does(c, commands.Pin).Small()
	p.edit = kit.NewButton(words.T("do.editDraft"), kit.Secondary, nil).Does(c, commands.Preview).Small()
	p.pane = kit.NewPane("", p.View)
	d.Listen(desk.TopicSelect, p.selected)
	d.Listen(desk.TopicPlan, p.selected)
	d.Listen(desk.TopicSession, p.selected)
	d.Listen(desk.TopicDetail, p.update)
	d.Listen(desk.TopicAsking, p.asked)
	d.Listen(desk.TopicPlan, func() { p.View.Mark(d.Lit()) }) // a search has other words
	c.Bind(commands.Raw, func() bool { return p.row() != nil }, func() {
		if p.how == show.ReadRaw {
			p.SetHow(show.ReadRendered)
		} else {
			p.SetHow(show.ReadRaw)
		}
	})
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

// Remember shows texts as they were shown last, and keeps what is chosen from now on.
func (p *detailPane) Remember(s settings.Settings) {
	how, numbers, sides := s.Reading()
	p.SetHow(show.Reading(how))
	p.View.SetLook(reading.Look{Numbers: numbers, Sides: sides})
	p.save = func() {
		look := p.View.Look()
		s.SetReading(int(p.how), look.Numbers, look.Sides)
	}
	p.View.OnLook = func(reading.Look) { p.save() }
}

// SetHow chooses how texts are shown.
func (p *detailPane) SetHow(how show.Reading) {
	again := p.how != how && (p.how == show.ReadRaw) == (how == show.ReadRaw)
	p.how = how
	p.modes.Select(int(how))
	if p.save != nil {
		p.save()
	}
	if again {
		p.update()
	}
	p.d.LoadDetail(how == show.ReadRaw)
}

func (p *detailPane) selected() {
	p.head()
	p.d.LoadDetail(p.how == show.ReadRaw)
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
	now := [5]any{title, *r, p.d.DraftSet.Draft(), p.d.Session(), show.FateReason(p.d, *r)}
	if now == p.headed {
		return
	}
	p.headed = now
	if r.Num > 0 {
		title = "#" + words.Int(int64(r.Num)) + "  " + title
	}
	if r.Kind == session.RowFound {
		_, f := show.FoundOf(p.d.Session(), *r)
		title += "  " + show.FoundWords(&f)
	}
	why := show.FateReason(p.d, *r)
	p.chip.Set(why, kit.ColorMuted)
	left := []fyne.CanvasObject{kit.Means(p.chip, "detail.fate.means")}
	if why == "" {
		left = nil
	}
	if to := p.d.Partner(*r); to >= 0 {
		key := "about.result"
		if r.Msg.Kind == model.KindResult {
			key = "about.call"
		}
		left = append(left, kit.NewLink(words.T(key, "n", to+1), func() { p.d.SelectMessage(to) }))
	}
	p.showWeight(*r)
	right := []fyne.CanvasObject{p.tokens, p.modes}
	if r.Stored < 0 {
		right = right[:1] // nothing in the source to look at
	}
	if r.Kind == session.RowSummary && p.d.DraftSet.Draft() != nil {
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

// showWeight shows the tokens of a row and how they were counted.
func (p *detailPane) showWeight(r session.Row) {
	f, ok := p.d.RowFigure(r, false)
	if !ok {
		p.tokens.Clear()
		return
	}
	key := "detail." + f.Kind.String()
	if r.Kind == session.RowSummary && p.d.DraftSet.Draft() == nil {
		key = "detail.expected"
	}
	text := words.T(key, "tokens", words.Figure(f), "method", show.CounterOf(p.d.Session()))
	show.PutFigure(p.tokens, p.d, f, text, kit.ColorFaint)
}

// asked shows what a model has written of the summary, and no longer when it ended.
func (p *detailPane) asked() {
	if p.writing() || p.shown != nil && p.shown.Written {
		p.update()
	}
}

// writing reports whether the text of the selected row is being written by a model.
func (p *detailPane) writing() bool {
	t := p.d.Detail()
	return t != nil && t.Row.Kind == session.RowSummary && len(t.Texts) == 0 && p.d.Writing()
}

// update shows the text that was read.
func (p *detailPane) update() {
	t, how := p.d.Detail(), p.how
	if p.writing() {
		now := *t
		now.Written, now.Texts = true, []model.Part{{Kind: model.PartText, Text: p.d.Asking().Text()}}
		t = &now
	}
	keep := t != nil && p.shown != nil && t.Row.Stored == p.shown.Row.Stored && t.Row.Record == p.shown.Row.Record && t.Raw == p.shown.Raw
	p.shown = t
	if !keep {
		p.View.SetPictures(nil)
	}
	p.View.Read(keep, func() *body.Doc { return show.Body(t, how) })
	p.d.Pictures(t, p.View.SetPictures)
}
