package transcript

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/model/transcript/internal/edit"
)

// fuzzFormat seeds a target with fixtures, whole and record by record, and
// demands of anything that opens what is demanded of every document.
func fuzzFormat(f *testing.F, fixtures ...string) {
	for _, name := range fixtures {
		b, err := os.ReadFile(filepath.Join("testdata", name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
		for _, line := range strings.Split(string(b), "\n") {
			f.Add([]byte(line + "\n" + line))
		}
		f.Add(b[:len(b)/2])
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := readBytes("fuzz", b)
		if err != nil {
			return
		}
		checkDocument(t, d)
		if d.Unconfirmed || ReadOnly(d) != "" {
			return
		}
		for ci, c := range d.Conversations {
			for ti, th := range c.Threads {
				live := th.Live(len(th.History))
				if len(live) == 0 || len(th.Messages[live[0]].Pieces) == 0 {
					continue
				}
				r, err := Rewrite(d, &edit.Change{Conversation: ci, Thread: ti, Drop: live,
					Summaries: []edit.Summary{{Text: testSummary, Before: live[0], UID: testUID}}})
				if err != nil {
					t.Fatal(err)
				}
				if err := r.Edits.Write(discard{}); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
