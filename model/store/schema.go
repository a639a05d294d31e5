package store

import (
	"gorm.io/gorm"
)

// applicationID marks a database as ours ("PaLi"), so that a database of
// another program is not taken for an empty one.
const applicationID = 0x50614c69

// steps are the versions of the schema, oldest first. A step that was released
// is never changed: a change is a new step at the end.
var steps = []step{
	{version: 1, run: statements(schema1...)},
	{version: 2, run: statements(conversationTables...)},
	{version: 3, run: inTurn(addSearch, statements(answersTable))},
	{version: 4, run: statements(threadCountsTable)},
	{version: 5, run: inTurn(statements(listedColumns...), fillColumns, statements(makeStatistics))},
}

// schema1: the fields of a record that lists and filters need are columns; the
// record itself is the body, JSON packed with zstd, apart so that a list
// doesn't read past it. Columns marked * are the only ones that change and
// stand above what the body says. A source is a list of blocks; blocks are
// shared between sources.
var schema1 = []string{
	`CREATE TABLE sources (
		id   INTEGER PRIMARY KEY,
		sha  BLOB NOT NULL UNIQUE,
		size INTEGER NOT NULL)`,
	`CREATE TABLE blocks (
		id    INTEGER PRIMARY KEY,
		sha   BLOB NOT NULL UNIQUE,
		size  INTEGER NOT NULL,
		codec INTEGER NOT NULL,
		data  BLOB NOT NULL)`,
	// The reference is checked at the end of a transaction, so that Delete can
	// take the blocks while it still knows whose they were.
	`CREATE TABLE source_blocks (
		source_id INTEGER NOT NULL REFERENCES sources(id) ON DELETE CASCADE,
		seq       INTEGER NOT NULL,
		block_id  INTEGER NOT NULL REFERENCES blocks(id) DEFERRABLE INITIALLY DEFERRED,
		PRIMARY KEY (source_id, seq)) WITHOUT ROWID`,
	`CREATE INDEX source_blocks_block ON source_blocks(block_id)`,

	// AUTOINCREMENT: the number of a deleted record is not given again.
	`CREATE TABLE records (
		num             INTEGER PRIMARY KEY AUTOINCREMENT,
		uid             TEXT NOT NULL UNIQUE,
		time            INTEGER NOT NULL, -- Unix microseconds
		session         TEXT NOT NULL,
		path            TEXT NOT NULL,
		format          TEXT NOT NULL,
		source_id       INTEGER NOT NULL REFERENCES sources(id),
		source_sha      TEXT NOT NULL,
		source_size     INTEGER NOT NULL,
		conversation    INTEGER NOT NULL,
		thread          INTEGER NOT NULL,
		agent           TEXT NOT NULL,
		cause           TEXT NOT NULL,
		preset          TEXT NOT NULL,
		strategy        TEXT NOT NULL,
		model           TEXT NOT NULL,
		position        INTEGER NOT NULL,
		range_from      INTEGER NOT NULL,
		range_to        INTEGER NOT NULL,
		range_sha       TEXT NOT NULL,
		covered         INTEGER NOT NULL,
		edited          INTEGER NOT NULL,
		before_messages INTEGER NOT NULL,
		before_tokens   INTEGER NOT NULL,
		after_messages  INTEGER NOT NULL,
		after_tokens    INTEGER NOT NULL,
		counted         TEXT NOT NULL,
		duration        INTEGER NOT NULL, -- nanoseconds
		outcome         TEXT NOT NULL,
		reason          TEXT NOT NULL,
		base            TEXT NOT NULL,
		switched_off    INTEGER NOT NULL, -- *
		output          TEXT NOT NULL,    -- *
		output_sha      TEXT NOT NULL)    -- *`,
	`CREATE INDEX records_source ON records(source_id)`,
	`CREATE INDEX records_source_sha ON records(source_sha, num)`,
	`CREATE INDEX records_path ON records(path, num)`,
	`CREATE INDEX records_base ON records(base) WHERE base <> ''`,
	`CREATE INDEX records_output ON records(output_sha, num) WHERE output_sha <> ''`,
	`CREATE TABLE record_bodies (
		num  INTEGER PRIMARY KEY REFERENCES records(num) ON DELETE CASCADE,
		body BLOB NOT NULL)`,

	`CREATE TABLE presets (
		name   TEXT PRIMARY KEY,
		policy TEXT NOT NULL, -- JSON
		time   INTEGER NOT NULL) WITHOUT ROWID`,
	`CREATE TABLE settings (
		name  TEXT PRIMARY KEY,
		value TEXT NOT NULL) WITHOUT ROWID`, // JSON
	`CREATE TABLE recents (
		path       TEXT PRIMARY KEY,
		format     TEXT NOT NULL,
		title      TEXT NOT NULL,
		opened     INTEGER NOT NULL, -- Unix microseconds
		bookmarked INTEGER NOT NULL) WITHOUT ROWID`,
	// seq is the age: the oldest are forgotten first.
	`CREATE TABLE token_counts (
		seq      INTEGER PRIMARY KEY,
		hash     BLOB NOT NULL,
		encoding TEXT NOT NULL,
		count    INTEGER NOT NULL,
		UNIQUE (hash, encoding))`,
}

// inTurn makes one step of several.
func inTurn(list ...func(*gorm.DB) error) func(*gorm.DB) error {
	return func(tx *gorm.DB) error {
		for _, run := range list {
			if err := run(tx); err != nil {
				return err
			}
		}
		return nil
	}
}

// statements makes a step of plain SQL.
func statements(sql ...string) func(*gorm.DB) error {
	return func(tx *gorm.DB) error {
		for _, q := range sql {
			if err := tx.Exec(q).Error; err != nil {
				return err
			}
		}
		return nil
	}
}
