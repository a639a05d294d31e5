package study

import (
	"slices"

	"fyne.io/fyne/v2"

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

// everything reports whether messages are in the list that do not differ.
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
	return pl.Runs.At(pl.Runs.Of(entry))
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
	switch {
	case r.c.B.Recorded:
		return words.T("compare.file")
	case r.c.B.Plan.Outcome != compaction.WouldApply:
		return show.RefusedWords(show.Of(r.d), r.c.B.Plan)
	}
	return show.UpperFirst(show.ReasonWords(show.Of(r.d), compaction.Reason{Code: runAt(r.c.B.Plan, x.Entry).Why}))
}

// compareLine is a row of the list: a message under two plans.
type compareLine struct {
	session.FateChange
	r       *compareRows
	differs bool
}

// columns are those of the list of messages.
func (p *CompareSheet) columns() *kit.Columns[compareLine] {
	muted := kit.Muted[compareLine]
	tokens := func(title string, hide int, n func(compareLine) int64) kit.Col[compareLine] {
		return kit.Col[compareLine]{Title: words.T(title), Width: 56, Hide: hide, Right: true, Means: words.T(title + ".means"),
			Text: func(l compareLine) string { return show.TokenCount(l.r.d, n(l)) }}
	}
	return &kit.Columns[compareLine]{
		At: func(i int) (compareLine, bool) {
			x, differs := p.Rows.At(i)
			return compareLine{x, p.Rows, differs}, true
		},
		Gap: 8, Least: 190, MinWidth: 380, Left: 12, End: 12, TextSize: 12,
		List: []kit.Col[compareLine]{
			{Title: words.T("compare.number"), Width: 44, Right: true, Text: compareLine.number, Ink: muted,
				Means: words.T("find.col.num.means")},
			{Title: words.T("compare.who"), Width: 126, Narrow: 76, Hide: 3, Text: compareLine.who, Ink: compareLine.ink},
			{Title: words.T("compare.first"), Text: compareLine.first, Ink: muted},
			{Title: words.T("compare.fates"), Width: 64, Cell: fatesCell},
			tokens("compare.own", 1, func(l compareLine) int64 { return int64(l.Tokens) }), // what A or B has is that in most cases
			tokens("compare.inA", 0, func(l compareLine) int64 { return left(l.A, l.Tokens) }),
			tokens("compare.inB", 0, func(l compareLine) int64 { return left(l.B, l.Tokens) }),
			{Title: words.T("compare.change"), Width: 56, Right: true, Text: compareLine.change, Style: fyne.TextStyle{Bold: true},
				Means: words.T("figureTable.means")},
			{Title: words.T("compare.why"), Width: 220, Narrow: 128, Hide: 2, Text: compareLine.why, Ink: muted},
		},
	}
}

func (l compareLine) number() string {
	if l.History < 0 {
		return "§"
	}
	return words.Int(int64(l.History + 1))
}

// message is the message itself; nil for a summary.
func (l compareLine) message() *model.Message {
	if s := l.r.d.Session(); s != nil && l.Stored >= 0 {
		return &s.Thread().Messages[l.Stored]
	}
	return nil
}

func (l compareLine) who() string {
	if m := l.message(); m != nil {
		return show.WhoSays(session.Row{Msg: m})
	}
	return words.T("role.summary")
}

func (l compareLine) first() string {
	if m := l.message(); m != nil {
		return m.Preview
	}
	s, of := l.r.d.Session(), l.r.c.A.Plan.Line.Item(l.Entry).Record
	if s == nil {
		return ""
	}
	for _, r := range s.Stack() {
		if r.UID == of {
			return show.FirstOf(r.Summary)
		}
	}
	return ""
}

func (l compareLine) ink() fyne.ThemeColorName {
	if l.differs {
		return kit.ColorText
	}
	return kit.ColorFaint
}

func (l compareLine) change() string {
	if !l.differs {
		return ""
	}
	return show.TokensApart(l.r.d, left(l.A, l.Tokens), left(l.B, l.Tokens))
}

func (l compareLine) why() string {
	if !l.differs {
		return ""
	}
	return l.r.why(l.FateChange)
}

// fatesCell shows what both plans do to a message.
func fatesCell() (fyne.CanvasObject, func(compareLine)) {
	a, b := kit.NewBadge("K"), kit.NewBadge("K")
	return kit.Row(6, a, kit.NewText("→", kit.ColorMuted, 12), b), func(l compareLine) {
		a.Set(l.A.Letter())
		b.Set(l.B.Letter())
	}
}
