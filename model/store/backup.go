package store

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

// Compact rewrites the database file without its free pages and gives the bytes
// that went back to the disk. It needs as much free space again as the database
// takes. A server does that by itself, and is refused.
func (s *Store) Compact(ctx context.Context) (freed int64, err error) {
	const op = "make the database smaller"
	if IsServer(s.path) {
		return 0, s.explain(ctx, op, failure(ErrServer, "it keeps its own space"))
	}
	if s.write == nil {
		return 0, s.explain(ctx, op, failure(ErrReadOnly, ""))
	}
	before, err := s.engine.size(ctx, s)
	if err != nil {
		return 0, s.explain(ctx, op, err)
	}
	for _, sql := range []string{"VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"} {
		if err := s.write.WithContext(ctx).Exec(sql).Error; err != nil {
			return 0, s.explain(ctx, op, err)
		}
	}
	after, err := s.engine.size(ctx, s)
	return max(0, before-after), s.explain(ctx, op, err)
}

// Backup copies the database to a new file. A damaged one that SQLite refuses to
// copy is copied byte for byte with its log. A server is refused: its keeper
// backs it up.
func (s *Store) Backup(ctx context.Context, path string) error {
	const op = "back up the database"
	switch _, err := os.Lstat(path); {
	case IsServer(s.path):
		return s.explain(ctx, op, failure(ErrServer, "its keeper backs it up"))
	case err == nil:
		return s.explain(ctx, op, failure(ErrExists, "%s", path))
	}
	if s.write != nil {
		err := copyTo(ctx, s.write, path)
		if kindOf(err) != ErrCorrupt {
			return s.explain(ctx, op, err)
		}
	}
	return s.explain(ctx, op, copyWithLog(s.path, path))
}

// BackupFile copies a database file that can't be opened, with its log.
func BackupFile(ctx context.Context, from, to string) error {
	return (&Store{path: from}).Backup(ctx, to)
}

// copyWithLog copies the file and what lies in its log; nothing is replaced.
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
	base := path + "." + now.Format("2006-01-02")
	for n := 1; ; n++ {
		name := base + ".backup"
		if n > 1 {
			name = fmt.Sprintf("%s-%d.backup", base, n)
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
