//go:build unix

package session

import (
	"io/fs"
	"sync"

	"golang.org/x/sys/unix"
)

// newFileMode is the permissions that a new file gets.
var newFileMode = sync.OnceValue(func() fs.FileMode {
	mask := unix.Umask(0o077) // it can only be asked by setting it
	unix.Umask(mask)
	return 0o666 &^ fs.FileMode(mask)
})
