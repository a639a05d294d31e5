package recorded

import (
	"cmp"
	"strconv"
	"strings"

	"fyne.io/fyne/v2"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session/recorded"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model/visible"
)

// needs are the columns of the list of what was needed.
func (p *Screen) needs() *kit.Columns[*recorded.Row] {
	type row = *recorded.Row
	accent := func(row) fyne.ThemeColorName { return kit.ColorAccent }
	holds := func(c recorded.Column, title string, hide int) kit.Col[row] {
		return kit.Col[row]{Title: words.T(title), Width: 42, Hide: hide, Cell: func() (fyne.CanvasObject, func(row)) {
			sign := kit.NewSign(kit.GlyphNone, kit.ColorKept, 13)
			return kit.Row(0, sign), func(x row) {
				switch {
				case p.Page().State != recorded.Readable && c != recorded.Ledger:
					sign.Set(kit.GlyphNone, kit.ColorMuted)
				case x.Holds[c]:
					sign.Set(kit.GlyphOK, kit.ColorKept)
				default:
					sign.Set(kit.GlyphError, kit.ColorDropped)
				}
			}
		}}
	}
	return &kit.Columns[row]{
		List: []kit.Col[row]{
			{Title: words.T("recorded.kind"), Width: 106, Narrow: 70, Hide: 1, Ink: kit.Muted[row],
				Text: func(r row) string { return show.KindWords(r.Kind) }},
			{Title: words.T("recorded.what"), Style: fyne.TextStyle{Monospace: true},
				Text: func(r row) string { return kit.Clean(r.Text) }},
			{Title: words.T("recorded.told"), Width: 46, Hide: 3, Ink: accent, Text: func(r row) string { return place(r.Last) },
				Means: words.T("recorded.told.means")},
			{Title: words.T("recorded.used"), Width: 66, Ink: accent, Text: usedWords, Means: words.T("recorded.used.means")},
			holds(recorded.Theirs, "recorded.inTheirs", 0), holds(recorded.Ledger, "recorded.inLedger", 0),
			holds(recorded.Plus500, "recorded.inBoth", 0),
			{Title: words.T("recorded.back"), Width: 112, Narrow: 76, Hide: 2, Ink: kit.Muted[row], Text: backWords,
				Means: words.T("recorded.back.means")},
		},
		At: func(i int) (row, bool) {
			if p.Page() == nil || i >= len(p.rows) {
				return nil, false
			}
			return &p.Page().Rows[p.rows[i]], true
		},
		Gap: 8, Least: 180, Left: 12, End: 12, TextSize: 12,
	}
}

// usedWords say where a fact was written again first, and how often.
func usedWords(r *recorded.Row) string {
	used := place(r.Uses[0])
	if n := len(r.Uses); n > 1 {
		used += " ×" + words.Int(int64(n))
	}
	return used
}

// place names a message by its history position.
func place(h int) string {
	if h < 0 {
		return "–"
	}
	return "#" + words.Int(int64(h+1))
}

// backWords say how the agent got a fact back.
func backWords(r *recorded.Row) string {
	switch {
	case r.Back == nil:
		return "–"
	case r.Back.Person:
		return words.T("recorded.askedAgain")
	}
	tool := cmp.Or(kit.Clean(r.Back.Tool), words.T("recorded.aTool"))
	return words.T("recorded.by", "tool", tool, "tokens", words.Estimate(r.Back.Tokens))
}

// factWords are the first line below the texts.
func factWords(r *recorded.Row) string {
	var uses []string
	for i, h := range r.Uses {
		if i == 6 {
			uses = append(uses, "…")
			break
		}
		uses = append(uses, place(h))
	}
	return kit.Clean(r.Text) + "  ·  " + show.KindWords(r.Kind) + "  ·  " +
		words.T("recorded.toldTimes", "count", r.Before, "n", place(r.Last)) + "  ·  " +
		words.T("recorded.writtenAgain", "places", strings.Join(uses, " "))
}

// fateWords say which texts hold it and what it cost to get it back.
func fateWords(r *recorded.Row, ours recorded.Column) string {
	is := func(key string, holds bool) string {
		if holds {
			return words.T(key + ".holds")
		}
		return words.T(key + ".lost")
	}
	key := "recorded.ledger"
	if ours != recorded.Ledger {
		key = "recorded.plus500"
	}
	text := is("recorded.theirs", r.Holds[recorded.Theirs]) + " " + is(key, r.Holds[ours])
	if b := r.Back; b != nil {
		text += " " + words.T("recorded.spent", "count", b.Calls, "n", place(b.At),
			"calls", words.Int(int64(b.Calls)), "tokens", words.Estimate(b.Spent))
	}
	return text
}

// copyTable puts the table on the clipboard, as lines of comma-separated values with
// what is counted above.
func (p *Screen) copyTable() {
	page := p.Page()
	if page == nil {
		return
	}
	quote := func(s string) string { return `"` + strings.ReplaceAll(visible.Cell(s), `"`, `""`) + `"` }
	var b strings.Builder
	b.WriteString("# " + words.T("recorded.caption1") + " " + words.T("recorded.caption2") + "\n")
	b.WriteString("kind,fact,told,used,uses,part,theirs,ledger,plus_500,back_at,back_tool,back_tokens\n")
	yes := map[bool]string{true: "1", false: "0"}
	for i := range page.Rows {
		r := &page.Rows[i]
		cells := []string{r.Kind.String(), quote(r.Text), place(r.Last), place(r.Uses[0]), strconv.Itoa(len(r.Uses)), r.Part.String(),
			yes[r.Holds[recorded.Theirs]], yes[r.Holds[recorded.Ledger]], yes[r.Holds[recorded.Plus500]]}
		if r.Back != nil {
			cells = append(cells, place(r.Back.At), quote(r.Back.Tool), strconv.FormatInt(r.Back.Tokens, 10))
		} else {
			cells = append(cells, "", "", "")
		}
		b.WriteString(strings.Join(cells, ",") + "\n")
	}
	kit.Copy(b.String())
}

// literals are the facts of a page that a column holds.
func literals(page *recorded.Page, c recorded.Column) (list []facts.Fact) {
	for i := range page.Rows {
		if page.Rows[i].Holds[c] {
			list = append(list, page.Rows[i].Fact)
		}
	}
	return list
}
