package gui

import (
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// Memory is given back to the system when no work was under way for restful, if spent was
// taken since the last time: opening a history or starting uses far more than looking at it,
// and to give memory back costs a whole collection.
const (
	restful = 700 * time.Millisecond
	spent   = 32 << 20
)

// memory gives back what work has left.
type memory struct {
	taken func() uint64 // bytes ever asked for
	give  func()
	given uint64      // what had been taken when it was given back last
	rest  *time.Timer // begun when all work ended
}

func newMemory() *memory {
	samples := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	m := &memory{give: debug.FreeOSMemory, taken: func() uint64 {
		metrics.Read(samples)
		return samples[0].Value.Uint64()
	}}
	m.rest = time.AfterFunc(restful, m.rested)
	return m
}

// busy is called when work began and when all of it ended.
func (m *memory) busy(on bool) {
	if on {
		m.rest.Stop()
	} else {
		m.rest.Reset(restful)
	}
}

func (m *memory) rested() {
	if taken := m.taken(); taken-m.given > spent {
		m.given = taken
		m.give()
	}
}
