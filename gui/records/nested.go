package records

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// recordNested is the tree from a summary down to the originals it represents.
type recordNested struct {
	p     *RecordsPane
	pane  *kit.Pane
	body  *fyne.Container
	List  *kit.List
	note  *kit.Text
	count *kit.Text

	of     *session.Nested
	closed map[*session.Nested]bool
	Rows   []nestedRow

	place model.Range // that a line of the summary represents; empty: none was chosen
	told  *kit.Paragraph
	show  *kit.Link
}

// nestedRow is a summary, or a run of originals.
type nestedRow struct {
	n      *session.Nested
	origin *session.Originals
	level  int
}

func newRecordNested(p *RecordsPane) *recordNested {
	t := &recordNested{p: p, closed: map[*session.Nested]bool{}}
	t.List = kit.NewRows(24, func() int { return len(t.Rows) }, t.row)
	t.List.OnFold = t.Fold
	t.List.Tip = t.tip
	t.List.OnOpen = t.open
	t.note, t.count = kit.NewText("", kit.ColorMuted, 13).Center().Fit(), kit.NewText("", kit.ColorMuted, 12)
	head := kit.Pad(0, 10, 0, 10, nestedCells(kit.Caption(words.T("nested.record")), kit.Caption(words.T("nested.range")).Right(),
		kit.Caption(words.T("nested.count")).Right(), kit.Caption(words.T("nested.tokens")).Right()))
	t.told = kit.NewParagraph("", kit.ColorFaint, 12, 2)
	t.show = kit.NewLink(words.T("nested.show"), t.showPlace).WithTip("nested.show.tip")
	foot := kit.Sized(0, 26, kit.Pad(0, 10, 0, 10, kit.Row(8, kit.Stretch(t.told), t.show)))
	body := kit.Column(0, kit.Sized(0, 22, head), kit.NewRule(), kit.Stretch(t.List), kit.NewRule(), foot)
	t.body = container.NewStack(body)
	t.pane = kit.NewPane(words.T("nested.title"), t.body, t.count)
	return t
}

func nestedCells(name, span, count, tokens fyne.CanvasObject) fyne.CanvasObject {
	return kit.Row(8, kit.Stretch(name), kit.Sized(66, 0, span), kit.Sized(40, 0, count), kit.Sized(50, 0, tokens))
}

// tip says what the numbers of a row are and how its tokens were counted.
func (t *recordNested) tip(i int) string {
	if i >= len(t.Rows) || t.of == nil {
		return ""
	}
	r, key := t.Rows[i], "nested.tip"
	messages, _, _ := r.n.Reach()
	tokens := r.n.Summary
	switch o := r.origin; {
	case o != nil && o.Formers > 0:
		return words.T("nested.foreign.means")
	case o != nil:
		key, messages, tokens = "nested.tip.originals", o.Messages(), o.Tokens
	}
	rec := t.of.Record
	said := words.T(key, "count", messages, "tokens", words.TokensOf(tokens, tokens > 0, rec != nil && rec.Exact()))
	if rec != nil {
		said += " · " + words.T("status.counted", "method", show.CounterOfRecord(rec))
	}
	return said
}

// update shows the record looked at.
func (t *recordNested) update() {
	if n := t.p.d.RecordView.Nested(); n != t.of {
		t.of, t.closed, t.place = n, map[*session.Nested]bool{}, model.Range{}
		t.Rows = t.Rows[:0] // they are of the record before, and selecting draws them
		t.List.Select(-1)
	}
	t.tell()
	t.fill()
}

func (t *recordNested) fill() {
	t.Rows = t.Rows[:0]
	t.count.SetText("")
	if t.of != nil {
		if messages, _, _ := t.of.Reach(); messages > 0 {
			t.count.SetText(words.T("nested.levels", "count", t.of.Levels(), "went", reachWords(messages, t.of.Foreign())))
		}
		t.add(t.of, 0)
	}
	t.pane.SetRight(kit.Means(t.count, "nested.levels.means"))
	t.List.Update()
}

// reachWords is what a tree leads down to, as short as the head of the pane needs it.
func reachWords(messages, foreign int) string {
	if foreign > 0 {
		return show.WentShort(messages, foreign)
	}
	return words.T("count.messages", "count", messages)
}

func (t *recordNested) add(n *session.Nested, level int) {
	t.Rows = append(t.Rows, nestedRow{n: n, level: level})
	if t.closed[n] {
		return
	}
	for _, in := range n.Inner {
		t.add(in, level+1)
	}
	for i := range n.Originals {
		t.Rows = append(t.Rows, nestedRow{n: n, origin: &n.Originals[i], level: level + 1})
	}
}

// Fold opens or closes a summary; → on an open one goes into it, ← on what can't
// be closed goes to the summary it belongs to.
func (t *recordNested) Fold(i int, open bool) {
	r := t.Rows[i]
	leaf := r.origin != nil || len(r.n.Inner)+len(r.n.Originals) == 0
	switch {
	case open && !leaf && t.closed[r.n]:
		t.closed[r.n] = false
		t.fill()
	case open && !leaf:
		t.List.Step(1)
	case !open && !leaf && !t.closed[r.n]:
		t.closed[r.n] = true
		t.fill()
	case !open:
		for k := i - 1; k >= 0; k-- {
			if t.Rows[k].level < r.level {
				t.List.Select(k)
				return
			}
		}
	}
}

