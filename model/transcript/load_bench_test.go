package transcript

import (
	"bytes"
	"context"
	"crypto/sha256"
	"github.com/valyala/fastjson"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"palimpsest/internal/bench/workload"
)

// loadSize is enough for the share of a start to vanish.
const loadSize = 48 << 20

func loadFile(b *testing.B, shape workload.Shape) []byte {
	path, err := workload.File(shape, loadSize)
	if err != nil {
		b.Skip(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	return data
}

// BenchmarkLoad compares what opening a history costs with its floors on the same
// bytes, in one run: finding its lines, parsing them with the quickest parser
// there is, which decodes no text before it is asked, having it decode every
// text, as one who takes out what a history holds must (goal L1), and the hash by
// which records know their file.
func BenchmarkLoad(b *testing.B) {
	for _, shape := range []workload.Shape{workload.ClaudeCode, workload.Codex} {
		data := loadFile(b, shape)
		run := func(name string, f func(b *testing.B)) {
			b.Run(string(shape)+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(data)))
				b.ReportAllocs()
				for b.Loop() {
					f(b)
				}
			})
		}
		run("newlines", func(b *testing.B) {
			lines := 0
			for rest := data; ; lines++ {
				i := bytes.IndexByte(rest, '\n')
				if i < 0 {
					break
				}
				rest = rest[i+1:]
			}
			b.ReportMetric(float64(lines), "lines")
		})
		run("fastjson", func(b *testing.B) {
			var p fastjson.Parser
			for rest := data; ; {
				i := bytes.IndexByte(rest, '\n')
				if i < 0 {
					break
				}
				if _, err := p.ParseBytes(rest[:i]); err != nil {
					b.Fatal(err)
				}
				rest = rest[i+1:]
			}
		})
		run("fastjson, all texts", func(b *testing.B) {
			var p fastjson.Parser
			for rest := data; ; {
				i := bytes.IndexByte(rest, '\n')
				if i < 0 {
					break
				}
				v, err := p.ParseBytes(rest[:i])
				if err != nil {
					b.Fatal(err)
				}
				visit(v)
				rest = rest[i+1:]
			}
		})
		run("sha256", func(b *testing.B) { sha256.Sum256(data) })
		run("read", func(b *testing.B) {
			if _, err := Read(context.Background(), "bench", bytes.NewReader(data), int64(len(data)), Options{}); err != nil {
				b.Fatal(err)
			}
		})
	}
}

// visit has every text of a value decoded.
func visit(v *fastjson.Value) (n int) {
	switch v.Type() {
	case fastjson.TypeObject:
		v.GetObject().Visit(func(_ []byte, e *fastjson.Value) { n += visit(e) })
	case fastjson.TypeArray:
		for _, e := range v.GetArray() {
			n += visit(e)
		}
	case fastjson.TypeString:
		n = len(v.GetStringBytes())
	}
	return n
}

// BenchmarkLoadMemory reports what an open history keeps: bytes of heap a message,
// its text not among them (goal M1).
func BenchmarkLoadMemory(b *testing.B) {
	for _, shape := range []workload.Shape{workload.ClaudeCode, workload.Codex} {
		data := loadFile(b, shape)
		b.Run(string(shape), func(b *testing.B) {
			for b.Loop() {
				before := heap()
				d, err := readBytes("bench", data)
				if err != nil {
					b.Fatal(err)
				}
				after := heap()
				n := 0
				for _, th := range d.Conversations[0].Threads {
					n += len(th.Messages)
				}
				b.ReportMetric(float64(after-before)/float64(n), "B/message")
				b.ReportMetric(float64(after-before)/float64(len(data)), "heap/input")
				runtime.KeepAlive(d)
			}
		})
	}
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// BenchmarkHugeFile opens a file of 4 GB by its spans: what is kept of it is its
// index, and its last message is read from the file. It takes a minute and the
// disk.
func BenchmarkHugeFile(b *testing.B) {
	if testing.Short() {
		b.Skip("writes 4 GB")
	}
	data := loadFile(b, workload.Codex)
	path := filepath.Join(b.TempDir(), "huge.jsonl")
	f, err := os.Create(path)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	const times = 80
	for range times {
		if _, err := f.Write(data); err != nil {
			b.Skip(err) // the disk is full
		}
	}
	b.SetBytes(times * int64(len(data)))
	for b.Loop() {
		before := heap()
		d, err := Open(context.Background(), path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(heap()-before)/float64(d.Size), "heap/input")
		th := d.Conversations[0].Main()
		if _, err := d.Parts(&th.Messages[len(th.Messages)-1]); err != nil {
			b.Fatal(err)
		}
		d.Source.(*os.File).Close()
	}
}
