package edit

import (
	"bytes"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// memory is the machine's, or what the container may use of it, in bytes; 0: not
// known.
func memory() int64 {
	var i unix.Sysinfo_t
	if unix.Sysinfo(&i) != nil {
		return 0
	}
	all := int64(i.Totalram) * int64(i.Unit)
	b, err := os.ReadFile("/sys/fs/cgroup/memory.max")
	if err != nil {
		return all
	}
	if own, err := strconv.ParseInt(string(bytes.TrimSpace(b)), 10, 64); err == nil && own > 0 { // else it is "max"
		all = min(all, own)
	}
	return all
}
