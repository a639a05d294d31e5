package workbench

import (
	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/about"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/words"
)

// AboutPane is what is known of the selected message, in the place of the parameters.
//
//	About #525                  ← Back  Parameters
//	THIS MESSAGE
//	Called by   #524
//	…
type AboutPane struct {
	d      *desk.Desk
	pane   *kit.Pane
	scroll *container.Scroll
	column *aboutColumn
	back   *kit.Link
	of     *session.Session
	way    []int // history positions of it that Back goes to
	asked  int   // the newest message that was asked about
}

// NewAboutPane makes the pane. It is asked for nothing while it is hidden; view is where
// the selected message is read.
func NewAboutPane(d *desk.Desk, win fyne.Window, c *commands.Table, view *reading.View) *AboutPane {
	p := &AboutPane{d: d, asked: -1}
	p.column = &aboutColumn{d: d, c: c, Facts: kit.NewFacts(aboutName), jump: p.jump, leave: func() {}}
	p.column.summary = func(cover about.Cover) { openMessage(d, win, c, 0, view).summary(cover) }
	p.scroll = container.NewVScroll(kit.Pad(6, 14, 10, 14, p.column.Box))
	p.back = kit.NewLink(words.T("about.back"), p.goBack).WithTip("about.back.tip")
	p.pane = kit.NewPane("", p.scroll, p.back,
		kit.NewLink(words.T("parameters.title"), nil).Does(c, commands.AboutMessage))
	for _, t := range []desk.Topic{desk.TopicSelect, desk.TopicPlan, desk.TopicSession, desk.TopicFacts} {
		d.Listen(t, p.Update)
	}
	return p
}

// Object is what is in the window.
func (p *AboutPane) Object() fyne.CanvasObject { return p.pane }

// Update asks what is known of the selected message, if the pane is seen.
func (p *AboutPane) Update() {
	if !p.pane.Visible() {
		return
	}
	at := p.d.SelectedMessage()
	if s := p.d.Session(); s != p.of {
		p.of, p.way = s, nil // its places are those of another history
	}
	p.back.Hide()
	if len(p.way) > 0 {
		p.back.Show()
	}
	if at < 0 || p.d.Session() == nil {
		p.asked = -1
		p.pane.SetTitle(words.T("about.title"))
		if i := p.d.Selected(); p.d.Session() == nil || i < 0 || i >= p.d.RowCount() {
			p.column.none()
		} else {
			p.column.other(p.d.Row(i))
		}
		return
	}
	if p.asked != at {
		p.scroll.ScrollToTop()
	}
	p.asked = at
	p.pane.SetTitle(words.T("about.of", "n", at+1))
	p.pane.Refresh() // the title has another width
	p.d.About("about beside", at, p.column.show)
}

// jump goes to another message.
func (p *AboutPane) jump(to int) {
	p.way = append(p.way, p.d.SelectedMessage())
	p.d.SelectMessage(to)
}

func (p *AboutPane) goBack() {
	if n := len(p.way); n > 0 {
		to := p.way[n-1]
		p.way = p.way[:n-1]
		p.d.SelectMessage(to)
	}
}
