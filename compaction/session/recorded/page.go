package recorded

import (
	"palimpsest/compaction/facts"
	"palimpsest/model"
	"palimpsest/model/tokens"
)

// Encoding is the vocabulary that texts are compared by.
const Encoding = tokens.O200k

// Column is a text that a cut could have left.
type Column int

// The columns, in the order in which they are shown.
const (
	Theirs   Column = iota // the summary that the file records
	Ledger                 // our ledger, of as many tokens
	Plus500                // theirs, and a ledger of 500 tokens behind it
	Plus1000               // theirs, and a ledger of 1,000 tokens
	Columns                // how many there are
)

var columnNames = [Columns]string{"theirs", "ledger", "plus_500", "plus_1000"}

// String is the name of the column in JSON and tables.
func (c Column) String() string { return columnNames[c] }

// added is how many tokens of ledger a column has behind their summary.
var added = [Columns]int{Plus500: 500, Plus1000: 1000}

// Part is how the agent came to a fact that it used.
type Part uint8

// The parts.
const (
	Held          Part = iota // what the cut left holds it
	BroughtBack               // a tool or a person showed it again before the first use
	FromElsewhere             // nothing that the file shows held it: counted for nobody
)

var partNames = [...]string{"held", "brought_back", "elsewhere"}

// String is the name of the part in JSON.
func (p Part) String() string { return partNames[p] }

// State says what can be measured of a compaction.
type State string

// The states.
const (
	Readable  State = "readable"
	Encrypted State = "encrypted" // the file holds a summary that only its maker can read
	NoText    State = "no-text"   // the file holds no summary of it
	NothingAt State = "nothing"   // nothing went: the file begins there
)

// File is what is measured of a thread.
type File struct {
	Extractor string // that found the facts, with its version
	Encoding  string // that counts the texts
	Pages     []Page // of the compactions in their order; clearings of single results have none
	All       Tally  // of the pages that are [Readable]
}

// Tally is what several pages come to together.
type Tally struct {
	Pages   int // that count
	Of      [Columns]Score
	Parts   [3]int // rows by part
	Kinds   [facts.Kinds][Columns]Score
	Texts   [Columns]int64 // tokens, summed
	Removed int64          // tokens that went, summed
}

// Page is one compaction.
type Page struct {
	Found  int    // index into the thread's found compactions
	ID     string // of its found record: F-0002
	UID    string
	At, To int    // history positions from the cut to the next one or to the end
	Cause  string // "auto", "manual", …; "" not recorded
	Before *int   // tokens that the compaction itself reports; nil: it does not
	After  *int
	State  State

	Removed int64 // tokens of the messages that went, as the session counts them
	Columns [Columns]Text
	Rows    []Row // in the order of their first uses
	Tally   Tally
}

// Text is what a column holds in place of what went.
type Text struct {
	Text   string
	Tokens int // by [Encoding]
	// Added is where in Text the ledger begins that is behind their summary; -1:
	// nothing was added.
	Added int
}

// Row is a fact that had gone and that the agent used.
type Row struct {
	facts.Use
	Part  Part
	Holds [Columns]bool
	Back  *Back // how it was brought back; nil: it was not, or not before its first use
}

// Counts reports whether a row counts in a score.
func (r *Row) Counts() bool { return r.Part != FromElsewhere }

// Back is how a fact came back before its first use.
type Back struct {
	At     int    `json:"message"` // history position of the message that showed it
	Tool   string `json:"tool"`    // that showed it; "" a person said it again, or the file does not name the tool
	Person bool   `json:"person"`  // a person had to say it again
	Tokens int64  `json:"tokens"`  // of that message
	// Calls and Spent are what passed from the cut to that message, it included:
	// calls of tools, tokens of all messages.
	Calls int   `json:"calls_since"`
	Spent int64 `json:"tokens_since"`
}

// Score is one column's result: the rows that count, and those of them that it holds.
type Score struct{ Held, Used int }

// FewRows is how many rows a page needs for its shares to mean something.
const FewRows = 10

// Share is the score, from 0 to 1; ok is false where nothing counts.
func (s Score) Share() (share float64, ok bool) {
	if s.Used == 0 {
		return 0, false
	}
	return float64(s.Held) / float64(s.Used), true
}

// count adds a row of a column.
func (s *Score) count(r *Row, holds bool) {
	if r.Counts() {
		s.Used++
		if holds {
			s.Held++
		}
	}
}

func (s *Score) add(o *Score) { s.Held, s.Used = s.Held+o.Held, s.Used+o.Used }

// Add pools the rows of another tally.
func (t *Tally) Add(o *Tally) {
	t.Pages, t.Removed = t.Pages+o.Pages, t.Removed+o.Removed
	for p, n := range o.Parts {
		t.Parts[p] += n
	}
	for c := range o.Of {
		t.Of[c].add(&o.Of[c])
		t.Texts[c] += o.Texts[c]
		for k := range o.Kinds {
			t.Kinds[k][c].add(&o.Kinds[k][c])
		}
	}
}

// Count counts the rows of a page into its tally, as what they hold says now.
func (p *Page) Count() {
	t := Tally{Pages: 1, Removed: p.Removed}
	for c := range p.Columns {
		t.Texts[c] = int64(p.Columns[c].Tokens)
	}
	for i := range p.Rows {
		r := &p.Rows[i]
		t.Parts[r.Part]++
		for c, holds := range r.Holds {
			t.Of[c].count(r, holds)
			t.Kinds[r.Kind][c].count(r, holds)
		}
	}
	p.Tally = t
}

// cause is what a found compaction says of itself.
func (p *Page) describe(f *model.Found) {
	p.At, p.Cause, p.Before, p.After = f.At, f.Cause, f.Before, f.After
}
