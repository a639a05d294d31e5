package store

import (
	"context"
	"gorm.io/gorm"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// Store is an open database, by subject. Its zero value is of no use; see [Open].
type Store struct {
	*db
	records
	conversations
	preferences
	caches
	running
	batches
	catalog
	upkeep
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
	if err := CheckAddress(path); err != nil {
		return nil, err
	}
	o := options{wait: 5 * time.Second}
	for _, opt := range opts {
		opt(&o)
	}
	ctx := context.Background()
	d := &db{path: path, engine: sqliteEngine}
	if IsServer(path) {
		d.engine = postgresEngine
	}
	if o.steps == nil {
		o.steps = d.engine.steps
	}
	if err := d.engine.open(ctx, d, o); err != nil {
		d.Close() // what was opened so far; the caller wants the error below
		return nil, d.explain(ctx, "open the database", err)
	}
	return &Store{d, records{d}, conversations{d}, preferences{d}, caches{d}, running{d}, batches{d}, catalog{d}, upkeep{d}}, nil
}

// openFile opens an SQLite database.
func openFile(ctx context.Context, d *db, o options) (err error) {
	if d.path, err = filepath.Abs(d.path); err != nil {
		return err
	}
	if !o.readOnly {
		if err := os.MkdirAll(filepath.Dir(d.path), 0o700); err != nil {
			return err
		}
	}
	filled, err := d.admit(o)
	switch {
	case err != nil:
		return err
	case o.readOnly:
		return d.openReader(o)
	case filled && mayWrite(d.path):
		// What is damaged is not written to before somebody has it repaired.
		if err := d.openReaderFirst(o); err == nil || kindOf(err) == ErrCorrupt {
			return err
		}
		if err := d.quickCheck(); err != nil {
			return err
		}
	}
	return d.openEither(ctx, o)
}

// admit looks at what is at the path, makes a file if nothing is, and reports whether it
// holds anything. What is no database of ours is refused.
func (d *db) admit(o options) (filled bool, err error) {
	info, err := os.Stat(d.path)
	switch {
	case err != nil && (o.readOnly || !os.IsNotExist(err)):
		return false, err
	case err == nil && info.IsDir():
		return false, failure(ErrNotDatabase, "it is a folder")
	case err == nil && !info.Mode().IsRegular(): // a pipe would wait for its other end
		return false, failure(ErrNotDatabase, "it is a device or a pipe")
	case err == nil && info.Size() > 0:
		return true, d.examine(o)
	case o.readOnly:
		return false, failure(ErrNotDatabase, "it is empty")
	}
	return false, touch(d.path)
}

// openEither opens a database for writing, and for reading where that is not possible;
// if it may be later, the writer is opened at the first save.
func (d *db) openEither(ctx context.Context, o options) error {
	err := patiently(o.wait, func() error { return d.openWriter(ctx, o) })
	switch kindOf(err) {
	case ErrReadOnly, ErrCantOpen:
		return d.openReader(o)
	case ErrLocked, ErrFull, ErrDisk:
		if d.openReader(o) == nil {
			d.later = &o
			return nil
		}
	}
	return err // which says more than a reader's
}

// openReaderFirst opens a database that is as this program left it, so that nothing
// has to be written to read it: a full disk or a writer in another process keeps
// nobody from the originals. The writer is opened at the first save.
func (d *db) openReaderFirst(o options) (err error) {
	if err := d.reset(); err != nil {
		return err
	}
	if d.read, err = connect(readerDSN(d.path, o.wait), readers); err != nil {
		return err
	}
	if err := d.engine.matchVersion(d.read, latest(o.steps)); err != nil {
		return err
	}
	var mode string
	id, err := pragma(d.read, "application_id")
	if err == nil {
		err = d.read.Raw("PRAGMA journal_mode").Row().Scan(&mode)
	}
	if err == nil {
		d.index, err = usableIndex(d.read)
	}
	switch {
	case err != nil: // damage, mostly
		return err
	case mode != "wal":
		return failure(ErrNotDatabase, "its journal mode is %s", mode)
	case id != applicationID:
		return failure(ErrNotDatabase, "it has no mark of ours")
	case !bool(d.index):
		return failure(ErrNotDatabase, "its index waits for texts")
	}
	d.later = &o
	return nil
}

// quickCheck looks for damage in a database that waits for the writer, if it can be read:
// what it waits for may be the damage.
func (d *db) quickCheck() error {
	if d.read == nil {
		return nil
	}
	var said string
	err := d.read.Raw("PRAGMA quick_check(1)").Row().Scan(&said)
	switch {
	case kindOf(err) == ErrCorrupt:
		return err
	case err == nil && said != "ok":
		return failure(ErrCorrupt, "%s", said)
	}
	return nil // the writer finds out
}

// connectWriter opens the connection that writes.
func (d *db) connectWriter(ctx context.Context, o options) (w *gorm.DB, err error) {
	err = patiently(o.wait, func() error {
		if w, err = connect(writerDSN(d.path, o.wait), 1); err != nil {
			return err
		}
		if err = takeLock(ctx, w); err != nil {
			disconnect(w)
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	return w, nil
}

// takeLock takes the write lock, which is the one reliable way to know that
// writing works.
func takeLock(ctx context.Context, w *gorm.DB) error {
	err := w.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		id, err := pragma(tx, "application_id")
		if err != nil || id == applicationID {
			return err
		}
		return tx.Exec("PRAGMA application_id = " + strconv.Itoa(applicationID)).Error
	})
	if err != nil {
		return err
	}
	// A large import leaves a large log; 64 MB of it may stay.
	return w.Exec("PRAGMA journal_size_limit = 67108864").Error
}

// touch makes a file that only its owner may read: transcripts are private.
func touch(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return err
	}
	return f.Close()
}

// examine looks at a file without changing it: whether it is a database, one of
// ours, and not newer than this program.
func (d *db) examine(o options) error {
	db, err := connectReadOnly(d.path, o.wait)
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

func (d *db) openWriter(ctx context.Context, o options) (err error) {
	if err := d.reset(); err != nil {
		return err
	}
	if d.write, err = connect(writerDSN(d.path, o.wait), 1); err != nil {
		return err
	}
	if err := takeLock(ctx, d.write); err != nil {
		return err
	}
	if err := d.migrate(ctx, o.steps); err != nil {
		return err
	}
	if d.index, err = openIndex(ctx, d.write); err != nil {
		return err
	}
	d.read, err = connect(readerDSN(d.path, o.wait), readers)
	return err
}

// openReader opens a database that can't be written, which is only possible
// when its schema is the one this program knows.
func (d *db) openReader(o options) (err error) {
	if err := d.reset(); err != nil {
		return err
	}
	if d.read, err = connectReadOnly(d.path, o.wait); err != nil {
		return err
	}
	if d.index, err = usableIndex(d.read); err != nil {
		return err
	}
	return d.engine.matchVersion(d.read, latest(o.steps))
}

// reset forgets a failed attempt to open.
func (d *db) reset() error {
	err := d.disconnect()
	d.read, d.write, d.later = nil, nil, nil
	return err
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
