package find

import (
	"bytes"
	"context"
	"io"
	"os"
	"slices"
	"sync"

	"palimpsest/model"
	"palimpsest/model/query"
)

// sieve decides by bytes which files may hold what a query asks for.
type sieve struct {
	needle  query.Needle
	known   map[string]indexed // by path: what the catalog says
	buffers sync.Pool
}

// sift makes the sieve of a query; nil: every file has to be opened.
func (l Library) sift(ctx context.Context, m *query.Matcher) *sieve {
	n := m.Rarest()
	if n == nil {
		return nil
	}
	s := &sieve{needle: n}
	s.buffers.New = func() any { b := make([]byte, 1<<20); return &b }
	if l.Catalog != nil {
		s.known = candidates(ctx, l.Catalog, m.Needles())
	}
	return s
}

// may reports whether a file may hold the needle.
func (s *sieve) may(ctx context.Context, path string) (bool, error) {
	st, err := os.Stat(path)
	if err != nil {
		return false, err
	}
	if !st.Mode().IsRegular() {
		return true, nil
	}
	spans := []span{{Span: model.Span{Len: st.Size()}}}
	if x, ok := s.known[model.AbsolutePath(path)]; ok {
		if spans = x.spans(st); len(spans) == 0 {
			return false, nil
		}
		if x.Decoded || x.wild {
			return true, nil
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer f.Close()
	buf := s.buffers.Get().(*[]byte)
	defer s.buffers.Put(buf)
	head := (*buf)[:min(int64(len(*buf)), st.Size(), 4096)]
	if _, err := f.ReadAt(head, 0); err != nil && err != io.EOF {
		return false, err
	}
	if !plain(head) {
		return true, nil
	}
	return s.holds(ctx, f, spans, *buf)
}

// holds reports whether one of the spans of a file holds a needle, or what may hide
// one.
func (s *sieve) holds(ctx context.Context, src io.ReaderAt, spans []span, buf []byte) (bool, error) {
	over := 16
	for _, alt := range s.needle {
		over = max(over, len(alt))
	}
	for _, at := range spans {
		for off := at.Off; off < at.End(); off += int64(len(buf) - over) {
			if err := ctx.Err(); err != nil {
				return false, err
			}
			k, err := src.ReadAt(buf[:min(int64(len(buf)), at.End()-off)], off)
			if err != nil && err != io.EOF {
				return false, err
			}
			if s.in(buf[:k], at.tame) {
				return true, nil
			}
			if k < len(buf) {
				break
			}
		}
	}
	return false, nil
}

// in reports whether bytes hold the needle, or what may hide one, if they are not tame.
// It makes their letters small.
func (s *sieve) in(b []byte, tame bool) bool {
	query.Lower(b, b)
	return slices.ContainsFunc(s.needle, func(alt []byte) bool { return bytes.Contains(b, alt) }) || composes(b) ||
		!tame && query.Escaped(b, 0) >= 0
}
