// Package search is the screen that finds messages in all sessions.
package search

import (
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/find"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/kit/grid"
	"palimpsest/gui/kit/reading"
	"palimpsest/gui/screen"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/body"
	"palimpsest/model/query"
)

// Screen is the search of all sessions: what was found, by session, and for a row
// the way to its message.
//
//	🔍 role:tool column offset               Aa word .*     [Sessions | What went]  Filters ▾
//	31 messages · 94 places · 5 sessions · 38 ms   narrow to tool:Read 14   index: 41 of 41 histories
//	▾ Split the lexer into scanner and table      12 │ #118 result of Read        [Rendered|Text] [Open]
//	    118  result of Read   the column is the…   2 │ the column is the byte offset + 1
type Screen struct {
	w     *screen.Host
	d     *desk.Desk
	obj   fyne.CanvasObject
	field *kit.TextField
	where *kit.Segments
	match *show.MatchSwitches
	saved *kit.Link
	only  *kit.Tag // the record whose originals alone are searched
	sums  *kit.Text
	index *kit.Text
	chips *fyne.Container
	line  *fyne.Container
	wrong *kit.Text
	empty *kit.Text
	head  *fyne.Container
	grid  *grid.Grid

	pane  *kit.Pane // the message that is selected
	view  *reading.View
	modes *kit.Segments
	jump  *kit.Button
	read  *desk.Detail
	at    *find.Match // that read is the message of

	found  desk.Library
	rows   []row
	groups []grid.Group
	ask    desk.Asked
	open   bool
	most   bool      // the sessions with the most hits come first
	order  *kit.Link // says so, and changes it
}

// row is one message that was found.
type row struct {
	group *desk.FoundGroup
	match *find.Match
}

// New makes the screen.
func New(w *screen.Host) *Screen {
	s := &Screen{w: w, d: w.Desk}
	s.grid = grid.New(s.columns(), func() int { return len(s.rows) })
	s.grid.Groups = func() []grid.Group { return s.groups }
	s.grid.OnSelect = s.show
	s.grid.OnOpen = s.goTo
	s.grid.OnEscape = func() bool { s.close(); return true }
	s.grid.OnCopy = kit.Copy
	s.field = kit.NewFilter(words.T("find.hint"), func(string) { s.search() })
	s.field.OnSubmitted = func(string) {
		if len(s.rows) > 0 {
			s.grid.Select(max(0, s.grid.Selected()))
			w.Win.Canvas().Focus(s.grid.List())
		}
	}
	s.field.OnTab, s.field.TakesTab = s.take, func() bool { return len(s.offers()) > 0 }
	s.where = kit.NewSegments([]string{words.T("find.in.history"), words.T("find.in.lost")}, 0, func(i int) {
		s.ask.Lost, s.ask.Record = i == 1, ""
		s.search()
	})
	s.only = kit.NewTag("", kit.ColorAccent)
	s.only.OnTapped = func() {
		s.ask.Record = ""
		s.search()
	}
	s.match = show.NewMatchSwitches(func(text string) {
		s.field.SetText(text)
		s.search()
	})
	s.saved = kit.NewMenuLink(words.T("find.saved"), nil)
	s.saved.OnTapped = func() { show.FilterMenu(s.d, s.saved, s.field.Text(), s.field.SetText) }
	s.order = kit.NewMenuLink(words.T("find.order.listed"), s.pickOrder).WithTip("find.order.tip")
	s.sums, s.wrong = kit.NewText("", kit.ColorMuted, 12), kit.NewText("", kit.ColorWarning, 12)
	s.index, s.chips = kit.NewText("", kit.ColorFaint, 12), kit.Row(4)
	s.empty = kit.NewText(words.T("find.empty"), kit.ColorMuted, 13).Center().Fit()
	s.head = kit.Row(12, kit.Label(words.T("find.title")).Bold(), s.only,
		kit.Stretch(kit.Sized(230, 24, s.field)), s.match.Obj, s.where, s.order, s.saved)
	s.line = kit.Row(10, kit.Means(s.sums, "find.sums.means"), s.wrong, kit.Stretch(container.NewHScroll(s.chips)), s.index)
	list := container.NewStack(s.grid.Object(), s.empty)
	s.reader()
	both := w.Split("search", false, list, s.pane, kit.KeepShare, .46)
	s.obj = kit.NewPane("", kit.Column(0, kit.Pad(5, 10, 5, 10, s.head), kit.Pad(0, 12, 5, 12, s.line),
		kit.NewRule(), kit.Stretch(both)))
	return s
}

