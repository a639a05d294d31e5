//go:build !windows

package crash

import (
	"errors"
	"syscall"
)

// running reports whether there is a process of this number.
func running(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
