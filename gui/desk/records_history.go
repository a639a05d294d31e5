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

// Aside reports whether a compaction that was applied and never switched off is
// nevertheless not applied to the open session, of whose history it is: one that
// was imported beside others, or made by a verb, which writes a file instead.
func (d *recordView) Aside(rec *model.Record) bool {
	return rec.Outcome == model.Applied && !rec.Off && rec.Cause != model.CauseRestore && rec.Cause != model.CauseFound &&
		d.SameHistory(rec) && !d.BuiltOn(rec)
}
