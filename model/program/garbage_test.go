package program

import "testing"

// The more is in use, the less garbage there may be beside it.
func TestGarbageBesideWhatIsInUse(t *testing.T) {
	for _, x := range []struct {
		usual int
		inUse uint64
		want  int
	}{
		{100, 0, 100},
		{100, 10 << 20, 100},
		{100, 80 << 20, 50},
		{100, 1 << 30, 20},
		{10, 1 << 30, 10}, // GOGC says so
		{-1, 1 << 30, -1},
	} {
		if got := garbagePercent(x.usual, x.inUse); got != x.want {
			t.Errorf("usual %d, %d MB in use: %d, want %d", x.usual, x.inUse>>20, got, x.want)
		}
	}
}
