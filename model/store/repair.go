package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Repaired is what a repair could save.
type Repaired struct {
	Rows  int64  `json:"rows"`  // that were copied
	Lost  int64  `json:"lost"`  // places that could not be read, and rows that had lost what they refer to
	Aside string `json:"aside"` // where the damaged database is now

	Records int64 `json:"-"` // records among the rows
	Held    int64 `json:"-"` // records that the damaged database is known to have held; Records at least
}

// repairTables are in an order in which nothing is written before what it refers
// to. key is what rows are found by, one by one or a few at a time; "": there is
// no such number.
var repairTables = []struct{ name, key string }{
	{"sources", "id"}, {"blocks", "id"}, {"source_blocks", "source_id"}, {"records", "num"}, {"record_bodies", "num"},
	{"presets", ""}, {"settings", ""}, {"recents", ""}, {"texts", "id"}, {"record_texts", "num"},
	{"conversations", "num"}, {"conversation_agents", "num"}, {"conversation_events", "rowid"},
}

// sqliteFiles are the ends of the names of the files of one database.
var sqliteFiles = []string{"", "-wal", "-shm"}

// Repair saves what can be read of a damaged database into a new one, which then
// takes its name; the damaged one is renamed in the same folder and never deleted. No
// program may have it open. The originals of what is saved are verified whenever
// they are read, so nothing wrong is taken for right: see [Store.Check].
func Repair(ctx context.Context, path string) (r Repaired, err error) {
	if IsServer(path) {
		err = failure(ErrServer, "its keeper repairs it")
	} else {
		r, err = repair(ctx, path)
	}
	return r, (&db{path: path}).explain(ctx, "repair the database", err)
}

func repair(ctx context.Context, path string) (r Repaired, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return r, err
	}
	fresh := path + ".repaired"
	if err := removeDatabase(fresh); err != nil {
		return r, err
	}
	if r, err = saveInto(ctx, path, fresh); err != nil {
		return r, err
	}
	r.Aside = freeName(path+".damaged", "")
	for _, end := range sqliteFiles {
		if err := os.Rename(path+end, r.Aside+end); err != nil && !(end != "" && os.IsNotExist(err)) {
			return r, err
		}
	}
	return r, os.Rename(fresh, path)
}

// removeDatabase removes the files of a database that may be there.
func removeDatabase(path string) error {
	for _, end := range sqliteFiles {
		if err := os.Remove(path + end); err != nil && !os.IsNotExist(err) {
			return err
		}
	}
	return nil
}

// saveInto makes a new database of what can be read of another.
func saveInto(ctx context.Context, path, fresh string) (r Repaired, err error) {
	// Opening makes the tables, and closing leaves one file.
	s, err := Open(fresh)
	if err != nil {
		return r, err
	}
	if err := s.Close(); err != nil {
		return r, err
	}
	return salvage(ctx, path, fresh)
}

// salvage copies table by table. What a broken page hides is skipped by
// asking for the rows after it.
func salvage(ctx context.Context, from, to string) (r Repaired, err error) {
	db, err := sql.Open("sqlite3", dsn(to, busy(time.Minute), "_foreign_keys=off"))
	if err != nil {
		return r, err
	}
	defer db.Close()
	c, err := db.Conn(ctx)
	if err != nil {
		return r, err
	}
	defer c.Close()
	// Without it a file that was cut short would not be read at all.
	if _, err := c.ExecContext(ctx, "PRAGMA writable_schema = ON"); err != nil {
		return r, err
	}
	if _, err := c.ExecContext(ctx, "ATTACH ? AS damaged", dsn(from, "mode=ro")); err != nil {
		return r, err
	}
	for _, table := range repairTables {
		if err := salvageTable(ctx, c, table.name, table.key, &r); err != nil {
			return r, err
		}
	}
	if err := dropOrphans(ctx, c, &r); err != nil {
		return r, err
	}
	return r, countRecords(ctx, c, &r)
}

// countRecords counts the records that were saved, and those that there were: each
// index of the damaged table lists all of them, so the one that is whole knows.
func countRecords(ctx context.Context, c *sql.Conn, r *Repaired) error {
	if err := c.QueryRowContext(ctx, "SELECT count(*) FROM main.records").Scan(&r.Records); err != nil {
		return err
	}
	r.Held = r.Records
	for _, from := range []string{"records NOT INDEXED", "records INDEXED BY records_time", "records INDEXED BY records_source",
		"records INDEXED BY records_path", "record_bodies"} {
		var n int64
		if c.QueryRowContext(ctx, "SELECT count(*) FROM damaged."+from).Scan(&n) == nil {
			r.Held = max(r.Held, n)
		}
	}
	return ctx.Err()
}

