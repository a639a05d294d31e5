package sched

import (
	"context"
	"slices"
	"testing"
)

// Requests that come faster than results: what runs is shown, then the newest,
// and nothing of those between.
func TestFollowShowsWhatIsOnTheWay(t *testing.T) {
	q := NewQueue()
	s := New(q.Dispatch)
	release := make(chan struct{})
	var applied []int
	apply := func(n int, err error) {
		if err != nil {
			t.Error(err)
		}
		applied = append(applied, n)
	}
	for i := range 20 {
		Follow(s, "k", blocked(i, release), apply)
	}
	close(release)
	q.DrainUntilIdle(s)
	if !slices.Equal(applied, []int{0, 19}) {
		t.Fatalf("applied %v", applied)
	}
}

// A slider that moves whenever a result is shown sees every result.
func TestFollowNeverStarves(t *testing.T) {
	q := NewQueue()
	s := New(q.Dispatch)
	var applied []int
	var ask func(n int)
	ask = func(n int) {
		Follow(s, "k", value(n), func(n int, _ error) {
			applied = append(applied, n)
			if n < 30 {
				ask(n + 1)
				ask(n + 2)
			}
		})
	}
	ask(0)
	q.DrainUntilIdle(s)
	if n := len(applied); n != 16 || !slices.IsSorted(applied) || !s.Idle() { // every other one is passed over
		t.Fatalf("applied %v, idle %v", applied, s.Idle())
	}
}

// Work that is not followed, and Cancel, end it with what waits behind it.
func TestFollowEndsAsOtherWork(t *testing.T) {
	for name, end := range map[string]func(*Scheduler, func(int, error)){
		"run":    func(s *Scheduler, apply func(int, error)) { Run(s, "k", value(7), apply) },
		"cancel": func(s *Scheduler, _ func(int, error)) { s.Cancel("k") },
		"close":  func(s *Scheduler, _ func(int, error)) { s.Close() },
	} {
		q := NewQueue()
		s := New(q.Dispatch)
		var applied []int
		apply := func(n int, _ error) { applied = append(applied, n) }
		canceled := make(chan struct{})
		Follow(s, "k", func(ctx context.Context, _ func(Progress)) (int, error) {
			<-ctx.Done()
			close(canceled)
			return 1, nil
		}, apply)
		Follow(s, "k", value(2), apply)
		end(s, apply)
		<-canceled
		q.DrainUntilIdle(s)
		want := []int{7}
		if name != "run" {
			want = nil
		}
		if !slices.Equal(applied, want) {
			t.Errorf("%s: applied %v, want %v", name, applied, want)
		}
	}
}
