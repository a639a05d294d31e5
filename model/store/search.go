package store

import (
	"context"
	"database/sql"
	"gorm.io/gorm"
	"slices"
	"strconv"
	"strings"
)

// A search finds the records in whose names the text stands (ID, session, path …),
// and those that have all of its words in their texts. With the full-text index
// it is answered in one of two ways, so that neither a rare word nor a common one
// has all records read:
//
//   - few: the records are listed by what finds them, and only these are read.
//   - many: the records are walked in the order asked for and tried one by one,
//     which meets as many as a page has before long.
//
// Which it is shows when the list of few would grow too long.
type search struct {
	s     *Store
	names naming
	named []int64 // records that have the text in a name, if they are few
	few   bool
	terms []termHits
}

// termHits is one term, with the records that have it if they are few. Only the
// first such term of a search is listed; more would narrow nothing.
type termHits struct {
	term
	nums []int64
	few  bool
}

// fewHits is how many rows may find records before a search walks; a Store has it
// as a field, so that tests reach both ways with few records.
const fewHits = 1000

// search looks how many records a text may find; "" gives nil, which asks for
// nothing.
func (s *Store) search(ctx context.Context, tx *gorm.DB, text string) (*search, error) {
	if text == "" {
		return nil, nil
	}
	text = s.engine.text(text)
	q := &search{s: s, names: s.namesOf(text)}
	for _, t := range terms(text) {
		q.terms = append(q.terms, termHits{term: t})
	}
	if s.index == nil {
		return q, nil
	}
	var err error
	if q.named, q.few, err = q.names.holders(ctx, tx, s.few); err != nil {
		return nil, err
	}
	for i := range q.terms {
		t := &q.terms[i]
		if t.nums, t.few, err = s.index.some(ctx, tx, t.term, s.few); err != nil {
			return nil, err
		}
		if t.few {
			break
		}
	}
	return q, nil
}

// many reports whether the records have to be walked.
func (q *search) many() bool {
	return q != nil && q.s.index != nil && !(q.few && (len(q.terms) == 0 || q.rare() >= 0))
}

// rare is the term that few records have; -1: none.
func (q *search) rare() int {
	return slices.IndexFunc(q.terms, func(t termHits) bool { return t.few })
}

// condition is what records have to meet, with its arguments. from is the lowest
// number of a text that they may have, if that is known; 0: any.
func (q *search) condition(from int64) (sql string, args []any) {
	if q.s.index == nil {
		sql, args = q.names.any("")
		if len(q.terms) > 0 {
			texts, more := scanned(q.terms)
			sql, args = sql+" OR ("+texts+")", append(args, more...)
		}
		return "(" + sql + ")", args
	}
	if q.many() {
		if sql, args = q.names.any("+"); q.few {
			sql, args = "+num IN ("+eachOf+")", []any{numbers(q.named)}
		}
		if len(q.terms) > 0 {
			texts, more := q.texts(from)
			sql, args = sql+" OR "+texts, append(args, more...)
		}
		return "(" + sql + ")", args
	}
	if len(q.terms) == 0 {
		return "num IN (" + eachOf + ")", []any{numbers(q.named)}
	}
	// The first part names all that are read.
	texts, more := q.texts(from)
	all := append(slices.Clone(q.named), q.terms[q.rare()].nums...)
	return "num IN (" + eachOf + ") AND (num IN (" + eachOf + ") OR " + texts + ")", append([]any{numbers(all), numbers(q.named)}, more...)
}

// texts is the condition that a record has all the terms in its texts.
func (q *search) texts(from int64) (sql string, args []any) {
	var all []string
	for _, t := range q.terms {
		if t.few {
			all, args = append(all, "num IN ("+eachOf+")"), append(args, numbers(t.nums))
			continue
		}
		sql, arg := q.s.index.has(t.term, from)
		all, args = append(all, sql), append(args, arg...)
	}
	return "(" + strings.Join(all, " AND ") + ")", args
}

// reach is how many records behind the newest are tried first for every one that
// is wanted.
const reach = 4

