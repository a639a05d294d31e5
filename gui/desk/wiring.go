package desk

import (
	"slices"

	"palimpsest/compaction/session"
)

// What subjects need of each other is joined here.

// restacked is called when the stacks of sessions changed: what was computed on them is
// made again.
func (d *Desk) restacked(list ...*session.Session) {
	for _, s := range list {
		d.outdated(s)
	}
	d.Replan()
}

// histories is the list of histories as other subjects see it.
type histories struct{ *fileList }

// LookedAt is the file of the history looked at; "": there is none.
func (d histories) LookedAt() string {
	if d.current == nil {
		return ""
	}
	return d.current.Path
}

// OpenSessions lists the sessions that are open in the window.
func (d histories) OpenSessions() (list []*session.Session) {
	for _, e := range d.entries {
		if e.Session != nil {
			list = append(list, e.Session)
		}
		for _, s := range e.sessions {
			if s != nil && s != e.Session {
				list = append(list, s)
			}
		}
	}
	return list
}

// Show looks at a thread of a history. One that is not in the list is added from its
// file.
func (d histories) Show(path string, ref session.Ref) {
	i := slices.IndexFunc(d.entries, func(e *Entry) bool { return e.Path == path })
	switch {
	case i < 0:
		d.Add(path)
	case d.entries[i].State == Ready && d.entries[i].Ref != ref && d.entries[i].File.Has(ref):
		d.SelectThread(d.entries[i], ref)
	default:
		d.Select(d.entries[i])
	}
}
