package desk

import (
	"context"
	"errors"
	"reflect"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
)

// sketchFrom is the size in bytes from which a file is shown before its tokens
// are counted: below, counting takes less than a person notices.
const sketchFrom = 8 << 20

// counted is a session with its counts, and the sketch it follows.
type counted struct{ sketch, session *session.Session }

func countProgress(progress func(sched.Progress)) func(done, total int) {
	return func(done, total int) { progress(sched.Progress{Done: int64(done), Total: int64(total), Text: "count"}) }
}

// count counts the messages of a sketch that is looked at, in the background.
func (d *Desk) count(e *Entry, sketch *session.Session) {
	if !sketch.Sketched() {
		return
	}
	f := e.File
	sched.Run(d.sched, "count", func(ctx context.Context, progress func(sched.Progress)) (*session.Session, error) {
		return f.Count(ctx, sketch, countProgress(progress))
	}, func(s *session.Session, err error) {
		e.Counting = false
		if err != nil {
			if !errors.Is(err, context.Canceled) {
				d.Fail(err)
			}
			return
		}
		e.counted = &counted{sketch, s}
		d.takeCounted(e)
	})
}

// takeCounted puts a counted session in the place of its sketch, now or when
// nothing stands in the way any more. Selection, filter and parameters stay.
func (d *Desk) takeCounted(e *Entry) {
	c := e.counted
	if c == nil || d.busy(e) {
		return
	}
	e.counted = nil
	ref := c.sketch.Ref()
	if e.sessions[ref] != c.sketch { // the file grew or was read anew meanwhile
		return
	}
	c.session.TakeOver(c.sketch)
	e.sessions[ref] = c.session
	if e.Session != c.sketch {
		return
	}
	e.Session = c.session
	if d.detailOf.session == c.sketch {
		d.detailOf.session = c.session
	}
	d.tell(TopicFiles)
	if e != d.current {
		return
	}
	if reflect.DeepEqual(d.params, c.sketch.Policy()) { // else a drag is under way
		d.params = c.session.Policy()
	}
	d.tell(TopicSession, TopicParams)
	d.Replan()
	d.index(c.session)
}
