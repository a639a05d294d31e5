package preview

import (
	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/drafts"
	"palimpsest/compaction/summarize/blocks"
	"palimpsest/gui/kit"
	"palimpsest/model"
)

// AfterKind is what a row of the right side shows.
type AfterKind uint8

// The kinds.
const (
	AfterFixed   AfterKind = iota // system prompt and tools
	AfterEntry                    // a message that stays
	AfterRun                      // several of one fate, folded
	AfterSummary                  // the summary as a whole
	AfterBlock                    // the head of a block of it
	AfterLine                     // a line of a block
	AfterMore                     // lines of a block that are not listed
)

// AfterRow is one row of the right side.
type AfterRow struct {
	Kind        AfterKind
	Run         int // of AfterEntry and AfterRun
	From, To    int // entries, or lines of a block
	Block, Line int
	Fold        kit.Fold
}

// After are the rows of the context as it will be, in the order in which it is sent:
//
//	fixed part
//	K 1   user
//	+     summary
//	        ▾ Instructions          block
//	            never edit gen/       line
//	            ▸ 3 more
//	P 61  user
//	K 189–212
type After struct {
	of      *session.Session
	Plan    *compaction.Plan
	reading *drafts.Reading // nil: no text yet
	Rows    []AfterRow
}

// linesListed is how many lines of a block are listed before the rest of them.
const linesListed = 3

// foldKey is a line of a block, or the whole block.
type foldKey struct{ block, line int }

const wholeBlock = -1

// newAfter makes the rows. folds are those of blocks and their lines, runs those of runs.
func newAfter(d *State, pl *compaction.Plan, runs map[int]runFold, folds map[foldKey]runFold, only model.Fate) *After {
	a := &After{of: d.Session(), Plan: pl, reading: d.DraftSet.DraftLines()}
	if only == noFate {
		a.Rows = append(a.Rows, AfterRow{Kind: AfterFixed})
	}
	applies := pl.Outcome == compaction.WouldApply
	for k, r := range pl.Runs.All() {
		if applies && pl.Insert >= r.From && pl.Insert < r.To && (only == noFate || only == model.Added || only == model.Summarised) {
			a.summary(folds)
		}
		if applies && r.Goes() || only != noFate && r.Fate != only {
			continue
		}
		a.run(k, runs[r.From])
	}
	return a
}

// run adds what stays of a run.
func (a *After) run(k int, fold runFold) {
	r := a.Plan.Runs.At(k)
	n := r.To - r.From
	if n > foldAbove {
		sign := kit.FoldClosed
		if fold == foldOpen {
			sign = kit.FoldOpen
		}
		a.Rows = append(a.Rows, AfterRow{Kind: AfterRun, Run: k, From: r.From, To: r.To, Fold: sign})
		if fold != foldOpen {
			return
		}
	}
	for i := r.From; i < r.To; i++ {
		a.Rows = append(a.Rows, AfterRow{Kind: AfterEntry, Run: k, From: i, To: i + 1})
	}
}

// summary adds the summary and its blocks.
func (a *After) summary(folds map[foldKey]runFold) {
	a.Rows = append(a.Rows, AfterRow{Kind: AfterSummary})
	if a.reading == nil {
		return
	}
	for b := range a.reading.Blocks {
		x := &a.reading.Blocks[b]
		if x.Kind == blocks.Frame || len(x.Lines) == 0 && x.Title == "" {
			continue
		}
		fold := kit.FoldOpen
		if folds[foldKey{b, wholeBlock}] == foldShut {
			fold = kit.FoldClosed
		}
		a.Rows = append(a.Rows, AfterRow{Kind: AfterBlock, Block: b, Fold: fold})
		if fold == kit.FoldOpen {
			a.lines(b, folds)
		}
	}
}

// lines adds the lines of a block. What is under a line, as under a turn, is shown when
// that one is unfolded, or all of the block.
func (a *After) lines(b int, folds map[foldKey]runFold) {
	x, all := &a.reading.Blocks[b], folds[foldKey{b, wholeBlock}] == foldOpen
	var heads []int // the lines that are under no other
	for l, from := 0, -1; l < len(x.Lines); l++ {
		if from < 0 || x.Lines[from].Depth > 0 || x.Lines[l].Depth == 0 {
			if from = l; !x.Lines[l].Fixed {
				heads = append(heads, l)
			}
		}
	}
	listed := heads
	if !all && len(heads) > linesListed+1 { // one more takes as much room as the row that counts them
		listed = heads[:linesListed]
	}
	for _, l := range listed {
		row, how := AfterRow{Kind: AfterLine, Block: b, Line: l}, folds[foldKey{b, l}]
		_, to := x.Under(l)
		if to > l+1 {
			if row.Fold = kit.FoldClosed; how == foldOpen || all && how != foldShut {
				row.Fold = kit.FoldOpen
			}
		}
		a.Rows = append(a.Rows, row)
		for k := l + 1; k < to && row.Fold == kit.FoldOpen; k++ {
			if !x.Lines[k].Fixed {
				a.Rows = append(a.Rows, AfterRow{Kind: AfterLine, Block: b, Line: k})
			}
		}
	}
	if hidden := len(heads) - len(listed); hidden > 0 {
		a.Rows = append(a.Rows, AfterRow{Kind: AfterMore, Block: b, From: 0, To: hidden})
	}
}

// find is the row of a line or, where that is folded away, of the line that it is under, or
// of its block; −1: none. A line of −1 is the head of the block.
func (a *After) find(b, l int) int {
	head, under := -1, false
	for i, r := range a.Rows {
		switch {
		case r.Kind == AfterBlock && r.Block == b && l < 0:
			return i
		case r.Kind == AfterLine && r.Block == b && r.Line == l:
			return i
		case r.Kind == AfterLine && r.Block == b && l >= 0 && !under:
			if from, to := a.reading.Blocks[b].Under(r.Line); from < l && l < to {
				head, under = i, true
			}
		case !under && (r.Kind == AfterBlock || r.Kind == AfterMore) && r.Block == b:
			head = i
		}
	}
	return head
}

// Sources are the history positions that a row was made from.
func (a *After) Sources(i int) []int {
	r := a.Rows[i]
	switch {
	case a.reading == nil:
	case r.Kind == AfterBlock || r.Kind == AfterMore:
		return a.reading.Of[r.Block].Sources
	case r.Kind == AfterLine:
		x := &a.reading.Blocks[r.Block]
		from, to := x.Under(r.Line)
		var out []int
		for l := from; l < to; l++ {
			out = append(out, a.reading.Of[r.Block].Lines[l].Sources...)
		}
		return out
	}
	return nil
}

// runRow is the row of a run; −1: it is not shown.
func (a *After) runRow(run int) int {
	for i, r := range a.Rows {
		if (r.Kind == AfterRun || r.Kind == AfterEntry) && r.Run == run {
			return i
		}
	}
	return -1
}

// summaryRow is the row of the summary; −1: there is none.
func (a *After) summaryRow() int {
	for i, r := range a.Rows {
		if r.Kind == AfterSummary {
			return i
		}
	}
	return -1
}
