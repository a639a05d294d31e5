package cli

import (
	"fmt"
	"io"
	"strings"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/model"
	"palimpsest/model/store"
)

type recordsCmd struct {
	List recordsListCmd `cmd:"" default:"withargs" help:"List the records, newest first (the default)."`
	Show recordsShowCmd `cmd:"" help:"Show one record."`

	Export recordsExportCmd `cmd:"" help:"Write records to a file: JSON with the originals, CSV or Markdown."`
	Import recordsImportCmd `cmd:"" help:"Read records from a JSON export."`
	Delete recordsDeleteCmd `cmd:"" help:"Delete records, and of their originals what no other record uses."`
	Check  recordsCheckCmd  `cmd:"" help:"Examine the database and everything in it."`
	Repair recordsRepairCmd `cmd:"" help:"Save what can be read of a damaged database into a new one."`
}

type recordsListCmd struct {
	Limit  int    `default:"50" placeholder:"N" help:"At most so many; 0 is all."`
	Search string `placeholder:"TEXT" help:"${search}"`
	JSON   bool   `name:"json" help:"Print JSON (docs/json.md)."`
}

// recordInfo is one entry of the JSON of records list.
type recordInfo struct {
	ID           string         `json:"id"`
	UID          string         `json:"uid"`
	Time         time.Time      `json:"time"`
	Session      string         `json:"session"`
	Path         string         `json:"path"`
	Format       model.Format   `json:"format"`
	SHA256       string         `json:"sha256"`
	Bytes        int64          `json:"bytes"`
	Conversation int            `json:"conversation"`
	Thread       int            `json:"thread"`
	Agent        string         `json:"agent"`
	Cause        model.Cause    `json:"cause"`
	Outcome      model.Outcome  `json:"outcome"`
	State        model.State    `json:"state"`
	Reason       string         `json:"reason"`
	Before       model.Size     `json:"before"`
	After        model.Size     `json:"after"`
	Compactable  int64          `json:"compactable"`
	Counted      string         `json:"counted"`
	Preset       string         `json:"preset"`
	Strategy     model.Strategy `json:"strategy"`
	At           int            `json:"at"`
	Range        model.Range    `json:"range"`
	Covered      int            `json:"covered"`
	Messages     int            `json:"messages"`
	Formers      int            `json:"former_summaries"`
	Changed      *int           `json:"changed"`
	Edited       bool           `json:"edited"`
	Off          bool           `json:"off"`
	Base         *string        `json:"base"`
	Output       *string        `json:"output"`
	OutputSHA256 *string        `json:"output_sha256"`
	DurationMS   int64          `json:"duration_ms"`
}

func newRecordInfo(r *model.Record) recordInfo {
	return recordInfo{ID: r.ID, UID: r.UID, Time: r.Time, Session: r.Session, Path: r.Path, Format: r.Format,
		SHA256: r.SourceSHA, Bytes: r.SourceSize, Conversation: r.Conversation, Thread: r.Thread, Agent: r.Agent,
		Cause: r.Cause, Outcome: r.Outcome, State: r.State(false), Reason: r.Reason,
		Before: r.Before, After: r.After, Compactable: r.Compactable, Counted: r.Counted,
		Preset: r.Policy.Preset, Strategy: r.Strategy, At: r.At, Range: r.Range, Covered: r.Covered,
		Messages: r.Messages(), Formers: r.Formers, Changed: r.Changed, Edited: r.Edited,
		Off: r.Off, Base: optional(r.Base), Output: optional(r.Output), OutputSHA256: optional(r.OutputSHA),
		DurationMS: r.Duration.Milliseconds()}
}

// optional is null in JSON for what is not there.
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

func (c *recordsListCmd) Run(a *app) error {
	if c.Limit < 0 {
		return usage("--limit can't be below 0.")
	}
	list, err := a.listRecords(c)
	if err != nil {
		return err
	}
	if c.JSON {
		return a.printJSON(values(list, newRecordInfo))
	}
	return printRows(a.out, "There are no records.", "record\ttime\tsession\tmessages\ttokens\t\tstate", 2,
		values(list, func(r *model.Record) string { return recordRow(r, narrow(a.out, 100)) }))
}

// listRecords reads the records.
func (a *app) listRecords(c *recordsListCmd) ([]model.Record, error) {
	st, err := forList(a)
	if st == nil || err != nil {
		return nil, err
	}
	defer st.Close()
	limit := c.Limit
	if limit == 0 {
		limit = -1
	}
	return st.Records(a.ctx, store.Filter{Limit: limit, Text: c.Search})
}

// narrow reports whether the output is a terminal of fewer columns.
func narrow(w io.Writer, columns int) bool {
	t, ok := w.(*terminal)
	return ok && t.width > 0 && t.width < columns
}

