// Package kept is what former openings of a file left: the index of what reading it found,
// by which it is opened without being read.
//
//	path, size, time, beginning, end ──▶ index ──▶ document, at once
//	              the whole file, hashed behind it ──▶ [Index.Confirm]
package kept

import (
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"sync"

	"palimpsest/model"
	"palimpsest/model/transcript"
)

// Counts keeps the token counts of threads, so that a history that was
// counted once is not counted again, and the index of its file, so that it is not
// read again. The store implements it. What can't be read or kept is worked out again
// and no error.
type Counts interface {
	// ThreadCounts returns what was put under the key; ok is false if nothing was.
	ThreadCounts(ctx context.Context, key [32]byte) (packed []byte, ok bool, err error)
	PutThreadCounts(ctx context.Context, key [32]byte, packed []byte) error
}

// From is how many bytes a source has at least for anything to be kept of it: a smaller
// one is read and counted before the database has answered.
const From = 1 << 20

// Index is the index of an opened file. Of a nil one, and of a file of which none is
// kept, nothing is made and nothing awaited.
type Index struct {
	in           Counts
	key          [32]byte
	read         bool // it was read: the index is to be made
	making, kept sync.Once
	packed       []byte // when it is made, until it is kept; nil: there is none

	// of a file that was opened by its index: whether it still has those bytes
	compare func() error // begins when somebody asks; the processors are for the opening until then
	begun   sync.Once
	stop    context.CancelFunc
	done    chan struct{} // closed when err is known
	err     error
}

// Open opens the file at a path by its index. The document is nil where there is none or
// it is damaged, and where wait is set also where the bytes of the file are others; then the
// index is for what is read instead. Both are nil where nothing is kept of a file, as of
// one of which a person said how to read it. The error is the context's.
func Open(ctx context.Context, path string, in Counts, wait bool, ro transcript.Options) (*model.Document, *Index, error) {
	if path == "-" || ro.Format != "" || ro.Map != nil || ro.Entry != "" {
		return nil, nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, nil // for the reader to say
	}
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() || st.Size() < From {
		f.Close()
		return nil, nil, nil
	}
	x := &Index{in: in, key: keyOf(f, path, st)}
	d := x.open(ctx, f, st.Size())
	if d == nil {
		f.Close()
		x.read = true
		return nil, x, nil
	}
	d.Path = path
	if !wait {
		ro.Progress = nil // nobody looks at it
	}
	x.comparison(ctx, d, ro.Progress)
	if !wait || x.Confirm(ctx) == nil {
		return d, x, nil
	}
	x.Close()
	f.Close()
	return nil, &Index{in: in, key: x.key, read: true}, ctx.Err()
}

func (x *Index) open(ctx context.Context, src io.ReaderAt, size int64) *model.Document {
	packed, ok, err := x.in.ThreadCounts(ctx, x.key)
	if err != nil || !ok {
		return nil
	}
	return transcript.OpenIndexed(src, size, packed)
}

// comparison prepares to look whether a file has the bytes that its index was made of. Where
// it has not, the index is dropped.
func (x *Index) comparison(ctx context.Context, d *model.Document, progress func(done, total int64)) {
	path, want := d.Path, d.SHA256 // the document is the caller's
	src, size := d.Source, d.Size
	ctx = context.WithoutCancel(ctx) // it outlives the opening
	comparing, stop := context.WithCancel(ctx)
	x.done, x.stop = make(chan struct{}), stop
	x.compare = func() error {
		sum, _, err := model.HashOf(comparing, src, size, progress)
		if err != nil || sum == want {
			return err
		}
		_ = x.in.PutThreadCounts(ctx, x.key, []byte{0}) // no index; or the next opening compares again
		return &model.Problem{Code: "source-changed", What: fmt.Sprintf("%s is not the file that was read the last time.", path),
			Why: "Its name, size and time are the same, and its bytes are not.", Next: "Open it again."}
	}
}

// Confirm compares a file that was opened by its index with the bytes that the index was
// made of: once, whoever asks. Where they differ the error is a *model.Problem, and the
// next opening reads the file.
func (x *Index) Confirm(ctx context.Context) error {
	if x == nil || x.compare == nil {
		return nil // it was read
	}
	x.begun.Do(func() {
		go func() {
			x.err = x.compare()
			close(x.done)
		}()
	})
	select {
	case <-x.done:
		return x.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Close ends the comparison. The file is for the caller to close.
func (x *Index) Close() {
	if x != nil && x.stop != nil {
		x.stop()
	}
}

// Wanted reports whether the file was read, and an index of it is to be kept.
func (x *Index) Wanted() bool { return x != nil && x.read }

// Make makes the index of what was read, which reads nothing of the source.
func (x *Index) Make(d *model.Document) {
	if x.Wanted() {
		x.making.Do(func() { x.packed, _ = transcript.PackIndex(d) })
	}
}

// Keep remembers what reading the file found, so that its next opening does not read it
// again. It returns when that is done, whoever began it; a context that ends does not end
// it.
func (x *Index) Keep(ctx context.Context, d *model.Document) {
	if !x.Wanted() {
		return
	}
	x.kept.Do(func() {
		x.Make(d)
		if x.packed != nil {
			_ = x.in.PutThreadCounts(context.WithoutCancel(ctx), x.key, x.packed) // or the next opening reads again
		}
		x.packed = nil
	})
}

// keyOf is where to look for the index of a file, before its hash is known: by its path,
// its length, the time it was written, its beginning and its end. Another build of the
// program may read it otherwise.
func keyOf(src io.ReaderAt, path string, st os.FileInfo) [32]byte {
	sum, size := sha256.New(), st.Size()
	sum.Write([]byte(build()))
	fmt.Fprintf(sum, "index %q %d %d\n", model.AbsolutePath(path), size, st.ModTime().UnixNano())
	head := make([]byte, min(size, 64<<10))
	for _, at := range []int64{0, size - int64(len(head))} {
		n, _ := src.ReadAt(head, at)
		sum.Write(head[:n])
	}
	return [32]byte(sum.Sum(nil))
}

// build distinguishes the builds of the program.
var build = sync.OnceValue(func() string {
	about := ""
	if info, ok := debug.ReadBuildInfo(); ok {
		about = info.String()
	}
	if exe, err := os.Executable(); err == nil {
		if st, err := os.Stat(exe); err == nil {
			about += fmt.Sprint(st.Size(), st.ModTime().UnixNano())
		}
	}
	return about
})
