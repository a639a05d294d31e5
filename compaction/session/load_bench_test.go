package session

import (
	"context"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"testing"

	"palimpsest/internal/bench/cputime"
	"palimpsest/internal/bench/floor"
	"palimpsest/internal/bench/workload"
	"palimpsest/model"
	"palimpsest/model/tokens"
	"palimpsest/model/transcript"
)

// headBytes is what the window reads of a large file before the rest.
const headBytes = 1 << 20

// BenchmarkLoad opens a large history: until its first rows can be shown, and
// all of them (goal L3), with exact counts (L2), and once more with the counts
// kept (D3). The floor of L2 makes fastjson's rows with the checks and counts them.
func BenchmarkLoad(b *testing.B) {
	for _, shape := range []workload.Shape{workload.ClaudeCode, workload.Codex} {
		path, err := workload.File(shape, workload.HistoryBytes())
		if err != nil {
			b.Fatal(err)
		}
		st, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		run := func(name string, f func(*testing.B)) {
			b.Run(string(shape)+"/"+name, func(b *testing.B) {
				b.SetBytes(st.Size())
				debug.FreeOSMemory() // what the one before left, which a new program has none of
				defer cputime.Report(b)()
				for b.Loop() {
					f(b)
				}
			})
		}
		ctx := context.Background()
		run("first", func(b *testing.B) {
			if _, err := transcript.Head(ctx, path, headBytes, transcript.Options{}); err != nil {
				b.Fatal(err)
			}
		})
		run("rows", func(b *testing.B) {
			f := openFile(b, path, Options{})
			if _, err := f.Sketch(ctx, Ref{}); err != nil {
				b.Fatal(err)
			}
			f.Close()
		})
		kept := newShelf()
		load := func(b *testing.B) {
			f := openFile(b, path, Options{Counts: kept, Index: true})
			if s, err := f.Session(ctx, Ref{}, nil); err != nil || s.Sketched() {
				b.Fatal(err)
			}
			b.StopTimer() // nobody waits for the index, which is made meanwhile, or for the comparison
			f.Index.Keep(ctx, f.Doc)
			if err := f.Index.Confirm(ctx); err != nil {
				b.Fatal(err)
			}
			f.Close()
			b.StartTimer()
		}
		run("counted", func(b *testing.B) { clear(kept.kept); load(b) })
		run("one-core", func(b *testing.B) {
			defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
			clear(kept.kept)
			load(b)
		})
		run("floor", func(b *testing.B) {
			count := func(text string) int { return tokens.Count(tokens.O200k, text) }
			if w, err := floor.RowsBeside(path, runtime.GOMAXPROCS(0), count); err != nil || w == 0 {
				b.Fatal(w, err)
			}
		})
		run("again", load)
		run("confirmed", func(b *testing.B) { // what applying waits for
			f := openFile(b, path, Options{Counts: kept, Index: true})
			if _, err := f.Session(ctx, Ref{}, nil); err != nil {
				b.Fatal(err)
			}
			if err := f.Index.Confirm(ctx); err != nil {
				b.Fatal(err)
			}
			f.Close()
		})
		texts := textsOf(b, path)
		run("texts-alone", func(*testing.B) { countAll(texts) })
	}
}

// textsOf is what a counted history counts, read before: the floor of L2 is counting alone.
func textsOf(b *testing.B, path string) (texts []string) {
	f := openFile(b, path, Options{})
	defer f.Close()
	t := f.Doc.Conversations[0].Main()
	for i := range t.Messages {
		if uncounted(&t.Messages[i]) {
			continue
		}
		parts, err := f.Doc.Parts(&t.Messages[i])
		if err != nil {
			b.Fatal(err)
		}
		for _, p := range parts {
			if p.Kind != model.PartMedia && p.Kind != model.PartOpaque {
				texts = append(texts, p.Name, p.Text)
			}
		}
	}
	return texts
}

// countAll counts texts on all cores.
func countAll(texts []string) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		all.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(texts)); i = next.Add(1) - 1 {
				tokens.Count(tokens.O200k, texts[i])
			}
		})
	}
	all.Wait()
}

func openFile(b *testing.B, path string, opt Options) *File {
	f, err := Open(context.Background(), path, opt, transcript.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return f
}

// BenchmarkUnedited exports a large history without an edit: bytes that differ
// from the source are to be none (goal L4).
func BenchmarkUnedited(b *testing.B) {
	path, err := workload.File(workload.Codex, workload.HistoryBytes())
	if err != nil {
		b.Fatal(err)
	}
	f := openFile(b, path, Options{})
	defer f.Close()
	differ := int64(0)
	for b.Loop() {
		w := &comparing{src: f.Doc.Source}
		if err := transcript.NewEdits(f.Doc).Write(w); err != nil {
			b.Fatal(err)
		}
		differ = w.differ + f.Doc.Size - w.off
	}
	b.ReportMetric(float64(differ), "bytes-different")
}

// comparing counts the bytes written that are not those of the source.
type comparing struct {
	src    io.ReaderAt
	off    int64
	differ int64
	buf    []byte
}

func (c *comparing) Write(p []byte) (int, error) {
	if cap(c.buf) < len(p) {
		c.buf = make([]byte, len(p))
	}
	n, _ := c.src.ReadAt(c.buf[:len(p)], c.off)
	for i := range p {
		if i >= n || p[i] != c.buf[i] {
			c.differ++
		}
	}
	c.off += int64(len(p))
	return len(p), nil
}
