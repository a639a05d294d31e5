// Package sessions is the screen of all sessions as one table.
package sessions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/grid"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// Table is the screen: the list of the workbench as a table with columns, groups and
// ticks. It shows what the desk's shelf holds; nothing is opened for it.
//
//	☐ ★ title ········ │ file │ format │ messages │ peak ▬▬ 81 % │ compactions │ last change │ size
//	☐ ▾ Live  2 running                      512                        1                     3.1 MB
//	☐   Port the dashboard · hook  compacts in ~14 messages   412   ▬▬|  71 %
//	☐ ▾ ~/src/larch  7 sessions            1,831                        9                    22.2 MB
//	☐   Crew of four
//	☐     └ coder · Fill the token table
//	2 selected  847 messages · 8.3 MB                     Star  Open  Take off the list  Clear
type Table struct {
	w      *screen.Host
	d      *desk.Desk
	obj    fyne.CanvasObject
	grid   *grid.Grid
	bar    *grid.Bar
	filter *kit.TextField
	sums   *kit.Text
	head   *fyne.Container
	open   bool

	rows   []*desk.Entry
	deep   map[*desk.Entry]bool
	live   map[*desk.Entry]model.LiveSession // those that run
	closed map[string]*desk.Entry            // by their path: of these and of recorded conversations what the desk does not hold
	groups []grid.Group
	empty  *fyne.Container // why there are no rows, and what to do then
	none   *kit.Text
	hint   *kit.Text
	next   *fyne.Container
	ticked map[*desk.Entry]bool
	anchor int // row that was ticked last

	// Sweep opens a sweep over sessions.
	about   *aboutPane
	split   *kit.Split
	Sweep   func([]*desk.Entry)
	Dialog  *CompactDialog // the latest; nil: none yet
	compact *kit.Button
}

// orderOf is the column that an order of the shelf is marked at.
var orderOf = map[string]desk.Order{"title": desk.ByTitle, "messages": desk.ByMessages, "peak": desk.ByPeak, "changed": desk.ByChanged,
	"size": desk.BySize, "compactions": desk.ByFound}

// layoutKey is the preference that remembers the columns.
const layoutKey = "sessions.columns"

// hidesAbout is the preference that leaves out what is beside the table.
const hidesAbout = "sessions.about"

// NewTable makes the screen.
func NewTable(w *screen.Host) *Table {
	t := &Table{w: w, d: w.Desk, deep: map[*desk.Entry]bool{}, live: map[*desk.Entry]model.LiveSession{}, ticked: map[*desk.Entry]bool{}}
	t.grid = grid.New(t.columns(), func() int { return len(t.rows) })
	t.grid.Groups = func() []grid.Group { return t.groups }
	t.grid.Ticked = func(row int) bool { return t.ticked[t.rows[row]] }
	t.grid.OnSelect = func(int) { t.showAbout() }
	t.grid.OnOpen = t.look
	t.grid.OnMenu = t.menu
	t.grid.OnTick = t.tick
	t.grid.OnTickRows = func(from, count int, on bool) { t.tickRows(t.rows[from:from+count], on) }
	t.grid.OnTickAll = func() { t.tickRows(t.rows, len(t.ticked) < len(t.rows)-len(t.closed)) }
	t.grid.OnEscape = t.escape
	t.grid.OnCopy = kit.Copy
	t.grid.OnSort = t.sort
	t.grid.OnLayout = func(l grid.Layout) {
		if text, err := json.Marshal(l); err == nil {
			w.Settings.P.SetString(layoutKey, string(text))
		}
	}
	var l grid.Layout
	if json.Unmarshal([]byte(w.Settings.P.String(layoutKey)), &l) == nil {
		t.grid.SetLayout(l)
	}
	t.filter = kit.NewFilter(words.T("sessions.filter"), func(string) { t.update() })
	t.sums = kit.NewText("", kit.ColorMuted, 12)
	group := kit.NewMenuLink(words.T("sessions.group"), nil)
	group.OnTapped = func() { t.groupMenu(group) }
	button := func(text string, run func(), tip string) *kit.Button {
		b := kit.NewButton(text, kit.Secondary, run).Small()
		b.SetTip(tip)
		return b
	}
	t.compact = button(words.T("sessions.compact"), t.Compact, words.T("sessions.compact.tip"))
	t.bar = grid.NewBar(words.T("sessions.none"), t.compact,
		button(words.T("sessions.sweep"), func() { t.Sweep(t.chosen()) }, words.T("sessions.sweep.tip")),
		button(words.T("sessions.star"), t.star, words.T("sessions.star.tip")),
		button(words.T("command.remove"), t.remove, words.T("sessions.remove.tip")),
		button(words.T("range.clear"), func() { t.tickRows(t.rows, false) }, words.T("sessions.clear.tip")))
	t.d.Listen(desk.TopicJob, func() {
		if t.Dialog != nil {
			t.Dialog.update()
		}
	})
	t.head = kit.Row(12, kit.Label(words.T("sessions.title")).Bold(), kit.Sized(230, 24, t.filter), group,
		kit.Spring(), kit.NewLink(words.T("command.doors"), func() { w.Commands.Run(commands.Doors) }).WithTip("doors.means"),
		kit.Means(t.sums, "sessions.sums.means"))
	t.about = newAboutPane(t)
	t.none, t.hint = kit.NewText("", kit.ColorText, 13).Center().Fit(), kit.NewText("", kit.ColorMuted, 12).Center().Fit()
	t.next = kit.Row(8)
	t.empty = kit.Column(8, kit.Spring(), t.none, t.hint, kit.Row(0, kit.Spring(), t.next, kit.Spring()), kit.Spring())
	list := kit.NewPane("", kit.Column(0, kit.Pad(5, 10, 5, 10, t.head), kit.NewRule(),
		kit.Stretch(t.grid.Object(t.empty)), t.bar.Object))
	t.split = w.Split("sessions.about", false, list, t.about.pane, kit.KeepSecond, 300)
	t.split.ShowSecond(!w.Settings.Hidden(hidesAbout))
	t.obj = t.split
	t.d.Listen(desk.TopicFiles, t.refresh)
	return t
}

