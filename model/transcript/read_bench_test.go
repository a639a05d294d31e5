package transcript

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"github.com/valyala/fastjson"
	"io"
	"os"
	"runtime"
	"testing"

	"palimpsest/internal/bench/cputime"
	"palimpsest/internal/bench/workload"
)

// BenchmarkRead reads a large history (goals L1, L3, M1) beside two anchors on
// the same file: finding its lines, and making a table of it with plain fastjson
// ([tableRow]).
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
			if n, err := eachLine(path, func([]byte) {}); err != nil || n == 0 {
				b.Fatal(n, err)
			}
		})
		run("fastjson", func(b *testing.B) {
			var p fastjson.Parser
			texts := 0
			if _, err := eachLine(path, func(line []byte) {
				v, err := p.ParseBytes(line)
				if err != nil {
					b.Fatal(err)
				}
				r := fastRow(v)
				texts += r.weight()
			}); err != nil || texts == 0 {
				b.Fatal(texts, err)
			}
		})
	}
}

func eachLine(path string, f func([]byte)) (n int, err error) {
	file, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer file.Close()
	r := bufio.NewReaderSize(file, 4<<20)
	for {
		line, err := r.ReadSlice('\n')
		if len(line) > 0 {
			f(bytes.TrimSuffix(line, []byte("\n")))
			n++
		}
		if errors.Is(err, io.EOF) {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// BenchmarkIndex is the memory that a document takes for a message, its text
// left out (goal M1).
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
		d.Source.(io.Closer).Close()
		runtime.KeepAlive(d)
		d = nil
		b.ReportMetric(float64(held)/float64(n), "B/message")
		b.ReportMetric(float64(held)/float64(workload.HistoryBytes()), "heap/input")
		b.ReportMetric(float64(heap())/float64(before), "closed/idle")
	}
}
