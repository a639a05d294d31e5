package session_test

import (
	"context"
	"io"
	"os"
	"runtime"
	"testing"

	"palimpsest/compaction/session"
	"palimpsest/internal/bench/workload"
	"palimpsest/model/transcript"
)

// BenchmarkLoad reads a history of 200 MB and counts it exactly, as opening it
// in the window does (goal L2), beside what opening alone costs (L3).
func BenchmarkLoad(b *testing.B) {
	for _, shape := range []workload.Shape{workload.ClaudeCode, workload.Codex} {
		path, err := workload.File(shape, 200e6)
		if err != nil {
			b.Fatal(err)
		}
		st, err := os.Stat(path)
		if err != nil {
			b.Fatal(err)
		}
		b.Run(string(shape)+"/open", func(b *testing.B) {
			b.SetBytes(st.Size())
			for b.Loop() {
				openFile(b, path).Close()
			}
		})
		b.Run(string(shape)+"/open-and-count", func(b *testing.B) {
			b.SetBytes(st.Size())
			for b.Loop() {
				f := openFile(b, path)
				if _, err := f.Session(context.Background(), session.Ref{}, nil); err != nil {
					b.Fatal(err)
				}
				f.Close()
			}
		})
	}
}

func openFile(b *testing.B, path string) *session.File {
	f, err := session.Open(context.Background(), path, session.Options{}, transcript.Options{})
	if err != nil {
		b.Fatal(err)
	}
	return f
}

var _ = io.Discard
var _ = runtime.GC
