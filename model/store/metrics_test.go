package store

import (
	rand "math/rand/v2"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"palimpsest/model"
)

// The metrics are what the list of records adds up to, under a filter too.
func TestMetricsAddUpTheList(t *testing.T) {
	s := openAt(t, filepath.Join(t.TempDir(), "p.db"))
	r := rand.New(rand.NewPCG(3, 4))
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	for i := range 120 {
		rec := sampleRecord()
		rec.UID, rec.Session = "", pick("one", "two")
		rec.Cause = model.Cause(pick("manual", "automatic", "restore"))
		rec.Outcome = model.Outcome(pick("applied", "applied", "refused", "failed", "cancelled"))
		rec.Strategy, rec.Model = model.Strategy(pick("extract", "model")), pick("", "a", "b")
		rec.RangeSHA, rec.Off = pick("a", "b", "c")+pick("a", "b", "c", "d")+pick("a", "b", "c"), r.IntN(4) == 0 // some are made twice
		rec.Duration = time.Duration(r.IntN(5000)) * time.Millisecond
		rec.Covered, rec.Formers = 2+r.IntN(40), r.IntN(2)
		rec.Before.Tokens, rec.After.Tokens = int64(5000+r.IntN(5000)), int64(r.IntN(5000))
		rec.Compactable = int64(r.IntN(2) * r.IntN(5000)) // 0: not noted
		if err := s.SaveRecord(t.Context(), rec, originals([]byte{byte(i)})); err != nil {
			t.Fatal(err)
		}
	}
	all, err := s.Records(t.Context(), Filter{Limit: -1})
	last := map[string]string{} // of what is in no other record: the newest come first
	for _, rec := range all {
		if rec.Outcome == model.Applied && rec.Cause != model.CauseRestore && !rec.Off && last[rec.RangeSHA] == "" {
			last[rec.RangeSHA] = rec.ID
		}
	}
	if err != nil || len(last) < 15 || len(last) == len(all) {
		t.Fatal(len(last), err)
	}
	for _, f := range []Filter{{}, {Session: "one"}, {Text: "two"}, {Session: "none"}} {
		got, err := s.Metrics(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		f.Limit = -1
		list, err := s.Records(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		var want model.Tally
		restores := 0
		for _, rec := range list {
			if rec.Cause == model.CauseRestore {
				restores++
				continue
			}
			row := model.Tally{Compactions: 1, Time: rec.Duration, Longest: rec.Duration}
			switch rec.Outcome {
			case model.Applied:
				if row.Applied = 1; last[rec.RangeSHA] == rec.ID {
					row.Messages, row.Before, row.After = int64(rec.Messages()), rec.Before.Tokens, rec.After.Tokens
				}
			case model.Refused:
				row.Refused = 1
			case model.Failed:
				row.Failed = 1
			case model.Cancelled:
				row.Cancelled = 1
			}
			want.Add(row)
		}
		var rows model.Tally
		for _, row := range got.By {
			rows.Add(row.Tally)
		}
		if got.Tally != want || rows != want || got.Restores != restores {
			t.Errorf("%+v: %+v, want %+v", f, got, want)
		}
		if f.Session == "" && f.Text == "" && len(got.By) != 6 {
			t.Errorf("%d rows", len(got.By))
		}
	}
	before, err := s.Revision(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	appendTo(t, s, "c", 0, model.ConversationStats{}, event(1, "A"))
	after, err := s.Revision(t.Context())
	if err != nil || after.Events != before.Events+1 || after.Records != before.Records || reflect.DeepEqual(before, after) {
		t.Errorf("%+v, then %+v, %v", before, after, err)
	}
}