func salvageTable(ctx context.Context, c *sql.Conn, table, key string, r *Repaired) error {
	columns, err := sharedColumns(ctx, c, table)
	if err != nil || columns == "" {
		return err
	}
	insert := fmt.Sprintf("INSERT OR IGNORE INTO main.%s (%s) SELECT %[2]s FROM damaged.%[1]s", table, columns)
	res, err := c.ExecContext(ctx, insert)
	if err == nil {
		n, _ := res.RowsAffected()
		r.Rows += n
		return nil
	}
	if kind := kindOf(err); kind == ErrFull || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	if key == "" {
		r.Lost++ // a table without row numbers can't be taken up after the break
		return nil
	}
	// The statement was undone as a whole; row by row the good ones are copied.
	return salvageRows(ctx, c, insert+" WHERE "+key+" = ?", "SELECT max("+key+") FROM damaged."+table, r)
}

// emptyRun is how many numbers in a row may hold nothing before a table is given
// up whose end can't be seen.
const emptyRun = 5000

func salvageRows(ctx context.Context, c *sql.Conn, insert, end string, r *Repaired) error {
	var last sql.NullInt64
	seen := c.QueryRowContext(ctx, end).Scan(&last) == nil
	one, err := c.PrepareContext(ctx, insert)
	if err != nil {
		r.Lost++
		return ctx.Err() // not even the table's root can be read
	}
	defer one.Close()
	for num, empty := int64(1), 0; seen && num <= last.Int64 || !seen && empty < emptyRun; num++ {
		res, err := one.ExecContext(ctx, num)
		if err != nil {
			if kindOf(err) == ErrFull || ctx.Err() != nil {
				return errors.Join(err, ctx.Err())
			}
			r.Lost++
			empty++
			continue
		}
		if n, _ := res.RowsAffected(); n > 0 {
			r.Rows += n
			empty = 0
			continue
		}
		empty++
	}
	return nil
}

// sharedColumns are those that the damaged table has, too: it may be older; "" when
// it is not there at all.
func sharedColumns(ctx context.Context, c *sql.Conn, table string) (string, error) {
	var list sql.NullString
	err := c.QueryRowContext(ctx, `SELECT group_concat(name, ', ') FROM pragma_table_info(?, 'damaged')
		WHERE name IN (SELECT name FROM pragma_table_info(?, 'main'))`, table, table).Scan(&list)
	return list.String, err
}

// dropOrphans removes what refers to something that was lost. A record whose input
// file is gone still describes what happened, so its source stays as a name without
// blocks; a record without a body describes nothing.
func dropOrphans(ctx context.Context, c *sql.Conn, r *Repaired) error {
	for _, q := range []string{
		`INSERT OR IGNORE INTO sources (id, sha, size) SELECT source_id, unhex(source_sha), source_size FROM records
			WHERE source_id NOT IN (SELECT id FROM sources) AND length(source_sha) = 64`,
		`DELETE FROM source_blocks WHERE block_id NOT IN (SELECT id FROM blocks) OR source_id NOT IN (SELECT id FROM sources)`,
		`DELETE FROM records WHERE source_id NOT IN (SELECT id FROM sources) OR num NOT IN (SELECT num FROM record_bodies)`,
		`DELETE FROM record_texts WHERE num NOT IN (SELECT num FROM records) OR text_id NOT IN (SELECT id FROM texts)`,
		`UPDATE texts SET indexed = 0`, // the index is rebuilt when the database is opened
		`DELETE FROM record_bodies WHERE num NOT IN (SELECT num FROM records)`,
		`DELETE FROM conversation_events WHERE conversation NOT IN (SELECT num FROM conversations)`,
		`DELETE FROM conversation_agents WHERE conversation NOT IN (SELECT num FROM conversations)`,
	} {
		res, err := c.ExecContext(ctx, q)
		if err != nil {
			return err
		}
		if n, _ := res.RowsAffected(); strings.HasPrefix(q, "DELETE") {
			r.Lost += n
		}
	}
	return nil
}
