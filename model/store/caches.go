package store

import (
	"context"
	"fmt"
	"gorm.io/gorm"
)

// AnswerCap bounds the answers of models that are kept (a few MB).
const AnswerCap = 1000

// ThreadCountCap bounds the threads whose counts and the files whose indexes are kept.
// The counts of 100,000 messages take about 200 kB, an index a fiftieth of its file.
const ThreadCountCap = 2000

// caches hold what can be worked out again, each under a hash of what it
// belongs to. Only the caller knows what is in the values.
type caches struct{ *db }

// cache is one table of values by hash.
type cache struct {
	table, column string
	most          int // entries
	noun          string
}

var (
	answerCache      = cache{"answers", "answer", AnswerCap, "an answer"}
	threadCountCache = cache{"thread_counts", "counts", ThreadCountCap, "the counts of a thread"}
)

// Answer returns what a model answered to the question of that hash.
func (c caches) Answer(ctx context.Context, key [32]byte) (answer []byte, ok bool, err error) {
	return c.get(ctx, answerCache, key)
}

// PutAnswer keeps an answer in place of a former one of the same hash; the
// oldest make room beyond [AnswerCap].
func (c caches) PutAnswer(ctx context.Context, key [32]byte, answer []byte) error {
	return c.put(ctx, answerCache, key, answer)
}

// ThreadCounts returns the counts that were kept under the key.
func (c caches) ThreadCounts(ctx context.Context, key [32]byte) (packed []byte, ok bool, err error) {
	return c.get(ctx, threadCountCache, key)
}

// PutThreadCounts keeps the counts of a thread; the oldest make room beyond
// [ThreadCountCap].
func (c caches) PutThreadCounts(ctx context.Context, key [32]byte, packed []byte) error {
	return c.put(ctx, threadCountCache, key, packed)
}

func (c caches) get(ctx context.Context, in cache, key [32]byte) (value []byte, ok bool, err error) {
	var found [][]byte
	err = c.view(ctx, "look up "+in.noun, func(tx *gorm.DB) error {
		return tx.Table(in.table).Where("hash = ?", key[:]).Pluck(in.column, &found).Error
	})
	if err != nil || len(found) == 0 {
		return nil, false, err
	}
	return found[0], true, nil
}

func (c caches) put(ctx context.Context, in cache, key [32]byte, value []byte) error {
	return c.update(ctx, "keep "+in.noun, func(tx *gorm.DB) error {
		if err := tx.Exec("DELETE FROM "+in.table+" WHERE hash = ?", key[:]).Error; err != nil {
			return err
		}
		if err := tx.Table(in.table).Create(map[string]any{"hash": key[:], in.column: value}).Error; err != nil {
			return err
		}
		return tx.Exec(fmt.Sprintf("DELETE FROM %[1]s WHERE seq <= (SELECT max(seq) FROM %[1]s) - ?", in.table), in.most).Error
	})
}
