package store

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
	{version: 6, run: inTurn(statements(countedColumns...), countFormers)},
	{version: 7, run: statements(liveTables...)},
	{version: 8, run: statements(trashColumn...)},
	{version: 9, run: statements(textTables...)},
	{version: 10, run: inTurn(statements(fixedColumn), fillFixed)},
	{version: 11, run: inTurn(statements(compactableColumn), fillCompactable, statements(savedIndex(savedShareOfRest)...))},
	{version: 12, run: statements(savedIndex(savedShare)...)},
	{version: 13, run: statements("DROP TABLE thread_counts")},
}

// schema1: the fields of a record that lists and filters need are columns; the
// record itself is the body, JSON packed with zstd, apart so that a list
// doesn't read past it. Columns marked * are the only ones that change and
// take precedence over the body. A source is a list of blocks; blocks are
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

// conversationTables: the events are the truth and are only ever added. The
// other two tables hold what they add up to, for lists and for other programs;
// they are written in the transaction of the event.
var conversationTables = []string{
	`CREATE TABLE conversations (
		num          INTEGER PRIMARY KEY AUTOINCREMENT,
		id           TEXT NOT NULL UNIQUE,
		title        TEXT NOT NULL,
		seq          INTEGER NOT NULL, -- of its latest event
		messages     INTEGER NOT NULL,
		last_content TEXT NOT NULL,
		last_type    TEXT NOT NULL,
		last_at      INTEGER NOT NULL, -- Unix microseconds; 0: unknown. So are all times
		created      INTEGER NOT NULL,
		changed      INTEGER NOT NULL)`,
	`CREATE INDEX conversations_changed ON conversations(changed)`,
	`CREATE TABLE conversation_agents (
		num          INTEGER PRIMARY KEY, -- in the order in which they came
		conversation INTEGER NOT NULL REFERENCES conversations(num) ON DELETE CASCADE,
		agent        TEXT NOT NULL,
		caller       TEXT NOT NULL,
		state        TEXT NOT NULL,
		interactions INTEGER NOT NULL,
		last_type    TEXT NOT NULL,
		last_at      INTEGER NOT NULL,
		UNIQUE (conversation, agent))`,
	`CREATE TABLE conversation_events (
		conversation INTEGER NOT NULL REFERENCES conversations(num) ON DELETE CASCADE,
		seq          INTEGER NOT NULL,
		time         INTEGER NOT NULL,
		kind         TEXT NOT NULL,
		agent        TEXT NOT NULL, -- '': the history that all agents share
		task         TEXT NOT NULL,
		caller       TEXT NOT NULL,
		covers       INTEGER NOT NULL,
		items        TEXT NOT NULL, -- JSON: one history item; of a replacement an array
		PRIMARY KEY (conversation, seq))`,
}

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

// countedColumns: what a list says of what went and of the preset. The former
// summaries among what went follow from the body, which a list doesn't read.
var countedColumns = []string{
	`ALTER TABLE records ADD COLUMN formers INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE records ADD COLUMN changed INTEGER NOT NULL DEFAULT -1`,
}

// fixedColumn: without a fixed part the sizes of a record are bounds, which a list says.
const fixedColumn = `ALTER TABLE records ADD COLUMN fixed INTEGER NOT NULL DEFAULT 0`

// savedShare is the part of all tokens that a record saved, in thousandths.
const savedShare = `CASE WHEN before_tokens > 0 THEN (before_tokens - after_tokens) * 1000 / before_tokens ELSE 0 END`

// compactableColumn: how much could go. Zero is not noted.
const compactableColumn = `ALTER TABLE records ADD COLUMN compactable INTEGER NOT NULL DEFAULT 0`

// savedShareOfRest is the part of what could go that a record saved, in thousandths, as version 11 indexed it.
const savedShareOfRest = `CASE WHEN compactable > 0 THEN (before_tokens - after_tokens) * 1000 / compactable
	WHEN before_tokens > 0 THEN (before_tokens - after_tokens) * 1000 / before_tokens ELSE 0 END`

// savedIndex replaces the index of records by the share that was saved.
func savedIndex(share string) []string {
	return []string{`DROP INDEX records_saved`, `CREATE INDEX records_saved ON records((` + share + `), num)`}
}

// answersTable: seq is the age: the oldest are forgotten first. The question is
// not kept, only its hash.
const answersTable = `CREATE TABLE answers (
		seq    INTEGER PRIMARY KEY,
		hash   BLOB NOT NULL UNIQUE,
		answer BLOB NOT NULL)`

// threadCountsTable held the token counts of threads until version 13.
const threadCountsTable = `CREATE TABLE thread_counts (
		seq    INTEGER PRIMARY KEY,
		hash   BLOB NOT NULL UNIQUE,
		counts BLOB NOT NULL)`

// listedColumns: what a list shows of a record beyond the columns of schema1. The
// levels of summaries below it follow from other records, and what survived is in
// its body; a list reads neither. Agents and reasons are searched like
// sessions, from value to value.
var listedColumns = []string{
	`ALTER TABLE records ADD COLUMN levels INTEGER NOT NULL DEFAULT 1`,
	`ALTER TABLE records ADD COLUMN facts_gone INTEGER NOT NULL DEFAULT 0`,
	`ALTER TABLE records ADD COLUMN facts_standing INTEGER NOT NULL DEFAULT 0`,
	`CREATE INDEX records_levels ON records(levels, num)`,
	`CREATE INDEX records_survives ON records((` + survivingShare + `), num)`,
	`CREATE INDEX records_agent ON records(agent, num)`,
	`CREATE INDEX records_reason ON records(reason, num)`,
	// Counts are kept by thread since version 4.
	`DROP TABLE token_counts`,
}

// survivingShare is the part of the facts in what was removed that survived, in
// thousandths; -1 where there were none or nobody looked.
const survivingShare = `CASE WHEN facts_gone > 0 THEN facts_standing * 1000 / facts_gone ELSE -1 END`

// makeStatistics makes the planner's table before there are records. SQLite would
// make it when the database is first closed, and to have its root near the front
// move a page of the schema to the end of the file: one that is cut short would
// then have lost the names of its tables, and all of its records.
const makeStatistics = "ANALYZE"
