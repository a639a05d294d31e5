package store

import (
	"context"
	"gorm.io/gorm"
	"math"
	"slices"
	"strings"

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
		rows, err := s.rows(ctx, tx, f)
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

// SourceRecords gives the whole records that were made on the file with this
// SHA-256 (in hexadecimal), oldest first, whatever their outcome.
func (s *Store) SourceRecords(ctx context.Context, sha256 string) ([]model.Record, error) {
	if sha256 == "" {
		return nil, nil
	}
	list, err := s.Records(ctx, Filter{SourceSHA: sha256, Limit: -1, Full: true})
	slices.Reverse(list)
	return list, err
}

// PathRecords gives the whole records that were made on whatever file stood at
// this path at the time, oldest first, whatever their outcome.
func (s *Store) PathRecords(ctx context.Context, path string) ([]model.Record, error) {
	if path == "" {
		return nil, nil
	}
	list, err := s.Records(ctx, Filter{Path: path, Limit: -1, Full: true})
	slices.Reverse(list)
	return list, err
}

// IDs names the records that [Store.Records] would list, in its order: what a
// selection of many needs of them.
func (s *Store) IDs(ctx context.Context, f Filter) ([]string, error) {
	var out []string
	err := s.view(ctx, "name the records", func(tx *gorm.DB) error {
		found, err := s.search(ctx, tx, f.Text)
		if err != nil {
			return err
		}
		q, err := s.page(ctx, tx, f, found)
		if err != nil {
			return err
		}
		var rows []recordRow
		if err := q.Select("num").Order(f.order()).Find(&rows).Error; err != nil {
			return err
		}
		out = make([]string, len(rows))
		for i := range rows {
			out[i] = formatID(rows[i].Num)
		}
		return nil
	})
	return out, err
}

// CountRecords is how many records a filter finds; Before, Offset and Limit play no part.
func (s *Store) CountRecords(ctx context.Context, f Filter) (n int64, err error) {
	err = s.view(ctx, "count the records", func(tx *gorm.DB) error {
		found, err := s.search(ctx, tx, f.Text)
		if err != nil {
			return err
		}
		q, err := s.query(ctx, tx, f, found)
		if err != nil {
			return err
		}
		return q.Count(&n).Error
	})
	return n, err
}

// CountUpTo counts what a filter finds up to a number, for a figure that is shown
// at once; more tells that there are others beyond it.
func (s *Store) CountUpTo(ctx context.Context, f Filter, most int) (n int, more bool, err error) {
	f.Sort, f.Ascending, f.Before, f.Offset = "", false, "", 0
	err = s.view(ctx, "count the records", func(tx *gorm.DB) error {
		found, err := s.search(ctx, tx, f.Text)
		if err != nil {
			return err
		}
		rows, ok, err := s.newest(ctx, tx, f, found, most+1, "num")
		if !ok && err == nil {
			var q *gorm.DB
			if q, err = s.query(ctx, tx, f, found); err == nil {
				err = q.Select("num").Order("num DESC").Limit(most + 1).Find(&rows).Error
			}
		}
		n, more = min(len(rows), most), len(rows) > most
		return err
	})
	return n, more, err
}

// rows is a page of a list.
func (s *Store) rows(ctx context.Context, tx *gorm.DB, f Filter) ([]recordRow, error) {
	found, err := s.search(ctx, tx, f.Text)
	if err != nil {
		return nil, err
	}
	want := f.Limit
	if want == 0 {
		want = PageSize
	}
	if rows, ok, err := s.newest(ctx, tx, f, found, want); ok || err != nil {
		return rows, err
	}
	q, err := s.page(ctx, tx, f, found)
	if err != nil {
		return nil, err
	}
	var rows []recordRow
	err = q.Order(f.order()).Find(&rows).Error
	return rows, err
}

// page is the query of a list with its first record and its length.
func (s *Store) page(ctx context.Context, tx *gorm.DB, f Filter, found *search) (*gorm.DB, error) {
	q, err := s.query(ctx, tx, f, found)
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

// query is all that a filter asks for but the place in the list.
func (s *Store) query(ctx context.Context, tx *gorm.DB, f Filter, found *search) (*gorm.DB, error) {
	q, err := s.narrowed(ctx, tx, f)
	if err != nil || found == nil {
		return q, err
	}
	where, args := found.condition(0)
	return q.Where(where, args...), nil
}

// narrowed is what a filter asks for besides its text.
func (s *Store) narrowed(ctx context.Context, tx *gorm.DB, f Filter) (*gorm.DB, error) {
	q := tx.Model(&recordRow{})
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
	return q, nil
}