// newest tries the newest records for so many that a filter finds, because only
// their texts need be looked up then. ok tells that there were enough; else, and
// where another order is asked for, all records have to be asked.
func (s *Store) newest(ctx context.Context, tx *gorm.DB, f Filter, q *search, want int, columns ...string) (rows []recordRow, ok bool, err error) {
	if !q.many() || f.Sort != "" || f.Ascending || f.Before != "" || f.Offset > 0 || want <= 0 {
		return nil, false, nil
	}
	var num, from sql.NullInt64
	err = tx.WithContext(ctx).Raw(`SELECT min(near.num), (SELECT min(text_id) FROM record_texts WHERE num >= min(near.num))
		FROM (SELECT num FROM records ORDER BY num DESC LIMIT ?) near`, reach*want).Row().Scan(&num, &from)
	if err != nil || !from.Valid {
		return nil, false, err
	}
	chain, err := s.narrowed(ctx, tx, f)
	if err != nil {
		return nil, false, err
	}
	where, args := q.condition(from.Int64)
	chain = chain.Where("num >= ?", num.Int64).Where(where, args...)
	if len(columns) > 0 {
		chain = chain.Select(strings.Join(columns, ", "))
	}
	err = chain.Order("num DESC").Limit(want).Find(&rows).Error
	return rows, len(rows) == want, err
}

// naming are the columns by which a text finds records whatever their texts.
type naming struct {
	s       *Store
	pattern string
	columns []string // that have few values, each of many records
	others  []string
}

func (s *Store) namesOf(text string) naming {
	n := naming{s, "%" + likeEscaper.Replace(text) + "%", []string{"session", "path", "model", "preset", "agent", "reason"}, nil}
	if strings.Trim(strings.ToLower(text), "0123456789abcdef") == "" {
		n.columns = append(n.columns, "source_sha")
	}
	if strings.Trim(text, "Rr-0123456789") == "" {
		n.others = append(n.others, s.engine.recordID) // it has no other characters
	}
	return n
}

// any is the condition that one of the columns holds the text. hint stands before
// each: a plus keeps the planner from listing the records of each column.
func (n naming) any(hint string) (sql string, args []any) {
	var any []string
	for _, column := range n.columns {
		any, args = append(any, hint+n.holds(column)), append(args, n.pattern)
	}
	for _, column := range n.others {
		any, args = append(any, n.like(column)), append(args, n.pattern)
	}
	return strings.Join(any, " OR "), args
}

func (n naming) like(column string) string { return column + " " + n.s.engine.like + ` ? ESCAPE '\'` }

func (n naming) holds(column string) string {
	if n.s.engine.distinct == nil {
		return n.like(column)
	}
	return column + " IN (" + n.s.engine.distinct(column) + ` AND v LIKE ? ESCAPE '\')`
}

// holders lists the records that are found so; few tells that these are all.
func (n naming) holders(ctx context.Context, tx *gorm.DB, most int) (nums []int64, few bool, err error) {
	var parts []string
	var args []any
	for _, column := range n.columns {
		parts, args = append(parts, "SELECT num FROM records WHERE "+n.holds(column)), append(args, n.pattern)
	}
	for _, column := range n.others {
		parts, args = append(parts, "SELECT num FROM records WHERE "+n.like(column)), append(args, n.pattern)
	}
	return upTo(ctx, tx, strings.Join(parts, " UNION ALL "), args, most)
}

// upTo reads the numbers that a query gives; few tells that there are no more
// than most.
func upTo(ctx context.Context, tx *gorm.DB, sql string, args []any, most int) (nums []int64, few bool, err error) {
	err = tx.WithContext(ctx).Raw("SELECT num FROM ("+sql+") LIMIT ?", append(args, most+1)...).Scan(&nums).Error
	return nums, len(nums) <= most, err
}

// eachOf is a query for the numbers that a JSON array holds: one argument however
// many they are.
const eachOf = "SELECT value FROM json_each(?)"

// numbers spells them as that array.
func numbers(nums []int64) string {
	out := []byte{'['}
	for i, n := range nums {
		if i > 0 {
			out = append(out, ',')
		}
		out = strconv.AppendInt(out, n, 10)
	}
	return string(append(out, ']'))
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
