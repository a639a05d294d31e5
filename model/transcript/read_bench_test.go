package transcript

import (
	"context"
	"io"
	"os"
	"runtime"
	"testing"

	"github.com/klauspost/compress/zstd"

	"palimpsest/internal/bench/cputime"
	"palimpsest/internal/bench/floor"
	"palimpsest/internal/bench/workload"
)

// BenchmarkRead reads a large history (goals L1, L3, M1) beside three anchors on
// the same file: finding its lines, making a table of it with plain fastjson, and the
// same with the checks that reading makes, on one core and on all.
func BenchmarkRead(b *testing.B) {
	for _, shape := range []workload.Shape{workload.ClaudeCode, workload.Codex} {
		path, err := workload.File(shape, workload.HistoryBytes())
		if err != nil {
			b.Fatal(err)
		}
		st, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		run := func(name string, f func(b *testing.B)) {
			b.Run(string(shape)+"/"+name, func(b *testing.B) {
				b.SetBytes(st.Size())
				defer cputime.Report(b)()
				for b.Loop() {
					f(b)
				}
			})
		}
		run("open", func(b *testing.B) {
			d, err := Open(context.Background(), path, Options{})
			if err != nil {
				b.Fatal(err)
			}
			d.Source.(io.Closer).Close()
		})
		run("newlines", func(b *testing.B) {
			if n, err := floor.EachLine(path, func([]byte) error { return nil }); err != nil || n == 0 {
				b.Fatal(n, err)
			}
		})
		for _, name := range []string{"fastjson", "floor"} {
			run(name, func(b *testing.B) {
				if w, err := floor.Rows(path, name == "floor"); err != nil || w == 0 {
					b.Fatal(w, err)
				}
			})
		}
		run("floor-all-cores", func(b *testing.B) {
			if w, err := floor.RowsBeside(path, runtime.GOMAXPROCS(0), nil); err != nil || w == 0 {
				b.Fatal(w, err)
			}
		})
	}
}

// BenchmarkIndex is the memory that a document takes for a message, its text
// left out (goal M1); and, as a floor, what the same takes in columns of numbers with
// one, two or more bytes each, every id once and the first words.
func BenchmarkIndex(b *testing.B) {
	path, err := workload.File(workload.ClaudeCode, workload.HistoryBytes())
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		before := heap()
		d, err := Open(context.Background(), path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		held, n := heap()-before, len(d.Conversations[0].Main().Messages)
		z, err := zstd.NewWriter(nil)
		if err != nil {
			b.Fatal(err)
		}
		packed := columns(d, &indexWriter{pack: z}).Bytes
		words := 0
		for _, m := range d.Conversations[0].Main().Messages {
			words += len(m.Preview)
		}
		b.ReportMetric(float64(packed)/float64(n), "packed-B/message")
		b.ReportMetric(float64(words)/float64(n), "words-B/message")
		d.Source.(io.Closer).Close()
		runtime.KeepAlive(d)
		d = nil
		b.ReportMetric(float64(held)/float64(n), "B/message")
		b.ReportMetric(float64(held)/float64(workload.HistoryBytes()), "heap/input")
		b.ReportMetric(float64(heap())/float64(before), "closed/idle")
	}
}
