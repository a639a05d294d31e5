package edit

import "io"

// NearSize is how much of a source is read at a time.
const NearSize = 256 << 10

// Near is a source that is read in stretches, for one goroutine: the messages of a
// thread follow each other, and a system call for each costs more than reading it. Its
// pieces are looked at where they were read, and their texts are copied only where they
// are spelled otherwise than they read.
type Near struct {
	src    io.ReaderAt
	off    int64
	buf    []byte // the bytes at off
	lent   bool   // pieces of buf are in use
	reader reader
}

// NewNear returns a Near over a source.
func NewNear(src io.ReaderAt) *Near {
	n := &Near{src: src}
	n.reader.index.Borrow()
	return n
}

// Forget gives the texts that were taken from its pieces free to be overwritten.
func (n *Near) Forget() {
	n.reader.forget()
	n.lent = false
}

// ReadAt implements io.ReaderAt.
func (n *Near) ReadAt(p []byte, off int64) (int, error) {
	if len(p) > NearSize/2 && !n.holds(off, len(p)) {
		return n.src.ReadAt(p, off)
	}
	err := n.reach(off, len(p))
	k := copy(p, n.buf[off-n.off:])
	if k == len(p) {
		err = nil
	}
	return k, err
}

// piece is the bytes of a piece, which are good until they are forgotten; ok is false for
// those that are to be copied.
func (n *Near) piece(off int64, size int) (b []byte, ok bool) {
	if size > NearSize/2 && !n.holds(off, size) || n.reach(off, size) != nil || !n.holds(off, size) {
		return nil, false
	}
	n.lent = true
	return n.buf[off-n.off:][:size:size], true
}

// reach reads the stretch at a place, unless it holds so many bytes of it.
func (n *Near) reach(off int64, size int) error {
	if n.holds(off, size) {
		return nil
	}
	if n.buf == nil || n.lent {
		n.buf, n.lent = make([]byte, NearSize), false
	}
	k, err := n.src.ReadAt(n.buf[:NearSize], off)
	n.off, n.buf = off, n.buf[:k]
	if k >= size {
		err = nil
	}
	return err
}

func (n *Near) holds(off int64, size int) bool {
	return off >= n.off && off+int64(size) <= n.off+int64(len(n.buf))
}
