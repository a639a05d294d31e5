package show

import (
	"time"

	"palimpsest/assets"
	"palimpsest/gui/words"
	"palimpsest/model"
)

func RecordTime(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	t = t.Local()
	if t.Year() != time.Now().Year() {
		return t.Format("2006-01-02")
	}
	return t.Format("01-02 15:04")
}

// RecordSession is what the history of a record is called on the screen.
func RecordSession(r *model.Record) string {
	for _, s := range assets.Samples {
		if s.File == r.Path {
			return words.T(s.Title)
		}
	}
	return r.Session
}
