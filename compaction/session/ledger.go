package session

import (
	"bytes"
	"cmp"
	"slices"
	"sort"
	"sync"

	"palimpsest/compaction"
	"palimpsest/model"
)

// View is which list the ledger shows.
type View uint8

const (
	FullHistory View = iota // every message there ever was, with its fate
	ModelSees               // what a request would hold once the plan is applied
)

// RowKind is what a ledger row shows.
type RowKind uint8

const (
	RowMessage RowKind = iota
	RowSummary         // the summary message the plan would add
	RowFound           // a compaction the file already holds
	RowDamaged         // a line of the file that could not be read
)

// Row is one line of the ledger.
type Row struct {
	Kind   RowKind
	Num    int   // number shown to people, from 1; 0: not in the history
	Stored int32 // index into the thread's messages; -1: none
	Record string
	Live   bool // it has a fate; false: compacted away before
	Fate   model.Fate
	Why    compaction.Reason
	Msg    *model.Message // nil for the rows of summaries of records and found compactions
	First  string         // first words
	Tokens int
	Total  int64 // context usage up to and with this row; -1: not live
	Found  *model.Found
	Note   *model.Note // what is wrong with a damaged line
	Pinned bool
}

// Ledger is the rows of one plan in one view. It is immutable; a row is made
// when it is asked for, so that a hundred thousand cost nothing.
type Ledger struct {
	t        *CountedThread
	plan     *compaction.Plan
	view     View
	position []int32
	inserts  []insert // full history: rows between the history's messages
	entries  []int32  // model's view: entries that stay, -1 for the added summary
	totals   []int64
	texts    map[string]string // first words of the summaries of records
}

// insert is an extra row before a history position.
type insert struct {
	before int
	kind   RowKind
	entry  int // of the line, for messages
	found  int // index into the thread's found compactions, or its damaged lines
}

// Ledger makes the rows of a plan.
func (s *Session) Ledger(pl *compaction.Plan, view View) *Ledger {
	s.mu.Lock()
	position, stack := s.position, s.Records.stack
	if s.line != pl.Line {
		position = entryPositions(pl.Line, len(s.thread.History))
	}
	s.mu.Unlock()
	g := &Ledger{t: s.CountedThread, plan: pl, view: view, position: position, texts: map[string]string{}}
	for _, r := range stack {
		g.texts[r.UID] = firstWords(r.Summary)
	}
	if view == ModelSees {
		g.listAfter()
	} else {
		g.listInserts()
	}
	return g
}

func firstWords(text string) string {
	n := 0
	for i, c := range text {
		if n++; n > model.PreviewRunes {
			return text[:i] + "…"
		}
		if c == '\n' && i > 0 && n > 60 {
			return text[:i]
		}
	}
	return text
}

// listInserts finds what is between the messages of the history: found
// compactions, summaries, messages a found compaction kept copies of, and the
// summary of the plan.
func (g *Ledger) listInserts() {
	l := g.plan.Line
	for i, f := range g.t.found {
		g.inserts = append(g.inserts, insert{before: f.At, kind: RowFound, found: i})
	}
	next := l.At()
	for i := l.Len() - 1; i >= 0; i-- {
		h := l.History(i)
		if h >= 0 {
			next = h
		}
		if i == g.plan.Insert { // in front of its entry
			g.inserts = append(g.inserts, insert{before: next, kind: RowSummary, entry: i})
		}
		if h < 0 {
			g.inserts = append(g.inserts, insert{before: next, kind: RowMessage, entry: i})
		}
	}
	for i, d := range g.t.damage.lines(g.t) {
		g.inserts = append(g.inserts, insert{before: d.before, kind: RowDamaged, found: i})
	}
	slices.SortStableFunc(g.inserts, func(a, b insert) int {
		return cmp.Or(cmp.Compare(a.before, b.before), cmp.Compare(rank(a), rank(b)), cmp.Compare(a.entry, b.entry))
	})
}

// damagedLine is a line that could not be read, and the message of the history that it
// is before.
type damagedLine struct {
	model.Note
	before int
}

// damage is the lines of a file that could not be read and are listed, in its order. Its
// first conversation has them: such a line does not say whose it is.
type damage struct {
	once sync.Once
	list []damagedLine
}

func (x *damage) lines(t *CountedThread) []damagedLine {
	x.once.Do(func() {
		d := t.file.Doc
		if t.thread != d.Conversations[0].Main() {
			return
		}
		bad := d.Damaged()
		slices.SortFunc(bad, func(a, b model.Note) int { return cmp.Compare(a.Off, b.Off) })
		h := 0
		for _, n := range bad {
			for ; h < len(t.thread.History); h++ {
				if p := t.thread.Messages[t.thread.History[h]].Pieces; len(p) > 0 && p[0].Off > n.Off {
					break
				}
			}
			x.list = append(x.list, damagedLine{n, h})
		}
	})
	return x.list
}

