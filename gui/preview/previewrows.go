package preview

import (
	"math"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/gui/desk"
	"palimpsest/gui/kit"
	"palimpsest/gui/show"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// foldAbove is how many messages of one fate are beside each other before
// they are shown as one row.
const foldAbove = 3

// runFold is how a run of one fate that could be shown as one row is shown.
type runFold uint8

const (
	foldAuto runFold = iota // folded, with its first messages where there is room for them
	foldShut
	foldOpen
)

// PreviewLine is one line of the two ledgers: what was, and beside it what
// comes from it.
type PreviewLine struct {
	Run      int
	From, To int // entries, half-open
	Fold     kit.Fold
	inside   bool // of an unfolded run
	first    bool // of its run
	Rest     bool // represents the messages of a run behind those that are shown
}

// PreviewRows are the lines of a plan, with some of its runs unfolded.
type PreviewRows struct {
	d       *desk.Desk
	Plan    *compaction.Plan
	thread  *model.Thread
	Lines   []PreviewLine
	after   []int64 // context after the plan before each run
	largest float64
}

// NewPreviewRows makes the lines. Where they would leave much of the room (in
// lines) empty, the runs that nobody folded or unfolded show their first messages.
func NewPreviewRows(d *desk.Desk, pl *compaction.Plan, folds map[int]runFold, only previewOnly, room int) *PreviewRows {
	p := &PreviewRows{d: d, Plan: pl, thread: d.Session().Thread()}
	peek := peekOf(pl, folds, only, room)
	sum := pl.Line.Fixed()
	for k, r := range pl.Runs {
		p.after = append(p.after, sum)
		sum += p.runAfter(k)
		if !only.Shows(r.Fate) {
			continue
		}
		if r.To-r.From <= foldAbove {
			p.entries(k, r.From, r.To, false)
			continue
		}
		shown := r.From // up to which message the run is shown
		switch folds[r.From] {
		case foldOpen:
			shown = r.To
		case foldAuto:
			if shown += peek[r.From]; shown >= r.To-1 {
				shown = r.To
			}
		}
		sign := kit.FoldOpen
		if shown == r.From {
			sign = kit.FoldClosed
		}
		p.Lines = append(p.Lines, PreviewLine{Run: k, From: r.From, To: r.To, Fold: sign, first: true})
		p.largest = math.Max(p.largest, float64(r.Tokens))
		p.entries(k, r.From, shown, true)
		if shown > r.From && shown < r.To {
			p.Lines = append(p.Lines, PreviewLine{Run: k, From: shown, To: r.To, Fold: kit.FoldClosed, inside: true, Rest: true})
		}
	}
	return p
}

// entries adds a line for each of the entries of a run.
func (p *PreviewRows) entries(run, from, to int, inside bool) {
	for i := from; i < to; i++ {
		p.Lines = append(p.Lines, PreviewLine{Run: run, From: i, To: i + 1, inside: inside, first: !inside && i == from})
		p.largest = math.Max(p.largest, float64(p.Plan.Line.Tokens(i)))
	}
}

// leastPeek is how many messages are worth showing of a run.
const leastPeek = 2

// peekOf is how many messages each run that was left to itself shows, by its
// first entry: as many as there is room for, or of the first of them alone.
func peekOf(pl *compaction.Plan, folds map[int]runFold, only previewOnly, room int) map[int]int {
	lines, auto := 0, []int{}
	for _, r := range pl.Runs {
		switch n := r.To - r.From; {
		case !only.Shows(r.Fate):
		case n <= foldAbove:
			lines += n
		case folds[r.From] == foldOpen:
			lines += n + 1
		default:
			lines++ // its head
			if folds[r.From] == foldAuto {
				auto = append(auto, r.From)
			}
		}
	}
	out := map[int]int{}
	for _, of := range [][]int{auto, auto[:min(1, len(auto))]} {
		if len(of) == 0 {
			break
		}
		// One line of each is for the rest of it.
		if n := (room-lines)/len(of) - 1; n >= leastPeek {
			for _, from := range of {
				out[from] = n
			}
			break
		}
	}
	return out
}

func (p *PreviewRows) applies() bool { return p.Plan.Outcome == compaction.WouldApply }

// gone reports whether the messages of a run leave the context.
func (p *PreviewRows) gone(k int) bool {
	f := p.Plan.Runs[k].Fate
	return p.applies() && (f == model.Summarised || f == model.Dropped)
}

// runAfter is what a run weighs after the plan, the summary in front of it
// included.
func (p *PreviewRows) runAfter(k int) int64 {
	r := p.Plan.Runs[k]
	n := r.Tokens
	switch {
	case p.gone(k):
		n = 0
	case p.applies() && r.Fate == model.Cleared:
		n = int64(compaction.NoteTokens * (r.To - r.From))
	}
	if p.applies() && p.Plan.Insert == r.From {
		n += int64(p.Plan.Summary)
	}
	return n
}

func (p *PreviewRows) bar(tokens int64) float32 {
	if p.largest <= 0 {
		return 0
	}
	return float32(math.Sqrt(math.Min(1, float64(tokens)/p.largest)))
}

// numbers are the message numbers of entries; a summary has none.
func (p *PreviewRows) numbers(from, to int) string {
	lo, hi := -1, -1
	for i := from; i < to; i++ {
		if h := p.Plan.Line.History(i); h >= 0 {
			if lo < 0 {
				lo = h
			}
			break
		}
	}
	for i := to - 1; i >= from; i-- {
		if h := p.Plan.Line.History(i); h >= 0 {
			hi = h
			break
		}
	}
	if lo < 0 {
		return "§"
	}
	return show.SpanWords(lo+1, hi+1)
}

// row is an entry of the plan as the ledger shows it.
func (p *PreviewRows) row(i int) session.Row {
	l := p.Plan.Line
	it := l.Item(i)
	r := session.Row{Stored: it.Msg, Record: it.Record, Live: true, Tokens: l.Tokens(i), Total: l.Span(0, i+1) + l.Fixed()}
	r.Fate, r.Why = p.Plan.FateAt(i)
	if h := l.History(i); h >= 0 {
		r.Num = h + 1
	}
	if it.Msg >= 0 {
		r.Msg = &p.thread.Messages[it.Msg]
		r.First = r.Msg.Preview
	} else {
		r.First = show.FirstOf(p.d.Session().SummaryText(it.Record))
	}
	return r
}

// Left is a line as it was before.
func (p *PreviewRows) Left(i int) kit.LedgerRow {
	n := p.Lines[i]
	run := p.Plan.Runs[n.Run]
	if n.Fold == kit.FoldNone {
		out := show.RowInWords(p.d, p.row(n.From))
		out.Bar = p.bar(int64(p.Plan.Line.Tokens(n.From)))
		if n.inside {
			out.Indent, out.Faded, out.Fate = 1, true, run.Fate.Letter()
		}
		return out
	}
	total := p.Plan.Line.Span(0, n.To) + p.Plan.Line.Fixed()
	if n.Rest {
		tokens := p.Plan.Line.Span(n.From, n.To)
		return kit.LedgerRow{
			Total: show.TokenCount(p.d, total), Fate: run.Fate.Letter(), Num: p.numbers(n.From, n.To), Indent: 1, Faded: true, Dim: true,
			Who: words.T("preview.more", "count", n.To-n.From), Tokens: show.TokenCount(p.d, tokens), Bar: p.bar(tokens), Fold: n.Fold,
		}
	}
	return kit.LedgerRow{
		Total: show.TokenCount(p.d, total), Fate: run.Fate.Letter(), Num: p.numbers(n.From, n.To),
		Who: words.T("count.messages", "count", n.To-n.From), First: show.ReasonWords(compaction.Reason{Code: run.Why}), Dim: true,
		Tokens: show.TokenCount(p.d, run.Tokens), Bar: p.bar(run.Tokens), Fold: n.Fold,
	}
}

// Right is what comes from a line.
func (p *PreviewRows) Right(i int) kit.LedgerRow {
	n := p.Lines[i]
	switch {
	case p.gone(n.Run):
		return p.replaced(n)
	case !p.applies():
		return p.Left(i)
	}
	out := p.Left(i)
	run := p.Plan.Runs[n.Run]
	tokens := p.Plan.Line.Span(n.From, n.To)
	total := p.after[n.Run] + p.Plan.Line.Span(run.From, n.To)
	if run.Fate == model.Cleared {
		tokens = int64(compaction.NoteTokens * (n.To - n.From))
		total = p.after[n.Run] + int64(compaction.NoteTokens*(n.To-run.From))
		if n.Fold == kit.FoldNone {
			out.First = compaction.ClearedNote(p.Plan.Line.Tokens(n.From))
		}
		out.Dim = true
	}
	out.Tokens, out.Bar, out.Total = show.TokenCount(p.d, tokens), p.bar(tokens), p.total(total)
	return out
}

// total is a number of the context after the plan: an estimate while the text
// is not made.
func (p *PreviewRows) total(n int64) string {
	s := show.TokenCount(p.d, n)
	if p.d.Draft() == nil && !strings.HasPrefix(s, "~") {
		return words.Estimate(n)
	}
	return s
}

// replaced is beside messages that leave the context: the summary beside
// the first of them.
func (p *PreviewRows) replaced(n PreviewLine) kit.LedgerRow {
	run := p.Plan.Runs[n.Run]
	switch {
	case n.first && p.Plan.Insert == run.From:
		sum := int64(p.Plan.Summary)
		return kit.LedgerRow{
			Total: p.total(p.after[n.Run] + sum), Fate: model.Added.Letter(), Num: "§", Who: words.T("role.summary"),
			First: words.T("preview.summaryOf", "range", p.summarised()), Tokens: p.total(sum), Bar: p.bar(sum),
		}
	case n.first && run.Fate == model.Summarised:
		return kit.LedgerRow{First: words.T("preview.above"), Past: true}
	}
	return kit.LedgerRow{}
}

// summarised names the messages that the summary represents.
func (p *PreviewRows) summarised() string {
	var parts []string
	for _, r := range p.Plan.Runs {
		if r.Fate != model.Summarised {
			continue
		}
		n := p.numbers(r.From, r.To)
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

// side shows one side of the lines in a ledger.
type side struct {
	p     *PreviewRows
	right bool
}

// Len is the number of lines.
func (s side) Len() int {
	if s.p == nil {
		return 0
	}
	return len(s.p.Lines)
}

// Row is one line.
func (s side) Row(i int) kit.LedgerRow {
	if s.right {
		return s.p.Right(i)
	}
	return s.p.Left(i)
}
