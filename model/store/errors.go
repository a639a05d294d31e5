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

// The causes an [*Error] may have; test for them with errors.Is.
var (
	ErrReadOnly    = errors.New("the database is read-only")
	ErrLocked      = errors.New("the database is in use by another program")
	ErrNewer       = errors.New("the database was written by a newer version")
	ErrNotDatabase = errors.New("the file is not a database of this program")
	ErrCantOpen    = errors.New("the database can't be opened")
	ErrServer      = errors.New("the database server can't be used")
	ErrFull        = errors.New("the disk is full")
	ErrDisk        = errors.New("the disk reported an error")
	ErrCorrupt     = errors.New("stored data is damaged")
	ErrNotFound    = errors.New("no such entry")
	ErrExists      = errors.New("the name is taken")
	ErrChanged     = errors.New("the file is not what was opened")
	ErrNoOriginals = errors.New("the originals are missing")
	ErrNotExport   = errors.New("the file is no export of records")
)

// advice says what to do next, one sentence a cause.
var advice = map[error]string{
	ErrReadOnly:    "Reading works; to save, allow writing to the file and its folder, or choose another database.",
	ErrLocked:      "Close the other program or wait until it has finished, then try again; nothing was changed.",
	ErrNewer:       "Install the newer version, or choose another database; this one was left as it is.",
	ErrNotDatabase: "Choose another file; this one was left as it is.",
	ErrCantOpen:    "Check that the folder exists and that you may read and write in it, or choose another database.",
	ErrServer:      "Check that the server runs, the address, the name and the password, or choose another database; nothing was changed.",
	ErrFull:        "Free some space and try again; nothing was half-written.",
	ErrDisk:        "Check the disk, then try again; nothing was half-written.",
	ErrCorrupt:     "Put back a backup of the database, or use the original file if you still have it.",
	ErrChanged:     "Open the file again and repeat; nothing was written.",
	ErrNotExport:   "Choose a file that was written by exporting records as JSON; nothing was imported.",
	ErrNoOriginals: "Open the file again and repeat; nothing was written.",
}

// Error tells a person what could not be done, why, and what to do next.
type Error struct {
	Op     string // what was being done: "save the record"
	Kind   error  // the cause: one of the errors of this package
	Path   string // the database
	Detail string // what exactly, where the cause alone does not say it
	Err    error  // the underlying error; may be nil
}

// Error gives the whole message: what, why, what next.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("can't " + e.Op + ": " + e.Kind.Error())
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

// Next is the sentence that says what to do; "" when there is nothing to add.
func (e *Error) Next() string { return advice[e.Kind] }

// Unwrap gives both the cause and the underlying error.
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
func (s *Store) explain(ctx context.Context, op string, err error) error {
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
			e.Op, e.Path = op, s.path
		}
		return err
	}
	if kind := kindOf(err); kind != nil {
		return &Error{Op: op, Kind: kind, Path: s.path, Err: err}
	}
	return fmt.Errorf("%s: %w", op, err)
}

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
	switch sq.Code {
	case sqlite3.ErrReadonly, sqlite3.ErrPerm:
		return ErrReadOnly
	case sqlite3.ErrBusy, sqlite3.ErrLocked, sqlite3.ErrProtocol:
		return ErrLocked
	case sqlite3.ErrNotADB:
		return ErrNotDatabase
	case sqlite3.ErrCantOpen:
		return ErrCantOpen
	case sqlite3.ErrFull:
		return ErrFull
	case sqlite3.ErrCorrupt:
		return ErrCorrupt
	case sqlite3.ErrIoErr:
		if sq.SystemErrno == syscall.ENOSPC || sq.SystemErrno == syscall.EDQUOT {
			return ErrFull
		}
		return ErrDisk
	}
	return nil
}
