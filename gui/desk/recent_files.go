package desk

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/gui/desk/undo"
	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/store"
)

// library is what can be opened: recent files, folders, and files whose format a
// person says.
type library struct {
	subject
	recents  []Recent
	grouping Grouping
	marks    map[string]Mark    // by path
	known    map[string]outlook // by path, see recall
	unsaved  bool               // known holds what the store does not
}

// Order is how the histories of a group are sorted.
type Order uint8

// The orders.
const (
	ByAdded Order = iota // newest first; samples in their own order
	ByTitle
	ByMessages
	ByChanged // newest first
	ByPeak    // fullest first
	BySize    // largest first
	ByFound   // most compactions first

	Reversed Order = 1 << 6 // with one of them: the other way round
)

// Orders lists them as they are offered.
var Orders = []Order{ByAdded, ByChanged, ByTitle, ByMessages, ByPeak, BySize, ByFound}

// GroupKind says what the histories of a group have in common.
type GroupKind uint8

// The kinds of groups.
const (
	GroupSamples GroupKind = iota
	GroupFolder
	GroupConversations
	GroupRecent
	GroupAll // everything but the recent ones, in one group
)

// Group is a headed part of the list of histories.
type Group struct {
	Kind    GroupKind
	Folder  string            // of a GroupFolder
	Entries []*Entry          // an agent's file behind that of its caller
	Callers map[*Entry]*Entry // of the agents' files, the histories that called them
	Recents []Recent          // of the GroupConversations and the GroupRecent
}

// Recent is a file that was opened before and is not in the list now.
type Recent struct {
	store.Recent
	Gone bool // it was not there when it was looked for

	Agents, Messages int // of a recorded conversation
}

// Recorded reports a conversation that the database holds; it is no file.
func (r *Recent) Recorded() bool {
	_, ok := session.ConversationID(r.Path)
	return ok
}

// conversationsPlace is used as the folder that recorded conversations have
// not; no path is so called.
const conversationsPlace = "\x00conversations"

// Shelf is the list of histories as it is shown: in groups, those whose title
// or path holds the filter's words. hidden counts those it leaves out.
func (d *library) Shelf(filter string, by Order) (groups []Group, hidden int) {
	filter = strings.ToLower(strings.TrimSpace(filter))
	filter, starred := strings.CutPrefix(filter, Starred)
	filter = strings.TrimSpace(filter)
	holds := func(list ...string) bool {
		ok := filter == "" || slices.ContainsFunc(list, func(s string) bool { return strings.Contains(strings.ToLower(s), filter) })
		if !ok {
			hidden++
		}
		return ok
	}
	pass := func(e *Entry) bool {
		if starred && !e.Star {
			hidden++
			return false
		}
		return holds(e.Name, e.Title, e.Path, e.Note)
	}
	place := map[string]int{}
	callers, called := d.families()
	for _, e := range d.desk.entries {
		if callers[e] != nil || !pass(e) && !slices.ContainsFunc(called[e], pass) {
			continue
		}
		kind, folder := d.groupOf(e)
		i, ok := place[folder]
		if !ok {
			i = len(groups)
			place[folder] = i
			groups = append(groups, Group{Kind: kind, Folder: folder, Callers: callers})
		}
		groups[i].Entries = append(groups[i].Entries, e)
	}
	for i := range groups {
		sortEntries(groups[i].Entries, by)
		groups[i].Entries = withCalled(groups[i].Entries, called)
	}
	recent := Group{Kind: GroupRecent}
	for _, r := range d.recents {
		if slices.ContainsFunc(d.desk.entries, func(e *Entry) bool { return e.Path == r.Path }) || starred || !holds(r.Title, r.Path) {
			continue
		}
		if !r.Recorded() {
			recent.Recents = append(recent.Recents, r)
			continue
		}
		i, ok := place[conversationsPlace]
		if !ok {
			i = len(groups)
			place[conversationsPlace] = i
			groups = append(groups, Group{Kind: GroupConversations})
		}
		groups[i].Recents = append(groups[i].Recents, r)
	}
	if len(recent.Recents) > 0 {
		groups = append(groups, recent)
	}
	return groups, hidden
}

