package desk

import (
	"context"
	"errors"
	"time"

	"palimpsest/gui/sched"
	"palimpsest/model"
	"palimpsest/model/store"
)

// database is the upkeep of the store.
type database struct {
	subject
	// Replaced hears of a database that took the place of the one before, which is closed.
	Replaced func(*store.Store)

	open     func() (*store.Store, string, error) // opens the database; nil: it is handed in
	waits    bool                                 // opening it takes long
	unopened string                               // path of the database that could not be opened
	openErr  error                                // why, or what is wrong with the one whose rest is open
	torn     bool                                 // damage was met, and the rest is sought or there is none
}

// Storage is the database as its settings show it.
type Storage struct {
	store.Stats
	Retention store.Retention
}

// openedUnsaid is how long the database may take to open before that is said.
const openedUnsaid = 300 * time.Millisecond

// OpenStore opens the database in the background; open gives its path, too. tried is called
// when it is open or can't be opened. Histories may be opened meanwhile.
func (d *database) OpenStore(open func() (*store.Store, string, error), tried func()) {
	d.open = open
	type opened struct {
		st   *store.Store
		path string
	}
	stop := d.Sched.After(openedUnsaid, func() {
		d.waits = true
		if d.desk.current != nil {
			d.desk.Say(Notice{Severity: Warning, Code: "storeWaits"})
		}
		d.Notify(TopicFiles, TopicRecords)
	})
	sched.Run(d.Sched, "store", func(context.Context, func(sched.Progress)) (o opened, err error) {
		o.st, o.path, err = open()
		return o, err
	}, func(o opened, err error) {
		stop()
		d.waits = false
		d.desk.closeNotices(func(n *Notice) bool { return n.Code == "storeWaits" })
		if d.unopened, d.openErr = "", nil; err != nil {
			d.storeFailed(o.path, err)
		}
		if o.st != nil { // with an error, too: the rest of a damaged one
			if d.Replaced != nil {
				d.Replaced(o.st)
			}
			d.desk.useStore(o.st)
			d.reopenUnsaved()
		}
		tried()
		d.Notify(TopicFiles, TopicRecords)
	})
	d.Notify(TopicFiles)
}

// reopenUnsaved has the histories that were opened without a database read again, so that
// their records are kept in it. Those with records stay as they are, for these are in
// memory only.
func (d *database) reopenUnsaved() {
	kept := false
	for _, e := range d.desk.entries {
		unsaved := false
		for _, s := range e.sessions {
			unsaved = unsaved || len(s.Stack()) > 0
		}
		switch kept = kept || unsaved; {
		case unsaved || e.File == nil:
		case e == d.desk.current:
			d.desk.reopen(e)
		default:
			e.reset().Close()
		}
	}
	if kept {
		d.desk.Say(Notice{Severity: Warning, Code: "unsaved"})
	}
}

// OpeningStore reports whether the database is being opened, and whether that takes long.
func (d *database) OpeningStore() (opening, long bool) { return d.Sched.Running("store"), d.waits }

// StoreUnopened reports whether there is a database that is not open.
func (d *database) StoreUnopened() bool { return d.Store == nil && (d.open != nil || d.unopened != "") }

// CanOpenStore reports whether the database could not be opened and that can be tried again.
func (d *database) CanOpenStore() bool {
	return d.Store == nil && d.open != nil && !d.Sched.Running("store")
}

// OpenStoreAgain tries again to open the database.
func (d *database) OpenStoreAgain() {
	if d.CanOpenStore() {
		d.desk.closeNotices(func(n *Notice) bool { return n.Err != nil && errors.Is(n.Err, d.openErr) })
		d.OpenStore(d.open, func() {})
	}
}

// storeFailed notes the database that could not be opened, so that it can be
// backed up and repaired, and says why.
func (d *database) storeFailed(path string, err error) {
	d.unopened, d.openErr = path, err
	d.Fail(err)
}

// readRest takes what can be read of the database into its place when damage was met
// that did not show when it was opened. false: nothing is to be had so.
func (d *database) readRest(met error) bool {
	st := d.Store
	if st == nil || d.torn || st.Path() == "" || !errors.Is(met, store.ErrCorrupt) {
		return d.torn && errors.Is(met, store.ErrCorrupt) && d.Sched.Running("storage rest")
	}
	d.torn = true
	sched.Run(d.Sched, "storage rest", func(ctx context.Context, _ func(sched.Progress)) (*store.Store, error) {
		return st.OpenRest(ctx)
	}, func(rest *store.Store, err error) {
		if err == nil && d.Store == st {
			d.openErr = met
			d.replace(rest)
			st.Close()
		}
		d.Fail(met)
	})
	return true
}

// replace uses another database from now on. The histories that are open are read
// again, because they used the one before.
func (d *database) replace(st *store.Store) {
	if d.Replaced != nil {
		d.Replaced(st)
	}
	d.desk.useStore(st)
	d.reopenAll()
}

// StorePath is where the database is, or would be if it could be opened; "" when
// there is none.
func (d *database) StorePath() string {
	if d.Store != nil {
		return d.Store.Path()
	}
	return d.unopened
}

// noStore is what to say where there is no database.
func noStore() error {
	return &model.Problem{Code: "no-storage", What: "There is no database.", Why: "Records are kept in memory only.",
		Next: "Choose a database in the storage settings."}
}

// inStore does something with the database beside the window.
func inStore[T any](d *database, key string, do func(*store.Store, context.Context) (T, error), done func(T, error)) {
	st := d.Store
	sched.Run(d.Sched, key, func(ctx context.Context, _ func(sched.Progress)) (x T, err error) {
		if st == nil {
			return x, noStore()
		}
		return do(st, ctx)
	}, done)
}

