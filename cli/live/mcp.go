package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"palimpsest/compaction"
	"palimpsest/compaction/auto"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
)

// Bounds of an answer: it goes into an agent's context.
const (
	mostHits  = 20
	mostQuery = 2000
	pageRunes = 8000
	around    = 160 // runes on each side of a hit
	usualFact = 1000
)

// ServeMCP answers a Model Context Protocol client over a pair of streams until
// the client goes or the context ends.
func ServeMCP(ctx context.Context, w World, in io.ReadCloser, out io.WriteCloser) error {
	return NewServer(w).Run(ctx, &mcp.IOTransport{Reader: in, Writer: out})
}

// NewServer returns the server with its tools.
func NewServer(w World) *mcp.Server {
	s := mcp.NewServer(&mcp.Implementation{Name: "palimpsest", Title: "Palimpsest", Version: w.Version}, &mcp.ServerOptions{
		Instructions: "Older parts of this conversation may have been replaced by a summary. recall searches what was taken away, " +
			"original reads a message of it in full.",
	})
	reads := &mcp.ToolAnnotations{ReadOnlyHint: true, OpenWorldHint: new(false)}
	mcp.AddTool(s, &mcp.Tool{Name: "recall", Annotations: reads,
		Description: "Search the messages that compactions took out of the context. Gives the places with the words around them; " +
			"read one in full with original."}, call(w, w.recall))
	mcp.AddTool(s, &mcp.Tool{Name: "original", Annotations: reads,
		Description: "Read one message that a compaction took away, word for word, in pages of 8,000 characters."},
		call(w, w.original))
	mcp.AddTool(s, &mcp.Tool{Name: "facts", Annotations: reads,
		Description: "List the literal facts (paths, commands, names, numbers, errors, instructions) of what a session held before its " +
			"last compaction, the likeliest to be needed first."}, call(w, w.facts))
	mcp.AddTool(s, &mcp.Tool{Name: "preview", Annotations: reads,
		Description: "What a compaction of a transcript would keep and take, and how large it would be. Changes nothing."},
		call(w, w.preview))
	mcp.AddTool(s, &mcp.Tool{Name: auto.ToolName, Annotations: reads,
		Description: "Make the summary that would replace the older part of a transcript, without a model. The file is not changed: " +
			"put the summary in the place of the messages that are named."}, call(w, w.compress))
	return s
}

// call makes a tool's handler of a function. Its error reaches the agent as the tool's
// result, and passes what hides secrets, as all results do.
func call[In, Out any](w World, f func(context.Context, In) (Out, error)) mcp.ToolHandlerFor[In, Out] {
	return func(ctx context.Context, _ *mcp.CallToolRequest, in In) (_ *mcp.CallToolResult, out Out, err error) {
		defer func() {
			if p := recover(); p != nil { // the library would let it end the server
				err = fmt.Errorf("a fault of the program: a panic with a value of type %T", p)
			}
		}()
		if out, err = f(ctx, in); err != nil {
			said, failed := w.Hide.Text(err.Error())
			err = cmp.Or(failed, errors.New(said))
		}
		return nil, out, err
	}
}

type recallIn struct {
	Query  string `json:"query" jsonschema:"words that all occur in the message, or an exact string of it"`
	Record string `json:"record,omitempty" jsonschema:"only what this record took, as R-0007"`
	File   string `json:"file,omitempty" jsonschema:"a transcript: search what its own compactions took, not the records"`
}

type recallOut struct {
	Hits []hit `json:"hits"`
	More int   `json:"more" jsonschema:"messages with the words that are not listed"`
}

type hit struct {
	Record  string `json:"record,omitempty"`
	Session string `json:"session"`
	Project string `json:"project,omitempty" jsonschema:"the folder it happened in"`
	Message int    `json:"message" jsonschema:"its number in the history, from 1"`
	Role    string `json:"role"`
	Words   string `json:"words" jsonschema:"the text around the first place"`
}

func (w World) recall(ctx context.Context, in recallIn) (out recallOut, err error) {
	out.Hits = []hit{}
	query := strings.TrimSpace(in.Query)
	if query == "" || len(query) > mostQuery {
		return out, &model.Problem{Code: "no-query", What: "There is nothing to search for.",
			Next: fmt.Sprintf("Give words in query, at most %d bytes of them.", mostQuery)}
	}
	err = w.each(ctx, in.Record, in.File, query, func(g *gone) error {
		for k := len(g.ranges) - 1; k >= 0; k-- {
			for i := g.ranges[k].To - 1; i >= g.ranges[k].From; i-- { // the newest first
				if err := ctx.Err(); err != nil {
					return err
				}
				text, err := g.text(i)
				if err != nil {
					return err
				}
				at := place(text, query)
				switch {
				case at < 0:
				case len(out.Hits) == mostHits:
					out.More++
				default:
					if text, err = w.Hide.Text(text); err != nil {
						return err
					}
					at = max(place(text, query), 0) // which is the beginning where the query was a secret
					out.Hits = append(out.Hits, hit{g.record, g.file.Name(), g.project(), i + 1,
						g.message(i).Role.String(), excerpt(text, at)})
				}
			}
		}
		return nil
	})
	return out, err
}

