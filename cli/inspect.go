package cli

import (
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

type inspectCmd struct {
	readFlags
	Files []string `arg:"" name:"FILE|DIR" help:"The transcripts; - is the standard input."`
	filesFlags
	overviewFlags
	JSON bool `name:"json" help:"Print JSON (docs/json.md)."`
}

// inspection is the JSON of inspect.
type inspection struct {
	File             string            `json:"file"`
	Format           model.Format      `json:"format"`
	Why              string            `json:"why"`
	Conversations    int               `json:"conversations"`
	Threads          int               `json:"threads"`
	Agents           int               `json:"agents"`
	Items            int               `json:"items"`
	Messages         int               `json:"messages"`
	History          int               `json:"history"` // of them in the history view: without what compactions put in
	ToolCalls        int               `json:"tool_calls"`
	ToolResults      int               `json:"tool_results"`
	Damaged          []model.Note      `json:"damaged"`
	DamagedCount     int               `json:"damaged_count"`
	Unlisted         int               `json:"unlisted"`
	Notes            []model.Note      `json:"notes"`
	FoundCompactions int               `json:"found_compactions"`
	Bytes            int64             `json:"bytes"`
	SHA256           string            `json:"sha256"`
	Tokens           tokenCount        `json:"tokens"`
	Continues        *string           `json:"continues"`
	ThreadList       []threadInfo      `json:"thread_list"`
	Tasks            []taskInfo        `json:"tasks"`
	Related          []session.Related `json:"related"`
}

// tokenCount is a number of tokens and where it comes from.
type tokenCount struct {
	Count  int64  `json:"count"`
	Method string `json:"method"` // "counted" or "estimated"
	Name   string `json:"name"`   // the vocabulary and factor
	Fixed  int64  `json:"fixed"`  // the part no message holds, on top of count; 0: not known
	Sealed int    `json:"sealed"` // messages of unknown size, which only their provider can read
}

type threadInfo struct {
	Conversation int         `json:"conversation"`
	Thread       int         `json:"thread"`
	Kind         string      `json:"kind"`
	ID           string      `json:"id"`
	Title        string      `json:"title"`
	Messages     int         `json:"messages"` // of the history view
	Live         int         `json:"live"`
	Tokens       *tokenCount `json:"tokens"` // of the live view; null for threads that are not counted
	Window       int         `json:"context_window"`
	Found        int         `json:"found_compactions"`
	Shared       *sharedInfo `json:"shared"`   // what is recorded of a history that agents share
	Agent        *agentInfo  `json:"agent"`    // what is recorded of the agent
	Next         []ruleInfo  `json:"next"`     // of the presets; null for threads that are not counted
	Evidence     *evidence   `json:"evidence"` // of the sizes; null for threads that are not counted
}

// taskInfo is that an agent was called, and where.
type taskInfo struct {
	Caller   *string `json:"caller"` // null: a person
	Agent    string  `json:"agent"`
	Called   int     `json:"called"`   // the caller's message, or the agent's own where a person called, from 1
	Returned int     `json:"returned"` // the one with the result; 0: none yet
	Asked    string  `json:"asked"`
	Answered string  `json:"answered"`
}

func (c *inspectCmd) Run(a *app) error {
	a.overview = c.overviewOf(c.JSON, "full", "tokens", "of window", "messages", "compacted", "balanced")
	return a.each(c.Files, &c.filesFlags, c.file)
}

func (c *inspectCmd) file(a *app, file string) error {
	f, err := a.open(file, &c.readFlags, nil)
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := a.inspect(f, c.JSON)
	if err != nil {
		return err
	}
	r.File, r.Continues = file, cmp.Or(r.Continues, a.continues(f))
	if !c.JSON && a.overview.takes(a.lines) {
		r.list(a.overview)
		return nil
	}
	related, err := f.Related(a.ctx) // lists the folder: not once for each line of the overview
	if err != nil {
		return err
	}
	if r.Related = listed(related); c.JSON {
		return a.printJSON(r)
	}
	a.printInspection(r)
	if ro, err := a.reading(c.readFlags); err == nil && a.from == "" {
		if line := a.unresumable(file, ro); line != "" {
			styled(a.out, yellow, line)
			fmt.Fprintln(a.out)
		}
	}
	return nil
}

// list adds a line for each conversation that was counted, and one for a file with none of
// them.
func (r *inspection) list(o *overview) {
	for _, t := range r.ThreadList {
		if t.Tokens == nil || t.Evidence == nil && r.Conversations == 1 {
			continue
		}
		name, fires, full, window, rank := r.File, "", "?", "?", -1.0
		if r.Conversations > 1 {
			name = fmt.Sprintf("%s, conversation %d", r.File, t.Conversation+1)
		}
		n := t.Tokens.Count + t.Tokens.Fixed
		if t.Window > 0 {
			rank = float64(n) / float64(t.Window)
			full, window = fmt.Sprintf("%d %%", int(100*rank)), thousands(t.Window)
		}
		for _, rule := range t.Next {
			if rule.Preset == "balanced" {
				fires = rule.soon()
			}
		}
		o.add(name, rank, full, tokens(n, t.Tokens.Method == "estimated"), window, thousands(t.Messages), thousands(t.Found), fires)
	}
}

// mostJudged is of how many conversations JSON says what rules would do and how sure the
// sizes are: of 100,000 that would be half a gigabyte.
const mostJudged = 1000

// inspect looks at a file; all: also at what text says of an only conversation and JSON
// of each.
func (a *app) inspect(f *session.File, all bool) (*inspection, error) {
	d := f.Doc
	listed := all || len(d.Conversations) == 1
	all = listed && len(d.Conversations) <= mostJudged
	r := &inspection{Format: d.Format, Why: d.Why, Conversations: len(d.Conversations), Items: d.Items,
		Bytes: fileSize(d), SHA256: d.Hash(), Damaged: []model.Note{}, Notes: []model.Note{}, Tasks: []taskInfo{}}
	r.DamagedCount, r.Unlisted = d.DamagedCount(), d.Unlisted
	for _, n := range d.Notes {
		if n.Bad {
			r.Damaged = append(r.Damaged, n)
		} else {
			r.Notes = append(r.Notes, n)
		}
	}
	for ci, c := range d.Conversations {
		r.Agents += max(1, len(c.Agents))
		for ti := range c.Threads {
			r.Threads++
			r.add(c.Threads[ti])
			info := threadInfo{Conversation: ci, Thread: ti}
			if ti == 0 {
				from, err := a.countMain(f, &info, &r.Tokens, all)
				if err != nil {
					return nil, err
				}
				r.Continues = cmp.Or(r.Continues, from)
			}
			if listed || len(r.ThreadList) < mostListed { // of very many, what text does not list is not kept
				info.name(session.Ref{Conversation: ci, Thread: ti}.In(f), c.Threads[ti])
				info.record(c, c.Threads[ti])
				r.ThreadList = append(r.ThreadList, info)
			}
		}
		if listed && c.KeepsContexts() {
			if err := r.called(a, f, ci); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// record says what the file records of a thread's agent, or of what agents share.
func (t *threadInfo) record(c *model.Conversation, th *model.Thread) {
	if th.Kind == model.ThreadShared {
		s := newSharedInfo(c.Shared)
		t.Shared = &s
	}
	for _, x := range c.Agents {
		if x.ID == th.AgentID && x.Stats != nil {
			s := newAgentInfo(x.Stats)
			t.Agent = &s
		}
	}
}

// called adds who called whom in a conversation.
func (r *inspection) called(a *app, f *session.File, conversation int) error {
	list, _, err := f.Agents(a.ctx, session.AgentsRequest{Conversation: conversation})
	for i := range list {
		for _, t := range list[i].Tasks {
			info := taskInfo{Agent: list[i].ID, Called: t.Called, Returned: t.Returned, Asked: t.Asked, Answered: t.Answered}
			if t.Caller >= 0 {
				info.Caller = &list[t.Caller].ID
			}
			r.Tasks = append(r.Tasks, info)
		}
	}
	return err
}

// add takes in the messages of a thread.
func (r *inspection) add(t *model.Thread) {
	r.FoundCompactions += len(t.Found)
	r.History += len(t.History)
	for i := range t.Messages {
		m := &t.Messages[i]
		if m.Kind != model.KindBoundary { // a mark of the file, which no request holds
			r.Messages++
		}
		r.ToolCalls += len(m.Calls)
		if m.Kind == model.KindResult {
			r.ToolResults++
		}
		for _, l := range m.Links {
			if l.Result {
				r.ToolResults++
			}
		}
	}
}

// beside says how many messages are not in the history view: summaries of compactions,
// copies of what these kept.
func (r *inspection) beside() string {
	switch n := r.Messages - r.History; {
	case n <= 0:
		return ""
	case r.FoundCompactions > 0:
		return "and " + thousands(n) + " that compactions put in, "
	default:
		return "and " + thousands(n) + " beside the history, "
	}
}

// name says what a thread is.
func (t *threadInfo) name(ch session.Choice, th *model.Thread) {
	t.Kind, t.ID, t.Title = ch.Kind.String(), ch.ID, ch.Title
	t.Messages, t.Live, t.Found = len(th.History), len(th.Live(len(th.History))), len(th.Found)
}

// countMain counts the live view of a conversation's main thread; all: with its rules
// and the evidence of its sizes. from is the record that it goes on from.
func (a *app) countMain(f *session.File, info *threadInfo, sum *tokenCount, all bool) (from *string, err error) {
	s, err := f.Session(a.ctx, session.Ref{Conversation: info.Conversation, Thread: info.Thread}, nil)
	if err != nil {
		return nil, err
	}
	n := tokenCount{Method: method(s), Name: s.Counter().Name(), Fixed: s.Calibration().Beyond(s.At(), s.Policy().Fixed)}
	for _, it := range s.Items() {
		n.Count += int64(s.Tokens(it.Msg))
		if it.Msg >= 0 && s.Thread().Messages[it.Msg].Sealed {
			n.Sealed++
		}
	}
	info.Tokens, info.Window = &n, s.Window().Tokens
	if all {
		e := evidenceOf(s, s.Policy())
		info.Next, info.Evidence = nextRules(s), &e
	}
	sum.Count += n.Count
	sum.Fixed += n.Fixed
	sum.Sealed += n.Sealed
	switch {
	case sum.Name == "":
		sum.Method, sum.Name = n.Method, n.Name
	case sum.Name != n.Name:
		sum.Name = "by each conversation's model"
	}
	if n.Method == "estimated" {
		sum.Method = n.Method
	}
	return parentOf(s), nil
}

// onlyCounted is the evidence of the one thread that was counted; nil: there are
// more.
func onlyCounted(r *inspection) (e *evidence) {
	for _, t := range r.ThreadList {
		if t.Evidence != nil {
			if e != nil {
				return nil
			}
			e = t.Evidence
		}
	}
	return e
}

const mostListed = 12 // lines of a list in text; JSON has all

func (a *app) printInspection(r *inspection) {
	title, doubt := string(r.Format), "; which messages its tool would send is not proven"
	for _, i := range transcript.Formats() {
		if i.Format == r.Format {
			if title = i.Title; i.Proven {
				doubt = ""
			}
		}
	}
	if n := r.Tokens.Sealed; n > 0 {
		doubt = "; " + plural(n, "message") + " of unknown size, which only the provider can read" + doubt
	}
	heading(a.out, titled(r.File))
	rows := []string{
		"format\t" + title + "\t" + r.Why,
		"size\t" + thousands(r.Bytes) + " bytes\tSHA-256 " + hashShown(a.out, r.SHA256),
		"holds\t" + plural(r.Conversations, "conversation") + "\t" + plural(r.Threads, "thread") + ", " + plural(r.Agents, "agent"),
		row("messages", thousands(r.History), r.beside()+"from "+plural(r.Items, "item")+", "+plural(r.ToolCalls, "tool call")+
			", "+plural(r.ToolResults, "tool result")),
		"tokens\t" + tokens(r.Tokens.Count, r.Tokens.Method == "estimated") + "\tlive now, " + r.Tokens.Method + ": " +
			r.Tokens.Name + doubt,
		"compactions\t" + thousands(r.FoundCompactions) + "\tfound in the file",
	}
	only := onlyCounted(r)
	if only == nil && r.Tokens.Fixed > 0 {
		rows = append(rows, row("fixed part", tokens(r.Tokens.Fixed, true), "what no message holds, on top: fitted to reported usage"))
	}
	if r.Continues != nil {
		rows = append(rows, "continues\t"+*r.Continues+"\twritten from this record")
	}
	table(a.out, rows...)
	if only != nil {
		table(a.out, only.rows()...)
		a.printCheck(only)
	}
	a.printNext(r)
	if r.Threads > 1 {
		printSome(a.out, "Threads", values(r.ThreadList, func(t *threadInfo) string {
			return row(strconv.Itoa(t.Conversation+1), t.Kind, clean(t.ID, 40), plural(t.Messages, "message"), clean(t.Title, 60))
		}), r.Threads)
	}
	a.printRecorded(r)
	a.printList("In files of their own", values(r.Related, func(x *session.Related) string {
		what := "agent"
		if x.Parent {
			what = "caller"
		}
		return row(what, clean(x.ID, 40), clean(x.Name, 60), clean(x.Path, 200))
	}))
	said := func(n *model.Note) string {
		return strings.TrimPrefix(fmt.Sprintf("line %d\t%s", n.Line, n.Reason), "line 0\t")
	}
	a.printList("Skipped: "+plural(r.DamagedCount, "damaged line"), values(r.Damaged, said))
	a.printList("Notes", values(r.Notes, said))
	if r.Unlisted > 0 {
		fmt.Fprintf(a.out, "Of lines and notes only the first and the last are listed; %s more are not.\n", thousands(r.Unlisted))
	}
}

// printRecorded lists what is recorded of agents, and who called whom.
func (a *app) printRecorded(r *inspection) {
	var recorded []string
	for _, t := range r.ThreadList {
		if s := t.Shared; s != nil {
			recorded = append(recorded, row("shared history", plural(s.Messages, "message"), s.LastType, shortTime(s.LastTime),
				clean(s.LastMessage, 60)))
		}
		if g := t.Agent; g != nil {
			recorded = append(recorded, row(clean(g.Agent, 40), plural(g.Interactions, "interaction"), g.LastType, shortTime(g.LastTime),
				clean(g.State, 120)))
		}
	}
	a.printList("As recorded", recorded)
	a.printList("Called and returned", values(r.Tasks, func(t *taskInfo) string {
		call, back := fmt.Sprintf("a person → %s #%d", clean(t.Agent, 40), t.Called), "no result yet"
		if t.Caller != nil {
			call = fmt.Sprintf("%s #%d → %s", clean(*t.Caller, 40), t.Called, clean(t.Agent, 40))
		}
		if t.Returned > 0 {
			back = fmt.Sprintf("back in #%d", t.Returned)
		}
		return row(call, back, clean(t.Asked, 60))
	}))
}

// shortTime is a time of JSON for people.
func shortTime(stamp string) string {
	if t, err := time.Parse(time.RFC3339Nano, stamp); err == nil {
		return when(t)
	}
	return "–"
}

// hashShown is a hash as long as it fits the terminal beside what is before it.
func hashShown(w io.Writer, hash string) string {
	if t, ok := w.(*terminal); ok && t.width > 0 && t.width < 120 {
		return short(hash, 17)
	}
	return hash
}

// heading prints what the lines below are about.
func heading(w io.Writer, text string) {
	styled(w, bold, text)
	fmt.Fprintln(w)
}

func (a *app) printList(title string, rows []string) { printSome(a.out, title, rows, len(rows)) }

// printSome prints the first rows of a list that has a number of them.
func printSome(w io.Writer, title string, rows []string, all int) {
	if len(rows) == 0 {
		return
	}
	look := bold
	if title == "Warnings" {
		look = yellow
	}
	styled(w, look, title)
	fmt.Fprintln(w)
	table(w, cutOf(rows, mostListed, all)...)
}

func fileSize(d *model.Document) int64 {
	_, size := d.File()
	return size
}
