package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Compact rewrites the database file without its free pages and returns the bytes
// that went back to the disk. It needs as much free space again as the database
// takes. A server does that by itself, and is refused.
func (u upkeep) Compact(ctx context.Context) (freed int64, err error) {
	freed, err = u.compact(ctx)
	return freed, u.explain(ctx, "make the database smaller", err)
}

func (u upkeep) compact(ctx context.Context) (freed int64, err error) {
	if IsServer(u.path) {
		return 0, failure(ErrServer, "it keeps its own space")
	}
	w, err := u.writer(ctx)
	if err != nil {
		return 0, err
	}
	before, err := u.engine.size(ctx, u.db)
	if err != nil {
		return 0, err
	}
	if err := statements("VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)")(w.WithContext(ctx)); err != nil {
		return 0, err
	}
	after, err := u.engine.size(ctx, u.db)
	return max(0, before-after), err
}

// Backup copies the database to a new file. A damaged one that SQLite refuses to
// copy is copied byte for byte with its log. A server is refused: its keeper
// backs it up.
func (u upkeep) Backup(ctx context.Context, path string) error {
	const op = "back up the database"
	switch _, err := os.Lstat(path); {
	case IsServer(u.path):
		return u.explain(ctx, op, failure(ErrServer, "its keeper backs it up"))
	case err == nil:
		return u.explain(ctx, op, failure(ErrExists, "%s", path))
	}
	w, err := u.writer(ctx)
	if err == nil {
		err = copyTo(ctx, w, path)
	}
	if kind := kindOf(err); kind != ErrCorrupt && !errors.Is(err, ErrReadOnly) {
		return u.explain(ctx, op, err)
	}
	return u.explain(ctx, op, copyWithLog(u.path, path))
}

// BackupFile copies a database file that can't be opened, with its log.
func BackupFile(ctx context.Context, from, to string) error {
	return upkeep{&db{path: from}}.Backup(ctx, to)
}

// copyWithLog copies the file and its log; nothing is replaced.
func copyWithLog(from, to string) error {
	for _, end := range []string{"", "-wal"} {
		if info, err := os.Stat(from + end); end != "" && (err != nil || info.Size() == 0) {
			continue // it has no log, or an empty one
		}
		if err := copyNew(from+end, to+end); err != nil {
			return err
		}
	}
	return nil
}

func copyNew(from, to string) (err error) {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	if _, err = io.Copy(out, in); err == nil {
		err = out.Sync()
	}
	if err = errors.Join(err, out.Close()); err != nil {
		os.Remove(to)
	}
	return err
}

// BackupName is a free name for a backup of a database, beside it.
func BackupName(path string, now time.Time) string {
	return freeName(path+"."+now.Format("2006-01-02"), ".backup")
}

// freeName is the first of START+END, START-2+END … that no file has.
func freeName(start, end string) string {
	for n := 1; ; n++ {
		name := start + end
		if n > 1 {
			name = fmt.Sprintf("%s-%d%s", start, n, end)
		}
		if _, err := os.Lstat(name); err != nil {
			return name
		}
	}
}

// Try opens a database as it would be opened, and closes it again. One that is
// not there is not made.
func Try(path string) (st Stats, err error) {
	if !IsServer(path) {
		if _, err := os.Stat(path); os.IsNotExist(err) {
			return st, nil
		}
	}
	s, err := Open(path)
	if err != nil {
		return st, err
	}
	defer s.Close()
	return s.Stats(context.Background())
}
