package store

import (
	"context"
	"gorm.io/gorm"
	"strings"
)

// textIndex is the full-text index over the folded texts: SQLite's FTS5 where
// the program was built with it (tag sqlite_fts5). A nil textIndex stands for a
// build without, or a database without: search then reads the texts themselves
// and finds the same, only later. Both builds may use one database in turn.
type textIndex struct{}

// The index holds no text, only where each token is. Its tokens are made by us
// and parted by spaces, which is all its tokenizer has to know; what is deleted
// leaves no trace in it.
var createTextIndex = []string{
	`CREATE VIRTUAL TABLE IF NOT EXISTS text_index USING fts5(tokens, content='', columnsize=0, tokenize='ascii')`,
	`INSERT INTO text_index(text_index, rank) VALUES ('secure-delete', 1)`,
}

// staleIndex is the setting that a build without FTS5 leaves when it removed a
// text that the index knows.
const staleIndex = "search index is stale"

// hasFTS5 asks the connection, because the build decides.
func hasFTS5(db *gorm.DB) bool {
	var n int
	err := db.Raw("SELECT count(*) FROM pragma_module_list WHERE name = 'fts5'").Row().Scan(&n)
	return err == nil && n > 0
}

// openIndex makes the index ready where there may be one: it adds the texts that
// a build without it stored, or makes all of it anew when such a build removed
// some.
func openIndex(ctx context.Context, db *gorm.DB) (*textIndex, error) {
	if !hasFTS5(db) {
		return nil, nil
	}
	index := &textIndex{}
	err := db.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		var there, stale int
		err := tx.Raw("SELECT (SELECT count(*) FROM sqlite_master WHERE name = 'text_index'), (SELECT count(*) FROM settings WHERE name = ?)",
			staleIndex).Row().Scan(&there, &stale)
		if err != nil {
			return err
		}
		if there == 0 {
			if err := statements(createTextIndex...)(tx); err != nil {
				return err
			}
		}
		if stale > 0 || there == 0 {
			return index.rebuild(ctx, tx)
		}
		return index.catchUp(ctx, tx)
	})
	return index, err
}

// rebuild empties the index and fills it from the texts.
func (x *textIndex) rebuild(ctx context.Context, tx *gorm.DB) error {
	err := statements(`INSERT INTO text_index(text_index) VALUES ('delete-all')`,
		`UPDATE texts SET indexed = 0`, `DELETE FROM settings WHERE name = '`+staleIndex+`'`)(tx)
	if err != nil {
		return err
	}
	return x.catchUp(ctx, tx)
}

// catchUp indexes the texts that wait.
func (x *textIndex) catchUp(ctx context.Context, tx *gorm.DB) error {
	for {
		var rows []textRow
		err := tx.Where("NOT indexed").Order("id").Limit(textBatchRows).Find(&rows).Error
		if err != nil || len(rows) == 0 {
			return err
		}
		for i := range rows {
			if err := x.add(tx, &rows[i]); err != nil {
				return err
			}
		}
		if err := tx.Exec("UPDATE texts SET indexed = 1 WHERE NOT indexed AND id <= ?", rows[len(rows)-1].ID).Error; err != nil {
			return err
		}
	}
}

func (x *textIndex) add(tx *gorm.DB, row *textRow) error {
	if x == nil {
		return nil
	}
	return tx.Exec("INSERT INTO text_index(rowid, tokens) VALUES (?, ?)", row.ID, tokens(row.Folded)).Error
}

// remove takes a text out of the index, or notes that it has to be made anew.
func (x *textIndex) remove(tx *gorm.DB, row *textRow) error {
	switch {
	case !row.Indexed:
		return nil
	case x == nil:
		return tx.Exec("INSERT INTO settings(name, value) VALUES (?, 'true') ON CONFLICT (name) DO NOTHING", staleIndex).Error
	}
	return tx.Exec("INSERT INTO text_index(text_index, rowid, tokens) VALUES ('delete', ?, ?)", row.ID, tokens(row.Folded)).Error
}

// usable reports whether a database that can only be read has an index that
// knows all of its texts.
func usableIndex(db *gorm.DB) *textIndex {
	if !hasFTS5(db) {
		return nil
	}
	var there, behind int
	err := db.Raw(`SELECT (SELECT count(*) FROM sqlite_master WHERE name = 'text_index'),
		(SELECT count(*) FROM (SELECT 1 FROM texts WHERE NOT indexed LIMIT 1)) + (SELECT count(*) FROM settings WHERE name = ?)`,
		staleIndex).Row().Scan(&there, &behind)
	if err != nil || there == 0 || behind > 0 {
		return nil
	}
	return &textIndex{}
}

// has is the condition that a record has the term in one of its texts, for
// records that are looked at one by one: the texts that hold it are listed once,
// from a number on. The plus keeps the planner from trying each of these for each
// record.
func (x *textIndex) has(t term, from int64) (sql string, args []any) {
	return "EXISTS (SELECT 1 FROM record_texts WHERE record_texts.num = records.num AND +text_id IN (" +
		"SELECT rowid FROM text_index WHERE text_index MATCH ? AND rowid >= ?))", []any{t.match(), from}
}

// some lists the records that have the term, one row a text; few tells that these
// are all. The beginning of a word costs the index the lists of all words that
// begin so, of all texts; where few texts have what stands before it, these are
// read instead.
func (x *textIndex) some(ctx context.Context, tx *gorm.DB, t term, most int) (nums []int64, few bool, err error) {
	if head := t.head(); head != "" {
		ids, few, err := upTo(ctx, tx, "SELECT rowid AS num FROM text_index WHERE text_index MATCH ?", []any{head}, most)
		if err != nil {
			return nil, false, err
		}
		if few {
			return upTo(ctx, tx, "SELECT record_texts.num FROM texts CROSS JOIN record_texts ON text_id = texts.id WHERE texts.id IN ("+eachOf+
				") AND folded LIKE ?", []any{numbers(ids), t.like()}, most)
		}
	}
	return upTo(ctx, tx, "SELECT record_texts.num FROM text_index CROSS JOIN record_texts ON text_id = text_index.rowid WHERE text_index MATCH ?",
		[]any{t.match()}, most)
}

// scanned is the condition that a record has all the terms in its texts, each in
// any of them, where there is no index: the texts are read.
func scanned(list []termHits) (sql string, args []any) {
	var all []string
	for _, t := range list {
		all = append(all, "num IN (SELECT num FROM record_texts WHERE text_id IN (SELECT id FROM texts WHERE folded LIKE ?))")
		args = append(args, t.like())
	}
	return strings.Join(all, " AND "), args
}
