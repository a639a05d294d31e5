//go:build !unix

package scratch

import "io/fs"

// NewMode is the permissions that a new file gets.
func NewMode() fs.FileMode { return 0o666 }
