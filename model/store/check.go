package store

import (
	"context"
	"errors"
	"fmt"
	"gorm.io/gorm"
	"io"
)

// Check is what an examination of the database found.
type Check struct {
	Records, Sources int      // looked at
	Found            []string // what is wrong, a sentence each; none: all is whole
}

// checkFindings bounds the list: a database that is broken all over need not be
// told page by page.
const checkFindings = 200

// Check examines the database: the file itself, that every record can be read,
// and that every input file comes back byte for byte. It changes nothing.
// progress may be nil.
func (s *Store) Check(ctx context.Context, progress func(done, total int)) (c Check, err error) {
	if progress == nil {
		progress = func(int, int) {}
	}
	if c.Found, err = s.engine.check(ctx, s.read); err != nil {
		if kindOf(err) != ErrCorrupt {
			return c, s.explain(ctx, "examine the database", err)
		}
		c.say("the database file is damaged: %v", err)
	}
	if s.rest != nil {
		c.say("the database file is damaged: %d rows of it can be read, %d places can't", s.rest.Rows, s.rest.Lost)
	}
	var nums, sources []int64
	if !c.list(s.read, "SELECT num FROM records ORDER BY num", &nums) || !c.list(s.read, "SELECT id FROM sources ORDER BY id", &sources) {
		return c, nil
	}
	total := len(nums) + len(sources)
	for i, num := range nums {
		progress(i, total)
		err := s.view(ctx, "read", func(tx *gorm.DB) error { _, err := s.load(ctx, tx, num); return err })
		if ctx.Err() != nil {
			return c, ctx.Err()
		}
		if err != nil {
			c.say("record %s: %v", formatID(num), cause(err))
		}
		c.Records++
	}
	for i, id := range sources {
		progress(len(nums)+i, total)
		err := s.view(ctx, "read", func(tx *gorm.DB) error {
			var src sourceRow
			err := tx.Where("id = ?", id).Take(&src).Error
			if err != nil {
				return err
			}
			return s.writeBlocks(ctx, tx, src, io.Discard)
		})
		if ctx.Err() != nil {
			return c, ctx.Err()
		}
		if err != nil {
			c.say("originals %d: %v", id, cause(err))
		}
		c.Sources++
	}
	return c, nil
}

func (c *Check) say(sentence string, args ...any) {
	if len(c.Found) < checkFindings {
		c.Found = append(c.Found, fmt.Sprintf(sentence, args...))
	}
}

func (c *Check) list(db *gorm.DB, sql string, into *[]int64) bool {
	err := db.Raw(sql).Scan(into).Error
	if err != nil {
		c.say("the list of records or originals can't be read: %v", err)
	}
	return err == nil
}

// cause is an error without the advice, which is the same for all findings.
func cause(err error) string {
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
	Records int64
	Sources int64 // different input files
	Blocks  int64 // different blocks of them
	Logical int64 // the input files, each counted once
	Stored  int64 // their blocks as they lie in the database
	Texts   int64 // different texts that records are found by
}

// Stats measures the database.
func (s *Store) Stats(ctx context.Context) (st Stats, err error) {
	err = s.view(ctx, "measure the database", func(tx *gorm.DB) error {
		if st.Version, err = s.engine.version(tx); err != nil {
			return err
		}
		row := tx.Raw(`SELECT (SELECT count(*) FROM records),
			(SELECT count(*) FROM sources), (SELECT coalesce(sum(size), 0) FROM sources),
			(SELECT count(*) FROM blocks), (SELECT coalesce(sum(length(data)), 0) FROM blocks),
			(SELECT count(*) FROM texts)`).Row()
		return row.Scan(&st.Records, &st.Sources, &st.Logical, &st.Blocks, &st.Stored, &st.Texts)
	})
	if err != nil {
		return Stats{}, err
	}
	if st.Size, err = s.engine.size(ctx, s); err != nil {
		return Stats{}, s.explain(ctx, "measure the database", err)
	}
	return st, nil
}
