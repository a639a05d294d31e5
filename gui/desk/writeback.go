package desk

import (
	"context"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/gui/state/undo"
	"palimpsest/model"
)

// CanWriteBack reports whether the history looked at is a recorded conversation
// with a compaction to put in its place.
func (d *agentTree) CanWriteBack() bool {
	s := d.desk.Session()
	if s == nil || d.Store == nil || d.Store.ReadOnly() {
		return false
	}
	_, recorded := session.ConversationID(s.File().Doc.Path)
	return recorded && len(s.Stack()) > 0
}

// CanUnwrite reports whether the history looked at is a recorded conversation that a
// record was written back to.
func (d *agentTree) CanUnwrite() bool {
	s := d.desk.Session()
	return s != nil && d.Store != nil && !d.Store.ReadOnly() && s.CanUnwrite() && len(s.Stack()) == 0
}

// Unwritable reports whether the write-back of a record is the one that [Unwrite] undoes.
func (d *agentTree) Unwritable(rec *model.Record) bool {
	return d.CanUnwrite() && d.desk.Session().Parent().UID == rec.UID
}

// Unwrite undoes the write-back; undoable.
func (d *agentTree) Unwrite() { d.writeStep(undo.Unwrite) }

// WriteBack puts what the records leave of the thread looked at in the place of
// what the recorded conversation holds; undoable.
func (d *agentTree) WriteBack() { d.writeStep(undo.WriteBack) }

func (d *agentTree) writeStep(k undo.Kind) {
	e := d.desk.current
	if e == nil {
		return
	}
	d.rewrite(k == undo.WriteBack, func(err error) {
		if err != nil {
			d.Fail(err)
			return
		}
		d.desk.Did(&undo.Step{Kind: k, Of: d.desk.of(e), Name: e.shortTitle()})
	})
}

// rewrite writes the recorded conversation looked at back or puts its originals
// back, and opens what is there then.
func (d *agentTree) rewrite(back bool, done func(error)) {
	s := d.desk.Session()
	if s == nil {
		done(noStore())
		return
	}
	sched.Do(d.Sched, "write-back", func(ctx context.Context, _ func(sched.Progress)) error {
		if back {
			return s.Overlay().WriteBack(ctx)
		}
		return s.Unwrite(ctx)
	}, func(err error) {
		if err == nil {
			d.desk.LoadRecents()
			d.desk.RecordList.LoadRecords()
			if r := d.desk.RecordView.Record(); r != nil {
				d.desk.RecordView.SelectRecord(r.ID) // its state is another one now
			}
			if e := d.desk.current; e != nil && e.Session == s {
				d.desk.reopen(e) // its source was overwritten; the next compaction needs the new bytes
			}
		}
		done(err)
	})
}
