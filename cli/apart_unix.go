//go:build !windows

package cli

import (
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// apart makes a process that a signal to this one's group does not reach.
func apart() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

// columns is the width of a terminal, 0 if it does not say; ok: it is one.
func columns(f *os.File) (n int, ok bool) {
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	if err != nil {
		return 0, false
	}
	return int(size.Col), true
}
