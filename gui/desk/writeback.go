package desk

import (
	"context"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
)

// CanWriteBack reports whether the history looked at is a recorded conversation
// with a compaction to put in its place.
func (d *agentTree) CanWriteBack() bool {
	s := d.desk.Session()
	if s == nil || d.store == nil || d.store.ReadOnly() {
		return false
	}
	_, recorded := session.ConversationID(s.File().Doc.Path)
	return recorded && len(s.Stack()) > 0
}

// CanUnwrite reports whether the history looked at is a recorded conversation that a
// record was written back to.
func (d *agentTree) CanUnwrite() bool {
	s := d.desk.Session()
	return s != nil && d.store != nil && !d.store.ReadOnly() && s.CanUnwrite() && len(s.Stack()) == 0
}

// Unwrite undoes the write-back; done hears when it is undone.
func (d *agentTree) Unwrite(done func()) {
	d.rewrite(func(ctx context.Context, s *session.Session) error { return s.Unwrite(ctx) }, done)
}

// WriteBack puts what the records leave of the thread looked at in the place of
// what the recorded conversation holds; done hears when it is written.
func (d *agentTree) WriteBack(done func()) {
	d.rewrite(func(ctx context.Context, s *session.Session) error { return s.Overlay().WriteBack(ctx) }, done)
}

// rewrite changes the recorded conversation looked at, and opens what is there
// then.
func (d *agentTree) rewrite(write func(context.Context, *session.Session) error, done func()) {
	s := d.desk.Session()
	if s == nil {
		return
	}
	sched.Do(d.sched, "write-back", func(ctx context.Context, _ func(sched.Progress)) error {
		return write(ctx, s)
	}, func(err error) {
		if err != nil {
			d.desk.Fail(err)
			return
		}
		d.desk.LoadRecents()
		d.desk.LoadRecords()
		if e := d.desk.current; e != nil && e.Session == s {
			d.desk.reopen(e) // its source was overwritten; the next compaction needs the new bytes
		}
		done()
	})
}
