package store

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	rand "math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"palimpsest/internal/realdata"
	"palimpsest/model"
)

// openTemp opens a new database in a folder of its own.
func openTemp(t testing.TB, opts ...Option) *Store {
	t.Helper()
	return openAt(t, filepath.Join(t.TempDir(), "data", "palimpsest.db"), opts...)
}

func openAt(t testing.TB, path string, opts ...Option) *Store {
	t.Helper()
	if address := postgresDatabase(t, path); address != "" {
		path = address
	}
	s, err := Open(path, opts...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	})
	return s
}

// originals hands bytes over with their hash, as a loaded document does.
func originals(b []byte) model.Originals {
	return model.Originals{Source: bytes.NewReader(b), Size: int64(len(b)), SHA256: sha256.Sum256(b)}
}

// noise gives bytes that don't pack.
func noise(seed uint64, n int) []byte {
	var key [32]byte
	key[0], key[1] = byte(seed), byte(seed>>8)
	b := make([]byte, n)
	rand.NewChaCha8(key).Read(b)
	return b
}

// lines gives text that packs, as transcripts do.
func lines(seed uint64, n int) []byte {
	r := rand.New(rand.NewPCG(seed, 1))
	var b bytes.Buffer
	for b.Len() < n {
		fmt.Fprintf(&b, `{"type":"assistant","uuid":"%016x","message":{"role":"assistant","content":[{"type":"text","text":"step %d of the run, %d files read"}]}}`+"\n",
			r.Uint64(), r.IntN(1000), r.IntN(50))
	}
	return b.Bytes()[:n]
}

func sampleRecord() *model.Record {
	return &model.Record{
		Time:    time.Date(2025, 9, 2, 14, 6, 0, 123456789, time.FixedZone("CEST", 7200)),
		Session: "Long coding run", Path: "/home/ada/run.jsonl", Format: model.FormatClaudeCode,
		Conversation: 1, Thread: 2, Agent: "lead", Cause: model.CauseManual,
		Policy: model.Policy{
			Preset: "Balanced", Window: 200_000, Triggers: []model.Clause{{Share: 0.8}},
			Tail: model.Amount{N: 20_000, Unit: model.Tokens}, KeepFirstUser: true,
			Pins: []model.Range{{From: 3, To: 4}}, Strategy: model.Extract,
			Budget: model.Amount{N: 4000, Unit: model.Tokens}, Former: model.MergeFormer, OnFailure: model.KeepEverything,
		},
		Strategy: model.Extract, Prompt: "Summarise.", Model: "small-model",
		At: 212, Range: model.Range{From: 3, To: 171}, RangeSHA: strings.Repeat("ab12", 16), Covered: 168,
		Runs: []model.RecordRun{{From: 0, To: 3, Fate: "kept", Reason: "kept start", Tokens: 900}, {From: 3, To: 171, Fate: "summarised", Reason: "range", Tokens: 117_600}},
		Live: []model.Item{{Msg: 0}, {Msg: -1, Record: "R-0001"}, {Msg: 171, Cleared: true}}, Summary: "解析器 rewritten; 41 tests pass.\n",
		KeyPoints: []string{"parser", "テスト"}, Edited: true,
		Before: model.Size{Messages: 212, Tokens: 158_900}, After: model.Size{Messages: 45, Tokens: 41_300},
		Counted: "counted (o200k_base)", Duration: 9400 * time.Millisecond, Outcome: model.Applied,
		Base: "R-0003", Parents: []string{"R-0003"},
	}
}

func save(t testing.TB, s *Store, rec *model.Record, content []byte) *model.Record {
	t.Helper()
	if err := s.SaveRecord(t.Context(), rec, originals(content)); err != nil {
		t.Fatal(err)
	}
	return rec
}

func giveBack(t testing.TB, s *Store, id string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := s.WriteSource(context.Background(), id, &b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func stats(t testing.TB, s *Store) Stats {
	t.Helper()
	st, err := s.Stats(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return st
}

// A record comes back equal after the database was closed and opened again.
func TestRecordRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "p.db")
	content := lines(1, 700_000)
	s := openAt(t, path)
	rec := save(t, s, sampleRecord(), content)
	if rec.ID != "R-0001" || len(rec.UID) != 32 {
		t.Errorf("ID %q, UID %q", rec.ID, rec.UID)
	}
	sum := sha256.Sum256(content)
	if rec.SourceSHA != hex.EncodeToString(sum[:]) || rec.SourceSize != int64(len(content)) {
		t.Errorf("source %s, %d bytes", rec.SourceSHA, rec.SourceSize)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path + "-wal"); err == nil {
		t.Error("the log is still there after Close")
	}

	s = openAt(t, path)
	for _, id := range []string{"R-0001", "r-1", "1", " 0001 ", rec.UID} {
		got, err := s.Record(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, rec) {
			t.Errorf("record by %q:\n got %+v\nwant %+v", id, got, rec)
		}
	}
	if got := giveBack(t, s, rec.UID); !bytes.Equal(got, content) {
		t.Error("the originals differ")
	}
	list, err := s.Records(t.Context(), Filter{})
	if err != nil || len(list) != 1 {
		t.Fatal(list, err)
	}
	want := *rec
	want.Policy = model.Policy{Preset: "Balanced"}
	want.Time = want.Time.Truncate(time.Microsecond)
	want.Prompt, want.Runs, want.Live, want.Summary, want.KeyPoints, want.Parents = "", nil, nil, "", nil, nil
	if !reflect.DeepEqual(list[0], want) {
		t.Errorf("listed:\n got %+v\nwant %+v", list[0], want)
	}
	full, err := s.Records(t.Context(), Filter{Full: true})
	if err != nil || len(full) != 1 || !reflect.DeepEqual(&full[0], rec) {
		t.Errorf("listed in full: %+v, %v", full, err)
	}
}

// Every length around the borders of blocks and batches comes back.
func TestOriginalsOfAnyLength(t *testing.T) {
	s := openTemp(t)
	for i, n := range []int{0, 1, blockSize - 1, blockSize, blockSize + 1, 3*blockSize + 17, 32*blockSize - 1, 32 * blockSize, 32*blockSize + blockSize + 5} {
		for _, content := range [][]byte{noise(uint64(i), n), lines(uint64(i), n), make([]byte, n)} {
			rec := save(t, s, sampleRecord(), content)
			if got := giveBack(t, s, rec.ID); !bytes.Equal(got, content) {
				t.Errorf("%d bytes: other bytes came back", n)
			}
		}
	}
	// Zeros: all full blocks are one.
	st := stats(t, s)
	if st.Stored >= st.Logical {
		t.Errorf("stored %d of %d", st.Stored, st.Logical)
	}
}

func TestRealTranscripts(t *testing.T) {
	files := realdata.Files(t)
	s := openTemp(t)
	ids := map[string]string{}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		info, err := f.Stat()
		if err != nil {
			t.Fatal(err)
		}
		rec := sampleRecord()
		err = s.SaveRecord(t.Context(), rec, model.Originals{Source: f, Size: info.Size()}) // the hash is found out
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		ids[name] = rec.ID
	}
	for name, id := range ids {
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(giveBack(t, s, id), want) {
			t.Errorf("%s: other bytes came back", filepath.Base(name))
		}
	}
	st := stats(t, s)
	t.Logf("%d files, %d bytes in %d blocks, stored in %d (%.1f : 1)", len(files), st.Logical, st.Blocks, st.Stored, float64(st.Logical)/float64(st.Stored))
}
