package store

import (
	"context"
	"fmt"
	"os"

	"gorm.io/gorm"

	"palimpsest/model"
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
func (d *db) migrate(ctx context.Context, list []step) error {
	have, err := d.engine.version(d.write.WithContext(ctx))
	if err != nil || have == latest(list) {
		return err
	}
	return d.locked(ctx, func(tx *gorm.DB) error {
		have, err := d.engine.version(tx)
		switch {
		case err != nil:
			return err
		case have > latest(list):
			return newer(have, latest(list))
		case have > 0 && have < latest(list):
			if err := d.engine.backup(ctx, d, fmt.Sprintf("%s.bak-v%d", d.path, have)); err != nil {
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
			if err := d.engine.setVersion(tx, st.version); err != nil {
				return err
			}
		}
		return nil
	})
}

// matchVersion is the error of a database that can't be used because its schema
// is not the one this program knows.
func (e *engine) matchVersion(db *gorm.DB, want int) error {
	have, err := e.version(db)
	switch {
	case err != nil:
		return err
	case have > want:
		return newer(have, want)
	case have < want:
		return failure(ErrReadOnly, "it is of format %d and has to be brought up to %d first", have, want)
	}
	return nil
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
func setAside(ctx context.Context, d *db, path string) error {
	db, err := connectReadOnly(d.path, 0)
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
	return eachRecord(tx, func(num int64, rec *model.Record) error {
		if rec.Verb {
			if err := tx.Table("records").Where("num = ?", num).Update("verb", true).Error; err != nil {
				return err
			}
		}
		return putTexts(tx, false, num, ownTexts(rec))
	})
}

// eachRecord calls f for the body of every record that can be read, in the order
// of their numbers. Bodies are read in pages: one connection can't write while it
// reads.
func eachRecord(tx *gorm.DB, f func(num int64, rec *model.Record) error) error {
	for last := int64(0); ; {
		var rows []bodyRow
		err := tx.Where("num > ?", last).Order("num").Limit(batchRows).Find(&rows).Error
		if err != nil || len(rows) == 0 {
			return err
		}
		for _, body := range rows {
			last = body.Num
			rec, err := (&recordRow{Num: body.Num}).record(body.Body)
			if err != nil {
				continue // a damaged record stays as it is; reading it says so
			}
			if err := f(body.Num, &rec); err != nil {
				return err
			}
		}
	}
}

// fillColumns fills the columns of the records that are there, oldest first, so
// that the parents of a record are done before it.
func fillColumns(tx *gorm.DB) error {
	return eachRecord(tx, func(num int64, rec *model.Record) error {
		levels, err := levelsOf(tx, rec)
		if err != nil {
			return err
		}
		all := rec.AllFacts()
		if levels == 1 && all.Gone == 0 {
			return nil // the columns' defaults
		}
		return tx.Model(&recordRow{}).Where("num = ?", num).Select("levels", "facts_gone", "facts_standing").
			Updates(&recordRow{Levels: levels, FactsGone: all.Gone, FactsStanding: all.Standing}).Error
	})
}

// countFormers fills the former summaries of the records that are there; what was
// changed of their presets was not noted. A restore has no levels.
func countFormers(tx *gorm.DB) error {
	if err := tx.Exec("UPDATE records SET levels = 0 WHERE cause = ?", model.CauseRestore).Error; err != nil {
		return err
	}
	return eachRecord(tx, func(num int64, rec *model.Record) error {
		formers := 0
		for _, run := range rec.Runs {
			if rec.Outcome == model.Applied && run.Taken() && run.Messages() == 0 {
				formers++
			}
		}
		if formers == 0 {
			return nil // the column's default
		}
		return tx.Model(&recordRow{}).Where("num = ?", num).Update("formers", formers).Error
	})
}

// fillFixed fills the fixed parts of the records that are there.
func fillFixed(tx *gorm.DB) error {
	return eachRecord(tx, func(num int64, rec *model.Record) error {
		if rec.Policy.Fixed == 0 {
			return nil // the column's default
		}
		return tx.Table("records").Where("num = ?", num).Update("fixed", rec.Policy.Fixed).Error
	})
}

// fillCompactable fills what could go of the records that are there: their runs are all
// there was before, without what no message holds.
func fillCompactable(tx *gorm.DB) error {
	return eachRecord(tx, func(num int64, rec *model.Record) error {
		could := rec.Compactable
		if could == 0 {
			for _, run := range rec.Runs {
				if run.Fate != model.Kept.String() || run.Reason != "system" {
					could += run.Tokens
				}
			}
		}
		if could <= 0 {
			return nil // the column's default
		}
		return tx.Table("records").Where("num = ?", num).Update("compactable", could).Error
	})
}

// levelsOf is how many levels of summaries a record has. A parent that is no
// longer there still counts as one; a restore is an event and has none.
func levelsOf(tx *gorm.DB, rec *model.Record) (int, error) {
	parents := rec.Parents
	switch {
	case rec.Cause == model.CauseRestore:
		return 0, nil
	case len(parents) == 0:
		return 1, nil
	}
	var nums []int64
	for _, id := range parents {
		if num, ok := parseID(id); ok {
			nums = append(nums, num)
		}
	}
	var below int
	err := tx.Unscoped().Model(&recordRow{}).Select("coalesce(max(levels), 1)").Where("num IN ?", nums).Scan(&below).Error
	return below + 1, err
}
