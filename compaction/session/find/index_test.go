package find

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/query"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

func openFile(ctx context.Context, path string) (*session.File, error) {
	return session.Open(ctx, path, session.Options{Verb: true}, transcript.Options{})
}

func openStore(tb testing.TB) *store.Store {
	tb.Helper()
	st, err := store.Open(filepath.Join(tb.TempDir(), "index.db"))
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { st.Close() })
	return st
}

// shelf is a folder of histories.
type shelf struct {
	testing.TB
	dir   string
	files []string
}

// write makes a history of a few messages; its file changes in a way that can be seen.
func (s *shelf) write(name string, lines ...string) string {
	s.Helper()
	var b strings.Builder
	for i, l := range lines {
		role := []string{"user", "assistant"}[i%2]
		fmt.Fprintf(&b, `{"type":%q,"uuid":"u%d","parentUuid":%s,"sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":%q,"content":%q}}`+"\n",
			role, i, map[bool]string{true: "null", false: fmt.Sprintf(`"u%d"`, i-1)}[i == 0], role, l)
	}
	path := filepath.Join(s.dir, name)
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		s.Fatal(err)
	}
	at := time.Unix(1_700_000_000+int64(rand.IntN(1e6)), 0)
	if err := os.Chtimes(path, at, at); err != nil {
		s.Fatal(err)
	}
	if !slices.Contains(s.files, path) {
		s.files = append(s.files, path)
	}
	return path
}

func (s *shelf) search(l Library, text string) (found []string, opened int) {
	s.Helper()
	open := l.Open
	var n atomic.Int64
	l.Open = func(ctx context.Context, path string) (*session.File, error) {
		n.Add(1)
		return open(ctx, path)
	}
	err := l.Search(context.Background(), s.files, parsed(s, text), func(r Result) {
		if r.Err != nil {
			s.Errorf("%s: %v", r.Path, r.Err)
		}
		found = append(found, fmt.Sprintf("%s %d", filepath.Base(r.Path), len(r.Matches)))
	})
	if err != nil {
		s.Fatal(err)
	}
	return found, int(n.Load())
}

// unread checks that the index alone says of every file that a word is not in it.
func (s *shelf) unread(l Library, text string) {
	s.Helper()
	sift := l.sift(context.Background(), parsed(s, text))
	for _, path := range s.files {
		st, err := os.Stat(path)
		if err != nil {
			s.Fatal(err)
		}
		if x, ok := sift.known[model.AbsolutePath(path)]; !ok || len(x.spans(st)) > 0 {
			s.Errorf("%s is read for a word that is nowhere", path)
		}
	}
}

// With an index the same is found as without, whatever became of the files since.
func TestTheIndexFindsWhatReadingFinds(t *testing.T) {
	s := &shelf{TB: t, dir: t.TempDir()}
	st := openStore(t)
	ctx := context.Background()
	s.write("a.jsonl", "the quick brown fox", "jumps over 压缩历史")
	s.write("b.jsonl", "nothing here", strings.Repeat("padding ", 9000)+"a needle-in-hay at the end")
	s.write("c.jsonl", "quick, quick", "and slow")
	s.write("d.json", "not listed")
	without, with := Library{Open: openFile}, Library{Open: openFile, Catalog: st}
	x := &Indexer{Catalog: st, Open: openFile}
	queries := []string{"quick", `"needle-in-hay"`, "压缩", "QUICK -slow", "zz", "absent-word", "role:user quick", "/qu.ck/", "grown", "other words"}
	check := func(when string) {
		t.Helper()
		for _, q := range queries {
			want, _ := s.search(without, q)
			if got, _ := s.search(with, q); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s finds %v, want %v", when, q, got, want)
			}
		}
	}
	check("before there is an index")
	if err := x.Run(ctx, s.files); err != nil {
		t.Fatal(err)
	}
	check("indexed")
	if _, opened := s.search(with, `"needle-in-hay"`); opened != 1 {
		t.Errorf("%d files were opened for what is in one", opened)
	}
	s.unread(with, "absent-word")
	s.write("a.jsonl", "the quick brown fox", "jumps over 压缩历史", "it has grown")
	s.write("c.jsonl", "other words", "of the same file")
	check("changed since")
	if err := x.Run(ctx, s.files); err != nil {
		t.Fatal(err)
	}
	check("indexed again")
	if err := os.Remove(s.files[1]); err != nil {
		t.Fatal(err)
	}
	s.files = slices.Delete(s.files, 1, 2)
	if err := x.Run(ctx, s.files); err != nil {
		t.Fatal(err)
	}
	check("a file less")
	files, err := st.TextFiles(ctx)
	if err != nil || slices.ContainsFunc(files, func(f model.TextFile) bool { return filepath.Base(f.Path) == "b.jsonl" }) {
		t.Errorf("%+v are known, %v", files, err)
	}
}

