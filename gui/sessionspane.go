package gui

import (
	"path/filepath"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// sessionsPane is the list of histories at the left.
type sessionsPane struct {
	d   *desk.Desk
	win fyne.Window
	c   *commands
	set settings

	pane   *kit.Pane
	filter *kit.TextField
	sort   *kit.Link
	list   *kit.List
	empty  *fyne.Container
	middle *fyne.Container // empty and list
	lines  []sessionLine
}

// lineKind says what a line of the pane is.
type lineKind uint8

const (
	lineGroup lineKind = iota
	lineEntry
	lineThread
	lineRecent
	lineRelated
)

// sessionLine is one line of the pane.
type sessionLine struct {
	kind   lineKind
	title  string // of a group
	entry  *desk.Entry
	choice session.Choice
	recent desk.Recent

	related session.Related
}

func newSessionsPane(d *desk.Desk, win fyne.Window, c *commands, set settings) *sessionsPane {
	p := &sessionsPane{d: d, win: win, c: c, set: set}
	p.filter = kit.NewFilter(words.T("do.filter"), func(string) { p.update() })
	p.list = kit.NewList(46, func() int { return len(p.lines) }, func() kit.ListRow { return newSessionRow(p) })
	p.list.SetHeights(func(i int) float32 {
		return [...]float32{lineGroup: 26, lineEntry: 46, lineThread: 24, lineRecent: 46, lineRelated: 24}[p.lines[i].kind]
	})
	p.list.Choosable = func(i int) bool { return p.lines[i].kind != lineGroup }
	p.list.OnSelect = p.open
	p.list.OnOpen = p.open
	p.list.OnMenu = p.menu
	p.list.OnDelete = func(i int) { p.remove(p.lines[i]) }
	p.empty = kit.Column(8)
	p.empty.Hide()
	open := kit.NewButton(words.T("do.openFile"), kit.Secondary, func() { c.run("openFile") }).Small()
	folder := kit.NewButton(words.T("do.openFolder"), kit.Secondary, func() { c.run("openFolder") }).Small()
	p.middle = kit.Column(0, p.empty, kit.Stretch(p.list))
	body := kit.Column(0,
		kit.Pad(7, 7, 5, 7, p.filter),
		kit.Stretch(p.middle),
		kit.Pad(7, 8, 8, 8, kit.Row(8, open, folder)))
	p.sort = kit.NewMenuLink("", p.sortMenu)
	p.pane = kit.NewPane(words.T("sessions.title"), body, p.sort)
	d.Listen(desk.TopicFiles, p.update)
	d.Listen(desk.TopicSession, p.update)
	p.update()
	return p
}

// Object is what the window shows.
func (p *sessionsPane) Object() fyne.CanvasObject { return p.pane }

var orderKeys = [...]string{desk.ByAdded: "sessions.byAdded", desk.ByTitle: "sessions.byTitle", desk.ByMessages: "sessions.byMessages"}

func (p *sessionsPane) sortMenu() {
	var items []kit.MenuItem
	for _, o := range desk.Orders {
		items = append(items, kit.MenuItem{Text: words.T(orderKeys[o]), Checked: o == p.set.order(), Run: func() {
			p.set.setOrder(o)
			p.update()
		}})
	}
	at := fyne.CurrentApp().Driver().AbsolutePositionForObject(p.sort)
	kit.ShowMenu(p.win.Canvas(), items, at.AddXY(0, p.sort.Size().Height), 0)
}

// update makes the lines anew and shows them.
func (p *sessionsPane) update() {
	groups, hidden := p.d.Shelf(p.filter.Text(), p.set.order())
	p.lines = p.lines[:0]
	current := -1
	for _, g := range groups {
		p.lines = append(p.lines, sessionLine{kind: lineGroup, title: groupTitle(g)})
		for _, e := range g.Entries {
			if e == p.d.Current() {
				current = len(p.lines)
			}
			p.lines = append(p.lines, sessionLine{kind: lineEntry, entry: e})
			if e != p.d.Current() || e.File == nil {
				continue
			}
			for _, ch := range e.File.Choices() {
				if e.Threads < 2 {
					break
				}
				if ch.Ref == e.Ref {
					current = len(p.lines)
				}
				p.lines = append(p.lines, sessionLine{kind: lineThread, entry: e, choice: ch})
			}
			for _, r := range e.Related {
				p.lines = append(p.lines, sessionLine{kind: lineRelated, entry: e, related: r})
			}
		}
		for _, r := range g.Recents {
			p.lines = append(p.lines, sessionLine{kind: lineRecent, recent: r})
		}
	}
	p.showEmpty(hidden)
	p.sort.SetText(words.T(orderKeys[p.set.order()]))
	p.pane.Refresh()
	p.list.Update()
	if p.list.Selected() != current {
		p.list.Select(current)
	}
}

// showEmpty says why there is nothing to see, and what to do.
func (p *sessionsPane) showEmpty(hidden int) {
	p.empty.Objects = nil
	if len(p.lines) == 0 {
		say := func(s string, c fyne.ThemeColorName) { p.empty.Add(kit.NewText(s, c, 12).Fit()) }
		if hidden > 0 {
			say(words.T("state.noMatch", "filter", p.filter.Text()), kit.ColorMuted)
			say(words.T("state.noMatch.hidden", "count", hidden), kit.ColorFaint)
			p.empty.Add(kit.Row(0, kit.NewLink(words.T("do.clearFilter"), func() { p.filter.SetText(""); p.update() })))
		} else {
			say(words.T("state.noSessions"), kit.ColorMuted)
			say(words.T("sessions.dropHere"), kit.ColorFaint)
		}
		p.empty.Objects = []fyne.CanvasObject{kit.Pad(10, 12, 10, 12, kit.Column(6, p.empty.Objects...))}
	}
	if hide := len(p.empty.Objects) == 0; !hide || hide != p.empty.Hidden {
		p.empty.Hidden = hide
		p.middle.Refresh()
	}
}

func groupTitle(g desk.Group) string {
	switch g.Kind {
	case desk.GroupSamples:
		return upper(words.T("sessions.samples"))
	case desk.GroupConversations:
		return upper(words.T("sessions.conversations"))
	case desk.GroupRecent:
		return upper(words.T("sessions.recent"))
	}
	fresh := 0
	for _, e := range g.Entries {
		if e.Fresh {
			fresh++
		}
	}
	if fresh > 0 {
		return shortFolder(g.Folder) + " · " + words.T("watched.new", "count", fresh)
	}
	return shortFolder(g.Folder)
}

// shortFolder is a folder as the pane has room for it: its last two names.
func shortFolder(path string) string {
	parts := strings.Split(filepath.ToSlash(path), "/")
	if len(parts) > 2 {
		parts = append([]string{"…"}, parts[len(parts)-2:]...)
	}
	return strings.Join(parts, "/")
}

// open looks at what a line stands for.
func (p *sessionsPane) open(i int) {
	switch l := p.lines[i]; l.kind {
	case lineEntry:
		if l.entry != p.d.Current() || l.entry.State != desk.Ready && l.entry.State != desk.Loading {
			p.d.Select(l.entry)
		}
	case lineThread:
		if l.entry.Ref != l.choice.Ref {
			p.d.SelectThread(l.entry, l.choice.Ref)
		}
	case lineRecent:
		p.d.Add(l.recent.Path)
	case lineRelated:
		p.d.Add(l.related.Path)
	}
}

// remove takes a line out of the list; files and records stay.
func (p *sessionsPane) remove(l sessionLine) {
	switch l.kind {
	case lineEntry, lineThread:
		p.d.Remove(l.entry)
	case lineRecent:
		if l.recent.Recorded() {
			return
		}
		p.d.ForgetRecent(l.recent.Path)
	}
}

func (p *sessionsPane) menu(i int, at fyne.Position) {
	l := p.lines[i]
	path := l.recent.Path
	if l.entry != nil {
		path = l.entry.Path
	}
	if l.kind == lineRelated {
		path = l.related.Path
	}
	items := []kit.MenuItem{{Text: words.T("do.open"), Run: func() { p.open(i) }}}
	if l.entry == nil || l.entry.Sample == "" {
		items = append(items, kit.MenuItem{Text: words.T("sessions.copyPath"), Run: func() { fyne.CurrentApp().Clipboard().SetContent(path) }})
	}
	if l.kind == lineRecent && l.recent.Recorded() { // it is listed as long as the database holds it
		kit.ShowMenu(p.win.Canvas(), items, at, 0)
		return
	}
	items = append(items, kit.Rule, kit.MenuItem{Text: words.T("command.remove"), Run: func() { p.remove(l) }})
	kit.ShowMenu(p.win.Canvas(), items, at, 0)
}

// threadTitle is what a thread is called in the pane and the chooser.
func threadTitle(e *desk.Entry, ch session.Choice) string {
	kind := words.T("thread." + threadKey(ch))
	many := len(e.File.Doc.Conversations) > 1
	switch {
	case many && ch.Thread == 0:
		return ch.Title
	case ch.Thread == 0:
		return kind
	case ch.Title != "" && !slices.ContainsFunc(e.File.Choices(), func(o session.Choice) bool { return o.Ref != ch.Ref && o.Title == ch.Title }):
		return ch.Title
	case ch.ID != "":
		return kind + " " + ch.ID
	}
	return kind
}

func threadKey(ch session.Choice) string {
	return strings.ReplaceAll(ch.Kind.String(), "-", "")
}
