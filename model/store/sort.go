package store

import (
	"context"
	"gorm.io/gorm"
)

// Sort names a column that a list of records is ordered by. Records that are
// equal in it stand in the order of their numbers.
type Sort string

const (
	SortTime     Sort = "time"
	SortSession  Sort = "session"
	SortCause    Sort = "cause"
	SortOutcome  Sort = "outcome"
	SortPreset   Sort = "preset"
	SortModel    Sort = "model"
	SortBefore   Sort = "before"
	SortAfter    Sort = "after"
	SortSaved    Sort = "saved" // the share of the tokens that went
	SortDuration Sort = "duration"
	SortLevels   Sort = "levels"
	SortSurvives Sort = "survives" // the share of the facts that stand afterwards
)

// sortColumns are spelled as in orderIndexes and listedColumns, which is what makes them quick.
var sortColumns = map[Sort]string{
	SortTime: "time", SortSession: "session", SortCause: "cause", SortOutcome: "outcome", SortPreset: "preset", SortModel: "model",
	SortBefore: "before_tokens", SortAfter: "after_tokens", SortSaved: "(" + savedShare + ")", SortDuration: "duration",
	SortLevels: "levels", SortSurvives: "(" + survivingShare + ")",
}

func (f *Filter) order() string {
	way := " DESC"
	if f.Ascending {
		way = ""
	}
	if column, ok := sortColumns[f.Sort]; ok {
		return column + way + ", num" + way
	}
	return "num" + way
}

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
