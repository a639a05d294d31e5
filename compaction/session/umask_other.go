//go:build !unix

package session

import "io/fs"

// newFileMode is the permissions that a new file gets.
func newFileMode() fs.FileMode { return 0o666 }
