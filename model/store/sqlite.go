package store

import (
	"context"
	"fmt"
	"gorm.io/driver/sqlite"
	"gorm.io/gorm"
	"gorm.io/gorm/logger"
	"os"
	"path/filepath"
	"strings"
	"time"
)

var sqliteEngine = engine{
	open:    openFile,
	steps:   steps,
	version: userVersion,
	setVersion: func(tx *gorm.DB, v int) error {
		return tx.Exec(fmt.Sprintf("PRAGMA user_version = %d", v)).Error
	},
	backup:   setAside,
	begin:    func(*gorm.DB) error { return nil }, // the transaction has the lock
	finish:   checkpoint,
	recordID: "printf('R-%04d', num)",
	like:     "LIKE",
	text:     func(s string) string { return s },
	size:     fileSize,
	shrink:   incrementalVacuum,
	check:    integrityCheck,
}

// closeWait is how long closing waits for a write that is under way.
const closeWait = 2 * time.Second

// checkpoint writes the log back into the database.
func checkpoint(write *gorm.DB) error {
	ctx, cancel := context.WithTimeout(context.Background(), closeWait)
	defer cancel()
	write.WithContext(ctx).Exec("PRAGMA optimize") // may fail: it only helps to choose indexes
	// PASSIVE never waits for others; the last to close does the rest.
	err := write.WithContext(ctx).Exec("PRAGMA wal_checkpoint(PASSIVE)").Error
	if ctx.Err() != nil || kindOf(err) == ErrFull {
		return nil // the log stays, and the next to open the database reads it
	}
	return err
}

// fileSize is that of the database and its write-ahead log, which comes and goes.
func fileSize(_ context.Context, d *db) (n int64, err error) {
	for _, name := range []string{d.path, d.path + "-wal"} {
		if info, err := os.Stat(name); err == nil {
			n += info.Size()
		}
	}
	return n, nil
}

// incrementalVacuum returns free pages to the disk. It may fail, for a lock
// say: the pages are used again later, so it is no error.
func incrementalVacuum(ctx context.Context, d *db) {
	w, err := d.writer(ctx)
	if err != nil {
		return
	}
	rows, err := w.WithContext(ctx).Raw("PRAGMA incremental_vacuum").Rows()
	if err != nil {
		return
	}
	defer rows.Close()
	for rows.Next() { // each step frees one page
	}
}

// integrityCheck returns what SQLite finds wrong with the file.
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

func userVersion(db *gorm.DB) (int, error) { return pragma(db, "user_version") }

func pragma(db *gorm.DB, name string) (int, error) {
	var n int
	err := db.Raw("PRAGMA " + name).Row().Scan(&n)
	return n, err
}

// uriEscaper hides the characters that would end the path of an SQLite URI or
// mean others in it.
var uriEscaper = strings.NewReplacer("%", "%25", "?", "%3f", "#", "%23")

// dsn builds the data source name for the absolute path. The settings belong
// here because they hold for one connection, and the pool may open a new one.
func dsn(path string, params ...string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p // a drive letter: file:///C:/…
	}
	return "file://" + uriEscaper.Replace(p) + "?" + strings.Join(params, "&")
}

func busy(d time.Duration) string { return fmt.Sprintf("_busy_timeout=%d", d.Milliseconds()) }

// writerDSN is for the one connection that writes. A write transaction takes
// its lock at the start, so that it never fails halfway for a lock. What is
// deleted is overwritten: transcripts are private. The vacuum mode counts when
// the database is made, and lets Delete hand pages back to the disk.
func writerDSN(path string, wait time.Duration) string {
	return dsn(path, busy(wait), "_auto_vacuum=incremental", "_journal_mode=WAL", "_synchronous=NORMAL", "_foreign_keys=on",
		"_txlock=immediate", "_secure_delete=on")
}

// readerDSN is for the connections that only read. They open the file for
// writing nevertheless: a reader of a WAL database keeps its place in the
// shared index.
func readerDSN(path string, wait time.Duration) string {
	return dsn(path, busy(wait), "_synchronous=NORMAL", "_query_only=on", "_txlock=deferred")
}

// lookDSN opens without changing anything; immutable also where the folder
// allows no lock file.
func lookDSN(path string, wait time.Duration, immutable bool) string {
	if immutable {
		return dsn(path, busy(wait), "mode=ro", "immutable=1")
	}
	return dsn(path, busy(wait), "mode=ro")
}

// readers is how many connections read at the same time.
const readers = 4

func connect(dsn string, conns int) (*gorm.DB, error) {
	db, err := gorm.Open(sqlite.Open(dsn), &gorm.Config{
		Logger:                 logger.Discard,
		TranslateError:         true,
		SkipDefaultTransaction: true,
		DisableAutomaticPing:   true, // the dialect asks for SQLite's version anyway
	})
	if err != nil {
		disconnect(db)
		return nil, err
	}
	pool, err := db.DB()
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(conns)
	pool.SetMaxIdleConns(conns)
	return db, nil
}

// connectReadOnly opens a file that nobody can write to. Where the folder
// allows no lock file SQLite can read only what it takes for unchangeable;
// that is refused while the file has a write-ahead log, whose content
// would be passed over.
func connectReadOnly(path string, wait time.Duration) (*gorm.DB, error) {
	db, err := connect(lookDSN(path, wait, false), readers)
	if err == nil {
		if _, err = pragma(db, "schema_version"); err == nil {
			return db, nil
		}
		disconnect(db)
	}
	switch kindOf(err) { // the last two: a full disk has no room for the index of the log
	case ErrCantOpen, ErrReadOnly, ErrFull, ErrDisk:
	default:
		return nil, err
	}
	if info, statErr := os.Stat(path + "-wal"); statErr == nil && info.Size() > 0 {
		return nil, failure(ErrReadOnly, "and its latest changes lie in the file beside it that ends in -wal; "+
			"copy both to a folder that can be written")
	}
	return connect(lookDSN(path, wait, true), readers)
}

func disconnect(db *gorm.DB) error {
	if db == nil || db.ConnPool == nil {
		return nil
	}
	pool, err := db.DB()
	if err != nil {
		return err
	}
	return pool.Close()
}
