package program

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// The version is the one in the package's description, followed by the commit it was built from.
func TestBuiltFrom(t *testing.T) {
	about, err := os.ReadFile(filepath.Join("..", "..", "FyneApp.toml"))
	if err != nil || !strings.Contains(string(about), `Version = "`+Version+`"`) {
		t.Errorf("FyneApp.toml has another version than %s: %v\n%s", Version, err, about)
	}
	defer func(r, d string) { revision, date = r, d }(revision, date)
	revision, date = "4f2a9c1d0b3e", "2026-11-22"
	if got, want := BuiltFrom(), Version+" (4f2a9c1d0b3e, 2026-11-22), "+runtime.Version(); got != want {
		t.Errorf("built from %q, want %q", got, want)
	}
	revision, date = "", ""
	if got := BuiltFrom(); !strings.HasPrefix(got, Version) || !strings.HasSuffix(got, runtime.Version()) {
		t.Errorf("without a stamp: %q", got)
	}
}

// Reports of faults go beside the usual database; where there is no such place, nowhere.
func TestCrashes(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir())
	if Crashes() == nil {
		t.Error("there is no place for reports")
	}
}
