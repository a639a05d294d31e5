package gui

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/about"
	"palimpsest/compaction/session/find"
	"palimpsest/gui/commands"
	"palimpsest/gui/desk"
	"palimpsest/gui/dialogs"
	"palimpsest/gui/sched"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/query/querytest"
)

// Every operator of a query works in the window.
func TestTheWindowKnowsEveryOperator(t *testing.T) {
	s := newStage(t)
	querytest.Operators(t, func(q string) int {
		s.Desk.SetFilter(desk.Filter{Text: q})
		s.settle()
		n, _, _ := s.Desk.Hits()
		for i := range s.Desk.RowCount() { // the draft is no message yet
			if r := s.Desk.Row(i); r.Kind == session.RowSummary {
				n--
			}
		}
		return n
	})
}

// The terms of a query are chips that can be turned round and taken away; what narrows
// it is offered, and what stands in the way is named.
func TestTheChipsOfASearch(t *testing.T) {
	for _, lang := range words.Languages {
		s := newStage(t)
		s.setLanguage(lang)
		s.settle()
		s.Commands.Run(commands.Find)
		s.write("is:error role:tool ")
		s.settle()
		n, _, _ := s.Desk.Hits()
		if n == 0 {
			t.Fatal("the sample has no errors")
		}
		s.sees("is:error ×", "role:tool ×", words.T("find.messages", "count", n))
		s.tap("is:error ×")
		s.tap(words.T("find.not"))
		s.settle()
		if got := s.Desk.Filter().Text; got != "-is:error role:tool" {
			t.Fatalf("%s: the filter is %q", lang, got)
		}
		s.sees("-is:error ×", words.T("find.narrow"))
		s.Desk.SetFilter(desk.Filter{Text: "is:error role:user"})
		s.settle()
		x, ok := s.Desk.Without()
		if !ok {
			t.Fatal("nothing stands in the way")
		}
		s.tap(words.T("find.without", "term", x.Term, "count", x.N))
		s.settle()
		if n, _, _ := s.Desk.Hits(); n != x.N {
			t.Errorf("%d found, said %d", n, x.N)
		}
	}
}

// The screen of all sessions shows the message that is selected, and leads to it; what a
// record took is searched from the record.
func TestTheSearchOfAllSessions(t *testing.T) {
	s := newStage(t)
	s.Commands.Run(commands.FindAll)
	s.settle()
	s.write("role:tool is:error")
	s.settle()
	hits := 0
	s.Desk.FindAll(desk.Asked{Text: "role:tool is:error"}, func(l desk.Library) {
		if hits = 0; !l.Running {
			for _, g := range l.Groups {
				hits += len(g.Matches)
			}
		}
	})
	s.settle()
	s.write(" ") // the screen asks again
	s.settle()
	s.sees(words.T("find.messages", "count", hits), "Rendered", show.EntryTitle(s.Desk.Current())) // under the name that the list has
	fates := 0
	s.Desk.FindAll(desk.Asked{Text: "role:tool is:error"}, func(l desk.Library) {
		for _, g := range l.Groups {
			for _, m := range g.Matches {
				if open := g.Path == s.Desk.Current().Path; open != (m.Known != nil) {
					t.Errorf("message %d of %s: known %v", m.Num, g.Path, m.Known)
				} else if open {
					fates++
				}
			}
		}
	})
	s.settle()
	if fates == 0 {
		t.Error("the session that is open has no hit: the test proves nothing")
	}
	s.sees(words.T("column.fate"), words.T("column.tokens"))
	first := ""
	for _, e := range s.Desk.Entries() {
		if first == "" && e.Sample != "" {
			first = e.Path
		}
	}
	s.press("Enter", "Enter")
	if s.InSheet() || s.Desk.SelectedMessage() < 0 || !strings.Contains(s.Desk.Filter().Text, "is:error") {
		t.Errorf("at message %d of %s with %q", s.Desk.SelectedMessage(), first, s.Desk.Filter().Text)
	}
	s.Desk.SetFilter(desk.Filter{})
	s.Desk.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 20, Unit: model.Messages} })
	s.settle()
	s.Desk.CompactNow()
	s.settle()
	id := s.Desk.RecordList.Records()[0].ID
	s.Commands.Lost(id, "")
	s.settle()
	s.sees(id + " ×")
	s.press("Esc")
}

