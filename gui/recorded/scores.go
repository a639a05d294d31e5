package recorded

import (
	"fyne.io/fyne/v2"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session/recorded"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
)

// inks are the colours of the columns.
var inks = []fyne.ThemeColorName{kit.ColorFaint, kit.ColorKept, kit.ColorAdded}

// scores are the three results, and below them the same by kind.
type scores struct {
	p     *Screen
	pane  *kit.Pane
	big   [3]*kit.Text
	of    [3]*kit.Text
	file  [3]*kit.Text
	line  [3]*fyne.Container // with big and of
	names [3]*kit.Paragraph
	list  *kit.List
	kinds []facts.Kind // facts.Kinds: all
}

func newScores(p *Screen) *scores {
	s := &scores{p: p}
	var heads []fyne.CanvasObject
	for i := range compared {
		s.names[i] = kit.NewParagraph("", kit.ColorText, 12, 2)
		s.big[i], s.of[i] = kit.NewText("", kit.ColorText, 20).Bold(), kit.NewText("", kit.ColorMuted, 13)
		s.file[i] = kit.NewText("", kit.ColorMuted, 11).Fit()
		s.line[i] = kit.Row(8, s.big[i], s.of[i])
		heads = append(heads, kit.Stretch(kit.Flow(2, kit.Row(6, kit.Sized(9, 9, kit.NewFill(inks[i], 2)), kit.Stretch(s.names[i])),
			s.line[i], s.file[i])))
	}
	s.list = kit.NewRows(28, func() int { return len(s.kinds) }, s.kindRow).WithTip("recorded.share.means")
	s.list.Choosable = func(int) bool { return false }
	s.pane = kit.NewPane("", kit.Column(0,
		kit.Pad(8, 12, 8, 12, kit.Means(kit.Row(12, heads...), "recorded.share.means")), kit.NewRule(), kit.Stretch(s.list)))
	return s
}

func (s *scores) update() {
	page := s.p.Page()
	if page == nil {
		return
	}
	for i, c := range compared {
		s.names[i].Set(words.T([]string{"recorded.theirs", "recorded.equal", "recorded.both"}[i]), kit.ColorText)
		score := page.Tally.Of[c]
		big, of := words.Figure(share(score)), ""
		held, used := score.Held, score.Used
		if used > 0 && used < recorded.FewRows {
			big = words.T("recorded.few")
		}
		if used > 0 {
			of = words.T("preview.ofAll", "n", held, "all", used)
		}
		if page.State != recorded.Readable && c != recorded.Ledger {
			big, of = "–", ""
		}
		s.big[i].SetText(big)
		s.of[i].SetText(of)
		s.line[i].Refresh() // its texts are of another width now
		s.file[i].SetText(words.T("recorded.thisFile", "share", words.Figure(share(s.p.file.All.Of[c]))))
	}
	s.kinds = append(s.kinds[:0], facts.Kinds)
	for _, k := range show.SurvivalOrder {
		if page.Tally.Kinds[k][recorded.Ledger].Used > 0 {
			s.kinds = append(s.kinds, k)
		}
	}
	s.list.Update()
	s.pane.Refresh()
}

// kindRow is one kind: how many were needed, a bar for each column, the shares. The best
// share is bold; ties are not.
func (s *scores) kindRow() (fyne.CanvasObject, func(int)) {
	kind, count := kit.NewText("", kit.ColorText, 12).Fit(), kit.NewText("", kit.ColorMuted, 12).Right().Fit()
	var bars [3]*kit.Bar
	var shares [3]*kit.Text
	lines, row := kit.Column(1), kit.Row(8, kit.Sized(106, 0, kind), kit.Sized(34, 0, count))
	row.Add(kit.Stretch(kit.Pad(4, 0, 4, 0, lines)))
	for i := range compared {
		bars[i], shares[i] = kit.NewBar(0, inks[i]), kit.NewText("", kit.ColorText, 12).Right().Fit()
		lines.Add(kit.Sized(40, 6, bars[i]))
		row.Add(kit.Sized(46, 0, shares[i]))
	}
	return kit.Pad(0, 12, 0, 12, row), func(i int) {
		page, k := s.p.Page(), s.kinds[i]
		of := &page.Tally.Of
		name := words.T("fact.all")
		if k < facts.Kinds {
			of, name = &page.Tally.Kinds[k], show.KindWords(k)
		}
		kind.SetText(name)
		kind.SetBold(k == facts.Kinds)
		count.SetText(words.Int(int64(of[recorded.Ledger].Used)))
		best, ties := -1., 0
		for _, c := range compared {
			switch v, ok := of[c].Share(); {
			case !ok:
			case v > best:
				best, ties = v, 1
			case v == best:
				ties++
			}
		}
		for j, c := range compared {
			v, ok := of[c].Share()
			ok = ok && (page.State == recorded.Readable || c == recorded.Ledger)
			bars[j].Set(map[bool]float64{true: v}[ok], inks[j])
			text := "–"
			if ok {
				text = words.Figure(share(of[c]))
			}
			shares[j].SetText(text)
			shares[j].SetBold(ok && v == best && ties == 1)
		}
	}
}
