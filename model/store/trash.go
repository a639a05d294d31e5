package store

import (
	"context"
	"database/sql"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"gorm.io/gorm/schema"

	"palimpsest/model"
)

// trashColumn: when a record was put into the trash, in Unix microseconds; 0: it is
// not there.
var trashColumn = []string{
	`ALTER TABLE records ADD COLUMN trashed INTEGER NOT NULL DEFAULT 0`,
	`CREATE INDEX records_trashed ON records(trashed) WHERE trashed > 0`,
}

// trashTime is the value of that column. What is read of records by their rows
// leaves out those in the trash, unless it is Unscoped.
type trashTime int64

// QueryClauses implements schema.QueryClausesInterface.
func (trashTime) QueryClauses(f *schema.Field) []clause.Interface {
	return []clause.Interface{gorm.SoftDeleteQueryClause{Field: f, ZeroValue: sql.NullString{String: "0", Valid: true}}}
}

// Change is what a person did to stored records, by their IDs, so that it can be
// taken back to the last row: see [Change.Inverse].
type Change struct {
	Trash []string `json:"trash,omitempty"` // go into the trash
	Back  []string `json:"back,omitempty"`  // come out of it
	Off   []string `json:"off,omitempty"`   // are switched off
	On    []string `json:"on,omitempty"`    // are switched on again
}

// Inverse takes the change back.
func (c Change) Inverse() Change { return Change{Trash: c.Back, Back: c.Trash, Off: c.On, On: c.Off} }

// Change makes a change: all of it, or nothing. Where a record is not as the change
// supposes (one to be put into the trash is not there, one to be switched off is
// off) the error is [ErrNotFound]: somebody else changed it since. Records in the
// trash are in no list and are found by nothing; they keep their number, their
// originals and all they are found by.
func (r records) Change(ctx context.Context, c Change, now time.Time) error {
	return r.update(ctx, "change the records", func(tx *gorm.DB) error {
		for _, set := range []struct {
			ids        []string
			where, set string
			was, is    any
		}{
			{c.Back, "trashed > ?", "trashed", 0, 0},
			{c.Trash, "trashed = ?", "trashed", 0, now.UnixMicro()},
			{c.Off, "switched_off = ?", "switched_off", false, true},
			{c.On, "switched_off = ?", "switched_off", true, false},
		} {
			for _, id := range set.ids {
				num, ok := parseID(id)
				if !ok {
					return failure(ErrNotFound, "there is no record %q", id)
				}
				done := tx.Model(&recordRow{}).Where("num = ? AND "+set.where, num, set.was).Update(set.set, set.is)
				if err := changed(done, failure(ErrNotFound, "record %s was changed or deleted meanwhile", id)); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// Trashed lists the records in the trash as [Store.Records] does, those put there
// last first, each with the time when that was.
func (r records) Trashed(ctx context.Context) (list []model.Record, since []time.Time, err error) {
	err = r.view(ctx, "list the trash", func(tx *gorm.DB) error {
		var rows []recordRow
		err := tx.Unscoped().Where("trashed > 0").Order("trashed DESC, num DESC").Find(&rows).Error
		for i := range rows {
			list = append(list, rows[i].summary())
			since = append(since, time.UnixMicro(int64(rows[i].Trashed)).UTC())
		}
		return err
	})
	return list, since, err
}

// TrashAge is how long a record stays in the trash.
const TrashAge = 30 * 24 * time.Hour

// EmptyTrash deletes the records that were put into the trash before a time, as
// [Store.Delete] does, and returns how many they were and the bytes that became
// free.
func (r records) EmptyTrash(ctx context.Context, before time.Time) (n int, freed int64, err error) {
	return deleting(ctx, r.db, "empty the trash", func(tx *gorm.DB) (nums []int64, err error) {
		err = tx.Raw("SELECT num FROM records WHERE trashed > 0 AND trashed < ? ORDER BY num", before.UnixMicro()).Scan(&nums).Error
		return nums, err
	})
}
