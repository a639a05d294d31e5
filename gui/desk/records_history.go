package desk

import (
	"slices"

	"palimpsest/compaction/session"
	"palimpsest/model"
)

// SameHistory reports whether a record may belong to the open session: the same
// bytes, or the same file as it was at another time.
func (d *recordView) SameHistory(rec *model.Record) bool {
	s := d.desk.Session()
	if s == nil {
		return false
	}
	doc := s.File().Doc
	return (doc.Hash() == rec.SourceSHA || doc.Path == rec.Path) &&
		s.Ref() == (session.Ref{Conversation: rec.Conversation, Thread: rec.Thread})
}

// BuiltOn reports whether the open session is built on a record.
func (d *recordView) BuiltOn(rec *model.Record) bool {
	s := d.desk.Session()
	return s != nil && slices.ContainsFunc(s.Stack(), func(x *model.Record) bool { return x.UID == rec.UID })
}

// RecordState is the state of a record as seen from the open session.
func (d *recordView) RecordState(rec *model.Record) model.State { return rec.State(d.BuiltOn(rec)) }

// Under is the record of the open session that took in the summary of another one;
// "": none did.
func (d *recordView) Under(rec *model.Record) string {
	s := d.desk.Session()
	if s == nil {
		return ""
	}
	for _, x := range s.Stack() {
		if slices.Contains(x.Parents, rec.ID) {
			return x.ID
		}
	}
	return ""
}
