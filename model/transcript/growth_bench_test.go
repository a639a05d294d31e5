package transcript

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"palimpsest/internal/bench/cputime"
	"palimpsest/model"
)

// BenchmarkGrowth opens histories of ten and a hundred times as many messages: what it
// costs and what is kept grow with them and no faster.
func BenchmarkGrowth(b *testing.B) {
	for _, n := range []int{10_000, 100_000, 1_000_000} {
		if testing.Short() && n > 100_000 {
			continue
		}
		path := filepath.Join(b.TempDir(), "a.jsonl")
		if err := writeTurns(path, n); err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("messages=%d", n), func(b *testing.B) {
			open := func() *model.Document {
				d, err := Open(context.Background(), path, Options{})
				if err != nil || len(d.Conversations[0].Main().Messages) != n {
					b.Fatal(err)
				}
				d.Source.(io.Closer).Close()
				return d
			}
			report := cputime.Report(b)
			for b.Loop() {
				open()
			}
			report()
			before := heap()
			d := open()
			b.ReportMetric(float64(heap()-before)/float64(n), "B/message")
			runtime.KeepAlive(d)
		})
	}
}

// writeTurns writes a session of n messages of Claude Code, none of which is long.
func writeTurns(path string, n int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	parent := "null"
	for i := range n {
		kind := []string{"user", "assistant"}[i%2]
		fmt.Fprintf(w, `{"type":%q,"sessionId":"s","uuid":"u%07d","parentUuid":%s,"timestamp":"2026-11-24T02:%02d:%02d.000Z",`+
			`"message":{"role":%q,"content":"Message %d says what it has to say in a line."}}`+"\n", kind, i, parent, i/60%60, i%60, kind, i)
		parent = fmt.Sprintf(`"u%07d"`, i)
	}
	return w.Flush()
}
