package session

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"maps"
	rand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"palimpsest/compaction"
	"palimpsest/model"
	"palimpsest/model/transcript"
)

var (
	mutants     = flag.Int("mutants", 0, "mutants of each kind that are made of each real file; 0: one of each kind a format")
	mutantsKeep = flag.String("mutants.keep", "", "folder in which mutants that fail are kept")
	mutantsSeed = flag.Uint64("mutants.seed", 1, "changes which mutants are made")
)

// Files of these formats that nobody has seen will be opened. Real files are
// changed in every way of mutations; whatever still opens is copied, compacted
// under every preset, reloaded and restored like any other file.
func TestMutantsOfRealFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("many real files, one after the other")
	}
	var mu sync.Mutex
	tried, opened := map[model.Format]int{}, map[model.Format]int{}
	t.Cleanup(func() {
		for _, f := range slices.Sorted(maps.Keys(tried)) {
			t.Logf("%-16s %5d mutants, %5d opened", f, tried[f], opened[f])
		}
	})
	for format, files := range mutable(t) {
		for i, m := range mutations {
			each := files
			if *mutants == 0 {
				each = files[i%len(files):][:1]
			}
			for _, f := range each {
				for k := range max(*mutants, 1) {
					t.Run(fmt.Sprintf("%s/%s/%d", f.name, m.name, k), func(t *testing.T) {
						t.Parallel()
						h := fnv.New64a()
						fmt.Fprint(h, f.name, m.name, k)
						b := m.do(bytes.Clone(f.src), rand.New(rand.NewPCG(*mutantsSeed, h.Sum64())))
						survived := surviveMutant(t, format, m, b)
						mu.Lock()
						tried[format]++
						if survived {
							opened[format]++
						}
						mu.Unlock()
						if t.Failed() && *mutantsKeep != "" {
							keepMutant(t, b)
						}
					})
				}
			}
		}
	}
}

func keepMutant(t *testing.T, b []byte) {
	name := strings.ReplaceAll(strings.TrimPrefix(t.Name(), "TestMutantsOfRealFiles/"), "/", "__")
	if err := os.WriteFile(filepath.Join(*mutantsKeep, name), b, 0o644); err != nil {
		t.Error(err)
	}
}

// parent is a file that mutants are made of.
type parent struct {
	name string
	src  []byte
}

func mutable(t *testing.T) map[model.Format][]parent {
	t.Helper()
	by := map[model.Format][]parent{}
	for _, l := range manifest(t) {
		d, err := transcript.Open(context.Background(), l.path, transcript.Options{})
		if err != nil || strings.Contains(l.path, "unseen") || strings.HasSuffix(l.path, "claudecode_session.jsonl") { // small and odd already
			continue // holds no history; see refusals
		}
		src, err := d.Bytes(model.Span{Len: d.Size})
		if err != nil {
			t.Fatal(err)
		}
		by[d.Format] = append(by[d.Format], parent{l.name, shortened(src, d)})
	}
	return by
}

// shortened keeps a large file's first records, so that hundreds of mutants of
// it are tried in little time.
func shortened(src []byte, d *model.Document) []byte {
	const enough = 120 << 10
	p := cutPieces(src)
	size := 0
	for i, rec := range p.records {
		if size += len(rec); size > enough && i >= 12 {
			p.records = p.records[:i]
			break
		}
	}
	if b := p.join(); len(b) < len(src) {
		if back, err := read(d.Path, b); err == nil && back.Format == d.Format {
			return b
		}
	}
	return src
}

func read(path string, b []byte) (*model.Document, error) {
	return transcript.Read(context.Background(), path, bytes.NewReader(b), int64(len(b)), transcript.Options{})
}

func surviveMutant(t *testing.T, format model.Format, m mutation, b []byte) bool {
	t.Helper()
	d, err := read("mutant", b)
	var problem *model.Problem
	switch {
	case errors.As(err, &problem):
		if m.marks {
			t.Errorf("was %s, is refused: %v", format, problem)
		}
		return false
	case err != nil:
		t.Fatalf("no sentence for a person: %v", err)
	case m.marks && d.Format != format:
		t.Errorf("was %s, is taken for %s: %s", format, d.Format, d.Why)
	}
	if d.Unconfirmed { // it may be looked at, and nothing else
		if _, err := transcript.Rewrite(d, &transcript.Change{}); !errors.As(err, &problem) {
			t.Errorf("a reading that nobody confirmed is rewritten: %v", err)
		}
		return false
	}
	prove(t, d, 1, append(compaction.Presets(), dropping(), onlyTheLast()))
	return true
}
