package preview

import (
	"cmp"
	"slices"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/drafts"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
	"palimpsest/model/figure"
)

// lostFact is a fact that a draft lost.
type lostFact struct {
	facts.Fact
	at    int // history position that held it last; −1: a summary
	use   int // where it was needed later; −1: it was not, or nobody knows
	price int // tokens it adds when it is put back
	back  bool
	pin   int // history position of the message that was pinned to have it back; −1: none was
}

// lostRow is one row of the list.
type lostRow struct {
	kind  lostKind
	of    facts.Kind // of a row of the table; facts.Kinds: all
	group int
	fact  int // index in its group
	line  lostLine
}

type lostKind uint8

const (
	lostTable lostKind = iota // a kind of fact: how many survive
	lostHead                  // a group
	lostItem
	lostNote // words in the place of a group
)

// lostLine is a row of the table of kinds.
type lostLine struct {
	facts.Tally
	needed *facts.Recall
	lower  bool
}

// Groups of what is lost.
const (
	LostOrders = iota
	LostNeeded
	LostOthers
	lostGroups
)

// LostPane lists what a draft lost, and puts it back: orders first, then what was
// needed later, then the rest.
type LostPane struct {
	d     *State
	p     *Screen
	pane  *kit.Pane
	List  *kit.List
	rows  []lostRow
	facts [lostGroups][]lostFact
	open  bool // the others are listed
	of    any  // the draft that the lists were begun with

	backs   [lostGroups][]lostFact // what is back
	backsOf lostPlan
}

// lostPlan is what drafts share in which the same facts can be back: messages may be
// pinned, and texts made anew.
type lostPlan struct {
	s        *session.Session
	at       int
	strategy model.Strategy
}

func newLostPane(d *State, p *Screen) *LostPane {
	l := &LostPane{d: d, p: p}
	l.List = kit.NewRows(24, func() int { return len(l.rows) }, l.row)
	l.List.Tip = func(i int) string {
		if f := l.factAt(i); f != nil {
			return f.Text
		}
		return words.T("preview.lost.means")
	}
	l.List.SetHeights(func(i int) float32 {
		if l.rows[i].kind == lostItem {
			return 62
		}
		return 24
	})
	l.List.Choosable = func(i int) bool { return l.rows[i].kind == lostItem || l.rows[i].kind == lostHead }
	l.List.OnSelect = func(i int) { l.p.lights.showFact(l.factAt(i)) }
	l.List.OnOpen = l.open1
	l.List.OnMenu = l.menu
	l.pane = kit.NewPane(words.T("preview.lost"), l.List).WithTip("preview.lost.means")
	return l
}

// open1 is Enter on a row: a fact is put back, a group folds.
func (l *LostPane) open1(i int) {
	switch r := l.rows[i]; {
	case r.kind == lostItem:
		l.toggle(r)
	case r.kind == lostHead && r.group == LostOthers:
		l.open = !l.open
		l.layout()
	}
}

func (l *LostPane) factAt(i int) *lostFact {
	if i < 0 || i >= len(l.rows) || l.rows[i].kind != lostItem {
		return nil
	}
	return &l.facts[l.rows[i].group][l.rows[i].fact]
}

// menu offers the ways to have a fact back: in the summary, or with its message.
func (l *LostPane) menu(i int, at fyne.Position) {
	f := l.factAt(i)
	if f == nil {
		return
	}
	row, can := l.rows[i], l.p.Edits.canEdit()
	back := words.T("preview.putBack")
	if f.back {
		back = words.T("preview.takeOut")
	}
	pin := kit.MenuItem{Text: words.T("preview.pinInstead"), Disabled: true, Why: words.T("facts.inSummary")}
	if h, s := f.at, l.d.Session(); h >= 0 && s != nil {
		held := l.p.originals != nil && len(l.p.originals.Pinnable([]int{h})) > 0
		pin = kit.MenuItem{Text: words.T("preview.pinInsteadAt", "n", h+1, "tokens", words.Int(int64(s.Tokens(s.Thread().History[h])))),
			Disabled: !can || !held, Run: func() { l.pin(row) }}
		if !held {
			pin.Why = words.T("preview.pin.past")
		} else if n, tokens := l.p.originals.pinned(h); n > 1 {
			pin.Text = words.T("preview.pinInsteadAll", "n", h+1, "count", n, "tokens", words.Int(tokens))
		}
	}
	kit.ShowMenu(l.p.w.Canvas(), []kit.MenuItem{{Text: back, Disabled: !can, Run: func() { l.toggle(row) }}, pin}, at, 0)
}

