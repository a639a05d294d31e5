package source

import (
	"bytes"
	"compress/bzip2"
	"compress/gzip"
	"io"
	"unicode/utf16"

	"github.com/klauspost/compress/zstd"
	"github.com/ulikunitz/xz"

	"palimpsest/model"
)

func gzipped(s *state) (*Text, error) {
	if !bytes.HasPrefix(s.head, []byte("\x1f\x8b")) {
		return nil, nil
	}
	var head gzip.Header
	return s.stream("gzip", func() (io.Reader, error) {
		r, err := gzip.NewReader(s.all())
		if err == nil {
			head = r.Header
		}
		return r, err
	}, func(w io.Writer) (io.WriteCloser, error) {
		z := gzip.NewWriter(w)
		z.Header = head
		return z, nil
	})
}

// mostWindow is how far back a packed stream may refer, in bytes: as far as zstd itself
// unpacks unasked. It is in memory as soon as a stream says so.
const mostWindow = 128 << 20

func zstandard(s *state) (*Text, error) {
	if !bytes.HasPrefix(s.head, []byte("\x28\xb5\x2f\xfd")) {
		return nil, nil
	}
	return s.stream("Zstandard", func() (io.Reader, error) {
		r, err := zstd.NewReader(s.all(), zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(mostWindow))
		if err != nil {
			return nil, err
		}
		return r.IOReadCloser(), nil
	}, func(w io.Writer) (io.WriteCloser, error) { return zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) })
}

func xzed(s *state) (*Text, error) {
	if !bytes.HasPrefix(s.head, []byte("\xfd7zXZ\x00")) {
		return nil, nil
	}
	return s.stream("xz", func() (io.Reader, error) { return xz.NewReader(s.all()) },
		func(w io.Writer) (io.WriteCloser, error) { return xz.NewWriter(w) })
}

// bzipped reads bzip2, for which Go has no writer.
func bzipped(s *state) (*Text, error) {
	if !bytes.HasPrefix(s.head, []byte("BZh")) || len(s.head) < 10 || !bytes.Equal(s.head[4:10], []byte("\x31\x41\x59\x26\x53\x59")) {
		return nil, nil
	}
	b, err := s.unpacked(func() (io.Reader, error) { return bzip2.NewReader(s.all()), nil }, s.size)
	if err != nil {
		return nil, err
	}
	return &Text{Bytes: b, Packed: &model.Packed{Kind: "bzip2", Why: "What is packed by bzip2 is read, and not written."}}, nil
}

// stream unpacks a text that is packed as a whole.
func (s *state) stream(kind string, open func() (io.Reader, error), pack func(io.Writer) (io.WriteCloser, error)) (*Text, error) {
	b, err := s.unpacked(open, s.size)
	if err != nil {
		return nil, err
	}
	return &Text{Bytes: b, Packed: &model.Packed{Kind: kind, Pack: func(w io.Writer, text []byte) error {
		z, err := pack(w)
		if err != nil {
			return err
		}
		if _, err := z.Write(text); err != nil {
			return err
		}
		return z.Close()
	}}}, nil
}

// utf16Order recognises UTF-16 that says so, and text that must be it: every other byte
// of it is zero.
func utf16Order(head []byte) (big, mark, ok bool) {
	switch {
	case bytes.HasPrefix(head, []byte("\xff\xfe")):
		return false, true, true
	case bytes.HasPrefix(head, []byte("\xfe\xff")):
		return true, true, true
	case len(head) < 4:
		return false, false, false
	case head[0] == 0 && head[2] == 0 && head[1] != 0 && head[3] != 0:
		return true, false, true
	case head[1] == 0 && head[3] == 0 && head[0] != 0 && head[2] != 0:
		return false, false, true
	}
	return false, false, false
}

func utf16Text(s *state) (*Text, error) {
	big, mark, ok := utf16Order(s.head)
	if !ok || s.size%2 != 0 {
		return nil, nil
	}
	b, err := s.whole()
	if err != nil {
		return nil, err
	}
	units := make([]uint16, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		lo, hi := b[i], b[i+1]
		if big {
			lo, hi = hi, lo
		}
		units = append(units, uint16(hi)<<8|uint16(lo))
	}
	if mark {
		units = units[1:]
	}
	text := string(utf16.Decode(units))
	return &Text{Bytes: []byte(text), Packed: &model.Packed{Kind: "UTF-16", Pack: func(w io.Writer, text []byte) error {
		units := utf16.Encode([]rune(string(text)))
		if mark {
			units = append([]uint16{0xfeff}, units...)
		}
		out := make([]byte, 0, 2*len(units))
		for _, u := range units {
			lo, hi := byte(u), byte(u>>8)
			if big {
				lo, hi = hi, lo
			}
			out = append(out, lo, hi)
		}
		_, err := w.Write(out)
		return err
	}}}, nil
}
