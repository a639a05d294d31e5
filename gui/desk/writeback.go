package desk

import (
	"context"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
)

// CanWriteBack reports whether the history looked at is a recorded conversation
// with a compaction to put in its place.
func (d *drafting) CanWriteBack() bool {
	s := d.desk.Session()
	if s == nil || d.store == nil || d.store.ReadOnly() {
		return false
	}
	_, recorded := session.ConversationID(s.File().Doc.Path)
	return recorded && len(s.Stack()) > 0
}

// WriteBack puts what the records leave of the thread looked at in the place of
// what the recorded conversation holds; done hears when it is written.
func (d *drafting) WriteBack(done func()) {
	s := d.desk.Session()
	if s == nil {
		return
	}
	sched.Do(d.sched, "write-back", func(ctx context.Context, _ func(sched.Progress)) error {
		return s.Overlay().WriteBack(ctx)
	}, func(err error) {
		if err != nil {
			d.desk.Fail(err)
			return
		}
		d.desk.LoadRecents()
		if e := d.desk.current; e != nil && e.Session == s {
			d.desk.reopen(e) // its source was overwritten; the next compaction needs the new bytes
		}
		done()
	})
}