func sortEntries(list []*Entry, by Order) {
	if by&Reversed != 0 {
		defer slices.Reverse(list)
	}
	switch by &^ Reversed {
	case ByTitle:
		slices.SortStableFunc(list, func(a, b *Entry) int {
			return cmp.Compare(strings.ToLower(cmp.Or(a.Name, a.Title)), strings.ToLower(cmp.Or(b.Name, b.Title)))
		})
	case ByMessages:
		slices.SortStableFunc(list, func(a, b *Entry) int { return cmp.Compare(b.Messages, a.Messages) })
	case ByChanged:
		slices.SortStableFunc(list, func(a, b *Entry) int { return b.Changed.Compare(a.Changed) })
	case ByPeak:
		slices.SortStableFunc(list, func(a, b *Entry) int {
			x, _ := a.PeakShare()
			y, _ := b.PeakShare()
			return cmp.Compare(y, x)
		})
	case BySize:
		slices.SortStableFunc(list, func(a, b *Entry) int { return cmp.Compare(b.Size, a.Size) })
	case ByFound:
		slices.SortStableFunc(list, func(a, b *Entry) int { return cmp.Compare(b.Found, a.Found) })
	default:
		if len(list) > 0 && list[0].Sample == "" {
			slices.Reverse(list)
		}
	}
}

// Step looks at the history that is by places further down the list as it is
// shown; it stops at the ends.
func (d *library) Step(by int, filter string, order Order) {
	groups, _ := d.Shelf(filter, order)
	var list []*Entry
	for _, g := range groups {
		list = append(list, g.Entries...)
	}
	if len(list) == 0 {
		return
	}
	i := slices.Index(list, d.desk.current) + by
	if e := list[max(0, min(len(list)-1, i))]; e != d.desk.current {
		d.desk.Select(e)
	}
}

// LoadRecents reads the recent files again in the background.
func (d *library) LoadRecents() {
	if d.store == nil {
		return
	}
	sched.Run(d.sched, "recents", func(ctx context.Context, _ func(sched.Progress)) ([]Recent, error) {
		list, err := d.store.Recents(ctx)
		out := make([]Recent, 0, len(list))
		for _, r := range list {
			_, err := os.Stat(r.Path)
			out = append(out, Recent{Recent: r, Gone: err != nil})
		}
		talks, more := d.store.Conversations(ctx)
		for i := range talks {
			c := &talks[i]
			out = append(out, Recent{Recent: store.Recent{Path: session.ConversationName(c.ID), Title: c.Title},
				Agents: len(c.Agents), Messages: c.History.Messages})
		}
		return out, errors.Join(err, more)
	}, func(list []Recent, err error) {
		if err != nil {
			d.desk.Fail(err)
			return
		}
		d.recents = list
		d.notify(TopicFiles)
	})
}

// ForgetRecent takes a file out of the recent ones; the file stays.
func (d *library) ForgetRecent(path string) {
	sched.Do(d.sched, "forget:"+path, func(ctx context.Context, _ func(sched.Progress)) error {
		return d.store.RemoveRecent(ctx, path)
	}, func(err error) {
		if err != nil {
			d.desk.Fail(err)
		}
		d.LoadRecents()
	})
}

// UseStore hands in the store when it could not be had from the beginning;
// histories opened from now on keep their records in it.
func (d *library) UseStore(st *store.Store) {
	d.store = st
	d.LoadRecents()
	d.desk.LoadRecords()
	d.desk.LoadProvider()
	d.desk.loadWatched()
	d.desk.loadOwn()
	d.desk.loadFactors()
	d.desk.loadSteps()
	d.loadShelf()
	d.desk.announceExpiring()
}

// peekLimit is the size of a file up to which the list shows how many messages
// it holds before anybody opened it.
const peekLimit = 32 << 20

