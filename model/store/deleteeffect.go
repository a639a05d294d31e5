package store

import (
	"context"
	"errors"
	"gorm.io/gorm"
)

// DeleteEffect is what deleting records would do.
type DeleteEffect struct {
	Freed    int64 // stored bytes that become free
	Sharing  int64 // other records that use the same originals, which therefore stay
	Standing int64 // other records that were made on top of them
}

// DeleteEffect tells what [Store.Delete] would do, by deleting and taking it
// back.
func (s *Store) DeleteEffect(ctx context.Context, ids ...string) (e DeleteEffect, err error) {
	err = s.update(ctx, "measure "+named(ids), func(tx *gorm.DB) error {
		sources := map[int64]bool{}
		var names []string
		for _, id := range ids {
			num, err := findRecord(ctx, tx, id)
			if err != nil {
				return err
			}
			var row recordRow
			if err := tx.Select("source_id").Where("num = ?", num).Take(&row).Error; err != nil {
				return err
			}
			sources[row.SourceID] = true
			names = append(names, formatID(num))
		}
		if e.Freed, err = s.drop(ctx, tx, ids); err != nil {
			return err
		}
		var list []int64
		for id := range sources {
			list = append(list, id)
		}
		if e.Sharing, err = countIn(ctx, tx, "source_id", list); err != nil {
			return err
		}
		if e.Standing, err = countIn(ctx, tx, "base", names); err != nil {
			return err
		}
		return errTakenBack
	})
	if errors.Is(err, errTakenBack) {
		return e, nil
	}
	return DeleteEffect{}, err
}

// countIn counts the records whose column has one of the values, a batch of
// them at a time.
func countIn[T any](ctx context.Context, tx *gorm.DB, column string, values []T) (n int64, err error) {
	for len(values) > 0 {
		k := min(len(values), batchRows)
		var some int64
		if err := tx.Model(&recordRow{}).Where(column+" IN ?", values[:k]).Count(&some).Error; err != nil {
			return 0, err
		}
		n, values = n+some, values[k:]
	}
	return n, nil
}
