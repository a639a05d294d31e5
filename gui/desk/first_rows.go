package desk

import (
	"context"
	"errors"
	"os"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// Early is the first messages of a history, which can be seen while the whole of
// it is being read. Nothing is planned on it. When all is read, a sketch takes
// its place (see [session.File.Sketch]), and the counted session that of the
// sketch.
type Early struct {
	thread *model.Thread
	Whole  bool // these are all messages
}

// Len is the number of messages.
func (y *Early) Len() int { return len(y.thread.History) }

// Row is one of them, as a ledger would show it without fate and tokens.
func (y *Early) Row(i int) session.Row {
	m := &y.thread.Messages[y.thread.History[i]]
	return session.Row{Kind: session.RowMessage, Num: i + 1, Stored: y.thread.History[i], Msg: m, First: m.Preview, Total: -1}
}

// headBytes is how much of a long file is read ahead for its first rows: a few
// hundred messages, in a few hundredths of a second. Shorter files are open as
// soon.
const headBytes = 1 << 20

// readHead shows the first messages of a long file while the whole of it is
// read under the key "open".
func (d *fileList) readHead(e *Entry) {
	e.Early = nil
	if _, recorded := session.ConversationID(e.Path); e.data != nil || recorded {
		return
	}
	path, ro := e.Path, e.reading
	sched.Run(d.Sched, "head", func(ctx context.Context, _ func(sched.Progress)) (*model.Document, error) {
		st, err := os.Stat(path)
		if err != nil || st.Size() <= headBytes {
			return nil, err
		}
		return transcript.Head(ctx, path, headBytes, ro)
	}, func(doc *model.Document, err error) {
		if err != nil || doc == nil || e != d.current || e.State != Loading {
			return // opening the file reports what is wrong with it
		}
		e.Early = &Early{thread: doc.Conversations[0].Main()}
		d.Notify(TopicFiles)
	})
}

// CancelOpen stops reading the history looked at. It stays in the list as if it
// had not been touched.
func (d *fileList) CancelOpen() {
	e := d.current
	if e == nil || e.State != Loading {
		return
	}
	d.Sched.Cancel("open")
	d.Sched.Cancel("head")
	e.dropRead()
	d.Notify(TopicFiles, TopicSession)
}

// dropRead drops what was read of a history whose reading was stopped.
func (e *Entry) dropRead() {
	e.State, e.Early, e.Done, e.Total, e.Counting = Closed, nil, 0, 0, false
	if e.File != nil && e.Session == nil {
		e.File.Close()
		e.File, e.Related = nil, nil
	}
}

// stopped reports an error that is none: a person changed their mind.
func stopped(err error) bool { return errors.Is(err, context.Canceled) }
