package figures_test

import (
	"bytes"
	"testing"

	"palimpsest/assets"
	"palimpsest/compaction"
	"palimpsest/compaction/session"
	"palimpsest/compaction/session/figures"
	"palimpsest/model"
	"palimpsest/model/figure"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// A record in a list has the sizes that the result showed when it was applied, also
// where they are bounds.
func TestARecordHasTheSizesOfItsResult(t *testing.T) {
	st, err := store.Open(t.TempDir() + "/r.db")
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	bounds := 0
	for _, sample := range assets.Samples {
		d, err := transcript.Read(t.Context(), sample.File, bytes.NewReader(sample.Bytes()), int64(len(sample.Bytes())), transcript.Options{})
		if err != nil {
			t.Fatal(err)
		}
		s, err := session.NewFile(d, session.Options{Store: st}).Session(t.Context(), session.Ref{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		p := s.Policy()
		p.Tail, p.Strategy = model.Amount{N: 2, Unit: model.Messages}, model.Extract
		dr, err := s.Draft(t.Context(), p, compaction.Options{Manual: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		shown := figures.OfCompaction(s, figures.Made{Plan: dr.Plan, Drafted: true})
		if _, err := s.Records.Apply(t.Context(), dr); err != nil {
			t.Fatalf("%s: %v", sample.ID, err)
		}
		list, err := st.Records(t.Context(), store.Filter{Limit: 1})
		if err != nil || len(list) != 1 {
			t.Fatal(list, err)
		}
		stored := figures.OfRecord(&list[0])
		if stored.Before.Full() != shown.Before.Full() || stored.After.Full() != shown.After.Full() {
			t.Errorf("%s: shown %s → %s, listed %s → %s", sample.ID, shown.Before.Full(), shown.After.Full(), stored.Before.Full(), stored.After.Full())
		}
		if stored.Before.Bound == figure.AtLeast {
			bounds++
		}
	}
	if bounds == 0 || bounds == len(assets.Samples) {
		t.Errorf("%d of %d samples have no fixed part", bounds, len(assets.Samples))
	}
}
