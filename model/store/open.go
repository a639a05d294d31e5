package store

import (
	"context"
	"errors"
	"gorm.io/gorm"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"time"
)

// Store is an open database. Its zero value is of no use; see [Open].
type Store struct {
	path   string // or the address of the server, without the password
	engine engine
	write  *gorm.DB // one connection; nil when the database is read-only
	read   *gorm.DB
	index  *textIndex
	few    int // rows that a search lists before it walks
	pack   *packer
	once   sync.Once // closes

	rest    *Repaired // of a damaged database; nil: this is a whole one
	restDir string    // of the copy that is read
}

// Option changes how a database is opened.
type Option func(*options)

type options struct {
	wait     time.Duration
	readOnly bool
	steps    []step
}

// BusyTimeout sets how long an operation waits for another process that is
// writing, instead of 5 s.
func BusyTimeout(d time.Duration) Option { return func(o *options) { o.wait = d } }

// OpenReadOnly opens a database that must not be changed. It has to exist and
// to be up to date.
func OpenReadOnly() Option { return func(o *options) { o.readOnly = true } }

// Open opens the database at path, or on the PostgreSQL server that a
// postgres:// address names, and brings it up to date; it is made, with
// its folder, if there is none. Where the file or its folder can't be written
// the database is opened for reading: see [Store.ReadOnly].
func Open(path string, opts ...Option) (*Store, error) {
	o := options{wait: 5 * time.Second}
	for _, opt := range opts {
		opt(&o)
	}
	ctx := context.Background()
	s := &Store{path: path, engine: sqliteEngine, few: fewHits}
	open := s.open
	if IsServer(path) {
		s.engine, open = postgresEngine, s.openPostgres
	}
	if o.steps == nil {
		o.steps = s.engine.steps
	}
	if err := open(ctx, o); err != nil {
		s.Close() // what was opened so far; the error below is the one to tell
		return nil, s.explain(ctx, "open the database", err)
	}
	return s, nil
}

func (s *Store) open(ctx context.Context, o options) (err error) {
	if s.path, err = filepath.Abs(s.path); err != nil {
		return err
	}
	if s.pack, err = newPacker(); err != nil {
		return err
	}
	if !o.readOnly {
		if err := os.MkdirAll(filepath.Dir(s.path), 0o700); err != nil {
			return err
		}
	}
	info, err := os.Stat(s.path)
	switch {
	case err != nil && (o.readOnly || !os.IsNotExist(err)):
		return err
	case err == nil && info.IsDir():
		return failure(ErrNotDatabase, "it is a folder")
	case err != nil || info.Size() == 0:
		if o.readOnly {
			return failure(ErrNotDatabase, "it is empty")
		}
		if err := touch(s.path); err != nil {
			return err
		}
	default:
		if err := s.look(o); err != nil {
			return err
		}
	}
	if !o.readOnly {
		err := s.openWriter(ctx, o)
		if err == nil || !errors.Is(kindOf(err), ErrReadOnly) && !errors.Is(kindOf(err), ErrCantOpen) {
			return err
		}
	}
	return s.openReader(o)
}

// touch makes a file that only its owner may read: transcripts are private.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// look examines a file without changing it: whether it is a database, one of
// ours, and not newer than this program.
func (s *Store) look(o options) error {
	db, err := connectReadOnly(s.path, o.wait)
	if err != nil {
		return err
	}
	defer disconnect(db)
	var tables int
	if err := db.Raw("SELECT count(*) FROM sqlite_master").Row().Scan(&tables); err != nil {
		return err
	}
	id, err := pragma(db, "application_id")
	if err != nil {
		return err
	}
	version, err := userVersion(db)
	switch {
	case err != nil:
		return err
	case id != applicationID && (tables > 0 || version > 0):
		return failure(ErrNotDatabase, "it belongs to another program")
	case version > latest(o.steps):
		return newer(version, latest(o.steps))
	}
	return nil
}