// MeasureStorage measures the database; done hears what it holds.
func (d *database) MeasureStorage(done func(Storage, error)) {
	inStore(d, "storage", func(st *store.Store, ctx context.Context) (x Storage, err error) {
		if x.Stats, err = st.Stats(ctx); err != nil {
			return x, err
		}
		x.Retention, err = st.Retention(ctx)
		return x, err
	}, done)
}

// Metrics adds up all records.
func (d *database) Metrics(done func(model.Metrics, error)) {
	inStore(d, "metrics", func(st *store.Store, ctx context.Context) (model.Metrics, error) {
		return st.Metrics(ctx, store.Filter{})
	}, done)
}

// CheckStore examines the whole database, which changes nothing.
func (d *database) CheckStore(done func(store.Check, error)) {
	inStore(d, "storage work", (*store.Store).Check, done)
}

// BackupStore copies the database to a file beside it, whose name done hears. One
// that could not be opened is copied as it is.
func (d *database) BackupStore(done func(path string, err error)) {
	st, path := d.Store, d.StorePath()
	to := store.BackupName(path, time.Now())
	sched.Do(d.Sched, "storage work", func(ctx context.Context, _ func(sched.Progress)) error {
		switch {
		case st != nil:
			return st.Backup(ctx, to)
		case path == "":
			return noStore()
		}
		return store.BackupFile(ctx, path, to)
	}, func(err error) { done(to, err) })
}

// CompactStore gives free room in the database back to the disk.
func (d *database) CompactStore(done func(freed int64, err error)) {
	inStore(d, "storage work", (*store.Store).Compact, done)
}

// TryStore tries whether a database can be opened; none is made.
func (d *database) TryStore(address string, done func(store.Stats, error)) {
	sched.Run(d.Sched, "storage try", func(context.Context, func(sched.Progress)) (store.Stats, error) {
		return store.Try(address)
	}, done)
}

// Expiring is what a retention would delete now.
type Expiring struct {
	Records int
	Freed   int64
}

// WouldExpire works out what a retention would delete now.
func (d *database) WouldExpire(keep store.Retention, done func(Expiring, error)) {
	inStore(d, "storage expire", func(st *store.Store, ctx context.Context) (x Expiring, err error) {
		x.Records, x.Freed, err = st.WouldExpire(ctx, keep, time.Now())
		return x, err
	}, done)
}

// SetRetention keeps the setting; with expire what is past keeping is deleted.
func (d *database) SetRetention(keep store.Retention, expire bool, done func(Expiring, error)) {
	inStore(d, "storage expire", func(st *store.Store, ctx context.Context) (x Expiring, err error) {
		if err = st.SetRetention(ctx, keep); err == nil && expire {
			x.Records, x.Freed, err = st.Expire(ctx, time.Now())
		}
		return x, err
	}, func(x Expiring, err error) {
		if x.Records > 0 {
			d.desk.RecordList.LoadRecords()
		}
		done(x, err)
	})
}

// announceExpiring says at the start how many records are past keeping. Nothing
// goes unless a person says so.
func (d *database) announceExpiring() {
	if !d.CanStore() {
		return
	}
	inStore(d, "storage expire", func(st *store.Store, ctx context.Context) (x Expiring, err error) {
		keep, err := st.Retention(ctx)
		if err != nil {
			return x, err
		}
		x.Records, x.Freed, err = st.WouldExpire(ctx, keep, time.Now())
		return x, err
	}, func(x Expiring, err error) {
		if err == nil && x.Records > 0 {
			d.desk.Say(Notice{Severity: Info, Code: "pastKeeping", Args: []any{"count", x.Records}})
		}
	})
}

// CanBackUp reports whether the database is a file.
func (d *database) CanBackUp() bool { return d.StorePath() != "" && !store.IsServer(d.StorePath()) }

// CanStore reports whether records can be stored and deleted: a database whose file or
// folder can't be written is only read, and so is what is left of a damaged one.
func (d *database) CanStore() bool { return d.Store != nil && !d.Store.ReadOnly() }

// CanRepair reports whether the database is a file that can be repaired: one that
// is open, or could not be opened because it is damaged. That of a newer version
// and the file of another program are left as they are.
func (d *database) CanRepair() bool {
	return d.CanBackUp() && (d.Store != nil && !d.Store.ReadOnly() || errors.Is(d.openErr, store.ErrCorrupt))
}

// RepairStore saves what can be read of the database into a new one that takes
// its place; the damaged one stays beside it.
func (d *database) RepairStore(done func(store.Repaired, error)) {
	old, path := d.Store, d.StorePath()
	d.Store = nil
	type repaired struct {
		r  store.Repaired
		st *store.Store
	}
	sched.Run(d.Sched, "storage work", func(ctx context.Context, _ func(sched.Progress)) (x repaired, err error) {
		if old != nil {
			if err := old.Close(); err != nil {
				return x, err
			}
		}
		x.r, err = store.Repair(ctx, path)
		st, openErr := store.Open(path) // also when it could not be repaired: what was there goes on
		if x.st = st; err == nil {
			err = openErr
		}
		return x, err
	}, func(x repaired, err error) {
		if x.st != nil {
			d.unopened, d.openErr, d.torn = "", nil, false
			d.desk.closeNotices(func(n *Notice) bool { return errors.Is(n.Err, store.ErrCorrupt) })
			d.replace(x.st)
		} else {
			d.unopened, d.openErr = path, err
		}
		done(x.r, err)
	})
}

// reopenAll has every open history read again when it is looked at, the present
// one at once.
func (d *database) reopenAll() {
	for _, e := range d.desk.entries {
		if e.File == nil || e == d.desk.current {
			continue
		}
		e.reset().Close()
	}
	if e := d.desk.current; e != nil && e.File != nil {
		d.desk.reopen(e)
	}
}
