package model

import (
	"context"
	"crypto/sha256"
	"errors"
	"io"
	"strings"
	"testing"
)

// failing is a source whose bytes can't be read from a place on.
type failing struct {
	io.ReaderAt
	from int64
}

var errDisk = errors.New("the disk fails")

func (f failing) ReadAt(b []byte, at int64) (int, error) {
	if at >= f.from {
		return 0, errDisk
	}
	return f.ReaderAt.ReadAt(b[:min(int64(len(b)), f.from-at)], at)
}

// A hash is of what is there of a source up to a size; one that can't be read has none, and
// nobody waits for it whose context is done.
func TestHashOf(t *testing.T) {
	text := strings.Repeat("0123456789", 60_000)
	src := strings.NewReader(text)
	for _, size := range []int64{0, 1, 300_000, int64(len(text)), int64(len(text)) + 5} {
		there := min(size, int64(len(text)))
		var done, total int64
		sum, read, err := HashOf(t.Context(), src, size, func(d, n int64) { done, total = d, n })
		if err != nil || read != there || sum != sha256.Sum256([]byte(text[:there])) || there > 0 && (done != there || total != size) {
			t.Errorf("%d of %d bytes, %v, heard of %d of %d", read, size, err, done, total)
		}
	}
	if _, _, err := HashOf(t.Context(), failing{src, 400_000}, int64(len(text)), nil); !errors.Is(err, errDisk) {
		t.Errorf("of what can't be read: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	_, read, err := HashOf(ctx, src, int64(len(text)), func(int64, int64) { cancel() })
	if !errors.Is(err, context.Canceled) || read >= int64(len(text)) {
		t.Errorf("%d bytes after the end of the context, %v", read, err)
	}
}
