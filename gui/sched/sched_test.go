package sched

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
)

type work = func(context.Context, func(Progress)) (int, error)

func value(n int) work {
	return func(context.Context, func(Progress)) (int, error) { return n, nil }
}

// blocked is work that waits for its context or for the channel.
func blocked(n int, release <-chan struct{}) work {
	return func(ctx context.Context, _ func(Progress)) (int, error) {
		select {
		case <-ctx.Done():
			return 0, ctx.Err()
		case <-release:
			return n, nil
		}
	}
}

func TestResultIsAppliedByTheDispatcher(t *testing.T) {
	q := NewQueue()
	s := New(q.Dispatch)
	got := 0
	Run(s, "k", value(7), func(n int, err error) { got = n })
	if got != 0 {
		t.Fatal("applied before the dispatcher ran")
	}
	q.DrainUntilIdle(s)
	if got != 7 || !s.Idle() {
		t.Fatalf("got %d, idle %v", got, s.Idle())
	}
}

func TestNewestWins(t *testing.T) {
	q := NewQueue()
	s := New(q.Dispatch)
	var applied []int
	apply := func(n int, err error) { applied = append(applied, n) }
	for i := range 200 { // slow ones first, each cancelled by the next
		Run(s, "k", blocked(i, nil), apply)
	}
	Run(s, "k", value(1000), apply)
	Run(s, "other", value(2000), apply)
	q.DrainUntilIdle(s)
	if len(applied) != 2 || applied[0]+applied[1] != 3000 {
		t.Fatalf("applied %v", applied)
	}
}

func TestOlderResultThatIgnoresItsContextIsThrownAway(t *testing.T) {
	q := NewQueue()
	s := New(q.Dispatch)
	release := make(chan struct{})
	var applied []int
	apply := func(n int, err error) { applied = append(applied, n) }
	Run(s, "k", func(context.Context, func(Progress)) (int, error) { <-release; return 1, nil }, apply)
	Run(s, "k", value(2), apply)
	close(release)
	q.DrainUntilIdle(s)
	if len(applied) != 1 || applied[0] != 2 {
		t.Fatalf("applied %v", applied)
	}
}

func TestFinishedButReplacedBeforeApply(t *testing.T) {
	q := NewQueue()
	s := New(q.Dispatch)
	var applied []int
	apply := func(n int, err error) { applied = append(applied, n) }
	Run(s, "k", value(1), apply)
	<-q.ready // its result waits in the queue
	q.ready <- struct{}{}
	Run(s, "k", value(2), apply)
	q.DrainUntilIdle(s)
	if len(applied) != 1 || applied[0] != 2 {
		t.Fatalf("applied %v", applied)
	}
}

func TestCancel(t *testing.T) {
	q := NewQueue()
	s := New(q.Dispatch)
	Run(s, "k", blocked(1, nil), func(int, error) { t.Error("applied after Cancel") })
	if !s.Running("k") {
		t.Error("not running")
	}
	s.Cancel("k")
	s.Cancel("unknown")
	if s.Running("k") {
		t.Error("running after Cancel")
	}
	q.DrainUntilIdle(s)
}

func TestPanicBecomesAnError(t *testing.T) {
	q := NewQueue()
	s := New(q.Dispatch)
	var got error
	Do(s, "k", func(context.Context, func(Progress)) error { panic("boom") }, func(err error) { got = err })
	q.DrainUntilIdle(s)
	var p *Panic
	if !errors.As(got, &p) || !strings.Contains(got.Error(), "boom") || !strings.Contains(p.Details(), "sched_test.go") {
		t.Fatalf("got %v", got)
	}
}

func TestProgressIsThinnedAndNeverFollowsTheResult(t *testing.T) {
	q := NewQueue()
	s := New(q.Dispatch)
	done := false
	var shown []int64
	s.OnProgress(func(key string, p Progress) {
		if done {
			t.Error("progress after the result")
		}
		shown = append(shown, p.Done)
	})
	Run(s, "k", func(_ context.Context, progress func(Progress)) (int, error) {
		for i := range int64(100000) {
			progress(Progress{Done: i, Total: 100000})
		}
		return 0, nil
	}, func(int, error) { done = true })
	q.DrainUntilIdle(s)
	if len(shown) > 1000 {
		t.Errorf("%d reports shown of 100000", len(shown))
	}
	for i := 1; i < len(shown); i++ {
		if shown[i] <= shown[i-1] {
			t.Errorf("progress went back: %v", shown[i-1:i+1])
		}
	}
}

func TestBusyIsToldInOrder(t *testing.T) {
	q := NewQueue()
	s := New(q.Dispatch)
	var told []bool
	s.OnBusy(func(b bool) { told = append(told, b) })
	for range 3 {
		Run(s, "a", value(1), func(int, error) {})
		Run(s, "b", value(2), func(int, error) {})
		q.DrainUntilIdle(s)
	}
	for i, b := range told {
		if b != (i%2 == 0) {
			t.Fatalf("told %v", told)
		}
	}
	if len(told) == 0 || len(told)%2 != 0 {
		t.Fatalf("told %v", told)
	}
}

func TestApplyMayStartMoreWork(t *testing.T) {
	q := NewQueue()
	s := New(q.Dispatch)
	n := 0
	var step func(int, error)
	step = func(v int, _ error) {
		if n++; n < 50 {
			Run(s, "k", value(v+1), step)
		}
	}
	Run(s, "k", value(1), step)
	q.DrainUntilIdle(s)
	if n != 50 {
		t.Fatalf("n = %d", n)
	}
}

func TestCloseStopsEverything(t *testing.T) {
	q := NewQueue()
	s := New(q.Dispatch)
	apply := func(int, error) { t.Error("applied after Close") }
	Run(s, "a", blocked(1, nil), apply)
	Run(s, "b", value(2), apply)
	s.Close()
	s.Close()
	Run(s, "c", value(3), apply)
	q.DrainUntilIdle(s)
	if err := s.Wait(context.Background()); err != nil {
		t.Fatal(err)
	}
}

func TestWaitEndsWithItsContext(t *testing.T) {
	q := NewQueue()
	s := New(q.Dispatch)
	Run(s, "k", blocked(1, nil), func(int, error) {})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if s.Wait(ctx) == nil {
		t.Fatal("no error")
	}
	s.Cancel("k")
	q.DrainUntilIdle(s)
}

func TestManyGoroutines(t *testing.T) {
	q := NewQueue()
	s := New(q.Dispatch)
	s.OnProgress(func(string, Progress) {})
	var wg sync.WaitGroup
	for g := range 8 {
		wg.Go(func() {
			for i := range 100 {
				key := string(rune('a' + (g+i)%5))
				Run(s, key, func(_ context.Context, p func(Progress)) (int, error) {
					p(Progress{Done: int64(i)})
					return i, nil
				}, func(int, error) {})
				if i%10 == 0 {
					s.Cancel(key)
				}
			}
		})
	}
	wg.Wait()
	q.DrainUntilIdle(s)
	if !s.Idle() {
		t.Fatal("not idle")
	}
}
