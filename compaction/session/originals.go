package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"palimpsest/model"
	"palimpsest/model/transcript"
)

// OpenOriginals takes the input file of a record from the store and reads
// it as it was read then. The bytes come verified and are in a temporary file
// that only its owner may read; Close removes it.
func OpenOriginals(ctx context.Context, st Store, rec *model.Record) (*File, error) {
	tmp, err := os.CreateTemp("", "palimpsest-*")
	if err != nil {
		return nil, fmt.Errorf("make a temporary file: %w", err)
	}
	f := &temporary{tmp}
	doc, err := readOriginals(ctx, st, rec, f)
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return NewFile(doc, Options{Lookup: st, Verb: true}), nil
}

func readOriginals(ctx context.Context, st Store, rec *model.Record, tmp *temporary) (*model.Document, error) {
	if err := st.WriteSource(ctx, rec.ID, tmp); err != nil {
		return nil, err
	}
	size, err := tmp.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, fmt.Errorf("read the temporary file: %w", err)
	}
	ro := transcript.Options{Format: rec.Format}
	if rec.FieldMap != "" {
		if ro.Map, err = transcript.ParseMap(rec.FieldMap); err != nil {
			return nil, err
		}
	}
	return transcript.Read(ctx, rec.Path, tmp, size, ro)
}

// OriginalSession opens the thread that a record was made of.
func (f *File) OriginalSession(ctx context.Context, rec *model.Record) (*Session, error) {
	ref := Ref{Conversation: rec.Conversation, Thread: rec.Thread}
	if !f.Has(ref) {
		return nil, &model.Problem{Code: "no-thread", What: fmt.Sprintf("The thread of %s was not found in its input file.", rec.ID),
			Why: "This version of the program reads the file differently.", Next: "Give back the file itself."}
	}
	return f.Session(ctx, ref, nil)
}

// temporary is a file that is gone once it is closed.
type temporary struct{ *os.File }

// Close closes and removes it.
func (t *temporary) Close() error { return errors.Join(t.File.Close(), os.Remove(t.Name())) }