// recordRow is the line of a record. narrow: without the year.
func recordRow(r *model.Record, narrow bool) string {
	size, freed := figures.OfRecord(r), ""
	if size.Saved.Known() {
		freed = change(r.Before.Tokens, r.After.Tokens)
	}
	at := when(r.Time)
	if narrow {
		_, at, _ = strings.Cut(at, "-")
	}
	state := string(r.State(false))
	if r.Reason != "" {
		state += ": " + r.Reason
	}
	return fmt.Sprintf("%s\t%s\t%s\t%s → %s\t%s → %s\t%s\t%s", r.ID, at, clean(r.Session, 36),
		thousands(r.Before.Messages), thousands(r.After.Messages), size.Before.Full(), size.After.Full(),
		freed, clean(state, 60))
}

type recordsShowCmd struct {
	ID      string `arg:"" name:"ID" help:"The record: R-0007, 7, or its UID."`
	Summary bool   `help:"Print the whole summary."`
	Sent    bool   `help:"Print the texts that a model was sent, where compact --show-sent kept them."`
	JSON    bool   `name:"json" help:"Print JSON (docs/json.md)."`
}

// recordDetail is the JSON of records show.
type recordDetail struct {
	recordInfo
	RangeSHA256 string            `json:"range_sha256"`
	Runs        []model.RecordRun `json:"runs"`
	Summary     string            `json:"summary"`
	KeyPoints   []string          `json:"key_points"`
	Parents     []string          `json:"parents"`
	Verb        bool              `json:"verb"`
	Policy      model.Policy      `json:"policy"`
	Asked       *model.Asked      `json:"asked"`

	Facts   []model.FactTally `json:"facts"` // null: the facts were not indexed
	FactsBy *string           `json:"facts_by"`

	CoversInAll *model.Range `json:"covers_in_all"` // null: it is from and to
}

func (c *recordsShowCmd) Run(a *app) error {
	st, r, err := a.stored(a.existing, c.ID)
	if err != nil {
		return err
	}
	defer st.Close()
	nested, err := session.LoadNested(a.ctx, st, r)
	if err != nil {
		return err
	}
	if c.JSON {
		var all *model.Range
		if span, differs := nested.Beyond(); differs {
			all = &span
		}
		return a.printJSON(recordDetail{newRecordInfo(r), r.RangeSHA, listed(r.Runs), r.Summary, listed(r.KeyPoints), listed(r.Parents),
			r.Verb, r.Policy, r.Asked, r.Facts, optional(r.FactsBy), all})
	}
	c.print(a, r, nested)
	return nil
}

func (c *recordsShowCmd) print(a *app, r *model.Record, nested *session.Nested) {
	size := figures.OfRecord(r)
	fmt.Fprintf(a.out, "%s  %s  %s\n", r.ID, when(r.Time), clean(r.Session, 80))
	rows := []string{
		"file\t" + r.Path + "\t" + string(r.Format) + ", " + thousands(r.SourceSize) + " bytes",
		"SHA-256\t" + r.SourceSHA,
		"state\t" + string(r.State(false)) + "\t" + r.Reason,
		"cause\t" + string(r.Cause),
		"policy\t" + policyText(r.Policy),
		"preset\t" + presetOf(r),
		fmt.Sprintf("before\t%s, %s", plural(r.Before.Messages, "message"), inTokens(size.Before.Full(), r.Before.Tokens)),
	}
	if r.Outcome == model.Applied {
		rows = append(rows, row("after", plural(r.After.Messages, "message")+", "+inTokens(size.After.Full(), r.After.Tokens),
			change(r.Before.Tokens, r.After.Tokens)))
	}
	if r.Covered > 0 {
		rows = append(rows, fmt.Sprintf("what went\t%s, %d–%d\tSHA-256 %s", went(r), r.Range.From+1, r.Range.To, r.RangeSHA))
	}
	if span, differs := nested.Beyond(); differs {
		rows = append(rows, fmt.Sprintf("covers in all\t%d–%d of the history", span.From+1, span.To))
	}
	rows = append(rows, "tokens\t"+r.Counted)
	for _, l := range [][2]string{{"agent", r.Agent}, {"base", r.Base}, {"parents", strings.Join(r.Parents, ", ")}, {"output", r.Output}} {
		if l[1] != "" {
			rows = append(rows, l[0]+"\t"+l[1])
		}
	}
	table(a.out, rows...)
	a.printSummary("Summary", r.Summary, c.Summary)
	if c.Sent && r.Asked != nil {
		a.printSent("Sent", r.Asked.Sent)
	}
}

// went is what a record took: messages, and former summaries apart from them.
func went(r *model.Record) string {
	n := plural(r.Messages(), "message")
	if r.Formers > 0 {
		n += " and " + plural(r.Formers, "former summary")
	}
	return n
}

// presetOf is the preset of a record, and how much of it was changed.
func presetOf(r *model.Record) string {
	if r.Changed == nil || *r.Changed == 0 {
		return r.Policy.Preset
	}
	return fmt.Sprintf("%s · %d changed", r.Policy.Preset, *r.Changed)
}
