package transcript

import (
	"bytes"
	"context"
	"errors"
	rand "math/rand/v2"
	"strings"
	"testing"

	"palimpsest/model"
	"palimpsest/model/transcript/internal/edit"
)

// Every real file damaged as files get damaged: what still opens is covered,
// copied and compacted as any other, and nothing panics.
func TestDamagedRealFiles(t *testing.T) {
	done := map[string]int{}
	for _, s := range samples(t) {
		d, err := Open(context.Background(), s.Path, Options{})
		if err != nil || d.Size > 300<<10 || s.Format == "malformed" || strings.Contains(s.File, "/unseen/") { // which are odd already
			continue
		}
		if done[string(d.Format)]++; done[string(d.Format)] > 2 || testing.Short() && done[string(d.Format)] > 1 {
			continue
		}
		src := sourceBytes(t, d)
		rng := rand.New(rand.NewPCG(3, uint64(len(src))))
		for name, b := range damaged(src, rng) {
			t.Run(s.File+"/"+name, func(t *testing.T) {
				back, err := readBytes(s.Path, b)
				if err != nil {
					if name == "byte order mark" || name == "CRLF" {
						t.Fatal(err)
					}
					return // reported, not taken
				}
				if whole := name == "byte order mark" || name == "CRLF"; whole && back.Format != d.Format {
					t.Fatalf("read as %s, was %s", back.Format, d.Format)
				}
				checkDocument(t, back)
				if len(back.Conversations) > 0 && !checkOnlyRead(t, back) {
					rewriteOnce(t, back)
				}
			})
		}
	}
}

// damaged spoils a source in the ways of disks, editors and shells.
func damaged(src []byte, rng *rand.Rand) map[string][]byte {
	flip := bytes.Clone(src)
	for range 20 {
		flip[rng.IntN(len(flip))] = byte(rng.IntN(256))
	}
	cut := rng.IntN(len(src))
	nul := bytes.Clone(src)
	copy(nul[cut:], make([]byte, 64))
	lines := bytes.SplitAfter(src, []byte("\n"))
	rng.Shuffle(len(lines), func(i, k int) { lines[i], lines[k] = lines[k], lines[i] })
	return map[string][]byte{
		"cut":             src[:cut],
		"flipped bytes":   flip,
		"NUL bytes":       nul,
		"CRLF":            bytes.ReplaceAll(bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n")), []byte("\n"), []byte("\r\n")),
		"byte order mark": append([]byte("\xef\xbb\xbf"), bytes.TrimPrefix(src, []byte("\xef\xbb\xbf"))...),
		"shuffled lines":  bytes.Join(lines, nil),
		"deep line":       append(append(bytes.Clone(src), '\n'), strings.Repeat("[", 20000)...),
		"long line":       append(append(bytes.Clone(src), "\n{\"x\":\""...), strings.Repeat("y", 1<<20)+"\"}\n"...),
		"twice":           append(append(bytes.Clone(src), '\n'), src...),
	}
}

// rewriteOnce drops the older half of the first conversation and reads back.
func rewriteOnce(t *testing.T, d *model.Document) {
	t.Helper()
	th := d.Conversations[0].Main()
	live := th.Live(len(th.History))
	cuts := legalCuts(th, live, 0)
	if len(cuts) < 2 {
		return
	}
	cut := cuts[len(cuts)/2]
	r, err := Rewrite(d, &edit.Change{Drop: live[:cut], Summaries: []edit.Summary{{Text: testSummary, Before: live[0], UID: testUID}}})
	if err != nil {
		t.Fatalf("rewrite: %v", err)
	}
	got := written(t, r.Edits)
	back, err := Read(context.Background(), d.Path, bytes.NewReader(got), int64(len(got)), Options{Format: d.Format})
	var p *model.Problem
	if errors.As(err, &p) && bytes.IndexByte(got, 0) >= 0 {
		return // NUL bytes that came near the head: taken for a binary file, and said
	}
	if err != nil {
		t.Fatalf("read back: %v", err)
	}
	checkDocument(t, back)
	th2 := back.Conversations[0].Main()
	if n, want := len(th2.Live(len(th2.History))), len(live)-cut+1; n != want {
		t.Errorf("%d messages are live, want %d of %d", n, want, len(live))
	}
}
