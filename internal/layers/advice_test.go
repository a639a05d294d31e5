package layers

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Without a Go each system is advised in its own words: what its packages bring, or the
// archive of go.dev where they are too old.
func TestAdviceForGoIsOfTheSystemAtHand(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not here")
	}
	script := filepath.Join("..", "..", "scripts", "deps.sh")
	if _, err := os.ReadFile(script); err != nil { // which has a kept result of this test go with it
		t.Fatal(err)
	}
	bin := t.TempDir() // everything that the script needs, but no Go
	for _, name := range []string{"awk", "cat", "cut", "dirname", "env", "head", "sort", "uname"} {
		path, err := exec.LookPath(name)
		if err != nil {
			t.Skipf("%s is not here", name)
		}
		if err := os.Symlink(path, filepath.Join(bin, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(bin, "apt-get"), []byte("#!/bin/sh\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	for system, wants := range map[string][]string{
		"ID=ubuntu\nVERSION_ID=\"22.04\"\n": {"apt-get install -y golang-1.", "export PATH=/usr/lib/go-1."},
		"ID=ubuntu\nVERSION_ID=\"24.04\"\n": {"apt-get install -y golang-1.", "export PATH=/usr/lib/go-1."},
		"ID=debian\nVERSION_ID=\"13\"\n":    {"ca-certificates golang-go", "export GOTOOLCHAIN=auto"},
		"ID=debian\nVERSION_ID=\"12\"\n":    {"https://go.dev/dl/go1."},
		"":                                  {"https://go.dev/dl/go1."},
	} {
		release := filepath.Join(t.TempDir(), "os-release")
		if err := os.WriteFile(release, []byte(system), 0o600); err != nil {
			t.Fatal(err)
		}
		c := exec.CommandContext(t.Context(), bash, script)
		c.Env = []string{"PATH=" + bin, "OS_RELEASE=" + release, "DRY_RUN=1"}
		out, err := c.CombinedOutput()
		text := string(out)
		if err == nil || !strings.Contains(text, "Go is not installed.") {
			t.Errorf("%q: %v\n%s", system, err, text)
		}
		for _, want := range append(wants, "gcc") { // one call of an administrator is enough
			if !strings.Contains(text, want) {
				t.Errorf("%q: no %q in\n%s", system, want, text)
			}
		}
		if own := len(wants) == 2; own == strings.Contains(text, "go.dev/dl") {
			t.Errorf("%q:\n%s", system, text)
		}
	}
}