// each opens what a question is about: a record, a file, or the records that have
// the words.
func (w World) each(ctx context.Context, record, file, words string, do func(*gone) error) error {
	if file != "" {
		g, err := ofFile(ctx, w, file)
		if err != nil {
			return err
		}
		defer g.close()
		return do(g)
	}
	st, err := w.Store()
	if err != nil || st == nil {
		return err
	}
	defer st.Close()
	if record != "" {
		rec, err := st.Record(ctx, record)
		if err != nil || rec.Cause == model.CauseRestore {
			return err
		}
		if shown, err := w.eachOf(ctx, st, []model.Record{*rec}, map[string]bool{}, do); err != nil || shown > 0 {
			return err
		}
		return errElsewhere(record)
	}
	f := store.Filter{Text: words, Full: true, Outcomes: []model.Outcome{model.Applied}, Limit: mostHits}
	for seen, shown := map[string]bool{}, 0; shown < mostHits; f.Offset += f.Limit {
		list, err := st.Records(ctx, f)
		if err != nil || len(list) == 0 {
			return err
		}
		n, err := w.eachOf(ctx, st, list, seen, do)
		if shown += n; err != nil {
			return err
		}
	}
	return nil
}

// eachOf opens those of some records that an agent may read, and counts them. A message
// that several records took is given once.
func (w World) eachOf(ctx context.Context, st *store.Store, list []model.Record, seen map[string]bool,
	do func(*gone) error) (shown int, err error) {
	for i := range list {
		rec := &list[i]
		key := fmt.Sprint(rec.SourceSHA, rec.Conversation, rec.Thread, rec.Range)
		if seen[key] || rec.Cause == model.CauseRestore {
			continue
		}
		seen[key] = true
		g, err := ofRecord(ctx, st, rec)
		if err != nil {
			return shown, err
		}
		if w.shows(g) {
			shown++
			err = do(g)
		}
		g.close()
		if err != nil {
			return shown, err
		}
	}
	return shown, nil
}

// place is where a text has the query, or else the first of its words if it has
// all of them, whatever the case; -1: it has not.
func place(text, query string) int {
	low := strings.ToLower(text)
	if i := strings.Index(low, strings.ToLower(query)); i >= 0 {
		return i
	}
	first := -1
	for _, word := range strings.Fields(strings.ToLower(query)) {
		i := strings.Index(low, word)
		if i < 0 {
			return -1
		}
		if first < 0 || i < first {
			first = i
		}
	}
	return first
}

// excerpt is the words around a place. Lower case may have moved it by a few
// bytes; it is brought to the beginning of a rune.
func excerpt(text string, at int) string {
	at = min(at, len(text))
	from, to := at, at
	for range around {
		if from > 0 {
			_, n := utf8.DecodeLastRuneInString(text[:from])
			from -= n
		}
		if to < len(text) {
			_, n := utf8.DecodeRuneInString(text[to:])
			to += n
		}
	}
	return strings.ToValidUTF8(strings.Join(strings.Fields(text[from:to]), " "), "")
}

type originalIn struct {
	Record  string `json:"record,omitempty" jsonschema:"the record that took it, as R-0007"`
	File    string `json:"file,omitempty" jsonschema:"or the transcript"`
	Message int    `json:"message" jsonschema:"its number in the history, from 1"`
	Offset  int    `json:"offset,omitempty" jsonschema:"characters to skip: next of the page before"`
}

type originalOut struct {
	Role  string `json:"role"`
	Text  string `json:"text"`
	Total int    `json:"total" jsonschema:"characters of the whole message"`
	Next  int    `json:"next,omitempty" jsonschema:"offset of the next page; none: this is the last"`
}

