//go:build unix

package scratch

import (
	"io/fs"
	"sync"

	"golang.org/x/sys/unix"
)

// NewMode is the permissions that a new file gets.
var NewMode = sync.OnceValue(func() fs.FileMode {
	mask := unix.Umask(0o077) // it can only be asked by setting it
	unix.Umask(mask)
	return 0o666 &^ fs.FileMode(mask)
})