// toggle puts a fact back, or takes that back.
func (l *LostPane) toggle(r lostRow) {
	switch f := l.facts[r.group][r.fact]; {
	case f.back && l.pinned(f):
		l.d.Planning.PinPicked([]int{f.pin}, false)
	case f.back:
		l.p.Edits.takeOut(f.Fact)
	default:
		l.p.Edits.putBack(f.Fact)
	}
}

// pin has a fact back by pinning the message that held it last.
func (l *LostPane) pin(r lostRow) {
	f := &l.facts[r.group][r.fact]
	f.pin = f.at
	l.noteBacks()
	l.d.Planning.PinPicked([]int{f.at}, true)
}

// Update shows the survival of the draft. As long as the screen shows drafts of the
// same plan, facts that are back stay in their place.
func (l *LostPane) Update() {
	v := l.d.Survival()
	base := l.base()
	if v == nil || v.Survival == nil || v.Lower {
		l.facts, l.of = [lostGroups][]lostFact{}, nil
		l.layout()
		return
	}
	if v.Draft != l.d.DraftSet.Draft() { // it is that of the draft before: this one's comes
		return
	}
	if l.of != base || !l.d.DraftSet.Draft().Edited { // nothing is put back in what nobody changed
		l.of = base
		l.begin(v)
	}
	lost := map[facts.Fact]bool{}
	for _, x := range v.Lost {
		lost[x.Fact] = true
	}
	known := map[facts.Fact]bool{}
	for g := range l.facts {
		for i := range l.facts[g] {
			f := &l.facts[g][i]
			f.back = !lost[f.Fact]
			known[f.Fact] = true
		}
	}
	uses := misses(v)
	for _, x := range v.Lost { // lost by an edit
		if !known[x.Fact] {
			l.add(x, uses)
		}
	}
	l.noteBacks()
	l.layout()
}

// base is what the lists were begun with: the session, the place and the strategy.
func (l *LostPane) base() any {
	dr := l.d.DraftSet.Draft()
	if dr == nil {
		return nil
	}
	first := dr
	if u := l.d.DraftSet.Unedited(); u != nil {
		first = u
	}
	return first
}

func (l *LostPane) plan() lostPlan {
	dr := l.d.DraftSet.Draft()
	return lostPlan{l.d.Session(), dr.Plan.Line.At(), dr.Plan.Policy.Strategy}
}

// noteBacks notes what is back, for lists that are begun anew.
func (l *LostPane) noteBacks() {
	l.backs, l.backsOf = [lostGroups][]lostFact{}, l.plan()
	for g := range l.facts {
		for _, f := range l.facts[g] {
			if f.back || f.pin >= 0 {
				l.backs[g] = append(l.backs[g], f)
			}
		}
	}
}

// takeBacks lists what was back and is still there: put back in the text, or with its message.
func (l *LostPane) takeBacks(lost []facts.Lost) {
	if l.backsOf != l.plan() {
		return
	}
	dr := l.d.DraftSet.Draft()
	o := blocks.Parse(dr.Text.Text)
	still := func(f lostFact) bool {
		text, err := o.TakeOut(f.Fact)
		return l.pinned(f) || dr.Edited && err == nil && text != dr.Text.Text
	}
	again := map[facts.Fact]bool{}
	for _, x := range lost {
		again[x.Fact] = true
	}
	for g := range l.backs {
		listed := map[facts.Fact]int{}
		for i, x := range l.facts[g] {
			listed[x.Fact] = i
		}
		for _, f := range l.backs[g] {
			if i, ok := listed[f.Fact]; ok {
				l.facts[g][i].pin = f.pin // the plan with the pin is still to come, or it is taken back
			} else if !again[f.Fact] && still(f) {
				l.facts[g] = append(l.facts[g], f)
			}
		}
	}
}

