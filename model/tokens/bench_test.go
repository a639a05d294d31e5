package tokens

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"

	"palimpsest/internal/bench/cputime"
	"palimpsest/internal/bench/workload"
)

func size(texts []string) (n int64) {
	for _, s := range texts {
		n += int64(len(s))
	}
	return n
}

// BenchmarkCount measures counting against two anchors on the same texts: the
// splitter alone, below which no counter of this design can go, and
// tiktoken-go/tokenizer, the best-kept other counter in Go.
func BenchmarkCount(b *testing.B) {
	kinds := workload.ByKind()
	peer, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		b.Fatal(err)
	}
	e := O200k.encoder()
	counters := []struct {
		name  string
		count func(string)
	}{
		{"o200k", func(s string) { Count(O200k, s) }},
		{"cl100k", func(s string) { Count(Cl100k, s) }},
		{"split", func(s string) {
			for i := 0; i < len(s); {
				i = e.splitAt(e.classes, s, i)
			}
		}},
		{"tiktoken-go", func(s string) {
			if _, err := peer.Count(s); err != nil {
				b.Fatal(err)
			}
		}},
	}
	for _, kind := range workload.Kinds {
		for _, c := range counters {
			b.Run(kind+"/"+c.name, func(b *testing.B) {
				b.SetBytes(size(kinds[kind]))
				b.ReportAllocs()
				defer cputime.Report(b)()
				for b.Loop() {
					for _, s := range kinds[kind] {
						c.count(s)
					}
				}
			})
		}
	}
}

// BenchmarkAll counts every real string once, from the first to the last, with
// caches that begin empty. BenchmarkCount counts few texts over and over, so that
// its caches hold more of them.
func BenchmarkAll(b *testing.B) {
	texts, _ := workload.Texts()
	for name, e := range map[string]*encoder{"o200k": loadO200k(), "cl100k": loadCl100k()} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(size(texts))
			defer cputime.Report(b)()
			for b.Loop() {
				w := new(scratch)
				for _, s := range texts {
					e.countWith(w, s)
				}
			}
		})
	}
}

// BenchmarkWorkers counts the real strings with 1 and 2 goroutines.
func BenchmarkWorkers(b *testing.B) {
	texts := workload.ByKind()["real"]
	for _, workers := range []int{1, 2} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			b.SetBytes(size(texts))
			defer cputime.Report(b)()
			for b.Loop() {
				next := make(chan []string, len(texts)/100+1)
				for i := 0; i < len(texts); i += 100 {
					next <- texts[i:min(i+100, len(texts))]
				}
				close(next)
				done := make(chan bool)
				for range workers {
					go func() {
						for part := range next {
							for _, s := range part {
								Count(O200k, s)
							}
						}
						done <- true
					}()
				}
				for range workers {
					<-done
				}
			}
		})
	}
}

// BenchmarkRun counts one character many times over, which is where merging
// pair by pair grows with the square.
func BenchmarkRun(b *testing.B) {
	peer, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []string{"a", "_", " "} {
		s := strings.Repeat(c, 100_000)
		b.Run(fmt.Sprintf("%q×%d/tiktoken-go", c, len(s)), func(b *testing.B) {
			defer cputime.Report(b)()
			for b.Loop() {
				if _, err := peer.Count(s); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	for _, c := range []string{"a", "_", " ", "中", "0", "\n"} {
		for _, n := range []int{100_000, 200_000} {
			s := strings.Repeat(c, n)
			b.Run(fmt.Sprintf("%q×%d", c, n), func(b *testing.B) {
				defer cputime.Report(b)()
				for b.Loop() {
					Count(O200k, s)
				}
			})
		}
	}
}

// BenchmarkLoad is what the first count waits for. The peer keeps what it has
// loaded, so that only its first time counts: run it with -benchtime 1x.
func BenchmarkLoad(b *testing.B) {
	b.Run("tiktoken-go", func(b *testing.B) {
		defer cputime.Report(b)()
		for b.Loop() {
			peer, err := tokenizer.Get(tokenizer.O200kBase)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := peer.Count("one"); err != nil {
				b.Fatal(err)
			}
		}
	})
	for name, packed := range map[Encoding][]byte{O200k: packedO200k, Cl100k: packedCl100k} {
		b.Run(string(name), func(b *testing.B) {
			defer cputime.Report(b)()
			for b.Loop() {
				if _, err := newVocabulary(packed); err != nil {
					b.Fatal(err)
				}
				buildClasses()
			}
			b.ReportMetric(float64(len(packed))/1e6, "MB-embedded")
		})
	}
}

// BenchmarkDifferences compares every real string with the independent counter,
// in both encodings; a difference is no matter of speed, but is in the same
// table. Strings are cut at 20,000 bytes, for the peer takes time with the
// square of a run's length.
func BenchmarkDifferences(b *testing.B) {
	all := realStrings(b)
	step := 1
	if testing.Short() {
		step = 20
	}
	strs, differences := 0, 0
	for b.Loop() {
		strs, differences = 0, 0
		for i := 0; i < len(all); i += step {
			s := all[i]
			if len(s) > 20_000 {
				s = strings.ToValidUTF8(s[:20_000], "")
			}
			if !peerKnows(s) {
				continue
			}
			strs++
			for e, peer := range peers() {
				if Count(e, s) != len(peer.EncodeOrdinary(s)) {
					differences++
				}
			}
		}
	}
	b.ReportMetric(float64(strs), "strings")
	b.ReportMetric(float64(differences), "differences")
}
