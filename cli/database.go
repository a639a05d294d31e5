package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
)

var (
	_ session.Store         = (*store.Store)(nil)
	_ session.Conversations = (*store.Store)(nil)
)

// defaultDBText is where the database is by default, for anybody.
const defaultDBText = "palimpsest/palimpsest.db in your data folder ($XDG_DATA_HOME or ~/.local/share; the application " +
	"folder on Windows and macOS)"

func (a *app) dbPath() (string, error) {
	if a.db != "" {
		return a.db, store.CheckAddress(a.db)
	}
	path, err := store.DefaultPath()
	if err != nil {
		return "", fmt.Errorf("find the database's place: %w. Say it with --db PATH", err)
	}
	return path, nil
}

// writable opens the database for new records; it is made if there is none.
func (a *app) writable() (*store.Store, error) {
	path, err := a.dbPath()
	if err != nil {
		return nil, err
	}
	st, err := store.Open(path)
	if errors.Is(err, store.ErrCorrupt) {
		return nil, &model.Problem{Code: "damaged", What: fmt.Sprintf("The database %s is damaged.", path),
			Why: "Parts of it can't be read.", Next: "Save what can be with palimpsest records repair, or put back a backup.", Err: err}
	}
	if err != nil {
		return nil, err
	}
	if st.ReadOnly() {
		st.Close()
		return nil, &model.Problem{Code: "read-only", What: "No record can be stored.",
			Why:  fmt.Sprintf("The database %s is read-only.", path),
			Next: "Allow writing to it and its folder, or choose another one with --db."}
	}
	if err := st.Writing(a.ctx); err != nil {
		st.Close()
		return nil, err
	}
	return st, nil
}

// stored opens the database and reads a record.
func (a *app) stored(open func() (*store.Store, error), id string) (*store.Store, *model.Record, error) {
	st, err := open()
	if err != nil {
		return nil, nil, err
	}
	rec, err := st.Record(a.ctx, id)
	if err != nil {
		st.Close()
	}
	return st, rec, err
}

// existing opens the database to read from it; none is made.
func (a *app) existing() (*store.Store, error) {
	st, err := a.ifThere()
	if st != nil || err != nil {
		return st, err
	}
	path, err := a.dbPath()
	if err != nil {
		return nil, err
	}
	return nil, &model.Problem{Code: "no-database", What: fmt.Sprintf("There is no database %s.", path),
		Why: "Nothing has been recorded there yet.", Next: "Compact something, or name another database with --db."}
}

// forList opens the database for a list of what it holds. The usual one may not be there
// yet, and then holds nothing: nil without an error. One that was named has to be there.
func forList(a *app) (*store.Store, error) {
	if a.db != "" {
		return a.existing()
	}
	return a.ifThere()
}

// ifThere opens the database if there is one; nil without an error says that
// there is none, for lists that are then empty. Of a damaged one that can't be
// opened it gives what can be read, and says so.
func (a *app) ifThere() (*store.Store, error) {
	path, err := a.dbPath()
	if err != nil {
		return nil, err
	}
	if !store.IsServer(path) {
		if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
			return nil, nil
		}
	}
	st, err := store.OpenWhole(a.ctx, path)
	if st == nil || err == nil {
		return st, err
	}
	r, _ := st.Rest()
	fmt.Fprintf(a.errOut, "The database %s is damaged. Of it %s rows can be read, and %s places can't; "+
		"only what can be read is shown here. Say records repair to save it.\n",
		path, thousands(r.Rows), thousands(r.Lost))
	return st, nil
}

// lookup finds the records that files were written from, for verbs that store
// nothing. A database that can't be read has none.
type lookup struct{ a *app }

var _ session.Lookup = lookup{}

// peek calls f with the database, which is opened to be read and is not made.
func (a *app) peek(f func(*store.Store) error) error {
	path, err := a.dbPath()
	if err != nil {
		return err
	}
	st, err := store.Open(path, store.OpenReadOnly())
	if err != nil {
		return err
	}
	return errors.Join(f(st), st.Close())
}

// Record implements session.Lookup.
func (l lookup) Record(ctx context.Context, id string) (rec *model.Record, err error) {
	err = l.a.peek(func(st *store.Store) (err error) {
		rec, err = st.Record(ctx, id)
		return err
	})
	return rec, err
}

// Live are the sessions that run, by which a cross-check knows what a gateway compacted.
func (l lookup) Live(ctx context.Context, since time.Time) (list []model.LiveSession, err error) {
	err = l.a.peek(func(st *store.Store) (err error) {
		list, err = st.Live(ctx, since)
		return err
	})
	return list, err
}

// ByOutput implements session.Lookup.
func (l lookup) ByOutput(ctx context.Context, sha256 string) (rec *model.Record, ok bool, _ error) {
	_ = l.a.peek(func(st *store.Store) (err error) {
		rec, ok, err = st.ByOutput(ctx, sha256)
		return err
	}) // that there is no database, or that it can't be read, is no reason not to read a file
	return rec, ok, nil
}

// parentOf is the ID of the record that a thread goes on from, also where its file has
// grown; nil: none that is known.
func parentOf(s *session.Session) *string {
	if rec := s.Parent(); rec != nil {
		return &rec.ID
	}
	return nil
}

// continues is the ID of the record a file was written from, of whatever thread; nil: none
// that is known.
func (a *app) continues(f *session.File) *string {
	rec, ok, _ := lookup{a}.ByOutput(a.ctx, f.Doc.Hash())
	if !ok {
		return nil
	}
	return &rec.ID
}
