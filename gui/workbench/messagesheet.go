package workbench

import (
	"regexp"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/about"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/body"
)

// messageSheet is one message in a dialog of its own size: its text, and beside it
// what is known of it. Its links lead to other messages, which take its place.
type messageSheet struct {
	d      *desk.Desk
	c      *commands.Table
	win    fyne.Window
	dlg    *kit.Dialog
	view   *reading.View
	modes  *kit.Segments
	pairs  *kit.Segments // the message, or it with the other half of its call
	column *aboutColumn
	scroll *container.Scroll
	back   *kit.Link
	way    []int // history positions that Back goes to
	how    show.Reading
	shown  *desk.Detail
	pair   []int          // history positions of the call and its results; nil: it has none
	joined []*desk.Detail // their texts, when they are shown together
}

// aboutWidth is how wide the column beside the text is.
const aboutWidth = 284

// openMessage opens the selected row; its text is shown as that of the view beside the
// list, if there is one, and what is chosen of it is chosen for both.
func openMessage(d *desk.Desk, win fyne.Window, c *commands.Table, how show.Reading, beside *reading.View) *messageSheet {
	s := &messageSheet{d: d, c: c, win: win, how: how}
	if how == show.ReadRaw {
		s.how = show.ReadRendered
	}
	s.view = reading.New(d.Scheduler())
	if beside != nil {
		s.view.SetLook(beside.Look())
		s.view.OnLook = beside.Choose
	}
	s.view.OnLink = func(to string) bool {
		at, ok := show.MessageOf(to)
		if ok {
			s.jump(at)
		}
		return ok
	}
	s.modes = kit.NewSegments(show.ReadingNames()[:2], int(s.how), func(i int) { s.how = show.Reading(i); s.read(true) })
	s.back = kit.NewLink(words.T("about.back"), s.goBack).WithTip("about.back.tip")
	s.column = &aboutColumn{d: d, c: c, Facts: kit.NewFacts(aboutName), jump: s.jump, summary: s.summary, leave: func() { s.dlg.Hide() }}
	s.scroll = container.NewVScroll(kit.Pad(6, 14, 10, 14, s.column.Box))
	s.pairs = kit.NewSegments([]string{words.T("about.alone"), words.T("about.together")}, 0, func(int) { s.join() })
	head := kit.Pad(6, 12, 6, 12, kit.Row(10, s.back, kit.Spring(), s.pairs, s.modes))
	text := kit.Column(0, head, kit.NewRule(), kit.Stretch(s.view))
	side := container.NewBorder(nil, nil, kit.NewRule(), nil, kit.Sized(aboutWidth, 0, s.scroll))
	s.dlg = kit.NewDialog("", "", container.NewBorder(nil, nil, nil, side, text), 1120, 700)
	s.dlg.SetButtons(kit.NewButton(words.T("do.close"), kit.Primary, s.dlg.Hide))
	s.dlg.OnFind = s.view.Find
	s.load()
	s.dlg.ShowOn(win.Canvas())
	win.Canvas().Focus(s.view)
	return s
}

// load shows the selected row.
func (s *messageSheet) load() {
	i := s.d.Selected()
	r := s.d.Row(i)
	title := show.RowTitle(r)
	if r.Num > 0 {
		title = "#" + words.Int(int64(r.Num)) + "  " + title
	}
	s.dlg.SetTitle(title)
	s.dlg.SetSubtitle(show.FateReason(s.d, r))
	show.SetVisible(s.back, len(s.way) > 0)
	s.column.show(nil)
	s.pair, s.joined = nil, nil
	s.pairs.Select(0)
	show.SetVisible(s.pairs, false)
	s.view.Mark(s.d.Lit())
	s.d.ReadRow(i, func(t *desk.Detail) {
		s.shown = t
		s.read(false)
	})
	if r.Num > 0 {
		s.d.About("about", r.Num-1, s.about)
	}
}

func (s *messageSheet) read(keep bool) {
	t, how, joined := s.shown, s.how, s.joined
	if len(joined) > 0 {
		s.view.SetPictures(nil)
		s.view.Read(keep, func() *body.Doc { return show.Together(joined, how) })
		return
	}
	if !keep {
		s.view.SetPictures(nil)
		s.d.Pictures(t, s.view.SetPictures)
	}
	s.view.Read(keep, func() *body.Doc { return show.Body(t, how) })
}

// join shows the message alone, or with the other half of its call.
func (s *messageSheet) join() {
	s.joined = nil
	if s.pairs.Selected() == 0 {
		s.read(false)
		return
	}
	s.d.ReadTogether(s.pair, func(list []*desk.Detail) {
		s.joined = list
		s.read(false)
	})
}

// jump goes to another message.
func (s *messageSheet) jump(to int) {
	s.way = append(s.way, s.d.SelectedMessage())
	s.d.SelectMessage(to)
	s.load()
}

// summary shows the summary of a record with the line lit that refers to the message;
// its links lead back to messages.
func (s *messageSheet) summary(c about.Cover) {
	s.way = append(s.way, s.d.SelectedMessage())
	show.SetVisible(s.back, true)
	show.SetVisible(s.pairs, false)
	s.dlg.SetTitle(c.Record.ID + "  " + words.T("role.summary"))
	s.dlg.SetSubtitle("")
	line := strings.Split(c.Record.Summary, "\n")[c.Line]
	s.view.Mark(regexp.MustCompile(regexp.QuoteMeta(strings.TrimSpace(line))))
	s.joined = nil
	s.shown = &desk.Detail{Row: session.Row{Record: c.Record.UID}, Texts: []model.Part{{Text: c.Record.Summary}}}
	s.read(false)
}

func (s *messageSheet) goBack() {
	if n := len(s.way); n > 0 {
		to := s.way[n-1]
		s.way = s.way[:n-1]
		s.d.SelectMessage(to)
		s.load()
	}
}

// about fills the column beside the text.
func (s *messageSheet) about(m *about.Message) {
	if s.pair = m.Together(); len(s.pair) > 1 {
		show.SetVisible(s.pairs, true)
	}
	s.column.show(m)
	s.scroll.Refresh()
}
