package transcript

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"palimpsest/model"
)

// What a long file begins with is what the whole of it begins with.
func TestHeadIsThePrefixOfTheWhole(t *testing.T) {
	path := filepath.Join(t.TempDir(), "s.jsonl")
	var b strings.Builder
	for i := range 400 {
		parent := "null"
		if i > 0 {
			parent = fmt.Sprintf(`"u%d"`, i-1)
		}
		role := []string{"user", "assistant"}[i%2]
		fmt.Fprintf(&b, `{"type":"%s","uuid":"u%d","parentUuid":%s,"sessionId":"s","message":{"id":"m%d","role":"%s","content":"message %d"}}`+"\n", role, i, parent, i, role, i)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	whole, err := Open(t.Context(), path, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer whole.Source.(*os.File).Close()
	all := whole.Conversations[0].Main()
	last := 0
	for _, n := range []int64{500, 4000, 10000, int64(b.Len()), 1 << 30} {
		d, err := Head(t.Context(), path, n, Options{})
		if err != nil {
			t.Fatal(n, err)
		}
		head := d.Conversations[0].Main()
		if len(head.History) <= last && n <= int64(b.Len()) || d.Size > n || d.Format != whole.Format {
			t.Fatalf("%d messages of %s in %d bytes of %d", len(head.History), d.Format, d.Size, n)
		}
		last = len(head.History)
		for i, m := range head.History {
			if got, want := head.Messages[m].Preview, all.Messages[all.History[i]].Preview; got != want {
				t.Fatalf("message %d of %d bytes is %q instead of %q", i, n, got, want)
			}
		}
	}
	if last != len(all.History) {
		t.Errorf("%d messages of %d", last, len(all.History))
	}
}

func TestNoHeadWhereThereAreNoLines(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"value.json":  `{"messages":[{"role":"user","content":"` + strings.Repeat("a", 5000) + `"},{"role":"assistant","content":"b"}]}`,
		"pretty.json": "[\n{\"role\":\"user\",\n\"content\":\"" + strings.Repeat("a", 5000) + "\"},\n{\"role\":\"assistant\",\"content\":\"b\"}\n]\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		var p *model.Problem
		if d, err := Head(t.Context(), path, 1000, Options{}); !errors.As(err, &p) {
			t.Errorf("%s: %v, %v", name, d, err)
		}
	}
	var p *model.Problem
	if _, err := Head(t.Context(), dir, 1000, Options{}); !errors.As(err, &p) || p.Code != "no-head" {
		t.Error(err)
	}
}
