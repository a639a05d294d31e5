package session

import (
	"palimpsest/compaction/summarize/redact"
	"palimpsest/model"
)

// RedactRecord is a record without what a sieve hides in its words: summary, key
// points, names, paths and reasons. Its hashes and ids stay.
func RedactRecord(s *redact.Sieve, r *model.Record, num int) *model.Record {
	c := *r
	for _, text := range []*string{&c.Session, &c.Agent, &c.Path, &c.Output, &c.Reason, &c.Summary} {
		*text = s.Text(*text, num)
	}
	c.KeyPoints = make([]string, len(r.KeyPoints))
	for i, k := range r.KeyPoints {
		c.KeyPoints[i] = s.Text(k, num)
	}
	return &c
}
