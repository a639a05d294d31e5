//go:build !unix

package cputime

import "time"

// Process is what this process has used of the processors; 0 where the system does not say.
func Process() time.Duration { return 0 }
