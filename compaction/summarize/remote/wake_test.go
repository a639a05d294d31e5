package remote

import (
	"runtime"
	"testing"
	"time"
)

// A person need not sit out the time until the next attempt; nobody else's waiting ends.
func TestAWakerEndsTheWaiting(t *testing.T) {
	var w, other Waker
	ended := make(chan error)
	go func() { ended <- sleep(WithWaker(t.Context(), &w), time.Hour) }()
	go func() { ended <- sleep(WithWaker(t.Context(), &w), time.Hour) }()
	for n := 0; n < 2; {
		other.Wake()
		w.Wake() // more than once: it may be said before they wait
		select {
		case err := <-ended:
			if n++; err != nil {
				t.Fatal(err)
			}
		default:
			runtime.Gosched()
		}
	}
}
