// Package undo is the one history of what a person did: named steps that are taken
// back and done again in their order. It holds the list; how a step is taken back
// is the desk's to know.
//
//	of A   of B   of all        seen from A, newest last
//	 ●                          Recent tail 10 % → 20 %
//	               ●            Delete R-0002
//	        ●                   (B's own: not seen)
//	 ○                          Apply R-0003      undone: Redo
package undo

import (
	"slices"
	"time"

	"palimpsest/model"
	"palimpsest/model/store"
)

// Kind is what a step did; its words are "step." and the kind.
type Kind string

// The kinds.
const (
	Params    Kind = "params"
	Preset    Kind = "preset"
	Pin       Kind = "pin"
	Unpin     Kind = "unpin"
	Apply     Kind = "apply"
	Compact   Kind = "compact"
	Many      Kind = "compactMany"
	Restore   Kind = "restore"
	Reapply   Kind = "reapply"
	Delete    Kind = "delete"
	Undelete  Kind = "undelete"
	Import    Kind = "import"
	WriteBack Kind = "writeBack"
	Unwrite   Kind = "unwrite"
	Rename    Kind = "rename"
	Note      Kind = "note"
	Remove    Kind = "remove" // from the list of histories

	DraftAdd     Kind = "draftAdd"
	DraftEdit    Kind = "draftEdit"
	DraftRemove  Kind = "draftRemove"
	DraftMove    Kind = "draftMove"
	DraftTake    Kind = "draftTake"
	DraftPutBack Kind = "draftPutBack"
	DraftDiscard Kind = "draftDiscard"
)

// Step is one thing that a person did.
type Step struct {
	Kind   Kind      `json:"kind"`
	Time   time.Time `json:"time"`
	Of     string    `json:"of,omitempty"` // history that it changed; "": all see it
	Name   string    `json:"name"`         // of what: a record, a message, a preset, a file
	Count  int       `json:"count,omitempty"`
	Former int       `json:"former,omitempty"` // summaries among what came or went
	Undone bool      `json:"undone,omitempty"`

	Was  model.Policy `json:"was,omitzero"` // parameters
	Now  model.Policy `json:"now,omitzero"`
	Path string       `json:"path,omitempty"` // of the file whose title or note changed,
	From string       `json:"from,omitempty"` // from this
	To   string       `json:"to,omitempty"`   // to this
	// Notes are what was written before, by the message; "" is that on the history.
	Notes map[string]string `json:"notes,omitempty"`

	Change store.Change `json:"change"`           // of the stored records
	Before []string     `json:"before,omitempty"` // IDs of the history's stack,
	After  []string     `json:"after,omitempty"`  // the bottom one first

	// What follows is of this run alone.

	Owner   any              `json:"-"` // what alone can take it back; nil: anybody
	Records []*model.Record  `json:"-"` // those of both stacks
	Move    func(again bool) `json:"-"` // takes it back, or does it again; nil: the kind says how
	Back    func()           `json:"-"` // is called when it was taken back; nil: nothing
}

// Kept reports whether a step outlives the program.
func (s *Step) Kept() bool { return s.Move == nil }

// OfParams reports whether a step changed parameters.
func (s *Step) OfParams() bool { return slices.Contains([]Kind{Params, Preset, Pin, Unpin}, s.Kind) }

// most bounds the steps that are remembered.
const most = 500

// List is the steps, the oldest first. Its zero value is empty.
type List struct{ steps []*Step }

// View is the steps that are seen from one history.
type View func(*Step) bool

// Add adds a step, and forgets the undone ones that it is seen with: what stood
// above it can't be done again.
func (l *List) Add(s *Step) {
	l.steps = slices.DeleteFunc(l.steps, func(x *Step) bool { return x.Undone && (s.Of == "" || x.Of == "" || x.Of == s.Of) })
	l.steps = append(l.steps, s)
	if len(l.steps) > most {
		l.steps = slices.Delete(l.steps, 0, len(l.steps)-most)
	}
}

// Forget takes steps out of the list.
func (l *List) Forget(gone func(*Step) bool) { l.steps = slices.DeleteFunc(l.steps, gone) }

// Seen are the steps of a view, the oldest first.
func (l *List) Seen(v View) (list []*Step) {
	for _, s := range l.steps {
		if v(s) {
			list = append(list, s)
		}
	}
	return list
}

// Next is the step of a view that an undo takes back, and the one that a redo does
// again; nil: none.
func (l *List) Next(v View) (undo, redo *Step) {
	for _, s := range slices.Backward(l.Seen(v)) {
		if !s.Undone {
			return s, redo
		}
		redo = s
	}
	return nil, redo
}

// Way is how many steps of a view are to be undone, or redone, until a step is the
// newest one that is done.
func (l *List) Way(v View, to *Step) (undo, redo int) {
	seen := l.Seen(v)
	at := slices.Index(seen, to)
	if at < 0 {
		return 0, 0
	}
	for _, s := range seen[at+1:] {
		if !s.Undone {
			undo++
		}
	}
	for _, s := range seen[:at+1] {
		if s.Undone {
			redo++
		}
	}
	return undo, redo
}

// Kept are the steps that outlive the program, as they are stored.
func (l *List) Kept() (list []*Step) { return l.Seen((*Step).Kept) }

// Put puts stored steps before those that are there.
func (l *List) Put(stored []*Step) { l.steps = append(slices.Clone(stored), l.steps...) }

// Move hands the steps of one owner to another that takes its place.
func (l *List) Move(from, to any) {
	for _, s := range l.steps {
		if s.Owner == from {
			s.Owner = to
		}
	}
}
