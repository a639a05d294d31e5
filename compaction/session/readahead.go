package session

import "io"

// readAheadSize is how much of a source is read at a time.
const readAheadSize = 256 << 10

// readAhead reads a source in stretches: the messages of a thread stand one
// behind the other, and a system call for each costs more than reading it. It is
// for one goroutine.
type readAhead struct {
	src io.ReaderAt
	off int64
	buf []byte // what stands at off
}

// ReadAt gives what the source would.
func (r *readAhead) ReadAt(p []byte, off int64) (int, error) {
	if r.holds(off, len(p)) {
		return copy(p, r.buf[off-r.off:]), nil
	}
	if len(p) > readAheadSize/2 {
		return r.src.ReadAt(p, off)
	}
	if r.buf == nil {
		r.buf = make([]byte, readAheadSize)
	}
	n, err := r.src.ReadAt(r.buf[:readAheadSize], off)
	r.off, r.buf = off, r.buf[:n]
	if n >= len(p) {
		return copy(p, r.buf), nil
	}
	return copy(p, r.buf), err
}

func (r *readAhead) holds(off int64, n int) bool {
	return off >= r.off && off+int64(n) <= r.off+int64(len(r.buf))
}
