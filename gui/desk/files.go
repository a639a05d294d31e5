package desk

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/gui/state/undo"
	"palimpsest/model"
	"palimpsest/model/figure"
	"palimpsest/model/store"
	"palimpsest/model/tokens"
	"palimpsest/model/transcript"
)

// fileList is the histories that are open in the window, and the one looked at.
type fileList struct {
	subject
	entries []*Entry
	current *Entry
	factors tokens.Factors // see SetFactors
	limits  map[string]int // see RememberLimit
}

// State is what an entry of the list is in.
type State uint8

const (
	Closed  State = iota // known, not read yet
	Loading              // being read
	Ready
	Unavailable // could not be read: see Entry.Err
)

// Entry is one history in the list.
type Entry struct {
	Path     string
	Sample   string // id of a built-in sample; "" for a person's own file
	Title    string
	State    State
	Err      error
	Done     int64 // bytes read, while loading
	Total    int64
	Counting bool   // Done and Total are messages: their tokens are counted
	Early    *Early // what can be seen while it is being read; nil: nothing yet
	Fresh    bool   // it appeared in a watched folder and was not looked at yet
	File     *session.File
	Ref      session.Ref
	Session  *session.Session
	Related  []session.Related // files of agents of the same conversation

	Mark     // a person's own title (Name; "" is the Title), star and notes
	Seen int // message that was selected when a person left it, from 1; 0: none

	outline
	live

	Stops int // faults that keep it from being resumed, once its file was looked through

	data     []byte             // content of a sample
	reading  transcript.Options // how its file is to be read
	peeked   bool               // looked into without opening it
	reopen   session.Ref        // the thread to look at when it was read again
	inForce  []string           // the records that were in force there before
	sessions map[session.Ref]*session.Session
}

// outline is what the list shows about a history.
type outline struct {
	Messages int // of the thread looked at, or of all agents: see Crew
	Lines    int // records of the file, those that were skipped among them
	Damaged  int // lines that were skipped
	Found    int // compactions the file holds
	Made     int // compactions that are stored of it
	Threads  int
	Agents   int // threads that are an agent's own
	sides    int // runs beside the main line
	shared   int // histories that agents share

	Format  model.Format
	Dir     string // working folder; "" if the file does not say it
	Model   string
	Window  int   // context window in tokens; 0: unknown
	Peak    int   // tokens of the largest call that the file reports of them; 0: none
	Size    int64 // of the file, in bytes
	Changed time.Time
	ID      string // of the conversation
	Sub     bool   // it is an agent that another one called
}

// PeakFigure is how much of the context window the largest call filled.
func (f *outline) PeakFigure() figure.Figure { return figures.OfPeak(int64(f.Peak), int64(f.Window)) }

// PeakShare is its value; false if one of the two is not known.
func (f *outline) PeakShare() (float64, bool) {
	p := f.PeakFigure()
	return p.Value, p.Known()
}

func (f *outline) take(g outline) { *f = g }

// survey takes over what the file of an open history says of the thread looked at. Its
// largest call is one whose context is still as it was: what a file that was written
// from a record reports of the others was measured before.
func (e *Entry) survey() {
	e.take(outlineOf(e.File, e.Ref))
	if e.Session != nil && !e.Session.Sketched() && !e.Crew() {
		e.Peak = int(session.LargestReported(e.Session))
	}
}

func outlineOf(f *session.File, ref session.Ref) outline {
	g := outline{Damaged: f.Doc.DamagedCount(), Lines: len(f.Doc.Segments)}
	for _, c := range f.Doc.Conversations {
		g.Threads += len(c.Threads)
		for _, t := range c.Threads {
			switch t.Kind {
			case model.ThreadShared:
				g.shared++
			case model.ThreadMain, model.ThreadSubagent:
				g.Agents++
			case model.ThreadSide:
				g.sides++
			}
		}
	}
	c := f.Doc.Conversations[ref.Conversation]
	g.Format, g.Dir, g.Model, g.Window, g.ID, g.Size = f.Doc.Format, c.Dir, c.Model, c.Window, c.ID, f.Doc.Size
	if g.Window == 0 {
		g.Window, _, _ = tokens.Window(c.Model)
	}
	// Claude Code calls the agent of a conversation "main", also in the files of others.
	g.Sub = c.Main().Kind == model.ThreadSubagent || f.Doc.Format == model.FormatClaudeCode && c.Main().AgentID != "main"
	if !g.Crew() {
		if t := c.Threads[ref.Thread]; t != nil {
			g.add(t)
		}
		return g
	}
	for _, c := range f.Doc.Conversations {
		before := g.Messages
		for _, t := range c.Threads {
			g.add(t)
		}
		if c.Shared != nil { // in the agents' contexts they are once more
			g.Messages = before + cmp.Or(c.Shared.Messages, len(c.Main().History))
		}
	}
	return g
}