// pinned reports whether a fact is back because its message was pinned.
func (l *LostPane) pinned(f lostFact) bool {
	return slices.ContainsFunc(l.d.Planning.Params().Pins, func(r model.Range) bool { return f.pin >= r.From && f.pin < r.To })
}

// misses are the uses of what was needed later and is lost, by fact.
func misses(v *desk.Survival) map[facts.Fact]int {
	uses := map[facts.Fact]int{}
	if v.Needed != nil {
		for _, m := range v.Needed.Misses {
			if _, ok := uses[m.Fact]; !ok {
				uses[m.Fact] = m.Use
			}
		}
	}
	return uses
}

// begin fills the lists anew.
func (l *LostPane) begin(v *desk.Survival) {
	l.facts = [lostGroups][]lostFact{}
	uses := misses(v)
	for _, x := range v.Lost {
		l.add(x, uses)
	}
	l.takeBacks(v.Lost)
	slices.SortStableFunc(l.facts[LostNeeded], func(a, b lostFact) int {
		return cmp.Or(a.use-b.use, a.at-b.at, strings.Compare(a.Text, b.Text))
	})
}

// add puts a lost fact into its group.
func (l *LostPane) add(x facts.Lost, uses map[facts.Fact]int) {
	f := lostFact{Fact: x.Fact, at: -1, use: -1, pin: -1}
	if n := len(x.At); n > 0 {
		f.at = x.At[n-1]
	}
	group := LostOthers
	if use, ok := uses[x.Fact]; ok {
		f.use, group = use, LostNeeded
	}
	if x.Kind == facts.Instruction {
		group = LostOrders
	}
	if group != LostOthers || len(l.facts[group]) < mostPriced {
		f.price = drafts.Price(l.d.Session(), x.Fact)
	}
	l.facts[group] = append(l.facts[group], f)
}

// mostPriced bounds how many of the other facts are weighed.
const mostPriced = 200

// layout makes the rows.
func (l *LostPane) layout() {
	l.rows = l.rows[:0]
	v := l.d.Survival()
	title := words.T("preview.lost")
	switch {
	case v == nil || v.Survival == nil:
		l.rows = append(l.rows, lostRow{kind: lostNote, fact: -1})
	default:
		l.table(v)
		all := v.All()
		title = words.T("preview.lostOf", "lost", lossWords(all.Gone-all.Survived, v.Lower), "all", all.Gone)
		if !v.Lower {
			l.groups(v)
		}
	}
	l.pane.SetTitle(title)
	l.List.Update()
}

func (l *LostPane) table(v *desk.Survival) {
	l.rows = append(l.rows, lostRow{kind: lostTable, fact: -1})
	for _, k := range show.SurvivalOrder {
		if t := v.Kinds[k]; t.Gone > 0 {
			line := lostLine{Tally: t, lower: v.Lower}
			if v.Needed != nil {
				line.needed = &v.Needed.Kinds[k]
			}
			l.rows = append(l.rows, lostRow{kind: lostTable, of: k, line: line})
		}
	}
	line := lostLine{Tally: v.All(), lower: v.Lower}
	if v.Needed != nil {
		line.needed = &v.Needed.Recall
	}
	l.rows = append(l.rows, lostRow{kind: lostTable, of: facts.Kinds, line: line})
}

func (l *LostPane) groups(v *desk.Survival) {
	none := true
	for g := range l.facts {
		none = none && len(l.facts[g]) == 0
	}
	if none {
		l.rows = append(l.rows, lostRow{kind: lostNote, fact: LostOthers})
		return
	}
	for g := range l.facts {
		switch {
		case g == LostNeeded && v.Needed == nil:
			l.rows = append(l.rows, lostRow{kind: lostNote, fact: LostNeeded})
			continue
		case len(l.facts[g]) == 0:
			continue
		}
		l.rows = append(l.rows, lostRow{kind: lostHead, group: g})
		if g == LostOthers && !l.open {
			continue
		}
		for i := range l.facts[g] {
			l.rows = append(l.rows, lostRow{kind: lostItem, group: g, fact: i})
		}
	}
}

