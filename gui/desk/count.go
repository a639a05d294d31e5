package desk

import (
	"context"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
)

// sketchFrom is the size in bytes from which a file is shown before its tokens
// are counted: below, counting takes less than a person notices.
var sketchFrom int64 = 8 << 20

// counted is a session with its counts, and the sketch it follows.
type counted struct{ sketch, session *session.Session }

func countProgress(progress func(sched.Progress)) func(done, total int) {
	return func(done, total int) { progress(sched.Progress{Done: int64(done), Total: int64(total), Text: "count"}) }
}

// CanCount reports whether the present history is a sketch that nobody counts,
// because a person stopped that.
func (d *fileList) CanCount() bool {
	s := d.desk.Session()
	return s != nil && s.Sketched() && !d.Sched.Running("count") && d.current.counted == nil
}

// Counting reports whether the present history is a sketch that is being counted.
func (d *fileList) Counting() bool {
	s := d.desk.Session()
	return s != nil && s.Sketched() && d.Sched.Running("count")
}

// StopCounting leaves the present history a sketch: its rows can be looked at
// and parameters tried, and nothing applied.
func (d *fileList) StopCounting() {
	if !d.Counting() {
		return
	}
	d.Sched.Cancel("count")
	d.current.Done, d.current.Total = 0, 0
	d.desk.lookAgain(d.current)
	d.Notify(TopicFiles)
}

// Count counts the messages of the present sketch after all.
func (d *fileList) Count() {
	if d.CanCount() {
		d.count(d.current, d.desk.Session())
		d.Notify(TopicFiles)
	}
}

// count counts the messages of a sketch that is looked at, in the background. While a
// parameter is dragged most of the processors belong to the plans and their frames.
func (d *fileList) count(e *Entry, sketch *session.Session) {
	if !sketch.Sketched() {
		return
	}
	f := e.File
	e.Done, e.Total = 0, 0
	sched.Run(d.Sched, "count", func(ctx context.Context, progress func(sched.Progress)) (*session.Session, error) {
		report := countProgress(progress)
		s, err := f.Count(ctx, sketch, func(done, total int) {
			report(done, total)
			d.Hand.Wait(ctx) // each worker comes here every few messages
		})
		if err == nil { // what plans begin with, or the rows of the sketch would stay for as long under the new name
			s.TakeOver(sketch)
			s.Next(s.Policy())
		}
		return s, err
	}, func(s *session.Session, err error) {
		if err != nil {
			d.Fail(err)
			return
		}
		e.counted = &counted{sketch, s}
		d.takeCounted(e)
		d.desk.lookAgain(e)
	})
}

// takeCounted puts a counted session in the place of its sketch, now or when
// nothing prevents it any more. Selection, filter and parameters stay.
func (d *fileList) takeCounted(e *Entry) {
	c := e.counted
	if c == nil || d.desk.busy(e) {
		return
	}
	e.counted = nil
	ref := c.sketch.Ref()
	if e.sessions[ref] != c.sketch { // the file grew or was read again meanwhile
		return
	}
	c.session.TakeOver(c.sketch)
	e.sessions[ref] = c.session
	if e.Session != c.sketch {
		return
	}
	e.Session = c.session
	d.desk.replaced(c.sketch, c.session)
	d.Notify(TopicFiles)
	if e != d.current {
		return
	}
	d.desk.Planning.Counted(c.sketch, c.session)
	d.Notify(TopicSession, TopicParams)
	d.desk.Planning.Replan()
	d.desk.index(c.session)
}
