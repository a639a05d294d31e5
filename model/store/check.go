package store

import (
	"context"
	"errors"
	"fmt"
	"gorm.io/gorm"
	"io"
)

// upkeep measures a database, examines it, and keeps it small and copied.
type upkeep struct{ *db }

// Check is what an examination of the database found.
type Check struct {
	Records int      `json:"records"` // looked at
	Sources int      `json:"sources"`
	Found   []string `json:"found"` // what is wrong, a sentence each; none: nothing is
}

// checkFindings bounds the list: a database that is broken all over need not be
// described page by page.
const checkFindings = 200

// Check examines the database: the file itself, that every record can be read,
// and that every input file comes back byte for byte. It changes nothing.
func (u upkeep) Check(ctx context.Context) (c Check, err error) {
	if c.Found, err = u.engine.check(ctx, u.read); err != nil {
		if kindOf(err) != ErrCorrupt {
			return c, u.explain(ctx, "examine the database", err)
		}
		c.add("the database file is damaged: %v", err)
	}
	if u.rest != nil {
		c.add("the database file is damaged: %d rows of it can be read, %d places can't", u.rest.Rows, u.rest.Lost)
	}
	var nums, sources []int64
	err = errors.Join(u.read.Raw("SELECT num FROM records ORDER BY num").Scan(&nums).Error,
		u.read.Raw("SELECT id FROM sources ORDER BY id").Scan(&sources).Error)
	if err != nil {
		c.add("the list of records or originals can't be read: %v", err)
		return c, nil
	}
	c.Records, err = u.try(ctx, &c, "record R-%04d: %v", nums, func(tx *gorm.DB, num int64) error {
		rec, err := load(tx.Unscoped().Session(&gorm.Session{}), num) // those in the trash, too
		if why := rec.Contradiction(); err == nil && why != "" {
			return errors.New("it contradicts itself: " + why)
		}
		return err
	})
	if err != nil {
		return c, err
	}
	c.Sources, err = u.try(ctx, &c, "originals %d: %v", sources, func(tx *gorm.DB, id int64) error {
		var src sourceRow
		if err := tx.Where("id = ?", id).Take(&src).Error; err != nil {
			return err
		}
		return writeBlocks(tx, src, io.Discard)
	})
	return c, err
}

// try reads each of the rows and adds what fails to the findings. It returns how
// many were looked at; the only error is that of the context.
func (u upkeep) try(ctx context.Context, c *Check, finding string, ids []int64,
	read func(tx *gorm.DB, id int64) error) (n int, err error) {
	for _, id := range ids {
		err := u.view(ctx, "read", func(tx *gorm.DB) error { return read(tx, id) })
		if ctx.Err() != nil {
			return n, ctx.Err()
		}
		if err != nil {
			c.add(finding, id, withoutAdvice(err))
		}
		n++
	}
	return n, nil
}

// add notes a finding, unless there are enough.
func (c *Check) add(finding string, args ...any) {
	if len(c.Found) < checkFindings {
		c.Found = append(c.Found, fmt.Sprintf(finding, args...))
	}
}

// withoutAdvice is what an error says but for what to do next, which is the same
// for all findings.
func withoutAdvice(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	if e.Detail != "" {
		return e.Kind.Error() + ": " + e.Detail
	}
	return e.Kind.Error()
}

// Stats measures a database. All sizes are in bytes.
type Stats struct {
	Version int   // of the schema
	Size    int64 // of the database file and its write-ahead log, or on the server
	Records int64 // without those in the trash
	Sources int64 // different input files
	Blocks  int64 // different blocks of them
	Logical int64 // the input files, each counted once
	Stored  int64 // their blocks as stored in the database
	Texts   int64 // different texts that records are found by
}

// Stats measures the database.
func (u upkeep) Stats(ctx context.Context) (Stats, error) {
	st, err := result(ctx, u.view, "measure the database", func(tx *gorm.DB) (st Stats, err error) {
		if st.Version, err = u.engine.version(tx); err != nil {
			return st, err
		}
		err = tx.Raw(`SELECT (SELECT count(*) FROM records WHERE trashed = 0),
			(SELECT count(*) FROM sources), (SELECT coalesce(sum(size), 0) FROM sources),
			(SELECT count(*) FROM blocks), (SELECT coalesce(sum(length(data)), 0) FROM blocks),
			(SELECT count(*) FROM texts)`).Row().Scan(&st.Records, &st.Sources, &st.Logical, &st.Blocks, &st.Stored, &st.Texts)
		return st, err
	})
	if err != nil {
		return Stats{}, err
	}
	if st.Size, err = u.engine.size(ctx, u.db); err != nil {
		return Stats{}, u.explain(ctx, "measure the database", err)
	}
	return st, nil
}
