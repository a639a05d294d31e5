package session

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/compaction"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

func keptStore(t *testing.T) *store.Store {
	t.Helper()
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { st.Close() })
	return st
}

// Records of real histories, among them such as are nested three deep: each gives its
// input file back byte for byte, and undoing them gives the history as it was.
func TestFiftyRecordsOfRealFiles(t *testing.T) {
	const enough, depth = 50, 3
	ctx := context.Background()
	st := keptStore(t)
	var recs []*model.Record
	nested := 0
	for round := 0; len(recs) < enough && round < 4; round++ {
		for _, path := range realdata.Sources(t) {
			if len(recs) >= enough {
				break
			}
			made := stackReal(t, st, path, depth)
			recs = append(recs, made...)
			if len(made) == depth {
				nested++
			}
		}
	}
	same := 0
	for _, rec := range recs {
		var b bytes.Buffer
		if err := st.WriteSource(ctx, rec.ID, &b); err != nil {
			t.Fatal(err)
		}
		if sum := sha256.Sum256(b.Bytes()); hex.EncodeToString(sum[:]) == rec.SourceSHA {
			same++
		}
	}
	t.Logf("%d records, %d histories three deep, %d gave the same SHA-256", len(recs), nested, same)
	if same != len(recs) || len(recs) < enough || nested < 3 {
		t.Error("records are missing, or differ")
	}
}

// stackReal compacts a history up to so many times, each on top of the one
// before, and undoes it all from the bottom.
func stackReal(t *testing.T, st *store.Store, path string, depth int) []*model.Record {
	t.Helper()
	ctx := context.Background()
	input, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f, err := Open(ctx, path, Options{Store: st}, transcript.Options{})
	if err != nil {
		return nil // some are there to be refused
	}
	defer f.Close()
	s, err := f.Session(ctx, Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	live := s.Plan(s.Policy(), compaction.Options{}).Before.Messages
	p := s.Policy()
	p.Tail = model.Amount{N: live / 4, Unit: model.Messages}
	p.Batch = model.Amount{N: max(2, live/5), Unit: model.Messages}
	p.Triggers = nil
	var recs []*model.Record
	for len(recs) < depth {
		rec, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if rec.Outcome != model.Applied {
			break
		}
		recs = append(recs, rec)
	}
	if len(recs) == 0 {
		return nil
	}
	if _, err := s.Records.Restore(ctx, recs[0].ID); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := s.Overlay().Export(&b); err != nil || !bytes.Equal(b.Bytes(), input) {
		t.Errorf("%s: restored, it is not the file: %v", filepath.Base(path), err)
	}
	return recs
}

// Two characters of Chinese that are only in what was summarised away find the
// record.
func TestFindWhatWasSummarisedAway(t *testing.T) {
	ctx := context.Background()
	st := keptStore(t)
	var b strings.Builder
	b.WriteString(`{"messages":[{"role":"system","content":"You are careful."}`)
	for i := range 20 {
		fmt.Fprintf(&b, `,{"role":"user","content":"第%d个文件：请检查麒麟模块的边界情况，然后报告。%s"},{"role":"assistant","content":"Looked at src/kirin_%d.go."}`, i, strings.Repeat("还有别的事。", 80), i)
	}
	b.WriteString("]}")
	d, err := transcript.Read(ctx, "small.json", strings.NewReader(b.String()), int64(b.Len()), transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	s, err := NewFile(d, Options{Store: st}).Session(ctx, Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := s.Policy()
	p.Strategy, p.KeepFirstUser = model.Drop, false
	p.Tail, p.Triggers = model.Amount{N: 2, Unit: model.Messages}, nil
	rec, err := s.Records.Compact(ctx, p, compaction.Options{Manual: true}, nil)
	if err != nil || rec.Outcome != model.Applied {
		t.Fatal(rec, err)
	}
	for query, want := range map[string]int{"麒麟": 1, "边界": 1, "src/kirin_3.go": 1, "麟麒": 0} {
		if list, err := st.Records(ctx, store.Filter{Text: query}); err != nil || len(list) != want {
			t.Errorf("%q finds %d, %v; want %d", query, len(list), err, want)
		}
	}
}
