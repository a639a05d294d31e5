package preview

import (
	"math"
	"slices"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// foldAbove is how many messages of one fate are listed before they are shown as
// one row; of what stays, so many are listed before the rest of them.
const foldAbove, keptListed = 3, 6

// runFold is how a run of one fate that could be shown as one row is shown.
type runFold uint8

const (
	foldAuto runFold = iota // with the messages that matter
	foldShut
	foldOpen
)

// OriginalLine is one row of the left side.
type OriginalLine struct {
	Run      int
	From, To int // entries, half-open
	Fold     kit.Fold
	Rest     int // > 0: the row represents so many messages of a run that are not listed
	inside   bool
	Tokens   int64
}

// Originals are the rows of the context as it was: what stays message by message,
// what goes as runs, of which those messages are listed that a line of the summary
// was made from or that lost something.
type Originals struct {
	d       *State
	of      *session.Session
	Plan    *compaction.Plan
	Lines   []OriginalLine
	entry   map[int]int // of messages in the context, and of copies there, by history position
	copied  map[int]int // see drafts.Reading
	marks   marks
	largest float64
}

// marks is what is known of original messages, by history position.
type marks struct {
	used  func(h int) bool   // a line of the summary was made from it
	lost  func(h int) string // a fact that it held, that matters and is lost; "" for none
	lit   func(h int) bool
	hover int // the row under the pointer
}

// newOriginals makes the rows of a plan. only limits them to one fate; nil shows all.
func newOriginals(d *State, pl *compaction.Plan, folds map[int]runFold, only model.Fate, m marks) *Originals {
	p := &Originals{d: d, of: d.Session(), Plan: pl, entry: map[int]int{}, marks: m}
	if r := d.DraftSet.DraftLines(); r != nil {
		p.copied = r.Copied
	}
	for i := range pl.Line.Len() {
		p.entry[p.message(i)] = i
	}
	delete(p.entry, -1)
	for k, r := range pl.Runs.All() {
		if only != noFate && r.Fate != only {
			continue
		}
		n := r.To - r.From
		fold := folds[r.From]
		gone := r.Goes() && p.applies()
		switch {
		case n <= foldAbove, !gone && fold == foldAuto && n <= keptListed+1:
			p.list(k, r.From, r.To, false)
		case fold == foldShut:
			p.head(k, kit.FoldClosed)
		case fold == foldOpen:
			p.head(k, kit.FoldOpen)
			p.list(k, r.From, r.To, true)
		case gone:
			p.matter(k)
		default:
			p.list(k, r.From, r.From+keptListed, false)
			p.rest(k, r.From+keptListed, r.To, n-keptListed, p.span(r.From+keptListed, r.To))
		}
	}
	return p
}

// noFate is no filter.
const noFate = model.Fate(255)

func (p *Originals) applies() bool { return p.Plan.Outcome == compaction.WouldApply }

func (p *Originals) span(from, to int) int64 { return p.Plan.Line.Span(from, to) }

// head adds the row of a run.
func (p *Originals) head(k int, fold kit.Fold) {
	r := p.Plan.Runs.At(k)
	p.Lines = append(p.Lines, OriginalLine{Run: k, From: r.From, To: r.To, Fold: fold, Tokens: r.Tokens})
	p.largest = math.Max(p.largest, float64(r.Tokens))
}

// list adds a row for each of the entries of a run.
func (p *Originals) list(k, from, to int, inside bool) {
	for i := from; i < to; i++ {
		n := int64(p.Plan.Line.Tokens(i))
		p.Lines = append(p.Lines, OriginalLine{Run: k, From: i, To: i + 1, inside: inside, Tokens: n})
		p.largest = math.Max(p.largest, float64(n))
	}
}

// rest adds the row of what is not listed.
func (p *Originals) rest(k, from, to, n int, tokens int64) {
	p.Lines = append(p.Lines, OriginalLine{Run: k, From: from, To: to, Fold: kit.FoldClosed, Rest: n, inside: true, Tokens: tokens})
}

// matter adds a run of which those messages are listed that matter.
func (p *Originals) matter(k int) {
	r := p.Plan.Runs.At(k)
	var listed []int
	var tokens int64
	for i := r.From; i < r.To; i++ {
		h := p.Plan.Line.History(i)
		if h < 0 || p.marks.used != nil && p.marks.used(h) || p.marks.lost != nil && p.marks.lost(h) != "" {
			listed = append(listed, i)
			tokens += int64(p.Plan.Line.Tokens(i))
		}
	}
	if len(listed) == 0 {
		p.head(k, kit.FoldClosed)
		return
	}
	p.head(k, kit.FoldOpen)
	for _, i := range listed {
		p.list(k, i, i+1, true)
	}
	if n := r.To - r.From - len(listed); n > 0 {
		p.rest(k, r.From, r.To, n, r.Tokens-tokens)
	}
}

// gone reports whether the messages of a row leave the context.
func (p *Originals) gone(l OriginalLine) bool { return p.applies() && p.Plan.Runs.At(l.Run).Goes() }

// history is the history position of a row; −1 for one that is no single message.
func (p *Originals) history(i int) int {
	l := p.Lines[i]
	if l.To != l.From+1 || l.Fold != kit.FoldNone {
		return -1
	}
	return p.message(l.From)
}

// message is the history position of an entry, or of the message that it is a copy of; −1: it
// has none.
func (p *Originals) message(entry int) int {
	if h, ok := p.copied[entry]; ok {
		return h
	}
	return p.Plan.Line.History(entry)
}

// Holds are those of some messages that are in the context, the one of the plan, themselves
// or as copies; the others went before.
func (p *Originals) Holds(messages []int) []int {
	return slices.DeleteFunc(slices.Clone(messages), func(h int) bool { _, ok := p.entry[h]; return !ok })
}

// Pinnable are those of some messages that are in the context themselves: a pin of a message
// keeps no copy.
func (p *Originals) Pinnable(messages []int) []int {
	return slices.DeleteFunc(p.Holds(messages), func(h int) bool { return p.Plan.Line.History(p.entry[h]) != h })
}

// pinned is how many messages a pin of one keeps, and how much of them would go.
func (p *Originals) pinned(h int) (count int, tokens int64) {
	all := p.Plan.Line.Together(p.entry[h])
	for _, i := range all {
		if fate, _ := p.Plan.FateAt(i); fate != model.Kept && fate != model.Pinned {
			tokens += int64(p.Plan.Line.Tokens(i))
		}
	}
	return len(all), tokens
}

// lineOf is the row that shows a message, or represents it; −1: none does.
func (p *Originals) lineOf(h int) int {
	best := -1
	e, ok := p.entry[h]
	for i, l := range p.Lines {
		if !ok || e < l.From || e >= l.To {
			continue
		}
		if best < 0 || l.To-l.From < p.Lines[best].To-p.Lines[best].From || l.Rest > 0 && p.Lines[best].Rest == 0 &&
			p.Lines[best].Fold != kit.FoldNone {
			best = i
		}
	}
	return best
}

func (p *Originals) bar(tokens int64) float32 {
	if p.largest <= 0 {
		return 0
	}
	return float32(math.Sqrt(math.Min(1, float64(tokens)/p.largest)))
}

// numbersOf are the message numbers of entries; a summary has none.
func numbersOf(pl *compaction.Plan, from, to int) string {
	lo, hi := -1, -1
	for i := from; i < to && lo < 0; i++ {
		lo = pl.Line.History(i)
	}
	for i := to - 1; i >= from && hi < 0; i-- {
		hi = pl.Line.History(i)
	}
	if lo < 0 {
		return "§"
	}
	return show.SpanWords(lo+1, hi+1)
}

// summarised names the messages that the summary represents.
func summarised(pl *compaction.Plan) string {
	var parts []string
	for _, r := range pl.Runs.All() {
		if r.Fate != model.Summarised {
			continue
		}
		n := numbersOf(pl, r.From, r.To)
		if n == "§" {
			n = words.T("preview.former")
		}
		parts = append(parts, n)
	}
	const most = 4
	if len(parts) > most {
		parts = append(parts[:most], "…")
	}
	return strings.Join(parts, ", ")
}

// entryRow is an entry of the plan as a ledger shows it.
func entryRow(s *session.Session, pl *compaction.Plan, i int) session.Row {
	l := pl.Line
	it := l.Item(i)
	r := session.Row{Stored: it.Msg, Record: it.Record, Live: true, Tokens: l.Tokens(i), Total: l.Span(0, i+1) + l.Fixed()}
	r.Fate, r.Why = pl.FateAt(i)
	if h := l.History(i); h >= 0 {
		r.Num = h + 1
	}
	if it.Msg >= 0 {
		r.Msg = &s.Thread().Messages[it.Msg]
		r.First = r.Msg.Preview
	} else {
		r.First = show.FirstOf(s.SummaryText(it.Record))
	}
	return r
}

// Len is the number of rows.
func (p *Originals) Len() int { return len(p.Lines) }

// Row is one of them in words.
func (p *Originals) Row(i int) kit.LedgerRow {
	n := p.Lines[i]
	run := p.Plan.Runs.At(n.Run)
	if n.Fold == kit.FoldNone {
		out := show.RowInWords(p.d, entryRow(p.of, p.Plan, n.From))
		out.Bar = p.bar(n.Tokens)
		if n.inside {
			out.Indent = 1
		}
		if h := p.message(n.From); h >= 0 && p.gone(n) {
			out.Lit = p.marks.lit != nil && p.marks.lit(h)
			if p.marks.lost == nil {
				return out
			}
			if lost := p.marks.lost(h); lost != "" {
				if out.Struck = lost; !strings.Contains(out.First, lost) { // it stands further down
					out.First = show.Shortened(out.First, 32) + " … " + lost
				}
				if i == p.marks.hover {
					out.Link = words.T("preview.putBack")
				}
			}
		}
		return out
	}
	total := p.Plan.Line.Span(0, n.To) + p.Plan.Line.Fixed()
	if n.Rest > 0 {
		return kit.LedgerRow{
			Num: "", Indent: 1, Faded: true, Dim: true, Fate: "",
			Who: words.T("preview.more", "count", n.Rest), Tokens: show.TokenCount(p.d, n.Tokens), Bar: p.bar(n.Tokens), Fold: n.Fold,
		}
	}
	return kit.LedgerRow{
		Total: show.TokenCount(p.d, total), Fate: run.Fate.Letter(), Num: numbersOf(p.Plan, n.From, n.To),
		Who: words.T("count.messages", "count", n.To-n.From), First: show.ReasonWords(p.d, compaction.Reason{Code: run.Why}), Dim: true,
		Tokens: show.TokenCount(p.d, run.Tokens), Bar: p.bar(run.Tokens), Fold: n.Fold,
	}
}
