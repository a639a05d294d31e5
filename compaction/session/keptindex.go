package session

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

// openKept opens a file by the index that a former opening kept of it; nil: there is
// none, or not of these bytes. keep is where the index of what is read then belongs; nil:
// nowhere, as where a person said how to read the file.
func openKept(ctx context.Context, path string, opt Options, ro transcript.Options) (d *model.Document, keep *indexPlace, err error) {
	if opt.Counts == nil || !opt.Index || path == "-" || ro.Format != "" || ro.Map != nil || ro.Entry != "" {
		return nil, nil, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, nil // for the reader to say
	}
	defer func() {
		if d == nil {
			f.Close()
		}
	}()
	st, err := f.Stat()
	if err != nil || !st.Mode().IsRegular() || st.Size() < worthKeeping {
		return nil, nil, nil
	}
	keep = &indexPlace{key: indexKey(f, path, st.Size())}
	packed, ok, err := opt.Counts.ThreadCounts(ctx, keep.key)
	if err != nil || !ok {
		return nil, keep, nil
	}
	d, err = transcript.OpenIndexed(ctx, f, st.Size(), packed, ro)
	if err != nil {
		return nil, nil, err
	}
	if d != nil {
		d.Path = path
	}
	return d, keep, nil
}

// indexPlace is where the index of a file belongs that was read without one.
type indexPlace struct {
	key          [32]byte
	making, kept sync.Once
	index        []byte // when it is made, until it is kept; nil: there is none
}

// make makes the index of what was read, which reads nothing of the source.
func (p *indexPlace) make(d *model.Document) {
	if p != nil {
		p.making.Do(func() { p.index, _ = transcript.PackIndex(d) })
	}
}

// indexKey is where to look for the index of a file, before its hash is known: by its
// path, its length, its beginning and its end. Another build of the program may read it
// otherwise.
func indexKey(src io.ReaderAt, path string, size int64) [32]byte {
	sum := sha256.New()
	sum.Write([]byte(build()))
	fmt.Fprintf(sum, "index %q %d\n", absolute(path), size)
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

// keepIndex keeps the index while a person looks at the session; a verb, which may end
// with it, waits.
func keepIndex(ctx context.Context, f *File) {
	switch {
	case f.unindexed == nil:
	case f.opt.Verb:
		KeepIndex(ctx, f)
	default:
		go KeepIndex(ctx, f)
	}
}

// KeepIndex remembers what reading the file found, where indexes are kept, so that its
// next opening does not read it again. It returns when that is done, whoever began it; a
// context that ends does not end it.
func KeepIndex(ctx context.Context, f *File) {
	if p := f.unindexed; p != nil {
		p.kept.Do(func() {
			p.make(f.Doc)
			if p.index != nil {
				_ = f.opt.Counts.PutThreadCounts(context.WithoutCancel(ctx), p.key, p.index) // or the next opening reads again
			}
			p.index = nil
		})
	}
}
