package store

import (
	"context"
	"gorm.io/gorm"
)

// IDs names the records that [Store.Records] would list, in its order: what a
// selection of many needs of them.
func (s *Store) IDs(ctx context.Context, f Filter) ([]string, error) {
	var out []string
	err := s.view(ctx, "name the records", func(tx *gorm.DB) error {
		found, err := s.search(ctx, tx, f.Text)
		if err != nil {
			return err
		}
		q, err := s.page(ctx, tx, f, found)
		if err != nil {
			return err
		}
		var rows []recordRow
		if err := q.Select("num").Order(f.order()).Find(&rows).Error; err != nil {
			return err
		}
		out = make([]string, len(rows))
		for i := range rows {
			out[i] = formatID(rows[i].Num)
		}
		return nil
	})
	return out, err
}
