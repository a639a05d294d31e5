package desk

import (
	"cmp"
	"context"
	"maps"
	"os"
	"strings"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/store"
)

// peekLimit is the size of a file up to which the list shows how many messages
// it holds before anybody opened it.
const peekLimit = 32 << 20

// Peek reads the files of the list that are not open yet, one after the other
// and in the background, to show their numbers of messages.
func (d *library) Peek() {
	var list []*Entry
	for _, e := range d.desk.entries {
		if e.State == Closed && !e.peeked && e.Messages == 0 && len(list) < 200 {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		d.saveKnown()
		return
	}
	e := list[0]
	from, ro := source{e.Path, e.data}, e.reading
	was, known := d.known[e.Path]
	sched.Run(d.Sched, "peek", func(ctx context.Context, _ func(sched.Progress)) (outlook, error) {
		var got outlook
		if _, recorded := session.ConversationID(from.path); from.data == nil && !recorded {
			st, err := os.Stat(from.path)
			if err != nil {
				return got, err
			}
			got.Bytes, got.Time = st.Size(), st.ModTime().UnixNano()
			if known && was.Bytes == got.Bytes && was.Time == got.Time {
				return was, nil
			}
			if st.Size() > peekLimit {
				got.Outline.Size, got.Outline.Changed = st.Size(), st.ModTime()
				return got, nil
			}
		}
		opt := session.Options{}
		if d.Store != nil {
			opt.Conversations = d.Store
		}
		f, err := from.open(ctx, opt, ro)
		if err != nil {
			return got, err
		}
		defer f.Close()
		got.Outline, got.Title = outlineOf(f, session.Ref{}), f.Title(0)
		if got.Outline.Changed.IsZero() && got.Time > 0 {
			got.Outline.Changed = time.Unix(0, got.Time)
		}
		return got, nil
	}, func(got outlook, err error) {
		d.looked(e, got, err)
		d.Peek()
	})
}

// looked takes over what looking into a file found, or why it can't be read.
func (d *library) looked(e *Entry, got outlook, err error) {
	e.peeked = true
	switch {
	case e.State != Closed || stopped(err):
		return
	case err != nil:
		e.State, e.Err = Unavailable, err
	default:
		d.learn(e, got)
	}
	d.Notify(TopicFiles)
}

// outlook is what is known of a file that nobody opened yet, as long as its size and
// time stay. It is kept between two runs.
type outlook struct {
	Bytes   int64
	Time    int64 // of the last change, Unix nanoseconds
	Title   string
	Outline outline
}

// mostKnown bounds how many files are remembered.
const mostKnown = 2000

// recall gives an entry what a person said of it, and what its file was when it was
// looked into last; looking into it again says whether that still holds.
func (d *library) recall(e *Entry) {
	e.Mark = d.marks[e.Path]
	if k, ok := d.known[e.Path]; ok && e.State == Closed && e.Sample == "" && e.Lines == 0 {
		e.take(k.Outline)
		e.Title = cmp.Or(k.Title, e.Title)
	}
}

// learn takes over what looking into a file found.
func (d *library) learn(e *Entry, got outlook) {
	e.take(got.Outline)
	if e.Sample != "" {
		return
	}
	e.Title = cmp.Or(got.Title, e.Title)
	if got.Bytes == 0 || d.known[e.Path] == got {
		return
	}
	if d.known == nil {
		d.known = map[string]outlook{}
	}
	d.known[e.Path], d.unsaved = got, true
}

// saveKnown keeps what is known of files, if that is more than the store knows.
func (d *library) saveKnown() {
	if !d.unsaved {
		return
	}
	d.unsaved = false
	for path := range d.known {
		if len(d.known) > mostKnown {
			delete(d.known, path)
		}
	}
	d.Keep(knownSetting, maps.Clone(d.known))
}

// Overview is what a history says of itself, seen without opening it.
type Overview struct {
	Calls   []session.Point // with what the file reports of each
	End     int             // messages of it
	Found   []model.Found
	First   string         // what a person asked first, its beginning
	Records []model.Record // that the database holds of it, the newest first
}

// recordsOfOverview bounds the records of an overview.
const recordsOfOverview = 20

// Overview looks at a history in the background. done gets nil if its file can't be read, or
// is too large for that.
func (d *library) Overview(e *Entry, done func(*Overview)) {
	from, ro, st := source{e.Path, e.data}, e.reading, d.Store
	var open *model.Thread
	if e.Session != nil {
		open = e.Session.Thread()
	}
	large := open == nil && e.Size > peekLimit
	sched.Run(d.Sched, "overview", func(ctx context.Context, _ func(sched.Progress)) (*Overview, error) {
		g := &Overview{}
		if st != nil {
			list, err := st.Records(ctx, store.Filter{Path: from.path, Limit: recordsOfOverview})
			if err != nil {
				return nil, err
			}
			g.Records = list
		}
		switch {
		case open != nil:
			g.take(open)
		case !large:
			opt := session.Options{}
			if st != nil {
				opt.Conversations = st
			}
			f, err := from.open(ctx, opt, ro)
			if err != nil {
				return nil, err
			}
			defer f.Close()
			if len(f.Doc.Conversations) > 0 {
				g.take(f.Doc.Conversations[0].Main())
			}
		}
		return g, nil
	}, func(g *Overview, err error) {
		if stopped(err) {
			return
		}
		if err != nil {
			g = nil // its row says why
		}
		done(g)
	})
}

// take looks at a thread.
func (g *Overview) take(t *model.Thread) {
	g.End = len(t.History)
	for at, i := range t.History {
		m := &t.Messages[i]
		if g.First == "" && m.Typed() {
			g.First = strings.Clone(m.Preview)
		}
		if m.Usage != nil && m.Usage.Input > 0 {
			g.Calls = append(g.Calls, session.Point{History: at, Recorded: int64(m.Usage.Input)})
		}
	}
	g.Found = session.Sized(t.Found, g.Calls)
}
