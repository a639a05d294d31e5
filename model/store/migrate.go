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

// inTurn makes one step of several.
func inTurn(list ...func(*gorm.DB) error) func(*gorm.DB) error {
	return func(tx *gorm.DB) error {
		for _, run := range list {
			if err := run(tx); err != nil {
				return err
			}
		}
		return nil
	}
}

// statements makes a step of plain SQL.
func statements(sql ...string) func(*gorm.DB) error {
	return func(tx *gorm.DB) error {
		for _, q := range sql {
			if err := tx.Exec(q).Error; err != nil {
				return err
			}
		}
		return nil
	}
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

// addSearch brings a database to version 3. Of the records it holds, summary and
// key points become searchable; the texts of their originals were never kept
// apart from the files, so those are found from the next record on.
func addSearch(tx *gorm.DB) error {
	if err := statements(append(searchTables, orderIndexes...)...)(tx); err != nil {
		return err
	}
	pack, err := newPacker()
	if err != nil {
		return err
	}
	return eachBody(tx, func(ctx context.Context, body *bodyRow) error { return addBody(ctx, tx, pack, body) })
}

// eachBody calls f for the body of every record, in the order of their numbers.
// Bodies are read in pages: one connection can't write while it reads.
func eachBody(tx *gorm.DB, f func(ctx context.Context, body *bodyRow) error) error {
	ctx := tx.Statement.Context
	for last := int64(0); ; {
		var rows []bodyRow
		err := tx.Where("num > ?", last).Order("num").Limit(batchRows).Find(&rows).Error
		if err != nil || len(rows) == 0 {
			return err
		}
		for i := range rows {
			if err := f(ctx, &rows[i]); err != nil {
				return err
			}
		}
		last = rows[len(rows)-1].Num
	}
}

func addBody(ctx context.Context, tx *gorm.DB, pack *packer, body *bodyRow) error {
	row := recordRow{Num: body.Num}
	rec, err := row.record(pack, body.Body)
	if err != nil {
		return nil // a damaged record stays as it is; reading it says so
	}
	if rec.Verb {
		if err := tx.Table("records").Where("num = ?", body.Num).Update("verb", true).Error; err != nil {
			return err
		}
	}
	return putTexts(ctx, tx, nil, body.Num, ownTexts(&rec))
}

// fillColumns works out the columns of the records that are there, oldest first,
// so that those a record stands on are done before it.
func fillColumns(tx *gorm.DB) error {
	pack, err := newPacker()
	if err != nil {
		return err
	}
	return eachBody(tx, func(ctx context.Context, body *bodyRow) error {
		rec, err := (&recordRow{Num: body.Num}).record(pack, body.Body)
		if err != nil {
			return nil // a damaged record stays as it is; reading it says so
		}
		levels, err := levelsAbove(ctx, tx, rec.Parents)
		if err != nil {
			return err
		}
		all := rec.AllFacts()
		if levels == 1 && all.Gone == 0 {
			return nil // that is what the columns say
		}
		return tx.Model(&recordRow{}).Where("num = ?", body.Num).Select("levels", "facts_gone", "facts_standing").
			Updates(&recordRow{Levels: levels, FactsGone: all.Gone, FactsStanding: all.Standing}).Error
	})
}

// levelsAbove is how many levels of records a record has that stands on these.
// One that is no longer there was a level all the same.
func levelsAbove(ctx context.Context, tx *gorm.DB, parents []string) (int, error) {
	if len(parents) == 0 {
		return 1, nil
	}
	var nums []int64
	for _, id := range parents {
		if num, ok := parseID(id); ok {
			nums = append(nums, num)
		}
	}
	var rows []recordRow
	err := tx.Select("levels").Where("num IN ?", nums).Order("levels DESC").Limit(1).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return 2, err
	}
	return rows[0].Levels + 1, nil
}
