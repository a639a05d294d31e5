package cli

import (
	"context"
	"fmt"
	"os"
	"strings"

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

// recorded prints what the compactions that a file holds kept.
func (c *replayCmd) recorded(a *app) error {
	if c.CSV || c.Why || c.Recall {
		return usage("--recorded goes with --json, --conversation and --agent; it replays nothing.")
	}
	if len(c.Files) == 1 {
		if st, err := os.Stat(c.Files[0]); err == nil && st.IsDir() {
			return c.recordedStudy(a, c.Files[0])
		}
	}
	return a.each(c.Files, &c.filesFlags, c.recordedFile)
}

// recordedFile prints what the compactions of a file kept.
func (c *replayCmd) recordedFile(a *app, file string) error {
	f, err := a.open(file, &c.readFlags, nil)
	if err != nil {
		return err
	}
	defer f.Close()
	ref, err := c.one(f)
	if err != nil {
		return err
	}
	s, err := f.Session(a.ctx, ref, nil)
	if err != nil {
		return err
	}
	m, err := recorded.Measure(a.ctx, s)
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(recordedValue(file, s, m))
	}
	printRecorded(a, file, m)
	return nil
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
	if m.All.Pages > 0 {
		rows := []string{"all that can be read\tused again\t" + columnHeads}
		rows = append(rows, row("held ÷ (held + brought back)", thousands(m.All.Of[0].Used), sharesText(&m.All.Of)))
		for k := range m.All.Kinds {
			if of := &m.All.Kinds[k]; of[0].Used > 0 {
				rows = append(rows, row("  "+facts.Kind(k).String(), thousands(of[0].Used), sharesText(of)))
			}
		}
		rows = append(rows, row("tokens of the text", "", tokensText(&m.All)))
		table(a.out, rows...)
	}
	printForgotten(a, m)
	fmt.Fprintln(a.out, recordedCaption)
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

// recordedStudy prints what the compactions of all files of a folder come to.
func (c *replayCmd) recordedStudy(a *app, folder string) error {
	var st recorded.Study // of the twins in two files one counts
	open := func(_ context.Context, path string) (*session.File, error) { return a.open(path, &c.readFlags, nil) }
	unread, err := recorded.Walk(a.ctx, folder, open, nil, func(of recorded.Of, _ *session.Session, f *recorded.File) error {
		st.Add(of, f)
		return nil
	})
	if err != nil {
		return err
	}
	r := st.Result(c.Seed)
	if c.JSON {
		return a.printJSON(recordedStudyValue(folder, unread, c.Seed, &r))
	}
	fmt.Fprintln(a.out, r.Markdown())
	fmt.Fprintln(a.out, recordedCaption)
	return nil
}

// recordedStudyInfo is the JSON of replay --recorded on a folder.
type recordedStudyInfo struct {
	Folder      string                 `json:"folder"`
	Unread      int                    `json:"unread_files"`
	Seed        uint64                 `json:"seed"`
	Caption     string                 `json:"caption"`
	Compactions int                    `json:"compactions"`
	Sessions    int                    `json:"sessions"`
	Tools       int                    `json:"tools"`
	Projects    int                    `json:"projects"`
	States      map[recorded.State]int `json:"states"`
	recordedTally
	Means  []studyColumn `json:"means"`
	Groups []studyGroup  `json:"groups"`
}

// studyColumn is a column's mean.
type studyColumn struct {
	Column string `json:"column"`
	recorded.Spread
}

// studyGroup is a tool or a project.
type studyGroup struct {
	Tool        string        `json:"tool,omitempty"`
	Project     string        `json:"project,omitempty"`
	Compactions int           `json:"compactions"`
	Sessions    int           `json:"sessions"`
	Means       []studyColumn `json:"means"`
}

func recordedStudyValue(folder string, unread int, seed uint64, r *recorded.Result) *recordedStudyInfo {
	return &recordedStudyInfo{Folder: folder, Unread: unread, Seed: seed, Caption: recordedCaption, Compactions: r.Compactions,
		Sessions: r.Sessions, Tools: r.Tools, Projects: r.Projects, States: r.States, recordedTally: tallyValue(&r.All),
		Means: studyValues(&r.Columns),
		Groups: values(r.By, func(g *recorded.Group) studyGroup {
			return studyGroup{g.Tool, g.Project, g.Compactions, g.Sessions, studyValues(&g.Columns)}
		})}
}

func studyValues(of *[recorded.Columns]recorded.Spread) (out []studyColumn) {
	for c, s := range of {
		out = append(out, studyColumn{recorded.Column(c).String(), s})
	}
	return out
}