// Enter shows the screen.
func (t *Table) Enter() {
	t.open = true
	t.w.ShowSheet(t.obj, t.close)
	t.w.Find = t.filter.Focus
	t.update()
	if i := slices.Index(t.rows, t.d.Current()); i >= 0 {
		t.grid.Select(i)
	}
	t.showAbout()
	t.w.Win.Canvas().Focus(t.grid.List())
}

// showAbout shows what is known of the selected session beside the table.
func (t *Table) showAbout() {
	var e *desk.Entry
	if i := t.grid.Selected(); i >= 0 && i < len(t.rows) {
		e = t.rows[i]
	}
	t.about.show(e)
}

// ToggleAbout shows or hides what is known of the selected session.
func (t *Table) ToggleAbout() {
	hide := !t.w.Settings.Hidden(hidesAbout)
	t.w.Settings.SetHidden(hidesAbout, hide)
	t.split.ShowSecond(!hide)
}

// lookSelected opens the selected session.
func (t *Table) lookSelected() {
	if i := t.grid.Selected(); i >= 0 && i < len(t.rows) {
		t.look(i)
	}
}

// close leaves the screen; ticks end with it.
func (t *Table) close() {
	t.about.keep()
	t.open = false
	clear(t.ticked)
	t.w.HideSheet()
}

// Visible reports whether the screen is shown; nil is not.
func (t *Table) Visible() bool { return t != nil && t.open && t.w.InSheet() }

func (t *Table) refresh() {
	if t.Visible() {
		t.update()
	}
}

