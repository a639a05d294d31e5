package store

import (
	"context"
	"errors"
	"os"
	"path/filepath"
)

// OpenWhole opens a database, or what can be read of it when it is damaged: then
// the error is [ErrCorrupt], but a store is returned, too, if anything is left. That
// store is for reading only, of a copy that goes when it is closed, while its path
// stays the database's, which is left as it is; [Store.Rest] counts what the copy
// holds.
func OpenWhole(ctx context.Context, path string) (*Store, error) {
	s, err := Open(path)
	if !errors.Is(err, ErrCorrupt) {
		return s, err
	}
	rest, restErr := openRest(ctx, path)
	if restErr != nil {
		return nil, err // it says more
	}
	return rest, err
}

// OpenRest opens what can be read of a database whose damage was met only when it was
// read, as [OpenWhole] does. There is none where the file itself is whole: then single
// originals are not what they were.
func (u upkeep) OpenRest(ctx context.Context) (*Store, error) {
	if IsServer(u.path) || u.rest != nil {
		return nil, failure(ErrCorrupt, "there is no other copy of it")
	}
	if err := u.quickCheck(); err == nil {
		return nil, failure(ErrCorrupt, "the file itself is whole")
	}
	return openRest(ctx, u.path)
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

// Rest reports what could be saved of a damaged database; false: this is a whole
// one.
func (u upkeep) Rest() (Repaired, bool) {
	if u.rest == nil {
		return Repaired{}, false
	}
	return *u.rest, true
}
