package store

import (
	"context"
	"fmt"
	"gorm.io/gorm"
	"os"
)

// step brings the schema from the version before it to its own.
type step struct {
	version int
	run     func(tx *gorm.DB) error
}

// latest is the version that a list of steps ends at.
func latest(list []step) int { return list[len(list)-1].version }

// migrate brings the database from the version it has to the newest, in one
// transaction: another program that opens it meanwhile waits, and then finds
// either the old state or the new one. A database that holds something is copied
// to PATH.bak-vN first, under the same lock, so that the copy is of exactly what
// is changed and no two programs write one.
func (s *Store) migrate(ctx context.Context, list []step) error {
	have, err := s.engine.version(s.write.WithContext(ctx))
	if err != nil || have == latest(list) {
		return err
	}
	return s.write.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := s.begin(tx); err != nil {
			return err
		}
		have, err := s.engine.version(tx)
		switch {
		case err != nil:
			return err
		case have > latest(list):
			return newer(have, latest(list))
		case have > 0 && have < latest(list) && s.engine.backup != nil:
			if err := s.engine.backup(s, ctx, fmt.Sprintf("%s.bak-v%d", s.path, have)); err != nil {
				return fmt.Errorf("set a copy aside before the database is brought up to date: %w", err)
			}
		}
		for _, st := range list {
			if st.version <= have {
				continue
			}
			if err := st.run(tx); err != nil {
				return fmt.Errorf("bring the database from version %d to %d: %w", st.version-1, st.version, err)
			}
			if err := s.engine.setVersion(tx, st.version); err != nil {
				return err
			}
		}
		return nil
	})
}

// setAside writes a copy of the database to path while the writer holds its lock:
// another connection reads what was there before.
func (s *Store) setAside(ctx context.Context, path string) error {
	db, err := connectReadOnly(s.path, 0)
	if err != nil {
		return err
	}
	defer disconnect(db)
	return copyTo(ctx, db, path)
}

// copyTo writes a copy of the database to path, which appears only when it is
// whole. An older copy is replaced: since then the database has been written to.
func copyTo(ctx context.Context, db *gorm.DB, path string) error {
	part := path + ".part"
	// VACUUM INTO refuses a file that is there: one that an earlier attempt left.
	if err := os.Remove(part); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := touch(part); err != nil {
		return err
	}
	if err := db.WithContext(ctx).Exec("VACUUM INTO ?", part).Error; err != nil {
		os.Remove(part) // the copy's failure is what matters
		return err
	}
	return os.Rename(part, path)
}

func userVersion(db *gorm.DB) (int, error) { return pragma(db, "user_version") }

func pragma(db *gorm.DB, name string) (int, error) {
	var n int
	err := db.Raw("PRAGMA " + name).Row().Scan(&n)
	return n, err
}

func newer(have, known int) *Error {
	return failure(ErrNewer, "its format is %d, this version knows formats up to %d", have, known)
}
