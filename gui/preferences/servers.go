package preferences

import (
	"slices"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session/online"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// serversWidth is that of the list of servers, in units of the design.
const serversWidth = 216

// serverList is the servers that are set up, of which the first one is asked, and one
// row for none.
//
//	qwen3:30b          used for summaries
//	localhost:11434
//	gpt-5.5-mini
//	api.openai.com
//	None, work offline
//	nothing is sent
//	[Add] [Use] [Remove]
type serverList struct {
	p    *ModelsPage
	obj  fyne.CanvasObject
	list *kit.List
	use  *kit.Button
	drop *kit.Button

	all   []online.Server // one without an address asks nobody
	at    int             // the one in the fields
	added int             // the one being set up; −1: none
}

func newServerList(p *ModelsPage) *serverList {
	now := p.w.Desk.Provider()
	l := &serverList{p: p, all: now.Servers(), added: -1}
	l.list = kit.NewRows(44, func() int { return len(l.all) }, l.row)
	l.list.OnSelect = func(i int) { l.choose(i) }
	button := func(key string, run func()) *kit.Button {
		b := kit.NewButton(words.T(key), kit.Secondary, run).Small()
		b.SetTip(words.T(key + ".tip"))
		return b
	}
	l.use, l.drop = button("servers.use", l.ask), button("servers.remove", l.remove)
	l.obj = kit.Column(0, kit.Stretch(l.list), kit.NewRule(),
		kit.Pad(8, 8, 8, 8, kit.Row(6, button("servers.add", l.add), l.use, kit.Spring(), l.drop)))
	l.tidy()
	l.show()
	return l
}

// tidy leaves one row that asks nobody: the first, or else the last one.
func (l *serverList) tidy() {
	var all []online.Server
	at, added := -1, -1
	for i, s := range l.all {
		if s.BaseURL == "" && i > 0 && i != l.added {
			continue
		}
		if i == l.at {
			at = len(all)
		}
		if i == l.added {
			added = len(all)
		}
		all = append(all, s)
	}
	if len(all) == 0 || all[0].BaseURL != "" {
		all = append(all, online.Server{})
	}
	if at < 0 {
		at = len(all) - 1
	}
	l.all, l.at, l.added = all, at, added
}

func (l *serverList) chosen() online.Server { return l.all[l.at] }

// choose puts a server into the fields, unless one of them can't be left.
func (l *serverList) choose(i int) {
	if i != l.at && l.p.keep() {
		l.at, l.added = i, -1
		l.tidy()
		l.p.fill(l.chosen())
	}
	l.show()
}

func (l *serverList) show() {
	server := l.chosen().BaseURL != "" || l.at == l.added
	l.use.SetEnabled(l.at > 0)
	switch {
	case l.at == 0 && server:
		l.use.SetTip(words.T("servers.used"))
	case l.at == 0:
		l.use.SetTip(words.T("servers.now"))
	case !server:
		l.use.SetTip(words.T("servers.none.tip"))
	default:
		l.use.SetTip(words.T("servers.use.tip"))
	}
	l.drop.SetEnabled(server)
	l.list.Update()
	l.list.Select(l.at)
}

// add sets up another one.
func (l *serverList) add() {
	if l.p.keep() {
		l.all = append(l.all, online.Server{})
		l.at = len(l.all) - 1
		l.added = l.at
		l.tidy()
		l.p.fill(l.chosen())
		l.show()
		l.p.endpoint.FocusOn(l.p.w.Win.Canvas())
	}
}

// ask has the chosen one be asked from now on.
func (l *serverList) ask() {
	if l.p.keep() {
		s := l.chosen()
		l.all = slices.Insert(slices.Delete(l.all, l.at, l.at+1), 0, s)
		l.at, l.added = 0, -1
		l.tidy()
		l.p.fill(l.chosen())
		l.p.leave()
		l.show()
	}
}

// remove forgets the chosen one; without any, the window works offline.
func (l *serverList) remove() {
	l.all = slices.Delete(l.all, l.at, l.at+1)
	l.at, l.added = min(l.at, len(l.all)-1), -1
	l.tidy()
	l.p.fill(l.chosen())
	l.p.leave()
	l.show()
}

// row makes the row of a server.
func (l *serverList) row() (fyne.CanvasObject, func(int)) {
	sign, small := kit.NewSign(kit.GlyphDot, kit.ColorFaint, 12), func() *kit.Text { return kit.NewText("", kit.ColorMuted, 11) }
	name, host, used, reads := kit.Label("").Fit(), small().Fit(), small().Right(), small().Right()
	row := kit.Pad(4, 8, 4, 12, kit.Column(0, kit.Sized(0, 19, kit.Row(6, kit.Stretch(name), reads, sign)),
		kit.Sized(0, 16, kit.Row(6, kit.Stretch(host), used))))
	return row, func(i int) {
		s := l.all[i]
		title, at, state, speed := s.Model, s.Host(), "", ""
		switch {
		case i == l.added:
			title = words.T("servers.new")
		case s.BaseURL == "":
			title, at = words.T("provider.none"), words.T("servers.none")
		case title == "":
			title = words.T("servers.noModel")
		}
		if i == 0 && s.BaseURL != "" {
			state = words.T("servers.used")
		} else if i == 0 {
			state = words.T("servers.now")
		}
		sign.Set(kit.GlyphDot, kit.ColorFaint)
		if t, ok := l.p.test.kept[testKey(&s)]; ok {
			sign.Set(kit.GlyphOK, kit.ColorKept)
			if t.Sample.Reads > 0 {
				speed = words.T("modeltest.reads", "tokens", words.TokensShort(int64(t.Sample.Reads)))
			}
			if t.Failed {
				sign.Set(kit.GlyphError, kit.ColorError)
				state = words.T("modeltest.urgent")
			}
		}
		sign.Hidden = s.BaseURL == ""
		name.SetText(title)
		host.SetText(at)
		used.SetText(state)
		reads.SetText(speed)
		row.Refresh()
	}
}
