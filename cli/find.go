package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/find"
	"palimpsest/model"
	"palimpsest/model/query"
	"palimpsest/model/store"
)

type findCmd struct {
	Query string   `arg:"" name:"QUERY" help:"${findQuery}"`
	Files []string `arg:"" optional:"" name:"FILE|FOLDER" help:"Histories, or folders of them. Default: all, as --all."`
	policyFlags
	readFlags
	Recursive bool   `short:"r" help:"Accepted as of other verbs: folders are always searched with the folders in them."`
	All       bool   `help:"The recent files and the watched folders of the window."`
	In        string `name:"in" default:"history" enum:"history,lost,summaries" help:"${findIn}"`
	Limit     int    `default:"0" placeholder:"N" help:"Print at most so many messages; all are counted. 0 is all."`
	Index     bool   `help:"${findIndex}"`
	JSON      bool   `name:"json" help:"Print JSON Lines, one value a message (docs/json.md)."`
}

// foundMessage is one line of the JSON of find.
type foundMessage struct {
	File         string       `json:"file"`
	Record       *string      `json:"record"`
	Conversation int          `json:"conversation"`
	Thread       int          `json:"thread"`
	Agent        string       `json:"agent"`
	Message      *int         `json:"message"`
	Role         string       `json:"role"`
	Kind         string       `json:"kind"`
	Tools        []string     `json:"tools"`
	Error        bool         `json:"error"`
	Tokens       *int         `json:"tokens"`
	Fate         *string      `json:"fate"`
	Places       int          `json:"places"`
	Snippet      string       `json:"snippet"`
	Marks        [][2]int     `json:"marks"`
	Spans        []foundPlace `json:"spans"`
}

// foundPlace is a place in the decoded text of a part of a message.
type foundPlace struct {
	Part int `json:"part"`
	From int `json:"from"`
	To   int `json:"to"`
}

// finding is a search that is being printed.
type finding struct {
	a        *app
	c        *findCmd
	m        *query.Matcher
	messages int
	places   int
	printed  int
	files    int // with something
	searched int
	failed   error
}

func (c *findCmd) Run(a *app) error {
	q, err := query.Parse(c.Query)
	if err == nil && q.Empty() {
		err = usage("The query is empty.")
	}
	if err != nil {
		return queryError(c.Query, err)
	}
	if c.All && len(c.Files) > 0 {
		return usage("--all means every known history; it can't be used with files.")
	}
	p, err := c.policy(a)
	if err != nil {
		return err
	}
	a.lines = true // a value a message, one a line
	f := &finding{a: a, c: c, m: query.Compile(q)}
	open := (*app).ifThere
	if c.In != "history" && len(c.Files) == 0 { // what is searched is the database
		open = forList
	}
	st, err := open(a)
	if err != nil {
		return err
	}
	if st != nil {
		defer st.Close()
	}
	switch c.In {
	case "history":
		err = f.histories(st, p)
	default:
		err = f.records(st)
	}
	if err != nil {
		return err
	}
	f.sum()
	switch {
	case f.failed != nil:
		return silent(exitUsage) // as of grep: 1 says that nothing is there
	case f.messages == 0:
		return silent(exitFailed)
	}
	return nil
}

// queryError is a mistake in a query, with its place marked below it.
func queryError(text string, err error) error {
	var e *query.Error
	if !errors.As(err, &e) {
		return err
	}
	shown := clean(text, len(text))
	if shown != text { // what is marked has to be below what it marks
		return usage("%s", e.Error())
	}
	return usage("%s\n\n  %s\n  %s%s", e.Error(), text, strings.Repeat(" ", columnsOf(text[:e.From])),
		strings.Repeat("^", max(1, columnsOf(text[e.From:e.To]))))
}

// histories searches files.
func (f *finding) histories(st *store.Store, p model.Policy) error {
	paths, err := f.paths(st)
	if err != nil {
		return err
	}
	l := find.Library{
		Open: func(_ context.Context, path string) (*session.File, error) {
			return f.a.open(path, &f.c.readFlags, nil)
		},
		Plan: func(file *session.File) find.Plan { return f.plan(file, p) },
	}
	if f.c.Index {
		if st, err = f.a.writable(); err != nil {
			return err
		}
		defer st.Close()
		if err := (&find.Indexer{Catalog: st, Open: l.Open}).Run(f.a.ctx, paths); err != nil {
			return err
		}
	}
	if st != nil {
		l.Catalog = st
	}
	factors := f.a.keptFactors()
	f.a.kept = &factors
	f.searched = len(paths)
	return l.Search(f.a.ctx, paths, f.m, f.result)
}

