package cli

import (
	"fmt"
	"os"
	"strings"
	"sync"

	"palimpsest/compaction/facts"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/recorded"
	"palimpsest/model/figure"
)

// recordedFile is the JSON of replay --recorded on a file.
type recordedFile struct {
	File         string         `json:"file"`
	Conversation int            `json:"conversation"`
	Thread       int            `json:"thread"`
	Agent        string         `json:"agent"`
	Extractor    string         `json:"extractor"`
	Encoding     string         `json:"encoding"`
	Caption      string         `json:"caption"`
	Compactions  []recordedPage `json:"compactions"`
	All          recordedTally  `json:"all"`
}

// recordedPage is one compaction.
type recordedPage struct {
	ID      string         `json:"id"`
	Message int            `json:"message"`
	To      int            `json:"to"`
	Cause   string         `json:"cause"`
	Before  *int           `json:"before_tokens"`
	After   *int           `json:"after_tokens"`
	State   string         `json:"state"`
	Removed int64          `json:"removed_tokens"`
	Texts   []recordedText `json:"texts"`
	recordedTally
	Facts []recordedFact `json:"facts"`
}

// recordedText is what a column holds.
type recordedText struct {
	Column string `json:"column"`
	Tokens int    `json:"tokens"`
	Text   string `json:"text"`
	Added  *int   `json:"added"` // byte where the ledger begins; null: none was added
}

// recordedTally is what rows come to.
type recordedTally struct {
	Held        int              `json:"held"`
	BroughtBack int              `json:"brought_back"`
	Elsewhere   int              `json:"elsewhere"`
	Scores      []recordedScore  `json:"scores"`
	Kinds       []recordedOfKind `json:"kinds"`
}

// recordedOfKind is the scores of the facts of one kind.
type recordedOfKind struct {
	Kind   string          `json:"kind"`
	Scores []recordedScore `json:"scores"`
}

// recordedScore is a column's result; shares are null where nothing counts.
type recordedScore struct {
	Column string   `json:"column"`
	Held   int      `json:"held"`
	Used   int      `json:"used"`
	Share  *float64 `json:"share"`
}

// recordedFact is a fact that had gone and was used.
type recordedFact struct {
	Kind  string          `json:"kind"`
	Text  string          `json:"text"`
	Part  string          `json:"part"`
	Last  int             `json:"last"`
	Uses  []int           `json:"uses"`
	Holds map[string]bool `json:"stands"`
	Back  *recorded.Back  `json:"brought_back"`
}

// recordedCaption says what is measured and what is not.
const recordedCaption = "Literal strings only: what a summary says in its own words is not measured. The agent went on with their " +
	"summary, so the gap is a lower bound. System prompt and CLAUDE.md count for nobody."

// recorded prints what the compactions that files hold kept. Of several files each has a line,
// and all of them together the table that a single file has.
func (c *replayCmd) recorded(a *app) error {
	if c.CSV || c.Why || c.Recall {
		return usage("--recorded goes with --json, --conversation and --agent; it replays nothing.")
	}
	for _, file := range c.Files {
		st, err := os.Stat(file)
		c.Recursive = c.Recursive || err == nil && st.IsDir()
	}
	a.overview = c.overviewOf(c.JSON, "recorded", "used again", columnHeads)
	var all recorded.Tally
	var adding sync.Mutex
	err := a.each(c.Files, &c.filesFlags, func(a *app, file string) error {
		m, err := c.recordedFile(a, file)
		adding.Lock()
		defer adding.Unlock()
		all.Add(&m)
		return err
	})
	if a.lines && !c.JSON {
		printPooled(a, &all)
		fmt.Fprintln(a.out, recordedCaption)
	}
	return err
}

// recordedFile prints what the compactions of a file kept, and returns what those that can be
// read come to. Of one of several files all threads are measured that hold any.
func (c *replayCmd) recordedFile(a *app, file string) (all recorded.Tally, err error) {
	f, err := a.open(file, &c.readFlags, nil)
	if err != nil {
		return all, err
	}
	defer f.Close()
	threads := f.Choices()
	if !a.lines {
		ref, err := c.one(f)
		if err != nil {
			return all, err
		}
		threads = []session.Choice{{Ref: ref}}
	}
	for _, thread := range threads {
		s, err := f.Session(a.ctx, thread.Ref, nil)
		if err != nil {
			return all, err
		}
		m, err := recorded.Measure(a.ctx, s)
		if err != nil {
			return all, err
		}
		all.Add(&m.All)
		switch {
		case len(m.Pages) == 0 && a.lines:
		case c.JSON:
			err = a.printJSON(recordedValue(file, s, m))
		case a.overview.takes(a.lines):
			a.overview.add(file, 0, thousands(len(m.Pages)), thousands(m.All.Of[0].Used), sharesText(&m.All.Of))
		default:
			printRecorded(a, file, m)
		}
		if err != nil {
			return all, err
		}
	}
	return all, nil
}

func recordedValue(file string, s *session.Session, m *recorded.File) *recordedFile {
	v := &recordedFile{File: file, Conversation: s.Ref().Conversation, Thread: s.Ref().Thread, Agent: s.Thread().AgentID,
		Extractor: m.Extractor, Encoding: m.Encoding, Caption: recordedCaption, Compactions: []recordedPage{}, All: tallyValue(&m.All)}
	for i := range m.Pages {
		p := &m.Pages[i]
		q := recordedPage{ID: p.ID, Message: p.At, To: p.To, Cause: p.Cause, Before: p.Before, After: p.After, State: string(p.State),
			Removed: p.Removed, Texts: []recordedText{}, recordedTally: tallyValue(&p.Tally), Facts: []recordedFact{}}
		for col, t := range p.Columns {
			text := recordedText{Column: recorded.Column(col).String(), Tokens: t.Tokens, Text: t.Text}
			if t.Added >= 0 {
				text.Added = &t.Added
			}
			q.Texts = append(q.Texts, text)
		}
		for k := range p.Rows {
			r := &p.Rows[k]
			row := recordedFact{Kind: r.Kind.String(), Text: r.Fact.Text, Part: r.Part.String(), Last: r.Last,
				Uses: r.Uses, Holds: map[string]bool{}, Back: r.Back}
			for col, holds := range r.Holds {
				row.Holds[recorded.Column(col).String()] = holds
			}
			q.Facts = append(q.Facts, row)
		}
		v.Compactions = append(v.Compactions, q)
	}
	return v
}

