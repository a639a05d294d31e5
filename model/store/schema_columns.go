package store

import (
	"context"
	"gorm.io/gorm"

	"palimpsest/model"
)

// listedColumns: what a list tells of a record beyond its own words. How many
// levels of summaries it stands on needs the records below it, and what survived
// stands in its body; a list reads neither. Agents and reasons are searched like
// sessions, from value to value.
var listedColumns = []string{
	`ALTER TABLE records ADD COLUMN levels INTEGER NOT NULL DEFAULT 1`,
	`ALTER TABLE records ADD COLUMN facts_gone INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE records ADD COLUMN facts_standing INTEGER NOT NULL DEFAULT 0`,
	`CREATE INDEX records_levels ON records(levels, num)`,
	`CREATE INDEX records_survives ON records((` + survivingShare + `), num)`,
	`CREATE INDEX records_agent ON records(agent, num)`,
	`CREATE INDEX records_reason ON records(reason, num)`,
	// Counts are kept by thread since version 4.
	`DROP TABLE token_counts`,
}

// makeStatistics makes the planner's table before there are records. SQLite would
// make it when the database is first closed, and to have its root near the front
// move a page of the schema to the end of the file: one that is cut short would
// then have lost the names of its tables, and all of its records.
const makeStatistics = "ANALYZE"

// survivingShare is the part of the facts in what went that stands afterwards,
// in thousandths; -1 where there were none or nobody looked.
const survivingShare = `CASE WHEN facts_gone > 0 THEN facts_standing * 1000 / facts_gone ELSE -1 END`

// fillColumns works out the columns of the records that are there, oldest first,
// so that those a record stands on are done before it.
func fillColumns(tx *gorm.DB) error {
	pack, err := newPacker()
	if err != nil {
		return err
	}
	return eachBody(tx, func(ctx context.Context, body *bodyRow) error {
		rec, err := (&recordRow{Num: body.Num}).record(pack, body.Body)
		if err != nil {
			return nil // a damaged record stays as it is; reading it says so
		}
		levels, err := levelsAbove(ctx, tx, rec.Parents)
		if err != nil {
			return err
		}
		all := rec.AllFacts()
		if levels == 1 && all.Gone == 0 {
			return nil // that is what the columns say
		}
		return tx.Model(&recordRow{}).Where("num = ?", body.Num).Select("levels", "facts_gone", "facts_standing").
			Updates(&recordRow{Levels: levels, FactsGone: all.Gone, FactsStanding: all.Standing}).Error
	})
}

// levelsAbove is how many levels of records a record has that stands on these.
// One that is no longer there was a level all the same.
func levelsAbove(ctx context.Context, tx *gorm.DB, parents []string) (int, error) {
	if len(parents) == 0 {
		return 1, nil
	}
	var nums []int64
	for _, id := range parents {
		if num, ok := parseID(id); ok {
			nums = append(nums, num)
		}
	}
	var rows []recordRow
	err := tx.Select("levels").Where("num IN ?", nums).Order("levels DESC").Limit(1).Find(&rows).Error
	if err != nil || len(rows) == 0 {
		return 2, err
	}
	return rows[0].Levels + 1, nil
}

// listedFacts is what a list tells of the facts of a record: the sum of all kinds.
func (row *recordRow) listedFacts() []model.FactTally {
	if row.FactsGone == 0 {
		return nil
	}
	return []model.FactTally{{Gone: row.FactsGone, Standing: row.FactsStanding}}
}