// DamagedBytes returns the bytes of a damaged line of a file, at most limit; more is how
// many bytes are left out.
func DamagedBytes(f *File, n *model.Note, limit int64) (raw []byte, more int64, err error) {
	d := f.Doc
	raw, err = d.Bytes(model.Span{Off: n.Off, Len: min(limit, d.Size-n.Off)})
	if end := bytes.IndexByte(raw, '\n'); end >= 0 {
		return raw[:end], 0, err
	}
	return raw, max(0, d.Size-n.Off-limit), err
}

// rank puts a found compaction before what it left.
func rank(i insert) int {
	if i.kind == RowFound {
		return 0
	}
	return 1
}

func (g *Ledger) listAfter() {
	l := g.plan.Line
	sum := l.Fixed()
	add := func(entry int32, tokens int64) {
		sum += tokens
		g.entries = append(g.entries, entry)
		g.totals = append(g.totals, sum)
	}
	apply := g.plan.Outcome == compaction.WouldApply
	for _, r := range g.plan.Runs.All() {
		for i := r.From; i < r.To; i++ {
			if apply && i == g.plan.Insert {
				add(-1, int64(g.plan.Summary))
			}
			gone := r.Fate == model.Summarised || r.Fate == model.Dropped
			switch {
			case apply && gone:
			case apply && r.Fate == model.Cleared:
				add(int32(i), compaction.NoteTokens)
			default:
				add(int32(i), int64(l.Tokens(i)))
			}
		}
	}
}

// Len is the number of rows.
func (g *Ledger) Len() int {
	if g.view == ModelSees {
		return len(g.entries)
	}
	return len(g.t.thread.History) + len(g.inserts)
}

// Row makes row i.
func (g *Ledger) Row(i int) Row {
	if g.view == ModelSees {
		return g.afterRow(i)
	}
	// inserts[k] is at row inserts[k].before + k
	k := sort.Search(len(g.inserts), func(k int) bool { return g.inserts[k].before+k >= i })
	if k < len(g.inserts) && g.inserts[k].before+k == i {
		return g.insertRow(g.inserts[k])
	}
	return g.historyRow(i - k)
}

// RowOf is the row of a history message in this view, -1 if it has none.
func (g *Ledger) RowOf(history int) int {
	if g.view == ModelSees {
		e := g.position[history]
		for i, x := range g.entries {
			if e >= 0 && x == e {
				return i
			}
		}
		return -1
	}
	k := sort.Search(len(g.inserts), func(k int) bool { return g.inserts[k].before > history })
	return history + k
}

// Plans reports whether the plan decides on a history message: it is in the context at
// the plan's place.
func (g *Ledger) Plans(history int) bool {
	return g.position[history] >= 0 && history < g.plan.Line.At()
}

func (g *Ledger) historyRow(h int) Row {
	if g.Plans(h) {
		return g.entryRow(int(g.position[h]))
	}
	stored := g.t.thread.History[h]
	m := &g.t.thread.Messages[stored]
	return Row{Num: h + 1, Stored: stored, Msg: m, First: m.Preview, Tokens: g.t.Tokens(stored), Total: -1,
		Pinned: pinned(g.plan.Policy.Pins, h)}
}

func (g *Ledger) entryRow(e int) Row {
	l := g.plan.Line
	it := l.Item(e)
	r := Row{Stored: it.Msg, Record: it.Record, Live: true, Tokens: l.Tokens(e), Total: l.Span(0, e+1) + l.Fixed()}
	r.Fate, r.Why = g.plan.FateAt(e)
	if h := l.History(e); h >= 0 {
		r.Num, r.Pinned = h+1, pinned(g.plan.Policy.Pins, h)
	}
	if it.Msg >= 0 {
		r.Msg = &g.t.thread.Messages[it.Msg]
		r.First = r.Msg.Preview
	} else {
		r.First = g.texts[it.Record]
	}
	return r
}

func (g *Ledger) insertRow(in insert) Row {
	switch in.kind {
	case RowFound:
		f := &g.t.found[in.found]
		return Row{Kind: RowFound, Stored: int32(f.Summary), Found: f, Total: -1}
	case RowSummary:
		return g.summaryRow()
	case RowDamaged:
		n := &g.t.damage.lines(g.t)[in.found].Note
		return Row{Kind: RowDamaged, Stored: -1, Note: n, First: n.Reason, Total: -1}
	}
	return g.entryRow(in.entry)
}

func (g *Ledger) summaryRow() Row {
	return Row{Kind: RowSummary, Stored: -1, Live: true, Fate: model.Added, Why: compaction.Reason{Code: "range"},
		Tokens: g.plan.Summary, Total: -1}
}

func (g *Ledger) afterRow(i int) Row {
	if g.entries[i] < 0 {
		r := g.summaryRow()
		r.Total = g.totals[i]
		return r
	}
	r := g.entryRow(int(g.entries[i]))
	r.Total = g.totals[i]
	return r
}
