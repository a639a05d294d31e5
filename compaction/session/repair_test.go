package session

import (
	"os"
	"path/filepath"
	"testing"
)

// A mended file is proposed beside its source, under a name that is free.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.b.jsonl")
	for _, want := range []string{"a.b.repaired.jsonl", "a.b.repaired-2.jsonl", "a.b.repaired-3.jsonl"} {
		got := Beside(path)
		if got != filepath.Join(dir, want) {
			t.Fatalf("%s, want %s", got, want)
		}
		if err := os.WriteFile(got, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}
