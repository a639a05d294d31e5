package store

import (
	"context"
	"database/sql"
	"fmt"
	"gorm.io/gorm"
	"os"
	"strings"
)

// engine is what differs between the databases a Store can live in; all else is
// the same SQL for both.
type engine struct {
	steps []step // of the schema

	version    func(db *gorm.DB) (int, error)
	setVersion func(tx *gorm.DB, version int) error
	backup     func(s *Store, ctx context.Context, path string) error // nil: the server's keeper makes them

	begin   func(tx *gorm.DB) error // takes the write lock; nil: the transaction has it
	reading []*sql.TxOptions        // of a transaction that sees one state

	recordID string // SQL: the ID of a record as a person reads it
	like     string // the operator that doesn't mind the case of ASCII letters
	text     func(string) string

	// distinct is a query for the different values of an indexed column of the
	// records, named v, that ends in a condition; nil: the planner needs no help.
	distinct func(column string) string

	size   func(ctx context.Context, s *Store) (int64, error)
	shrink func(ctx context.Context, s *Store)
	check  func(ctx context.Context, db *gorm.DB) ([]string, error)
}

var sqliteEngine = engine{
	steps:   steps,
	version: userVersion,
	setVersion: func(tx *gorm.DB, v int) error {
		return tx.Exec(fmt.Sprintf("PRAGMA user_version = %d", v)).Error
	},
	backup:   (*Store).setAside,
	recordID: "printf('R-%04d', num)",
	like:     "LIKE",
	text:     func(s string) string { return s },
	distinct: skipScan,
	size:     fileSize,
	shrink:   incrementalVacuum,
	check:    integrityCheck,
}

// skipScan walks an index from one value to the next greater one, so that it
// costs as much as there are values, however many records have each.
func skipScan(column string) string {
	return fmt.Sprintf(`WITH RECURSIVE steps(v) AS (SELECT min(%[1]s) FROM records
		UNION ALL SELECT (SELECT min(%[1]s) FROM records WHERE %[1]s > v) FROM steps WHERE v IS NOT NULL)
		SELECT v FROM steps WHERE v IS NOT NULL`, column)
}

// fileSize is that of the database and its write-ahead log, which comes and goes.
func fileSize(_ context.Context, s *Store) (n int64, err error) {
	for _, name := range []string{s.path, s.path + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			n += info.Size()
		}
	}
	return n, nil
}

// incrementalVacuum hands free pages back to the disk. It may fail, for a lock
// say: the pages are used again later, so nobody need know.
func incrementalVacuum(ctx context.Context, s *Store) {
	rows, err := s.write.WithContext(ctx).Raw("PRAGMA incremental_vacuum").Rows()
	if err != nil {
		return
	}
	defer rows.Close()
	for rows.Next() { // each step frees one page
	}
}

// integrityCheck gives what SQLite finds wrong with the file.
func integrityCheck(ctx context.Context, db *gorm.DB) ([]string, error) {
	var found, broken []string
	if err := db.WithContext(ctx).Raw("PRAGMA integrity_check(100)").Scan(&found).Error; err != nil {
		return nil, err
	}
	for _, f := range found {
		if f != "ok" {
			broken = append(broken, strings.TrimSpace(f))
		}
	}
	return broken, nil
}
