package store

import "strings"

// searching is the condition that a record has the text in a name (ID, session, path …),
// or all of its words in its texts, with its arguments:
//
//	text ──┬─ names: columns of records ─────────────────────────────┐
//	       └─ terms: texts that hold it ── record_texts ── all of them ┴─ records
func searching(d *db, text string) (sql string, args []any) {
	text = d.engine.text(text)
	pattern := "%" + likeEscaper.Replace(text) + "%"
	var names, words []string
	for _, column := range []string{"session", "path", "model", "preset", "agent", "reason", "source_sha", d.engine.recordID} {
		names, args = append(names, column+" "+d.engine.like+` ? ESCAPE '\'`), append(args, pattern)
	}
	for _, t := range terms(text) {
		condition, arg := d.index.has(t)
		words, args = append(words, condition), append(args, arg)
	}
	sql = strings.Join(names, " OR ")
	if len(words) > 0 {
		sql += " OR " + strings.Join(words, " AND ")
	}
	return "(" + sql + ")", args
}

var likeEscaper = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)
