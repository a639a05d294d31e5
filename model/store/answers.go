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
		row, err := gorm.G[answerRow](tx).Where("hash = ?", key[:]).Take(ctx)
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
		if _, err := gorm.G[answerRow](tx).Where("hash = ?", key[:]).Delete(ctx); err != nil {
			return err
		}
		row := answerRow{Hash: key[:], Answer: answer}
		if err := gorm.G[answerRow](tx, clause.OnConflict{DoNothing: true}).Create(ctx, &row); err != nil {
			return err
		}
		return tx.Exec("DELETE FROM answers WHERE seq <= (SELECT max(seq) FROM answers) - ?", AnswerCap).Error
	})
}
