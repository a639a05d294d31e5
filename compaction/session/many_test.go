package session

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"palimpsest/model/transcript"
)

// A small conversation of a large archive costs little: what was read of the file for one
// is there for the next, and their counts are right.
func TestManySmallConversations(t *testing.T) {
	const many, most = 2000, 16 << 10
	var text strings.Builder
	for i := range many {
		fmt.Fprintf(&text, `{"messages":[{"role":"user","content":"q%d"},{"role":"assistant","content":"%s"}]}`+"\n", i, strings.Repeat(" a", i%7))
	}
	path := filepath.Join(t.TempDir(), "many.jsonl")
	if err := os.WriteFile(path, []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Open(t.Context(), path, Options{Verb: true}, transcript.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	count := func(i int) (n int) {
		s, err := f.Session(t.Context(), Ref{Conversation: i}, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, it := range s.Items() {
			n += s.Tokens(it.Msg)
		}
		return n
	}
	first := count(0)
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	sums := make([]int, many)
	for i := range many {
		sums[i] = count(i)
	}
	runtime.ReadMemStats(&after)
	// Short is how the race detector runs, under which pools lose things on purpose.
	if each := (after.TotalAlloc - before.TotalAlloc) / many; each > most && !testing.Short() {
		t.Errorf("a conversation costs %d bytes of garbage", each)
	}
	for i := many - 1; i >= 0; i-- { // from the other end, so that other stretches are read
		if n := count(i); n != sums[i] {
			t.Fatalf("conversation %d has %d tokens, and %d the second time", i, sums[i], n)
		}
	}
	if sums[0] != first || sums[6] <= sums[0] {
		t.Errorf("%d %d %v", first, sums[0], sums[:10])
	}
}
