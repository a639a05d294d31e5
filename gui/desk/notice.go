package desk

import (
	"fmt"
	"slices"
)

// Severity of a notice.
type Severity uint8

// The severities.
const (
	Info Severity = iota
	Warning
	Failure
)

// Notice is something to say that needs no answer: a banner. Either Err is set,
// or Code names words with Args.
type Notice struct {
	Severity Severity
	Code     string
	Args     []any
	Err      error
	About    *Entry // whose file it is about; nil: none. It goes when that is read again

	at *Entry // the history looked at when it was said
}

// With reports whether a notice is to be shown beside a history: it is about that one, was
// said beside it, or belongs to none.
func (n *Notice) With(e *Entry) bool {
	if n.About != nil {
		return n.About == e
	}
	return n.at == nil || n.at == e
}

// same reports whether two notices say the same of the same.
func (n *Notice) same(o *Notice) bool {
	return n.Severity == o.Severity && n.Code == o.Code && n.About == o.About && fmt.Sprint(n.Args, n.Err) == fmt.Sprint(o.Args, o.Err)
}

// Notices are the ones not closed yet, oldest first.
func (d *Desk) Notices() []*Notice { return d.notices }

// Say adds a notice. One that says the same already goes: it is said once, as
// the newest.
func (d *Desk) Say(n Notice) {
	d.notices = slices.DeleteFunc(d.notices, func(x *Notice) bool { return x.same(&n) })
	n.at = d.current
	d.notices = append(d.notices, &n)
	const most = 3
	if len(d.notices) > most {
		d.notices = d.notices[len(d.notices)-most:]
	}
	d.Notify(TopicNotice)
}

// closeNoticesOf takes away what was said about a history's file.
func (d *Desk) closeNoticesOf(e *Entry) { d.closeNotices(func(x *Notice) bool { return x.About == e }) }

func (d *Desk) closeNotices(gone func(*Notice) bool) {
	n := len(d.notices)
	d.notices = slices.DeleteFunc(d.notices, gone)
	if len(d.notices) < n {
		d.Notify(TopicNotice)
	}
}

// Fail says an error. Where it is that the database is damaged, what can be read of it
// takes its place first.
func (d *Desk) Fail(err error) {
	if !d.readRest(err) {
		d.Say(Notice{Severity: Failure, Err: err})
	}
}

// CloseNotice takes a notice away.
func (d *Desk) CloseNotice(n *Notice) {
	d.notices = slices.DeleteFunc(d.notices, func(x *Notice) bool { return x == n })
	d.Notify(TopicNotice)
}