// pickOrder offers the orders of the sessions.
func (s *Screen) pickOrder() {
	var items []kit.MenuItem
	for _, most := range []bool{false, true} {
		items = append(items, kit.MenuItem{Text: words.T(orderKey(most)), Checked: most == s.most, Run: func() {
			s.most = most
			s.order.SetText(words.T(orderKey(most)))
			s.update()
		}})
	}
	kit.ShowMenuUnder(s.order, items)
}

func orderKey(most bool) string {
	if most {
		return "find.order.most"
	}
	return "find.order.listed"
}

// reader makes the pane in which the selected message is read.
func (s *Screen) reader() {
	s.view = reading.New(s.d.Scheduler())
	s.modes = kit.NewSegments(show.ReadingNames()[:2], 0, func(int) { s.draw(true) })
	s.jump = kit.NewButton("", kit.Primary, func() { s.goTo(s.grid.Selected()) }).WithTip("find.jump.tip").Small()
	s.pane = kit.NewPane(words.T("find.pick"), s.view)
}

// show reads the message of a row.
func (s *Screen) show(i int) {
	if i < 0 || i >= len(s.rows) {
		s.at, s.read = nil, nil
		s.pane.SetTitle(words.T("find.pick"))
		s.pane.SetRight()
		s.draw(false)
		return
	}
	r := s.rows[i]
	if s.at == r.match {
		return
	}
	s.at, s.read = r.match, nil
	title, open := who(r), words.T("do.open") // a summary has no number
	if r.match.Num > 0 {
		title = "#" + words.Int(int64(r.match.Num)) + "  " + title
		open = words.T("find.open", "n", r.match.Num)
	}
	s.pane.SetTitle(title)
	s.jump.SetText(open)
	s.pane.SetRight(s.modes, s.jump)
	s.d.ReadMatch(r.group, r.match, func(t *desk.Detail) {
		s.read = t
		s.draw(false)
	})
}

// draw shows the message that was read; keep: at the place where it is.
func (s *Screen) draw(keep bool) {
	t, how := s.read, show.Reading(s.modes.Selected())
	q, _ := query.Parse(s.field.Text())
	s.view.Read(keep, func() *body.Doc { return show.Body(t, how) })
	s.view.Mark(q.Expression())
}

// Enter shows the screen; with a text it looks for that, else for what it did before.
func (s *Screen) Enter(ask desk.Asked) {
	s.w.ShowSheet(s.obj, s.close)
	s.w.Find = func() { s.field.FocusOn(s.w.Win.Canvas()) }
	s.open = true
	if ask.Text == "" {
		ask.Text = s.field.Text()
	}
	s.ask = ask
	s.field.SetText(ask.Text)
	s.where.Select(0)
	if ask.Lost {
		s.where.Select(1)
	}
	s.search()
	s.w.Find()
}

func (s *Screen) close() {
	s.open = false
	s.d.EndFindAll()
	s.w.HideSheet()
}

// search looks for what is typed.
func (s *Screen) search() {
	s.ask.Text = s.field.Text()
	s.match.Set(s.ask.Text)
	s.only.Set(s.ask.Record+" ×", kit.ColorAccent)
	show.SetVisible(s.only, s.ask.Record != "")
	s.d.FindAll(s.ask, func(l desk.Library) {
		s.found = l
		s.update()
	})
}

// Visible reports whether the screen is looked at.
func (s *Screen) Visible() bool { return s != nil && s.open && s.w.InSheet() }

// Found reports whether there is a place to step to.
func (s *Screen) Found() bool { return len(s.rows) > 0 }

// Step goes to the next place that was found, or with −1 to the one before: through
// the text that is read, then on in the next message, around the ends.
func (s *Screen) Step(by int) {
	n := len(s.rows)
	if n == 0 || s.read != nil && s.view.StepMark(by) {
		return
	}
	s.grid.Select((s.grid.Selected() + by + n) % n)
	s.show(s.grid.Selected())
}

