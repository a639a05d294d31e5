package scratch

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// anonymous makes a file in a folder that has no name; an error: this file system
// has none.
func anonymous(dir string) (*os.File, error) {
	fd, err := unix.Open(dir, unix.O_TMPFILE|unix.O_RDWR|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, err
	}
	f := os.NewFile(uintptr(fd), dir)
	if _, err := os.Stat(descriptor(f)); err != nil { // no /proc: it could get no name
		f.Close()
		return nil, err
	}
	return f, nil
}

// descriptor is the path by which the system names an open file.
func descriptor(f *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", f.Fd()) }

func link(f *os.File, path string) error {
	err := unix.Linkat(unix.AT_FDCWD, descriptor(f), unix.AT_FDCWD, path, unix.AT_SYMLINK_FOLLOW)
	if err != nil {
		return &os.LinkError{Op: "link", Old: "the new file", New: path, Err: err}
	}
	return nil
}
