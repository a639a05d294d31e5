package preview

import (
	"image/color"
	"math"
	"strings"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
	"fyne.io/fyne/v2/container"
	"fyne.io/fyne/v2/driver/desktop"
	"fyne.io/fyne/v2/widget"

	"palimpsest/compaction"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// afterRow draws a row of the right side. The same object shows a message, a block or
// a line; what a kind does not have is hidden.
type afterRow struct {
	p   *Screen
	i   int
	obj *fyne.Container

	handle         *kit.Sign
	fold           *show.FoldSign
	indent         *kit.Text
	badge          *kit.Badge
	badgeBox       *fyne.Container
	num, who, text *kit.Text
	numBox, whoBox *fyne.Container
	field          *fyne.Container // the words while they are edited
	words          *fyne.Container
	acts           [5]*kit.Link
	source         *kit.Link
	tokens         *kit.Text
	lit            *kit.Fill
}

// actions of a block, and of a line.
const (
	actUp = iota
	actDown
	actEdit
	actPin
	actRemove
)

func newAfterRow(p *Screen) *afterRow {
	r := &afterRow{p: p, badge: kit.NewBadge("")}
	r.handle, r.fold = kit.NewSign(kit.GlyphNone, kit.ColorFaint, 12), show.NewFoldSign(func() { p.Edits.toggleAfter(r.i) })
	r.num, r.who = kit.NewText("", kit.ColorMuted, 13).Fit(), kit.NewText("", kit.ColorText, 13).Fit()
	r.text, r.tokens = kit.NewText("", kit.ColorText, 13).Fit(), kit.NewText("", kit.ColorText, 13).Right().Fit()
	r.indent = kit.NewText("", kit.ColorText, 12)
	r.badgeBox, r.numBox, r.whoBox = kit.Sized(24, 0, r.badge), kit.Sized(62, 0, r.num), kit.Sized(104, 0, r.who)
	r.words, r.field = kit.Row(0, kit.Stretch(r.text)), kit.Row(0)
	for i, key := range []string{"preview.up", "preview.down", "preview.edit", "preview.pin", "preview.remove"} {
		text := []string{"↑", "↓"}[min(i, 1)]
		if i > actDown {
			text = words.T(key)
		}
		r.acts[i] = kit.NewLink(text, func() { p.Edits.act(r.i, i) }).InRow()
		r.acts[i].SetTip(words.T(key + ".tip"))
		r.acts[i].OnHover = r.hover
	}
	r.source = kit.NewLink("", func() { p.lights.follow(r.i) }).InRow()
	r.source.OnHover = r.hover
	handle := kit.Sized(12, 0, container.NewStack(r.handle, newGrip(r)))
	row := kit.Row(6, handle, r.indent, kit.Sized(12, 0, r.fold), r.badgeBox, r.numBox, r.whoBox,
		kit.Stretch(r.words), r.acts[0], r.acts[1], r.acts[2], r.acts[3], r.acts[4], r.source, kit.Sized(54, 0, r.tokens))
	r.lit = kit.NewFill(kit.ColorSelection, 0)
	r.obj = container.NewStack(r.lit, kit.Pad(0, 10, 0, 8, row))
	return r
}

// hover keeps the row lit while the pointer is over a link in it.
func (r *afterRow) hover(over bool) {
	if over {
		r.p.lights.hoverRight(r.i)
	} else {
		r.p.lights.hoverRight(-1)
	}
}

// Object is what the list shows.
func (r *afterRow) Object() fyne.CanvasObject { return r.obj }

// Fill shows a row.
func (r *afterRow) Fill(i int, selected bool) {
	a := r.p.after
	if a == nil || i >= len(a.Rows) {
		return
	}
	r.i = i
	row := a.Rows[i]
	show.SetVisible(r.lit, r.p.lights.isLit(i))
	inside := row.Kind == AfterBlock || row.Kind == AfterLine || row.Kind == AfterMore
	show.SetVisible(r.badgeBox, !inside)
	show.SetVisible(r.numBox, !inside)
	show.SetVisible(r.whoBox, !inside)
	r.showActions(row, r.p.lights.active == i || selected)
	r.setFold(row.Fold)
	r.text.SetColor(kit.ColorText)
	r.tokens.SetColor(kit.ColorText)
	r.text.SetBold(row.Kind == AfterBlock)
	r.tokens.SetBold(row.Kind == AfterBlock)
	r.handle.Set(kit.GlyphNone, kit.ColorFaint)
	r.source.SetText("")
	switch row.Kind {
	case AfterFixed:
		r.message("", "§", words.T(outsideKey(a.Plan)), words.T(outsideKey(a.Plan)+".of"), a.Plan.Line.Fixed())
		if a.Plan.Line.Fixed() == 0 { // it is not known
			r.tokens.SetText("–")
		}
		r.text.SetColor(kit.ColorMuted)
	case AfterSummary:
		r.message(model.Added.Letter(), words.T("preview.new"), words.T("role.summary"),
			words.T("preview.summaryOf", "range", summarised(a.Plan)), int64(a.Plan.Summary))
		if r.p.d.DraftSet.Draft() == nil {
			r.tokens.SetText(words.Estimate(int64(a.Plan.Summary)))
		}
		r.text.SetColor(kit.ColorMuted)
	case AfterEntry, AfterRun:
		r.entry(row)
	default:
		r.ofSummary(row)
	}
	show.SetVisible(r.source, r.source.Text() != "")
	r.showField(row)
	r.obj.Refresh()
}

// showActions shows what can be done with a block or a line that is pointed at.
func (r *afterRow) showActions(row AfterRow, active bool) {
	a := r.p.after
	active = active && r.p.Edits.canEdit()
	block, line := active && row.Kind == AfterBlock, active && row.Kind == AfterLine
	pin := (block || line) && len(a.Sources(r.i)) > 0
	held := pin && len(r.p.originals.Pinnable(a.Sources(r.i))) > 0
	r.acts[actPin].SetEnabled(held)
	r.acts[actPin].SetTip(words.T(map[bool]string{true: "preview.pin.tip", false: "preview.pin.past"}[held]))
	up, down := block && a.reading.CanMove(row.Block, -1), block && a.reading.CanMove(row.Block, 1)
	for k, on := range []bool{up, down, line, pin, block || line} {
		show.SetVisible(r.acts[k], on)
	}
}

func (r *afterRow) setFold(f kit.Fold) {
	show.SetVisible(r.fold, f != kit.FoldNone) // else a click there is one on the row
	r.fold.Set(map[kit.Fold]kit.Glyph{kit.FoldClosed: kit.GlyphRight, kit.FoldOpen: kit.GlyphDown}[f])
}

// message fills the columns of a message.
func (r *afterRow) message(fate, num, who, text string, tokens int64) {
	r.badge.Set(fate)
	r.num.SetText(num)
	r.who.SetText(who)
	r.text.SetText(text)
	r.tokens.SetText(show.TokenCount(r.p.d, tokens))
	r.indent.SetText("")
}

// entry fills the row of a message that stays, or of several.
func (r *afterRow) entry(row AfterRow) {
	pl := r.p.after.Plan
	run := pl.Runs.At(row.Run)
	tokens := pl.Line.Span(row.From, row.To)
	cleared := run.Fate == model.Cleared && pl.Outcome == compaction.WouldApply
	if cleared {
		tokens = int64(compaction.NoteTokens * (row.To - row.From))
	}
	if row.Kind == AfterRun {
		r.message(run.Fate.Letter(), numbersOf(pl, row.From, row.To), words.T("count.messages", "count", row.To-row.From),
			show.ReasonWords(r.p.d, compaction.Reason{Code: run.Why}), tokens)
		r.text.SetColor(kit.ColorMuted)
		return
	}
	x := show.RowInWords(r.p.d, entryRow(r.p.after.of, pl, row.From))
	if cleared {
		x.First = compaction.ClearedNote(pl.Line.Tokens(row.From))
	}
	r.message(run.Fate.Letter(), x.Num, x.Who, x.First, tokens)
	if cleared {
		r.text.SetColor(kit.ColorMuted)
	}
}

// ofSummary fills the row of a block or a line.
func (r *afterRow) ofSummary(row AfterRow) {
	a := r.p.after
	x, of := &a.reading.Blocks[row.Block], &a.reading.Of[row.Block]
	r.indent.SetText("  ")
	switch row.Kind {
	case AfterBlock:
		if r.p.Edits.movable(r.i) {
			r.handle.Set(kit.GlyphUpDown, kit.ColorFaint)
		}
		r.text.SetText(blockTitle(x))
		r.tokens.SetText(show.TokenCount(r.p.d, int64(of.Tokens)))
	case AfterMore:
		r.indent.SetText("     ")
		r.setFold(kit.FoldClosed)
		r.text.SetText(words.T("preview.more", "count", row.To))
		r.text.SetColor(kit.ColorMuted)
		r.tokens.SetText("")
	case AfterLine:
		l := x.Lines[row.Line]
		r.indent.SetText(strings.Repeat("     ", 1+l.Depth))
		text := l.Text
		if x.Kind == blocks.Turns && l.Depth == 0 {
			text, _ = a.reading.FirstWords(row.Block, row.Line)
		}
		r.text.SetText(kit.Clean(text))
		line := of.Lines[row.Line]
		r.tokens.SetText(show.TokenCount(r.p.d, int64(line.Tokens)))
		r.tokens.SetColor(kit.ColorMuted)
		r.source.SetText(sourceWords(line.Named, a.Sources(r.i)))
		r.source.SetTip(r.p.lights.pastWords(a.Sources(r.i)))
		if r.source.Tip() == "" {
			r.source.SetTip(words.T("preview.source.tip"))
		}
	}
}

// showField puts the field in the place of the words of the line that is edited.
func (r *afterRow) showField(row AfterRow) {
	p := r.p
	on := p.Edits.editing && row.Kind == AfterLine && row.Block == p.Edits.editBlock && row.Line == p.Edits.editLine
	if on == (len(r.field.Objects) > 0) {
		return
	}
	r.field.Objects, r.words.Objects = nil, []fyne.CanvasObject{kit.Stretch(r.text)}
	if on {
		r.field.Objects = []fyne.CanvasObject{kit.Stretch(p.Edits.field)}
		r.words.Objects = []fyne.CanvasObject{kit.Stretch(r.field)}
	}
	r.words.Refresh()
}

// headKeys are the words of the heads that a ledger gives to parts of one kind.
var headKeys = map[string]string{
	"Names": "identifier", "名称": "identifier", "Options": "options", "选项": "options", "IDs": "ids", "编号": "ids",
	"Tests": "tests", "测试": "tests", "Constants": "constants", "常量": "constants",
}

// headWords is a head of a ledger in the language of the window; another one as it is
// written.
func headWords(title string) string {
	if key, ok := headKeys[title]; ok {
		return words.T("preview.block." + key)
	}
	return kit.Clean(title)
}

// blockTitle names a block and counts its lines.
func blockTitle(b *blocks.Block) string {
	n := 0
	for _, l := range b.Lines {
		switch {
		case l.Fixed || l.Depth > 0:
		case b.Kind == blocks.Facts && l.Listed:
			n += len(strings.FieldsFunc(l.Text, func(r rune) bool { return r == ' ' }))
		default:
			n++
		}
	}
	title := ""
	switch b.Kind {
	case blocks.Earlier:
		title = words.T("preview.block.earlier")
	case blocks.Turns:
		title = words.T("preview.block.turns")
	case blocks.Facts:
		title = words.T("preview.block." + b.Fact.String())
		if b.Title != "" && b.Fact.String() == "identifier" {
			title = headWords(b.Title) // names, options and numbers are one kind
		}
	case blocks.Section:
		title = kit.Clean(b.Title)
	default:
		title = words.T("preview.block.text")
	}
	return title + "   " + words.Int(int64(n))
}

// sourceWords names the messages that a line was made from.
func sourceWords(named model.Range, sources []int) string {
	if named.To > named.From {
		return "#" + show.SpanWords(named.From+1, named.To)
	}
	const most = 2
	text := ""
	for i, h := range sources {
		if i == most {
			return text + " …"
		}
		if i > 0 {
			text += " "
		}
		text += "#" + words.Int(int64(h+1))
	}
	return text
}

// grip lies over a block's handle: dragging it moves the block to where it is let go.
type grip struct {
	widget.BaseWidget
	row *afterRow
	by  float32 // how far it was dragged, in units of the canvas
}

var (
	_ fyne.Draggable     = (*grip)(nil)
	_ desktop.Cursorable = (*grip)(nil)
)

func newGrip(row *afterRow) *grip {
	g := &grip{row: row}
	g.ExtendBaseWidget(g)
	return g
}

// CreateRenderer implements fyne.Widget.
func (g *grip) CreateRenderer() fyne.WidgetRenderer {
	over := canvas.NewRectangle(color.Transparent)
	over.Resize(g.Size()) // nothing lays out a renderer that is made again
	return widget.NewSimpleRenderer(over)
}

// Cursor implements desktop.Cursorable.
func (g *grip) Cursor() desktop.Cursor {
	if !g.row.p.Edits.movable(g.row.i) {
		return desktop.DefaultCursor
	}
	return desktop.VResizeCursor
}

// Dragged implements fyne.Draggable: the row on which the block would land is lit.
func (g *grip) Dragged(e *fyne.DragEvent) {
	if !g.row.p.Edits.movable(g.row.i) {
		return
	}
	g.by += e.Dragged.DY
	g.row.p.lights.showDrop(g.target())
}

// DragEnd implements fyne.Draggable.
func (g *grip) DragEnd() {
	p, from, to := g.row.p, g.row.p.Edits.blockAt(g.row.i), g.row.p.Edits.blockAt(g.target())
	g.by = 0
	p.lights.showDrop(-1)
	if from >= 0 && to >= 0 && from != to {
		p.Edits.MoveBlock(from, to-from)
	}
}

// target is the row under the pointer.
func (g *grip) target() int {
	return g.row.i + int(math.Round(float64(g.by/g.row.p.After.Pitch())))
}
