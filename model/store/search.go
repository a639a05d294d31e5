package store

import (
	"database/sql"
	"gorm.io/gorm"
	"slices"
	"strings"
)

// A search finds the records that have the text in a name (ID, session, path …),
// and those that have all of its words in their texts:
//
//	text ──┬─ names: conditions on columns of records ───────────────┐
//	       └─ terms: texts that hold it ── record_texts ── all of them ┴─ records
//
// It is answered in one of two ways, so that neither a rare word nor a common one
// has all records read:
//
//   - few: the records are listed by what finds them, and only these are read.
//   - many: the records are walked in the order asked for and tried one by one,
//     which soon meets as many as a page has.
//
// It is few unless the list of those would grow too long.
type search struct {
	db      *db
	pattern string
	names   []string // conditions on a column that begin with its name; the pattern is their argument
	named   []int64  // records that have the text in a name, if they are few
	few     bool
	terms   []termHits
}

// termHits is one term, with the records that have it if they are few. Only the
// first such term of a search is listed; more would narrow nothing.
type termHits struct {
	term
	nums []int64
	few  bool
}

// fewHits is how many rows may find records before a search walks; a db has it
// as a field, so that tests reach both ways with few records.
const fewHits = 1000

// search looks how many records a text may find; "" returns nil, which asks for
// nothing.
func (d *db) search(tx *gorm.DB, text string) (*search, error) {
	if text == "" {
		return nil, nil
	}
	text = d.engine.text(text)
	q := &search{db: d, pattern: "%" + likeEscaper.Replace(text) + "%", names: d.nameConditions(text)}
	for _, t := range terms(text) {
		q.terms = append(q.terms, termHits{term: t})
	}
	var err error
	if q.named, q.few, err = upTo(tx, "SELECT num FROM records WHERE "+strings.Join(q.names, " UNION ALL SELECT num FROM records WHERE "),
		q.patterns(), d.few); err != nil {
		return nil, err
	}
	for i := range q.terms {
		t := &q.terms[i]
		if t.nums, t.few, err = d.index.holders(tx, t.term, d.few); err != nil {
			return nil, err
		}
		if t.few {
			break
		}
	}
	return q, nil
}

// nameConditions are the conditions by which a text finds records whatever their
// texts.
func (d *db) nameConditions(text string) (list []string) {
	like := " " + d.engine.like + ` ? ESCAPE '\'`
	columns := []string{"session", "path", "model", "preset", "agent", "reason"} // of few values, each of many records
	if strings.Trim(strings.ToLower(text), "0123456789abcdef") == "" {
		columns = append(columns, "source_sha")
	}
	for _, column := range columns {
		list = append(list, column+" IN ("+distinct(column, "v"+like)+")")
	}
	if strings.Trim(text, "Rr-0123456789") == "" {
		list = append(list, d.engine.recordID+like) // it has no other characters
	}
	return list
}

// patterns are the arguments of all names.
func (q *search) patterns() (args []any) {
	for range q.names {
		args = append(args, q.pattern)
	}
	return args
}

// many reports whether the records have to be walked.
func (q *search) many() bool {
	return q != nil && !(q.few && (len(q.terms) == 0 || q.rare() >= 0))
}

// rare is the term that few records have; -1: none.
func (q *search) rare() int {
	return slices.IndexFunc(q.terms, func(t termHits) bool { return t.few })
}

// condition is what records have to meet, with its arguments. from is the lowest
// number of a text that they may have, if that is known; 0: any.
func (q *search) condition(from int64) (sql string, args []any) {
	noIndex := q.db.engine.noIndex
	switch {
	case !q.many() && len(q.terms) == 0:
		return "num IN ?", []any{q.named}
	case q.few:
		sql, args = noIndex+"num IN ?", []any{q.named}
	default: // the planner must not list the records of each column
		sql, args = noIndex+strings.Join(q.names, " OR "+noIndex), q.patterns()
	}
	if len(q.terms) > 0 {
		texts, more := q.texts(from)
		sql, args = sql+" OR "+texts, append(args, more...)
	}
	if q.many() {
		return "(" + sql + ")", args
	}
	// The first part names all that are read.
	all := append(slices.Clone(q.named), q.terms[q.rare()].nums...)
	return "num IN ? AND (" + sql + ")", append([]any{all}, args...)
}

// texts is the condition that a record has all the terms in its texts.
func (q *search) texts(from int64) (sql string, args []any) {
	var all []string
	for _, t := range q.terms {
		if t.few {
			all, args = append(all, "num IN ?"), append(args, t.nums)
			continue
		}
		sql, arg := q.db.index.has(t.term, from)
		all, args = append(all, sql), append(args, arg...)
	}
	return "(" + strings.Join(all, " AND ") + ")", args
}

// nearby is how many records behind the newest are tried first for every one that
// is wanted.
const nearby = 4

// newest tries the newest records for as many as a filter wants, because only
// their texts need be looked up then. ok reports that there were enough; else, and
// where another order is asked for, all records have to be asked.
func (r records) newest(tx *gorm.DB, f Filter, q *search, columns []string) (rows []recordRow, ok bool, err error) {
	if !q.many() || f.Sort != "" || f.Ascending || f.Before != "" || f.Offset > 0 || f.Limit <= 0 {
		return nil, false, nil
	}
	var num, from sql.NullInt64
	err = tx.Raw(`SELECT min(near.num), (SELECT min(text_id) FROM record_texts WHERE num >= min(near.num))
		FROM (SELECT num FROM records ORDER BY num DESC LIMIT ?) near`, nearby*f.Limit).Row().Scan(&num, &from)
	if err != nil || !from.Valid {
		return nil, false, err
	}
	rows, err = findRows(r.matching(tx, f, q, from.Int64).Where("num >= ?", num.Int64).Select(columns).Order("num DESC").Limit(f.Limit))
	return rows, len(rows) == f.Limit, err
}

// upTo reads the numbers that a query finds; few reports that there are no more
// than most.
func upTo(tx *gorm.DB, sql string, args []any, most int) (nums []int64, few bool, err error) {
	err = tx.Raw("SELECT num FROM ("+sql+") AS found LIMIT ?", append(args, most+1)...).Scan(&nums).Error
	return nums, len(nums) <= most, err
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