func (s *Store) openWriter(ctx context.Context, o options) error {
	return patiently(o.wait, func() (err error) {
		if err := s.reset(); err != nil {
			return err
		}
		if s.write, err = connect(writerDSN(s.path, o.wait), 1); err != nil {
			return err
		}
		// Taking the write lock is the one reliable way to know that writing works.
		err = s.write.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
			id, err := pragma(tx, "application_id")
			if err != nil || id == applicationID {
				return err
			}
			return tx.Exec("PRAGMA application_id = " + strconv.Itoa(applicationID)).Error
		})
		if err != nil {
			return err
		}
		// A large import leaves a large log behind; 64 MB of it may stay.
		if err := s.write.Exec("PRAGMA journal_size_limit = 67108864").Error; err != nil {
			return err
		}
		if err := s.migrate(ctx, o.steps); err != nil {
			return err
		}
		if s.index, err = openIndex(ctx, s.write); err != nil {
			return err
		}
		s.read, err = connect(readerDSN(s.path, o.wait), readers)
		return err
	})
}

// patiently repeats f while another process is in the way, for as long as wait:
// SQLite itself does not wait when the journal mode is being changed.
func patiently(wait time.Duration, f func() error) error {
	end := time.Now().Add(wait)
	for {
		err := f()
		if kindOf(err) != ErrLocked || time.Now().After(end) {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// openReader opens a database that can't be written, which is only possible
// when its schema is the one this program knows.
func (s *Store) openReader(o options) error {
	if err := s.reset(); err != nil {
		return err
	}
	db, err := connectReadOnly(s.path, o.wait)
	if err != nil {
		return err
	}
	s.read = db
	version, err := userVersion(db)
	if err != nil {
		return err
	}
	if version < latest(o.steps) {
		return failure(ErrReadOnly, "it is of format %d and has to be brought up to %d first", version, latest(o.steps))
	}
	s.index = usableIndex(db)
	return nil
}

// closeWait is how long Close waits for a write that is under way.
const closeWait = 2 * time.Second

// Close writes the log back into the database and closes it. A write that is
// under way has two seconds to end; what takes longer or comes later fails.
// Closing again does nothing.
func (s *Store) Close() error {
	var err error
	s.once.Do(func() {
		if s.write != nil && !IsServer(s.path) {
			// PASSIVE never waits for others; the last to close does the rest.
			ctx, cancel := context.WithTimeout(context.Background(), closeWait)
			defer cancel()
			s.write.WithContext(ctx).Exec("PRAGMA optimize") // may fail: it only helps to choose indexes
			err = s.write.WithContext(ctx).Exec("PRAGMA wal_checkpoint(PASSIVE)").Error
			if ctx.Err() != nil || kindOf(err) == ErrFull {
				err = nil // the log stays, and the next to open the database reads it
			}
		}
		err = errors.Join(err, s.disconnect())
		if s.restDir != "" {
			err = errors.Join(err, os.RemoveAll(s.restDir))
		}
	})
	return s.explain(context.Background(), "close the database", err)
}

// disconnect closes readers first, so that the writer is the last one and
// removes the log.
func (s *Store) disconnect() error {
	if s.read == s.write {
		return disconnect(s.read)
	}
	return errors.Join(disconnect(s.read), disconnect(s.write))
}

// reset forgets a failed attempt to open.
func (s *Store) reset() error {
	err := s.disconnect()
	s.read, s.write = nil, nil
	return err
}

// Path is the database's absolute path, or the server's address without the
// password.
func (s *Store) Path() string { return s.path }

// ReadOnly reports whether the database can only be read.
func (s *Store) ReadOnly() bool { return s.write == nil }

// update runs f in one write transaction.
func (s *Store) update(ctx context.Context, op string, f func(tx *gorm.DB) error) error {
	if s.write == nil {
		return s.explain(ctx, op, failure(ErrReadOnly, ""))
	}
	return s.explain(ctx, op, s.write.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := s.begin(tx); err != nil {
			return err
		}
		return f(tx)
	}))
}

// begin takes the write lock where a transaction does not have it by itself:
// writers of one database wait for each other.
func (s *Store) begin(tx *gorm.DB) error {
	if s.engine.begin == nil {
		return nil
	}
	return s.engine.begin(tx)
}

// view runs f in one read transaction: it sees one state of the database.
func (s *Store) view(ctx context.Context, op string, f func(tx *gorm.DB) error) error {
	return s.explain(ctx, op, s.read.WithContext(ctx).Transaction(f, s.engine.reading...))
}