// Crew reports whether the threads of a file are agents of one conversation, which the
// list shows as one, whichever of them is looked at.
func (g *outline) Crew() bool { return g.Agents > 0 && g.Threads > 1 && g.Agents+g.shared == g.Threads }

// add counts a thread in.
func (g *outline) add(t *model.Thread) {
	g.Messages, g.Found = g.Messages+len(t.History), g.Found+len(t.Found)
	for i := range t.Messages {
		if u := t.Messages[i].Usage; u != nil {
			g.Peak = max(g.Peak, u.Input)
		}
		if at := t.Messages[i].Time; at > 0 {
			if moment := time.UnixMilli(at); moment.After(g.Changed) {
				g.Changed = moment
			}
		}
	}
}

// Session is the history looked at; nil when there is none.
func (d *fileList) Session() *session.Session {
	if d.current == nil {
		return nil
	}
	return d.current.Session
}

// Current is the entry of the history looked at; nil when there is none.
func (d *fileList) Current() *Entry { return d.current }

// Entries is the list of histories, in the order in which they were added.
func (d *fileList) Entries() []*Entry { return d.entries }

// Add puts files into the list, folders with the transcripts in them, and opens
// the first one that was given. A file that is in the list already is opened
// there.
func (d *fileList) Add(paths ...string) {
	sched.Run(d.Sched, "add", func(ctx context.Context, _ func(sched.Progress)) (found, error) {
		return findTranscripts(ctx, paths)
	}, func(all found, err error) {
		if err != nil {
			d.Fail(err)
		}
		files := all.files
		d.desk.watchFolders(all.folders)
		var first *Entry
		for _, p := range files {
			e := d.entry(p)
			if first == nil || agentName(first.Path) && !agentName(p) {
				first = e // the conversation, before those it called
			}
		}
		for _, p := range paths { // what was asked for by its own name is opened
			if i := slices.IndexFunc(d.entries, func(e *Entry) bool { return e.Path == p }); i >= 0 && slices.Contains(files, p) {
				first = d.entries[i]
				break
			}
		}
		if len(files) > 1 {
			d.Notify(TopicFiles)
		}
		if first != nil {
			d.Select(first)
			d.desk.Peek()
		} else if err == nil {
			d.Fail(&model.Problem{Code: "nothing-found", What: "No transcript was found there.",
				Why: "A folder is searched for files ending in .jsonl, .json, .traj and .eval.", Next: "Open another folder."})
		}
	})
}

// agentName reports whether a file is named as those of called agents are.
func agentName(path string) bool { return strings.HasPrefix(filepath.Base(path), "agent-") }

const maxFolderFiles = 5000

// found is what paths lead to: files, and the folders they were looked for in.
type found struct{ files, folders []string }

// findTranscripts replaces folders by the transcripts in them.
func findTranscripts(ctx context.Context, paths []string) (found, error) {
	var out found
	var problems []error
	for _, p := range paths {
		if _, ok := session.ConversationID(p); ok {
			out.files = append(out.files, p)
			continue
		}
		abs, err := filepath.Abs(p)
		if err == nil {
			p = abs
		}
		if st, err := os.Stat(p); err != nil || !st.IsDir() {
			out.files = append(out.files, p) // opening it says what is wrong
			continue
		}
		err = transcript.Walk(ctx, p, func(path string) error {
			if len(out.files) >= maxFolderFiles {
				return fs.SkipAll
			}
			out.files = append(out.files, path)
			return nil
		}, func(path string) { out.folders = append(out.folders, path) })
		problems = append(problems, err)
	}
	return out, errors.Join(problems...)
}

func (d *fileList) entry(path string) *Entry {
	for _, e := range d.entries {
		if e.Path == path {
			return e
		}
	}
	name := session.BaseName(path)
	e := &Entry{Path: path, Title: strings.TrimSuffix(name, filepath.Ext(name)), sessions: map[session.Ref]*session.Session{}}
	d.desk.recall(e)
	d.desk.list(path, true)
	d.entries = append(d.entries, e)
	return e
}

// Resume has a message of a history selected when that is opened, as when a person left
// it; path may be the id of a sample.
func (d *fileList) Resume(path string, message int) {
	i := slices.IndexFunc(d.entries, func(e *Entry) bool { return e.Sample != "" && e.Sample == path })
	switch {
	case i >= 0:
		d.entries[i].Seen = message
	case message > 0 && path != "" && !strings.HasPrefix(path, "sample-"):
		d.entry(path).Seen = message
	}
}

