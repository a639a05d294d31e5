package garbage

import (
	"runtime/debug"
	"testing"
)

// Of several wishes the strictest holds, and the usual pace when all are taken back.
func TestStrictestHolds(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	want := func(after string, want int) {
		t.Helper()
		now := debug.SetGCPercent(-1)
		if debug.SetGCPercent(now); now != want {
			t.Errorf("%s: %d percent, want %d", after, now, want)
		}
	}
	spare := Sparing()
	want("sparing", 20)
	none := None()
	want("none", -1)
	another := None()
	none()
	none()
	want("one of two none is done, twice", -1)
	another()
	want("none is done", 20)
	if before := setUsual(10); before != 100 {
		t.Errorf("%d was the usual pace", before)
	}
	want("sparing, with less as usual", 10)
	setUsual(80)
	want("sparing, with more as usual", 20)
	spare()
	want("all are done", 80)
	debug.SetGCPercent(-1) // GOGC=off
	done := Sparing()
	want("sparing where nothing is collected", -1)
	done()
	want("and after it", -1)
}

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
		if got := beside(x.usual, x.inUse); got != x.want {
			t.Errorf("usual %d, %d MB in use: %d, want %d", x.usual, x.inUse>>20, got, x.want)
		}
	}
}
