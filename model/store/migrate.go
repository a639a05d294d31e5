package store

import (
	"context"
	"fmt"
	"os"

	"gorm.io/gorm"
)

// step brings the schema from the version before it to its own. It runs in a
// transaction that also writes the version: both happen or neither.
type step struct {
	version int
	run     func(tx *gorm.DB) error
}

// latest is the version that a list of steps ends at.
func latest(list []step) int { return list[len(list)-1].version }

// migrate runs the steps that the database has not seen. Before the first of
// them a database that holds something is copied to PATH.bak-vN.
func (s *Store) migrate(ctx context.Context, list []step) error {
	have, err := s.engine.version(s.write.WithContext(ctx))
	if err != nil {
		return err
	}
	if have > latest(list) {
		return newer(have, latest(list))
	}
	if have > 0 && have < latest(list) && s.engine.backup != nil {
		if err := s.engine.backup(s, ctx, fmt.Sprintf("%s.bak-v%d", s.path, have)); err != nil {
			return fmt.Errorf("set a copy aside before the database is brought up to date: %w", err)
		}
	}
	for _, st := range list {
		if st.version <= have {
			continue
		}
		err := s.write.WithContext(ctx).Transaction(func(tx *gorm.DB) error { return s.apply(tx, st) })
		if err != nil {
			return fmt.Errorf("bring the database from version %d to %d: %w", st.version-1, st.version, err)
		}
	}
	return nil
}

// apply runs the step unless another process was faster.
func (s *Store) apply(tx *gorm.DB, st step) error {
	if err := s.begin(tx); err != nil {
		return err
	}
	have, err := s.engine.version(tx)
	if err != nil || have >= st.version {
		return err
	}
	if err := st.run(tx); err != nil {
		return err
	}
	return s.engine.setVersion(tx, st.version)
}

// backupTo writes a copy of the database to path, which appears only when it is
// whole. An older backup of the same version is replaced: since then the
// database has been written to.
func (s *Store) backupTo(ctx context.Context, path string) error {
	part := path + ".part"
	// VACUUM INTO refuses a file that is there: one that an earlier attempt left.
	if err := os.Remove(part); err != nil && !os.IsNotExist(err) {
		return err
	}
	if err := touch(part); err != nil {
		return err
	}
	if err := s.write.WithContext(ctx).Exec("VACUUM INTO ?", part).Error; err != nil {
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
