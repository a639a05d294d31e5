// Package scratch makes temporary files and folders that leave no trace: a file has
// no name where the system can do without, and what has one is for its owner alone,
// names the process that made it, and is removed by the next run when that process
// is gone.
//
//	Linux      O_TMPFILE ──▶ written, read back by descriptor ──▶ linked to its name
//	elsewhere  .palimpsest-HOST-PID-RANDOM, 0600 ──▶ … ──▶ renamed
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
	named string // its temporary name; "": it has none
}

// Create makes a temporary file for a place, and removes what dead processes of this
// machine left in its folder.
func Create(place string) (*File, error) {
	dir := filepath.Dir(place)
	sweep(dir)
	if f, err := anonymous(dir); err == nil {
		return &File{File: f}, nil
	}
	name := filepath.Join(dir, hidden+unique())
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, err
	}
	return &File{File: f, named: name}, nil
}

// Path is where the file can be opened again while this one is open.
func (f *File) Path() string {
	if f.named != "" {
		return f.named
	}
	return descriptor(f.File)
}

// Place gives the file its name. Without replace it fails if somebody else took the
// name meanwhile.
func (f *File) Place(path string, replace bool) error {
	if f.named == "" && !replace {
		return link(f.File, path)
	}
	if f.named == "" { // a link replaces nothing
		name := filepath.Join(filepath.Dir(path), hidden+unique())
		if err := link(f.File, name); err != nil {
			return err
		}
		f.named = name
	}
	f.File.Close() // Windows renames no open file; what was written was synced by then
	if !replace {
		if err := os.Link(f.named, path); err == nil || errors.Is(err, fs.ErrExist) {
			return err
		} // else a file system without links
	}
	err := os.Rename(f.named, path)
	if err == nil {
		f.named = ""
	}
	return err
}

// Discard closes the file, and removes its temporary name if there still is one.
func (f *File) Discard() error {
	err := f.File.Close()
	if errors.Is(err, os.ErrClosed) {
		err = nil
	}
	if f.named != "" {
		err = errors.Join(err, os.Remove(f.named))
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
	return err == nil && pid > 0 && pid != os.Getpid() && !alive(pid)
}
