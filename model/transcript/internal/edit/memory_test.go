package edit

import "testing"

func TestWholeIsAShareOfMemory(t *testing.T) {
	const none = 1<<63 - 1 // what the runtime says without a limit
	for _, x := range []struct{ machine, limit, want int64 }{
		{64 << 30, none, 2 << 30}, {4 << 30, none, 1 << 30}, {4 << 30, 1 << 30, 256 << 20}, {0, none, 2 << 30}, {0, 1 << 30, 256 << 20},
	} {
		if got := wholeOf(x.machine, x.limit); got != x.want {
			t.Errorf("of %d MB with a limit of %d MB: %d MB, not %d", x.machine>>20, x.limit>>20, got>>20, x.want>>20)
		}
	}
}
