//go:build unix

package scratch

import (
	"errors"

	"golang.org/x/sys/unix"
)

// alive reports whether a process runs, whoever's it is.
func alive(pid int) bool { return !errors.Is(unix.Kill(pid, 0), unix.ESRCH) }
