// Package pgserver starts a PostgreSQL server for a test, from the distribution's package.
package pgserver

import (
	"os"
	"path/filepath"
	"testing"
)

// Folder is a folder for the time of the test that the user may enter as whom
// a test of root runs a program; the temporary folder may be root's alone.
func Folder(t *testing.T, pattern string) string {
	t.Helper()
	for _, parent := range []string{os.TempDir(), "/tmp"} {
		if os.Getuid() == 0 && !othersMayEnter(parent) {
			continue
		}
		dir, err := os.MkdirTemp(parent, pattern)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { os.RemoveAll(dir) })
		return dir
	}
	t.Skip("there is no temporary folder that another user than root may enter")
	return ""
}

func othersMayEnter(dir string) bool {
	info, err := os.Stat(dir)
	if err != nil || info.Mode()&0o001 == 0 {
		return false
	}
	up := filepath.Dir(dir)
	return up == dir || othersMayEnter(up)
}
