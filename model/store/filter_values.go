package store

import (
	"context"
	"gorm.io/gorm"
)

// Facets are the values that the records have in what lists are filtered by, in
// their order.
type Facets struct {
	Sessions, Presets, Models []string
}

// Facets reads them; the indexes make that quick.
func (s *Store) Facets(ctx context.Context) (f Facets, err error) {
	err = s.view(ctx, "list what records can be filtered by", func(tx *gorm.DB) error {
		for column, into := range map[string]*[]string{"session": &f.Sessions, "preset": &f.Presets, "model": &f.Models} {
			// A step from value to value, because there are few among many rows.
			err := tx.Raw(`WITH RECURSIVE v(x) AS (SELECT min(` + column + `) FROM records UNION ALL
				SELECT (SELECT min(` + column + `) FROM records WHERE ` + column + ` > v.x) FROM v WHERE v.x IS NOT NULL)
				SELECT x FROM v WHERE x <> '' ORDER BY x`).Scan(into).Error
			if err != nil {
				return err
			}
		}
		return nil
	})
	return f, err
}
