package store

import (
	"context"
	"slices"
	"strings"

	"gorm.io/gorm"

	"palimpsest/model"
)

// PageSize is how many records a page has when [Filter].Limit is 0.
const PageSize = 50

// Filter says which records to list. An empty field asks for nothing.
type Filter struct {
	Offset int // skips so many, in the order asked for
	Limit  int // 0: [PageSize]; negative: all

	Sort      Sort // "": by number, which is the order in which they were stored
	Ascending bool // the smallest, the oldest first

	SourceSHA string // of the input file, hexadecimal
	Path      string // of the input file, exactly
	Session   string
	Preset    string
	Causes    []model.Cause   // any of them
	But       []model.Cause   // none of them
	Off       *bool           // switched off, or not
	Outcomes  []model.Outcome // any of them

	// Text finds the records that have it in their ID, session, path, agent, model,
	// preset, hash of the input file or reason, whatever the case of ASCII letters,
	// and those that have all of its words in their summary, key points and
	// originals: a word by its beginning, of scripts without spaces any run of
	// characters.
	Text string

	Full bool // whole records; without it the long fields are left out
}

// Sort names a column that a list of records is ordered by. Records that are
// equal in it are in the order of their numbers.
type Sort string

const (
	SortTime     Sort = "time"
	SortSession  Sort = "session"
	SortCause    Sort = "cause"
	SortOutcome  Sort = "outcome"
	SortPreset   Sort = "preset"
	SortModel    Sort = "model"
	SortBefore   Sort = "before"
	SortAfter    Sort = "after"
	SortSaved    Sort = "saved" // the share of the tokens that went
	SortDuration Sort = "duration"
	SortLevels   Sort = "levels"
	SortSurvives Sort = "survives" // the share of the facts that survive
)

// sortColumns are spelled as in orderIndexes and listedColumns: then the indexes
// serve them.
var sortColumns = map[Sort]string{
	SortTime: "time", SortSession: "session", SortCause: "cause", SortOutcome: "outcome", SortPreset: "preset", SortModel: "model",
	SortBefore: "before_tokens", SortAfter: "after_tokens", SortSaved: "(" + savedShare + ")", SortDuration: "duration",
	SortLevels: "levels", SortSurvives: "(" + survivingShare + ")",
}

func (f *Filter) order() string {
	way := " DESC"
	if f.Ascending {
		way = ""
	}
	if column, ok := sortColumns[f.Sort]; ok {
		return column + way + ", num" + way
	}
	return "num" + way
}

// Records lists records, newest first unless another order is asked for. Unless
// Full is asked for they come without Prompt, Runs, Live, Summary, KeyPoints and
// Parents, with only the preset's name of the policy, with the facts of all kinds
// added up to one without a kind, and with the time cut to microseconds.
func (r records) Records(ctx context.Context, f Filter) ([]model.Record, error) {
	return result(ctx, r.view, "list the records", func(tx *gorm.DB) ([]model.Record, error) {
		rows, err := r.rows(tx, f)
		if err != nil {
			return nil, err
		}
		list := make([]model.Record, len(rows))
		for i := range rows {
			if !f.Full {
				list[i] = rows[i].summary()
			} else if list[i], err = rows[i].whole(tx); err != nil {
				return nil, err
			}
		}
		return list, nil
	})
}

// SourceRecords returns the whole records that were made on the file with this
// SHA-256 (in hexadecimal), oldest first, whatever their outcome.
func (r records) SourceRecords(ctx context.Context, sha256 string) ([]model.Record, error) {
	return r.history(ctx, Filter{SourceSHA: sha256})
}

// PathRecords returns the whole records that were made on whatever file was at
// this path at the time, oldest first, whatever their outcome.
func (r records) PathRecords(ctx context.Context, path string) ([]model.Record, error) {
	return r.history(ctx, Filter{Path: path})
}

func (r records) history(ctx context.Context, of Filter) ([]model.Record, error) {
	if of.SourceSHA == "" && of.Path == "" {
		return nil, nil
	}
	of.Limit, of.Full, of.Ascending = -1, true, true
	return r.Records(ctx, of)
}

