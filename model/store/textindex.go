package store

import (
	"context"
	"errors"

	"gorm.io/gorm"
)

// textIndex is true where there is a full-text index over the folded texts. On a
// server, and in a database that can only be read before its index was made, the
// texts themselves are read for the ones that hold a term, which finds the same,
// only later.
type textIndex bool

// The index holds no text, only where each token is. Its tokens are made by us
// and separated by spaces, which is all its tokenizer has to know; what is deleted
// leaves no trace in it.
var createTextIndex = []string{
	`CREATE VIRTUAL TABLE IF NOT EXISTS text_index USING fts5(tokens, content='', columnsize=0, tokenize='ascii')`,
	`INSERT INTO text_index(text_index, rank) VALUES ('secure-delete', 1)`,
}

// errNoIndex is the failure of a program that was built without SQLite's FTS5.
var errNoIndex = errors.New("this build has no full-text search: build it with the tag sqlite_fts5")

// usableIndex reports whether the index was made and knows all texts.
func usableIndex(db *gorm.DB) (index textIndex, err error) {
	var fts5, made bool
	err = db.Raw(`SELECT EXISTS (SELECT 1 FROM pragma_module_list WHERE name = 'fts5'),
		EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'text_index')`).Row().Scan(&fts5, &made)
	if err == nil && !fts5 {
		err = errNoIndex
	}
	if err != nil || !made {
		return false, err
	}
	var behind bool
	err = db.Raw("SELECT EXISTS (SELECT 1 FROM texts WHERE NOT indexed)").Row().Scan(&behind)
	return textIndex(!behind), err
}

// openIndex makes the index ready: it makes it, and adds the texts that wait.
func openIndex(ctx context.Context, db *gorm.DB) (index textIndex, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if index, err = usableIndex(tx); err != nil || bool(index) {
			return err
		}
		index = true
		if err := statements(createTextIndex...)(tx); err != nil {
			return err
		}
		return index.catchUp(tx)
	})
	return index, err
}

// catchUp indexes the texts that wait.
func (on textIndex) catchUp(tx *gorm.DB) error {
	for {
		var rows []textRow
		err := tx.Where("NOT indexed").Order("id").Limit(textBatchRows).Find(&rows).Error
		if err != nil || len(rows) == 0 {
			return err
		}
		for i := range rows {
			if err := on.add(tx, &rows[i]); err != nil {
				return err
			}
		}
		if err := tx.Exec("UPDATE texts SET indexed = 1 WHERE NOT indexed AND id <= ?", rows[len(rows)-1].ID).Error; err != nil {
			return err
		}
	}
}

func (on textIndex) add(tx *gorm.DB, row *textRow) error {
	if !on {
		return nil
	}
	return tx.Exec("INSERT INTO text_index(rowid, tokens) VALUES (?, ?)", row.ID, tokens(row.Folded)).Error
}

// remove takes a text out of the index.
func (on textIndex) remove(tx *gorm.DB, row *textRow) error {
	if !bool(on) || !row.Indexed {
		return nil
	}
	return tx.Exec("INSERT INTO text_index(text_index, rowid, tokens) VALUES ('delete', ?, ?)", row.ID, tokens(row.Folded)).Error
}

// has is the condition that a record has the term in one of its texts, and its argument.
func (on textIndex) has(t term) (sql string, arg any) {
	if on {
		return "num IN (SELECT num FROM record_texts WHERE text_id IN (SELECT rowid FROM text_index WHERE text_index MATCH ?))", t.match()
	}
	return "num IN (SELECT num FROM record_texts WHERE text_id IN (SELECT id FROM texts WHERE folded LIKE ?))", t.like()
}
