package store

import (
	"context"
	"math"
	"strings"

	"gorm.io/gorm"

	"palimpsest/model"
)

// PageSize is how many records a page has when [Filter].Limit is 0.
const PageSize = 50

// Filter says which records to list. An empty field asks for nothing.
type Filter struct {
	Before string // only records older than this ID: the last of the page before
	Offset int    // passes over so many, in the order asked for
	Limit  int    // 0: [PageSize]; negative: all

	Sort      Sort // "": by number, which is the order in which they were stored
	Ascending bool // the smallest, the oldest first

	SourceSHA string // of the input file, hexadecimal
	Path      string // of the input file, exactly
	Session   string
	Base      string // the ID of the record they were made on top of
	Preset    string
	Causes    []model.Cause   // any of them
	Outcomes  []model.Outcome // any of them
	Agent     string
	OnlyOn    bool // not those that were switched off
	NoVerb    bool // not those that a verb made from a file

	// Text finds the records in whose ID, session, path, agent, model, preset, hash
	// of the input file or reason it stands, whatever the case of ASCII letters, and those in whose summary, key
	// points and originals all of its words stand: a word by its beginning, of
	// scripts without spaces any run of characters.
	Text string

	Full bool // whole records; without it the long fields are left out
}

// Records lists records, newest first unless another order is asked for. Unless Full is asked for they come
// without Prompt, Runs, Live, Summary, KeyPoints and Parents, with only the preset's
// name of the policy, with the facts of all kinds added up to one without a kind, and
// with the time cut to microseconds.
func (s *Store) Records(ctx context.Context, f Filter) ([]model.Record, error) {
	var out []model.Record
	err := s.view(ctx, "list the records", func(tx *gorm.DB) error {
		q, err := s.page(ctx, tx, f)
		if err != nil {
			return err
		}
		rows, err := q.Order(f.order()).Find(ctx)
		if err != nil {
			return err
		}
		out = make([]model.Record, len(rows))
		for i := range rows {
			if out[i], err = s.listed(ctx, tx, &rows[i], f.Full); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (s *Store) listed(ctx context.Context, tx *gorm.DB, row *recordRow, full bool) (model.Record, error) {
	if !full {
		return row.summary(), nil
	}
	return s.load(ctx, tx, row.Num)
}

// CountRecords is how many records a filter finds; Before, Offset and Limit play no part.
func (s *Store) CountRecords(ctx context.Context, f Filter) (n int64, err error) {
	err = s.view(ctx, "count the records", func(tx *gorm.DB) error {
		q, err := s.query(ctx, tx, f)
		if err != nil {
			return err
		}
		n, err = q.Count(ctx, "num")
		return err
	})
	return n, err
}

// CountUpTo counts what a filter finds up to a number, for a figure that is shown
// at once; more tells that there are others beyond it.
func (s *Store) CountUpTo(ctx context.Context, f Filter, most int) (n int64, more bool, err error) {
	err = s.view(ctx, "count the records", func(tx *gorm.DB) error {
		q, err := s.query(ctx, tx, f)
		if err != nil {
			return err
		}
		nums, err := q.Select("num").Order(f.order()).Limit(most + 1).Find(ctx)
		n, more = int64(min(len(nums), most)), len(nums) > most
		return err
	})
	return n, more, err
}

// page is the query of a list with its first record and its length.
func (s *Store) page(ctx context.Context, tx *gorm.DB, f Filter) (gorm.ChainInterface[recordRow], error) {
	q, err := s.query(ctx, tx, f)
	if err != nil {
		return nil, err
	}
	if f.Before != "" {
		num, err := numberOf(ctx, tx, f.Before)
		if err != nil {
			return nil, err
		}
		q = q.Where("num < ?", num)
	}
	switch {
	case f.Limit == 0:
		q = q.Limit(PageSize)
	case f.Limit > 0:
		q = q.Limit(f.Limit)
	}
	if f.Offset > 0 {
		q = q.Offset(f.Offset)
		if f.Limit < 0 {
			q = q.Limit(math.MaxInt32) // an offset needs a limit
		}
	}
	return q, nil
}

func (s *Store) query(ctx context.Context, tx *gorm.DB, f Filter) (gorm.ChainInterface[recordRow], error) {
	q := gorm.G[recordRow](tx).Scopes()
	for _, eq := range []struct{ column, value string }{
		{"source_sha", strings.ToLower(f.SourceSHA)}, {"path", f.Path}, {"session", f.Session}, {"preset", f.Preset}, {"agent", f.Agent},
	} {
		if eq.value != "" {
			q = q.Where(eq.column+" = ?", s.engine.text(eq.value))
		}
	}
	if f.Base != "" {
		num, err := numberOf(ctx, tx, f.Base)
		if err != nil {
			return nil, err
		}
		q = q.Where("base = ?", formatID(num))
	}
	if len(f.Causes) > 0 {
		q = q.Where("cause IN ?", f.Causes)
	}
	if len(f.Outcomes) > 0 {
		q = q.Where("outcome IN ?", f.Outcomes)
	}
	if f.OnlyOn {
		q = q.Where("switched_off = ?", false)
	}
	if f.NoVerb {
		q = q.Where("verb = ?", false)
	}
	if f.Text != "" {
		where, args, err := s.search(s.engine.text(f.Text)).condition(ctx, tx)
		if err != nil {
			return nil, err
		}
		q = q.Where(where, args...)
	}
	return q, nil
}
