package model

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// HashOf is the SHA-256 of the first bytes of a source, and how many of them there are: it
// may be shorter by now. progress hears how far it is; nil: nobody does.
func HashOf(ctx context.Context, src io.ReaderAt, size int64, progress func(done, total int64)) (sum [32]byte, read int64, err error) {
	h, buf := sha256.New(), make([]byte, min(size, 256<<10))
	for read < size {
		if err := ctx.Err(); err != nil {
			return sum, read, err
		}
		n, err := src.ReadAt(buf[:min(int64(len(buf)), size-read)], read)
		if n == 0 && err != nil && err != io.EOF {
			return sum, read, err
		}
		if n == 0 {
			break
		}
		h.Write(buf[:n])
		if read += int64(n); progress != nil {
			progress(read, size)
		}
	}
	h.Sum(sum[:0])
	return sum, read, nil
}

// AbsolutePath is a path that means the same from every folder.
func AbsolutePath(path string) string {
	if abs, err := filepath.Abs(path); err == nil {
		return abs
	}
	return path
}

// mostRead bounds a file of settings that is read at once.
const mostRead = 16 << 20

// ReadSmall reads a file that a person wrote or exported: a preset, a map, a configuration. A
// pipe would wait for its other end and a device may have no end, so both are refused.
func ReadSmall(path string) ([]byte, error) {
	st, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !st.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", path)
	case st.Size() > mostRead:
		return nil, fmt.Errorf("%s is larger than %d MB", path, mostRead>>20)
	}
	return os.ReadFile(path)
}

// ReadIfThere is ReadSmall of a file that need not exist.
func ReadIfThere(path string) ([]byte, error) {
	if path == "" {
		return nil, nil
	}
	b, err := ReadSmall(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return b, err
}
