package codec

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
	text   []byte // whole lines, a part of buf; none where there is one line that is too long to be kept
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

// fill fills b with the text that comes next, and reports whether there was any.
// What its lines hold is for [lineBatch.parse] to find out.
func (r *lineReader) fill(b *lineBatch) (bool, error) {
	b.text, b.lines = nil, b.lines[:0]
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
			return false, err
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
			return true, nil
		}
		cut = from + bytes.LastIndexByte(b.buf[from:], '\n') + 1
		if cut == from {
			cut = 0
		}
	}
	if over > 0 {
		b.lines = append(b.lines, line{n: over, body: over, err: errTooLong})
		return true, nil
	}
	if cut == 0 { // the last line has no end
		cut = len(b.buf)
	}
	r.rest = append(r.rest, b.buf[cut:]...)
	b.text = b.buf[:cut]
	return cut > 0, nil
}

// parse finds out what the lines of the batch's text hold.
func (b *lineBatch) parse() {
	b.parser.Reset()
	for text := b.text; len(text) > 0; {
		n := bytes.IndexByte(text, '\n') + 1
		if n == 0 {
			n = len(text)
		}
		if n > MaxLine {
			b.lines = append(b.lines, line{n: int64(n), body: int64(n), err: errTooLong})
		} else if l := parseLine(&b.parser, text[:n]); l.blank && len(b.lines) > 0 && b.lines[len(b.lines)-1].blank {
			before := &b.lines[len(b.lines)-1] // millions of them need no more room than one
			before.n, before.others = before.n+l.n, before.others+1
		} else {
			if l.err != nil {
				l = mendLine(&b.parser, text, l)
				n = int(l.n)
			}
			b.lines = append(b.lines, l)
		}
		text = text[n:]
	}
}

// batches gives the batches of a reader in order. A goroutine is ahead of who takes them: it
// reads, hashes and parses.
type batches struct {
	r     *lineReader
	held  *lineBatch      // what next gave last
	empty chan *lineBatch // to be filled
	full  chan *lineBatch // parsed, in order
	quit  chan struct{}   // nobody wants more
	err   error           // why full ended
	done  sync.WaitGroup
}

// batchesAhead is how many batches are under way: some between two sides, so that neither
// waits for the other where a batch takes longer than usual.
const batchesAhead = 4

// readAhead reads the batches of r in a goroutine, which [batches.stop] ends.
func readAhead(r *lineReader) *batches {
	s := &batches{r: r, empty: make(chan *lineBatch, batchesAhead), full: make(chan *lineBatch, batchesAhead), quit: make(chan struct{})}
	for range batchesAhead {
		s.empty <- &lineBatch{}
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
			more, err := s.r.fill(b)
			if s.err = err; err != nil || !more {
				return
			}
			b.parse()
			s.full <- b
		}
	}
}

// next is the next batch, which is good until the next call; nil at the end.
func (s *batches) next() (*lineBatch, error) {
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
	close(s.quit)
	s.done.Wait()
}