// AddSample puts a built-in sample into the list without opening it.
func (d *fileList) AddSample(id, title, file string, data []byte) *Entry {
	e := d.entry(file)
	e.Sample, e.Title, e.data = id, title, data
	d.Notify(TopicFiles)
	return e
}

// Remove takes a history out of the list; its file and records stay.
func (d *fileList) Remove(e *Entry) {
	d.desk.closeNotices(func(x *Notice) bool { return x.About == e || x.at == e })
	for i, x := range d.entries {
		if x != e {
			continue
		}
		d.entries = append(d.entries[:i:i], d.entries[i+1:]...)
		if d.current == e {
			d.current = nil
			d.switched()
			if len(d.entries) > 0 {
				d.Select(d.entries[min(i, len(d.entries)-1)])
			}
		}
		d.desk.indexes = slices.DeleteFunc(d.desk.indexes, func(s *session.Session) bool { return s == e.sessions[s.Ref()] })
		d.desk.closeNoticesOf(e)
		if e.File != nil {
			e.File.Close()
		}
		d.desk.updateWatches()
		d.Notify(TopicFiles)
		return
	}
}

// TakeOff takes histories out of the list, in a step that can be taken back.
func (d *fileList) TakeOff(list ...*Entry) {
	if len(list) == 0 {
		return
	}
	list = slices.Clone(list) // in their order: each is put back behind those before it
	slices.SortFunc(list, func(a, b *Entry) int { return slices.Index(d.entries, a) - slices.Index(d.entries, b) })
	places := make([]int, len(list))
	for i, e := range list {
		places[i] = slices.Index(d.entries, e)
	}
	looked := d.current
	remove := func() {
		for _, e := range list { // the one looked at last: else each that follows it is opened
			d.desk.list(e.Path, false)
			if e != looked {
				d.Remove(e)
			}
		}
		if slices.Contains(list, looked) {
			d.Remove(looked)
		}
	}
	remove()
	d.desk.Did(&undo.Step{Kind: undo.Remove, Name: list[0].shortTitle(), Count: len(list), Move: func(again bool) {
		if again {
			remove()
			return
		}
		for i, e := range list {
			list[i] = d.putBack(e, places[i])
			if e == looked {
				looked = list[i]
			}
		}
		if slices.Contains(list, looked) || d.current == nil {
			d.Select(list[max(0, slices.Index(list, looked))])
		}
	}})
}

// putBack puts a history that was taken off the list into it again, closed, unless it is
// there already.
func (d *fileList) putBack(e *Entry, at int) *Entry {
	if i := slices.IndexFunc(d.entries, func(x *Entry) bool { return x.Path == e.Path && x.Sample == e.Sample }); i >= 0 {
		return d.entries[i]
	}
	x := &Entry{Path: e.Path, Sample: e.Sample, Title: e.Title, data: e.data, reading: e.reading, outline: e.outline, Mark: e.Mark,
		sessions: map[session.Ref]*session.Session{}}
	d.desk.list(e.Path, true)
	d.entries = slices.Insert(d.entries, min(max(at, 0), len(d.entries)), x)
	d.Notify(TopicFiles)
	return x
}

// Select looks at a history; it is read first if it is not open yet.
func (d *fileList) Select(e *Entry) {
	if c := d.current; c != nil && c != e {
		c.Seen = d.desk.selectedNum()
	}
	if c := d.current; c != nil && c != e && c.State == Loading {
		c.dropRead() // switching cancels its reading
	}
	d.current = e
	e.New, e.Fresh = 0, false
	d.switched()
	if e.State == Ready {
		return
	}
	e.State, e.Err = Loading, nil
	d.readHead(e)
	from, ro, st := source{e.Path, e.data}, e.reading, d.Store
	opt := d.desk.storing()
	sched.Run(d.Sched, "open", func(ctx context.Context, progress func(sched.Progress)) (*session.File, error) {
		ro.Progress = func(done, total int64) { progress(sched.Progress{Done: done, Total: total, Text: "read"}) }
		return from.openRemembered(ctx, st, opt, ro)
	}, func(f *session.File, err error) { d.opened(e, f, err) })
	d.Notify(TopicFiles, TopicSession)
}

// storing are the options of histories whose records are kept.
func (d *Desk) storing() session.Options {
	opt := session.Options{Model: d.asks.Model, Factors: d.factors, Scan: d.drafting.scan()}
	if d.core.Store != nil {
		opt.Store, opt.Answers, opt.Conversations = d.core.Store, d.core.Store, d.core.Store
	}
	return opt
}

