package session

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// longRun is a copy of a sample that tells of compactions of its own, opened
// with a store.
func longRun(t *testing.T) (*Session, *store.Store, string) {
	t.Helper()
	src, err := os.ReadFile("../../assets/samples/long-coding-run.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "run.jsonl")
	if err := os.WriteFile(path, src, 0o600); err != nil {
		t.Fatal(err)
	}
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	f, err := Open(t.Context(), path, Options{Store: st}, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	s, err := f.Session(t.Context(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return s, st, path
}

// The compactions that a file tells of are records, the newest first, each at the
// message where it was made.
func TestRecordsOfTheFileItself(t *testing.T) {
	s, _, _ := longRun(t)
	found, recs := s.Thread().Found, s.FoundRecords()
	if len(recs) != len(found) || len(recs) < 2 {
		t.Fatalf("%d records of %d compactions", len(recs), len(found))
	}
	seen := map[string]bool{}
	for i, r := range recs {
		f := found[len(found)-1-i]
		if r.Cause != model.CauseFound || r.At != f.At || (r.Summary != "") != (f.Summary >= 0) || seen[r.UID] {
			t.Errorf("%d: %+v of %+v", i, r, f)
		}
		seen[r.UID] = true
	}
}

// The original of a record comes back from the store when its file is gone, and
// says so when the record's thread is not in it.
func TestOriginalsWithoutTheFile(t *testing.T) {
	s, st, path := longRun(t)
	rec, err := s.Records.Compact(t.Context(), s.Policy(), byHand, nil)
	if err != nil || rec.Outcome != model.Applied {
		t.Fatalf("%+v, %v", rec, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	f, err := OpenOriginals(t.Context(), st, rec)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	back, err := f.OriginalSession(t.Context(), rec)
	if err != nil || len(back.Thread().History) != len(s.Thread().History) || f.Doc.Hash() != rec.SourceSHA {
		t.Fatalf("%d messages, %v", len(back.Thread().History), err)
	}
	other := *rec
	other.Thread = 99
	var problem *model.Problem
	if _, err := f.OriginalSession(t.Context(), &other); !errors.As(err, &problem) || problem.Code != "no-thread" {
		t.Errorf("%v", err)
	}
}

// A compaction and the file it leaves are one act: with a file in the way there
// is neither, else the record names the file.
func TestAFileAndItsRecord(t *testing.T) {
	s, st, path := longRun(t)
	d, err := s.Draft(t.Context(), s.Policy(), byHand, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.jsonl")
	if err := os.WriteFile(out, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	var problem *model.Problem
	if recs, _, err := ApplyTo(t.Context(), Output{Path: out}, []Part{{s, d}}); !errors.As(err, &problem) || problem.Code != "exists" || recs[0] != nil {
		t.Fatalf("%+v, %v", recs, err)
	}
	if b, err := os.ReadFile(out); err != nil || string(b) != "mine" || len(s.Stack()) != 0 {
		t.Fatalf("%q, %v, %d records", b, err, len(s.Stack()))
	}
	recs, written, err := ApplyTo(t.Context(), Output{Path: out, Force: true}, []Part{{s, d}})
	if err != nil || recs[0].Output != out || written.Bytes == 0 {
		t.Fatalf("%+v, %+v, %v", recs, written, err)
	}
	f, err := Open(t.Context(), out, Options{Store: st}, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if f.Doc.Hash() != recs[0].OutputSHA {
		t.Error("the record names another file")
	}
	src, err := os.ReadFile(path)
	if err != nil || int64(len(src)) <= written.Bytes || bytes.Contains(src, []byte(recs[0].UID)) {
		t.Errorf("the input was touched, or the output is no smaller: %d bytes, %v", len(src), err)
	}
}

// Written as its own tool would, the compacted file holds all that was there,
// and the compaction behind it.
func TestAFileWithItsCompactionBehindIt(t *testing.T) {
	s, _, path := longRun(t)
	d, err := s.Draft(t.Context(), s.Policy(), byHand, nil)
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "out.jsonl")
	recs, _, err := ApplyTo(t.Context(), Output{Path: out, Native: true}, []Part{{s, d}})
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(out); err != nil || !bytes.HasPrefix(b, src) || len(b) <= len(src) {
		t.Errorf("%d bytes behind %d, %v", len(b), len(src), err)
	}
	if recs[0].Outcome != model.Applied || len(s.Stack()) != 1 {
		t.Errorf("%+v", recs[0])
	}
}