// update makes the rows anew from the shelf.
func (t *Table) update() {
	var was *desk.Entry
	if i := t.grid.Selected(); i >= 0 && i < len(t.rows) {
		was = t.rows[i]
	}
	t.d.SetGrouping(t.w.Settings.Grouping())
	groups, hidden := t.d.Shelf(t.filter.Text(), t.w.Settings.Order())
	t.rows, t.groups = nil, nil
	clear(t.deep)
	messages, size := 0, int64(0)
	add := func(key, title, note string, list []*desk.Entry) {
		if len(list) == 0 {
			return
		}
		sum := sumOf(list)
		t.groups = append(t.groups, grid.Group{Key: key, Title: title, Note: note, Count: len(list), Cell: sum.cell})
		t.rows = append(t.rows, list...)
		messages, size = messages+sum.messages, size+sum.size
	}
	known := t.closed
	t.closed = map[string]*desk.Entry{}
	closed := func(e *desk.Entry) *desk.Entry { // the row stays the one it was
		if old := known[e.Path]; old != nil {
			*old = *e
			e = old
		}
		t.closed[e.Path] = e
		return e
	}
	running := t.running(groups, closed)
	add("live", words.T("live.title"), words.T("live.running", "count", len(running)), running)
	for _, g := range groups {
		list := slices.DeleteFunc(slices.Clone(g.Entries), func(e *desk.Entry) bool { _, runs := t.live[e]; return runs })
		if g.Kind == desk.GroupConversations {
			for i := range g.Recents {
				list = append(list, closed(g.Recents[len(g.Recents)-1-i].Closed()))
			}
			desk.SortEntries(list, t.w.Settings.Order())
		}
		name := cmp.Or(show.GroupName(g), show.ShortHome(g.Folder))
		add(g.Folder+fmt.Sprint(g.Kind), name, words.T("sessions.count", "count", len(list)), list)
		for _, e := range list {
			t.deep[e] = g.Callers[e] != nil
		}
	}
	text := words.T("sessions.count", "count", len(t.rows)) + " · " + words.T("count.messages", "count", messages) + " · " +
		words.Bytes(size)
	if hidden > 0 {
		text += " · " + words.T("state.noMatch.hidden", "count", hidden)
	}
	t.sums.SetText(text)
	for id, o := range orderOf {
		if is := t.w.Settings.Order(); o == is&^desk.Reversed {
			t.grid.Sorted(id, (o == desk.ByTitle) != (is&desk.Reversed != 0))
		}
	}
	t.grid.Update()
	t.grid.Select(slices.Index(t.rows, was))
	t.showEmpty()
	t.showAbout()
	t.showTicked()
	t.head.Refresh() // the words have another width now
}

// showEmpty says why there are no rows, and offers what to do.
func (t *Table) showEmpty() {
	t.empty.Hidden = len(t.rows) > 0
	filter := strings.TrimSpace(t.filter.Text())
	switch {
	case t.empty.Hidden:
		return
	case filter != "":
		t.none.SetText(words.T("state.noMatch", "filter", filter))
		t.hint.SetText("")
		all := kit.NewLink(words.T("do.clearFilter"), func() { t.escape() }).WithTip("sessions.clearFilter.tip")
		t.next.Objects = []fyne.CanvasObject{all}
	default:
		t.none.SetText(words.T("state.noSessions"))
		t.hint.SetText(words.T("state.noSessions.next"))
		t.next.Objects = nil
		for _, id := range []string{commands.OpenFile, commands.OpenFolder, commands.Samples} {
			t.next.Add(kit.NewButton(words.T("command."+id), kit.Secondary, nil).Does(t.w.Commands, id))
		}
	}
	t.empty.Refresh()
}

// Find shows the sessions that have some words in their title, file name or note.
func (t *Table) Find(text string) {
	t.filter.SetText(text)
	t.update()
}

// running are the sessions that run. Each is in the table once, and one that is not open
// has a row all the same.
func (t *Table) running(groups []desk.Group, closed func(*desk.Entry) *desk.Entry) (list []*desk.Entry) {
	clear(t.live)
	filter := strings.ToLower(strings.TrimSpace(t.filter.Text()))
	for _, s := range t.d.Live() {
		if !strings.Contains(strings.ToLower(s.Title+" "+s.Path), filter) {
			continue
		}
		var e *desk.Entry
		for _, g := range groups {
			if i := slices.IndexFunc(g.Entries, func(e *desk.Entry) bool { return e.Path == s.Path }); i >= 0 {
				e = g.Entries[i]
			}
		}
		if e == nil {
			e = closed(&desk.Entry{Path: s.Path, Title: dialogs.LiveTitle(&s)})
			e.Messages = s.Messages
		}
		t.live[e], list = s, append(list, e)
	}
	return list
}

func (t *Table) look(row int) {
	e := t.rows[row]
	t.close()
	if t.closed[e.Path] == e {
		t.d.Add(e.Path)
		return
	}
	if e != t.d.Current() {
		t.d.Select(e)
	}
}

func (t *Table) sort(column string) {
	if o, ok := orderOf[column]; ok {
		if t.w.Settings.Order() == o { // a second press
			o |= desk.Reversed
		}
		t.w.Settings.SetOrder(o)
		t.d.Announce(desk.TopicFiles)
	}
}