// missing are the facts of a group that are not back, and what they cost.
func (l *LostPane) missing(group int) (list []facts.Fact, price int) {
	for _, f := range l.facts[group] {
		if !f.back {
			list = append(list, f.Fact)
			price += f.price
		}
	}
	return list, price
}

// Missing is how many facts are lost and not back.
func (l *LostPane) Missing() (n int) {
	for g := range l.facts {
		list, _ := l.missing(g)
		n += len(list)
	}
	return n
}

// PutAllBack lists all facts of a group in the summary again.
func (l *LostPane) PutAllBack(group int) {
	list, _ := l.missing(group)
	l.p.Edits.putBack(list...)
}

// at is the lost fact of a message that matters the most: an order, or what was
// needed later.
func (l *LostPane) at(h int) *lostFact {
	for _, g := range []int{LostOrders, LostNeeded} {
		for i := range l.facts[g] {
			if f := &l.facts[g][i]; f.at == h && !f.back {
				return f
			}
		}
	}
	return nil
}

// row draws any row; what its kind does not have is hidden.
func (l *LostPane) row() (fyne.CanvasObject, func(int)) {
	at := 0
	table, fillTable := lostTableRow()
	head, fillHead := l.headRow(&at)
	item, fillItem := l.itemRow(&at)
	note := kit.NewText("", kit.ColorMuted, 12).Fit()
	rows := map[lostKind]fyne.CanvasObject{lostTable: table, lostHead: head, lostItem: item, lostNote: kit.Pad(0, 10, 0, 10, note)}
	return container.NewStack(table, head, item, rows[lostNote]), func(i int) {
		if i >= len(l.rows) {
			return
		}
		at = i
		row := l.rows[i]
		for kind, o := range rows {
			show.SetVisible(o, kind == row.kind)
		}
		switch row.kind {
		case lostTable:
			fillTable(row)
		case lostHead:
			fillHead(row)
		case lostItem:
			fillItem(l.facts[row.group][row.fact])
		default:
			note.SetText(l.noteWords(row.fact))
		}
	}
}

// noteWords are shown in the place of a list.
func (l *LostPane) noteWords(group int) string {
	switch group {
	case LostNeeded:
		return words.T("preview.neededUnknown")
	case LostOthers:
		return words.T("preview.nothingLost")
	}
	if done, total := l.d.Indexing(); total > 0 {
		return words.T("result.indexing", "done", done, "total", total)
	}
	return words.T("survive.nothing")
}

// lostTableRow is a kind in the table, and what fills it.
func lostTableRow() (fyne.CanvasObject, func(lostRow)) {
	text := func() *kit.Text { return kit.NewText("", kit.ColorText, 12).Fit() }
	kind, survive, part, needs := text(), text().Right(), text().Right(), text().Right()
	cells := kit.Row(6, kit.Stretch(kind), kit.Sized(84, 0, survive), kit.Sized(38, 0, part), kit.Sized(46, 0, needs))
	return kit.Pad(0, 10, 0, 10, cells), func(row lostRow) {
		x := row.line
		if row.fact < 0 { // captions
			for t, key := range map[*kit.Text]string{kind: "survive.kind", survive: "survive.share", part: "",
				needs: "needed.missed"} {
				t.SetText("")
				if key != "" {
					t.SetText(words.T(key))
				}
				t.SetColor(kit.ColorMuted)
				t.SetBold(true)
			}
			return
		}
		kind.SetColor(kit.ColorText)
		survive.SetColor(kit.ColorText)
		name := words.T("fact.all")
		if row.of < facts.Kinds {
			name = show.KindWords(row.of)
		}
		for _, t := range []*kit.Text{kind, survive, part, needs} {
			t.SetBold(row.of == facts.Kinds)
		}
		kind.SetText(name)
		survive.SetText(words.T("preview.ofAll", "n", x.Survived, "all", x.Gone))
		share := figure.Ratio("survives", int64(x.Survived), int64(x.Gone), "")
		if x.lower {
			share.Bound = figure.AtLeast
		}
		part.SetText(words.Figure(share))
		low := !x.lower && show.ShareOf(x.Survived, x.Gone) < show.LowShare
		part.SetColor(map[bool]fyne.ThemeColorName{true: kit.ColorWarning, false: kit.ColorText}[low])
		missed, ink := "–", kit.ColorMuted
		if x.needed != nil {
			if n := x.needed.Needs - x.needed.Met; n > 0 {
				missed, ink = lossWords(n, x.lower), kit.ColorWarning
			}
		}
		needs.SetText(missed)
		needs.SetColor(ink)
	}
}

