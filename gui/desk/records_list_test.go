package desk

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"testing"

	"palimpsest/model"
	"palimpsest/model/store"
)

// A long list is filtered and sorted by the store, and a deleted record is gone from it.
func TestRecordList(t *testing.T) {
	w := newWindow(t)
	content := []byte("{}")
	src := model.Originals{Source: bytes.NewReader(content), Size: 2, SHA256: sha256.Sum256(content)}
	const n = 230
	for i := range n {
		rec := &model.Record{Session: fmt.Sprintf("Session %03d", i), Outcome: model.Applied, Summary: "请压缩历史", Before: model.Size{Tokens: int64(i)}}
		if i%10 == 3 {
			rec.Outcome, rec.Summary = model.Failed, ""
		}
		if err := w.Store().SaveRecord(t.Context(), rec, src); err != nil {
			t.Fatal(err)
		}
	}
	w.RecordList.LoadRecords()
	w.settle()
	if found, total := w.RecordList.RecordCount(); found != n || total != n || len(w.RecordList.Records()) != n {
		t.Fatalf("%d of %d, %d read", found, total, len(w.RecordList.Records()))
	}
	if r := w.RecordList.RecordAt(0); r == nil || r.ID != fmt.Sprintf("R-%04d", n) {
		t.Errorf("%+v", r)
	}
	if r := w.RecordList.RecordAt(n - 1); r == nil || r.ID != "R-0001" || w.RecordList.RecordRow("R-0001") != n-1 {
		t.Errorf("%+v at %d", r, w.RecordList.RecordRow("R-0001"))
	}
	if w.RecordList.RecordAt(n) != nil || w.RecordList.RecordAt(-1) != nil {
		t.Error("there is something behind the end")
	}

	w.RecordList.QueryRecords(store.Filter{Text: "压缩", Sort: store.SortBefore, Ascending: true})
	w.settle()
	if found, total := w.RecordList.RecordCount(); found != n-n/10 || total != n || w.RecordList.RecordAt(0).ID != "R-0001" {
		t.Errorf("%d of %d, first %s", found, total, w.RecordList.RecordAt(0).ID)
	}
	w.RecordList.QueryRecords(store.Filter{Outcomes: []model.Outcome{model.Failed}})
	w.settle()
	if found, _ := w.RecordList.RecordCount(); found != n/10 {
		t.Errorf("%d failed", found)
	}

	id := w.RecordList.RecordAt(0).ID
	w.RecordView.SelectRecord(id)
	w.settle()
	var would int64
	w.RecordList.MeasureDelete([]string{id}, func(e store.DeleteEffect, err error) {
		if would = e.Freed; err != nil {
			t.Error(err)
		}
	})
	w.settle()
	w.RecordList.DeleteRecords([]string{id})
	w.settle()
	if found, total := w.RecordList.RecordCount(); would == 0 || found != n/10-1 || total != n-1 || w.RecordList.RecordRow(id) != -1 {
		t.Errorf("would free %d; %d of %d are left", would, found, total)
	}
	if r := w.RecordView.Record(); r == nil || r.ID != w.RecordList.RecordAt(0).ID {
		t.Errorf("after the delete %+v is looked at, not the first", r)
	}
	w.RecordList.QueryRecords(store.Filter{Text: "nowhere"})
	w.settle()
	if found, _ := w.RecordList.RecordCount(); found != 0 || w.RecordList.RecordAt(0) != nil {
		t.Errorf("%d found", found)
	}
}
