package store

import (
	"context"
	"path/filepath"
	"testing"
)

// An answer is found by its question, a newer one takes its place, and the
// oldest make room.
func TestAnswers(t *testing.T) {
	ctx := context.Background()
	s, err := Open(filepath.Join(t.TempDir(), "p.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	key := func(n int) (k [32]byte) { k[0], k[1] = byte(n), byte(n>>8); return k }
	if _, ok, err := s.Answer(ctx, key(1)); ok || err != nil {
		t.Fatalf("an answer nobody gave: %v, %v", ok, err)
	}
	for n := 1; n <= AnswerCap; n++ {
		if err := s.PutAnswer(ctx, key(n), []byte{byte(n)}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.PutAnswer(ctx, key(1), []byte("newer")); err != nil {
		t.Fatal(err)
	}
	if b, ok, err := s.Answer(ctx, key(1)); !ok || err != nil || string(b) != "newer" {
		t.Errorf("%q, %v, %v", b, ok, err)
	}
	if err := s.PutAnswer(ctx, key(AnswerCap+1), []byte("last")); err != nil {
		t.Fatal(err)
	}
	for n, want := range map[int]bool{1: true, 2: false, AnswerCap: true, AnswerCap + 1: true} {
		if _, ok, err := s.Answer(ctx, key(n)); ok != want || err != nil {
			t.Errorf("answer %d: %v, %v", n, ok, err)
		}
	}
}
