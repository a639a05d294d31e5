package store

import (
	"context"
	"slices"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// TokenCountCap bounds the cache of token counts (about 12 MB).
const TokenCountCap = 200_000

// TextHash identifies a text in the cache of token counts; how it is made is
// the caller's affair.
type TextHash = [16]byte

type tokenCountRow struct {
	Seq      int64 `gorm:"primaryKey"`
	Hash     []byte
	Encoding string
	Count    int
}

func (tokenCountRow) TableName() string { return "token_counts" }

// TokenCounts gives those counts that the cache holds; texts it does not know
// are missing in the result.
func (s *Store) TokenCounts(ctx context.Context, encoding string, hashes []TextHash) (map[TextHash]int, error) {
	known := make(map[TextHash]int, len(hashes))
	err := s.view(ctx, "look up token counts", func(tx *gorm.DB) error {
		for part := range slices.Chunk(hashes, batchRows) {
			keys := make([][]byte, len(part))
			for i := range part {
				keys[i] = part[i][:]
			}
			rows, err := gorm.G[tokenCountRow](tx).Select("hash", "count").
				Where("hash IN ? AND encoding = ?", keys, encoding).Find(ctx)
			if err != nil {
				return err
			}
			for _, row := range rows {
				if len(row.Hash) == len(TextHash{}) {
					known[TextHash(row.Hash)] = row.Count
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return known, nil
}

// PutTokenCounts adds counts to the cache, where the oldest make room beyond
// [TokenCountCap].
func (s *Store) PutTokenCounts(ctx context.Context, encoding string, counts map[TextHash]int) error {
	rows := make([]tokenCountRow, 0, len(counts))
	for h, n := range counts {
		rows = append(rows, tokenCountRow{Hash: h[:], Encoding: encoding, Count: n})
	}
	if len(rows) == 0 {
		return nil
	}
	return s.update(ctx, "store token counts", func(tx *gorm.DB) error {
		if err := gorm.G[tokenCountRow](tx, clause.OnConflict{DoNothing: true}).CreateInBatches(ctx, &rows, batchRows); err != nil {
			return err
		}
		return tx.Exec("DELETE FROM token_counts WHERE seq <= (SELECT max(seq) FROM token_counts) - ?", TokenCountCap).Error
	})
}