func (t *Table) groupMenu(at fyne.CanvasObject) {
	var items []kit.MenuItem
	for _, g := range desk.Groupings {
		items = append(items, kit.MenuItem{Text: words.T(show.GroupingKeys[g]), Checked: g == t.w.Settings.Grouping(), Run: func() {
			t.w.Settings.SetGrouping(g)
			t.d.Announce(desk.TopicFiles)
		}})
	}
	kit.ShowMenuUnder(at, items)
}

func (t *Table) menu(row int, at fyne.Position) {
	e := t.rows[row]
	star := words.T("sessions.star")
	if e.Star {
		star = words.T("sessions.unstar")
	}
	open := t.closed[e.Path] != e
	items := []kit.MenuItem{{Text: words.T("do.open"), Run: func() { t.look(row) }}}
	if open {
		items = append(items, kit.MenuItem{Text: words.T("command.rename"), Shortcut: "F2", Run: t.Rename},
			kit.MenuItem{Text: star, Run: func() { t.d.SetStar(e, !e.Star) }})
	}
	if e.Sample == "" {
		items = append(items, kit.MenuItem{Text: words.T("sessions.copyPath"),
			Run: func() { kit.Copy(e.Path) }})
	}
	if s, runs := t.live[e]; runs {
		items = append(items, dialogs.LiveItems(t.d, s)...)
	}
	if open {
		items = append(items, kit.Rule, kit.MenuItem{Text: words.T("command.remove"), Run: func() { t.d.TakeOff(e) }})
	}
	kit.ShowMenu(t.w.Win.Canvas(), items, at, 0)
}

// Rename asks for a title of the row that is selected.
func (t *Table) Rename() {
	if i := t.grid.Selected(); i >= 0 && i < len(t.rows) && t.closed[t.rows[i].Path] != t.rows[i] {
		dialogs.ShowRename(t.d, t.w.Win, t.rows[i])
	}
}

func (t *Table) tick(row int, upTo bool) {
	from, to := row, row
	if upTo && t.anchor < len(t.rows) {
		from, to = min(t.anchor, row), max(t.anchor, row)
		t.tickRows(t.rows[from:to+1], true)
		return
	}
	t.anchor = row
	t.tickRows(t.rows[from:to+1], !t.ticked[t.rows[row]])
}

func (t *Table) tickRows(list []*desk.Entry, on bool) {
	for _, e := range list {
		if on && t.closed[e.Path] != e { // what is not open can't be compacted from here
			t.ticked[e] = true
		} else {
			delete(t.ticked, e)
		}
	}
	t.grid.Update()
	t.showTicked()
}

// chosen lists what is ticked in the order of the rows.
func (t *Table) chosen() []*desk.Entry {
	return slices.DeleteFunc(slices.Clone(t.rows), func(e *desk.Entry) bool { return !t.ticked[e] })
}

func (t *Table) showTicked() {
	list := t.chosen()
	if len(list) == 0 {
		t.bar.Set("", "")
		return
	}
	t.compact.SetEnabled(t.d.Planning.CanSavePresets())
	t.compact.SetTip(words.T("sessions.compact.tip"))
	if t.compact.Disabled() {
		t.compact.SetTip(words.T("needs.store"))
	}
	s := sumOf(list)
	t.bar.Set(words.T("range.selected", "count", len(list)),
		words.T("count.messages", "count", s.messages)+" · "+words.Bytes(s.size))
}

// Compact shows what compacting those that are ticked would come to.
func (t *Table) Compact() { t.Dialog = showCompact(t.d, t.w.Win, t.chosen()) }

// star gives all that are ticked a star, or takes it from all that have one.
func (t *Table) star() {
	list := t.chosen()
	on := slices.ContainsFunc(list, func(e *desk.Entry) bool { return !e.Star })
	for _, e := range list {
		t.d.SetStar(e, on)
	}
}

// remove takes what is ticked off the list; files and records stay.
func (t *Table) remove() {
	list := t.chosen()
	clear(t.ticked)
	t.d.TakeOff(list...)
	t.update()
}

// escape clears the ticks, then the filter; false leaves the screen.
func (t *Table) escape() bool {
	switch {
	case len(t.ticked) > 0:
		t.tickRows(t.rows, false)
	case strings.TrimSpace(t.filter.Text()) != "":
		t.filter.SetText("")
		t.update()
	default:
		return false
	}
	return true
}
