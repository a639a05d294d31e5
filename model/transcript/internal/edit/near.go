package edit

import "io"

// nearSize is how much of a source is read at a time.
const nearSize = 256 << 10

// Near is a source that is read in stretches, for one goroutine: the messages of a
// thread follow each other, and a system call for each costs more than reading it. Texts
// of its pieces are copied only where they are spelled otherwise than they read.
type Near struct {
	src    io.ReaderAt
	off    int64
	buf    []byte // the bytes at off
	reader reader
}

// NewNear returns a Near over a source.
func NewNear(src io.ReaderAt) *Near {
	n := &Near{src: src}
	n.reader.index.Borrow()
	return n
}

// Forget gives the texts that were taken from its pieces free to be overwritten.
func (n *Near) Forget() { n.reader.forget() }

// ReadAt implements io.ReaderAt.
func (n *Near) ReadAt(p []byte, off int64) (int, error) {
	if n.holds(off, len(p)) {
		return copy(p, n.buf[off-n.off:]), nil
	}
	if len(p) > nearSize/2 {
		return n.src.ReadAt(p, off)
	}
	if n.buf == nil {
		n.buf = make([]byte, nearSize)
	}
	k, err := n.src.ReadAt(n.buf[:nearSize], off)
	n.off, n.buf = off, n.buf[:k]
	if k >= len(p) {
		return copy(p, n.buf), nil
	}
	return copy(p, n.buf), err
}

func (n *Near) holds(off int64, size int) bool {
	return off >= n.off && off+int64(size) <= n.off+int64(len(n.buf))
}
