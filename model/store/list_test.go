package store

import (
	"context"
	"testing"

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
