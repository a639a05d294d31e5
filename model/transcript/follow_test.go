package transcript

import (
	"bytes"
	"context"
	rand "math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"palimpsest/model"
)

// growingFile is a file of the test's own that begins with these bytes.
type growingFile struct {
	t    *testing.T
	path string
}

func newGrowingFile(t *testing.T, head []byte) *growingFile {
	t.Helper()
	g := &growingFile{t, filepath.Join(t.TempDir(), "grows.jsonl")}
	g.rewrite(head)
	return g
}

func (g *growingFile) rewrite(b []byte) {
	g.t.Helper()
	if err := os.WriteFile(g.path, b, 0o666); err != nil {
		g.t.Fatal(err)
	}
}

func (g *growingFile) append(b []byte) {
	g.t.Helper()
	f, err := os.OpenFile(g.path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		g.t.Fatal(err)
	}
	if _, err := f.Write(b); err != nil {
		g.t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		g.t.Fatal(err)
	}
}

func (g *growingFile) follow(o Options) *Follower {
	g.t.Helper()
	d, err := Open(context.Background(), g.path, o)
	if err != nil {
		g.t.Fatal(err)
	}
	f, err := Follow(d)
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { f.doc.Source.(*os.File).Close() })
	return f
}

func next(t *testing.T, f *Follower, want FileChange) *model.Document {
	t.Helper()
	got, d, err := f.Next(context.Background())
	if err != nil || got != want || (d != nil) != (want == FileGrown) {
		t.Fatalf("change %d, document %v, %v; want change %d", got, d != nil, err, want)
	}
	return d
}

// sameDocument holds two readings of the same bytes against each other.
func sameDocument(t *testing.T, got, want *model.Document) {
	t.Helper()
	if got.Size != want.Size || got.SHA256 != want.SHA256 || got.Items != want.Items {
		t.Fatalf("%d bytes, %d items instead of %d, %d", got.Size, got.Items, want.Size, want.Items)
	}
	for _, x := range []struct {
		what      string
		got, want any
	}{{"conversations", got.Conversations, want.Conversations}, {"segments", got.Segments, want.Segments},
		{"notes", got.Notes, want.Notes}, {"arrays", len(got.Arrays), len(want.Arrays)}} {
		if !reflect.DeepEqual(x.got, x.want) {
			t.Fatalf("other %s than a whole reading gives, at %d bytes", x.what, got.Size)
		}
	}
}

// A real file that grows in pieces of any size gives at every step what reading
// the same bytes at once gives, and the documents before stay as they were.
func TestFollowIsReadingAtOnce(t *testing.T) {
	for _, s := range fewer(samples(t, "claude_code", "codex_rollout")) {
		t.Run(s.File, func(t *testing.T) {
			data, err := os.ReadFile(s.Path)
			if err != nil {
				t.Fatal(err)
			}
			whole, err := readBytes(s.Path, data)
			if err != nil {
				return // what is beside a session
			}
			o := Options{Format: whole.Format}
			lines := bytes.SplitAfter(data, []byte("\n"))
			from := len(bytes.Join(lines[:min(len(lines), len(lines)/4+1)], nil))
			for from < len(data) {
				if _, err := Read(context.Background(), "", bytes.NewReader(data[:from]), int64(from), o); err == nil {
					break
				}
				from += bytes.IndexByte(data[from:], '\n') + 1
			}
			if from == len(data) || !whole.Style.JSONLines {
				return // one record, or one value
			}
			g := newGrowingFile(t, data[:from])
			f := g.follow(o)
			rng := rand.New(rand.NewPCG(1, uint64(len(data))))
			var former []*model.Document
			for from < len(data) {
				n := min(len(data)-from, 1+rng.IntN(len(data)/5+1))
				g.append(data[from : from+n])
				from += n
				change, d, err := f.Next(context.Background())
				if err != nil || change != FileSame && change != FileGrown {
					t.Fatalf("change %d, %v", change, err)
				}
				if d != nil {
					former = append(former, d)
				}
			}
			if bytes.HasSuffix(data, []byte("\n")) && f.doc.Size != int64(len(data)) {
				t.Fatalf("%d of %d bytes were read", f.doc.Size, len(data))
			}
			for _, d := range former { // only now: nothing may have changed them
				want, err := Read(context.Background(), "", bytes.NewReader(data[:d.Size]), d.Size, o)
				if err != nil {
					t.Fatal(err)
				}
				sameDocument(t, d, want)
			}
		})
	}
}

const (
	ccLine1 = `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"say one"}}` + "\n"
	ccLine2 = `{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"one"}]}}` + "\n"
	ccLine3 = `{"type":"user","uuid":"u2","parentUuid":"a1","sessionId":"s","message":{"role":"user","content":"say two"}}` + "\n"
)

func historyLen(d *model.Document) int { return len(d.Conversations[0].Main().History) }

