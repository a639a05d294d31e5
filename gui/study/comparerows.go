package study

import (
	"slices"
	"sort"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// fatePair is what two plans do to a message.
type fatePair struct{ a, b model.Fate }

func (f fatePair) words() string { return f.a.Letter() + " → " + f.b.Letter() }

// compareRows lists the live messages under two plans: those whose fate differs,
// or all of them.
type compareRows struct {
	d     *desk.Desk
	c     *session.Comparison
	pairs []fatePair // that occur among the differences, most frequent first
	count map[fatePair]int
	all   bool
	only  *fatePair
	rows  []session.FateChange // those of one pair; nil: see all
}

func newCompareRows(d *desk.Desk, c *session.Comparison, all bool, only *fatePair) *compareRows {
	r := &compareRows{d: d, c: c, all: all, only: only, count: map[fatePair]int{}}
	for _, x := range c.Rows {
		p := fatePair{x.A, x.B}
		if r.count[p]++; r.count[p] == 1 {
			r.pairs = append(r.pairs, p)
		}
	}
	slices.SortStableFunc(r.pairs, func(a, b fatePair) int { return r.count[b] - r.count[a] })
	r.rows = c.Rows
	if only != nil {
		r.rows = nil
		for _, x := range c.Rows {
			if (fatePair{x.A, x.B}) == *only {
				r.rows = append(r.rows, x)
			}
		}
	}
	return r
}

// everything reports whether messages stand in the list that do not differ.
func (r *compareRows) everything() bool { return r.all && r.only == nil }

func (r *compareRows) Len() int {
	if r.everything() {
		return r.c.A.Plan.Line.Len()
	}
	return len(r.rows)
}

// At is a row, and whether its fates differ.
func (r *compareRows) At(i int) (session.FateChange, bool) {
	if !r.everything() {
		return r.rows[i], true
	}
	if k, ok := slices.BinarySearchFunc(r.c.Rows, i, func(x session.FateChange, e int) int { return x.Entry - e }); ok {
		return r.c.Rows[k], true
	}
	l, f := r.c.A.Plan.Line, planFate(r.c.A.Plan, i)
	return session.FateChange{Entry: i, History: l.History(i), Stored: l.Item(i).Msg, A: f, B: f, Tokens: l.Tokens(i)}, false
}

// runAt is the run of a plan that an entry lies in.
func runAt(pl *compaction.Plan, entry int) compaction.Run {
	k := sort.Search(len(pl.Runs), func(k int) bool { return pl.Runs[k].To > entry })
	return pl.Runs[k]
}

// planFate is what a plan does to an entry; one that does not apply keeps all.
func planFate(pl *compaction.Plan, entry int) model.Fate {
	if f := runAt(pl, entry).Fate; pl.Outcome == compaction.WouldApply || f == model.Pinned {
		return f
	}
	return model.Kept
}

// left is what of a message's tokens stays under a fate.
func left(f model.Fate, tokens int) int64 {
	switch f {
	case model.Summarised, model.Dropped:
		return 0
	case model.Cleared:
		return int64(min(tokens, compaction.NoteTokens))
	}
	return int64(tokens)
}

// why is the reason of the candidate's fate, or of the baseline's where the
// candidate's plan does not apply.
func (r *compareRows) why(x session.FateChange) string {
	if r.c.B.Plan.Outcome != compaction.WouldApply {
		return show.RefusedWords(r.c.B.Plan)
	}
	return show.UpperFirst(show.ReasonWords(compaction.Reason{Code: runAt(r.c.B.Plan, x.Entry).Why}))
}

// The widths of the columns, in units of the design.
const (
	numberColumn = 44
	whoColumn    = 126
	badgeColumn  = 64
	tokenColumn  = 56
	whyColumn    = 142
)

// compareCells lays the cells of a line out: number, who, first words, fates,
// own tokens, those in A and in B, their difference, why.
func compareCells(cells [9]fyne.CanvasObject) fyne.CanvasObject {
	return kit.Pad(0, 12, 0, 12, container.New(CompareLayout{}, cells[:]...))
}

// CompareLayout puts the cells of a line into the columns.
type CompareLayout struct{}

// MinSize is Fyne's.
func (CompareLayout) MinSize([]fyne.CanvasObject) fyne.Size {
	return fyne.NewSize(kit.Px(420), kit.Px(23))
}

// Layout is Fyne's. Where the first words would have too little room the message's
// own tokens go first, which those in A or B tell in most cases; then the reason
// has less, and at last none.
func (CompareLayout) Layout(o []fyne.CanvasObject, s fyne.Size) {
	const gap, least, shortWhy = 8, 190, 100
	widths := [9]float32{numberColumn, whoColumn, 0, badgeColumn, tokenColumn, tokenColumn, tokenColumn, tokenColumn, whyColumn}
	hide := [9]bool{}
	rest := s.Width + kit.Px(gap)
	for _, w := range widths {
		rest -= kit.Px(w + gap)
	}
	if rest < kit.Px(least) {
		hide[4], rest = true, rest+kit.Px(tokenColumn+gap)
	}
	if rest < kit.Px(least) {
		widths[8], rest = shortWhy, rest+kit.Px(whyColumn-shortWhy)
	}
	if rest < kit.Px(least)/2 {
		hide[8], rest = true, rest+kit.Px(shortWhy+gap)
	}
	var x float32
	for i, w := range widths {
		if hide[i] {
			o[i].Move(fyne.NewPos(-20000, 0))
			continue
		}
		if w = kit.Px(w); i == 2 {
			w = max(0, rest)
		}
		o[i].Move(fyne.NewPos(x, 0))
		o[i].Resize(fyne.NewSize(w, s.Height))
		x += w + kit.Px(gap)
	}
}

// newCompareHead is the header of the list.
func newCompareHead() fyne.CanvasObject {
	var cells [9]fyne.CanvasObject
	for i, key := range []string{"compare.number", "compare.who", "compare.first", "compare.fates", "compare.own", "compare.inA", "compare.inB", "compare.change", "compare.why"} {
		t := kit.NewText(words.T(key), kit.ColorFaint, 11).Bold().Fit()
		if i == 0 || i > 3 && i < 8 {
			t.Right()
		}
		cells[i] = t
	}
	return compareCells(cells)
}

// compareLine is one message in the list.
type compareLine struct {
	s     *CompareSheet
	obj   fyne.CanvasObject
	texts [9]*kit.Text
	a, b  *kit.Badge
}

func newCompareLine(s *CompareSheet) *compareLine {
	n := &compareLine{s: s, a: kit.NewBadge("K"), b: kit.NewBadge("K")}
	var cells [9]fyne.CanvasObject
	for i := range cells {
		t := kit.NewText("", kit.ColorText, 12).Fit()
		if i == 0 || i > 3 && i < 8 {
			t.Right()
		}
		n.texts[i], cells[i] = t, t
	}
	n.texts[0].SetColor(kit.ColorMuted)
	n.texts[2].SetColor(kit.ColorMuted)
	n.texts[8].SetColor(kit.ColorMuted)
	n.texts[7].Bold()
	cells[3] = kit.Row(6, n.a, kit.NewText("→", kit.ColorMuted, 12), n.b)
	n.obj = compareCells(cells)
	return n
}

// Object is what the list shows.
func (n *compareLine) Object() fyne.CanvasObject { return n.obj }

// Fill shows a message.
func (n *compareLine) Fill(i int, _ bool) {
	r := n.s.Rows
	x, differs := r.At(i)
	d := r.d
	num, who, first := "§", words.T("role.summary"), ""
	if x.History >= 0 {
		num = words.Int(int64(x.History + 1))
	}
	if s := d.Session(); s != nil && x.Stored >= 0 {
		m := &s.Thread().Messages[x.Stored]
		who, first = show.WhoSays(session.Row{Msg: m}), m.Preview
	}
	inA, inB := left(x.A, x.Tokens), left(x.B, x.Tokens)
	change, why, ink := "", "", kit.ColorFaint
	if differs {
		change, why, ink = words.Change(inB-inA), r.why(x), kit.ColorText
	}
	n.a.Set(x.A.Letter())
	n.b.Set(x.B.Letter())
	for k, s := range [9]string{num, who, first, "", tokensOrNone(d, int64(x.Tokens)), tokensOrNone(d, inA), tokensOrNone(d, inB), change, why} {
		n.texts[k].SetText(s)
	}
	n.texts[1].SetColor(ink)
}

// tokensOrNone is tokenCount, in which nothing at all is no estimate.
func tokensOrNone(d *desk.Desk, n int64) string {
	if n == 0 {
		return "0"
	}
	return show.TokenCount(d, n)
}
