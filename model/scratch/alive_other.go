//go:build !unix

package scratch

import "os"

// Alive reports whether a process runs.
func Alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	p.Release()
	return true
}
