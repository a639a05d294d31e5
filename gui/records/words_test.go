package records

import (
	"testing"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/gui/kit"
	"palimpsest/model"
)

// A column says what is known of a record, and a dash or a word where nothing is.
func TestColumnsOfARecord(t *testing.T) {
	made := &model.Record{Outcome: model.Applied, Cause: model.CauseManual, Levels: 2, Covered: 12, Range: model.Range{From: 2, To: 14},
		Duration: 1500 * time.Millisecond}
	made.Before.Messages, made.After.Messages = 40, 29
	found := &model.Record{Cause: model.CauseFound}
	for _, x := range []struct {
		name        string
		of          func(*model.Record) string
		made, found string
	}{
		{"messages", messagesWords, "40 → 29", ""},
		{"levels", recordLevels, "2", "–"},
		{"took", tookWords, "1.5 s", "?"},
		{"covers", coversWords, "3–14", "–"},
		{"went", wentWords, "12", "–"},
		{"cause", causeWords, "manual", "found in file"},
		{"strategy of a found one", func(r *model.Record) string { return map[bool]string{true: strategyWords(r), false: "x"}[r == found] }, "x", "not recorded"},
	} {
		if a, b := x.of(made), x.of(found); a != x.made || b != x.found {
			t.Errorf("%s: %q and %q, want %q and %q", x.name, a, b, x.made, x.found)
		}
	}
	if recordMoment(time.Time{}) != "not recorded" || recordMoment(time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)) != "2026-01-02 03:04:05" {
		t.Errorf("it was made %s", recordMoment(time.Date(2026, 1, 2, 3, 4, 5, 0, time.Local)))
	}
}

// A restored context says whether a model can take it.
func TestFitWords(t *testing.T) {
	for _, x := range []struct {
		n, limit int64
		want     string
	}{{50, 100, "50 % fits"}, {100, 100, "100 % fits"}, {150, 100, "150 % view only"}, {5, 0, "?"}} {
		if got, ink := fitWords(x.n, x.limit); got != x.want || (ink == kit.ColorError) != (x.n > x.limit && x.limit > 0) {
			t.Errorf("%d of %d: %q in %v, want %q", x.n, x.limit, got, ink, x.want)
		}
	}
}

// Two records are compared in points, and more of what is kept is better.
func TestPoints(t *testing.T) {
	for by, want := range map[float64]string{.124: "+12 pt", -.05: "−5 pt", .001: ""} {
		if got := points(by); got != want {
			t.Errorf("%v: %q, want %q", by, got, want)
		}
	}
	if better(-.1) != kit.ColorWarning || better(.1) != kit.ColorKept || signed(0) != "0" || signed(7) != "+7" {
		t.Error("the sign or the colour of a change is another")
	}
	r := &model.Record{Runs: []model.RecordRun{{From: 0, To: 3, Fate: "kept"}, {From: 3, To: 9, Fate: "summarised"}, {From: 20, To: 24, Fate: "kept"}}}
	if got := firstKept(r); got != 10 {
		t.Errorf("the first message that stays is %d, want 10", got)
	}
}

// The records that a summary covers are counted where they are gone.
func TestGoneRecords(t *testing.T) {
	here := &model.Record{}
	tree := &session.Nested{Record: here, Inner: []*session.Nested{{}, {Record: here, Inner: []*session.Nested{{}}}}}
	if got := goneRecords(tree); got != 2 {
		t.Errorf("%d are gone, want 2", got)
	}
	if shortHash("0123456789ab") != "01234567" || shortHash("ab") != "ab" || provedWords(97, 1) != "97 + 1" || provedWords(97, 0) != "97" {
		t.Error("what is proved is written otherwise")
	}
}
