package kit

import (
	"regexp"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/canvas"
)

// Fold says whether a row has rows under it.
type Fold uint8

// The states of folding.
const (
	FoldNone Fold = iota
	FoldClosed
	FoldOpen
)

// Bracket joins the rows of a call and its results at their left.
type Bracket uint8

// The parts of a bracket.
const (
	BracketNone Bracket = iota
	BracketTop
	BracketMiddle
	BracketBottom
)

// LedgerRow is what one row of a Ledger shows. It is compared as a value: a row
// that did not change costs nothing.
type LedgerRow struct {
	Total  string         // running total before the row's columns
	Fate   string         // letter of the fate: K P C S D +; "" for none
	Num    string         // number or range of messages
	Who    string         // speaker and tool
	First  string         // first words, one line; it is cut to what fits
	Hits   *regexp.Regexp // what is marked in First; nil: nothing
	Link   string         // words after First that can be pressed
	Tokens string         // with "~" or "?" where that is so
	Bar    float32        // share of the longest bar, 0–1; 0 draws none
	Dim    bool           // less important: its words are muted
	Past   bool           // not there any more: all of it is faint
	Faded  bool           // its bar and badge are faded: part of a larger row
	Indent int            // levels
	Fold   Fold
	Warn   bool // something is wrong: sign and colour of a warning before Who
	Mark   bool // a mark in the history instead of a message
	Joined Bracket
	Lit    bool   // it has the ground of a selected row: it belongs to the row under the pointer
	Struck string // what of the first words is struck through: it is lost
}

// RowSource is what a Ledger shows. It is asked for visible rows only, on the
// UI goroutine, and must answer without I/O.
type RowSource interface {
	Len() int
	Row(i int) LedgerRow
}

// Rows is a RowSource of rows at hand.
type Rows []LedgerRow

// Len is the number of rows.
func (r Rows) Len() int { return len(r) }

// Row is one of them.
func (r Rows) Row(i int) LedgerRow { return r[i] }

// Ledger is the list of messages: a [List] of rows 24 units high with a header, in which a
// row or a range is selected (Shift extends it).
type Ledger struct {
	List
	HeadTip string        // words about the captions; at first about the letters of the fates
	OnHead  func(col int) // a caption was pressed, counted from 0
	OnFate  func(i int)   // click on the badge
	OnFold  func(i int)   // click on the triangle
	OnLink  func(i int)   // click on Link
	// Explain is the card of the tokens of a row, or of the total up to it; nil: there are
	// none.
	Explain func(i int, total bool) func() Card
	Empty   fyne.CanvasObject // shown instead of no rows

	src      RowSource
	head     fyne.CanvasObject
	numChars int
	captions [6]string
	more     bool // see SetMore
}

// NewLedger makes a list with column captions for: total, fate, number, who,
// first words, tokens.
func NewLedger(captions [6]string) *Ledger {
	l := &Ledger{src: Rows(nil), captions: captions, numChars: 7, HeadTip: says("ledger.fate.tip")()}
	l.make(24, func() int { return l.src.Len() }, func() ListRow { return newLedgerLine(l) })
	l.ranges, l.lit = true, func(i int) bool { return i < l.src.Len() && l.src.Row(i).Lit }
	l.Card = l.card
	l.head = Hinted(newLedgerHead(l), func() string { return l.HeadTip })
	l.init(l)
	return l
}

// columns are those of its rows now.
func (l *Ledger) columns() ledgerColumns {
	return columnsFor(l.list.body.Size().Width, l.numChars, l.more)
}

// card is the card of the number at x of a row, and where that is.
func (l *Ledger) card(i int, x float32) (card func() Card, left, width float32) {
	c := l.columns()
	for _, s := range []span{c.tokens, c.total} {
		if s.has(x) && l.Explain != nil {
			return l.Explain(i, s == c.total), s.x, s.w
		}
	}
	return nil, 0, 0
}

// SetMore shows the running total and which results belong to which call, too.
func (l *Ledger) SetMore(more bool) {
	l.more = more
	l.Refresh()
}

// SetSource shows other rows; the selection is kept as far as it exists.
func (l *Ledger) SetSource(src RowSource) {
	l.src = src
	l.Update()
	l.redraw()
}

// SetTicks marks rows at the edge of the list, where the scroll bar is.
func (l *Ledger) SetTicks(rows []int) { l.list.setTicks(rows) }

// Update shows the rows again after the source changed. Rows that are the same
// cost nothing.
func (l *Ledger) Update() {
	l.List.Update()
	if l.Empty != nil {
		setHidden(l.Empty, l.src.Len() > 0)
	}
}

func setHidden(o fyne.CanvasObject, hidden bool) {
	if hidden {
		o.Hide()
	} else {
		o.Show()
	}
}

// SetNumberWidth says how many characters the longest message number or range
// has, so that its column fits.
func (l *Ledger) SetNumberWidth(chars int) {
	if l.numChars != chars {
		l.numChars = chars
		l.Refresh()
	}
}

// Keep selects a row like Select, but leaves the list where it is scrolled to:
// for a row that is selected already and is at another place among other rows.
func (l *Ledger) Keep(i int) { l.show(i, func(int) {}) }

// SelectRange selects the rows between two, of which the second is the selected one.
func (l *Ledger) SelectRange(anchor, i int) {
	n := l.src.Len()
	l.selected, l.anchor = min(i, n-1), min(anchor, n-1)
	l.redraw()
}

// TypedKey moves the selection.
func (l *Ledger) TypedKey(e *fyne.KeyEvent) {
	from, to := l.Selection()
	switch {
	case e.Name == fyne.KeySpace:
		l.Key(fyne.KeyPageDown)
	case e.Name == fyne.KeyEscape && to-from > 1:
		l.Keep(l.selected)
	default:
		l.List.TypedKey(e)
	}
}

// CreateRenderer implements fyne.Widget.
func (l *Ledger) CreateRenderer() fyne.WidgetRenderer {
	edge := box(0)
	objs := []fyne.CanvasObject{l.head, &l.list, edge}
	if l.Empty != nil {
		objs = append(objs, l.Empty)
		setHidden(l.Empty, l.src.Len() > 0)
	}
	look := func() {
		// The focus is a thin accent line under the header, quiet enough for
		// a list that has it most of the time.
		tint(edge, Color(ColorAccent))
		edge.Hidden = !l.focused
	}
	look()
	return &renderer{
		of:   l,
		objs: objs,
		layout: func(s fyne.Size) {
			h := Px(24)
			put(l.head, 0, 0, s.Width, h)
			put(edge, 0, h-1, s.Width, 1)
			seen := l.list.sees(l.selected)
			put(&l.list, 0, h, s.Width, s.Height-h)
			if seen { // what opens beside the list may not hide the row that is selected
				l.list.reveal(l.selected)
			}
			if l.Empty != nil {
				put(l.Empty, 0, h, s.Width, s.Height-h)
			}
		},
		min: func() fyne.Size { return fyne.NewSize(Px(320), Px(24*3)) },
		refresh: func() {
			look()
			if l.list.restyled() {
				l.list.restyle()
			}
			l.head.Refresh()
			l.Update()
			canvas.Refresh(edge)
		},
	}
}
