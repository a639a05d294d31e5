package store

import (
	"context"
	"errors"
	"fmt"
	sqlite3 "github.com/mattn/go-sqlite3"
	"gorm.io/gorm"
	"io/fs"
	"strings"
	"syscall"
)

// cause is why something failed, and what a person can do about it.
type cause struct{ why, next string }

// Error returns the why.
func (c *cause) Error() string { return c.why }

// The causes an [*Error] may have; test for them with errors.Is.
var (
	ErrReadOnly error = &cause{"the database is read-only",
		"Reading works; to save, allow writing to the file and its folder, or choose another database."}
	ErrLocked error = &cause{"the database is in use by another program",
		"Close the other program or wait until it has finished, then try again; nothing was changed."}
	ErrNewer error = &cause{"the database was written by a newer version",
		"Install the newer version, or choose another database; this one was left as it is."}
	ErrNotDatabase error = &cause{"the file is not a database of this program", "Choose another file; this one was left as it is."}
	ErrCantOpen    error = &cause{"the database can't be opened",
		"Check that the folder exists and that you may read and write in it, or choose another database."}
	ErrServer error = &cause{"the database server can't be used",
		"Check that the server runs, the address, the name and the password, or choose another database; nothing was changed."}
	ErrFull    error = &cause{"the disk is full", "Free some space and try again; nothing was half-written."}
	ErrDisk    error = &cause{"the disk reported an error", "Check the disk, then try again; nothing was half-written."}
	ErrCorrupt error = &cause{"stored data is damaged",
		"Put back a backup of the database, or use the original file if you still have it."}
	ErrNotFound    error = &cause{"no such entry", ""}
	ErrExists      error = &cause{"the name is taken", ""}
	ErrChanged     error = &cause{"the file is not what was opened", "Open the file again and repeat; nothing was written."}
	ErrNoOriginals error = &cause{"the originals are missing", "Open the file again and repeat; nothing was written."}
	ErrNotExport   error = &cause{"the file is no export of records",
		"Choose a file that was written by exporting records as JSON; nothing was imported."}
)

// Error says what could not be done, why, and what to do next.
type Error struct {
	Op     string // what was being done: "save the record"
	Kind   error  // the cause: one of the errors above
	Path   string // the database
	Detail string // what exactly, where the cause alone does not say it
	Err    error  // the underlying error; may be nil
}

// Error returns the whole message: what, why, what next.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("can't " + e.Op)
	if e.Kind != ErrNotFound || e.Detail == "" { // else the detail says all of it: there is no record "R-9"
		b.WriteString(": " + e.Kind.Error())
	}
	if e.Detail != "" {
		b.WriteString(": " + e.Detail)
	}
	if e.Path != "" {
		b.WriteString(" (" + e.Path + ")")
	}
	b.WriteString(".")
	if next := e.Next(); next != "" {
		b.WriteString(" " + next)
	}
	return b.String()
}

// NoSaving reports whether an error is that nothing can be saved now, whatever it is.
func NoSaving(err error) bool {
	return errors.Is(err, ErrFull) || errors.Is(err, ErrLocked) || errors.Is(err, ErrReadOnly)
}

// Next is the sentence that says what to do; "" when there is nothing to add.
func (e *Error) Next() string {
	if c, ok := e.Kind.(*cause); ok {
		return c.next
	}
	return ""
}

// Unwrap returns both the cause and the underlying error.
func (e *Error) Unwrap() []error {
	if e.Err == nil {
		return []error{e.Kind}
	}
	return []error{e.Kind, e.Err}
}

// failure starts an error whose operation and path are filled in by explain.
func failure(kind error, detail string, args ...any) *Error {
	return &Error{Kind: kind, Detail: fmt.Sprintf(detail, args...)}
}

// explain turns what SQLite, GORM or the system said into an [*Error]. Errors
// that have no cause of ours keep their own words.
func (d *db) explain(ctx context.Context, op string, err error) error {
	if err == nil {
		return nil
	}
	if ctx.Err() != nil {
		// The driver answers a cancelled statement in several ways.
		return fmt.Errorf("%s: %w", op, ctx.Err())
	}
	var e *Error
	if errors.As(err, &e) {
		if e.Op == "" {
			e.Op, e.Path = op, d.path
		}
		return err
	}
	if kind := kindOf(err); kind != nil {
		return &Error{Op: op, Kind: kind, Path: d.path, Err: err}
	}
	return fmt.Errorf("%s: %w", op, err)
}

// kindOf is the cause behind what SQLite, a server, GORM or the system said; nil:
// none of ours.
func kindOf(err error) error {
	var sq sqlite3.Error
	if kind := postgresKind(err); kind != nil {
		return kind
	}
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return ErrFull
	case errors.Is(err, syscall.EROFS):
		return ErrReadOnly
	case errors.Is(err, fs.ErrPermission), errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return ErrCantOpen
	case errors.Is(err, gorm.ErrRecordNotFound):
		return ErrNotFound
	case errors.Is(err, gorm.ErrDuplicatedKey):
		return ErrExists
	case !errors.As(err, &sq):
		return nil
	}
	if sq.Code == sqlite3.ErrIoErr && (sq.SystemErrno == syscall.ENOSPC || sq.SystemErrno == syscall.EDQUOT) {
		return ErrFull
	}
	if strings.Contains(sq.Error(), damagedIndex) {
		return ErrCorrupt
	}
	return sqliteKinds[sq.Code]
}

// damagedIndex is what SQLite says, without a code of its own, of a full-text index
// whose settings were overwritten.
const damagedIndex = "invalid fts5 file format"

// sqliteKinds are the causes behind SQLite's codes.
var sqliteKinds = map[sqlite3.ErrNo]error{
	sqlite3.ErrReadonly: ErrReadOnly, sqlite3.ErrPerm: ErrReadOnly,
	sqlite3.ErrBusy: ErrLocked, sqlite3.ErrLocked: ErrLocked, sqlite3.ErrProtocol: ErrLocked,
	sqlite3.ErrNotADB: ErrNotDatabase, sqlite3.ErrCantOpen: ErrCantOpen, sqlite3.ErrFull: ErrFull,
	sqlite3.ErrCorrupt: ErrCorrupt, sqlite3.ErrIoErr: ErrDisk,
}
