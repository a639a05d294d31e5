package gui

import (
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

// givesBack returns what is to be called when work began and when all of it ended. taken
// counts the bytes ever asked for.
func givesBack(taken func() uint64, give func()) func(busy bool) {
	var given uint64
	rest := time.AfterFunc(restful, func() {
		if now := taken(); now-given > spent {
			given = now
			give()
		}
	})
	return func(busy bool) {
		if rest.Stop(); !busy {
			rest.Reset(restful)
		}
	}
}

func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
