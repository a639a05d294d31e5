package desk

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/model/store"
)

// library is what can be opened: recent files, folders, and files whose format a
// person says.
type library struct {
	subject
	recents []Recent
}

// Order is how the histories of a group are sorted.
type Order uint8

// The orders.
const (
	ByAdded Order = iota // newest first; samples in their own order
	ByTitle
	ByMessages
)

// Orders lists them as they are offered.
var Orders = []Order{ByAdded, ByTitle, ByMessages}

// GroupKind says what the histories of a group have in common.
type GroupKind uint8

// The kinds of groups.
const (
	GroupSamples GroupKind = iota
	GroupFolder
	GroupConversations
	GroupRecent
)

// Group is a headed part of the list of histories.
type Group struct {
	Kind    GroupKind
	Folder  string // of a GroupFolder
	Entries []*Entry
	Recents []Recent // of the GroupConversations and the GroupRecent
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
	pass := func(list ...string) bool {
		ok := filter == "" || slices.ContainsFunc(list, func(s string) bool { return strings.Contains(strings.ToLower(s), filter) })
		if !ok {
			hidden++
		}
		return ok
	}
	place := map[string]int{}
	for _, e := range d.desk.entries {
		if !pass(e.Title, e.Path) {
			continue
		}
		kind, folder := GroupFolder, filepath.Dir(e.Path)
		if e.Sample != "" {
			kind, folder = GroupSamples, ""
		} else if _, ok := session.ConversationID(e.Path); ok {
			kind, folder = GroupConversations, conversationsPlace
		}
		i, ok := place[folder]
		if !ok {
			i = len(groups)
			place[folder] = i
			groups = append(groups, Group{Kind: kind, Folder: folder})
		}
		groups[i].Entries = append(groups[i].Entries, e)
	}
	for _, g := range groups {
		sortEntries(g.Entries, by)
	}
	recent := Group{Kind: GroupRecent}
	for _, r := range d.recents {
		if slices.ContainsFunc(d.desk.entries, func(e *Entry) bool { return e.Path == r.Path }) || !pass(r.Title, r.Path) {
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
	switch by {
	case ByTitle:
		slices.SortStableFunc(list, func(a, b *Entry) int {
			return cmp.Compare(strings.ToLower(a.Title), strings.ToLower(b.Title))
		})
	case ByMessages:
		slices.SortStableFunc(list, func(a, b *Entry) int { return cmp.Compare(b.Messages, a.Messages) })
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
		return
	}
	e := list[0]
	from, ro := source{e.Path, e.data}, e.reading
	sched.Run(d.sched, "peek", func(ctx context.Context, _ func(sched.Progress)) (outline, error) {
		if _, recorded := session.ConversationID(from.path); from.data == nil && !recorded {
			if st, err := os.Stat(from.path); err != nil || st.Size() > peekLimit {
				return outline{}, err
			}
		}
		opt := session.Options{}
		if d.store != nil {
			opt.Conversations = d.store
		}
		f, err := from.open(ctx, opt, ro)
		if err != nil {
			return outline{}, err
		}
		defer f.Close()
		return outlineOf(f, session.Ref{}), nil
	}, func(got outline, err error) {
		e.peeked = true
		if err == nil && e.State == Closed {
			e.take(got)
			d.notify(TopicFiles)
		}
		d.Peek()
	})
}
