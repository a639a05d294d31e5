package workbench

import (
	"regexp"
	"slices"
	"strings"
	"time"

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
	beside *fyne.Container
	scroll *container.Scroll
	back   *kit.Link
	way    []int // history positions that Back goes to
	how    show.Reading
	shown  *desk.Detail
	pair   []int          // history positions of the call and its results; nil: it has none
	joined []*desk.Detail // their texts, when they are shown together
}

// aboutWidth is how wide the column beside the text is, and aboutName its names.
const (
	aboutWidth = 284
	aboutName  = 96
)

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
	s.beside = kit.Column(2)
	s.scroll = container.NewVScroll(kit.Pad(6, 14, 10, 14, s.beside))
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
	s.beside.Objects = nil
	s.pair, s.joined = nil, nil
	s.pairs.Select(0)
	show.SetVisible(s.pairs, false)
	s.view.Mark(s.d.Lit())
	s.d.ReadRow(i, func(t *desk.Detail) {
		s.shown = t
		s.read(false)
	})
	if r.Num > 0 {
		s.d.About(r.Num-1, s.about)
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
	s.beside.Objects = nil
	if s.pair = m.Together(); len(s.pair) > 1 {
		show.SetVisible(s.pairs, true)
	}
	s.partners(m)
	s.weight(m)
	s.facts(m)
	s.covers(m)
	s.head("about.fate")
	for i, f := range m.Fates {
		said := words.T("about.notLive")
		if f.Live {
			said = show.FateBecause(s.d, f.Fate, f.Why)
		}
		s.add(string(rune('A'+i)), kit.NewText(said, kit.ColorText, 12).Fit())
	}
	s.beside.Refresh()
	s.scroll.Refresh()
}

func (s *messageSheet) head(key string) {
	s.beside.Add(kit.Pad(9, 0, 3, 0, kit.NewText(show.Upper(words.T(key)), kit.ColorFaint, 11).Bold()))
}

// add puts a line in: a name and what it is.
func (s *messageSheet) add(name string, value fyne.CanvasObject) {
	s.beside.Add(kit.Sized(0, 19, kit.Row(6, kit.Sized(aboutName, 0, kit.NewText(name, kit.ColorMuted, 12).Fit()), kit.Stretch(value))))
}

// number is a link to a message.
func (s *messageSheet) number(at int) *kit.Link {
	return kit.NewLink("#"+words.Int(int64(at+1)), func() { s.jump(at) })
}

// mostLinks bounds the links in one line.
const mostLinks = 3

func (s *messageSheet) numbers(list []int) fyne.CanvasObject {
	row := kit.Row(8)
	for i, at := range list {
		if i == mostLinks {
			row.Add(kit.NewText("+"+words.Int(int64(len(list)-i)), kit.ColorFaint, 12))
			break
		}
		if at < 0 {
			row.Add(kit.NewText(words.T("about.missing"), kit.ColorFaint, 12))
			continue
		}
		row.Add(s.number(at))
	}
	row.Add(kit.Spring())
	return row
}

func (s *messageSheet) partners(m *about.Message) {
	s.head("about.message")
	s.add(words.T("about.role"), kit.NewText(show.WhoSays(s.d.Row(s.d.Selected())), kit.ColorText, 12).Fit())
	if m.Message.Time > 0 {
		s.add(words.T("about.time"), kit.NewText(show.RecordTime(time.UnixMilli(m.Message.Time)), kit.ColorText, 12).Fit())
	}
	if m.Caller >= 0 {
		s.add(words.T("about.calledBy"), s.numbers([]int{m.Caller}))
	}
	if len(m.Results) > 0 {
		s.add(words.T("about.results"), s.numbers(m.Results))
	}
	if m.At > 0 {
		s.add(words.T("about.previous"), s.numbers([]int{m.At - 1}))
	}
	if m.At+1 < len(s.d.Session().Thread().History) {
		s.add(words.T("about.next"), s.numbers([]int{m.At + 1}))
	}
}

func (s *messageSheet) weight(m *about.Message) {
	s.head("about.tokens")
	figure := func(name string, n int) {
		f := kit.NewFigure(kit.ColorText, 12)
		show.PutFigure(f, s.d, s.d.MessageTokens("counted", int64(n)), "", kit.ColorText)
		s.add(words.T(name), kit.Row(0, f, kit.Spring()))
	}
	figure("about.itself", m.Tokens)
	if m.Pair != m.Tokens {
		figure("about.withPair", m.Pair)
	}
	s.add(words.T("about.bytes"), kit.NewText(words.Int(m.Bytes), kit.ColorText, 12))
}

func (s *messageSheet) facts(m *about.Message) {
	s.head("about.facts")
	const most = 12
	for i, f := range m.Facts {
		if i == most {
			s.beside.Add(kit.NewText("+"+words.Int(int64(len(m.Facts)-i)), kit.ColorFaint, 12))
			break
		}
		text := kit.NewText(strings.Join(strings.Fields(f.Text), " "), kit.ColorText, 12).Mono().Fit()
		row := kit.Row(6)
		if len(m.Covers) > 0 {
			sign := kit.NewSign(kit.GlyphClose, kit.ColorDropped, 12)
			if f.Kept {
				sign = kit.NewSign(kit.GlyphTick, kit.ColorKept, 12)
			}
			row.Add(sign)
		}
		row.Add(kit.Stretch(text))
		for _, at := range slices.Compact(f.Again[:min(2, len(f.Again))]) {
			row.Add(s.number(at))
		}
		s.beside.Add(kit.Sized(0, 19, row))
	}
	said := ""
	switch {
	case !m.Indexed:
		said = words.T("about.notIndexed")
	case m.Others > 0:
		said = words.T("about.others", "count", m.Others)
	case len(m.Facts) == 0:
		said = words.T("about.noFacts")
	}
	if said != "" {
		s.beside.Add(kit.NewText(said, kit.ColorMuted, 12).Fit())
	}
	if len(m.Covers) > 0 && len(m.Facts) > 0 {
		legend := func(sign *kit.Sign, key string) {
			s.beside.Add(kit.Row(5, sign, kit.Stretch(kit.NewText(words.T(key), kit.ColorFaint, 11).Fit())))
		}
		legend(kit.NewSign(kit.GlyphTick, kit.ColorKept, 12), "about.kept")
		legend(kit.NewSign(kit.GlyphClose, kit.ColorDropped, 12), "about.lost")
	}
}

func (s *messageSheet) covers(m *about.Message) {
	s.head("about.covered")
	if len(m.Covers) == 0 {
		s.beside.Add(kit.NewText(words.T("about.notCovered"), kit.ColorMuted, 12).Fit())
	} else {
		id := m.Covers[0].Record.ID
		defer func() {
			s.beside.Add(kit.NewLink(words.T("find.lostOf", "record", id), func() {
				s.dlg.Hide()
				s.c.Lost(id)
			}))
		}()
	}
	for i, cover := range m.Covers {
		id := cover.Record.ID
		name := id
		if i > 0 {
			name = words.T("about.then", "record", id)
		}
		row := kit.Row(8, kit.NewLink(name, func() {
			s.dlg.Hide()
			s.d.SelectRecord(id)
			s.c.Run(commands.Records)
		}))
		if cover.Line >= 0 {
			line := kit.NewLink(words.T("about.line", "n", cover.Line+1), func() { s.summary(cover) })
			row.Add(line.WithTip("about.line.tip"))
		}
		s.beside.Add(kit.Sized(0, 19, row))
	}
}