// An index that is stopped goes on where it was, over more text than a group has.
func TestAnIndexIsResumed(t *testing.T) {
	var b strings.Builder
	random := rand.New(rand.NewPCG(8, 8))
	for i := 0; b.Len() < 40<<20; i++ {
		text := fmt.Sprintf("Message %d ended with context deadline exceeded. ", i)
		for range 400 {
			text += fmt.Sprintf("%x ", random.Uint32())
		}
		fmt.Fprintf(&b, `{"type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":%q}]}}`+"\n", text)
	}
	s := &shelf{TB: t, dir: t.TempDir()}
	s.files = []string{filepath.Join(s.dir, "long.jsonl")}
	if err := os.WriteFile(s.files[0], []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	st := openStore(t)
	ctx, stop := context.WithCancel(context.Background())
	x := &Indexer{Catalog: stopping{st, stop}, Open: openFile}
	if err := x.Run(ctx, s.files); err == nil {
		t.Fatal("it was not stopped")
	}
	files, err := st.TextFiles(context.Background())
	if err != nil || len(files) != 1 || files[0].Size == 0 || files[0].Size > 20<<20 {
		t.Fatalf("%+v, %v", files, err)
	}
	again := &Indexer{Catalog: st, Open: openFile}
	if err := again.Run(context.Background(), s.files); err != nil {
		t.Fatal(err)
	}
	if again.bytes > 26<<20 {
		t.Errorf("%d bytes were indexed again", again.bytes)
	}
	for _, q := range []string{"zyzzyva", "context deadline"} {
		want, _ := s.search(Library{Open: openFile}, q)
		if got, _ := s.search(Library{Open: openFile, Catalog: st}, q); !reflect.DeepEqual(got, want) {
			t.Errorf("%s finds %v, want %v", q, got, want)
		}
	}
}

// stopping stops a run once the first group was stored.
type stopping struct {
	*store.Store
	stop func()
}

// An index whose rows have another length was made by another version: it says nothing,
// and the next run makes it again.
func TestAnOlderIndexIsMadeAgain(t *testing.T) {
	s := &shelf{TB: t, dir: t.TempDir()}
	st := openStore(t)
	ctx := context.Background()
	path := s.write("a.jsonl", "the quick brown fox", "jumps over it")
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	older := &model.TextGroup{Wild: make([]byte, 63), Slices: make([][]byte, 1024),
		Extents: []model.TextExtent{{Len: info.Size()}}}
	err = st.SaveText(ctx, []model.TextFile{{Path: path, Size: info.Size(), Changed: info.ModTime().UnixNano(), Stamp: []byte{1}}}, older)
	if err != nil {
		t.Fatal(err)
	}
	l := Library{Open: openFile, Catalog: st}
	if got, _ := s.search(l, "quick"); len(got) != 1 {
		t.Errorf("with an older index %v is found", got)
	}
	if err := (&Indexer{Catalog: st, Open: openFile}).Run(ctx, s.files); err != nil {
		t.Fatal(err)
	}
	groups := 0
	err = st.TextGroups(ctx, func(_ int64, wild []byte) {
		if groups++; len(wild) != rowBytes {
			t.Errorf("a group has rows of %d bytes", len(wild))
		}
	})
	if err != nil || groups != 1 {
		t.Errorf("%d groups, %v", groups, err)
	}
	if got, opened := s.search(l, "quick"); len(got) != 1 || opened != 1 {
		t.Errorf("made again, %v is found, %d opened", got, opened)
	}
	s.unread(l, "absent-word")
}

// blocks of real text, and literals from it: none is missed.
func TestNoBlockIsMissed(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, path := range someSources(t, 1) {
		b, err := os.ReadFile(path)
		if err != nil || len(b) < 200 {
			continue
		}
		query.Lower(b, b)
		g := new(group)
		for at := 0; at < len(b); {
			k := g.add(0, int64(at), b[at:], len(b)-at)
			if k == 0 {
				break
			}
			at += k
		}
		table := g.table()
		for range 50 {
			from := r.IntN(len(b) - 100)
			needle := b[from : from+3+r.IntN(60)]
			column := -1
			for _, x := range table.Extents {
				if x.Off <= int64(from) && int64(from) < x.Off+x.Len {
					column = x.Column
				}
			}
			for _, h := range asked(needle) {
				s := table.Slices[h/sliceRows]
				if s == nil || s[h%sliceRows*rowBytes+uint32(column>>3)]>>(column&7)&1 == 0 {
					t.Fatalf("%s: %q at %d is not in column %d", path, needle, from, column)
				}
			}
		}
	}
}

func (s stopping) SaveText(ctx context.Context, files []model.TextFile, g *model.TextGroup) error {
	err := s.Store.SaveText(ctx, files, g)
	s.stop()
	return err
}