// Everything beside the text of a message leads somewhere: to other messages and back, to
// the line of the summary that refers to it and from there to messages, to its record, and
// to what that record took.
func TestWhatIsBesideAMessageLeadsThere(t *testing.T) {
	for _, lang := range words.Languages {
		s := newStage(t)
		s.setLanguage(lang)
		s.Desk.SetFilter(desk.Filter{})
		s.Desk.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 20, Unit: model.Messages} })
		s.settle()
		s.Desk.CompactNow()
		s.settle()
		rec := s.Desk.RecordList.Records()[0]
		var covers []about.Cover
		at := -1
		for i := 459; i > 0 && at < 0; i-- {
			s.Desk.About("about", i, func(m *about.Message) { covers = m.Covers })
			s.settle()
			if len(covers) > 0 && covers[0].Line >= 0 {
				at = i
			}
		}
		if at < 0 {
			t.Fatal("no line of the summary refers to a message")
		}
		s.Desk.SelectMessage(at)
		s.settle()
		s.Win.Canvas().Focus(s.ledger())
		s.press("Enter")
		s.settle()
		s.tap("#" + words.Int(int64(at))) // the one before
		s.settle()
		if got := s.Desk.SelectedMessage(); got != at-1 {
			t.Fatalf("%s: at message %d, want %d", lang, got, at-1)
		}
		s.tap(words.T("about.back"))
		s.settle()
		if got := s.Desk.SelectedMessage(); got != at {
			t.Fatalf("%s: back at message %d, want %d", lang, got, at)
		}
		s.tap(words.T("about.line", "n", covers[0].Line+1))
		s.settle()
		line := strings.Split(covers[0].Record.Summary, "\n")[covers[0].Line]
		line = line[:strings.IndexAny(line+":", "(:")] // a link ends or follows
		s.sees(rec.ID+"  "+words.T("role.summary"), line)
		s.tap(words.T("about.back"))
		s.settle()
		s.sees("#" + words.Int(int64(at+1)))
		s.tap(words.T("find.lostOf", "record", rec.ID))
		s.settle()
		s.sees(rec.ID + " ×")
	}
}

// The key i puts what is known of the selected message into the place of the parameters;
// it follows the selection, its links lead to messages and back, and both share one pane.
func TestWhatIsKnownOfAMessageIsBesideTheLedger(t *testing.T) {
	for _, lang := range words.Languages {
		s := newStage(t)
		s.setLanguage(lang)
		s.Desk.SelectMessage(100)
		s.settle()
		s.Win.Canvas().Focus(s.ledger())
		s.press("i")
		s.settle()
		s.sees(words.T("about.of", "n", 101), show.Upper(words.T("about.tokens")))
		s.tap("#100")
		s.settle()
		s.sees(words.T("about.of", "n", 100))
		s.Desk.SelectMessage(7)
		s.settle()
		s.sees(words.T("about.of", "n", 8))
		s.tap(words.T("about.back"))
		s.settle()
		if got := s.Desk.SelectedMessage(); got != 100 {
			t.Errorf("%s: back at message %d", lang, got)
		}
		for i := range s.Desk.RowCount() { // a summary is no message, and something is known of it
			if r := s.Desk.Row(i); r.Num == 0 && r.Msg != nil {
				s.Desk.SelectRow(i)
				s.settle()
				found := session.SizedFound(s.Desk.Session())
				k := slices.IndexFunc(found, func(f model.Found) bool { return f.Summary == int(r.Stored) })
				s.sees(words.T("about.compaction"), fmt.Sprint(k+1, ": ", show.FoundWords(&found[k])))
				break
			}
		}
		s.Desk.SelectMessage(100)
		s.settle()
		s.tap("#100")
		s.settle()
		s.Desk.SetFilter(desk.Filter{Text: "a-word-that-is-nowhere"}) // nothing is selected
		s.settle()
		s.Desk.SetFilter(desk.Filter{})
		s.Desk.Select(s.Desk.Entries()[1]) // a shorter history
		s.settle()
		if strings.Contains(shown(s.about.Object()), words.T("about.back")) {
			t.Errorf("%s: Back leads into another history", lang)
		}
		s.press("Ctrl+Shift+B")
		if s.about.Object().Visible() && s.right.MinSize().Width > s.middle.MinSize().Width {
			t.Errorf("%s: the pane is there while its place is hidden", lang)
		}
		s.press("i", "i")
		s.settle()
		if s.Settings.Hidden("parameters") || !s.about.Object().Visible() || s.params.Visible() {
			t.Errorf("%s: after hiding the place, i does not bring the pane back", lang)
		}
		s.tap(words.T("parameters.title"))
		s.settle()
		s.sees(words.T("parameter.window"))
		if s.about.Object().Visible() {
			t.Errorf("%s: the parameters and the message are both there", lang)
		}
	}
}

