package desk

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/gui/state"
	"palimpsest/model/store"
)

// library is all that was ever opened, starred, noted or recorded, until a person takes it
// off the list, and the conversations that the database holds.
type library struct {
	subject
	recents  []Recent
	grouping Grouping
	marks    map[string]Mark    // by path
	known    map[string]outlook // by path, see recall
	unsaved  bool               // known holds what the store does not
	off      map[string]bool    // paths that a person took off the list
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
	GroupAll // everything in one group
)

// Group is a headed part of the list of histories.
type Group struct {
	Kind    GroupKind
	Folder  string            // of a GroupFolder
	Entries []*Entry          // an agent's file behind that of its caller
	Callers map[*Entry]*Entry // of the agents' files, the histories that called them
	Recents []Recent          // of the GroupConversations
}

// Recent is a recorded conversation that is not in the list of entries.
type Recent struct {
	store.Recent
	Agents, Messages int
	Changed          time.Time
}

// Closed is a recorded conversation as an entry that is not in the list.
func (r *Recent) Closed() *Entry {
	return &Entry{Path: r.Path, Title: r.Title,
		outline: outline{Agents: r.Agents, Messages: r.Messages, Changed: r.Changed.Local()}}
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
		SortEntries(groups[i].Entries, by)
		slices.SortStableFunc(groups[i].Entries, func(a, b *Entry) int { // what can't be read is last
			return cmp.Compare(a.State/Unavailable, b.State/Unavailable)
		})
		groups[i].Entries = withCalled(groups[i].Entries, called)
	}
	for _, r := range d.recents {
		if slices.ContainsFunc(d.desk.entries, func(e *Entry) bool { return e.Path == r.Path }) || starred || !holds(r.Title, r.Path) {
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
	return groups, hidden
}

// SortEntries puts entries in an order; those that were added are newest last.
func SortEntries(list []*Entry, by Order) {
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
		slices.SortStableFunc(list, func(a, b *Entry) int { return cmp.Compare(b.Found+b.Made, a.Found+a.Made) })
	default:
		if len(list) > 0 && list[0].Sample == "" { // by the date that is shown; where there is none, newest added first
			slices.Reverse(list)
			slices.SortStableFunc(list, func(a, b *Entry) int { return b.Changed.Compare(a.Changed) })
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

// LoadRecents reads the recorded conversations again in the background.
func (d *library) LoadRecents() {
	if d.Store == nil {
		return
	}
	state.Run(d.core, "recents", func(ctx context.Context) ([]Recent, error) {
		talks, err := d.Store.Conversations(ctx)
		out := make([]Recent, 0, len(talks))
		for i := range talks {
			c := &talks[i]
			out = append(out, Recent{Recent: store.Recent{Path: session.ConversationName(c.ID), Title: c.Title},
				Agents: len(c.Agents), Messages: c.History.Messages, Changed: c.Changed})
		}
		return out, err
	}, func(list []Recent) {
		d.recents = list
		d.Notify(TopicFiles)
	})
}

// useStore hands in the store when it could not be had from the beginning;
// histories opened from now on keep their records in it.
func (d *library) useStore(st *store.Store) {
	d.Store = st
	d.LoadRecents()
	d.desk.RecordList.LoadRecords()
	d.desk.loadProvider()
	d.desk.loadWatched()
	d.load()
	d.desk.announceExpiring()
}

// load reads from the store, if it is there, what former runs left.
func (d *library) load() {
	if d.Store != nil {
		d.desk.loadOwn()
		d.desk.loadFactors()
		d.desk.loadSteps()
		d.loadShelf()
	}
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

const (
	marksSetting = "sessionMarks"
	knownSetting = "sessionOutlines"
	offSetting   = "sessionsOff"
)

// loadShelf reads what is known of files, and what a person said of them.
func (d *library) loadShelf() {
	st := d.Store
	type shelf struct {
		marks map[string]Mark
		known map[string]outlook
		off   map[string]bool
		files map[string]error // all that was ever opened, marked or recorded, and why it can't be read
	}
	state.Run(d.core, "shelf", func(ctx context.Context) (s shelf, err error) {
		s.off, s.files = map[string]bool{}, map[string]error{}
		_, err = st.Setting(ctx, marksSetting, &s.marks)
		_, known := st.Setting(ctx, knownSetting, &s.known)
		_, off := st.Setting(ctx, offSetting, &s.off)
		opened, recent := st.Recents(ctx)
		made, recorded := st.Records(ctx, store.Filter{Limit: mostKnown})
		paths := slices.AppendSeq(slices.Collect(maps.Keys(s.marks)), maps.Keys(s.known))
		for _, r := range opened {
			paths = append(paths, r.Path)
		}
		for i := range made {
			paths = append(paths, made[i].Path)
		}
		for _, path := range paths {
			if filepath.IsAbs(path) && !s.off[path] { // else a sample, or recorded here
				_, s.files[path] = os.Stat(path)
			}
		}
		return s, errors.Join(err, known, off, recent, recorded)
	}, func(s shelf) {
		d.marks, d.known, d.off = s.marks, s.known, s.off
		for _, e := range d.desk.entries {
			d.recall(e)
		}
		for _, path := range slices.Sorted(maps.Keys(s.files)) {
			if e := d.desk.entry(path); s.files[path] != nil && e.State == Closed {
				e.State, e.Err = Unavailable, s.files[path]
			}
		}
		d.Notify(TopicFiles)
	})
}

// list notes that a file is on the list, or that a person took it off.
func (d *library) list(path string, on bool) {
	if d.off == nil || d.off[path] != on {
		return
	}
	d.off = maps.Clone(d.off) // the former one may be on its way to the store
	if d.off[path] = true; on {
		delete(d.off, path)
	}
	d.Keep(offSetting, d.off)
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
