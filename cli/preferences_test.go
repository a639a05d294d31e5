package cli

import (
	"bytes"
	"testing"
	"time"

	"palimpsest/compaction"
	"palimpsest/compaction/session/preferences"
	"palimpsest/model"
)

// What was edited three times in a project is suggested for it, until it is erased.
func TestPreferences(t *testing.T) {
	b := newBench(t)
	st := b.store()
	for i := range 3 {
		rec := &model.Record{Path: "/srv/app/a.jsonl", Time: time.Unix(int64(i+1), 0), Cause: model.CauseManual, Outcome: model.Applied,
			Policy: compaction.Default(), Strategy: model.Extract, Edited: true}
		if err := st.SaveRecord(t.Context(), rec, model.Originals{Source: bytes.NewReader([]byte("x")), Size: 1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	list := value[[]preferenceInfo](b.run("preferences", "--json").ends(exitDone))
	if len(list) != 1 || list[0].Kind != preferences.KeepFacts || list[0].Times != 3 || len(list[0].Records) != 3 {
		t.Fatalf("%+v", list)
	}
	b.run("preferences").ends(exitDone).says("/srv/app", "3 of 3 compactions", "--erase")
	b.run("preferences", "--erase", "nothing").ends(exitFailed, "no suggestion")
	b.run("preferences", "--erase", list[0].Key).ends(exitDone)
	b.run("preferences").ends(exitDone).says("no suggestions")
}