// F3 walks through the places of all sessions, over the ends of messages, and back.
// The switches are part of the query, in the ledger's search and in that of all
// sessions.
func TestPlacesAndSwitches(t *testing.T) {
	s := newStage(t)
	s.Commands.Run(commands.FindAll)
	s.settle()
	s.write("role:tool offset")
	s.settle()
	var list []find.Match
	s.Desk.FindAll(desk.Asked{Text: "role:tool offset"}, func(l desk.Library) {
		list = nil
		for _, g := range l.Groups {
			list = append(list, g.Matches...)
		}
	})
	s.settle()
	s.write(" ")
	s.settle()
	if len(list) < 3 || list[0].Count < 2 {
		t.Fatalf("%d messages: the test proves nothing", len(list))
	}
	at := func(m find.Match) string { return words.T("find.open", "n", m.Num) }
	s.sees(at(list[0]))
	walk := func(key string, n int) {
		for range n {
			s.press(key)
			s.settle()
		}
	}
	walk("F3", list[0].Count-1)
	s.sees(at(list[0]))
	walk("F3", 1)
	s.sees(at(list[1]))
	walk("Shift+F3", 1)
	s.sees(at(list[0]))
	walk("Shift+F3", list[0].Count-1)
	s.sees(at(list[0]))
	walk("Shift+F3", 1)
	s.sees(at(list[len(list)-1]))

	s.tap(words.T("find.match.word"))
	s.tap(words.T("find.match.case"))
	s.settle()
	s.sees("role:tool offset match:word,case")
	s.LeaveSheet()
	s.Desk.SetFilter(desk.Filter{})
	s.settle()
	s.Commands.Run(commands.Find)
	s.write("OFFSET")
	s.settle()
	any, _, _ := s.Desk.Hits()
	s.tap(words.T("find.match.case"))
	s.settle()
	if n, _, _ := s.Desk.Hits(); any == 0 || n != 0 || s.Desk.Filter().Text != "OFFSET match:case" {
		t.Errorf("%d found with case, %d without: %q", n, any, s.Desk.Filter().Text)
	}
	s.tap(words.T("find.match.case"))
	s.settle()
	if n, _, _ := s.Desk.Hits(); n != any || s.Desk.Filter().Text != "OFFSET" {
		t.Errorf("%d found without case again, %d before: %q", n, any, s.Desk.Filter().Text)
	}
}

// The palette lists messages of the session behind its commands, and goes to the one
// that is chosen.
func TestPaletteFindsMessages(t *testing.T) {
	s := newStage(t)
	p := &dialogs.Palette{W: s.Host}
	dialogs.ShowPaletteOf(s.Host, p)
	p.Field.SetText("offset")
	p.Search()
	before := len(p.Shown)
	s.settle()
	if len(p.Shown) <= before {
		t.Fatalf("%d choices, no messages", len(p.Shown))
	}
	want := 0
	for i := before; i < len(p.Shown); i++ {
		if !strings.Contains(strings.ToLower(p.Shown[i].Text), "offset") {
			t.Errorf("%q does not hold it", p.Shown[i].Text)
		}
		want++
	}
	for range before {
		s.press("↓")
	}
	s.press("Enter")
	if s.Desk.SelectedMessage() < 0 || s.Desk.Filter().Text != "offset" || s.Desk.Filter().Around != desk.HitsInAll {
		t.Errorf("at message %d with %+v, %d listed", s.Desk.SelectedMessage(), s.Desk.Filter(), want)
	}
}

// Ctrl+F goes to the field of the screen that is seen, wherever the focus was; a screen
// that can't be searched leaves the panes behind it alone.
func TestFindGoesToTheFieldThatIsSeen(t *testing.T) {
	s := newStage(t)
	field := func() fyne.Focusable {
		t.Helper()
		s.Win.Canvas().Unfocus()
		s.press("Ctrl+F")
		return s.Win.Canvas().Focused()
	}
	seen := map[fyne.Focusable]string{}
	for _, name := range []string{"", commands.FindAll, commands.Records, commands.Sessions} {
		if name != "" {
			s.Commands.Run(name)
			s.settle()
		}
		f := field()
		if f == nil || seen[f] != "" {
			t.Fatalf("%q: the focus is in %T, as in %q", name, f, seen[f])
		}
		seen[f] = cmp.Or(name, "the panes")
	}
	s.Commands.Run(commands.FindAll)
	s.settle()
	s.tap(words.T("find.in.lost"))
	field()
	s.write("scanner")
	s.settle()
	s.sees("scanner")
	s.Commands.Run("compare")
	s.settle()
	if f := field(); f != nil {
		t.Errorf("a screen without a field gave the focus to %T", f)
	}
}