func (w World) original(ctx context.Context, in originalIn) (out originalOut, err error) {
	if in.Record == "" && in.File == "" {
		return out, &model.Problem{Code: "no-record", What: "It is not said whose message.",
			Next: "Give record or file, as recall names them."}
	}
	if err := notNegative("offset", in.Offset); err != nil {
		return out, err
	}
	found := false
	err = w.each(ctx, in.Record, in.File, "", func(g *gone) error {
		found = true
		n := len(g.thread.Thread().History)
		if in.Message < 1 || in.Message > n {
			return &model.Problem{Code: "no-message", What: fmt.Sprintf("There is no message %d; the history has %d.", in.Message, n)}
		}
		text, err := g.text(in.Message - 1)
		if err == nil {
			text, err = w.Hide.Text(text)
		}
		if err != nil {
			return err
		}
		runes := []rune(text)
		from := min(in.Offset, len(runes))
		to := min(from+pageRunes, len(runes))
		out = originalOut{Role: g.message(in.Message - 1).Role.String(), Text: string(runes[from:to]), Total: len(runes)}
		if to < len(runes) {
			out.Next = to
		}
		return nil
	})
	if err == nil && !found {
		err = &model.Problem{Code: "no-database", What: "Nothing has been recorded.", Next: "Give file in place of record."}
	}
	return out, err
}

// notNegative refuses a number below zero.
func notNegative(name string, n int) error {
	if n >= 0 {
		return nil
	}
	return &model.Problem{Code: "negative", What: fmt.Sprintf("%s can't be %d.", name, n), Next: "Leave it out, or give a number from 0."}
}

type factsIn struct {
	File   string `json:"file" jsonschema:"the transcript"`
	Tokens int    `json:"tokens,omitempty" jsonschema:"how long the list may be; 1000 if it is not said"`
}

type textOut struct {
	Text string `json:"text"`
}

func (w World) facts(ctx context.Context, in factsIn) (out textOut, err error) {
	if err := notNegative("tokens", in.Tokens); err != nil {
		return out, err
	}
	g, err := ofFile(ctx, w, in.File)
	if err != nil {
		return out, err
	}
	defer g.close()
	if out.Text, err = Ledger(ctx, g.thread, cmp.Or(in.Tokens, usualFact)); err != nil {
		return out, err
	}
	out.Text, err = w.Hide.Text(out.Text)
	return out, err
}

type previewIn struct {
	File   string `json:"file" jsonschema:"the transcript"`
	Preset string `json:"preset,omitempty" jsonschema:"balanced if it is not said"`
	Window int    `json:"context_window,omitempty" jsonschema:"tokens; as the file or the table of models says if it is not said"`
}

type previewOut struct {
	Decision string     `json:"decision" jsonschema:"apply or refuse"`
	Reason   string     `json:"reason"`
	Before   model.Size `json:"before"`
	After    model.Size `json:"after"`
	From     int        `json:"from" jsonschema:"first message that goes, from 1"`
	To       int        `json:"to" jsonschema:"last message that goes"`
	Warnings []string   `json:"warnings"`
}

type compressOut struct {
	previewOut
	Summary string `json:"summary"`
}

func (w World) preview(ctx context.Context, in previewIn) (previewOut, error) {
	_, out, err := w.draft(ctx, in)
	return out, err
}

func (w World) compress(ctx context.Context, in previewIn) (compressOut, error) {
	d, described, err := w.draft(ctx, in)
	out := compressOut{previewOut: described}
	if err == nil && d.Plan.Outcome == compaction.WouldApply {
		out.Summary, err = w.Hide.Text(d.Text.Text)
	}
	return out, err
}

// draft makes what a manual compaction would put in the place of what goes, and
// describes it. A model is never asked: its place takes the strategy that needs
// none.
func (w World) draft(ctx context.Context, in previewIn) (*session.Draft, previewOut, error) {
	out := previewOut{Warnings: []string{}}
	if err := notNegative("context_window", in.Window); err != nil {
		return nil, out, err
	}
	p, err := w.Policy(in.Preset)
	if err != nil {
		return nil, out, err
	}
	g, err := ofFile(ctx, w, in.File)
	if err != nil {
		return nil, out, err
	}
	defer g.close()
	if in.Window > 0 {
		p.Window = in.Window
	}
	if p.Strategy.Asks() {
		p.Strategy = session.StandIn(p.Strategy)
	}
	g.thread.UsePreset(p)
	d, err := g.thread.Draft(ctx, g.thread.Policy(), compaction.Options{Manual: true}, nil)
	if err != nil {
		return nil, out, err
	}
	return d, described(d, g.thread.Estimated()), nil
}

func described(d *session.Draft, estimated bool) previewOut {
	pl := d.Plan
	sizes := compaction.SizesOf(estimated, &pl.Policy)
	out := previewOut{Decision: string(pl.Outcome), Reason: pl.Why.Text(sizes),
		Before: pl.Before, After: pl.After, Warnings: []string{}}
	if pl.Outcome != compaction.WouldApply {
		out.After, out.Reason = pl.Before, session.Refusal(pl, estimated)
		return out
	}
	r := pl.Covered()
	out.From, out.To = r.From+1, r.To
	for _, x := range pl.Warnings {
		out.Warnings = append(out.Warnings, x.Text(sizes))
	}
	return out
}
