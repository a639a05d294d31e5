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

// texts is a query for the ids of the texts that hold a term, from an id on.
func (on textIndex) texts(t term, from int64) (sql string, args []any) {
	if on {
		return "SELECT rowid AS id FROM text_index WHERE text_index MATCH ? AND rowid >= ?", []any{t.match(), from}
	}
	return "SELECT id FROM texts WHERE folded LIKE ? AND id >= ?", []any{t.like(), from}
}

// has is the condition that a record has the term in one of its texts, for
// records that are looked at one by one: the texts that hold it are listed once,
// from an id on. The plus keeps the planner from trying each of these for each
// record.
func (on textIndex) has(t term, from int64) (sql string, args []any) {
	texts, args := on.texts(t, from)
	return "EXISTS (SELECT 1 FROM record_texts WHERE record_texts.num = records.num AND +text_id IN (" + texts + "))", args
}

// holders lists the records that have the term, one row a text; few reports that
// these are all. The beginning of a word costs the index the lists of all words
// that begin so, of all texts; where few texts have the words before it, these are
// read instead.
func (on textIndex) holders(tx *gorm.DB, t term, most int) (nums []int64, few bool, err error) {
	texts, args := on.texts(t, 0)
	if head := t.head(); on && head != "" {
		ids, few, err := upTo(tx, "SELECT rowid AS num FROM text_index WHERE text_index MATCH ?", []any{head}, most)
		if err != nil {
			return nil, false, err
		}
		if few {
			texts, args = "SELECT id FROM texts WHERE id IN ? AND folded LIKE ?", []any{ids, t.like()}
		}
	}
	return upTo(tx, "SELECT record_texts.num FROM ("+texts+") AS t CROSS JOIN record_texts WHERE record_texts.text_id = t.id", args, most)
}