// The sessions are in the order of the list, or those with the most hits come first; the
// message that is read stays.
func TestOrdersOfAllSessions(t *testing.T) {
	s := newStage(t)
	s.Commands.Run(commands.FindAll)
	s.write("shop")
	s.settle()
	counts := func() (list []int) {
		for _, m := range regexp.MustCompile(`(?m)^(\d+) messages?$`).FindAllStringSubmatch(shown(s.top()), -1) {
			n, _ := strconv.Atoi(m[1])
			list = append(list, n)
		}
		return list
	}
	down := func(a, b int) int { return b - a }
	listed := counts()
	if len(listed) < 3 || slices.IsSortedFunc(listed, down) {
		t.Fatalf("%v: the test proves nothing", listed)
	}
	read := regexp.MustCompile(`Open #\d+`).FindString(shown(s.top()))
	s.tap(words.T("find.order.listed"))
	s.tap(words.T("find.order.most"))
	s.settle()
	if most := counts(); len(most) != len(listed) || !slices.IsSortedFunc(most, down) {
		t.Errorf("%v, listed as %v", most, listed)
	}
	if now := regexp.MustCompile(`Open #\d+`).FindString(shown(s.top())); now != read || read == "" {
		t.Errorf("%q is read, not %q", now, read)
	}
}

// Filters that were kept are in the first menu of the next window, and keeping another
// one leaves them.
func TestKeptFiltersAreThereAtOnce(t *testing.T) {
	s := newStage(t)
	open := func(s *stage) {
		s.tap(words.T("find.saved"))
		s.settle()
	}
	s.Commands.Run(commands.FindAll)
	s.write("role:tool scanner")
	s.settle()
	open(s)
	s.tap(words.T("find.keep"))
	s.settle()

	q := sched.NewQueue()
	d := desk.New(q.Dispatch, s.Desk.Store())
	t.Cleanup(d.Close)
	next := &stage{newWindow(s.App, d, s.Settings, Options{Store: s.Desk.Store()}), q, t}
	next.begin()
	next.settle()
	next.Commands.Run(commands.FindAll)
	next.write("is:error")
	next.settle()
	open(next)
	next.sees("role:tool scanner")
	next.tap(words.T("find.keep"))
	next.settle()
	open(next)
	next.sees("role:tool scanner")
	next.tap("role:tool scanner")
	next.settle()
	open(next)
	next.sees(words.T("find.forget"))
}

// Where a search of the ledger finds nothing, all sessions are one click away, and the key
// begins with the same words.
func TestASearchThatFindsNothingGoesOnInAllSessions(t *testing.T) {
	s := newStage(t)
	const nowhere = "a-word-that-is-nowhere"
	s.Desk.SetFilter(desk.Filter{Text: nowhere})
	s.settle()
	s.sees(words.T("ledger.nothing"))
	s.tap(words.T("find.title"))
	s.settle()
	s.sees(words.T("find.in.history"), words.T("find.none", "of", words.T("find.sessions", "count", len(s.Desk.Entries()))))
}

// Esc takes the filter away where the messages have the keys, and not where others have
// them; the message that was selected before nothing was found is selected again.
func TestEscTakesTheFilterAway(t *testing.T) {
	s := newStage(t)
	s.Desk.SelectMessage(7)
	for _, text := range []string{"a-word-that-is-nowhere", "role:user"} {
		s.Desk.SetFilter(desk.Filter{Text: text})
		s.settle()
		s.sessions.Filter.FocusOn(s.Win.Canvas())
		s.press("Esc")
		if s.Desk.Filter().Text != text {
			t.Fatal("Esc in the list of sessions took the filter of the messages")
		}
		s.Win.Canvas().Unfocus()
		s.press("Esc")
		s.settle()
		if f := s.Desk.Filter(); f.Text != "" {
			t.Errorf("the filter is still %q", f.Text)
		}
		if n := s.Desk.SelectedMessage(); n != 7 && text != "role:user" {
			t.Errorf("message %d is selected", n)
		}
	}
}
