package transcript

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"time"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/codec"
	"palimpsest/model/transcript/jspan"
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
// Of formats that agents append to line by line (Claude Code, Codex) only new
// bytes are read, apart from one whole reading at the first growth, which finds
// where to go on; the bytes before are trusted as long as the file is the same
// one and the end of what was read is still there. Every other format is
// read as a whole again, and is the same file if all up to the end of its last
// message is unchanged.
type Follower struct {
	doc  *model.Document
	path string
	size int64 // of the file when it was looked at last
	time time.Time

	kept    int64 // bytes that must stay as they are
	keptSum [32]byte
	mark    []byte // the last of them, compared before new lines are read

	byLine bool          // lines are appended and read alone
	lines  *lineFollower // nil: nothing was appended yet
}

// lineFollower is a reader that waits for more lines.
type lineFollower struct {
	b     *codec.Builder
	g     codec.Grower
	place codec.LinePosition
}

const markLen = 4 << 10

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
	if err := f.take(d, d.Size, seen); err != nil {
		return nil, err
	}
	f.byLine, err = growsByLine(d)
	return f, err
}

// growsByLine reports whether lines are appended to a document and its reader
// can go on with them. The first record of a file, alone, is read as one value.
func growsByLine(d *model.Document) (bool, error) {
	if _, ok := d.Codec.(codec.Growing); !ok || d.Style.JSONLines {
		return ok, nil
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
	var err error
	f.mark, err = d.Bytes(f.markSpan())
	return err
}

func (f *Follower) markSpan() model.Span {
	n := min(f.kept, markLen)
	return model.Span{Off: f.kept - n, Len: n}
}

// lastMessageEnd is the offset behind the last byte that belongs to a message.
func lastMessageEnd(d *model.Document) int64 {
	end := int64(0)
	for _, c := range d.Conversations {
		for _, t := range c.Threads {
			for i := range t.Messages {
				for _, p := range t.Messages[i].Pieces {
					end = max(end, p.End())
				}
			}
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
	change, d, err := f.read(ctx, src, fresh, st)
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

func (f *Follower) read(ctx context.Context, src *os.File, fresh bool, st os.FileInfo) (FileChange, *model.Document, error) {
	if !f.byLine {
		return f.readWhole(ctx, src, st)
	}
	if !fresh && st.Size() > f.size && f.lines != nil {
		same, err := f.markStands(src)
		if err != nil || !same {
			return FileRewritten, nil, err
		}
		return f.readLines(ctx, src, st)
	}
	if sum, err := hashOf(src, f.kept); err != nil || sum != f.keptSum {
		return FileRewritten, nil, err
	}
	if fresh || f.lines == nil {
		f.begin(src)
	}
	return f.readLines(ctx, src, st)
}

func (f *Follower) markStands(src io.ReaderAt) (bool, error) {
	s := f.markSpan()
	now := make([]byte, s.Len)
	if _, err := src.ReadAt(now, s.Off); err != nil {
		return false, codec.OpenProblem(f.path, err)
	}
	return bytes.Equal(now, f.mark), nil
}

// begin starts a reader at the first line.
func (f *Follower) begin(src *os.File) {
	d := &model.Document{Path: f.doc.Path, Format: f.doc.Format,
		Why: f.doc.Why, Guesses: f.doc.Guesses, Source: src, Codec: f.doc.Codec, Style: f.doc.Style}
	d.Style.JSONLines, d.Style.Indent = true, ""
	b := &codec.Builder{Doc: d}
	f.lines = &lineFollower{b: b, g: d.Codec.(codec.Growing).Begin(b), place: codec.LinePosition{Sum: sha256.New()}}
}

// readLines reads the lines that are complete. One that is still being written
// waits for its end.
func (f *Follower) readLines(ctx context.Context, src *os.File, st os.FileInfo) (FileChange, *model.Document, error) {
	l := f.lines
	end, err := lastLineEnd(src, l.place.Off, st.Size())
	if err != nil {
		return FileSame, nil, codec.OpenProblem(f.path, err)
	}
	if end <= f.doc.Size { // nothing but the line end, at most, of what was read
		f.size, f.time = st.Size(), st.ModTime()
		return FileSame, nil, nil
	}
	l.b.Doc.Source, l.b.Doc.Size = src, end
	err = l.b.LinesFrom(ctx, &l.place, func(v jspan.Value) error {
		l.g.Record(v, l.b.Record(v))
		return nil
	})
	if err != nil {
		f.lines = nil // half read: begin again next time
		return FileSame, nil, err
	}
	d := codec.CloneDocument(l.b.Doc)
	sumInto(l.place.Sum, &d.SHA256)
	l.g.Complete(d)
	if len(d.Conversations) == 0 {
		return FileSame, nil, nil
	}
	return FileGrown, d, f.take(d, st.Size(), st.ModTime())
}

func sumInto(h hash.Hash, sum *[32]byte) { h.Sum(sum[:0]) }

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

// readWhole reads the file again and finds whether it still begins with what was
// read.
func (f *Follower) readWhole(ctx context.Context, src *os.File, st os.FileInfo) (FileChange, *model.Document, error) {
	d, err := Read(ctx, f.path, src, st.Size(), Again(f.doc))
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
	if sum, err := hashOf(src, min(f.kept, d.Size)); err != nil || sum != f.keptSum || lastMessageEnd(d) < f.kept {
		return FileRewritten, nil, err
	}
	return FileGrown, d, f.take(d, st.Size(), st.ModTime())
}
