package transcript

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// A folder that is named by a link is walked through under that name; a link within it is not.
func TestALinkAtTheRootIsFollowed(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.MkdirAll(filepath.Join(real, "in"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(real, "in", "a.jsonl"), []byte("{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for from, to := range map[string]string{link: real, filepath.Join(real, "again"): real} {
		if err := os.Symlink(to, from); err != nil {
			t.Skipf("no links here: %v", err)
		}
	}
	for root, want := range map[string][]string{real: {filepath.Join(real, "in", "a.jsonl")}, link: {filepath.Join(link, "in", "a.jsonl")}} {
		var found []string
		if err := Walk(t.Context(), root, func(path string) error { found = append(found, path); return nil }, nil); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(found, want) {
			t.Errorf("%s holds %v, want %v", root, found, want)
		}
	}
}