func tallyValue(t *recorded.Tally) recordedTally {
	v := recordedTally{Held: t.Parts[recorded.Held], BroughtBack: t.Parts[recorded.BroughtBack],
		Elsewhere: t.Parts[recorded.FromElsewhere], Scores: scoreValues(&t.Of), Kinds: []recordedOfKind{}}
	for k := range t.Kinds {
		if of := &t.Kinds[k]; of[0].Used > 0 {
			v.Kinds = append(v.Kinds, recordedOfKind{facts.Kind(k).String(), scoreValues(of)})
		}
	}
	return v
}

func scoreValues(of *[recorded.Columns]recorded.Score) []recordedScore {
	out := make([]recordedScore, len(of))
	for c, s := range of {
		out[c] = recordedScore{Column: recorded.Column(c).String(), Held: s.Held, Used: s.Used}
		if share, ok := s.Share(); ok {
			out[c].Share = &share
		}
	}
	return out
}

// columnHeads are the columns as tables name them.
const columnHeads = "their summary\tour ledger, as long\ttheirs + 500\ttheirs + 1,000"

func printRecorded(a *app, file string, m *recorded.File) {
	fmt.Fprintln(a.out, file)
	if len(m.Pages) == 0 {
		fmt.Fprintln(a.out, "The file records no compaction.")
		return
	}
	rows := []string{"compaction\tused again\theld, brought back, elsewhere\t" + columnHeads}
	for i := range m.Pages {
		p := &m.Pages[i]
		rows = append(rows, row(fmt.Sprintf("%s before message %s", p.ID, thousands(p.At+1)), thousands(len(p.Rows)), partsText(&p.Tally),
			scoreText(p)))
	}
	table(a.out, rows...)
	printPooled(a, &m.All)
	printForgotten(a, m)
	fmt.Fprintln(a.out, recordedCaption)
}

// printPooled prints what the compactions that can be read come to together.
func printPooled(a *app, all *recorded.Tally) {
	if all.Pages == 0 {
		return
	}
	rows := []string{"all that can be read\tused again\t" + columnHeads,
		row("held ÷ (held + brought back)", thousands(all.Of[0].Used), sharesText(&all.Of))}
	for k := range all.Kinds {
		if of := &all.Kinds[k]; of[0].Used > 0 {
			rows = append(rows, row("  "+facts.Kind(k).String(), thousands(of[0].Used), sharesText(of)))
		}
	}
	table(a.out, append(rows, row("tokens of the text", "", tokensText(all)))...)
}

func partsText(t *recorded.Tally) string {
	return fmt.Sprintf("%s, %s, %s", thousands(t.Parts[recorded.Held]), thousands(t.Parts[recorded.BroughtBack]),
		thousands(t.Parts[recorded.FromElsewhere]))
}

func scoreText(p *recorded.Page) string {
	switch p.State {
	case recorded.Encrypted:
		return "encrypted: nobody can judge it"
	case recorded.NoText:
		return "the file holds no text of it"
	case recorded.NothingAt:
		return "the file begins with it"
	}
	if len(p.Rows) == 0 {
		return "nothing from before was written again"
	}
	return sharesText(&p.Tally.Of)
}

func sharesText(of *[recorded.Columns]recorded.Score) string {
	out := make([]string, len(of))
	for c, s := range of {
		if share, ok := s.Share(); ok {
			out[c] = figure.Percent(share)
		} else {
			out[c] = "–"
		}
	}
	return strings.Join(out, "\t")
}

func tokensText(t *recorded.Tally) string {
	out := make([]string, len(t.Texts))
	for c, n := range t.Texts {
		out[c] = thousands(n)
	}
	return strings.Join(out, "\t")
}

// printForgotten lists what their summaries did not hold and what came back.
func printForgotten(a *app, m *recorded.File) {
	rows, more := []string{"not in their summary\tused at\tback by\tour ledger, as long"}, 0
	for i := range m.Pages {
		for k := range m.Pages[i].Rows {
			r := &m.Pages[i].Rows[k]
			if m.Pages[i].State != recorded.Readable || r.Part != recorded.BroughtBack {
				continue
			}
			if len(rows) > mostMisses {
				more++
				continue
			}
			ours := "no"
			if r.Holds[recorded.Ledger] {
				ours = "holds it"
			}
			rows = append(rows, row(r.Kind.String()+": "+clean(r.Fact.Text, 60), "message "+thousands(r.Uses[0]+1), backText(r.Back), ours))
		}
	}
	if more > 0 {
		rows = append(rows, fmt.Sprintf("… and %d more (--json lists all)", more))
	}
	if len(rows) > 1 {
		table(a.out, rows...)
	}
}

func backText(b *recorded.Back) string {
	by := b.Tool
	switch {
	case b.Person:
		by = "a person said it again"
	case by == "":
		by = "a tool"
	}
	return fmt.Sprintf("%s, ~%s tokens, %s after the cut", clean(by, 30), thousands(b.Tokens), plural(b.Calls, "call"))
}
