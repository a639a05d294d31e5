package store

import (
	"context"
	"errors"
	"gorm.io/gorm"
)

// Delete removes records, and of their originals and texts what no other record
// uses: all of them, or none when one is not there. It gives the number of
// stored bytes that became free. Records that were made on top of them stay;
// find them before with [Filter].Base.
func (s *Store) Delete(ctx context.Context, ids ...string) (freed int64, err error) {
	err = s.update(ctx, "delete "+named(ids), func(tx *gorm.DB) error {
		freed, err = s.drop(ctx, tx, ids)
		return err
	})
	if err != nil {
		return 0, err
	}
	s.engine.shrink(ctx, s)
	return freed, nil
}

// errTakenBack ends a transaction that was only meant to be looked at.
var errTakenBack = errors.New("taken back")

// WouldFree tells what [Store.Delete] would give, by deleting and taking it back.
func (s *Store) WouldFree(ctx context.Context, ids ...string) (freed int64, err error) {
	err = s.update(ctx, "measure "+named(ids), func(tx *gorm.DB) error {
		if freed, err = s.drop(ctx, tx, ids); err != nil {
			return err
		}
		return errTakenBack
	})
	if errors.Is(err, errTakenBack) {
		return freed, nil
	}
	return 0, err
}

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

// named says in an error which records were meant.
func named(ids []string) string {
	if len(ids) == 1 {
		return "record " + ids[0]
	}
	return "the records"
}

func (s *Store) drop(ctx context.Context, tx *gorm.DB, ids []string) (freed int64, err error) {
	for _, id := range ids {
		num, err := findRecord(ctx, tx, id)
		if err != nil {
			return 0, err
		}
		n, err := s.dropRecord(ctx, tx, num)
		if err != nil {
			return 0, err
		}
		freed += n
	}
	return freed, nil
}

func (s *Store) dropRecord(ctx context.Context, tx *gorm.DB, num int64) (freed int64, err error) {
	var row recordRow
	if err := tx.Select("source_id").Where("num = ?", num).Take(&row).Error; err != nil {
		return 0, err
	}
	if err := tx.Raw("SELECT coalesce(sum(length(body)), 0) FROM record_bodies WHERE num = ?", num).Row().Scan(&freed); err != nil {
		return 0, err
	}
	n, err := dropTexts(ctx, tx, s.index, num)
	if err != nil {
		return 0, err
	}
	freed += n
	if err := tx.Where("num = ?", num).Delete(&recordRow{}).Error; err != nil { // the body goes with it
		return 0, err
	}
	n, err = dropSource(ctx, tx, row.SourceID)
	return freed + n, err
}

// ownBlocks selects the blocks of a source that no other source uses.
const ownBlocks = `FROM blocks WHERE id IN (SELECT block_id FROM source_blocks WHERE source_id = @source)
	AND NOT EXISTS (SELECT 1 FROM source_blocks o WHERE o.block_id = blocks.id AND o.source_id <> @source)`

// dropSource removes a source that no record uses.
func dropSource(ctx context.Context, tx *gorm.DB, source int64) (freed int64, err error) {
	var users int64
	if err := tx.Model(&recordRow{}).Where("source_id = ?", source).Count(&users).Error; err != nil || users > 0 {
		return 0, err
	}
	arg := map[string]any{"source": source}
	if err := tx.Raw("SELECT coalesce(sum(length(data)), 0) "+ownBlocks, arg).Row().Scan(&freed); err != nil {
		return 0, err
	}
	if err := tx.Exec("DELETE "+ownBlocks, arg).Error; err != nil {
		return 0, err
	}
	return freed, tx.Where("id = ?", source).Delete(&sourceRow{}).Error // its block list goes with it
}
