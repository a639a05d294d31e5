package store

import (
	"context"
	"gorm.io/gorm"
)

// AnswerCap bounds the answers of models that are kept (a few MB).
const AnswerCap = 1000

// caches hold the answers of models, each under a hash of its question. Only the caller knows
// what is in them.
type caches struct{ *db }

// Answer returns what a model answered to the question of that hash.
func (c caches) Answer(ctx context.Context, key [32]byte) (answer []byte, ok bool, err error) {
	var found [][]byte
	err = c.view(ctx, "look up an answer", func(tx *gorm.DB) error {
		return tx.Table("answers").Where("hash = ?", key[:]).Pluck("answer", &found).Error
	})
	if err != nil || len(found) == 0 {
		return nil, false, err
	}
	return found[0], true, nil
}

// PutAnswer keeps an answer in place of a former one of the same hash; the
// oldest make room beyond [AnswerCap].
func (c caches) PutAnswer(ctx context.Context, key [32]byte, answer []byte) error {
	return c.update(ctx, "keep an answer", func(tx *gorm.DB) error {
		if err := tx.Exec("DELETE FROM answers WHERE hash = ?", key[:]).Error; err != nil {
			return err
		}
		if err := tx.Table("answers").Create(map[string]any{"hash": key[:], "answer": answer}).Error; err != nil {
			return err
		}
		return tx.Exec("DELETE FROM answers WHERE seq <= (SELECT max(seq) FROM answers) - ?", AnswerCap).Error
	})
}
