package preview

import (
	"slices"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/container"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/drafts"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/state/undo"
	"palimpsest/gui/words"
)

// columnsView sets all drafts beside each other by their blocks:
//
//	1 Ledger  92 %   ~3.9K  shown │ 2 Extract  71 %   ~1.0K   Show
//	▾ Instructions 5         ~262 │ ▾ Done, by turn 15  Take  ~1.0K
//	    Never edit files …    ~42 │     15  Evaluator begun …   ~92
//
// What the draft shown says too is faint in the others; their blocks can be taken over.
type columnsView struct {
	d    *State
	p    *Screen
	obj  fyne.CanvasObject
	row  *fyne.Container
	none *kit.Text

	Columns []*DraftColumn
}

// columnWidth is the least width of a column, in units of the design.
const columnWidth = 280

func newColumnsView(d *State, p *Screen) *columnsView {
	v := &columnsView{d: d, p: p, row: kit.Row(0)}
	v.none = kit.NewText(words.T("preview.oneDraft"), kit.ColorMuted, 12).Center().Fit()
	v.obj = kit.Column(0, kit.Stretch(container.NewHScroll(v.row)), kit.Sized(0, 26, v.none))
	return v
}

// update shows the drafts; those that are not read yet are read.
func (v *columnsView) update() {
	v.d.DraftSet.ReadDrafts()
	list, readings, known := v.d.DraftSet.Drafts(), v.d.DraftSet.DraftReadings(), v.d.DraftSet.DraftFacts()
	for len(v.Columns) < len(list) {
		v.Columns = append(v.Columns, newDraftColumn(v))
	}
	v.row.Objects = nil
	has := map[string]bool{} // what the draft shown says
	for i, dr := range list {
		if dr == v.d.DraftSet.Draft() && readings != nil {
			for b := range readings[i].Blocks {
				for l := range readings[i].Blocks[b].Lines {
					has[readings[i].Blocks[b].Lines[l].Text] = true
				}
			}
		}
	}
	for i, dr := range list {
		c := v.Columns[i]
		var r *drafts.Reading
		if readings != nil {
			r = readings[i]
		}
		name := draftName(i, dr)
		if known != nil {
			name += keptWords(known[i])
		}
		c.set(i, dr, r, name, has)
		if i > 0 {
			v.row.Add(kit.NewRule())
		}
		v.row.Add(kit.Stretch(kit.Sized(columnWidth, 0, c.obj)))
	}
	show.SetVisible(v.none, len(list) < 2)
	v.row.Refresh()
}

// DraftColumn is one draft by its blocks and lines.
type DraftColumn struct {
	v      *columnsView
	obj    fyne.CanvasObject
	head   *fyne.Container
	name   *kit.Text
	tokens *kit.Text
	shown  *kit.Tag
	choose *kit.Link
	List   *kit.List

	i     int
	draft *session.Draft
	read  *drafts.Reading
	has   map[string]bool
	Rows  []ColumnRow
}

// ColumnRow is a row of a column: a line, or with Line −1 the head of a block.
type ColumnRow struct{ Block, Line int }

func newDraftColumn(v *columnsView) *DraftColumn {
	c := &DraftColumn{v: v}
	c.name, c.tokens = kit.NewText("", kit.ColorText, 13).Bold().Fit(), kit.NewText("", kit.ColorMuted, 12)
	c.shown = kit.NewTag(words.T("preview.shown"), kit.ColorAccent)
	c.choose = kit.NewLink(words.T("preview.show"), func() { v.d.DraftSet.ChooseDraft(c.i) })
	c.choose.SetTip(words.T("preview.show.tip"))
	c.List = kit.NewRows(24, func() int { return len(c.Rows) }, c.line).WithTip("preview.after.means")
	c.head = kit.Row(8, kit.Stretch(c.name), c.tokens, c.shown, c.choose)
	c.obj = kit.Column(0, kit.Sized(0, 32, kit.Pad(0, 10, 0, 10, c.head)), kit.NewRule(), kit.Stretch(c.List))
	return c
}

