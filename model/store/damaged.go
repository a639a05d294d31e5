package store

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
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

// missingBytes is how many bytes a database lacks at its end, by what its first page
// says (https://www.sqlite.org/fileformat.html#the_database_header): SQLite reads
// nothing of a file that is shorter than that.
func missingBytes(path string) (missing int64, err error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	head := make([]byte, 100)
	if _, err := io.ReadFull(f, head); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, nil // not even the header: there is nothing to save
		}
		return 0, err
	}
	page := int64(binary.BigEndian.Uint16(head[16:]))
	if page == 1 {
		page = 65536
	}
	const most = 1 << 40 // a damaged header may say anything
	whole := page * int64(binary.BigEndian.Uint32(head[28:]))
	if whole <= info.Size() || whole > most {
		return 0, nil
	}
	return whole - info.Size(), nil
}

// pad copies a database and its log to a file that is as long as the database
// was. The pages that are missing hold nothing, so that only what was on them
// can't be read.
func pad(from, to string, missing int64) error {
	if err := copyWithLog(from, to); err != nil {
		return err
	}
	info, err := os.Stat(to)
	if err != nil {
		return err
	}
	return os.Truncate(to, info.Size()+missing)
}
