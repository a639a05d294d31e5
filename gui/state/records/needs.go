package records

import (
	"palimpsest/compaction/session"
	"palimpsest/gui/state"
	"palimpsest/gui/state/undo"
	"palimpsest/model"
	"palimpsest/model/store"
)

// Histories is what the records ask of the histories that are open.
type Histories interface {
	Session() *session.Session // the one looked at; nil: none
	LookedAt() (path string)   // its file; "": none
	OpenSessions() []*session.Session
	// Made hears how many compactions are stored of each file, by path.
	Made(counts map[string]int)
	// Show looks at a thread of a history, which is added where it is not in the list.
	Show(path string, ref session.Ref)
	// ShowCopy looks at the stored copy of a record's file.
	ShowCopy(r *model.Record, content []byte)
}

// Steps is what the records tell the undo history.
type Steps interface {
	// Saving says that a step is being stored. It returns a key for that work, and what
	// is to be called when the step was noted.
	Saving(work string) (key string, stored func())
	// Stored notes a change of the stored records that all histories see.
	Stored(k undo.Kind, c store.Change)
	// Made is the step by which records were made on a session's stack.
	Made(k undo.Kind, s *session.Session, before []*model.Record, made ...*model.Record) *undo.Step
	Did(s *undo.Step)
	// TrashEmptied forgets the steps that need what was in the trash.
	TrashEmptied()
}

// needs is what the list of records and the record looked at need of others.
type needs struct {
	core      *state.Core
	histories Histories
	steps     Steps
	restacked func(...*session.Session)
}

// New makes the list of records and the record looked at. restacked is called when the
// stacks of these sessions changed.
func New(core *state.Core, h Histories, st Steps, restacked func(...*session.Session)) (*List, *View) {
	n := needs{core, h, st, restacked}
	l := &List{needs: n, list: &recordList{}, ticked: map[string]bool{}, tickAnchor: -1, query: FirstQuery()}
	l.looked = &View{needs: n, table: l}
	return l, l.looked
}

// foundID reports whether an ID names a record found in a file.
func foundID(id string) bool { return len(id) > 1 && id[0] == 'F' }
