// Package scratch makes temporary files and folders that leave no trace. Each is for its
// owner alone and names the process that made it; the next run removes it when that
// process is gone.
//
//	.palimpsest-HOST-PID-RANDOM, 0600 ──▶ written, read back ──▶ renamed
package scratch

import (
	"crypto/rand"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// File is a temporary file in the folder of the place it may take.
type File struct {
	*os.File
	placed bool // it has no temporary name any more
}

// Create makes a temporary file for a place, and removes what dead processes of this
// machine left in its folder.
func Create(place string) (*File, error) {
	dir := filepath.Dir(place)
	sweep(dir)
	f, err := os.OpenFile(filepath.Join(dir, hidden+unique()), os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	return &File{File: f}, err
}

// Place gives the file its name. Without replace it fails if somebody else took the
// name meanwhile.
func (f *File) Place(path string, replace bool) error {
	f.File.Close() // Windows renames no open file; what was written was synced by then
	if !replace {
		if err := os.Link(f.Name(), path); err == nil || errors.Is(err, fs.ErrExist) {
			return err
		} // else a file system without links
	}
	err := os.Rename(f.Name(), path)
	f.placed = err == nil
	return err
}

// Discard closes the file, and removes its temporary name if there still is one.
func (f *File) Discard() error {
	err := f.File.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil
	}
	if !f.placed {
		err = errors.Join(err, os.Remove(f.Name()))
	}
	return err
}

// Dir makes a folder for its owner alone among the system's temporary ones, and removes
// what dead processes left there.
func Dir() (string, error) {
	sweep(os.TempDir())
	dir := filepath.Join(os.TempDir(), visible+unique())
	return dir, os.Mkdir(dir, 0o700)
}

const (
	hidden  = ".palimpsest-"
	visible = "palimpsest-"
)

// unique is the rest of a temporary name.
func unique() string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails, by its contract
	return fmt.Sprintf("%s-%d-%x", machine(), os.Getpid(), b)
}

// machine is a short mark of this machine: processes of others are not known here.
func machine() string {
	name, err := os.Hostname()
	if err != nil {
		name = "?"
	}
	h := fnv.New32a()
	h.Write([]byte(name))
	return fmt.Sprintf("%08x", h.Sum32())
}

// sweep removes from a folder what processes of this machine that are gone have left
// there. What can't be removed stays.
func sweep(dir string) {
	d, err := os.Open(dir)
	if err != nil {
		return
	}
	defer d.Close()
	for {
		names, err := d.Readdirnames(256)
		for _, name := range names {
			if stale(name) {
				os.RemoveAll(filepath.Join(dir, name))
			}
		}
		if err != nil {
			return
		}
	}
}

// stale reports whether a name is one of ours whose process is gone.
func stale(name string) bool {
	rest, ours := strings.CutPrefix(strings.TrimPrefix(name, "."), visible)
	parts := strings.Split(rest, "-")
	if !ours || len(parts) != 3 || parts[0] != machine() || len(parts[2]) != 16 {
		return false
	}
	pid, err := strconv.Atoi(parts[1])
	return err == nil && pid > 0 && pid != os.Getpid() && !Alive(pid)
}
