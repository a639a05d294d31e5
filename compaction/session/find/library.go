package find

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"palimpsest/compaction/session"
	"palimpsest/model"
	"palimpsest/model/query"
	"palimpsest/model/store"
	"palimpsest/model/transcript"
)

// Library is many files that are searched together.
//
//	files ──▶ catalog: may it hold the needles? ──▶ bytes: does it? ──▶ open, File ──▶ Result
//	           no: next file (no catalog: maybe)     no: next file
type Library struct {
	// Open opens a file; it is closed when it was searched.
	Open func(ctx context.Context, path string) (*session.File, error)
	// Plan is asked for a query that needs one; nil: such a query finds nothing.
	Plan func(f *session.File) Plan
	// Catalog knows what is in files without reading them; nil: every file is read.
	Catalog Catalog
}

// Match is one message that was found, with what is said of it beside its text.
type Match struct {
	Ref   session.Ref
	Agent string
	Num   int // in the history, from 1; 0: not in it
	Msg   *model.Message
	Tools []string
	Known *Known // nil: not asked for
	Found
}

// Result is what was found in one file.
type Result struct {
	Path    string
	Title   string
	Matches []Match // by thread, in the order of the history
	Places  int
	Err     error // the file could not be read
}

// Sources lists the files that may be histories: the given ones, and those in folders
// by their names, in the order of the paths given and then by path.
func Sources(ctx context.Context, paths []string) (list []string, err error) {
	seen := map[string]bool{}
	add := func(path string) {
		if !seen[path] {
			seen[path] = true
			list = append(list, path)
		}
	}
	for _, root := range paths {
		if st, err := os.Stat(root); err != nil || !st.IsDir() || transcript.IsEventFolder(ctx, root) {
			add(root)
			continue
		}
		err := transcript.Walk(ctx, root, func(path string) error {
			add(path)
			return nil
		}, nil)
		if err != nil {
			return nil, err
		}
	}
	return list, nil
}

// Search calls each with the result of every file in which something was found or
// that could not be read, in the order of the files and from one goroutine at a time.
func (l Library) Search(ctx context.Context, files []string, m *query.Matcher, each func(Result)) error {
	sift := l.sift(ctx, m)
	results := make([]*Result, len(files))
	var mu sync.Mutex
	next, given := atomic.Int64{}, 0
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), max(1, len(files))) {
		wg.Go(func() {
			for i := int(next.Add(1) - 1); i < len(files) && ctx.Err() == nil; i = int(next.Add(1) - 1) {
				r := l.one(ctx, files[i], m, sift)
				mu.Lock()
				if r == nil {
					r = &Result{}
				}
				results[i] = r
				for ; given < len(files) && results[given] != nil; given++ {
					if x := results[given]; len(x.Matches) > 0 || x.Err != nil && ctx.Err() == nil {
						each(*x)
					}
					results[given] = &Result{} // what was given is kept by who wants it
				}
				mu.Unlock()
			}
		})
	}
	wg.Wait()
	return ctx.Err()
}

// one searches one file; nil: it holds nothing.
func (l Library) one(ctx context.Context, path string, m *query.Matcher, sift *sieve) *Result {
	if sift != nil {
		may, err := sift.may(ctx, path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) && ctx.Err() == nil {
			return &Result{Path: path, Err: err}
		}
		if err == nil && !may {
			return nil
		}
	}
	f, err := l.Open(ctx, path)
	if err != nil {
		return &Result{Path: path, Err: err}
	}
	defer f.Close()
	r := &Result{Path: path, Title: f.Title(0)}
	var plan Plan
	if l.Plan != nil {
		plan = l.Plan(f)
	}
	if plan == nil && Needs(m) {
		return nil
	}
	r.Err = File(ctx, f, m, plan, func(w Where, x Found) {
		r.Matches = append(r.Matches, w.match(x))
		r.Places += x.Count
	})
	slices.SortStableFunc(r.Matches, func(a, b Match) int {
		return cmp.Or(cmp.Compare(a.Ref.Conversation, b.Ref.Conversation), cmp.Compare(a.Ref.Thread, b.Ref.Thread), int(a.Stored-b.Stored))
	})
	return r
}

// match is what was found, with what its message says.
func (w Where) match(x Found) Match {
	return Match{Ref: w.Ref, Agent: w.thread.AgentID, Num: w.Num(x.Stored), Msg: w.Message(x.Stored), Tools: w.Tools(x.Stored),
		Known: x.Known, Found: x}
}

// composes reports whether bytes are of a history in which a reader puts words together
// that are in no message: such a file is opened whatever its bytes hold. low has small
// ASCII letters.
func composes(low []byte) bool { return bytes.Contains(low, []byte(`role":"bashexecution"`)) }

// plain reports whether the text of a file is in its bytes: it is JSON, and no archive.
func plain(head []byte) bool {
	head = bytes.TrimLeft(bytes.TrimPrefix(head, []byte("\xef\xbb\xbf")), " \t\r\n")
	return len(head) > 0 && (head[0] == '{' || head[0] == '[') && bytes.IndexByte(head, 0) < 0
}

// Shelf is where it is noted which histories a person has. The store is one.
type Shelf interface {
	Recents(ctx context.Context) ([]store.Recent, error)
	Setting(ctx context.Context, name string, into any) (bool, error)
}

// WatchedSetting is the setting with the folders that are watched.
const WatchedSetting = "watched"

// Histories lists those that a person has: the files that were opened, and those
// in the folders that are watched.
func Histories(ctx context.Context, s Shelf) ([]string, error) {
	recents, err := s.Recents(ctx)
	if err != nil {
		return nil, err
	}
	var paths []string
	for _, r := range recents {
		if _, err := os.Stat(r.Path); err == nil {
			paths = append(paths, r.Path)
		}
	}
	var folders []struct{ Path string }
	if _, err := s.Setting(ctx, WatchedSetting, &folders); err != nil {
		return nil, err
	}
	for _, f := range folders {
		if _, err := os.Stat(f.Path); err == nil {
			paths = append(paths, f.Path)
		}
	}
	return Sources(ctx, paths)
}
