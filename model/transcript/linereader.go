package transcript

import (
	"bytes"
	"hash"
	"io"
	"sync"

	"palimpsest/model/transcript/jspan"
)

// MaxLine is the longest line that is read; a longer one is listed as damaged
// and copied through. It bounds the memory one record can ask for.
const MaxLine = 64 << 20

// batchBytes is how much of a source is cut into lines at a time: as much as
// stays in a core's cache while it is hashed and parsed.
const batchBytes = 256 << 10

// lineReader cuts a source into batches of whole lines.
type lineReader struct {
	src  io.ReaderAt
	off  int64 // of the first byte that is not read yet
	end  int64 // of the source
	sum  hash.Hash
	rest []byte // the beginning of a line whose end is not read yet
}

// lineBatch is a few lines and what they hold. It is used again.
type lineBatch struct {
	buf    []byte
	lines  []line
	parser jspan.Parser
}

// discard reads over n bytes.
func (r *lineReader) discard(n int) error {
	buf := make([]byte, n)
	_, err := r.read(buf)
	return err
}

// read fills buf as far as the source goes.
func (r *lineReader) read(buf []byte) (int, error) {
	if left := r.end - r.off; int64(len(buf)) > left {
		buf = buf[:left]
	}
	n, err := r.src.ReadAt(buf, r.off)
	r.sum.Write(buf[:n])
	r.off += int64(n)
	if err == io.EOF {
		r.end, err = r.off, nil
	}
	return n, err
}

// next fills b with the lines that come next; none at the end.
func (r *lineReader) next(b *lineBatch) error {
	b.lines = b.lines[:0]
	b.parser.Reset()
	if cap(b.buf) < batchBytes {
		b.buf = make([]byte, 0, batchBytes)
	}
	b.buf = append(b.buf[:0], r.rest...)
	r.rest = r.rest[:0]
	cut, over := 0, int64(0) // behind the last line end; bytes of a line too long to keep
	for cut == 0 && r.off < r.end {
		if over == 0 && len(b.buf) > MaxLine {
			over, b.buf = int64(len(b.buf)), b.buf[:0]
		}
		from := len(b.buf)
		if from == cap(b.buf) {
			b.buf = append(b.buf, make([]byte, from)...)[:from]
		}
		to := cap(b.buf)
		if from < batchBytes {
			to = batchBytes // the room for a long line is for that line
		}
		n, err := r.read(b.buf[from:to])
		if err != nil {
			return err
		}
		b.buf = b.buf[:from+n]
		if over > 0 {
			i := bytes.IndexByte(b.buf, '\n')
			if i < 0 {
				over, b.buf = over+int64(n), b.buf[:0]
				continue
			}
			over += int64(i + 1)
			r.rest = append(r.rest, b.buf[i+1:]...)
			b.lines = append(b.lines, line{n: over, body: over, err: errTooLong})
			return nil
		}
		cut = from + bytes.LastIndexByte(b.buf[from:], '\n') + 1
		if cut == from {
			cut = 0
		}
	}
	if over > 0 {
		b.lines = append(b.lines, line{n: over, body: over, err: errTooLong})
		return nil
	}
	if cut == 0 { // the last line has no end
		cut = len(b.buf)
	}
	r.rest = append(r.rest, b.buf[cut:]...)
	b.parse(b.buf[:cut])
	return nil
}

func (b *lineBatch) parse(text []byte) {
	for len(text) > 0 {
		n := bytes.IndexByte(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		if n > MaxLine {
			b.lines = append(b.lines, line{n: int64(n), body: int64(n), err: errTooLong})
		} else {
			b.lines = append(b.lines, parseLine(&b.parser, text[:n]))
		}
		text = text[n:]
	}
}

// batches gives the batches of a reader in order.
type batches struct {
	r     *lineReader
	one   *lineBatch      // the source is that small, or nil
	held  *lineBatch      // what next gave last
	full  chan *lineBatch // read ahead
	empty chan *lineBatch // to be filled
	quit  chan struct{}   // nobody wants more
	err   error           // why full ended
	done  sync.WaitGroup
}

// batchesAhead is how many batches are read ahead. With one more, neither side
// waits for the other where a batch takes longer than usual.
const batchesAhead = 2

// readAhead reads the batches of r in a goroutine of its own, which [batches.stop]
// ends. A source of one batch is read when it is asked for.
func readAhead(r *lineReader) *batches {
	s := &batches{r: r}
	if r.end-r.off <= batchBytes {
		s.one = new(lineBatch)
		return s
	}
	s.full, s.empty, s.quit = make(chan *lineBatch, batchesAhead+1), make(chan *lineBatch, batchesAhead+1), make(chan struct{})
	for range batchesAhead + 1 {
		s.empty <- new(lineBatch)
	}
	s.done.Go(s.fill)
	return s
}

func (s *batches) fill() {
	defer close(s.full)
	for {
		select {
		case <-s.quit:
			return
		case b := <-s.empty:
			if s.err = s.r.next(b); s.err != nil || len(b.lines) == 0 {
				return
			}
			s.full <- b // there is room for every batch that can be filled
		}
	}
}

// next is the next batch, which is good until the next call; nil at the end.
func (s *batches) next() (*lineBatch, error) {
	if s.one != nil {
		if err := s.r.next(s.one); err != nil || len(s.one.lines) == 0 {
			return nil, err
		}
		return s.one, nil
	}
	if s.held != nil {
		s.empty <- s.held
	}
	if s.held = <-s.full; s.held == nil {
		return nil, s.err
	}
	return s.held, nil
}

// stop ends the reading; the source is not read after it.
func (s *batches) stop() {
	if s.quit != nil {
		close(s.quit)
		s.done.Wait()
	}
}
