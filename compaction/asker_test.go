package compaction

import (
	"context"
	"errors"
	"testing"
)

// A model that panics is an error, and the next question is asked.
func TestAskerSurvivesAPanic(t *testing.T) {
	a := NewAsker()
	for range 2 {
		_, err := a.Ask(t.Context(), false, func(context.Context) (string, error) { panic("boom") })
		if broke, ok := errors.AsType[*PanicError](err); !ok || broke.Value != "boom" {
			t.Fatalf("%v", err)
		}
	}
}

// A model that ignores its context is left behind when that ends. Until it
// returns nobody else is asked, except by who waits for it.
func TestAskerWaitsNoLongerThanTheContext(t *testing.T) {
	a := NewAsker()
	ctx, cancel := context.WithCancel(t.Context())
	release := make(chan struct{})
	deaf := func(context.Context) (string, error) {
		cancel()
		<-release
		return "late", nil
	}
	if text, err := a.Ask(ctx, false, deaf); text != "" || !errors.Is(err, context.Canceled) {
		t.Fatalf("%q, %v", text, err)
	}
	answer := func(context.Context) (string, error) { return "text", nil }
	if _, err := a.Ask(t.Context(), false, answer); err != ErrStillAsked {
		t.Fatalf("a second question while the first is open: %v", err)
	}
	if _, err := a.Ask(ctx, true, answer); err != ErrStillAsked {
		t.Fatalf("waiting with a context that has ended: %v", err)
	}
	close(release)
	if text, err := a.Ask(t.Context(), true, answer); text != "text" || err != nil {
		t.Fatalf("after it returned: %q, %v", text, err)
	}
}