// set shows a draft; a nil reading is still made.
func (c *DraftColumn) set(i int, dr *session.Draft, r *drafts.Reading, name string, has map[string]bool) {
	c.i, c.draft, c.read, c.has, c.Rows = i, dr, r, has, c.Rows[:0]
	c.name.SetText(name)
	c.tokens.SetText(show.TokenCount(c.v.d, int64(dr.Text.Tokens)))
	show.SetVisible(c.shown, c.isShown())
	show.SetVisible(c.choose, !c.isShown())
	c.head.Refresh()
	for b := 0; r != nil && b < len(r.Blocks); b++ {
		x := &r.Blocks[b]
		if x.Kind == blocks.Frame || len(x.Lines) == 0 {
			continue
		}
		c.Rows = append(c.Rows, ColumnRow{b, -1})
		for l := range x.Lines {
			if !x.Lines[l].Fixed {
				c.Rows = append(c.Rows, ColumnRow{b, l})
			}
		}
	}
	c.List.Update()
}

// adds reports whether a block says what the draft shown does not.
func (c *DraftColumn) adds(b *blocks.Block) bool {
	return slices.ContainsFunc(b.Lines, func(l blocks.Line) bool { return !l.Fixed && !c.has[l.Text] })
}

func (c *DraftColumn) isShown() bool { return c.draft == c.v.d.DraftSet.Draft() }

// Take takes the block of a row over into the draft shown; undoable.
func (c *DraftColumn) Take(i int) {
	if c.read == nil || i < 0 || i >= len(c.Rows) || c.isShown() || !c.v.p.Edits.canEdit() {
		return
	}
	from, b := c.read.Outline, c.Rows[i].Block
	c.v.d.DraftSet.ChangeDraft(undo.DraftTake, show.Shortened(blockTitle(&from.Blocks[b]), 30), 1,
		func(o *blocks.Outline) (string, error) { return o.Take(from, b) })
}

// line is a row of the column.
func (c *DraftColumn) line() (fyne.CanvasObject, func(int)) {
	row, indent := 0, kit.NewText("", kit.ColorText, 12)
	said, tokens := kit.NewText("", kit.ColorText, 13).Fit(), kit.NewText("", kit.ColorMuted, 12).Right().Fit()
	take := kit.NewLink(words.T("preview.takeThis"), func() { c.Take(row) }).InRow()
	take.SetTip(words.T("preview.take.tip"))
	cells := kit.Row(6, indent, kit.Stretch(said), take, kit.Sized(50, 0, tokens))
	return kit.Pad(0, 10, 0, 10, cells), func(i int) {
		if row = i; c.read == nil || i >= len(c.Rows) {
			return
		}
		at := c.Rows[i]
		x, of := &c.read.Blocks[at.Block], &c.read.Of[at.Block]
		head := at.Line < 0
		show.SetVisible(take, head && !c.isShown() && c.v.p.Edits.canEdit() && c.adds(x))
		said.SetBold(head)
		if head {
			indent.SetText("")
			said.SetText(blockTitle(x))
			said.SetColor(kit.ColorText)
			tokens.SetText(show.TokenCount(c.v.d, int64(of.Tokens)))
		} else {
			l := &x.Lines[at.Line]
			indent.SetText([]string{"   ", "      "}[min(l.Depth, 1)])
			text := l.Text
			if x.Kind == blocks.Turns && l.Depth == 0 {
				text, _ = c.read.FirstWords(at.Block, at.Line)
			}
			said.SetText(kit.Clean(text))
			said.SetColor(kit.ColorText)
			if !c.isShown() && c.has[l.Text] {
				said.SetColor(kit.ColorFaint)
			}
			tokens.SetText("")
			if l.Depth == 0 {
				tokens.SetText(show.TokenCount(c.v.d, int64(of.Lines[at.Line].Tokens)))
			}
		}
		cells.Refresh()
	}
}

// ShowColumns shows all drafts beside each other.
func (p *Screen) ShowColumns() {
	p.head.Mode.Select(ModeColumns)
	p.showMode()
}

// Columns are the drafts beside each other.
func (p *Screen) Columns() []*DraftColumn {
	return p.columns.Columns[:min(len(p.columns.Columns), len(p.d.DraftSet.Drafts()))]
}