// RecordEvents returns the records of what happened to a record after it was made, oldest
// first: the restores that switched it off, and those it was applied again as.
func (r records) RecordEvents(ctx context.Context, of *model.Record) ([]model.Record, error) {
	if of.RangeSHA == "" {
		return nil, nil
	}
	return result(ctx, r.view, "list what happened to "+of.ID, func(tx *gorm.DB) (out []model.Record, err error) {
		var rows []recordRow
		err = tx.Where("path = ? AND conversation = ? AND thread = ? AND num > ?", r.engine.text(of.Path), of.Conversation, of.Thread,
			numberOf(of.ID)).Where("cause = ? OR range_sha = ?", model.CauseRestore, of.RangeSHA).Order("num").Find(&rows).Error
		for i := range rows {
			rec, err := rows[i].whole(tx)
			if err != nil {
				continue // it can't be read: the others are still listed
			}
			again := rec.Again != "" && (rec.Again == of.ID || rec.Again == of.Again)
			if again || rec.Cause == model.CauseRestore && slices.Contains(rec.Parents, of.ID) {
				out = append(out, rec)
			}
		}
		return out, err
	})
}

// numberOf is the number in an ID; 0: it has none.
func numberOf(id string) int64 {
	num, _ := parseID(id)
	return num
}

// IDs names the records that [Store.Records] would list, in its order: what a
// selection of many needs of them.
func (r records) IDs(ctx context.Context, f Filter) ([]string, error) {
	return result(ctx, r.view, "name the records", func(tx *gorm.DB) ([]string, error) {
		rows, err := r.rows(tx, f, "num")
		ids := make([]string, len(rows))
		for i := range rows {
			ids[i] = formatID(rows[i].Num)
		}
		return ids, err
	})
}

// CountRecords is how many records a filter finds; Offset and Limit play no part.
func (r records) CountRecords(ctx context.Context, f Filter) (int64, error) {
	return result(ctx, r.view, "count the records", func(tx *gorm.DB) (n int64, err error) {
		return n, r.matching(tx, f).Count(&n).Error
	})
}

// Made is how many compactions are stored that were applied to the files at each path, those
// that the files hold themselves left out.
func (r records) Made(ctx context.Context) (map[string]int, error) {
	return result(ctx, r.view, "count the compactions of each file", func(tx *gorm.DB) (map[string]int, error) {
		var rows []struct {
			Path string
			N    int
		}
		err := tx.Model(&recordRow{}).Select("path, count(*) AS n").Where("outcome = ? AND cause NOT IN ?", model.Applied,
			[]model.Cause{model.CauseRestore, model.CauseFound}).Group("path").Find(&rows).Error
		made := map[string]int{}
		for _, row := range rows {
			made[row.Path] = row.N
		}
		return made, err
	})
}

// rows is a page of a list; without columns they have all.
func (r records) rows(tx *gorm.DB, f Filter, columns ...string) (rows []recordRow, err error) {
	if f.Limit == 0 {
		f.Limit = PageSize
	}
	err = r.matching(tx, f).Select(columns).Order(f.order()).Limit(f.Limit).Offset(f.Offset).Find(&rows).Error
	return rows, err
}

// matching is all that a filter asks for but the place in the list.
func (r records) matching(tx *gorm.DB, f Filter) *gorm.DB {
	q := tx.Model(&recordRow{})
	for _, eq := range []struct{ column, value string }{
		{"source_sha", strings.ToLower(f.SourceSHA)}, {"path", f.Path}, {"session", f.Session}, {"preset", f.Preset},
	} {
		if eq.value != "" {
			q = q.Where(eq.column+" = ?", r.engine.text(eq.value))
		}
	}
	if len(f.Causes) > 0 {
		q = q.Where("cause IN ?", f.Causes)
	}
	if len(f.But) > 0 {
		q = q.Where("cause NOT IN ?", f.But)
	}
	if f.Off != nil {
		q = q.Where("switched_off = ?", *f.Off)
	}
	if len(f.Outcomes) > 0 {
		q = q.Where("outcome IN ?", f.Outcomes)
	}
	if f.Text != "" {
		where, args := searching(r.db, f.Text)
		q = q.Where(where, args...)
	}
	return q
}
