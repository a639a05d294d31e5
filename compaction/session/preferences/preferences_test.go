package preferences_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/session/preferences"
	"palimpsest/model"
	"palimpsest/model/store"
)

// What a person restores, edits and pins in one project becomes suggestions for it
// and for no other; erased ones come back only with new signs.
func TestPreferencesAreLearnedAndErased(t *testing.T) {
	ctx := t.Context()
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	n := 0
	put := func(path string, set func(*model.Record)) *model.Record {
		t.Helper()
		n++
		rec := &model.Record{Path: path, Time: time.Unix(int64(n), 0), Cause: model.CauseManual, Outcome: model.Applied,
			Policy: compaction.Default(), Strategy: model.Extract}
		set(rec)
		if err := st.SaveRecord(ctx, rec, model.Originals{Source: bytes.NewReader([]byte(path)), Size: int64(len(path))}); err != nil {
			t.Fatal(err)
		}
		return rec
	}
	undo := func(path string) {
		rec := put(path, func(*model.Record) {})
		n++
		back := &model.Record{Path: path, Time: time.Unix(int64(n), 0), Cause: model.CauseRestore, Outcome: model.Applied, Parents: []string{rec.ID}}
		if err := st.SaveRestore(ctx, back, model.Originals{Source: bytes.NewReader([]byte(path)), Size: int64(len(path))}, rec.ID); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 3 {
		undo(fmt.Sprintf("/srv/docs/%d.jsonl", i))
		put("/srv/app/a.jsonl", func(r *model.Record) { r.Edited = true })
		put(fmt.Sprintf("/srv/pins/%d.jsonl", i), func(r *model.Record) {
			r.Policy.KeepFirstUser, r.Policy.Pins = false, []model.Range{{From: 1, To: 2}}
		})
		put("/srv/one/same.jsonl", func(r *model.Record) { r.Policy.KeepFirstUser, r.Policy.Pins = false, []model.Range{{To: 1}} })
	}
	undo("/srv/rare/a.jsonl")
	list, err := preferences.List(ctx, st)
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]int{}
	for _, s := range list {
		got[s.Key()] = s.Times
		if len(s.Records) != s.Times || s.Of != 3 {
			t.Errorf("%+v", s)
		}
	}
	want := map[string]int{"longer-tail /srv/docs": 3, "keep-facts /srv/app": 3, "keep-first-ask /srv/pins": 3}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Fatalf("%v, want %v", got, want)
	}
	for i := range list {
		p := compaction.Default()
		p.KeepFirstUser = false
		q := list[i].Apply(p)
		switch list[i].Kind {
		case preferences.LongerTail:
			if q.Tail.N != 2*p.Tail.N {
				t.Errorf("tail %v", q.Tail)
			}
			if err := preferences.Erase(ctx, st, &list[i]); err != nil {
				t.Fatal(err)
			}
		case preferences.KeepFacts:
			if q.Strategy != model.Ledger {
				t.Errorf("strategy %s", q.Strategy)
			}
			p.Strategy = model.ModelText
			if q := list[i].Apply(p); q.Strategy != model.ModelLedger {
				t.Errorf("strategy %s", q.Strategy)
			}
		case preferences.KeepFirstAsk:
			if !q.KeepFirstUser {
				t.Error("the first message is not kept")
			}
		}
	}
	if list, err = preferences.List(ctx, st); err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	undo("/srv/docs/9.jsonl")
	undo("/srv/docs/9.jsonl")
	if list, _ = preferences.List(ctx, st); len(list) != 2 {
		t.Errorf("two new signs bring it back: %+v", list)
	}
	undo("/srv/docs/9.jsonl")
	if list, _ = preferences.List(ctx, st); len(list) != 3 {
		t.Errorf("three new signs don't: %+v", list)
	}
}
