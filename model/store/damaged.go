package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// OpenRest opens what can be read of a damaged database that [Open] refuses with
// [ErrCorrupt]: for reading only, and from a copy that goes when the store is
// closed. The database itself is left as it is; its path stays the store's, and
// [Store.Rest] tells what the copy holds.
func OpenRest(ctx context.Context, path string) (*Store, error) {
	const op = "read the rest of the database"
	explainer := &Store{path: path}
	if IsServer(path) {
		return nil, explainer.explain(ctx, op, failure(ErrServer, "its keeper repairs it"))
	}
	s, err := openRest(ctx, path)
	return s, explainer.explain(ctx, op, err)
}

func openRest(ctx context.Context, path string) (s *Store, err error) {
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "palimpsest-rest-*") // for its owner alone
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			os.RemoveAll(dir)
		}
	}()
	fresh := filepath.Join(dir, "rest.db")
	r, err := saveInto(ctx, path, fresh)
	if err != nil {
		return nil, err
	}
	if r.Rows == 0 {
		return nil, failure(ErrCorrupt, "nothing of it can be read")
	}
	if s, err = Open(fresh, OpenReadOnly()); err != nil {
		return nil, err
	}
	r.Aside = path
	s.path, s.rest, s.restDir = path, &r, dir
	return s, nil
}

// OpenWhole opens a database, or what can be read of it when it is damaged: then
// the error tells so, and the store is there all the same if anything is left.
func OpenWhole(ctx context.Context, path string) (*Store, error) {
	s, err := Open(path)
	if !errors.Is(err, ErrCorrupt) {
		return s, err
	}
	rest, restErr := OpenRest(ctx, path)
	if restErr != nil {
		return nil, err // the first one says more
	}
	return rest, err
}

// Rest tells what a store of [OpenRest] could save; false: the store is no rest.
func (s *Store) Rest() (Repaired, bool) {
	if s.rest == nil {
		return Repaired{}, false
	}
	return *s.rest, true
}
