package session

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"runtime"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"palimpsest/model"
	"palimpsest/model/tokens"
)

// counts holds the tokens of the messages of a thread in an encoding, by stored
// index. Factors come later, so that calibration counts nothing again.
type counts struct {
	raw       []int32
	estimated bool // some part could only be estimated (media)
}

// countedAtOnce is how many messages a worker takes at a time.
const countedAtOnce = 32

// count counts every message with one worker a core, but those that a former
// reading of the thread, which may be nil, has a number for.
func (t *CountedThread) count(ctx context.Context, former *CountedThread, progress func(done, total int)) (*counts, error) {
	enc, messages := t.counter.Encoding(), t.thread.Messages
	known := former.counted(enc)
	c := &counts{raw: make([]int32, len(messages))}
	var taken, done atomic.Int64
	var media atomic.Bool
	g, ctx := errgroup.WithContext(ctx)
	workers := min(runtime.GOMAXPROCS(0), runtime.NumCPU())
	for range workers {
		g.Go(func() error {
			for {
				from := int(taken.Add(countedAtOnce)) - countedAtOnce
				if from >= len(messages) {
					return nil
				}
				to := min(from+countedAtOnce, len(messages))
				for i := from; i < to; i++ {
					if err := ctx.Err(); err != nil {
						return err
					}
					n, ok := known(&messages[i])
					if !ok {
						var est bool
						var err error
						if n, est, err = countMessage(t.file.Doc, &messages[i], enc); err != nil {
							return err
						}
						if est {
							media.Store(true)
						}
					}
					c.raw[i] = n
				}
				if n := done.Add(int64(to - from)); progress != nil {
					progress(int(n), len(messages))
				}
			}
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	c.estimated = media.Load()
	return c, nil
}

// uncounted reports whether no request would hold a message.
func uncounted(m *model.Message) bool {
	return m.Kind == model.KindOther && m.Role != model.RoleOther || m.Kind == model.KindBoundary
}

// countMessage counts what a request would hold of a message: its texts,
// reasoning, call names and arguments, results. Opaque parts (signatures,
// encrypted items) can't be counted and count nothing; media are estimated.
func countMessage(d *model.Document, m *model.Message, enc tokens.Encoding) (int32, bool, error) {
	if uncounted(m) {
		return 0, false, nil
	}
	parts, err := d.Parts(m)
	if err != nil {
		return 0, false, err
	}
	n, est := 0, false
	if m.Sealed {
		n, est = 1, true // it has some size, which is not known
	}
	for _, p := range parts {
		switch p.Kind {
		case model.PartMedia:
			n += tokens.Media(p.Bytes, p.Name, p.Pixels)
			est = true
		case model.PartOpaque:
		case model.PartCall:
			n += tokens.Count(enc, p.Name)
			n += tokens.Count(enc, p.Text)
		default:
			n += tokens.Count(enc, p.Text)
		}
	}
	return int32(min(n, 1<<31-1)), est, nil
}

// countsRule is part of every key. It is raised when a message counts something
// else than before: see [countMessage] and [tokens.Media].
const countsRule = 3

// countsKey names the counts of a thread: the bytes of the source, where its
// messages are in them and of what kind, the encoding, and the rule.
func countsKey(d *model.Document, t *model.Thread, enc tokens.Encoding) [32]byte {
	sum := sha256.New()
	sum.Write(d.SHA256[:])
	sum.Write([]byte(enc))
	var b []byte
	b = binary.AppendUvarint(b, countsRule)
	for i := range t.Messages {
		m := &t.Messages[i]
		b = append(b, byte(m.Kind), byte(m.Role))
		b = binary.AppendUvarint(b, uint64(len(m.Pieces)))
		for _, p := range m.Pieces {
			b = binary.AppendUvarint(b, uint64(p.Off))
			b = binary.AppendUvarint(b, uint64(p.Len))
		}
		if len(b) > 4096 {
			sum.Write(b)
			b = b[:0]
		}
	}
	sum.Write(b)
	return [32]byte(sum.Sum(nil))
}

// pack spells counts in few bytes: a small number takes one.
func (c *counts) pack() []byte {
	b := make([]byte, 1, 1+2*len(c.raw))
	if c.estimated {
		b[0] = 1
	}
	for _, n := range c.raw {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

// unpackCounts reads the counts of n messages; nil if that is not what they are.
func unpackCounts(b []byte, n int) *counts {
	if len(b) == 0 || b[0] > 1 {
		return nil
	}
	c := &counts{raw: make([]int32, n), estimated: b[0] == 1}
	b = b[1:]
	for i := range c.raw {
		v, size := binary.Uvarint(b)
		if size <= 0 || v > 1<<31-1 {
			return nil
		}
		c.raw[i], b = int32(v), b[size:]
	}
	if len(b) > 0 {
		return nil
	}
	return c
}

// Counts keeps the token counts of threads, so that a history that was counted once is not
// counted again. The store implements it. What can't be read or kept is worked out again and
// no error.
type Counts interface {
	// ThreadCounts returns what was put under the key; ok is false if nothing was.
	ThreadCounts(ctx context.Context, key [32]byte) (packed []byte, ok bool, err error)
	PutThreadCounts(ctx context.Context, key [32]byte, packed []byte) error
}

// countsFrom is how many bytes a source has at least for its counts to be kept: a smaller one
// is counted before the database has answered.
const countsFrom = 1 << 20

// keptCounts looks the counts of a thread up.
func (f *File) keptCounts(ctx context.Context, t *model.Thread, enc tokens.Encoding) (c *counts, key [32]byte) {
	if f.opt.Counts == nil || f.Doc.Size < countsFrom {
		return nil, key
	}
	key = countsKey(f.Doc, t, enc)
	packed, ok, err := f.opt.Counts.ThreadCounts(ctx, key)
	if err != nil || !ok {
		return nil, key
	}
	return unpackCounts(packed, len(t.Messages)), key
}

// keepCounts remembers the counts of a thread.
func (f *File) keepCounts(ctx context.Context, key [32]byte, c *counts) {
	if f.opt.Counts != nil && f.Doc.Size >= countsFrom {
		_ = f.opt.Counts.PutThreadCounts(ctx, key, c.pack()) // the next opening counts again
	}
}
