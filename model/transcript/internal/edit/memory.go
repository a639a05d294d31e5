package edit

import (
	"runtime/debug"
	"sync"
)

// mostWhole is what [MaxWhole] is on a machine of any size, in bytes.
const mostWhole = 2 << 30

// MaxWhole is the largest source that is read as one JSON value, in bytes. It has to
// be held in memory while it is cut into spans: it gets at most a quarter of the
// machine's.
var MaxWhole = sync.OnceValue(func() int64 { return wholeOf(memory(), debug.SetMemoryLimit(-1)) })

// wholeOf is MaxWhole for a machine's memory, 0: not known, and the limit that somebody
// set to this process.
func wholeOf(machine, limit int64) int64 {
	if machine > 0 {
		limit = min(limit, machine)
	}
	return min(mostWhole, limit/4)
}
