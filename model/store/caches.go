package store

import (
	"context"
	"errors"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// AnswerCap bounds the answers of models that are kept (a few MB).
const AnswerCap = 1000

type answerRow struct {
	Seq    int64 `gorm:"primaryKey"`
	Hash   []byte
	Answer []byte
}

func (answerRow) TableName() string { return "answers" }

// Answer gives what a model answered to the question of that hash.
func (s *Store) Answer(ctx context.Context, key [32]byte) (answer []byte, ok bool, err error) {
	err = s.view(ctx, "look up an answer", func(tx *gorm.DB) error {
		var row answerRow
		err := tx.Where("hash = ?", key[:]).Take(&row).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return nil
		}
		answer, ok = row.Answer, err == nil
		return err
	})
	return answer, ok, err
}

// PutAnswer keeps an answer in place of a former one of the same hash; the
// oldest make room beyond [AnswerCap].
func (s *Store) PutAnswer(ctx context.Context, key [32]byte, answer []byte) error {
	return s.update(ctx, "keep an answer", func(tx *gorm.DB) error {
		if err := tx.Where("hash = ?", key[:]).Delete(&answerRow{}).Error; err != nil {
			return err
		}
		row := answerRow{Hash: key[:], Answer: answer}
		if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error; err != nil {
			return err
		}
		return tx.Exec("DELETE FROM answers WHERE seq <= (SELECT max(seq) FROM answers) - ?", AnswerCap).Error
	})
}

// ThreadCountCap bounds the threads whose counts are kept. One of 100,000
// messages takes about 200 kB.
const ThreadCountCap = 200

type threadCountsRow struct {
	Seq    int64 `gorm:"primaryKey"`
	Hash   []byte
	Counts []byte
}

func (threadCountsRow) TableName() string { return "thread_counts" }

// ThreadCounts gives the counts that were kept under the key.
func (s *Store) ThreadCounts(ctx context.Context, key [32]byte) (packed []byte, ok bool, err error) {
	err = s.view(ctx, "look up the counts of a thread", func(tx *gorm.DB) error {
		var row threadCountsRow
		err := tx.Where("hash = ?", key[:]).Take(&row).Error
		if errors.Is(err, gorm.ErrRecordNotFound) {
			return nil
		}
		packed, ok = row.Counts, err == nil
		return err
	})
	return packed, ok, err
}

// PutThreadCounts keeps the counts of a thread; the oldest make room beyond
// [ThreadCountCap].
func (s *Store) PutThreadCounts(ctx context.Context, key [32]byte, packed []byte) error {
	return s.update(ctx, "keep the counts of a thread", func(tx *gorm.DB) error {
		if err := tx.Where("hash = ?", key[:]).Delete(&threadCountsRow{}).Error; err != nil {
			return err
		}
		row := threadCountsRow{Hash: key[:], Counts: packed}
		if err := tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row).Error; err != nil {
			return err
		}
		return tx.Exec("DELETE FROM thread_counts WHERE seq <= (SELECT max(seq) FROM thread_counts) - ?", ThreadCountCap).Error
	})
}
