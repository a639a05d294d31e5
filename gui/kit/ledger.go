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
	Lit    bool // its ground is that of a selected row: it belongs to what is pointed at
	Struck bool // its first words are struck through: they are lost
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

// Ledger is the list of messages: 24 units a row, a header, a selection of one
// row or a range, and the keyboard (arrows, j and k, PgUp, PgDn, Home, End,
// Enter; Shift extends).
type Ledger struct {
	keyboard
	OnSelect func(i int)                   // the selected row changed by a person
	OnRange  func()                        // another range is selected, by a person or not
	OnOpen   func(i int)                   // Enter, or a double click
	OnMenu   func(i int, at fyne.Position) // right click; the place is on the canvas
	HeadTip  string                        // words about the captions; at first about the letters of the fates
	OnHead   func(col int)                 // a caption was pressed, counted from 0
	OnFate   func(i int)                   // click on the badge
	OnFold   func(i int)                   // click on the triangle
	OnLink   func(i int)                   // click on Link
	OnScroll func(offset float32)          // scrolled by a person; in units of the canvas
	OnHover  func(i int)                   // the pointer is over a row; −1: over none
	Tip      func(i int) string            // the words that appear when the pointer rests on a row; nil or "": none
	// Card explains under the pointer the tokens of a row, or the total up to it; nil: there
	// are none.
	Card  func(i int, total bool) func() Card
	Empty fyne.CanvasObject // shown instead of no rows

	src      RowSource
	selected int
	anchor   int
	list     vlist
	head     fyne.CanvasObject
	numChars int
	captions [6]string
	more     bool // see SetMore
}

// NewLedger makes a list with column captions for: total, fate, number, who,
// first words, tokens.
func NewLedger(captions [6]string) *Ledger {
	l := &Ledger{src: Rows(nil), selected: -1, anchor: -1, captions: captions, numChars: 7, HeadTip: says("ledger.fate.tip")()}
	l.list.length = func() int { return l.src.Len() }
	l.list.pitch = func() float32 { return RowPx(24) }
	l.list.create = func() fyne.CanvasObject { return newLedgerLine(l) }
	l.list.update = func(i int, o fyne.CanvasObject) { o.(*ledgerLine).show(i) }
	l.list.onScroll = func() {
		if l.OnScroll != nil {
			l.OnScroll(l.list.scroll.Offset.Y)
		}
	}
	l.list.init()
	l.head = Hinted(newLedgerHead(l), func() string { return l.HeadTip })
	l.init(l)
	return l
}

// SetMore shows the running total and which results belong to which call, too.
func (l *Ledger) SetMore(more bool) {
	l.more = more
	l.head.Refresh()
	l.list.Refresh()
}

// SetSource shows other rows; the selection is kept as far as it exists.
func (l *Ledger) SetSource(src RowSource) {
	l.src = src
	if l.selected >= src.Len() {
		l.selected, l.anchor = -1, -1
	}
	l.anchor = min(l.anchor, src.Len()-1)
	l.Update()
	l.ranged()
}

// SetTicks marks rows at the edge of the list, where the scroll bar is.
func (l *Ledger) SetTicks(rows []int) { l.list.setTicks(rows) }

// Update shows the rows again after the source changed. Rows that are the same
// cost nothing.
func (l *Ledger) Update() {
	l.list.refill()
	l.showEmpty()
	canvas.Refresh(l.list.body)
}

func (l *Ledger) showEmpty() {
	if l.Empty == nil {
		return
	}
	if l.src.Len() == 0 {
		l.Empty.Show()
	} else {
		l.Empty.Hide()
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

// Selected is the selected row, −1 if none.
func (l *Ledger) Selected() int { return l.selected }

// Selection is the selected range, half-open; both are equal if there is none.
func (l *Ledger) Selection() (from, to int) {
	if l.selected < 0 {
		return 0, 0
	}
	return min(l.anchor, l.selected), max(l.anchor, l.selected) + 1
}

// Select selects a row and brings it into view; −1 selects none. OnSelect is
// not called.
func (l *Ledger) Select(i int) {
	l.Keep(i)
	if l.selected >= 0 {
		l.list.reveal(l.selected)
	}
}

// Keep selects a row like Select, but leaves the list where it is scrolled to:
// for a row that is selected already and is at another place among other rows.
func (l *Ledger) Keep(i int) {
	i = min(i, l.src.Len()-1)
	l.selected, l.anchor = i, i
	l.list.redraw()
	l.ranged()
}

// SelectRange selects the rows between two, of which the second is the selected one.
func (l *Ledger) SelectRange(anchor, i int) {
	n := l.src.Len()
	l.selected, l.anchor = min(i, n-1), min(anchor, n-1)
	l.list.redraw()
	l.ranged()
}

// ranged says that another range is selected.
func (l *Ledger) ranged() {
	if l.OnRange != nil {
		l.OnRange()
	}
}

// choose is a selection by a person.
func (l *Ledger) choose(i int, extend bool) {
	n := l.src.Len()
	if n == 0 || l.disabled {
		return
	}
	i = max(0, min(n-1, i))
	was := l.selected
	l.selected = i
	if !extend || l.anchor < 0 {
		l.anchor = i
	}
	l.list.reveal(i)
	l.list.redraw()
	if i != was && l.OnSelect != nil {
		l.OnSelect(i)
	}
	l.ranged()
}

// Offset is how far the list is scrolled, in units of the canvas.
func (l *Ledger) Offset() float32 { return l.list.scroll.Offset.Y }

// Page is how many whole rows are visible.
func (l *Ledger) Page() int { return l.list.page() }

// ScrollTo scrolls to an offset, without calling OnScroll.
func (l *Ledger) ScrollTo(offset float32) { l.list.scrollQuietly(offset) }

// Pitch is the height of a row in units of the canvas.
func (l *Ledger) Pitch() float32 { return l.list.pitch() }

// InView is the range of rows that can be seen, half-open.
func (l *Ledger) InView() (from, to int) { return l.list.span() }

// TypedRune takes j and k and hands the rest to the window.
func (l *Ledger) TypedRune(r rune) {
	switch r {
	case 'j':
		l.choose(l.selected+1, false)
	case 'k':
		l.choose(l.selected-1, false)
	default:
		PassRune(l, r)
	}
}

// TypedKey moves the selection.
func (l *Ledger) TypedKey(e *fyne.KeyEvent) {
	at := l.selected
	switch e.Name {
	case fyne.KeyDown:
		at++
	case fyne.KeyUp:
		at--
	case fyne.KeyPageDown, fyne.KeySpace:
		at += l.list.page()
	case fyne.KeyPageUp:
		at -= l.list.page()
	case fyne.KeyHome:
		at = 0
	case fyne.KeyEnd:
		at = l.src.Len() - 1
	case fyne.KeyReturn, fyne.KeyEnter:
		if l.selected >= 0 && l.OnOpen != nil {
			l.OnOpen(l.selected)
		}
		return
	case fyne.KeyEscape:
		if from, to := l.Selection(); to-from > 1 {
			l.Keep(l.selected)
			return
		}
		PassKey(l, e)
		return
	default:
		PassKey(l, e)
		return
	}
	l.choose(at, l.shift)
}

// CreateRenderer implements fyne.Widget.
func (l *Ledger) CreateRenderer() fyne.WidgetRenderer {
	edge := box(0)
	objs := []fyne.CanvasObject{l.head, &l.list, edge}
	if l.Empty != nil {
		objs = append(objs, l.Empty)
		l.showEmpty()
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
