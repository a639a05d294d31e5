package auto

import (
	"time"
)

// backOff keeps a failing or useless summary from being made again and again.
// After the n-th miss in a row the history has to grow by
// k·2^(n−1) messages, or some time to pass. From a number of misses on the
// breaker is open: then both must happen.
//
// A list that has reached a hard size need not grow; while the breaker is open
// even it waits for the time.
type backOff struct {
	misses int
	at     int // messages ever appended when it last missed
	when   time.Time
}

// wait is how many messages and how much time are still missing; ok reports
// whether a summary may be made.
func (b *backOff) wait(c *Config, total int, now time.Time, hard bool) (messages int, d time.Duration, ok bool) {
	if b.misses == 0 {
		return 0, 0, true
	}
	messages = max(0, b.at+c.BackOff<<min(b.misses-1, maxDoublings)-total)
	d = max(0, b.when.Add(c.RetryAfter.Duration()).Sub(now))
	grown, rested := messages == 0, d == 0
	if b.open(c) {
		return messages, d, rested && (grown || hard)
	}
	return messages, d, grown || rested || hard && c.BreakAfter > 0
}

const maxDoublings = 20

func (b *backOff) open(c *Config) bool { return c.BreakAfter > 0 && b.misses >= c.BreakAfter }

func (b *backOff) miss(total int, now time.Time) { b.misses, b.at, b.when = b.misses+1, total, now }