// offers are what may go on at the cursor.
func (s *Screen) offers() []query.Offer {
	return query.Complete(s.field.Text(), s.field.Cursor(), s.d.QueryFacts())
}

func (s *Screen) take() {
	text := s.field.Text()
	if list := s.offers(); len(list) > 0 {
		s.field.Put(text[:list[0].From] + list[0].Text + text[list[0].To:])
	}
}

// update shows what was found so far.
func (s *Screen) update() {
	s.rows, s.groups = nil, nil
	messages, places := 0, 0
	named := map[string]string{} // as the list of sessions calls them
	for _, e := range s.d.Entries() {
		if title := show.EntryTitle(e); title != "" {
			named[e.Path] = title
		}
	}
	for _, g := range s.ordered() {
		title := g.Title
		if name, ok := named[g.Path]; ok {
			title = name
		}
		title = show.Shortened(kit.Clean(title), 56)
		if title == "" {
			title = show.ShortHome(g.Path)
		}
		if g.Record != "" {
			title += "  ·  " + words.T("find.originals", "record", g.Record)
		}
		s.groups = append(s.groups, grid.Group{Key: g.Path + g.Record, Title: title, Count: len(g.Matches),
			Few: s.few(g), Note: words.T("find.messages", "count", len(g.Matches))})
		for k := range g.Matches {
			s.rows = append(s.rows, row{g, &g.Matches[k]})
		}
		messages, places = messages+len(g.Matches), places+g.Places
	}
	s.sums.SetText(s.sum(messages, places))
	wrong := ""
	if e := s.found.Err; e != nil {
		wrong = show.QueryProblem(e)
	}
	s.wrong.SetText(wrong)
	show.SetVisible(s.wrong, wrong != "")
	s.field.SetBad(wrong != "")
	s.empty.SetText(s.none())
	s.grid.Update()
	if i := slices.IndexFunc(s.rows, func(r row) bool { return r.match == s.at }); s.at != nil && i >= 0 {
		s.grid.Select(i)
	}
	if s.grid.Selected() >= len(s.rows) || s.grid.Selected() < 0 {
		s.grid.Select(min(0, len(s.rows)-1))
	}
	s.show(s.grid.Selected())
	s.chips.Objects = nil
	if len(s.found.Narrow) > 0 {
		s.chips.Objects = show.Narrowing(s.found.Narrow, func(o query.Offer) {
			q, _ := query.Parse(s.field.Text())
			s.field.SetText(q.With(o.Key, o.Value, false).String())
			s.search()
		})
	}
	known := ""
	if n, of := s.d.Indexed(); of > 0 && !s.ask.Lost {
		known = words.T("find.indexed", "n", n, "of", of)
	}
	s.index.SetText(known)
	s.line.Refresh()
	s.head.Refresh()
}

// none says why there are no rows; "": there are some.
func (s *Screen) none() string {
	of := "find.sessions"
	if s.ask.Lost {
		of = "find.records"
	}
	switch {
	case len(s.rows) > 0:
		return ""
	case s.found.Running:
		return words.T("find.running")
	case strings.TrimSpace(s.field.Text()) == "":
		return words.T("find.empty")
	}
	return words.T("find.none", "of", words.T(of, "count", s.found.Looked))
}

// few is how many rows of a group are shown at first: all of the session that is open.
func (s *Screen) few(g *desk.FoundGroup) int {
	if s.isOpen(g) {
		return 0
	}
	return 3
}

// isOpen reports whether the group is of the session that is open.
func (s *Screen) isOpen(g *desk.FoundGroup) bool {
	e := s.d.Current()
	return e != nil && e.Path == g.Path && g.Record == ""
}

// ordered are the groups in the order that was picked; among equals that of the list.
func (s *Screen) ordered() []*desk.FoundGroup {
	list := make([]*desk.FoundGroup, len(s.found.Groups))
	for i := range list {
		list[i] = &s.found.Groups[i]
	}
	if s.most {
		slices.SortStableFunc(list, func(a, b *desk.FoundGroup) int { return len(b.Matches) - len(a.Matches) })
	}
	return list
}