// headRow is the head of the group at a row, and what fills it.
func (l *LostPane) headRow(at *int) (fyne.CanvasObject, func(lostRow)) {
	title, fold := kit.NewText("", kit.ColorText, 12).Bold().Fit(), show.NewFoldSign(func() { l.open1(*at) })
	foldBox, all := kit.Sized(12, 0, fold), kit.NewButton("", kit.Secondary, func() { l.PutAllBack(l.rows[*at].group) }).Small()
	head := kit.Pad(0, 10, 0, 10, kit.Row(6, foldBox, kit.Stretch(title), all))
	return head, func(row lostRow) {
		key := [lostGroups]string{"preview.lostOrders", "preview.lostNeeded", "preview.lostOthers"}[row.group]
		list, price := l.missing(row.group)
		title.SetText(words.T(key, "count", len(list)))
		others := row.group == LostOthers
		show.SetVisible(foldBox, others)
		sign := kit.GlyphRight
		if l.open {
			sign = kit.GlyphDown
		}
		fold.Set(sign)
		show.SetVisible(all, !others && len(list) > 0 && l.p.Edits.canEdit())
		all.SetText(words.T("preview.putAllBack", "count", len(list), "tokens", words.Int(int64(price))))
		all.SetTip(words.T("preview.putAllBack.tip"))
		head.Refresh()
	}
}

// itemRow is the fact at a row, and what fills it.
func (l *LostPane) itemRow(at *int) (fyne.CanvasObject, func(lostFact)) {
	text, place := kit.NewParagraph("", kit.ColorText, 12, 2), kit.NewText("", kit.ColorMuted, 11).Fit()
	price := kit.NewText("", kit.ColorMuted, 12).Right()
	back := kit.NewButton(words.T("preview.putBack"), kit.Secondary, func() { l.toggle(l.rows[*at]) }).Small()
	item := kit.Pad(2, 10, 2, 10, kit.Column(0, kit.Sized(0, 34, text), kit.Row(8, kit.Stretch(place), price, back)))
	return item, func(f lostFact) {
		pinned := f.back && l.pinned(f)
		place.SetText(placeWords(f, pinned))
		back.SetEnabled(l.p.Edits.canEdit())
		price.SetText("+" + words.Int(int64(f.price)))
		show.SetVisible(price, f.price > 0 && !f.back)
		if f.back {
			back.SetText(words.T("preview.takeOut"))
			back.SetTip(words.T(map[bool]string{true: "preview.unpin.tip", false: "preview.takeOut.tip"}[pinned]))
			text.Set(f.Text, kit.ColorKept)
		} else {
			back.SetText(words.T("preview.putBack"))
			back.SetTip(words.T("preview.putBack.tip"))
			text.Set(f.Text, kit.ColorText)
		}
		item.Refresh()
	}
}

// lossWords is how many are lost: at most, while the text is still to be made.
func lossWords(n int, bare bool) string {
	f := figure.Figure{Value: float64(n), Unit: figure.Count, Kind: figure.Counted}
	if bare {
		f.Bound = figure.AtMost
	}
	return words.Figure(f)
}

// placeWords says where a fact stood, and where it was needed.
func placeWords(f lostFact, pinned bool) string {
	switch {
	case pinned:
		return words.T("preview.isPinned", "n", f.pin+1)
	case f.back:
		return words.T("preview.isBack")
	case f.use >= 0 && f.at >= 0:
		return words.T("preview.heldAndNeeded", "n", f.at+1, "use", f.use+1)
	case f.use >= 0:
		return words.T("facts.neededAt", "n", f.use+1)
	case f.at >= 0:
		return words.T("preview.heldAt", "n", f.at+1)
	}
	return words.T("facts.inSummary")
}
