package store

import (
	"context"
	"errors"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// AnswerCap bounds the answers of models that are kept (a few MB).
const AnswerCap = 1000

// answersTable: seq is the age: the oldest are forgotten first. The question is
// not kept, only its hash.
const answersTable = `CREATE TABLE answers (
		seq    INTEGER PRIMARY KEY,
		hash   BLOB NOT NULL UNIQUE,
		answer BLOB NOT NULL)`

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
