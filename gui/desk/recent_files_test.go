package desk

import (
	"os"
	"path/filepath"
	"testing"

	"palimpsest/assets"
	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

func TestShelfGroupsFiltersAndRemembers(t *testing.T) {
	w := newWindow(t)
	one, two := chat(t, 3), chat(t, 5)
	w.AddSample("sample-x", "Sample one", "x.json", []byte(`{"messages":[{"role":"user","content":"hello there"}]}`))
	w.Add(one)
	w.settle()
	w.Add(two)
	w.Peek()
	w.settle()
	groups, hidden := w.Shelf("", ByAdded)
	if len(groups) != 3 || hidden != 0 || groups[0].Kind != GroupSamples || groups[1].Folder != filepath.Dir(one) {
		t.Fatalf("%+v, %d hidden", groups, hidden)
	}
	if e := groups[0].Entries[0]; e.State != Closed || e.Messages != 1 {
		t.Errorf("the sample was not looked into: %+v", e)
	}
	if _, hidden = w.Shelf("sample", ByAdded); hidden != 2 {
		t.Errorf("%d hidden", hidden)
	}
	w.Step(-1, "", ByAdded)
	w.settle()
	if w.Current().Path != one {
		t.Errorf("at %s", w.Current().Path)
	}
	w.Remove(w.Current())
	if err := os.Remove(one); err != nil {
		t.Fatal(err)
	}
	// Opened files are in the next window, also lost ones; those taken off are not.
	three := chat(t, 4)
	w.Add(three)
	w.settle()
	w.TakeOff(w.Current())
	w.settle()
	next := newWindowOn(t, w.Store())
	next.loadShelf()
	next.settle()
	paths := map[string]State{}
	for _, e := range next.Entries() {
		paths[e.Path] = e.State
	}
	if _, listed := paths[three]; listed || len(paths) != 2 || paths[one] != Unavailable || paths[two] != Closed {
		t.Errorf("the next window lists %v", paths)
	}
	next.Add(three)
	next.settle()
	third := newWindowOn(t, w.Store())
	third.loadShelf()
	third.settle()
	if len(third.Entries()) != 3 {
		t.Error("what was opened again is not on the list")
	}
}

// Looking at another history while one is read leaves none half open.
func TestSwitchingWhileReading(t *testing.T) {
	w := newWindow(t)
	a := w.AddSample("sample-a", "A", "a.json", []byte(`{"messages":[{"role":"user","content":"hello a"}]}`))
	b := w.AddSample("sample-b", "B", "b.json", []byte(`{"messages":[{"role":"user","content":"hello b"}]}`))
	w.Select(a)
	w.Select(b)
	w.settle()
	if a.State != Closed || b.State != Ready {
		t.Fatalf("a %d, b %d", a.State, b.State)
	}
	w.Select(a)
	w.CancelOpen()
	w.settle()
	if a.State != Closed || w.Session() != nil {
		t.Fatalf("cancelled reading left %+v", a)
	}
}

func TestExportForms(t *testing.T) {
	w := newWindow(t)
	w.Add(chat(t, 4))
	w.settle()
	for _, f := range []struct {
		what What
		form string
	}{{Full, string(w.Session().File().Doc.Format)}, {Full, string(transcript.FormatMarkdown)}, {Compacted, string(transcript.FormatJSON)}} {
		out := filepath.Join(t.TempDir(), "out")
		var got *session.Written
		var failed error
		w.Export(Export{Output: session.Output{Path: out}, What: f.what, Format: model.Format(f.form)}, func(r *session.Written, err error) { got, failed = r, err })
		w.settle()
		if failed != nil || got.Bytes == 0 {
			t.Errorf("%v: %v", f, failed)
		}
	}
	if z := w.ExportSize(Full); z.Messages != 17 || z.Tokens == 0 {
		t.Errorf("%+v", z)
	}
}

// The largest call in the list of sessions is one whose context is as it was: of a file
// that was written from a record, what its kept calls reported was measured before.
func TestThePeakOfAnExport(t *testing.T) {
	fewer := 0
	for _, sample := range assets.Samples {
		w := newWindow(t)
		w.Select(w.AddSample(sample.ID, sample.File, sample.File, sample.Bytes()))
		w.settle()
		before := w.Current().Peak
		w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 6, Unit: model.Messages} })
		w.settle()
		w.CompactNow()
		w.settle()
		if before == 0 || w.Session() == nil || len(w.Session().Stack()) == 0 {
			continue
		}
		out := filepath.Join(t.TempDir(), "out"+filepath.Ext(sample.File))
		w.Export(Export{Output: session.Output{Path: out}, Format: w.Session().File().Doc.Format}, func(_ *session.Written, err error) {
			if err != nil {
				t.Error(err)
			}
		})
		w.settle()
		w.Add(out)
		w.settle()
		e, largest := w.Current(), int64(0)
		for _, p := range w.Curve() {
			largest = max(largest, p.Recorded)
		}
		if e.Path != out || int64(e.Peak) != largest {
			t.Errorf("%s: the list says %d, the chart %d", sample.File, e.Peak, largest)
		}
		t.Logf("%s: %d before, %d after", sample.File, before, e.Peak)
		if e.Peak < before {
			fewer++
		}
	}
	if fewer == 0 {
		t.Error("no sample shows it")
	}
}

// With a database that is only read a history is exported as its records leave it and as
// the preview shows it; nothing is noted.
func TestExportsWithADatabaseThatIsOnlyRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "test.db")
	st, err := store.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	w, file := newWindowOn(t, st), chat(t, 60)
	w.Add(file)
	w.settle()
	w.CompactNow()
	w.settle()
	if len(w.Session().Stack()) != 1 {
		t.Fatal(w.Notices())
	}
	st.Close()
	if st, err = store.Open(path, store.OpenReadOnly()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	w = newWindowOn(t, st)
	w.Add(file)
	w.settle()
	w.Planning.Set(func(p *model.Policy) { p.Tail = model.Amount{N: 2, Unit: model.Messages} })
	w.settle()
	for i, what := range []What{Compacted, Previewed} {
		if why := w.CanExport(what); why != "" || len(w.Session().Stack()) != 1 {
			t.Fatalf("%d: %s, %d records", what, why, len(w.Session().Stack()))
		}
		out := filepath.Join(t.TempDir(), "out.json")
		w.Export(Export{Output: session.Output{Path: out}, What: what, Format: w.Session().File().Doc.Format}, func(_ *session.Written, e error) { err = e })
		w.settle()
		if err != nil {
			t.Errorf("%d: %v", i, err)
		}
		if _, gone := os.Stat(out); gone != nil {
			t.Error(gone)
		}
	}
	if n, err := st.CountRecords(t.Context(), store.Filter{}); n != 1 || err != nil {
		t.Errorf("%d records, %v", n, err)
	}
}
