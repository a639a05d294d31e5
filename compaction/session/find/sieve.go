package find

import (
	"context"
	"io"
	"os"
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
	s := &sieve{needle: n, buffers: sync.Pool{New: func() any { b := make([]byte, 1<<20); return &b }}}
	if l.Catalog != nil {
		s.known = candidates(ctx, l.Catalog, m.Needles())
	}
	return s
}

// may reports whether a file may hold the needle, and how many bytes were read for it.
func (s *sieve) may(ctx context.Context, path string) (bool, int64, error) {
	st, err := os.Stat(path)
	if err != nil {
		return false, 0, err
	}
	if !st.Mode().IsRegular() {
		return true, 0, nil
	}
	spans := []model.Span{{Len: st.Size()}}
	if x, ok := s.known[path]; ok {
		if spans = x.spans(st); len(spans) == 0 {
			return false, 0, nil
		}
		if x.Decoded {
			return true, 0, nil
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return false, 0, err
	}
	defer f.Close()
	buf := s.buffers.Get().(*[]byte)
	defer s.buffers.Put(buf)
	head := (*buf)[:min(int64(len(*buf)), st.Size(), 4096)]
	if _, err := f.ReadAt(head, 0); err != nil && err != io.EOF {
		return false, 0, err
	}
	if !plain(head) {
		return true, 0, nil
	}
	return holds(ctx, f, spans, s.needle, *buf)
}
