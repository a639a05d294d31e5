// Package until is how tests wait for what other goroutines and programs do.
package until

import (
	"testing"
	"time"
)

// late is when waiting is given up. What takes so long hangs: a machine under load is slow,
// and no test fails for that.
const late = 3 * time.Minute

// True returns when is returns true, and ends the test where that never happens. The
// condition is asked by this goroutine: soon at first, then twenty times a second.
func True(t testing.TB, what string, is func() bool) {
	t.Helper()
	pause := time.Millisecond
	for end := time.Now().Add(late); !is(); pause = min(2*pause, 50*time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not so after %v: %s", late, what)
			return
		}
		time.Sleep(pause)
	}
}