func (d *fileList) opened(e *Entry, f *session.File, err error) {
	if err != nil {
		e.State, e.Err, e.Early = Unavailable, err, nil
		if stopped(err) {
			e.State, e.Err = Closed, nil
		}
		d.Notify(TopicFiles, TopicSession)
		return
	}
	e.File = f
	d.loadRelated(e)
	if e.Sample == "" {
		e.Title = f.Title(0)
		d.remember(e)
	}
	ref := e.reopen
	if e.reopen = (session.Ref{}); !f.Has(ref) {
		ref = session.Ref{}
	}
	d.SelectThread(e, ref)
}

// SelectThread looks at another conversation or agent of an open file.
func (d *fileList) SelectThread(e *Entry, ref session.Ref) {
	d.current = e
	if s, ok := e.sessions[ref]; ok {
		d.ready(e, ref, s)
		return
	}
	f := e.File
	sched.Run(d.Sched, "open", func(ctx context.Context, progress func(sched.Progress)) (*session.Session, error) {
		if f.Doc.Size >= sketchFrom {
			return f.Sketch(ctx, ref)
		}
		return f.Session(ctx, ref, countProgress(progress))
	}, func(s *session.Session, err error) {
		if err != nil {
			e.State, e.Err, e.Early = Unavailable, err, nil
			d.Notify(TopicFiles, TopicSession)
			return
		}
		e.sessions[ref] = s
		d.desk.resumeParams(pathKey(e.Path, ref), s)
		d.ready(e, ref, s)
	})
}

func (d *fileList) ready(e *Entry, ref session.Ref, s *session.Session) {
	e.State, e.Ref, e.Session, e.Early = Ready, ref, s, nil
	sayAside(d.desk, e, s)
	d.desk.inherit(e, ref, s)
	d.reweigh(e)
	e.survey()
	d.desk.updateWatches()
	if e.follower == nil || e.again {
		d.desk.look(e)
	}
	if d.current != e {
		d.Notify(TopicFiles)
		return
	}
	d.switched()
}

// sayAside says which compactions stopped being in force when a file was read again.
func sayAside(d *Desk, e *Entry, s *session.Session) {
	now := state.RecordIDs(s.Stack())
	aside := slices.DeleteFunc(e.inForce, func(id string) bool { return slices.Contains(now, id) })
	if e.inForce = nil; len(aside) > 0 {
		d.Say(Notice{Severity: Warning, Code: "setAside", Args: []any{"title", e.shortTitle(), "count", len(aside),
			"records", strings.Join(aside, ", ")}, About: e})
	}
}

// switched resets what belongs to the history looked at before, and begins to
// work out the same for the current one.
func (d *fileList) switched() {
	d.Sched.Cancel("open", "head", "count")
	s := d.Session()
	d.desk.Planning.Reset(s)
	d.desk.rowList.reset()
	d.desk.DraftSet.Reset()
	d.desk.study.reset()
	d.desk.advising.reset()
	if s != nil {
		d.desk.resumeAt(d.current)
		d.desk.Planning.Replan()
		d.count(d.current, s)
	}
	d.desk.compareHere()
	d.Notify(TopicFiles, TopicSession, TopicParams, TopicPlan, TopicReplay, TopicFacts, TopicSelect)
	d.desk.RecordList.LoadRecords()
	d.desk.showHeld()
}

func (d *fileList) remember(e *Entry) {
	if _, recorded := session.ConversationID(e.Path); recorded || d.Store == nil || d.Store.ReadOnly() {
		return // those that are recorded are listed anyway
	}
	r := store.Recent{Path: e.Path, Format: e.File.Doc.Format, Title: e.Title}
	sched.Do(d.Sched, "recent:"+e.Path, func(ctx context.Context, _ func(sched.Progress)) error {
		return d.Store.AddRecent(ctx, r)
	}, func(error) { d.desk.LoadRecents() })
}

// source is where a history is read from: its file, or the content of a sample.
type source struct {
	path string
	data []byte // nil: the file at path
}

func (s source) open(ctx context.Context, opt session.Options, ro transcript.Options) (*session.File, error) {
	if s.data == nil {
		return session.Open(ctx, s.path, opt, ro)
	}
	doc, err := transcript.Read(ctx, s.path, bytes.NewReader(s.data), int64(len(s.data)), ro)
	if err != nil {
		return nil, err
	}
	return session.NewFile(doc, opt), nil
}
