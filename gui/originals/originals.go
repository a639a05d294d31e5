// Package originals reads what became of the originals of a record: of the copy in the
// database, and of the file that they were read from.
package originals

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"palimpsest/model"
	"palimpsest/model/store"
)

// Disk is what became of the file that a record was made of.
type Disk string

// States of a file.
const (
	NoFile    Disk = "none" // a sample, a folder, or recorded in the database
	Unchanged Disk = "unchanged"
	Grown     Disk = "grown" // and what it held is as it was
	Changed   Disk = "changed"
	Gone      Disk = "gone"
	Unread    Disk = "unread" // see Copies.Why
)

// Copies is where the originals of a record are: the copy in the database, and the file
// itself, as both were hashed last.
type Copies struct {
	At     time.Time
	Stored string // SHA-256 of the copy
	Lost   error  // why the copy can't be read; nil: it can
	File   string // SHA-256 of the file
	Disk   Disk
	Line   int   // the last that is as it was of a file that has grown, the first that differs of one that changed
	Why    error // it can't be read
}

// Intact reports whether the copy is what the record was made of.
func (c *Copies) Intact(r *model.Record) bool { return c.Lost == nil && c.Stored == r.SourceSHA }

// Holds reports whether the file still has all that the record was made of.
func (c *Copies) Holds() bool { return c.Disk == Unchanged || c.Disk == Grown }

// Read hashes the stored copy of a record's originals and their file, from its path.
func Read(ctx context.Context, st *store.Store, r *model.Record) *Copies {
	c := &Copies{At: time.Now(), Disk: NoFile}
	stored, file := sha256.New(), sha256.New()
	both, x := io.Writer(stored), &difference{}
	if info, err := os.Stat(r.Path); filepath.IsAbs(r.Path) && (err != nil || !info.IsDir()) {
		f, err := os.Open(r.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			c.Disk = Gone
		case err != nil:
			c.Disk, c.Why = Unread, err
		default:
			defer f.Close()
			x.file = bufio.NewReader(io.TeeReader(f, file))
			both = io.MultiWriter(stored, x)
		}
	}
	c.Lost = st.WriteSource(ctx, r.ID, both)
	c.Stored = hex.EncodeToString(stored.Sum(nil))
	if x.file == nil {
		return c
	}
	rest, err := io.Copy(io.Discard, x.file)
	c.File = hex.EncodeToString(file.Sum(nil))
	switch c.Disk = Changed; {
	case err != nil:
		c.Disk, c.Why = Unread, err
	case c.File == r.SourceSHA:
		c.Disk = Unchanged
	case c.Lost != nil: // there is nothing to find the line with
	case !x.found && rest > 0:
		c.Disk, c.Line = Grown, x.line
	default:
		c.Line = x.line + 1
	}
	return c
}

// difference finds the first line in which a file differs from what is written to it.
type difference struct {
	file  *bufio.Reader
	line  int // how many are equal
	found bool
}

// Write implements io.Writer.
func (x *difference) Write(b []byte) (int, error) {
	for i := 0; i < len(b) && !x.found; i++ {
		switch other, err := x.file.ReadByte(); {
		case err != nil || other != b[i]:
			x.found = true
		case other == '\n':
			x.line++
		}
	}
	return len(b), nil
}
