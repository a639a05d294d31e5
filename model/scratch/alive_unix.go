//go:build unix

package scratch

import (
	"errors"

	"golang.org/x/sys/unix"
)

// Alive reports whether a process runs, whoever's it is.
func Alive(pid int) bool { return !errors.Is(unix.Kill(pid, 0), unix.ESRCH) }
