package store

import (
	"context"
	"strings"

	"gorm.io/gorm"

	"palimpsest/model"
)

// PageSize is how many records a page has when [Filter].Limit is 0.
const PageSize = 50

// Filter says which records to list. An empty field asks for nothing.
type Filter struct {
	Before string // only records older than this ID: the last of the page before
	Limit  int    // 0: [PageSize]; negative: all

	SourceSHA string // of the input file, hexadecimal
	Path      string // of the input file, exactly
	Session   string
	Base      string // the ID of the record they were made on top of
	Preset    string
	Causes    []model.Cause   // any of them
	Outcomes  []model.Outcome // any of them
	OnlyOn    bool            // not those that were switched off
	Text      string          // contained in ID, session, path, agent, model or reason, whatever the case of ASCII letters

	Full bool // whole records; without it the long fields are left out
}

// Records lists records, newest first. Unless Full is asked for they come
// without Prompt, Runs, Live, Summary, KeyPoints, Parents and Verb, with only the
// preset's name of the policy, and with the time cut to microseconds.
func (s *Store) Records(ctx context.Context, f Filter) ([]model.Record, error) {
	var out []model.Record
	err := s.view(ctx, "list the records", func(tx *gorm.DB) error {
		q, err := f.query(ctx, tx)
		if err != nil {
			return err
		}
		if f.Before != "" {
			num, err := numberOf(ctx, tx, f.Before)
			if err != nil {
				return err
			}
			q = q.Where("num < ?", num)
		}
		switch {
		case f.Limit == 0:
			q = q.Limit(PageSize)
		case f.Limit > 0:
			q = q.Limit(f.Limit)
		}
		rows, err := q.Order("num DESC").Find(ctx)
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

// CountRecords is how many records a filter finds; Before and Limit play no part.
func (s *Store) CountRecords(ctx context.Context, f Filter) (n int64, err error) {
	err = s.view(ctx, "count the records", func(tx *gorm.DB) error {
		q, err := f.query(ctx, tx)
		if err != nil {
			return err
		}
		n, err = q.Count(ctx, "num")
		return err
	})
	return n, err
}

func (f *Filter) query(ctx context.Context, tx *gorm.DB) (gorm.ChainInterface[recordRow], error) {
	q := gorm.G[recordRow](tx).Scopes()
	for _, eq := range []struct{ column, value string }{
		{"source_sha", strings.ToLower(f.SourceSHA)}, {"path", f.Path}, {"session", f.Session}, {"preset", f.Preset},
	} {
		if eq.value != "" {
			q = q.Where(eq.column+" = ?", eq.value)
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
	if f.Text != "" {
		q = q.Where(`(printf('R-%04d', num) LIKE @t ESCAPE '\' OR session LIKE @t ESCAPE '\' OR path LIKE @t ESCAPE '\'
			OR agent LIKE @t ESCAPE '\' OR model LIKE @t ESCAPE '\' OR reason LIKE @t ESCAPE '\')`,
			map[string]any{"t": "%" + likeEscaper.Replace(f.Text) + "%"})
	}
	return q, nil
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