func TestFollowWaitsForTheEndOfALine(t *testing.T) {
	g := newGrowingFile(t, []byte(ccLine1))
	f := g.follow(Options{})
	next(t, f, FileSame)
	g.append([]byte(ccLine2[:40]))
	next(t, f, FileSame)
	g.append([]byte(ccLine2[40:]))
	if d := next(t, f, FileGrown); historyLen(d) != 2 {
		t.Fatalf("%d messages", historyLen(d))
	}
	next(t, f, FileSame)
	g.append([]byte(ccLine3))
	if d := next(t, f, FileGrown); historyLen(d) != 3 || len(d.Damaged()) != 0 {
		t.Fatalf("%d messages, %d damaged", historyLen(d), len(d.Damaged()))
	}
}

func TestFollowNoticesWhatIsNoGrowth(t *testing.T) {
	both := []byte(ccLine1 + ccLine2)
	t.Run("truncated", func(t *testing.T) {
		g := newGrowingFile(t, both)
		f := g.follow(Options{})
		if err := os.Truncate(g.path, int64(len(ccLine1))); err != nil {
			t.Fatal(err)
		}
		next(t, f, FileTruncated)
	})
	t.Run("rewritten in place", func(t *testing.T) {
		g := newGrowingFile(t, both)
		f := g.follow(Options{})
		g.rewrite(append(bytes.ToUpper(both), both...))
		next(t, f, FileRewritten)
	})
	t.Run("rewritten after growth", func(t *testing.T) {
		g := newGrowingFile(t, both)
		f := g.follow(Options{})
		g.append([]byte(ccLine3))
		next(t, f, FileGrown)
		g.rewrite(append(bytes.Repeat([]byte("{}\n"), len(both)), both...))
		next(t, f, FileRewritten)
	})
	t.Run("gone", func(t *testing.T) {
		g := newGrowingFile(t, both)
		f := g.follow(Options{})
		if err := os.Rename(g.path, g.path+".old"); err != nil {
			t.Fatal(err)
		}
		next(t, f, FileGone)
	})
	t.Run("another file took its name", func(t *testing.T) {
		g := newGrowingFile(t, both)
		f := g.follow(Options{})
		if err := os.Rename(g.path, g.path+".old"); err != nil {
			t.Fatal(err)
		}
		g.rewrite([]byte(ccLine3 + ccLine3 + ccLine3))
		next(t, f, FileRewritten)
	})
	t.Run("the same file saved anew, longer", func(t *testing.T) {
		g := newGrowingFile(t, both)
		f := g.follow(Options{})
		if err := os.Rename(g.path, g.path+".old"); err != nil {
			t.Fatal(err)
		}
		g.rewrite(append(both, ccLine3...))
		if d := next(t, f, FileGrown); historyLen(d) != 3 {
			t.Fatalf("%d messages", historyLen(d))
		}
	})
	t.Run("touched", func(t *testing.T) {
		g := newGrowingFile(t, both)
		f := g.follow(Options{})
		g.rewrite(both)
		next(t, f, FileSame)
	})
}

// A value that is saved whole grows at its end.
func TestFollowOneValue(t *testing.T) {
	value := func(texts ...string) []byte {
		b := []byte(`{"messages":[`)
		for i, s := range texts {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(b, `{"role":"user","content":"`+s+`"}`...)
		}
		return append(b, "]}\n"...)
	}
	g := newGrowingFile(t, value("one"))
	f := g.follow(Options{})
	g.rewrite(value("one", "two"))
	if d := next(t, f, FileGrown); historyLen(d) != 2 {
		t.Fatalf("%d messages", historyLen(d))
	}
	g.rewrite(value("one", "two", "three")[:30])
	next(t, f, FileSame) // being written
	g.rewrite(value("one", "two", "three"))
	next(t, f, FileGrown)
	g.rewrite(value("one", "2", "three", "four"))
	next(t, f, FileRewritten)
}

func TestFollowNeedsAFile(t *testing.T) {
	d, err := readBytes(filepath.Join(t.TempDir(), "none"), []byte(ccLine1))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Follow(d); err == nil {
		t.Fatal("a document without a file is followed")
	}
}

// BenchmarkFollow appends the last tenth of a large real file line by line;
// reading it at once is what every line would cost otherwise.
func BenchmarkFollow(b *testing.B) {
	d := openSample(b, filepath.Join(sharedTranscripts(b), benchFiles["claude-code"]))
	src := sourceBytes(b, d)
	cut := len(src) - len(src)/10
	cut += bytes.IndexByte(src[cut:], '\n') + 1
	path := filepath.Join(b.TempDir(), "grows.jsonl")
	lines := bytes.SplitAfter(src[cut:], []byte("\n"))
	b.ReportAllocs()
	for b.Loop() {
		b.StopTimer()
		if err := os.WriteFile(path, src[:cut], 0o666); err != nil {
			b.Fatal(err)
		}
		doc, err := Open(context.Background(), path, Options{})
		if err != nil {
			b.Fatal(err)
		}
		f, err := Follow(doc)
		if err != nil {
			b.Fatal(err)
		}
		w, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		for _, l := range lines {
			if _, err := w.Write(l); err != nil {
				b.Fatal(err)
			}
			if _, _, err := f.Next(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
		b.StopTimer()
		w.Close()
		doc.Source.(*os.File).Close()
		b.StartTimer()
	}
	b.ReportMetric(float64(len(lines)), "lines")
}
