package store

import (
	"context"
	"gorm.io/gorm"
)

// textIndex is true where there is a full-text index over the folded texts:
// SQLite's FTS5 where the program was built with it (tag sqlite_fts5). Without it,
// and on a server, the texts themselves are read for the ones that hold a term,
// which finds the same, only later. Both builds may use one database in turn.
type textIndex bool

// The index holds no text, only where each token is. Its tokens are made by us
// and separated by spaces, which is all its tokenizer has to know; what is deleted
// leaves no trace in it.
var createTextIndex = []string{
	`CREATE VIRTUAL TABLE IF NOT EXISTS text_index USING fts5(tokens, content='', columnsize=0, tokenize='ascii')`,
	`INSERT INTO text_index(text_index, rank) VALUES ('secure-delete', 1)`,
}

// staleIndex is the setting that a build without FTS5 leaves when it removed a
// text that the index knows.
const staleIndex = "search index is stale"

// withoutIndex makes this build one without FTS5; tests of the search that replaces it set it.
var withoutIndex bool

// indexState reports whether this build has FTS5, whether the index was made, and
// whether it knows a text that is gone.
func indexState(db *gorm.DB) (fts5, made, stale bool, err error) {
	// The connection is asked, because the build decides.
	err = db.Raw(`SELECT EXISTS (SELECT 1 FROM pragma_module_list WHERE name = 'fts5'),
		EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'text_index'), EXISTS (SELECT 1 FROM settings WHERE name = ?)`,
		staleIndex).Row().Scan(&fts5, &made, &stale)
	return fts5 && !withoutIndex, made, stale, err
}

// openIndex makes the index ready where there may be one: it adds the texts that
// a build without it stored, or rebuilds all of it when such a build removed
// some.
func openIndex(ctx context.Context, db *gorm.DB) (index textIndex, err error) {
	err = db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		fts5, made, stale, err := indexState(tx)
		if index = textIndex(fts5); err != nil || !fts5 {
			return err
		}
		if !made {
			if err := statements(createTextIndex...)(tx); err != nil {
				return err
			}
		}
		if stale || !made {
			err := statements(`INSERT INTO text_index(text_index) VALUES ('delete-all')`,
				`UPDATE texts SET indexed = 0`, `DELETE FROM settings WHERE name = '`+staleIndex+`'`)(tx)
			if err != nil {
				return err
			}
		}
		return index.catchUp(tx)
	})
	return index, err
}

// usableIndex is the index of a database that can only be read: there is one if it
// knows all of its texts.
func usableIndex(db *gorm.DB) textIndex {
	fts5, made, stale, err := indexState(db)
	if err != nil || !fts5 || !made || stale {
		return false
	}
	var behind bool
	err = db.Raw("SELECT EXISTS (SELECT 1 FROM texts WHERE NOT indexed)").Row().Scan(&behind)
	return textIndex(err == nil && !behind)
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

// remove takes a text out of the index, or notes that it has to be rebuilt.
func (on textIndex) remove(tx *gorm.DB, row *textRow) error {
	switch {
	case !row.Indexed:
		return nil
	case !bool(on):
		return tx.Exec("INSERT INTO settings(name, value) VALUES (?, 'true') ON CONFLICT (name) DO NOTHING", staleIndex).Error
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
