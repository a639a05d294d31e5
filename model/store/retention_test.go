package store

import (
	"testing"
	"time"
)

func TestRetention(t *testing.T) {
	s := openTemp(t)
	now := time.Date(2025, 9, 30, 0, 0, 0, 0, time.UTC)
	for i, base := range []string{"", "", "R-0002", "", "R-0003", ""} {
		rec := sampleRecord()
		rec.Time, rec.Base, rec.Parents = now.AddDate(0, 0, i-6), base, nil
		save(t, s, rec, lines(uint64(i), 1000))
	}
	expire := func(want int, left string) {
		t.Helper()
		n, freed, err := s.Expire(t.Context(), now)
		if err != nil || n != want || (freed > 0) != (want > 0) {
			t.Errorf("%d records, %d bytes, %v; want %d", n, freed, err, want)
		}
		if list, err := s.Records(t.Context(), Filter{}); err != nil || ids(list) != left {
			t.Errorf("%s are left, %v; want %s", ids(list), err, left)
		}
	}
	if r, err := s.Retention(t.Context()); err != nil || r != (Retention{}) {
		t.Errorf("%+v, %v: it is off until a person sets it", r, err)
	}
	expire(0, "6 5 4 3 2 1")
	set := func(r Retention) {
		t.Helper()
		if err := s.SetRetention(t.Context(), r); err != nil {
			t.Fatal(err)
		}
	}
	set(Retention{Age: 60 * time.Hour}) // 5 stays, and was made on 3, which was made on 2
	expire(2, "6 5 3 2")
	set(Retention{Records: 1})
	expire(3, "6")
	set(Retention{})
	expire(0, "6")
}
