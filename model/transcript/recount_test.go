package transcript

import (
	"path/filepath"
	"testing"

	"palimpsest/internal/realdata"
)

// Of every real history at least nine tenths of the text are read, or a note says that
// they are not.
func TestWhatIsNotReadIsSaid(t *testing.T) {
	more, err := filepath.Glob(filepath.Join(realdata.Root(t), "..", "shared", "data", "formats2", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range append(realdata.Sources(t), more...) {
		d, err := Open(t.Context(), path, Options{})
		if err != nil {
			continue // it is refused in a sentence, which other tests look at
		}
		if u := understood(d, true); u.share() > mostUnread && !hasNote(d, "not-understood") {
			t.Errorf("%s (%s): %s, and no note says so", path, d.Format, u.sentence())
		}
	}
}
