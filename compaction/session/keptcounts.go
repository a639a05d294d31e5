package session

import (
	"context"
	"crypto/sha256"
	"encoding/binary"

	"palimpsest/model"
	"palimpsest/model/tokens"
)

// Counts keeps what the messages of a thread weigh, so that a history that was
// counted once is not counted again. The store implements it. What can't be read
// or kept is counted anew and no error.
type Counts interface {
	// ThreadCounts gives what was put under the key; ok is false if nothing was.
	ThreadCounts(ctx context.Context, key [32]byte) (packed []byte, ok bool, err error)
	PutThreadCounts(ctx context.Context, key [32]byte, packed []byte) error
}

// worthKeeping is how many bytes a source has at least for its counts to be
// kept: a smaller one is counted before the database has answered.
const worthKeeping = 1 << 20

// countsRule is part of every key. It is raised when a message weighs something
// else than before: see [countMessage] and [tokens.Media].
const countsRule = 1

// countsKey names the counts of a thread: the bytes of the source, where its
// messages stand in them and what they are, the encoding, and the rule.
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

// keptCounts looks the counts of a thread up.
func (f *File) keptCounts(ctx context.Context, t *model.Thread, enc tokens.Encoding) (c *counts, key [32]byte) {
	if f.opt.Counts == nil || f.Doc.Size < worthKeeping {
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
	if f.opt.Counts != nil && f.Doc.Size >= worthKeeping {
		_ = f.opt.Counts.PutThreadCounts(ctx, key, c.pack()) // the next opening counts again
	}
}
