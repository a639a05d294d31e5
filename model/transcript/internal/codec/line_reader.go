package codec

import (
	"bytes"
	"hash"
	"io"
	"runtime"
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
	seer   Seer          // nil: nobody looks at the records before they are taken
	parsed chan struct{} // gets one when the batch is parsed
}

// Seer looks at the records of a few lines, in their order, before the reader takes them:
// what it finds needs nothing of the records before. Those of other lines are looked at
// by others meanwhile.
type Seer interface {
	// Reset begins with other records. What was found in those before is no longer asked for.
	Reset()
	See(v jspan.Value)
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
	if b.seer != nil {
		b.seer.Reset()
	}
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
			b.see(&l)
		}
		text = text[n:]
	}
}

// see has the records of a line looked at.
func (b *lineBatch) see(l *line) {
	if b.seer == nil || l.blank || l.err != nil {
		return
	}
	b.seer.See(l.record)
	for _, v := range l.more {
		b.seer.See(v)
	}
}

// batches gives the batches of a reader in order. Goroutines are ahead of who takes
// them: one reads and hashes, others parse what was read, each a batch of its own.
type batches struct {
	r     *lineReader
	one   *lineBatch      // the source is that small, or nil
	held  *lineBatch      // what next gave last
	empty chan *lineBatch // to be filled
	cut   chan *lineBatch // filled, to be parsed
	full  chan *lineBatch // filled, in order; parsed or not
	quit  chan struct{}   // nobody wants more
	err   error           // why full ended
	done  sync.WaitGroup
}

// parsersAhead is how many batches are parsed at a time: who takes them in is slower
// than a few parsers are.
const parsersAhead = 4

// batchesAhead is how many batches are under way besides those that are parsed and the one
// that is looked at: one that is read, and some between two sides, so that neither
// waits for the other where a batch takes longer than usual.
const batchesAhead = 4

// readAhead reads the batches of r in goroutines, which [batches.stop] ends. A
// source of one batch is read when it is asked for. seer makes what looks at the records
// of a batch; nil: nothing does.
func readAhead(r *lineReader, seer func() Seer) *batches {
	s := &batches{r: r}
	batch := func() *lineBatch {
		b := &lineBatch{parsed: make(chan struct{}, 1)}
		if seer != nil {
			b.seer = seer()
		}
		return b
	}
	if r.end-r.off <= batchBytes {
		s.one = batch()
		return s
	}
	parsers := min(runtime.GOMAXPROCS(0), parsersAhead)
	all := parsers + batchesAhead
	room := func() chan *lineBatch { return make(chan *lineBatch, all) } // for every batch there is
	s.empty, s.cut, s.full, s.quit = room(), room(), room(), make(chan struct{})
	for range all {
		s.empty <- batch()
	}
	s.done.Go(s.fill)
	for range parsers {
		s.done.Go(s.parse)
	}
	return s
}

func (s *batches) fill() {
	defer close(s.full)
	defer close(s.cut)
	for {
		select {
		case <-s.quit:
			return
		case b := <-s.empty:
			more, err := s.r.fill(b)
			if s.err = err; err != nil || !more {
				return
			}
			s.full <- b
			s.cut <- b
		}
	}
}

func (s *batches) parse() {
	for b := range s.cut {
		b.parse()
		b.parsed <- struct{}{}
	}
}

// next is the next batch, which is good until the next call; nil at the end.
func (s *batches) next() (*lineBatch, error) {
	if s.one != nil {
		more, err := s.r.fill(s.one)
		if err != nil || !more {
			return nil, err
		}
		s.one.parse()
		return s.one, nil
	}
	if s.held != nil {
		s.empty <- s.held
	}
	if s.held = <-s.full; s.held == nil {
		return nil, s.err
	}
	<-s.held.parsed
	return s.held, nil
}

// stop ends the reading; the source is not read after it.
func (s *batches) stop() {
	if s.quit != nil {
		close(s.quit)
		s.done.Wait()
	}
}
