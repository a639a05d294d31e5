package store

import (
	"context"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
)

// searchTables: what can be searched of a record. A text is stored once however
// many records hold it. The full-text index is no part of a version, because it
// depends on the program's build: see openIndex.
var searchTables = []string{
	`ALTER TABLE records ADD COLUMN verb INTEGER NOT NULL DEFAULT 0`,
	// AUTOINCREMENT: the index may still know a text that is gone.
	`CREATE TABLE texts (
		id      INTEGER PRIMARY KEY AUTOINCREMENT,
		sha     BLOB NOT NULL UNIQUE, -- of the folded text
		folded  TEXT NOT NULL,
		indexed INTEGER NOT NULL)`,
	`CREATE INDEX texts_pending ON texts(id) WHERE NOT indexed`,
	`CREATE TABLE record_texts (
		num     INTEGER NOT NULL REFERENCES records(num) ON DELETE CASCADE,
		text_id INTEGER NOT NULL REFERENCES texts(id) DEFERRABLE INITIALLY DEFERRED,
		PRIMARY KEY (num, text_id)) WITHOUT ROWID`,
	`CREATE INDEX record_texts_text ON record_texts(text_id)`,
}

// orderIndexes serve the filters of a list and the columns it is sorted by. The
// number is the end of each, so that equal values have an order.
var orderIndexes = []string{
	`CREATE INDEX records_time ON records(time, num)`,
	`CREATE INDEX records_session ON records(session, num)`,
	`CREATE INDEX records_cause ON records(cause, num)`,
	`CREATE INDEX records_outcome ON records(outcome, num)`,
	`CREATE INDEX records_preset ON records(preset, num)`,
	`CREATE INDEX records_model ON records(model, num)`,
	`CREATE INDEX records_before ON records(before_tokens, num)`,
	`CREATE INDEX records_after ON records(after_tokens, num)`,
	`CREATE INDEX records_saved ON records((` + savedShare + `), num)`,
	`CREATE INDEX records_duration ON records(duration, num)`,
}

// savedShare is the part of the tokens that a record saved, in thousandths.
const savedShare = `CASE WHEN before_tokens > 0 THEN (before_tokens - after_tokens) * 1000 / before_tokens ELSE 0 END`

// addSearch brings a database to version 3. Of the records it holds, summary and
// key points become searchable; the texts of their originals were never kept
// apart from the files, so those are found from the next record on.
func addSearch(tx *gorm.DB) error {
	if err := statements(append(searchTables, orderIndexes...)...)(tx); err != nil {
		return err
	}
	pack, err := newPacker()
	if err != nil {
		return err
	}
	return eachBody(tx, func(ctx context.Context, body *bodyRow) error { return addBody(ctx, tx, pack, body) })
}

// eachBody calls f for the body of every record, in the order of their numbers.
// Bodies are read in pages: one connection can't write while it reads.
func eachBody(tx *gorm.DB, f func(ctx context.Context, body *bodyRow) error) error {
	ctx := tx.Statement.Context
	for last := int64(0); ; {
		var rows []bodyRow
		err := tx.Where("num > ?", last).Order("num").Limit(batchRows).Find(&rows).Error
		if err != nil || len(rows) == 0 {
			return err
		}
		for i := range rows {
			if err := f(ctx, &rows[i]); err != nil {
				return err
			}
		}
		last = rows[len(rows)-1].Num
	}
}

func addBody(ctx context.Context, tx *gorm.DB, pack *packer, body *bodyRow) error {
	row := recordRow{Num: body.Num}
	rec, err := row.record(pack, body.Body)
	if err != nil {
		return nil // a damaged record stays as it is; reading it says so
	}
	if rec.Verb {
		if err := tx.Table("records").Where("num = ?", body.Num).Update("verb", true).Error; err != nil {
			return err
		}
	}
	return putTexts(ctx, tx, nil, body.Num, ownTexts(&rec))
}

// textRow is one text that records are found by.
type textRow struct {
	ID      int64 `gorm:"primaryKey"`
	SHA     []byte
	Folded  string
	Indexed bool
}

type recordTextRow struct {
	Num    int64 `gorm:"primaryKey;autoIncrement:false"`
	TextID int64 `gorm:"primaryKey;autoIncrement:false"`
}

func (textRow) TableName() string       { return "texts" }
func (recordTextRow) TableName() string { return "record_texts" }

var ifNew = clause.OnConflict{DoNothing: true}
