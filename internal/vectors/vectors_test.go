package vectors

import (
	"os"
	"path/filepath"
	"testing"
)

type named struct{ ID string }

// all lists the files and how many cases the maker of the set says they have.
var all = map[string]int{
	"a_history_adaptive": 57, "a_history_fixed": 40, "a_units": 297, "a_units_astral": 20, "b_events": 44,
	"c_compact": 84, "c_format": 103, "c_known_defects": 20, "c_summarize": 42, "c_window_end": 276,
	"d_extract": 120, "d_flow": 60, "d_should_compress": 251, "d_truncate": 71,
}

func TestEveryFileIsCarriedWhole(t *testing.T) {
	t.Setenv(Variable, "")
	for name, want := range all {
		if got := len(Cases[named](t, name)); got != want {
			t.Errorf("%s: %d cases, want %d", name, got, want)
		}
	}
}

func TestAnotherFolderIsReadInstead(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "d_flow.json"), []byte(`{"cases":[{"id":"other"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv(Variable, dir)
	if got := Cases[named](t, "d_flow"); len(got) != 1 || got[0].ID != "other" {
		t.Errorf("got %v", got)
	}
	if _, _, err := open("b_events"); !os.IsNotExist(err) {
		t.Errorf("a file that is not in the other folder must not come from ours: %v", err)
	}
}

func TestAFolderThatIsNotThereIsAnError(t *testing.T) {
	t.Setenv(Variable, filepath.Join(t.TempDir(), "no"))
	if _, _, err := open("d_flow"); err == nil {
		t.Error("a wrong folder must not fall back to ours")
	}
}