func (s *Screen) sum(messages, places int) string {
	if messages == 0 {
		return ""
	}
	key := "find.sessions"
	if s.ask.Lost {
		key = "find.records"
	}
	text := words.T("find.messages", "count", messages)
	if places > 0 {
		text += " · " + words.T("find.places", "count", places)
	}
	text += " · " + words.T(key, "count", len(s.found.Groups))
	if s.found.Running {
		return text + " …"
	}
	return text + " · " + words.Duration(s.found.Took)
}

// goTo opens a message in its session and keeps the search.
func (s *Screen) goTo(i int) {
	if i < 0 || i >= len(s.rows) {
		return
	}
	r := s.rows[i]
	text := s.field.Text()
	s.close()
	s.d.OpenMatch(r.group.Path, r.match.Ref, r.match.Num, text)
}

func (s *Screen) columns() []grid.Column {
	at := func(f func(row) string) func(int) string { return func(i int) string { return f(s.rows[i]) } }
	muted := func(int) fyne.ThemeColorName { return kit.ColorMuted }
	unknown := func() bool { return !slices.ContainsFunc(s.rows, func(r row) bool { return r.match.Known != nil }) }
	return []grid.Column{
		{ID: "fate", Title: words.T("column.fate"), Width: 34, Min: 34, Absent: unknown, Means: words.T("find.col.fate.means"),
			Text: at(fate), Cell: s.badge},
		{ID: "num", Title: words.T("find.col.num"), Width: 64, Right: true, Ink: muted,
			Means: words.T("find.col.num.means"), Text: at(func(r row) string {
				if r.match.Num == 0 {
					return "–"
				}
				return words.Int(int64(r.match.Num))
			})},
		{ID: "who", Title: words.T("find.col.who"), Width: 150, Text: at(who), Ink: func(i int) fyne.ThemeColorName {
			if m := s.rows[i].match.Msg; m != nil && m.Error {
				return kit.ColorWarning
			}
			return kit.ColorText
		}},
		{ID: "text", Title: words.T("find.col.text"), Width: 300, Grow: true, Keep: true,
			Text: at(func(r row) string { return kit.Clean(r.match.Snippet.Text) }), Cell: s.snippet, Room: 120},
		{ID: "places", Title: words.T("find.col.places"), Width: 70, Right: true, Ink: muted, Hide: 1,
			Means: words.T("find.col.places.means"),
			Text: at(func(r row) string {
				if r.match.Count == 0 {
					return ""
				}
				return words.Int(int64(r.match.Count))
			})},
		{ID: "tokens", Title: words.T("column.tokens"), Width: 80, Right: true, Ink: muted, Hide: 2, Absent: unknown,
			Means: words.T("find.col.tokens.means"), Text: at(s.tokens)},
	}
}

// fate is what the plan does with a message, where that is known.
func fate(r row) string {
	if k := r.match.Known; k != nil && k.Live {
		return show.FateWord(k.Fate)
	}
	return ""
}

// badge is the letter of a message's fate.
func (s *Screen) badge() (fyne.CanvasObject, func(row int)) {
	b := kit.NewBadge("")
	return kit.Row(0, b), func(i int) {
		show.SetVisible(b, fate(s.rows[i]) != "")
		if k := s.rows[i].match.Known; k != nil {
			b.Set(k.Fate.Letter())
		}
	}
}

// tokens is the size of a message, where that is known.
func (s *Screen) tokens(r row) string {
	k := r.match.Known
	switch {
	case k == nil:
		return ""
	case s.isOpen(r.group):
		return show.TokenCount(s.d, int64(k.Tokens))
	}
	return words.Tokens(int64(k.Tokens)) // how exactly another history is counted is not known here
}

// who names a message's speaker and its tools.
func who(r row) string {
	if r.match.Msg == nil {
		return words.T("role.summary")
	}
	who := []string{show.WhoSays(session.Row{Msg: r.match.Msg})} // with the tools that it calls
	if len(r.match.Msg.Calls) == 0 {
		who = append(who, r.match.Tools...)
	}
	return strings.Join(who, " · ")
}

// snippet is the text around the first place, with the places marked.
func (s *Screen) snippet() (fyne.CanvasObject, func(row int)) {
	text := grid.NewHitText(kit.ColorText)
	return text, func(i int) {
		q, _ := query.Parse(s.field.Text())
		text.Find(s.rows[i].match.Snippet.Text, q.Expression())
	}
}
