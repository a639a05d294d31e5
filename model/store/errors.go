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

// cause is why something failed, and what a person can do about it; of is the wider cause
// it belongs to, which may be nil.
type cause struct {
	why, next string
	of        error
}

// Error returns the why.
func (c *cause) Error() string { return c.why }

// Unwrap returns the wider cause.
func (c *cause) Unwrap() error { return c.of }

// The causes an [*Error] may have; test for them with errors.Is.
var (
	ErrReadOnly error = newCause("the database is read-only",
		"Reading works; to save, allow writing to the file and its folder, or choose another database.")
	ErrLocked error = newCause("the database is in use by another program",
		"Close the other program or wait until it has finished, then try again; nothing was changed.")
	ErrNewer error = newCause("the database was written by a newer version",
		"Install the newer version, or choose another database; this one was left as it is.")
	ErrNotDatabase error = newCause("the file is not a database of this program", "Choose another file; this one was left as it is.")
	ErrCantOpen    error = newCause("the database can't be opened",
		"Check that the folder exists and that you may read and write in it, or choose another database.")
	ErrServer error = newCause("the database server can't be used",
		"Check that the server runs, the address, the name and the password, or choose another database; nothing was changed.")
	// These four are kinds of ErrServer.
	ErrServerAway error = &cause{"the database server does not answer",
		"Check that it runs, that the address and the port are right and that no firewall is between; nothing was changed.", ErrServer}
	ErrPassword error = &cause{"the database server refused the name or the password",
		"Check both in the address, PGPASSWORD or ~/.pgpass, and that the server lets this name in from here; " +
			"nothing was changed.", ErrServer}
	ErrNoDatabase error = &cause{"the server has no database of that name",
		"Check the end of the address, or have it made there (createdb NAME); nothing was changed.", ErrServer}
	ErrTLS error = &cause{"no safe connection to the database server could be agreed on",
		"Check sslmode in the address: sslmode=require where the server asks for TLS, a valid certificate for verify-full, " +
			"sslmode=disable only on a network you trust; nothing was changed.", ErrServer}
	ErrFull    error = newCause("the disk is full", "Free some space and try again; nothing was half-written.")
	ErrDisk    error = newCause("the disk reported an error", "Check the disk, then try again; nothing was half-written.")
	ErrCorrupt error = newCause("stored data is damaged",
		"Put back a backup of the database, or use the original file if you still have it.")
	ErrNotFound    error = newCause("no such entry", "")
	ErrExists      error = newCause("the name is taken", "")
	ErrChanged     error = newCause("the file is not what was opened", "Open the file again and repeat; nothing was written.")
	ErrNoOriginals error = newCause("the originals are missing", "Open the file again and repeat; nothing was written.")
	ErrNotExport   error = newCause("the file is no export of records",
		"Choose a file that was written by exporting records as JSON; nothing was imported.")
)

// newCause is a cause that belongs to no other.
func newCause(why, next string) error { return &cause{why: why, next: next} }

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

// kindOf is the cause of what SQLite, a server, GORM or the system said; nil:
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

// sqliteKinds are the causes that SQLite's codes mean.
var sqliteKinds = map[sqlite3.ErrNo]error{
	sqlite3.ErrReadonly: ErrReadOnly, sqlite3.ErrPerm: ErrReadOnly,
	sqlite3.ErrBusy: ErrLocked, sqlite3.ErrLocked: ErrLocked, sqlite3.ErrProtocol: ErrLocked,
	sqlite3.ErrNotADB: ErrNotDatabase, sqlite3.ErrCantOpen: ErrCantOpen, sqlite3.ErrFull: ErrFull,
	sqlite3.ErrCorrupt: ErrCorrupt, sqlite3.ErrIoErr: ErrDisk,
}
