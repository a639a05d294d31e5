package codec

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"sort"
)

// FilesSource is files and texts one behind the other, read as one source. A
// file is opened when it is read: there may be thousands.
type FilesSource struct {
	list  []sourcePart
	Size  int64
	Files int // how many of the list are files
}

// sourcePart is a file or, without a path, a text.
type sourcePart struct {
	path, text string
	off, size  int64
}

func (s *FilesSource) add(p sourcePart) {
	p.off = s.Size
	s.list = append(s.list, p)
	s.Size += p.size
}

// AddText appends a text to the source.
func (s *FilesSource) AddText(text string) { s.add(sourcePart{text: text, size: int64(len(text))}) }

// AddFile appends the file at path, as long as it is now.
func (s *FilesSource) AddFile(path string) error {
	st, err := os.Stat(path)
	if err != nil {
		return err
	}
	s.add(sourcePart{path: path, size: st.Size()})
	s.Files++
	return nil
}

// EndsWith reports whether the part that was added last ends with a byte.
func (s *FilesSource) EndsWith(b byte) (bool, error) {
	p := s.list[len(s.list)-1]
	if p.size == 0 {
		return false, nil
	}
	var last [1]byte
	if err := p.read(last[:], p.size-1); err != nil {
		return false, err
	}
	return last[0] == b, nil
}

// read reads bytes of one part, which must all be there.
func (p sourcePart) read(to []byte, off int64) error {
	if p.path == "" {
		copy(to, p.text[off:])
		return nil
	}
	file, err := os.Open(p.path)
	if err != nil {
		return err
	}
	defer file.Close()
	if _, err := file.ReadAt(to, off); err != nil {
		return fmt.Errorf("read %s: %w", filepath.Base(p.path), err)
	}
	return nil
}

// ReadAt implements [io.ReaderAt].
func (s *FilesSource) ReadAt(p []byte, off int64) (int, error) {
	n := 0
	i := sort.Search(len(s.list), func(i int) bool { return s.list[i].off+s.list[i].size > off })
	for ; n < len(p) && i < len(s.list); i++ {
		part := s.list[i]
		at := off + int64(n) - part.off
		k := int(min(int64(len(p)-n), part.size-at))
		if k == 0 {
			continue
		}
		if err := part.read(p[n:n+k], at); err != nil {
			return n, err
		}
		n += k
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
