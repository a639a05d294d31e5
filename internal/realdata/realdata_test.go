package realdata

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// The root of the project is found from below it, and not from elsewhere.
func TestRoot(t *testing.T) {
	if _, err := os.Stat(filepath.Join(Root(t), "internal", "realdata")); err != nil {
		t.Error(err)
	}
	t.Chdir(t.TempDir())
	if root := Above(); root != "" {
		t.Errorf("outside of it the project is at %s", root)
	}
	write(t, "module another\n")
	if Above() != "" {
		t.Error("another project is taken for this one")
	}
	write(t, "module palimpsest\n")
	if Above() == "" {
		t.Error("the project is not found")
	}
}

func write(t *testing.T, text string) {
	t.Helper()
	if err := os.WriteFile("go.mod", []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// Archives are unpacked once for each content; the files of those that were named are listed.
func TestSessionFiles(t *testing.T) {
	if _, err := exec.LookPath("tar"); err != nil {
		t.Skip("there is no tar")
	}
	t.Setenv("TMPDIR", t.TempDir())
	dir, from := t.TempDir(), t.TempDir()
	for _, name := range []string{"one", "two"} {
		if err := os.WriteFile(filepath.Join(from, name+".jsonl"), []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("tar", "-cJf", filepath.Join(dir, name+".tar.xz"), "-C", from, name+".jsonl").CombinedOutput(); err != nil {
			t.Skipf("there is no xz: %s", out)
		}
	}
	all, err := SessionFiles(dir)
	if err != nil || len(all) != 2 {
		t.Fatalf("%v, %v", all, err)
	}
	again, err := SessionFiles(dir)
	if err != nil || !slices.Equal(all, again) {
		t.Errorf("again: %v, %v", again, err)
	}
	two, err := SessionFiles(dir, "two")
	if err != nil || len(two) != 1 || filepath.Base(two[0]) != "two.jsonl" {
		t.Errorf("of one: %v, %v", two, err)
	}
	if b, err := os.ReadFile(two[0]); err != nil || string(b) != "two" {
		t.Errorf("it holds %q, %v", b, err)
	}
}
