package session

import (
	"bytes"
	"context"
	"reflect"
	"slices"
	"sync"
	"testing"

	"palimpsest/compaction"
	"palimpsest/internal/workload"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

// shelf keeps counts and indexes in memory.
type shelf struct {
	mu   sync.Mutex
	kept map[[32]byte][]byte
}

func newShelf() *shelf { return &shelf{kept: map[[32]byte][]byte{}} }

func (s *shelf) ThreadCounts(_ context.Context, key [32]byte) ([]byte, bool, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.kept[key]
	return b, ok, nil
}

func (s *shelf) PutThreadCounts(ctx context.Context, key [32]byte, packed []byte) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.kept[key] = packed
	return nil
}

func workFile(t *testing.T, content []byte, opt Options) *File {
	d, err := transcript.Read(context.Background(), "work.jsonl", bytes.NewReader(content), int64(len(content)), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return NewFile(d, opt)
}

// The second opening counts nothing and has the same numbers; other bytes, and
// counts that were kept badly, are counted.
func TestCountsAreKept(t *testing.T) {
	var b bytes.Buffer
	if err := workload.Write(&b, workload.ClaudeCode, 2*countsFrom); err != nil {
		t.Fatal(err)
	}
	shelf, ctx := newShelf(), context.Background()
	open := func(content []byte) (*Session, int) {
		var most sync.Mutex // several workers report how far they are
		counted := 0
		s, err := workFile(t, content, Options{Counts: shelf}).Session(ctx, Ref{}, func(done, _ int) {
			most.Lock()
			defer most.Unlock()
			counted = max(counted, done)
		})
		if err != nil {
			t.Fatal(err)
		}
		return s, counted
	}
	first, n := open(b.Bytes())
	if n != len(first.thread.Messages) || len(shelf.kept) != 1 {
		t.Fatalf("%d of %d messages counted, %d kept", n, len(first.thread.Messages), len(shelf.kept))
	}
	again, n := open(b.Bytes())
	if n != 0 || !slices.Equal(first.counts.raw, again.counts.raw) || !reflect.DeepEqual(first.fit, again.fit) || first.Estimated() != again.Estimated() {
		t.Errorf("%d messages counted again; fits %v and %v", n, first.fit, again.fit)
	}
	sketch, err := workFile(t, b.Bytes(), Options{Counts: shelf}).Sketch(ctx, Ref{})
	if err != nil || sketch.Sketched() || !reflect.DeepEqual(sketch.fit, first.fit) {
		t.Errorf("a sketch of what is counted: %v, sketched %v", err, sketch.Sketched())
	}
	other := bytes.Replace(b.Bytes(), []byte(`"cwd":"/work"`), []byte(`"cwd":"/else"`), 1)
	if _, n := open(other); n == 0 {
		t.Error("a file with other bytes was not counted")
	}
	for key, packed := range shelf.kept {
		shelf.kept[key] = packed[:len(packed)-1]
	}
	if s, n := open(b.Bytes()); n == 0 || !slices.Equal(first.counts.raw, s.counts.raw) {
		t.Error("counts that are cut off were taken")
	}
}

// A sketch shows every row, is an estimate, applies nothing, and hands its
// parameters to the session that is counted.
func TestSketch(t *testing.T) {
	var b bytes.Buffer
	if err := workload.Write(&b, workload.Codex, 1<<20); err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	f := workFile(t, b.Bytes(), Options{})
	sketch, err := f.Sketch(ctx, Ref{})
	if err != nil {
		t.Fatal(err)
	}
	p := sketch.Policy()
	p.Window, p.Tail = 20_000, model.Amount{N: 1000, Unit: model.Tokens}
	sketch.SetPolicy(p)
	if !sketch.Sketched() || !sketch.Estimated() || sketch.fit.Calls != 0 {
		t.Error("a sketch does not say that it is an estimate")
	}
	if rec, _ := sketch.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil); rec != nil && rec.Outcome == model.Applied {
		t.Error("a sketch was compacted")
	}
	s, err := f.Count(ctx, sketch, nil)
	if err != nil {
		t.Fatal(err)
	}
	s.TakeOver(sketch)
	line := s.Plan(s.Policy(), compaction.Options{Manual: true}).Line
	if s.TakeOver(sketch); s.Plan(s.Policy(), compaction.Options{Manual: true}).Line != line {
		t.Error("what plans begin with is made again although nothing changed")
	}
	sketch.SetAt(sketch.At() - 1)
	if s.TakeOver(sketch); s.Plan(s.Policy(), compaction.Options{Manual: true}).Line == line {
		t.Error("the plan of another place begins with what was made for the one before")
	}
	sketch.SetAt(sketch.At() + 1)
	s.TakeOver(sketch)
	whole, err := f.Session(ctx, Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s.Sketched() || !slices.Equal(s.counts.raw, whole.counts.raw) || s.Policy().Tail != p.Tail {
		t.Error("the session that follows a sketch has other counts, or lost the parameters")
	}
}
