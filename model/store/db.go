package store

import (
	"context"
	"database/sql"
	"errors"
	"gorm.io/gorm"
	"gorm.io/gorm/clause"
	"os"
	"sync"
)

// db is an open database: what all subjects of a [Store] read and write through.
type db struct {
	path   string // or the address of the server, without the password
	engine engine
	write  *gorm.DB   // one connection; nil: none yet, see writer
	mu     sync.Mutex // guards write, later and queue
	later  *options   // the writer is opened by these at the first save; nil: it is there, or the database is read-only
	read   *gorm.DB
	index  textIndex
	once   sync.Once
	queue  queue

	rest    *Repaired // of a damaged database; nil: this is a whole one
	restDir string    // of the copy that is read
}

// engine is what differs between the databases a Store can live in; all else is
// the same SQL for both.
type engine struct {
	open  func(ctx context.Context, d *db, o options) error
	steps []step // of the schema

	version    func(db *gorm.DB) (int, error)
	setVersion func(tx *gorm.DB, version int) error
	backup     func(ctx context.Context, d *db, path string) error // before a migration

	begin   func(tx *gorm.DB) error // takes the write lock
	reading []*sql.TxOptions        // of a transaction that sees one state
	finish  func(write *gorm.DB) error

	recordID string // SQL: the ID of a record as a person reads it
	like     string // the operator that ignores the case of ASCII letters
	text     func(string) string

	size   func(ctx context.Context, d *db) (int64, error)
	shrink func(ctx context.Context, d *db)
	check  func(ctx context.Context, db *gorm.DB) ([]string, error)
}

// Path is the database's absolute path, or the server's address without the
// password.
func (d *db) Path() string { return d.path }

// ReadOnly reports whether the database can only be read. A full disk or another
// process that writes may still keep a save from happening, which then says so.
func (d *db) ReadOnly() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.write == nil && d.later == nil
}

// Writing finds out whether a save would succeed now, as far as that can be known
// before: nobody else has the lock, the disk takes it.
func (d *db) Writing(ctx context.Context) error {
	_, err := d.writer(ctx)
	return d.explain(ctx, "open the database for writing", err)
}

// writer is the connection that writes. Looking needs none, so that it is opened
// when something is saved first.
func (d *db) writer(ctx context.Context) (*gorm.DB, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.write != nil:
		return d.write, nil
	case d.later == nil:
		return nil, failure(ErrReadOnly, "")
	}
	w, err := d.connectWriter(ctx, *d.later)
	if err == nil {
		d.write, d.later = w, nil
	}
	return w, err
}

// view runs f in one read transaction: it sees one state of the database.
func (d *db) view(ctx context.Context, op string, f func(tx *gorm.DB) error) error {
	return d.explain(ctx, op, d.read.WithContext(ctx).Transaction(f, d.engine.reading...))
}

// update runs f in one write transaction.
func (d *db) update(ctx context.Context, op string, f func(tx *gorm.DB) error) error {
	return d.explain(ctx, op, d.locked(ctx, f))
}

// locked runs f in a transaction that holds the write lock.
func (d *db) locked(ctx context.Context, f func(tx *gorm.DB) error) error {
	w, err := d.writer(ctx)
	if err != nil {
		return err
	}
	return w.WithContext(ctx).Transaction(func(tx *gorm.DB) error {
		if err := d.engine.begin(tx); err != nil {
			return err
		}
		return f(tx)
	})
}

// errTakenBack ends a transaction that was only meant to be looked at.
var errTakenBack = errors.New("taken back")

// rehearse runs f like update and takes back what it did: so a person is shown
// what would happen.
func (d *db) rehearse(ctx context.Context, op string, f func(tx *gorm.DB) error) error {
	err := d.update(ctx, op, func(tx *gorm.DB) error {
		if err := f(tx); err != nil {
			return err
		}
		return errTakenBack
	})
	if errors.Is(err, errTakenBack) {
		return nil
	}
	return err
}

// transaction is view, update or rehearse of a database.
type transaction = func(ctx context.Context, op string, f func(tx *gorm.DB) error) error

// result returns what f returns when it is run in a transaction; after an error
// the zero value.
func result[T any](ctx context.Context, run transaction, op string, f func(tx *gorm.DB) (T, error)) (T, error) {
	var got, none T
	err := run(ctx, op, func(tx *gorm.DB) (err error) {
		got, err = f(tx)
		return err
	})
	if err != nil {
		return none, err
	}
	return got, nil
}

// replace stores a row in place of the one that has its key.
func (d *db) replace(ctx context.Context, op string, row any) error {
	return d.update(ctx, op, func(tx *gorm.DB) error {
		return tx.Clauses(clause.OnConflict{UpdateAll: true}).Create(row).Error
	})
}

// first reads the one row that a query finds and reports whether there is one.
func first(query *gorm.DB, row any) (ok bool, err error) {
	err = query.Take(row).Error
	if errors.Is(err, gorm.ErrRecordNotFound) {
		return false, nil
	}
	return err == nil, err
}

// changed is the error of a statement; none when it found no row to change.
func changed(done *gorm.DB, none error) error {
	if done.Error == nil && done.RowsAffected == 0 {
		return none
	}
	return done.Error
}

// Close writes the log back into the database and closes it. A write that is
// under way has two seconds to end; what takes longer or comes later fails.
// Closing again does nothing.
func (d *db) Close() error {
	var err error
	d.once.Do(func() {
		if d.write != nil {
			err = d.engine.finish(d.write)
		}
		err = errors.Join(err, d.disconnect())
		if d.restDir != "" {
			err = errors.Join(err, os.RemoveAll(d.restDir))
		}
	})
	return d.explain(context.Background(), "close the database", err)
}

// disconnect closes readers first, so that the writer is the last one and
// removes the log.
func (d *db) disconnect() error {
	if d.read == d.write {
		return disconnect(d.read)
	}
	return errors.Join(disconnect(d.read), disconnect(d.write))
}
