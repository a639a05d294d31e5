package until

import (
	"testing"
	"testing/synctest"
	"time"
)

// judge notes that a test was ended.
type judge struct {
	testing.TB
	ended bool
}

func (j *judge) Helper() {}

func (j *judge) Fatalf(string, ...any) { j.ended = true }

// A condition is waited for until it holds, at most until the deadline. Time passes only in a bubble.
func TestTrue(t *testing.T) {
	for after, ends := range map[time.Duration]bool{0: false, time.Second: false, late - time.Second: false, late + time.Second: true} {
		synctest.Test(t, func(t *testing.T) {
			begun := time.Now()
			j := &judge{TB: t}
			True(j, "it is time", func() bool { return time.Since(begun) >= after })
			if j.ended != ends {
				t.Errorf("so after %v: ended %v", after, j.ended)
			}
		})
	}
}
