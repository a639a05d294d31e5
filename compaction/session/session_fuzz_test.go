package session

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"palimpsest/compaction"
	"palimpsest/internal/realdata"
	"palimpsest/model"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// FuzzSession damages the sample files and takes what is left of them through all that
// a person does with a history:
//
//	damage ──▶ open ──▶ plan ──▶ apply ──▶ export, read back ──▶ restore
//
// A file may be refused, with a sentence for a person. What is opened is copied and
// restored byte for byte, and an export is right or is not written for a fault of the
// file.
func FuzzSession(f *testing.F) {
	var samples [][]byte
	for _, name := range []string{"lab-notebook.jsonl", "mixed-languages.json", "tool-heavy-build.json", "crew-of-four.jsonl", "damaged.jsonl"} {
		b, err := os.ReadFile(filepath.Join("..", "..", "assets", "samples", name))
		if err != nil {
			f.Fatal(err)
		}
		samples = append(samples, b[:min(len(b), 64<<10)])
	}
	for i := range samples {
		f.Add(uint8(i), uint64(i), uint8(0), []byte(nil))
		f.Add(uint8(i), uint64(i+100), uint8(3), []byte(`{"type":"user","uuid":"u1"}`))
	}
	dir, err := os.MkdirTemp("", "palimpsest-fuzz-")
	if err != nil {
		f.Fatal(err)
	}
	st, err := store.Open(filepath.Join(dir, "p.db"))
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { st.Close(); os.RemoveAll(dir) })
	f.Fuzz(func(t *testing.T, which uint8, seed uint64, edits uint8, extra []byte) {
		b := damagedCopy(samples[int(which)%len(samples)], rand.New(rand.NewPCG(seed, 7)), int(edits%12), extra)
		d, err := read("fuzzed", b)
		var problem *model.Problem
		if err != nil {
			if !errors.As(err, &problem) {
				t.Fatalf("no sentence for a person: %v", err)
			}
			return
		}
		if !d.Unconfirmed {
			throughAll(t, d, b, st)
		}
	})
}

// damagedCopy is a text with so many changes: bytes flipped, pieces removed, doubled or
// put elsewhere, and the extra bytes somewhere.
func damagedCopy(src []byte, rng *rand.Rand, edits int, extra []byte) []byte {
	b := bytes.Clone(src)
	for range edits {
		if len(b) < 2 {
			break
		}
		from := rng.IntN(len(b))
		to := min(len(b), from+1+rng.IntN(400))
		piece := bytes.Clone(b[from:to])
		switch rng.IntN(5) {
		case 0:
			b[from] ^= 1 << rng.IntN(8)
		case 1:
			b = append(b[:from], b[to:]...)
		case 2:
			b = append(b[:to], append(piece, b[to:]...)...)
		case 3: // a whole line, as a resumed session has twice or lost
			lines := bytes.SplitAfter(b, []byte("\n"))
			i, j := rng.IntN(len(lines)), rng.IntN(len(lines))
			lines[i] = append(bytes.Clone(lines[i]), lines[j]...)
			b = bytes.Join(lines, nil)
		case 4:
			lines := bytes.SplitAfter(b, []byte("\n"))
			i := rng.IntN(len(lines))
			b = bytes.Join(append(lines[:i:i], lines[i+1:]...), nil)
		}
	}
	at := rng.IntN(len(b) + 1)
	return append(b[:at:at], append(bytes.Clone(extra), b[at:]...)...)
}

// throughAll takes an opened document through a compaction and back; it returns 1 when it
// was compacted and restored, 2 when it was exported, too.
func throughAll(t *testing.T, d *model.Document, src []byte, st *store.Store) int {
	t.Helper()
	var same bytes.Buffer
	if err := transcript.Copy(&same, d); err != nil || !bytes.Equal(same.Bytes(), src) {
		t.Fatalf("the copy is another: %v", err)
	}
	f := NewFile(d, Options{Store: st, Verb: true})
	if len(f.Choices()) == 0 {
		return 0
	}
	s, err := f.Session(context.Background(), Ref{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	p := s.Policy()
	p.Strategy, p.KeepFirstUser, p.MinGain = model.Drop, false, model.Gain{Messages: 1, Tokens: 1}
	p.Tail, p.Triggers = model.Amount{N: 2, Unit: model.Messages}, []model.Clause{{At: model.Amount{N: 1, Unit: model.Messages}}}
	draft, err := s.Draft(context.Background(), p, compaction.Options{Manual: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if draft.Plan.Outcome != compaction.WouldApply {
		return 0
	}
	rec, err := s.Records.Apply(context.Background(), draft)
	if err != nil {
		t.Fatal(err)
	}
	var back bytes.Buffer
	if err := st.WriteSource(context.Background(), rec.ID, &back); err != nil || !bytes.Equal(back.Bytes(), src) {
		t.Fatalf("restored, it is another: %v", err)
	}
	_, err = s.Overlay().ExportFile(context.Background(), Output{Path: filepath.Join(t.TempDir(), "out")})
	var problem *model.Problem
	switch {
	case err == nil:
		return 2
	case !errors.As(err, &problem):
		t.Fatalf("no sentence for a person: %v", err)
	case problem.Code == "check-failed":
		t.Fatalf("a fault of the program: %v", problem)
	}
	return 1
}

// Real files are damaged in the same ways. MUTANTS is how many such files are made, and
// -mutants.seed makes others.
func TestDamagedRealFiles(t *testing.T) {
	const most = 512 << 10 // of a file
	n := 120
	if s := os.Getenv("MUTANTS"); s != "" {
		var err error
		if n, err = strconv.Atoi(s); err != nil {
			t.Fatal(err)
		}
	}
	var sources []string
	for _, path := range realdata.Files(t) {
		if i, err := os.Stat(path); err == nil && i.Size() <= most {
			sources = append(sources, path)
		}
	}
	st, err := store.Open(filepath.Join(t.TempDir(), "p.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	rng := rand.New(rand.NewPCG(17, 3+*mutantsSeed))
	opened, compacted, exported := 0, 0, 0
	at := ""
	defer func() {
		if t.Failed() {
			t.Log(at)
		}
	}()
	for i := range n {
		path := sources[rng.IntN(len(sources))]
		at = fmt.Sprintf("mutant %d of %s", i, path)
		src, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b := damagedCopy(src, rand.New(rand.NewPCG(uint64(i), 6+*mutantsSeed)), 1+rng.IntN(12), nil)
		d, err := read(filepath.Base(path), b)
		var problem *model.Problem
		if err != nil {
			if !errors.As(err, &problem) {
				t.Fatal("no sentence for a person:", err)
			}
			continue
		}
		if opened++; d.Unconfirmed {
			continue
		}
		how := throughAll(t, d, b, st)
		if how > 0 {
			compacted++
		}
		if how > 1 {
			exported++
		}
		if i%1000 == 999 {
			t.Logf("%d mutants: %d opened, %d compacted and restored, %d exported and read back", i+1, opened, compacted, exported)
		}
		if t.Failed() {
			return
		}
	}
	t.Logf("%d mutants of %d files: %d opened, %d compacted and restored, %d exported and read back", n, len(sources), opened, compacted, exported)
}
