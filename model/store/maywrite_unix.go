//go:build unix

package store

import (
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// mayWrite reports whether the system lets us write to a database and make its log
// beside it. Nothing is changed to find out.
func mayWrite(path string) bool {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return false
	}
	f.Close()
	return unix.Access(filepath.Dir(path), unix.W_OK) == nil
}
