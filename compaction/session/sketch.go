package session

import (
	"context"

	"palimpsest/model"
)

// bytesPerToken is what a sketch takes for the size of a token, in bytes of the
// source with all its field names. Real histories have 3 to 6.
const bytesPerToken = 4

// Sketch is the session of a thread before its messages are counted: it is there
// at once, so that the rows of a large history can be looked at, and every number
// of it is an estimate from the bytes of the source. Nothing can be applied on it.
// [File.Count] makes the session that follows it.
func (f *File) Sketch(ctx context.Context, ref Ref) (*Session, error) {
	t := f.thread(ref)
	if err := trace(ctx, t); err != nil {
		return nil, err
	}
	t.counts, t.sketch = sketchCounts(t.thread), true
	t.calls = callsOf(t.thread, t.counts.raw, &t.lineage)
	s := newSession(t)
	return s, s.begin(ctx)
}

// Sketched reports whether the token numbers are those of a sketch.
func (t *CountedThread) Sketched() bool { return t.sketch }

// Count makes the session of the thread of a sketch: exact where the sketch is
// not. [Session.TakeOver] moves the state of the sketch along.
func (f *File) Count(ctx context.Context, sketch *Session, progress func(done, total int)) (*Session, error) {
	return f.prepare(ctx, sketch.ref, nil, progress)
}

func sketchCounts(t *model.Thread) *counts {
	c := &counts{raw: make([]int32, len(t.Messages)), estimated: true}
	for i := range t.Messages {
		m, n := &t.Messages[i], int64(0)
		for _, p := range m.Pieces {
			if !p.Duplicate && !uncounted(m) {
				n += p.Len
			}
		}
		c.raw[i] = int32(min(n/bytesPerToken, 1<<31-1))
	}
	return c
}
