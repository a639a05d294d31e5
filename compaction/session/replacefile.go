package session

import (
	"context"
	"fmt"
	"io"
	"os"
)

// ReplaceFile puts a text in the place of a file of another program and keeps the
// former one beside it, under a name that is free; old nil: there was none.
func ReplaceFile(ctx context.Context, path string, old, text []byte) (backup string, err error) {
	put := func(path string, text []byte) error {
		_, err := WriteFile(ctx, path, true, func(w io.Writer) error {
			_, err := w.Write(text)
			return err
		})
		return err
	}
	if old != nil {
		backup = path + ".before-palimpsest"
		for n := 2; ; n++ { // those of earlier changes stay
			if _, err := os.Lstat(backup); err != nil {
				break
			}
			backup = fmt.Sprintf("%s.before-palimpsest.%d", path, n)
		}
		if err := put(backup, old); err != nil {
			return "", err
		}
	}
	return backup, put(path, text)
}