// paths are the files to search: those that are named, or all that the window knows.
func (f *finding) paths(st *store.Store) ([]string, error) {
	if len(f.c.Files) > 0 {
		var there []string
		for _, p := range f.c.Files {
			_, recorded := session.ConversationID(p)
			if _, err := os.Stat(p); err != nil && !recorded && p != dash {
				f.fail(p, &model.Problem{Code: "no-file", What: fmt.Sprintf("There is no file or folder %s.", p), Err: err,
					Why: "It was named to be searched.", Next: "Check the name; a query of several words goes into quotation marks."})
				continue
			}
			there = append(there, p)
		}
		return find.Sources(f.a.ctx, there)
	}
	if st == nil {
		return nil, nil
	}
	return find.Histories(f.a.ctx, st)
}

// plan is the plan of the policy for threads of a file.
func (f *finding) plan(file *session.File, p model.Policy) find.Plan {
	return func(ctx context.Context, ref session.Ref) (*session.Session, *compaction.Plan, error) {
		pr, err := f.a.planner(file, ref, number{}, &f.c.policyFlags, p)
		if err != nil {
			return nil, nil, err
		}
		return pr.s, pr.s.Plan(pr.p, pr.o), nil
	}
}

// fail says that a file could not be searched; the others are.
func (f *finding) fail(path string, err error) {
	f.failed = err
	if v := failureOf(path, err); f.c.JSON {
		v.Error.Exit = exitUsage
		_ = f.a.printJSON(v)
	}
	f.a.say(err)
}

// result prints what was found in one file.
func (f *finding) result(r find.Result) {
	if r.Err != nil {
		if len(f.c.Files) == 1 && f.c.Files[0] == r.Path { // else a folder holds files that are no histories
			f.fail(r.Path, r.Err)
		}
		return
	}
	f.files++
	if !f.c.JSON && f.more() {
		f.heading(titled(r.Path), r.Title)
	}
	for i := range r.Matches {
		f.match(r.Path, nil, &r.Matches[i])
	}
}

// more reports whether messages are still printed.
func (f *finding) more() bool { return f.c.Limit <= 0 || f.printed < f.c.Limit }

func (f *finding) match(path string, record *string, x *find.Match) {
	f.messages++
	f.places += x.Count
	if !f.more() {
		return
	}
	f.printed++
	if f.c.JSON {
		_ = f.a.printJSON(newFoundMessage(path, record, x))
		return
	}
	num, who := "–", "summary"
	if x.Num > 0 {
		num = thousands(x.Num)
	}
	if x.Msg != nil {
		who = strings.Join(append([]string{x.Msg.Role.String()}, x.Tools...), " ")
	}
	if x.Msg != nil && x.Msg.Error {
		who += " (error)"
	}
	fmt.Fprintf(f.a.out, "  %7s  %-24s  ", num, clean(who, 23))
	f.snippet(x.Snippet)
}

// heading is the line above what was found in a file or record.
func (f *finding) heading(name, title string) {
	styled(f.a.out, bold, name)
	title = clean(title, 60)
	if t, ok := f.a.out.(*terminal); ok && t.width > 0 {
		title = short(title, max(12, t.width-columnsOf(name)-2))
	}
	fmt.Fprintf(f.a.out, "  %s\n", title)
}

// snippet prints what is around a hit, as much as fits the line.
func (f *finding) snippet(s find.Snippet) {
	const before = 2 + 7 + 2 + 24 + 2 // columns of the line
	t, ok := f.a.out.(*terminal)
	if !ok || t.width == 0 {
		fmt.Fprintln(f.a.out, clean(s.Text, 100))
		return
	}
	room := max(12, t.width-before)
	text, from := s.Text, 0
	if len(s.Marks) > 0 { // a third of the line is before the hit
		if runes := []rune(text[:s.Marks[0].From]); columnsOf(string(runes)) > room/3 {
			for from = len(runes); from > 0 && columnsOf(string(runes[from-1:])) < room/3; from-- {
			}
			from = len(string(runes[:from]))
			room--
			fmt.Fprint(t, "…")
		}
	}
	put := func(part string, hit bool) {
		if room <= 0 || part == "" {
			return
		}
		part = short(oneLine(part), room)
		if room -= columnsOf(part); hit {
			styled(t, red, part)
		} else {
			fmt.Fprint(t, part)
		}
	}
	for _, m := range s.Marks {
		at := max(from, m.From)
		put(text[from:at], false)
		from = max(at, m.To)
		put(text[at:from], true)
	}
	put(text[from:], false)
	fmt.Fprintln(t)
}