// open looks at a summary that is nested in the present one.
func (t *recordNested) open(i int) {
	if r := t.Rows[i]; r.origin == nil && r.n.Record != nil && i > 0 {
		t.p.d.RecordView.SelectRecord(r.n.ID)
	} else if r.origin != nil && r.origin.Formers == 0 {
		t.showOrigin(r, r.origin.From)
	}
}

// showOrigin looks at a message among those that its own record took.
func (t *recordNested) showOrigin(r nestedRow, message int) {
	t.p.Detail.Covered.want = message
	if r.n != t.of && r.n.Record != nil {
		t.p.d.RecordView.SelectRecord(r.n.ID)
	}
	t.p.Detail.Show(TabCovered)
}

// point shows in the tree which messages a line of the summary represents.
func (t *recordNested) point(place model.Range) {
	t.place = place
	t.List.Select(t.originOf(place.From))
	t.tell()
}

// pointNowhere says that a line does not name its messages.
func (t *recordNested) pointNowhere() {
	t.place = model.Range{}
	t.tell()
	t.told.SetText(words.T("nested.untold"))
}

// originOf is the row whose originals hold a message; −1: none does.
func (t *recordNested) originOf(message int) int {
	return slices.IndexFunc(t.Rows, func(r nestedRow) bool {
		return r.origin != nil && message >= r.origin.Numbers.From && message < r.origin.Numbers.To
	})
}

// tell says what was pointed at, or that lines can be.
func (t *recordNested) tell() {
	t.show.Hidden = t.place.To <= t.place.From || t.originOf(t.place.From) < 0
	switch {
	case t.place.To > t.place.From:
		t.told.SetText(words.T("nested.line", "span", show.SpanWords(t.place.From+1, t.place.To)))
	case t.of != nil && t.of.Record != nil && t.of.Record.Summary != "":
		t.told.SetText(words.T("nested.pick"))
	default:
		t.told.SetText("")
	}
	t.show.Refresh()
}

// showPlace looks at the messages that were pointed at.
func (t *recordNested) showPlace() {
	if row := t.originOf(t.place.From); row >= 0 {
		o := t.Rows[row].origin
		t.showOrigin(t.Rows[row], o.From+t.place.From-o.Numbers.From)
	}
}

// row is a row of the tree.
func (t *recordNested) row() (fyne.CanvasObject, func(int)) {
	at, badge, name := 0, kit.NewBadge("K"), kit.Label("").Fit()
	fold := show.NewFoldSign(func() { t.Fold(at, t.closed[t.Rows[at].n]) })
	span, count := kit.NewText("", kit.ColorMuted, 12).Right().Fit(), kit.NewText("", kit.ColorText, 12).Right().Fit()
	tokens := kit.NewText("", kit.ColorText, 12).Right().Fit()
	indent := kit.Row(6, kit.Sized(12, 16, fold), badge, kit.Stretch(name))
	return kit.Pad(0, 10, 0, 10, nestedCells(indent, span, count, tokens)), func(i int) {
		r := t.Rows[i]
		at = i
		indent.Objects = indent.Objects[len(indent.Objects)-3:]
		if r.level > 0 {
			indent.Objects = append([]fyne.CanvasObject{kit.Sized(float32(14*r.level)-6, 0, kit.Label(""))}, indent.Objects...)
		}
		indent.Refresh()
		rec := t.of.Record
		exact := rec != nil && rec.Exact()
		if o := r.origin; o != nil {
			fold.Set(kit.GlyphNone)
			badge.Set("K")
			name.SetText(words.T("nested.originals"))
			name.SetColor(kit.ColorMuted)
			span.SetText("–")
			if o.Copies == 0 {
				span.SetText(show.SpanWords(o.Numbers.From+1, o.Numbers.To))
			}
			count.SetText(words.Int(int64(o.Messages())))
			tokens.SetText(words.TokensOf(o.Tokens, true, exact))
			if o.Formers > 0 {
				badge.Set("S")
				name.SetText(words.T("nested.foreign", "count", o.Formers))
				span.SetText("–")
				count.SetText("–")
				if o.Tokens == 0 {
					tokens.SetText("–")
				}
			}
			return
		}
		glyph := kit.GlyphDown
		switch {
		case len(r.n.Inner)+len(r.n.Originals) == 0:
			glyph = kit.GlyphNone
		case t.closed[r.n]:
			glyph = kit.GlyphRight
		}
		fold.Set(glyph)
		badge.Set(map[bool]string{true: "+", false: "S"}[r.level == 0])
		name.SetText(r.n.ID)
		name.SetColor(kit.ColorText)
		messages, _, reach := r.n.Reach()
		span.SetText("")
		count.SetText("–")
		if reach.To > reach.From {
			span.SetText(show.SpanWords(reach.From+1, reach.To))
			count.SetText(words.Int(int64(messages)))
		}
		tokens.SetText("–")
		if r.n.Summary > 0 {
			tokens.SetText(words.TokensOf(r.n.Summary, true, exact))
		}
		if r.n.Record == nil {
			key := "nested.gone"
			if st := t.p.d.Store(); st != nil {
				if _, damaged := st.Rest(); damaged {
					key = "nested.lost"
				}
			}
			name.SetText(words.T(key, "record", r.n.ID))
			name.SetColor(kit.ColorFaint)
		}
	}
}
