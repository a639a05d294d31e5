package store

import (
	"bytes"
	"context"
	"testing"
)

// Counts come back as they were put, a later put counts, and the oldest go when
// there are too many.
func TestThreadCounts(t *testing.T) {
	s, ctx := openTemp(t), context.Background()
	key := func(i int) [32]byte { return [32]byte{byte(i), byte(i >> 8), 1} }
	for i := range ThreadCountCap + 3 {
		if err := s.PutThreadCounts(ctx, key(i), []byte{byte(i)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.PutThreadCounts(ctx, key(100), []byte("again")); err != nil {
		t.Fatal(err)
	}
	for i, want := range map[int][]byte{0: nil, 3: nil, 4: {4}, 100: []byte("again"), ThreadCountCap + 9: nil} {
		got, ok, err := s.ThreadCounts(ctx, key(i))
		if err != nil || ok != (want != nil) || !bytes.Equal(got, want) {
			t.Errorf("key %d: %q, %v, %v; want %q", i, got, ok, err, want)
		}
	}
}
