package workbench

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/settings"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// SessionsPane is the list of histories at the left.
type SessionsPane struct {
	d   *desk.Desk
	win fyne.Window
	c   *commands.Table
	set settings.Settings

	pane   *kit.Pane
	Filter *kit.TextField
	sort   *kit.Link
	List   *kit.List
	empty  *fyne.Container
	middle *fyne.Container // empty and list
	Lines  []sessionLine
	batch  *dialogs.BatchSheet // the one opened last; nil: none
}

// lineKind says what a line of the pane is.
type lineKind uint8

const (
	lineGroup lineKind = iota
	LineEntry
	lineThread
	lineRecent
	lineRelated
	lineLive
	lineBatch
)

// sessionLine is one line of the pane.
type sessionLine struct {
	Kind   lineKind
	title  string // of a group
	Entry  *desk.Entry
	choice session.Choice
	recent desk.Recent

	related session.Related
	deep    bool // the file of an agent, under its caller's
	live    model.LiveSession
	batch   model.BatchRun
}

// sessionHeight is that of a row of two lines.
const sessionHeight = 42

func NewSessionsPane(d *desk.Desk, win fyne.Window, c *commands.Table, set settings.Settings) *SessionsPane {
	p := &SessionsPane{d: d, win: win, c: c, set: set}
	p.Filter = kit.NewFilter(words.T("do.filter"), func(string) { p.update() })
	p.List = kit.NewList(sessionHeight, func() int { return len(p.Lines) }, func() kit.ListRow { return newSessionRow(p) })
	p.List.SetHeights(func(i int) float32 {
		return [...]float32{lineGroup: 26, LineEntry: sessionHeight, lineThread: 24, lineRecent: sessionHeight, lineRelated: 24,
			lineLive: 64, lineBatch: 64}[p.Lines[i].Kind]
	})
	p.List.Choosable = func(i int) bool { return p.Lines[i].Kind != lineGroup }
	p.List.OnSelect = p.Open
	p.List.OnOpen = p.Open
	p.List.OnMenu = p.menu
	p.List.Card, p.List.Tip = p.peakCard, p.rowTip
	p.List.OnDelete = func(i int) { p.remove(p.Lines[i]) }
	p.empty = kit.Column(8)
	p.empty.Hide()
	open := kit.NewButton(words.T("do.openFile"), kit.Secondary, nil).Does(c, commands.OpenFile).Small()
	folder := kit.NewButton(words.T("do.openFolder"), kit.Secondary, nil).Does(c, commands.OpenFolder).Small()
	p.middle = kit.Column(0, p.empty, kit.Stretch(p.List))
	body := kit.Column(0,
		kit.Pad(7, 7, 5, 7, p.Filter),
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
func (p *SessionsPane) Object() fyne.CanvasObject { return p.pane }

var orderKeys = [...]string{desk.ByAdded: "sessions.byAdded", desk.ByTitle: "sessions.byTitle", desk.ByMessages: "sessions.byMessages",
	desk.ByChanged: "sessions.byChanged", desk.ByPeak: "sessions.byPeak", desk.BySize: "sessions.bySize",
	desk.ByFound: "sessions.byFound"}

func (p *SessionsPane) sortMenu() {
	var items []kit.MenuItem
	for _, o := range desk.Orders {
		items = append(items, kit.MenuItem{Text: words.T(orderKeys[o]), Checked: o == p.set.Order()&^desk.Reversed, Run: func() {
			p.set.SetOrder(o)
			p.update()
		}})
	}
	items = append(items, kit.Rule)
	for _, g := range desk.Groupings {
		items = append(items, kit.MenuItem{Text: words.T(show.GroupingKeys[g]), Checked: g == p.set.Grouping(), Run: func() {
			p.set.SetGrouping(g)
			p.update()
		}})
	}
	starred := strings.HasPrefix(p.Filter.Text(), desk.Starred)
	items = append(items, kit.Rule, kit.MenuItem{Text: words.T("sessions.starred"), Checked: starred, Run: func() {
		text := desk.Starred
		if starred {
			text = ""
		}
		p.Filter.SetText(text)
		p.update()
	}})
	kit.ShowMenuUnder(p.sort, items)
}

// update makes the lines anew and shows them.
func (p *SessionsPane) update() {
	p.d.SetGrouping(p.set.Grouping())
	groups, hidden := p.d.Shelf(p.Filter.Text(), p.set.Order())
	p.Lines = p.Lines[:0]
	p.addBatches()
	p.batch.Update()
	current := p.addLive(groups)
	for _, g := range groups {
		heading := len(p.Lines)
		p.Lines = append(p.Lines, sessionLine{Kind: lineGroup, title: groupTitle(g)})
		for _, e := range g.Entries {
			if _, live := p.d.LiveAt(e.Path); !live {
				p.addEntry(sessionLine{Kind: LineEntry, Entry: e, deep: g.Callers[e] != nil}, &current)
			}
		}
		for _, r := range g.Recents {
			if _, live := p.d.LiveAt(r.Path); !live {
				p.Lines = append(p.Lines, sessionLine{Kind: lineRecent, recent: r})
			}
		}
		if len(p.Lines) == heading+1 {
			p.Lines = p.Lines[:heading] // all of it runs
		}
	}
	p.showEmpty(hidden)
	p.sort.SetText(words.T(orderKeys[p.set.Order()&^desk.Reversed]))
	p.pane.Refresh()
	p.List.Update()
	if p.List.Selected() != current {
		p.List.Select(current)
	}
}

// addEntry adds a history, with its threads and the files beside it if it is the one
// that is looked at.
func (p *SessionsPane) addEntry(line sessionLine, current *int) {
	e := line.Entry
	if e == p.d.Current() {
		*current = len(p.Lines)
	}
	p.Lines = append(p.Lines, line)
	if e != p.d.Current() || e.File == nil {
		return
	}
	for _, ch := range e.File.Choices() {
		if e.Threads < 2 {
			break
		}
		if ch.Ref == e.Ref {
			*current = len(p.Lines)
		}
		p.Lines = append(p.Lines, sessionLine{Kind: lineThread, Entry: e, choice: ch})
	}
	for _, r := range p.d.Unlisted(e) {
		p.Lines = append(p.Lines, sessionLine{Kind: lineRelated, Entry: e, related: r})
	}
}

// addBatches adds the batches that programs with the same database work on.
func (p *SessionsPane) addBatches() {
	list := p.d.Batches()
	if len(list) == 0 || strings.TrimSpace(p.Filter.Text()) != "" {
		return
	}
	p.Lines = append(p.Lines, sessionLine{Kind: lineGroup, title: show.Upper(words.T("batch.title"))})
	for _, b := range list {
		p.Lines = append(p.Lines, sessionLine{Kind: lineBatch, batch: b})
	}
}

// addLive adds the sessions that run, on top of all others. A session is shown here or
// in its group, never in both.
func (p *SessionsPane) addLive(groups []desk.Group) (current int) {
	current = -1
	list := p.d.Live()
	filter := strings.ToLower(strings.TrimSpace(p.Filter.Text()))
	heading := len(p.Lines)
	p.Lines = append(p.Lines, sessionLine{Kind: lineGroup})
	n := 0
	for _, s := range list {
		if !strings.Contains(strings.ToLower(s.Title+" "+s.Path), filter) {
			continue
		}
		n++
		line := sessionLine{Kind: lineLive, live: s}
		for _, g := range groups {
			if i := slices.IndexFunc(g.Entries, func(e *desk.Entry) bool { return e.Path == s.Path }); i >= 0 {
				line.Entry = g.Entries[i]
			}
		}
		if line.Entry == nil {
			p.Lines = append(p.Lines, line)
		} else {
			p.addEntry(line, &current)
		}
	}
	if n == 0 {
		p.Lines = p.Lines[:heading]
		return current
	}
	p.Lines[heading].title = show.Upper(words.T("live.title")) + " · " + words.T("live.running", "count", n)
	return current
}

// showEmpty says why there is nothing to see, and what to do.
func (p *SessionsPane) showEmpty(hidden int) {
	p.empty.Objects = nil
	if len(p.Lines) == 0 {
		say := func(s string, c fyne.ThemeColorName) { p.empty.Add(kit.NewText(s, c, 12).Fit()) }
		if hidden > 0 {
			say(words.T("state.noMatch", "filter", p.Filter.Text()), kit.ColorMuted)
			say(words.T("state.noMatch.hidden", "count", hidden), kit.ColorFaint)
			p.empty.Add(kit.Row(0, kit.NewLink(words.T("do.clearFilter"), func() { p.Filter.SetText(""); p.update() }).
				WithTip("do.clearFilter.tip")))
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
	if name := show.GroupName(g); name != "" {
		return show.Upper(name)
	}
	fresh := 0
	for _, e := range g.Entries {
		if e.Fresh {
			fresh++
		}
	}
	if fresh > 0 {
		return show.ShortFolder(g.Folder) + " · " + words.T("watched.new", "count", fresh)
	}
	return show.ShortFolder(g.Folder)
}

// Open looks at what a line represents.
func (p *SessionsPane) Open(i int) {
	switch l := p.Lines[i]; l.Kind {
	case lineBatch:
		p.batch = dialogs.ShowBatch(p.d, p.win, l.batch.ID)
	case lineLive:
		if l.Entry == nil {
			p.d.Add(l.live.Path)
			return
		}
		fallthrough
	case LineEntry:
		if l.Entry != p.d.Current() || l.Entry.State != desk.Ready && l.Entry.State != desk.Loading {
			p.d.Select(l.Entry)
		}
	case lineThread:
		if l.Entry.Ref != l.choice.Ref {
			p.d.SelectThread(l.Entry, l.choice.Ref)
		}
	case lineRecent:
		p.d.Add(l.recent.Path)
	case lineRelated:
		p.d.Add(l.related.Path)
	}
}

// remove takes a line out of the list; files and records stay.
func (p *SessionsPane) remove(l sessionLine) {
	if l.Kind == LineEntry || l.Kind == lineThread {
		p.d.TakeOff(l.Entry)
	}
}

func (p *SessionsPane) menu(i int, at fyne.Position) {
	l := p.Lines[i]
	if l.Kind == lineBatch {
		kit.ShowMenu(p.win.Canvas(), append([]kit.MenuItem{{Text: words.T("do.details"), Run: func() { p.Open(i) }}},
			dialogs.BatchItems(p.d, l.batch)...), at, 0)
		return
	}
	path := l.recent.Path
	if l.Entry != nil {
		path = l.Entry.Path
	}
	switch l.Kind {
	case lineRelated:
		path = l.related.Path
	case lineLive:
		path = l.live.Path
	}
	items := []kit.MenuItem{{Text: words.T("do.open"), Run: func() { p.Open(i) }}}
	if l.Entry == nil || l.Entry.Sample == "" {
		items = append(items,
			kit.MenuItem{Text: words.T("sessions.copyPath"), Run: func() { kit.Copy(path) }})
	}
	if l.Kind == lineLive {
		kit.ShowMenu(p.win.Canvas(), append(items, dialogs.LiveItems(p.d, l.live)...), at, 0)
		return
	}
	if l.Kind == lineRecent { // it is listed as long as the database holds it
		kit.ShowMenu(p.win.Canvas(), items, at, 0)
		return
	}
	if e := l.Entry; e != nil && l.Kind == LineEntry {
		star := words.T("sessions.star")
		if e.Star {
			star = words.T("sessions.unstar")
		}
		items = append(items, kit.Rule, kit.MenuItem{Text: words.T("command.rename"), Shortcut: p.c.Key(commands.Rename),
			Run: func() { dialogs.ShowRename(p.d, p.win, e) }}, kit.MenuItem{Text: star, Run: func() { p.d.SetStar(e, !e.Star) }})
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
	case ch.Title != "" && !slices.ContainsFunc(e.File.Choices(),
		func(o session.Choice) bool { return o.Ref != ch.Ref && o.Title == ch.Title }):
		return ch.Title
	case ch.ID != "":
		return kind + " " + ch.ID
	}
	return kind
}

func threadKey(ch session.Choice) string {
	return strings.ReplaceAll(ch.Kind.String(), "-", "")
}
