package store

import (
	"context"
	"strconv"
	"strings"

	"gorm.io/gorm"
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
	text  string
	terms []term
}

func (s *Store) search(text string) search { return search{s, text, terms(text)} }

// fewHits is how many rows may find records before a search walks.
const fewHits = 1000

// condition is what the records have to meet, with its arguments.
func (q search) condition(ctx context.Context, tx *gorm.DB) (sql string, args []any, err error) {
	names := q.names()
	if q.s.index == nil {
		sql, args = names.any("")
		if len(q.terms) > 0 {
			texts, more := scanned(q.terms)
			sql, args = sql+" OR ("+texts+")", append(args, more...)
		}
		return "(" + sql + ")", args, nil
	}
	named, few, err := names.holders(ctx, tx)
	if err != nil {
		return "", nil, err
	}
	if len(q.terms) == 0 && few {
		return "num IN (" + eachOf + ")", []any{numbers(named)}, nil
	}
	texts, more, nums, rare, err := q.texts(ctx, tx)
	if err != nil {
		return "", nil, err
	}
	if few && rare { // no other records are looked at
		both := append(named, nums...)
		return "num IN (" + eachOf + ") AND (num IN (" + eachOf + ") OR " + texts + ")", append([]any{numbers(both), numbers(named)}, more...), nil
	}
	if few {
		sql, args = "+num IN ("+eachOf+")", []any{numbers(named)}
	} else {
		sql, args = names.any("+")
	}
	if len(q.terms) > 0 {
		sql, args = sql+" OR "+texts, append(args, more...)
	}
	return "(" + sql + ")", args, nil
}

// texts is the condition that a record has all the terms in its texts. If one of
// them is rare, the records that have it come along.
func (q search) texts(ctx context.Context, tx *gorm.DB) (sql string, args []any, nums []int64, rare bool, err error) {
	var all []string
	for _, t := range q.terms {
		if !rare {
			sql, arg := q.s.index.holders(t)
			if nums, rare, err = upTo(ctx, tx, sql, arg); err != nil {
				return "", nil, nil, false, err
			}
			if rare {
				all, args = append(all, "num IN ("+eachOf+")"), append(args, numbers(nums))
				continue
			}
		}
		sql, arg := q.s.index.has(t)
		all, args = append(all, sql), append(args, arg...)
	}
	return "(" + strings.Join(all, " AND ") + ")", args, nums, rare, nil
}

// naming are the columns by which a text finds records whatever their texts.
type naming struct {
	s       *Store
	pattern string
	columns []string // that have few values, each of many records
	others  []string
}

func (q search) names() naming {
	n := naming{q.s, "%" + likeEscaper.Replace(q.text) + "%", []string{"session", "path", "model", "preset", "agent", "reason"}, nil}
	if strings.Trim(strings.ToLower(q.text), "0123456789abcdef") == "" {
		n.columns = append(n.columns, "source_sha")
	}
	if strings.Trim(q.text, "Rr-0123456789") == "" {
		n.others = append(n.others, q.s.engine.recordID) // it has no other characters
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
func (n naming) holders(ctx context.Context, tx *gorm.DB) (nums []int64, few bool, err error) {
	var parts []string
	var args []any
	for _, column := range n.columns {
		parts, args = append(parts, "SELECT num FROM records WHERE "+n.holds(column)), append(args, n.pattern)
	}
	for _, column := range n.others {
		parts, args = append(parts, "SELECT num FROM records WHERE "+n.like(column)), append(args, n.pattern)
	}
	return upTo(ctx, tx, strings.Join(parts, " UNION ALL "), args)
}

// upTo reads the numbers that a query gives; few tells that there are no more
// than [fewHits].
func upTo(ctx context.Context, tx *gorm.DB, sql string, args []any) (nums []int64, few bool, err error) {
	err = tx.WithContext(ctx).Raw("SELECT num FROM ("+sql+") LIMIT ?", append(args, fewHits+1)...).Scan(&nums).Error
	return nums, len(nums) <= fewHits, err
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