func newFoundMessage(path string, record *string, x *find.Match) foundMessage {
	v := foundMessage{File: path, Record: record, Conversation: x.Ref.Conversation, Thread: x.Ref.Thread, Agent: x.Agent, Kind: "summary",
		Tools: append([]string{}, x.Tools...), Places: x.Count, Snippet: x.Snippet.Text, Marks: [][2]int{}, Spans: []foundPlace{}}
	if x.Num > 0 {
		at := x.Num - 1
		v.Message = &at
	}
	if x.Msg != nil {
		v.Role, v.Kind, v.Error = x.Msg.Role.String(), x.Msg.Kind.String(), x.Msg.Error
	}
	if k := x.Known; k != nil {
		v.Tokens = &k.Tokens
		if k.Live {
			fate := k.Fate.String()
			v.Fate = &fate
		}
	}
	for _, m := range x.Snippet.Marks {
		v.Marks = append(v.Marks, [2]int{m.From, m.To})
	}
	for _, p := range x.Places {
		v.Spans = append(v.Spans, foundPlace(p))
	}
	return v
}

// records searches the originals of records, or their summaries.
func (f *finding) records(st *store.Store) error {
	if st == nil {
		return nil
	}
	list, err := f.recordsOf(st)
	if err != nil {
		return err
	}
	f.searched = len(list)
	var scratch query.Scratch
	for i := range list {
		rec := &list[i]
		var found []find.Match
		if f.c.In == "summaries" {
			if x, ok := find.Summary(rec, f.m, &scratch); ok {
				found = []find.Match{{Ref: session.Ref{Conversation: rec.Conversation, Thread: rec.Thread}, Agent: rec.Agent, Found: x}}
			}
		} else if found, err = find.InRecord(f.a.ctx, st, rec, f.m); err != nil {
			return err
		}
		if len(found) == 0 {
			continue
		}
		f.files++
		if !f.c.JSON && f.more() {
			f.heading(rec.ID+"  "+rec.Path, rec.Session)
		}
		for k := range found {
			f.match(rec.Path, &rec.ID, &found[k])
		}
	}
	return nil
}

// recordsOf lists the records whose compaction took place, of the files that are named or of all.
func (f *finding) recordsOf(st *store.Store) (out []model.Record, err error) {
	var list []model.Record
	if len(f.c.Files) == 0 {
		list, err = st.Records(f.a.ctx, store.Filter{Limit: -1})
	}
	for _, p := range f.c.Files {
		abs, err := filepath.Abs(p)
		if err != nil {
			return nil, err
		}
		of, err := st.PathRecords(f.a.ctx, abs)
		if err != nil {
			return nil, err
		}
		list = append(list, of...)
	}
	for _, r := range list {
		if r.Outcome != model.Applied || r.Cause == model.CauseRestore {
			continue
		}
		whole, err := st.Record(f.a.ctx, r.ID) // a list reads no runs
		if err != nil {
			return nil, err
		}
		out = append(out, *whole)
	}
	return out, err
}

// noun is what is searched.
func (f *finding) noun() string {
	if f.c.In == "history" {
		return "history"
	}
	return "record"
}

// where says where nothing was found.
func (f *finding) where() string {
	places := "the recent files and watched folders of the window"
	if f.c.In != "history" {
		places = "the database"
	}
	if len(f.c.Files) > 0 {
		places = strings.Join(f.c.Files, ", ")
	}
	if f.searched == 0 && f.c.In == "history" {
		return fmt.Sprintf(" No history is known in %s: name files or folders, as in palimpsest find QUERY ~/.claude/projects.", places)
	}
	return fmt.Sprintf(" Searched: %s in %s.", plural(f.searched, f.noun()), places)
}

// sum prints what was found in all.
func (f *finding) sum() {
	if f.c.JSON {
		return
	}
	if f.messages == 0 {
		if f.failed == nil {
			fmt.Fprintln(f.a.errOut, "No message meets the query."+f.where())
		}
		return
	}
	in := thousands(f.files) + " of " + plural(f.searched, f.noun())
	places := ""
	if f.places > 0 {
		places = ", " + plural(f.places, "place")
	}
	fmt.Fprintf(f.a.out, "%s%s in %s\n", plural(f.messages, "message"), places, in)
}
