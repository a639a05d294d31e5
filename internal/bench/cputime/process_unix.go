//go:build unix

package cputime

import (
	"syscall"
	"time"
)

// Process is what this process has used of the processors; 0 where the system does not say.
func Process() time.Duration {
	var u syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &u) != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
