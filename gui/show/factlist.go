package show

import (
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/words"
)

// factLine is one fact in a list: its kind, its string, where it stood.
type factLine struct {
	kind  facts.Kind
	text  string
	place string
	look  int // history position that a click looks at
}

func KindWords(k facts.Kind) string { return words.T("fact." + k.String()) }

// ShowLost lists what does not survive the plan, of one kind or, with
// [facts.Kinds], of all. leave goes to the ledger from where the list was asked
// for.
func ShowLost(d *desk.Desk, win fyne.Window, kind facts.Kind, leave func()) {
	v := d.Survival()
	if v == nil {
		return
	}
	lines := make([]factLine, 0, len(v.Lost))
	for _, l := range v.Lost {
		if kind != facts.Kinds && l.Kind != kind {
			continue
		}
		line := factLine{kind: l.Kind, text: l.Text, look: -1, place: words.T("facts.inSummary")}
		if n := len(l.At); n > 0 {
			line.place, line.look = placeWords(l.At), l.At[n-1]
		}
		lines = append(lines, line)
	}
	title := words.T("facts.lost")
	if kind != facts.Kinds {
		title = words.T("facts.lostKind", "kind", KindWords(kind))
	}
	showFacts(d, win, factTable{title, words.T("facts.count", "count", len(lines)), words.T("facts.exact"), lines}, leave)
}

// ShowMisses lists what the agent needed later and no longer had.
func ShowMisses(d *desk.Desk, win fyne.Window) {
	if n, _ := d.Needed(); n != nil {
		ShowMissesOf(d, win, n, words.T("facts.misses"), func() {})
	}
}

// ShowMissesOf lists the misses of a replay of the history looked at; leave goes
// to the ledger.
func ShowMissesOf(d *desk.Desk, win fyne.Window, n *session.Needed, title string, leave func()) {
	s := d.Session()
	if s == nil || s.Insight.KnownFacts() == nil {
		return
	}
	x := s.Insight.KnownFacts()
	lines := make([]factLine, 0, len(n.Misses))
	for _, m := range n.Misses {
		f := x.Fact(m.ID)
		place := words.T("facts.neededAt", "n", m.Use+1)
		if m.Last >= 0 {
			place = words.T("needed.place", "last", m.Last+1, "n", m.Use+1)
		}
		lines = append(lines, factLine{kind: f.Kind, text: f.Text, look: m.Use, place: place})
	}
	caption := words.T("facts.exact")
	if n.Lower {
		caption = words.T("facts.lower")
	}
	showFacts(d, win, factTable{title, words.T("facts.missed", "count", len(lines), "needs", n.Needs.Needs), caption, lines}, leave)
}

// placeWords names the last places of a fact: "#12, #60".
func placeWords(at []int) string {
	const most = 3
	var out []string
	if len(at) > most {
		out, at = append(out, "…"), at[len(at)-most:]
	}
	for _, h := range at {
		out = append(out, "#"+words.Int(int64(h+1)))
	}
	return strings.Join(out, ", ")
}

// factTable is a list of facts and the words around it.
type factTable struct {
	title, sub, caption string
	lines               []factLine
}

// showFacts shows a list of facts; a click selects the message of one, a double
// click goes there.
func showFacts(d *desk.Desk, win fyne.Window, t factTable, leave func()) {
	lines := t.lines
	var dlg *kit.Dialog
	list := kit.NewRows(24, func() int { return len(lines) }, func() (fyne.CanvasObject, func(int)) { return factRow(lines) })
	list.Choosable = func(i int) bool { return lines[i].look >= 0 }
	list.OnSelect = func(i int) { d.SelectMessage(lines[i].look) }
	list.OnOpen = func(i int) {
		LookAt(d, lines[i].look)
		dlg.Close()
		leave()
	}
	dlg = kit.NewDialog(t.title, t.sub, kit.Pad(4, 4, 4, 4, list), 820, 480)
	dlg.SetCaption(t.caption + " · " + words.T("facts.go"))
	dlg.SetButtons(kit.NewButton(words.T("do.copy"), kit.Secondary, func() { kit.Copy(factsText(lines)) }).
		WithTip("do.copy.tip"),
		kit.NewButton(words.T("do.close"), kit.Primary, dlg.Hide))
	dlg.ShowOn(win.Canvas())
}

// LookAt selects a message of the history, in the full history where what the
// model sees doesn't hold it.
func LookAt(d *desk.Desk, history int) {
	if d.RowOfMessage(history) < 0 {
		d.Planning.SetView(session.FullHistory)
	}
	d.SelectMessage(history)
}

// factsText is a list to be copied: tabs between kind, string and place.
func factsText(lines []factLine) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.kind.String() + "\t" + strings.ReplaceAll(l.text, "\n", " ") + "\t" + l.place + "\n")
	}
	return b.String()
}

// factRow is one fact of a list.
func factRow(lines []factLine) (fyne.CanvasObject, func(int)) {
	kind, text := kit.NewText("", kit.ColorMuted, 12).Fit(), kit.NewText("", kit.ColorText, 12).Mono().Fit()
	place := kit.NewText("", kit.ColorFaint, 12).Right().Fit()
	cells := kit.Row(10, kit.Sized(110, 0, kind), kit.Stretch(text), kit.Sized(210, 0, place))
	return kit.Pad(0, 10, 0, 10, cells), func(i int) {
		l := lines[i]
		kind.SetText(KindWords(l.kind))
		text.SetText(kit.Clean(strings.Join(strings.Fields(l.text), " ")))
		place.SetText(l.place)
	}
}

// ShareOf is the share of a kind that survives; 1 if nothing went.
func ShareOf(standing, gone int) float64 {
	if gone == 0 {
		return 1
	}
	return float64(standing) / float64(gone)
}

// LowShare is the share below which what survives of a kind is called low.
const LowShare = .4

// SurvivalOrder is the order of the kinds in the table.
var SurvivalOrder = [facts.Kinds]facts.Kind{facts.Path, facts.Number, facts.Command, facts.Error, facts.Identifier, facts.URL,
	facts.Quoted, facts.Instruction, facts.Decision}
