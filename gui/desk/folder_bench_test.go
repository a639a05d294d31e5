package desk

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"palimpsest/internal/bench/cputime"
	"palimpsest/internal/bench/workload"
	"palimpsest/model/store"
)

// BenchmarkFolder lists 1,000 sessions of 10 MB each with title, size, fullest call and
// compactions: looked into for the first time, and in the next window, which knows them.
// They are links to one file, which the system therefore holds in memory.
func BenchmarkFolder(b *testing.B) {
	n := 1000
	if testing.Short() {
		n = 20
	}
	path, err := workload.File(workload.ClaudeCode, 10e6)
	if err != nil {
		b.Fatal(err)
	}
	root := b.TempDir()
	for i := range n {
		if err := os.Link(path, filepath.Join(root, fmt.Sprintf("%04d.jsonl", i))); err != nil {
			b.Skip(err) // on another disk
		}
	}
	st, err := store.Open(filepath.Join(b.TempDir(), "test.db"))
	if err != nil {
		b.Fatal(err)
	}
	defer st.Close()
	for _, name := range []string{"cold", "warm"} {
		b.Run(name, func(b *testing.B) {
			defer cputime.Report(b)()
			for b.Loop() {
				w := newWindowOn(b, st)
				w.UseStore(st)
				w.settle()
				w.Add(root)
				for known(w.Desk) < n {
					w.q.Drain()
					time.Sleep(time.Millisecond)
				}
				b.StopTimer()
				w.settle()
				w.Close()
				b.StartTimer()
			}
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			b.ReportMetric(float64(m.Sys-m.HeapReleased)/1e6, "MB")
		})
	}
}

// known is how many files of the list have their numbers.
func known(d *Desk) (n int) {
	for _, e := range d.Entries() {
		if e.Messages > 0 {
			n++
		}
	}
	return n
}
