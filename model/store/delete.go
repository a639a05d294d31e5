package store

import (
	"context"
	"gorm.io/gorm"
	"slices"
)

// Delete removes records, and of their originals and texts what no other record
// uses: all of them, or none when one is not there. It returns the number of
// stored bytes that became free. Records that were made on top of them stay;
// [Store.DeleteEffect] counts them.
func (r records) Delete(ctx context.Context, ids ...string) (freed int64, err error) {
	_, freed, err = deleting(ctx, r.db, "delete "+named(ids), func(tx *gorm.DB) ([]int64, error) { return findRecords(tx, ids) })
	return freed, err
}

// deleting deletes the records that which names, and gives their space back.
func deleting(ctx context.Context, d *db, op string, which func(tx *gorm.DB) ([]int64, error)) (n int, freed int64, err error) {
	if n, freed, err = dropping(ctx, d, d.update, op, which); n > 0 {
		d.engine.shrink(ctx, d)
	}
	return n, freed, err
}

// dropping deletes the records that which names in a transaction. It returns their
// number and the stored bytes that became free.
func dropping(ctx context.Context, d *db, run transaction, op string,
	which func(tx *gorm.DB) ([]int64, error)) (n int, freed int64, err error) {
	freed, err = result(ctx, run, op, func(tx *gorm.DB) (int64, error) {
		nums, err := which(tx)
		if err != nil {
			return 0, err
		}
		n = len(nums)
		freed, err := drop(tx, d.index, nums)
		return freed, err
	})
	if err != nil {
		return 0, 0, err
	}
	return n, freed, nil
}

// DeleteEffect is what deleting records would do.
type DeleteEffect struct {
	Freed    int64    // stored bytes that become free
	Standing []string // other records that were made on top of them
}

// DeleteEffect measures what [Store.Delete] would do, by deleting and taking it
// back.
func (r records) DeleteEffect(ctx context.Context, ids ...string) (DeleteEffect, error) {
	return result(ctx, r.rehearse, "measure "+named(ids), func(tx *gorm.DB) (e DeleteEffect, err error) {
		nums, err := findRecords(tx, ids)
		if err != nil {
			return e, err
		}
		if e.Freed, err = drop(tx, r.index, nums); err != nil {
			return e, err
		}
		var bases []string
		for _, num := range nums {
			bases = append(bases, formatID(num))
		}
		for batch := range slices.Chunk(bases, batchRows) {
			var some []int64
			if err := tx.Model(&recordRow{}).Where("base IN ?", batch).Order("num").Pluck("num", &some).Error; err != nil {
				return e, err
			}
			for _, num := range some {
				e.Standing = append(e.Standing, formatID(num))
			}
		}
		return e, nil
	})
}

// named says in an error which records were meant.
func named(ids []string) string {
	if len(ids) == 1 {
		return "record " + ids[0]
	}
	return "the records"
}

// drop deletes records and returns the bytes that became free.
func drop(tx *gorm.DB, index textIndex, nums []int64) (freed int64, err error) {
	for _, num := range nums {
		var row struct{ SourceID, Body int64 }
		err := tx.Raw(`SELECT source_id, (SELECT coalesce(sum(length(body)), 0) FROM record_bodies b WHERE b.num = r.num) AS body
			FROM records r WHERE num = ?`, num).Take(&row).Error
		if err != nil {
			return 0, err
		}
		texts, err := dropTexts(tx, index, num)
		if err != nil {
			return 0, err
		}
		if err := tx.Where("num = ?", num).Delete(&recordRow{}).Error; err != nil { // the body goes with it
			return 0, err
		}
		blocks, err := dropSource(tx, row.SourceID)
		if err != nil {
			return 0, err
		}
		freed += row.Body + texts + blocks
	}
	return freed, nil
}

// ownBlocks selects the blocks of a source that no other source uses.
const ownBlocks = `FROM blocks WHERE id IN (SELECT block_id FROM source_blocks WHERE source_id = @source)
	AND NOT EXISTS (SELECT 1 FROM source_blocks o WHERE o.block_id = blocks.id AND o.source_id <> @source)`

// dropSource removes a source that no record uses.
func dropSource(tx *gorm.DB, source int64) (freed int64, err error) {
	var users int64
	if err := tx.Unscoped().Model(&recordRow{}).Where("source_id = ?", source).Count(&users).Error; err != nil || users > 0 {
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
