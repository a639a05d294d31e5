package store

import (
	"context"
	"reflect"
	"testing"

	"gorm.io/gorm"

	"palimpsest/model"
)

func TestSourceRecords(t *testing.T) {
	ctx, s := context.Background(), openTemp(t)
	here, other := originals(lines(1, 4000)), originals(lines(2, 4000))
	var sha string
	for i, src := range []model.Originals{here, other, here, here} {
		r := sampleRecord()
		r.UID, r.SourceSHA, r.SourceSize, r.Verb = "", "", 0, i == 2
		if i == 3 {
			r.Outcome = model.Refused
		}
		if err := s.SaveRecord(ctx, r, src); err != nil {
			t.Fatal(err)
		}
		if i == 0 {
			sha = r.SourceSHA
		}
	}
	list, err := s.SourceRecords(ctx, sha)
	if err != nil {
		t.Fatal(err)
	}
	if got := ids(list); got != "1 3 4" {
		t.Fatalf("records of the file: %s", got)
	}
	if list[0].Verb || !list[1].Verb {
		t.Error("whether a verb made the record is not kept")
	}
	if list[0].Summary == "" || len(list[0].Runs) == 0 || len(list[0].Live) == 0 {
		t.Error("the records are not whole")
	}
	if none, err := s.SourceRecords(ctx, ""); len(none) != 0 || err != nil {
		t.Errorf("no file: %d records, %v", len(none), err)
	}
}

// What is read straight into the fields is what GORM reads, of all columns and of some.
func TestRowsAreThoseOfGORM(t *testing.T) {
	s := openTemp(t)
	for i := range 3 {
		r := sampleRecord()
		r.UID, r.Edited, r.Agent, r.Off = "", i == 1, []string{"", "coder", "测试"}[i], i == 2
		save(t, s, r, lines(uint64(i), 4000))
	}
	for _, columns := range [][]string{nil, {"num"}, {"agent", "edited", "num"}} {
		q := s.read.Model(&recordRow{}).Select(columns).Order("num DESC").Session(&gorm.Session{})
		var want []recordRow
		if err := q.Find(&want).Error; err != nil || len(want) != 3 {
			t.Fatal(len(want), err)
		}
		if got, err := readRows(q); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%v: %+v, %v; want %+v", columns, got, err, want)
		}
	}
	q := s.read.Raw("SELECT num, NULL AS agent FROM records") // GORM takes nothing for zero
	if rows, err := findRows(q); err != nil || len(rows) != 3 || rows[0].Num == 0 {
		t.Errorf("%+v, %v", rows, err)
	}
}
