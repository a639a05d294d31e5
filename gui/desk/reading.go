package desk

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"

	"palimpsest/compaction/session"
	"palimpsest/gui/sched"
	"palimpsest/gui/state"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// Unsure reports whether a person should say how a history is to be read: two
// formats fit it almost equally, or none does and it was read by a guess.
func (e *Entry) Unsure() bool {
	return e.State == Ready && (e.File.Doc.Unconfirmed || transcript.Close(e.File.Doc.Guesses))
}

// Guess is the format a history was recognised as; false when a person said how
// to read it.
func (e *Entry) Guess() (model.Guess, bool) {
	if e.State != Ready || len(e.File.Doc.Guesses) == 0 {
		return model.Guess{}, false
	}
	return e.File.Doc.Guesses[0], true
}

// CanReadAs reports whether a person can say how the present history is read:
// it is a file, or a sample, that nothing is done to just now.
func (d *library) CanReadAs() bool {
	e := d.desk.current
	if e == nil || e.State != Ready && e.State != Unavailable || d.desk.job.Running() {
		return false
	}
	_, recorded := session.ConversationID(e.Path)
	return !recorded
}

// Readings looks in the background at how a history may be read.
func (d *library) Readings(e *Entry, done func(*transcript.Survey, error)) {
	path, data := e.Path, e.data
	sched.Run(d.Sched, "readings", func(ctx context.Context, _ func(sched.Progress)) (*transcript.Survey, error) {
		if data != nil {
			return transcript.Look(ctx, path, bytes.NewReader(data), int64(len(data)))
		}
		f, err := os.Open(path)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		st, err := f.Stat()
		if err != nil {
			return nil, err
		}
		return transcript.Look(ctx, path, f, st.Size())
	}, done)
}

// Trial is what the beginning of a history looks like when it is read in some
// way.
type Trial struct {
	*Early
	Map           string // the field map it was read by; "" for none
	Conversations int
	Left          int // records that were not taken for messages, or skipped
}

// TryReading reads the beginning of a history in some way, for looking at. Of
// several trials only the newest is reported.
func (d *library) TryReading(e *Entry, o transcript.Options, done func(*Trial, error)) {
	path, data := e.Path, e.data
	sched.Run(d.Sched, "try", func(ctx context.Context, _ func(sched.Progress)) (*Trial, error) {
		doc, whole, err := beginning(ctx, path, data, o)
		if err != nil {
			return nil, err
		}
		return &Trial{Early: &Early{thread: doc.Conversations[0].Main(), Whole: whole}, Map: transcript.MapOf(doc),
			Conversations: len(doc.Conversations), Left: len(doc.Notes)}, nil
	}, done)
}

// StopTrying ends what Readings and TryReading began.
func (d *library) StopTrying() {
	d.Sched.Cancel("readings")
	d.Sched.Cancel("try")
}

// beginning reads the first lines of a source, or all of it where there are no
// lines.
func beginning(ctx context.Context, path string, data []byte, o transcript.Options) (doc *model.Document, whole bool, err error) {
	if data != nil {
		doc, err = transcript.Read(ctx, path, bytes.NewReader(data), int64(len(data)), o)
		return doc, true, err
	}
	if doc, err = transcript.Head(ctx, path, headBytes, o); err == nil {
		st, err := os.Stat(path)
		return doc, err == nil && st.Size() == doc.Size, err
	}
	if doc, err = transcript.Open(ctx, path, o); err != nil {
		return nil, false, err
	}
	if c, ok := doc.Source.(io.Closer); ok {
		_ = c.Close() // rows need no texts
	}
	return doc, true, nil
}

// reading is how a file is read, as it is remembered by its path.
type reading struct {
	Format model.Format `json:",omitempty"`
	Map    string       `json:",omitempty"`
}

const readingSetting = "reading:"

// ReadAs reads a history again with options a person chose, and remembers them
// for this path. Records that were made on another reading of it stay in the database.
func (d *library) ReadAs(e *Entry, o transcript.Options) {
	o = transcript.Options{Format: o.Format, Map: o.Map}
	e.reading = o
	if d.desk.Planning.CanSavePresets() && e.data == nil {
		r := reading{Format: o.Format}
		if o.Map != nil {
			r = reading{Map: o.Map.String()}
		}
		d.Keep(readingSetting+e.Path, r)
	}
	d.desk.reopen(e)
}

// remembered is how a person once said that a file is to be read.
func remembered(ctx context.Context, st *store.Store, path string) (o transcript.Options, ok bool) {
	if st == nil {
		return o, false
	}
	var r reading
	if ok, err := st.Setting(ctx, readingSetting+path, &r); err != nil || !ok {
		return o, false
	}
	if r.Map != "" {
		m, err := transcript.ParseMap(r.Map)
		return transcript.Options{Map: m}, err == nil
	}
	return transcript.Options{Format: r.Format}, r.Format != ""
}

// openRemembered opens a file as it was read before; by what it looks like if
// that does not fit it any more.
func (s source) openRemembered(
	ctx context.Context, st *store.Store, opt session.Options, ro transcript.Options,
) (*session.File, error) {
	if said, ok := remembered(ctx, st, s.path); ok && s.data == nil && ro.Format == "" && ro.Map == nil {
		said.Progress = ro.Progress
		f, err := s.open(ctx, opt, said)
		var p *model.Problem
		if err == nil || ctx.Err() != nil || !errors.As(err, &p) {
			return f, err
		}
	}
	return s.open(ctx, opt, ro)
}

// loadRelated finds the files of agents that belong to an entry's conversation,
// in the background, when it was opened or grew.
func (d *fileList) loadRelated(e *Entry) {
	f := e.File
	sched.Run(d.Sched, "related:"+e.Path, func(ctx context.Context, _ func(sched.Progress)) ([]session.Related, error) {
		return f.Related(ctx)
	}, func(list []session.Related, err error) {
		if err == nil && e.File == f {
			e.Related = list
			d.Notify(TopicFiles)
		}
	})
}

// FieldMaps reads the saved field maps in the background.
func (d *library) FieldMaps(done func([]store.FieldMap)) {
	if d.Store == nil {
		done(nil)
		return
	}
	st := d.Store
	sched.Run(d.Sched, "fieldmaps", func(ctx context.Context, _ func(sched.Progress)) ([]store.FieldMap, error) {
		return st.FieldMaps(ctx)
	}, func(list []store.FieldMap, err error) {
		if err != nil {
			d.Fail(err)
		}
		done(list)
	})
}

// SaveFieldMap keeps a field map under a name; done hears of it when it is kept.
func (d *library) SaveFieldMap(m store.FieldMap, done func()) {
	d.changeFieldMaps(func(ctx context.Context, st *store.Store) error { return st.SaveFieldMap(ctx, m) }, done)
}

// DeleteFieldMap forgets a field map; files that were read by it stay as they
// are.
func (d *library) DeleteFieldMap(name string, done func()) {
	d.changeFieldMaps(func(ctx context.Context, st *store.Store) error { return st.DeleteFieldMap(ctx, name) }, done)
}

func (d *library) changeFieldMaps(change func(context.Context, *store.Store) error, done func()) {
	if !d.desk.Planning.CanSavePresets() {
		return
	}
	st := d.Store
	state.Do(d.core, "fieldmap", func(ctx context.Context) error { return change(ctx, st) }, func() {
		done()
	})
}