// Peek reads the files of the list that are not open yet, one after the other
// and in the background, to show their numbers of messages.
func (d *library) Peek() {
	var list []*Entry
	for _, e := range d.desk.entries {
		if e.State == Closed && !e.peeked && e.Messages == 0 && len(list) < 200 {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		d.saveKnown()
		return
	}
	e := list[0]
	from, ro := source{e.Path, e.data}, e.reading
	was, known := d.known[e.Path]
	sched.Run(d.sched, "peek", func(ctx context.Context, _ func(sched.Progress)) (outlook, error) {
		var got outlook
		if _, recorded := session.ConversationID(from.path); from.data == nil && !recorded {
			st, err := os.Stat(from.path)
			if err != nil {
				return got, err
			}
			got.Bytes, got.Time = st.Size(), st.ModTime().UnixNano()
			if known && was.Bytes == got.Bytes && was.Time == got.Time {
				return was, nil
			}
			if st.Size() > peekLimit {
				got.Outline.Size, got.Outline.Changed = st.Size(), st.ModTime()
				return got, nil
			}
		}
		opt := session.Options{}
		if d.store != nil {
			opt.Conversations = d.store
		}
		f, err := from.open(ctx, opt, ro)
		if err != nil {
			return got, err
		}
		defer f.Close()
		got.Outline, got.Title = outlineOf(f, session.Ref{}), f.Title(0)
		if got.Outline.Changed.IsZero() && got.Time > 0 {
			got.Outline.Changed = time.Unix(0, got.Time)
		}
		return got, nil
	}, func(got outlook, err error) {
		d.looked(e, got, err)
		d.Peek()
	})
}

// looked takes over what looking into a file found, or why it can't be read.
func (d *library) looked(e *Entry, got outlook, err error) {
	e.peeked = true
	switch {
	case e.State != Closed || stopped(err):
		return
	case err != nil:
		e.State, e.Err = Unavailable, err
	default:
		d.learn(e, got)
	}
	d.notify(TopicFiles)
}

// Grouping is what the histories of one group of the list have in common.
type Grouping uint8

// The groupings.
const (
	ByFolder  Grouping = iota
	ByProject          // working folder; where a file does not say it, its own
	Ungrouped
)

// Groupings lists them as they are offered.
var Groupings = []Grouping{ByFolder, ByProject, Ungrouped}

// SetGrouping says how [Desk.Shelf] groups.
func (d *library) SetGrouping(g Grouping) { d.grouping = g }

// Starred before the words of a filter leaves those with a star.
const Starred = "is:starred"

// Mark is what a person says of a history; its file stays as it is.
type Mark struct {
	Name  string            `json:"name,omitempty"`
	Star  bool              `json:"star,omitempty"`
	Note  string            `json:"note,omitempty"`  // words that begin with # are its tags
	Notes map[string]string `json:"notes,omitempty"` // of its messages, see noteKey
}

func (m *Mark) empty() bool { return m.Name == "" && !m.Star && m.Note == "" && len(m.Notes) == 0 }

// Tags are the words of the note that begin with #.
func (m *Mark) Tags() (list []string) {
	for _, w := range strings.Fields(m.Note) {
		if w = strings.TrimRight(w, ".,;:!?"); len(w) > 1 && w[0] == '#' && !slices.Contains(list, w) {
			list = append(list, w)
		}
	}
	return list
}

// outlook is what is known of a file that nobody opened yet, as long as its size and
// time stay. It is kept between two runs.
type outlook struct {
	Bytes   int64
	Time    int64 // of the last change, Unix nanoseconds
	Title   string
	Outline outline
}

const (
	marksSetting = "sessionMarks"
	knownSetting = "sessionOutlines"
)

// mostKnown bounds how many files are remembered.
const mostKnown = 2000

// loadShelf reads what is known of files, and what a person said of them.
func (d *library) loadShelf() {
	st := d.store
	if st == nil {
		return
	}
	type shelf struct {
		marks map[string]Mark
		known map[string]outlook
	}
	sched.Run(d.sched, "shelf", func(ctx context.Context, _ func(sched.Progress)) (s shelf, err error) {
		if _, err = st.Setting(ctx, marksSetting, &s.marks); err == nil {
			_, err = st.Setting(ctx, knownSetting, &s.known)
		}
		return s, err
	}, func(s shelf, err error) {
		if err != nil {
			d.desk.Fail(err)
			return
		}
		if d.marks, d.known = s.marks, s.known; len(d.marks)+len(d.known) == 0 {
			return
		}
		for _, e := range d.desk.entries {
			d.recall(e)
		}
		d.notify(TopicFiles)
	})
}

// recall gives an entry what a person said of it, and what its file was when it was
// looked into last; looking into it again says whether that still holds.
func (d *library) recall(e *Entry) {
	e.Mark = d.marks[e.Path]
	if k, ok := d.known[e.Path]; ok && e.State == Closed && e.Sample == "" && e.Lines == 0 {
		e.take(k.Outline)
		e.Title = cmp.Or(k.Title, e.Title)
	}
}

// learn takes over what looking into a file found.
func (d *library) learn(e *Entry, got outlook) {
	e.take(got.Outline)
	if e.Sample != "" {
		return
	}
	e.Title = cmp.Or(got.Title, e.Title)
	if got.Bytes == 0 || d.known[e.Path] == got {
		return
	}
	if d.known == nil {
		d.known = map[string]outlook{}
	}
	d.known[e.Path], d.unsaved = got, true
}

// saveKnown keeps what is known of files, if that is more than the store knows.
func (d *library) saveKnown() {
	if !d.unsaved || d.store == nil || d.store.ReadOnly() {
		return
	}
	d.unsaved = false
	for path := range d.known {
		if len(d.known) <= mostKnown {
			break
		}
		delete(d.known, path)
	}
	d.keep(knownSetting, maps.Clone(d.known))
}

func (d *library) keep(name string, value any) {
	st := d.store
	if st == nil || st.ReadOnly() {
		return
	}
	sched.Do(d.sched, name, func(ctx context.Context, _ func(sched.Progress)) error {
		return st.SetSetting(ctx, name, value)
	}, func(err error) {
		if err != nil {
			d.desk.Fail(err)
		}
	})
}

// Rename gives a history a title of its own in the list; "" takes it away. Its file
// keeps its name. It is a step that can be undone.
func (d *library) Rename(e *Entry, name string) {
	was, now := e.Name, strings.TrimSpace(name)
	if was == now {
		return
	}
	d.setName(e.Path, now)
	d.desk.did(&undo.Step{Kind: undo.Rename, Name: cmp.Or(now, e.shortTitle()), Path: e.Path, From: was, To: now})
}

// setName gives the history of a file a title, whether it is in the list or not.
func (d *library) setName(path, name string) {
	m := d.marks[path]
	m.Name = name
	d.mark(path, m)
}

// SetStar marks a history with a star, or no longer.
func (d *library) SetStar(e *Entry, on bool) {
	m := d.marks[e.Path]
	m.Star = on
	d.mark(e.Path, m)
}

func (d *library) mark(path string, m Mark) {
	if d.marks == nil {
		d.marks = map[string]Mark{}
	}
	if d.marks[path] = m; m.empty() {
		delete(d.marks, path)
	}
	for _, e := range d.desk.entries {
		if e.Path == path {
			e.Mark = m
		}
	}
	d.keep(marksSetting, maps.Clone(d.marks))
	d.notify(TopicFiles, TopicSession)
}

// SetSessionNote gives a history a note of a person's own; "" takes it away. It is a step
// that can be undone.
func (d *library) SetSessionNote(e *Entry, note string) {
	d.note(&undo.Step{Name: e.shortTitle(), Path: e.Path, To: note, Notes: map[string]string{"": e.Note}})
}

// Note is the note on a message of the history looked at, by its place; "" is none.
func (d *library) Note(history int) string {
	if e := d.desk.current; e != nil && len(e.Notes) > 0 {
		return e.Notes[d.noteKey(history)]
	}
	return ""
}

// SetNote writes a note on messages of the history looked at; "" takes it away. It is a
// step that can be undone.
func (d *library) SetNote(messages []int, note string) {
	e := d.desk.current
	if e == nil || len(messages) == 0 {
		return
	}
	was := map[string]string{}
	for _, at := range messages {
		if key := d.noteKey(at); key != "" {
			was[key] = e.Notes[key]
		}
	}
	name := fmt.Sprintf("#%d", messages[0]+1)
	if last := messages[len(messages)-1]; last != messages[0] {
		name += fmt.Sprintf("–%d", last+1)
	}
	d.note(&undo.Step{Of: d.desk.of(e), Name: name, Path: e.Path, To: note, Notes: was})
}

// note does a step that writes a note, if it changes anything.
func (d *library) note(s *undo.Step) {
	s.Kind, s.To = undo.Note, strings.TrimSpace(s.To)
	for _, was := range s.Notes {
		if was != s.To {
			d.writeNotes(s, true)
			d.desk.did(s)
			return
		}
	}
}

// writeNotes writes what a step wrote, or what was there before it.
func (d *library) writeNotes(s *undo.Step, again bool) {
	m := d.marks[s.Path]
	notes := maps.Clone(m.Notes) // the former ones may be on their way to the store
	for key, text := range s.Notes {
		if again {
			text = s.To
		}
		switch {
		case key == "":
			m.Note = text
		case text == "":
			delete(notes, key)
		case notes == nil:
			notes = map[string]string{key: text}
		default:
			notes[key] = text
		}
	}
	m.Notes = notes
	d.mark(s.Path, m)
	d.notify(TopicPlan, TopicSelect)
}

// noteKey names a message of the history looked at for its note: by the id that its file
// gives it, else by its place in its thread. "" is no message.
func (d *library) noteKey(history int) string {
	s := d.desk.Session()
	if s == nil || history < 0 || history >= len(s.Thread().History) {
		return ""
	}
	if id := s.Thread().Messages[s.Thread().History[history]].ID; id != "" {
		return id
	}
	return fmt.Sprint(pathKey("", d.desk.current.Ref), "#", history+1)
}

// Overview is what a history says of itself, seen without opening it.
type Overview struct {
	Calls   []session.Point // with what the file reports of each
	End     int             // messages of it
	Found   []model.Found
	First   string         // what a person asked first, its beginning
	Records []model.Record // that the database holds of it, the newest first
}

// recordsOfOverview bounds the records of an overview.
const recordsOfOverview = 20

// Overview looks at a history in the background. done gets nil if its file can't be read, or
// is too large for that.
func (d *library) Overview(e *Entry, done func(*Overview)) {
	from, ro, st := source{e.Path, e.data}, e.reading, d.store
	var open *model.Thread
	if e.Session != nil {
		open = e.Session.Thread()
	}
	large := open == nil && e.Size > peekLimit
	sched.Run(d.sched, "overview", func(ctx context.Context, _ func(sched.Progress)) (*Overview, error) {
		g := &Overview{}
		if st != nil {
			list, err := st.Records(ctx, store.Filter{Path: from.path, Limit: recordsOfOverview})
			if err != nil {
				return nil, err
			}
			g.Records = list
		}
		switch {
		case open != nil:
			g.take(open)
		case !large:
			opt := session.Options{}
			if st != nil {
				opt.Conversations = st
			}
			f, err := from.open(ctx, opt, ro)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			if len(f.Doc.Conversations) > 0 {
				g.take(f.Doc.Conversations[0].Main())
			}
		}
		return g, nil
	}, func(g *Overview, err error) {
		if stopped(err) {
			return
		}
		if err != nil {
			g = nil // its row says why
		}
		done(g)
	})
}

// take looks at a thread.
func (g *Overview) take(t *model.Thread) {
	g.End, g.Found = len(t.History), slices.Clone(t.Found)
	for at, i := range t.History {
		m := &t.Messages[i]
		if g.First == "" && m.Typed() {
			g.First = strings.Clone(m.Preview)
		}
		if m.Usage != nil && m.Usage.Input > 0 {
			g.Calls = append(g.Calls, session.Point{History: at, Recorded: int64(m.Usage.Input)})
		}
	}
}

// families finds the files of agents whose caller's file is in the list, too.
func (d *library) families() (callers map[*Entry]*Entry, called map[*Entry][]*Entry) {
	callers, called = map[*Entry]*Entry{}, map[*Entry][]*Entry{}
	main := map[string]*Entry{}
	for _, e := range d.desk.entries {
		if !e.Sub && e.ID != "" && e.Sample == "" {
			main[e.ID] = e
		}
	}
	for _, e := range d.desk.entries {
		if c := main[e.ID]; e.Sub && c != nil {
			callers[e], called[c] = c, append(called[c], e)
		}
	}
	return callers, called
}

// withCalled puts the files of agents behind those of their callers.
func withCalled(list []*Entry, called map[*Entry][]*Entry) []*Entry {
	if len(called) == 0 {
		return list
	}
	var out []*Entry
	for _, e := range list {
		out = append(out, e)
		out = append(out, called[e]...)
	}
	return out
}

// groupOf says in which group of the list a history is.
func (d *library) groupOf(e *Entry) (GroupKind, string) {
	if e.Sample != "" {
		return GroupSamples, ""
	}
	if _, ok := session.ConversationID(e.Path); ok {
		return GroupConversations, conversationsPlace
	}
	switch {
	case d.grouping == Ungrouped:
		return GroupAll, "\x00all"
	case d.grouping == ByProject && e.Dir != "":
		return GroupFolder, e.Dir
	}
	return GroupFolder, filepath.Dir(e.Path)
}

// Unlisted is the files of agents of the same conversation that are not in the list.
func (d *library) Unlisted(e *Entry) []session.Related {
	return slices.DeleteFunc(slices.Clone(e.Related), func(r session.Related) bool {
		return slices.ContainsFunc(d.desk.entries, func(o *Entry) bool { return o.Path == r.Path })
	})
}
