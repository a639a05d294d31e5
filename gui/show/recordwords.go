package show

import (
	"time"

	"palimpsest/assets"
	"palimpsest/gui/words"
	"palimpsest/model"
)

// RecordTime is when a record was made, to the minute.
func RecordTime(t time.Time) string {
	if t.IsZero() {
		return "–"
	}
	return t.Local().Format("2006-01-02 15:04")
}

// Went is what a record took, in full: messages, and former summaries apart from
// them.
func Went(messages, formers int) string {
	switch {
	case formers == 0:
		return words.T("count.messages", "count", messages)
	case messages == 0:
		return words.T("count.formers", "count", formers)
	}
	return words.T("count.and", "a", words.T("count.messages", "count", messages), "b", words.T("count.formers", "count", formers))
}

// WentShort is the same in a cell: "70 + 1 summary".
func WentShort(messages, formers int) string {
	n := words.Int(int64(messages))
	if formers == 0 {
		return n
	}
	return words.T("count.formers.short", "messages", n, "count", formers)
}

// RecordPreset is the preset a record was made with, and how much of it was
// changed; PresetName alone where that was not noted.
func RecordPreset(r *model.Record) string {
	name := PresetName(r.Policy.Preset)
	if r.Changed == nil || *r.Changed == 0 {
		return name
	}
	return words.T("preset.changed", "preset", name, "count", *r.Changed)
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
