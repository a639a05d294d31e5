package store

import (
	"crypto/sha256"
	"fmt"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"iter"

	"palimpsest/model"
)

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

// ownTexts are the words that a record itself brings.
func ownTexts(r *model.Record) iter.Seq2[string, error] {
	return eachText(append([]string{r.Summary}, r.KeyPoints...))
}

// eachText yields texts none of which fails to be read.
func eachText(list []string) iter.Seq2[string, error] {
	return func(yield func(string, error) bool) {
		for _, text := range list {
			if !yield(text, nil) {
				return
			}
		}
	}
}

// textBatch bounds the texts that are looked up and inserted together: by number
// and by bytes, because one message may be large.
const (
	textBatchRows  = 200
	textBatchBytes = 1 << 20
)

// putTexts makes a record findable by texts. Without an index what is new waits
// for the next build that has one.
func putTexts(tx *gorm.DB, index textIndex, num int64, texts iter.Seq2[string, error]) error {
	if texts == nil {
		return nil
	}
	in := textIntake{index: index, num: num, at: map[[32]byte]int{}}
	for text, err := range texts {
		if err != nil {
			return fmt.Errorf("read the originals' text: %w", err)
		}
		if err := tx.Statement.Context.Err(); err != nil {
			return err
		}
		if in.add(fold(text)) {
			if err := in.flush(tx); err != nil {
				return err
			}
		}
	}
	return in.flush(tx)
}

// textIntake is a batch of texts on its way into the database.
type textIntake struct {
	index textIndex
	num   int64
	rows  []textRow
	at    map[[32]byte]int // place in rows
	bytes int
}

// add takes a folded text and reports whether the batch is full.
func (in *textIntake) add(folded string) bool {
	if folded == "" {
		return false
	}
	sum := sha256.Sum256([]byte(folded))
	if _, again := in.at[sum]; !again {
		in.at[sum] = len(in.rows)
		in.rows = append(in.rows, textRow{SHA: sum[:], Folded: folded, Indexed: bool(in.index)})
		in.bytes += len(folded)
	}
	return len(in.rows) >= textBatchRows || in.bytes >= textBatchBytes
}

func (in *textIntake) flush(tx *gorm.DB) error {
	if len(in.rows) == 0 {
		return nil
	}
	keys := make([][]byte, len(in.rows))
	for i := range in.rows {
		keys[i] = in.rows[i].SHA
	}
	var known []textRow
	err := tx.Select("id", "sha").Where("sha IN ?", keys).Find(&known).Error
	if err != nil {
		return err
	}
	links := make([]recordTextRow, 0, len(in.rows))
	for _, k := range known {
		in.rows[in.at[[32]byte(k.SHA)]].ID = k.ID
		links = append(links, recordTextRow{in.num, k.ID})
	}
	for i := range in.rows {
		row := &in.rows[i]
		if row.ID != 0 {
			continue
		}
		if err := tx.Create(row).Error; err != nil {
			return err
		}
		if err := in.index.add(tx, row); err != nil {
			return err
		}
		links = append(links, recordTextRow{in.num, row.ID})
	}
	in.rows, in.bytes = in.rows[:0], 0
	clear(in.at)
	return tx.Clauses(clause.OnConflict{DoNothing: true}).CreateInBatches(&links, batchRows).Error
}

// dropTexts removes the texts that only this record is found by. It has to run
// before the record goes.
func dropTexts(tx *gorm.DB, index textIndex, num int64) (freed int64, err error) {
	const own = `id IN (SELECT text_id FROM record_texts WHERE num = @num)
		AND NOT EXISTS (SELECT 1 FROM record_texts o WHERE o.text_id = texts.id AND o.num <> @num)`
	for last := int64(0); ; {
		var rows []textRow
		err := tx.Where(own, map[string]any{"num": num}).Where("id > ?", last).
			Order("id").Limit(textBatchRows).Find(&rows).Error
		if err != nil || len(rows) == 0 {
			return freed, err
		}
		ids := make([]int64, len(rows))
		for i := range rows {
			if err := index.remove(tx, &rows[i]); err != nil {
				return freed, err
			}
			ids[i], last = rows[i].ID, rows[i].ID
			freed += int64(len(rows[i].Folded))
		}
		if err := tx.Where("num = ? AND text_id IN ?", num, ids).Delete(&recordTextRow{}).Error; err != nil {
			return freed, err
		}
		if err := tx.Where("id IN ?", ids).Delete(&textRow{}).Error; err != nil {
			return freed, err
		}
	}
}
