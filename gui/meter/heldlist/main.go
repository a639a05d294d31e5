// Heldlist is the least window that holds what the program has to: the list of barelist, and
// in memory the fonts of all scripts, a vocabulary, the words of the window and an open
// history that is counted. It is the floor of the program's memory at rest.
package main

import (
	"bytes"
	"context"
	"runtime"
	"runtime/debug"
	"time"

	"palimpsest/assets"
	"palimpsest/compaction/session"
	"palimpsest/gui/kit/faces"
	"palimpsest/gui/meter"
	"palimpsest/gui/words"
	"palimpsest/model/transcript"
)

func main() {
	held, err := hold(context.Background())
	if err != nil {
		panic(err)
	}
	time.AfterFunc(3*time.Second, debug.FreeOSMemory) // when its first frame is there
	meter.ShowList()
	runtime.KeepAlive(held)
}

func hold(ctx context.Context) (*session.Session, error) {
	faces.Read(true)
	words.Set("en")
	sample := assets.Samples[0].Bytes()
	d, err := transcript.Read(ctx, "sample", bytes.NewReader(sample), int64(len(sample)), transcript.Options{})
	if err != nil {
		return nil, err
	}
	return session.NewFile(d, session.Options{}).Session(ctx, session.Ref{}, nil)
}
