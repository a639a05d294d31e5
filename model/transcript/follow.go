package transcript

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
)

// FileChange says what happened to a file that is followed.
type FileChange uint8

// What may have happened to a file since it was looked at last.
const (
	FileSame      FileChange = iota // nothing that makes a message
	FileGrown                       // what was read is still there, and more
	FileTruncated                   // shorter than what was read
	FileRewritten                   // other bytes are where messages were read
	FileGone                        // there is no file of that name any more
)

// Follower reads what is appended to a file. Each document it gives holds the
// one before as its prefix: the same messages at the same bytes. It is used by
// one goroutine at a time.
//
// The file is read again as a whole, which takes some 10 ms for one of 3 MB. It is the
// same file if all up to the end of what was read is unchanged; of one value,
// that saves anew, all up to the end of its last message. Where agents append
// line by line (Claude Code, Codex), a line that is still being written waits
// for its end.
type Follower struct {
	doc  *model.Document
	path string
	size int64 // of the file when it was looked at last
	time time.Time

	kept    int64 // bytes that must stay as they are
	keptSum [32]byte
}

// Follow begins to follow the file a document was opened from. It is to be called
// when the document was opened, before anything happens to the file.
func Follow(d *model.Document) (*Follower, error) {
	st, err := os.Stat(d.Path)
	if err != nil {
		return nil, codec.OpenProblem(d.Path, err)
	}
	if _, file := d.Source.(*os.File); !file || !st.Mode().IsRegular() {
		return nil, &model.Problem{Code: "not-followed", What: fmt.Sprintf("%s can't be followed.", d.Path),
			Why: "Only a file can be.", Next: "Open it again to see what is new."}
	}
	f := &Follower{path: d.Path}
	seen := time.Time{}
	if st.Size() == d.Size {
		seen = st.ModTime()
	}
	return f, f.take(d, d.Size, seen)
}

// appended are the formats whose files an agent writes line by line.
var appended = map[model.Format]bool{model.FormatClaudeCode: true, model.FormatCodex: true}

// byLine reports whether an agent appends lines to a document. The first record of a file,
// alone, is read as one value.
func byLine(d *model.Document) (bool, error) {
	if !appended[d.Format] || d.Style.JSONLines {
		return appended[d.Format], nil
	}
	if len(d.Arrays) > 0 || d.Size > codec.MaxLine {
		return false, nil
	}
	b, err := d.Bytes(model.Span{Len: lastMessageEnd(d)})
	return bytes.IndexByte(b, '\n') < 0, err
}

// take makes d the latest document, of a file of this size and time.
func (f *Follower) take(d *model.Document, size int64, when time.Time) error {
	f.doc, f.size, f.time = d, size, when
	f.kept, f.keptSum = d.Size, d.SHA256
	if !d.Style.JSONLines {
		f.kept = lastMessageEnd(d)
		sum, err := hashOf(d.Source, f.kept)
		if err != nil {
			return err
		}
		f.keptSum = sum
	}
	return nil
}

// lastMessageEnd is the offset behind the last byte that belongs to a message.
func lastMessageEnd(d *model.Document) int64 {
	end := int64(0)
	for m := range d.Messages {
		for _, p := range m.Pieces {
			end = max(end, p.End())
		}
	}
	return end
}

// hashOf is the SHA-256 of the first bytes of a source, which has to have them.
func hashOf(src io.ReaderAt, n int64) ([32]byte, error) {
	sum, read, err := model.HashOf(context.Background(), src, n, nil)
	if err == nil && read < n {
		err = io.ErrUnexpectedEOF
	}
	return sum, err
}

// Next looks at the file and reads what is new. The document is the longer one
// after FileGrown, nil otherwise. After FileTruncated, FileRewritten and FileGone the
// follower is of no more use: the file has to be opened again. An error leaves
// it as it was; a file caught in the middle of being written is FileSame.
func (f *Follower) Next(ctx context.Context) (FileChange, *model.Document, error) {
	st, err := os.Stat(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return FileGone, nil, nil
	case err != nil:
		return FileSame, nil, codec.OpenProblem(f.path, err)
	case st.Size() == f.size && st.ModTime().Equal(f.time):
		return FileSame, nil, nil
	case st.Size() < f.kept && f.doc.Style.JSONLines:
		return FileTruncated, nil, nil
	}
	src, fresh, err := f.source(st)
	if err != nil {
		return FileSame, nil, err
	}
	change, d, err := f.read(ctx, src, st)
	if d == nil && fresh {
		src.Close()
	}
	return change, d, err
}

// source is the file as it is now: the one that is open, unless another one has
// taken its name.
func (f *Follower) source(st os.FileInfo) (src *os.File, fresh bool, err error) {
	if have, ok := f.doc.Source.(*os.File); ok {
		if old, err := have.Stat(); err == nil && os.SameFile(old, st) {
			return have, false, nil
		}
	}
	src, err = os.Open(f.path)
	if err != nil {
		return nil, false, codec.OpenProblem(f.path, err)
	}
	return src, true, nil
}

// lastLineEnd is the offset behind the last newline between from and size; from
// if there is none.
func lastLineEnd(src io.ReaderAt, from, size int64) (int64, error) {
	buf := make([]byte, 64<<10)
	for end := size; end > from; {
		n := min(int64(len(buf)), end-from)
		if _, err := src.ReadAt(buf[:n], end-n); err != nil {
			return from, err
		}
		if i := bytes.LastIndexByte(buf[:n], '\n'); i >= 0 {
			return end - n + int64(i) + 1, nil
		}
		end -= n
	}
	return from, nil
}

// Again gives the options with which more of the source of a document is to be
// read, or less: as the same format, whatever it looks like by itself.
func Again(d *model.Document) Options {
	o := Rereading(d)
	if o.Map == nil {
		o.Format = d.Format
	}
	return o
}

// read reads the file again and finds whether it still begins with what was read.
func (f *Follower) read(ctx context.Context, src *os.File, st os.FileInfo) (FileChange, *model.Document, error) {
	size := st.Size()
	lines, err := byLine(f.doc)
	if err == nil && lines {
		size, err = lastLineEnd(src, 0, size)
	}
	if err != nil {
		return FileSame, nil, codec.OpenProblem(f.path, err)
	}
	same := func() bool {
		sum, err := hashOf(src, min(f.kept, st.Size()))
		return err == nil && sum == f.keptSum
	}
	switch {
	case lines && !same():
		return FileRewritten, nil, nil
	case lines && size <= f.doc.Size: // nothing but the line end, at most, of what was read
		f.size, f.time = st.Size(), st.ModTime()
		return FileSame, nil, nil
	}
	d, err := Read(ctx, f.path, src, size, Again(f.doc))
	if err != nil {
		var p *model.Problem
		if errors.As(err, &p) && (p.Code == "not-json" || p.Code == "empty") {
			return FileSame, nil, nil // it is being written
		}
		return FileSame, nil, err
	}
	if d.SHA256 == f.doc.SHA256 {
		f.size, f.time = st.Size(), st.ModTime()
		return FileSame, nil, nil
	}
	d.Why, d.Guesses, d.Unconfirmed = f.doc.Why, f.doc.Guesses, f.doc.Unconfirmed // a guess stays one
	if !lines && (!same() || lastMessageEnd(d) < f.kept) {
		return FileRewritten, nil, nil
	}
	return FileGrown, d, f.take(d, st.Size(), st.ModTime())
}
